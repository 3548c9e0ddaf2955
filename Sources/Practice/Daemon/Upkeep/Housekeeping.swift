import Files
import PracticeInterfaces
import PracticeStore
import Systemd
import Time

/// Makes the database ready before anybody is let in.
enum Housekeeping {
    /// Makes the database where there is none, and brings an older one up to date. Returns why it is damaged, which nothing
    /// is written to then; nil if all is well. Throws if it cannot be used at all: a newer Daybreak's, another user's.
    static func prepare(_ path: String, _ settings: PracticeSettings) throws -> String? {
        do {
            try Store.inspect(path)
            if try !File.exists(path) {
                guard PracticeStorage.nights(of: path, settings).nights.isEmpty else { throw StoreError.gone(path) }
                _ = try NewFile(at: path)
            }
            let store = try Store(path, collation: Collation(locale: settings.locale))
            try store.close()
            return nil
        } catch {
            // A disk that could not be read is not called damaged: the daemon is started again.
            guard case .damaged(let reason) = PracticeStorage.failure(error, path) else { throw error }
            return reason
        }
    }
}

/// Makes the backup of each night: five minutes after the practice's midnight, or after the start where this night has none.
final class Nights {
    private let zone: Zone
    private let now: () -> Instant
    private let last: () -> Instant?
    private let backUp: (@escaping (_ isDone: Bool) -> Void) -> Void
    private let say: (Severity, String) -> Void
    private var timer: WakeTimer?

    /// Of the day's beginning, so that nobody waits who comes at it; and until a backup that failed is tried again.
    private static let pause = Duration.seconds(300)

    /// - Parameters:
    ///   - last: when the newest backup was made.
    ///   - backUp: makes the backup, and tells whether it did.
    init(
        _ loop: EventLoop, zone: Zone, now: @escaping () -> Instant, last: @escaping () -> Instant?,
        backUp: @escaping (@escaping (_ isDone: Bool) -> Void) -> Void, say: @escaping (Severity, String) -> Void
    ) throws(SystemdError) {
        self.zone = zone
        self.now = now
        self.last = last
        self.backUp = backUp
        self.say = say
        timer = try WakeTimer(loop, .wall) { [unowned self] in make() }
    }

    /// At the start, and after the clock was set: the timer may be set for a time that is far away now.
    func plan() { wait(until: Self.due(at: now(), last: last(), in: zone)) }

    /// The next midnight; at once where today has no backup yet.
    static func due(at now: Instant, last: Instant?, in zone: Zone) -> Instant {
        let today = zone.day(at: now)
        return last.map { zone.day(at: $0) } == today ? zone.start(of: today + 1) : now
    }

    private func make() {
        backUp { [unowned self] isDone in
            wait(until: isDone ? zone.start(of: zone.day(at: now()) + 1) : now())
        }
    }

    private func wait(until instant: Instant) {
        do {
            try timer?.arm(atMicroseconds: UInt64(max(1, (instant + Self.pause).microseconds)))
        } catch {
            say(.warning, "The nightly backup cannot be planned: \(error), carrying on")
        }
    }
}
