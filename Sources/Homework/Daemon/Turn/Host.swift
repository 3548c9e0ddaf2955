import DaybreakInterfaces
import HomeworkHistory
import HomeworkRules
import Systemd
import Time

/// The functions of the machine that the daemon calls. `DaybreakService` makes them; tests make their own.
struct Host {
    var now: () -> Moment
    /// Spells times in the present time zone.
    var spelling: () -> Spelling
    /// Wakes the daemon at the earlier of these times. Replaces the times set before.
    var wake: (_ wall: Instant?, _ steady: SteadyInstant?) -> Void
    /// Writes the status for other programs; false if that failed.
    var publish: (Homework.Status) -> Bool
    /// Sends a reminder, which is recorded already.
    var remind: (Reminder, Moment) -> Void
    /// The ids of the reminders that an earlier daemon sent before it died; nil if that is unknown.
    var givenBefore: ([String]) -> Set<String>?
    /// Does the work beside the loop, and calls back in a later turn of the loop. One work at a time.
    var beside:
        (
            _ work: @escaping @Sendable () -> Maintenance.Finding, _ then: @escaping (Maintenance.Finding) -> Void
        ) throws -> Void
    /// Logs a line about the daemon itself.
    var say: (Severity, String) -> Void

    init(
        now: @escaping () -> Moment, spelling: @escaping () -> Spelling,
        wake: @escaping (Instant?, SteadyInstant?) -> Void, publish: @escaping (Homework.Status) -> Bool,
        remind: @escaping (Reminder, Moment) -> Void,
        givenBefore: @escaping ([String]) -> Set<String>? = { _ in nil },
        beside:
            @escaping (@escaping @Sendable () -> Maintenance.Finding, @escaping (Maintenance.Finding) -> Void) throws
            -> Void,
        say: @escaping (Severity, String) -> Void
    ) {
        self.now = now
        self.spelling = spelling
        self.wake = wake
        self.publish = publish
        self.remind = remind
        self.givenBefore = givenBefore
        self.beside = beside
        self.say = say
    }
}
