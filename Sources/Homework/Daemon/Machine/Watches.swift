import Files
import HomeworkRules
import Systemd
import Time

/// Watches the machine's clock, its time zone and the schedule file. A watch that cannot be made is tried again later. Until
/// then the daemon notices a change at its next wake.
final class Watches {
    /// The clock was set, or the zone changed.
    var clockChanged: () -> Void = {}
    var scheduleSaved: () -> Void = {}

    private let loop: EventLoop
    private let folder: String
    private let now: () -> SteadyInstant
    private let say: (Severity, String) -> Void
    private var clockWatch: ClockWatch?
    private var zoneWatch: ZoneWatch?
    private var folderWatch: FileWatch?
    private var timer: WakeTimer?
    /// A failure to watch them was logged.
    private var (loggedClockFailure, loggedFolderFailure) = (false, false)

    /// The pause before the next attempt.
    private static let tryAgain = Duration.seconds(30)

    /// - Parameter folder: the schedule's folder. It is made if it is missing.
    init(
        _ loop: EventLoop, folder: String, now: @escaping () -> SteadyInstant,
        say: @escaping (Severity, String) -> Void
    ) throws(SystemdError) {
        self.loop = loop
        self.folder = folder
        self.now = now
        self.say = say
        timer = try WakeTimer(loop, .steady) { [unowned self] in again() }
    }

    func begin() {
        watchClock()
        watchFolder()
    }

    private func again() {
        if zoneWatch == nil {
            watchClock()
            clockChanged()
        }
        if folderWatch?.isWatching != true { folderChanged(nil) }
    }

    private func watchClock() {
        do {
            clockWatch = try ClockWatch(loop) { [unowned self] in clockChanged() }
            zoneWatch = try ZoneWatch(loop) { [unowned self] in clockChanged() }
            if loggedClockFailure { say(.notice, "Clock and zone are watched again.") }
            loggedClockFailure = false
        } catch {
            if !loggedClockFailure { say(.warning, "Clock and zone are not watched (\(error)), carrying on") }
            loggedClockFailure = true
            trySoon()
        }
    }

    /// Watches the folder, because an editor that renames over the file would end a watch on the file.
    private func watchFolder() {
        do {
            try Folder.make(folder)
            folderWatch = try FileWatch(loop, directory: folder) { [unowned self] in folderChanged($0) }
            if loggedFolderFailure { say(.notice, "\(folder) is watched again.") }
            loggedFolderFailure = false
        } catch {
            if !loggedFolderFailure { say(.warning, "\(folder) is not watched (\(error)), carrying on") }
            loggedFolderFailure = true
            trySoon()
        }
    }

    private func folderChanged(_ name: String?) {
        if folderWatch?.isWatching != true { watchFolder() }
        if name == nil || name == "tasks.json" { scheduleSaved() }
    }

    private func trySoon() {
        do {
            try timer?.arm(atMicroseconds: UInt64(max(1, (now() + Self.tryAgain).microseconds)))
        } catch {
            say(.warning, "No watch is tried again: \(error), carrying on")
        }
    }
}
