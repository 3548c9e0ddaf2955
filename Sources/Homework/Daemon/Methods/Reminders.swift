import DaybreakInterfaces
import HomeworkRules
import Time
import Varlink
import VarlinkService

extension Homework.Reminders: Handled {
    static let right = Rights.read
    static let takesLong = true
    var topic: Watchers.Topic? { .reminders }

    /// A year of reminders, a few a day, in one reply.
    private static let most = 2_000

    func job(in context: CallContext) throws -> Job {
        let limit = limit ?? Self.most
        guard (0...Self.most).contains(limit) else { throw InvalidParameter(parameter: "limit") }
        let since = try since.map { text in
            let ago = Length(text).map { context.now.instant + (.zero - $0.duration) }
            guard let since = ago ?? CalendarDay(text).map(context.clock.start(of:)) ?? DateTime(text)?.instant else {
                throw InvalidParameter(parameter: "since")
            }
            return since
        }
        return context.look { [more = context.wantsMore] in try $0.reminders(since: since, limit: limit, isStream: more)
        }
    }
}

extension Homework.Snooze: Handled {
    static let right = Rights.act

    func job(in context: CallContext) throws -> Job {
        guard let end = When.instant(until, after: context.now, on: context.clock) else {
            throw Homework.CannotSnooze(
                reason: "The time is a length (30m, 1h30m), a time of today's clock (18:00), or an RFC 3339 instant.")
        }
        return context.command(.snooze(until: comes(end, after: context.now.instant))) { Reply(status: $0.status) }
    }

    /// A time of the clock that was hours ago, and comes again within hours, is meant to come: the day began late. The rules refuse
    /// it, because a snooze ends with the day. An instant names its day, and stays.
    private func comes(_ end: Instant, after now: Instant) -> Instant {
        let next = end + .seconds(24 * 3_600)
        return end <= now && next - now < .seconds(12 * 3_600) && TimeOfDay(until) != nil ? next : end
    }
}

extension Homework.EndSnooze: Handled {
    static let right = Rights.act
    func job(in context: CallContext) -> Job { context.command(.endSnooze) { Reply(status: $0.status) } }
}
