import Files
import PostgreSQL
import PracticeInterfaces
import PracticeStore
import Systemd
import Time

/// Prepares the database before the socket opens.
enum DatabasePreparation {
    /// The state in which the database was found.
    enum Finding: Equatable {
        case sound
        /// An erasure was interrupted before the backups were renewed: they still hold the erased record.
        case copiesOutdated
        /// The database is left unchanged.
        case damaged(reason: String)
        /// The server cannot be reached, or daemons of an earlier version use it. The first call for which it can be used prepares
        /// the tables.
        case unreached(reason: String)
    }

    /// Makes a missing database, and upgrades an older one. Throws if it cannot be used: a newer Daybreak or another user wrote
    /// it.
    static func prepare(_ place: StoragePlace, _ settings: PracticeSettings) throws -> Finding {
        switch place {
        case .file(let path): return try prepare(path, settings)
        case .server(let address):
            let collation = Collation(locale: settings.locale)
            do { _ = try Store(server: address, migration: settings.migrationServer, collation: collation) } catch {
                let isPassing = (error as? PostgreSQLError)?.isPassing ?? ((error as? StoreError) == .servedByEarlier)
                guard isPassing else { throw error }
                return .unreached(reason: PracticeStorage.failure(error, place).reason)
            }
            return .sound
        }
    }

    private static func prepare(_ path: String, _ settings: PracticeSettings) throws -> Finding {
        do {
            // A restore that was killed may have left the log with another name.
            if try File.exists(path) { try Backups(of: path).bringBackLog(of: path) }
            if try !Store.inspect(path) {
                let nights = PracticeStorage.nights(of: path, settings).nights
                guard nights.isEmpty, !Backups(of: path).areLeft else { throw StoreError.gone(path) }
                if try !File.exists(path) { _ = try NewFile(at: path) }
            }
            let store = try Store(path, collation: Collation(locale: settings.locale))
            let areOutdated = try store.fact(.outdatedCopies) != nil
            try store.close()
            return areOutdated ? .copiesOutdated : .sound
        } catch {
            // An unreadable disk is not damage. systemd starts the daemon again.
            guard case .damaged(let reason) = PracticeStorage.failure(error, .file(path)) else { throw error }
            return .damaged(reason: reason)
        }
    }
}

/// Makes a backup each night, five minutes after the practice's midnight. If this night's backup is missing at the start, or could
/// not be made, it comes five minutes later.
final class NightlyBackups {
    private let zone: Zone
    private let now: () -> Instant
    private let last: () -> Instant?
    private let backUp: (@escaping (_ isDone: Bool) -> Void) -> Void
    private let say: (Severity, String) -> Void
    private var timer: WakeTimer?

    /// The time from midnight to the backup, so that calls at midnight do not wait; and from a failure to the next attempt.
    private static let pause = Duration.seconds(300)

    /// - Parameters:
    ///   - last: returns the instant of the newest backup.
    ///   - backUp: makes the backup, and reports its success.
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

    /// Sets the timer. Called at the start and after the clock was set, which may make the timer's time wrong.
    func plan() { wait(until: Self.due(at: now(), last: last(), in: zone)) }

    /// The next midnight; now if today has no backup yet.
    static func due(at now: Instant, last: Instant?, in zone: Zone) -> Instant {
        let today = zone.day(at: now)
        return last.map { zone.day(at: $0) } == today ? zone.start(of: today + 1) : now
    }

    /// Makes the backup now. After a failure, tries again later.
    func make() {
        backUp { [unowned self] isDone in
            wait(until: isDone ? zone.start(of: zone.day(at: now()) + 1) : now())
        }
    }

    /// Makes the backup later, after one that somebody asked for, or that an erasure needs, has failed.
    func again() { wait(until: now()) }

    private func wait(until instant: Instant) {
        do {
            try timer?.arm(atMicroseconds: UInt64(max(1, (instant + Self.pause).microseconds)))
        } catch {
            say(.warning, "The nightly backup cannot be planned: \(error), carrying on")
        }
    }
}
