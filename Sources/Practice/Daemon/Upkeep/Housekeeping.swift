import Files
import PracticeInterfaces
import PracticeStore
import Storage
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
                guard Keeper.nights(of: path, settings).nights.isEmpty else { throw StoreError.gone(path) }
                _ = try NewFile(at: path)
            }
            let store = try Store(path, collation: Collation(locale: settings.locale))
            try store.close()
            return nil
        } catch let error as StoreError where !error.isDamage {
            throw error
        } catch let error as StoreError {
            return Keeper.failure(error, path).reason
        } catch let error as DatabaseError
            where [DatabaseError.corrupt, DatabaseError.notADatabase].contains(error.code)
        {
            return Keeper.failure(error, path).reason
        }
    }
}

/// Makes the backup of each night: five minutes after the practice's midnight, or after the start where this night has none.
final class Nights {
    private let zone: Zone
    private let now: () -> Instant
    private let backUp: (@escaping (_ isDone: Bool) -> Void) -> Void
    private let say: (Severity, String) -> Void
    private var timer: WakeTimer?

    /// Of the day's beginning, so that nobody waits who comes at it; and until a backup that failed is tried again.
    private static let pause = Duration.seconds(300)

    /// - Parameter backUp: makes the backup, and tells whether it did.
    init(
        _ loop: EventLoop, zone: Zone, now: @escaping () -> Instant,
        backUp: @escaping (@escaping (_ isDone: Bool) -> Void) -> Void, say: @escaping (Severity, String) -> Void
    ) throws(SystemdError) {
        self.zone = zone
        self.now = now
        self.backUp = backUp
        self.say = say
        timer = try WakeTimer(loop, .wall) { [unowned self] in make() }
    }

    /// - Parameter last: when the newest backup was made.
    func begin(last: Instant?) {
        let today = zone.day(at: now())
        if let last, zone.day(at: last) == today { wait(until: zone.start(of: today + 1)) } else { wait(until: now()) }
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
