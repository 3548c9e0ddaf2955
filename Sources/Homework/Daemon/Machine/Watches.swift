import Files
import Glibc
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
    private var zoneWatch: PathWatch?
    private var folderWatch: FileWatch?
    private var scheduleWatch: PathWatch?
    private var timer: WakeTimer?
    /// A failure to watch them was logged.
    private var (loggedClockFailure, loggedFolderFailure, loggedScheduleFailure) = (false, false, false)

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
        if scheduleWatch == nil {
            watchSchedule()
            scheduleSaved()
        }
    }

    private func watchClock() {
        do {
            clockWatch = try ClockWatch(loop) { [unowned self] in clockChanged() }
            zoneWatch = try PathWatch(loop, path: "/etc/localtime") { [unowned self] in clockChanged() }
            if loggedClockFailure { say(.notice, "Clock and zone are watched again.") }
            loggedClockFailure = false
        } catch {
            if !loggedClockFailure { say(.warning, "Clock and zone are not watched (\(error)), carrying on") }
            loggedClockFailure = true
            trySoon()
        }
    }

    /// Watches the folder, because an editor that renames over the file would end a watch on the file. Makes the folder anew
    /// if it was removed.
    private func watchFolder() {
        watchInFolder()
        watchSchedule()
    }

    private func watchInFolder() {
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

    /// Watches the schedule, and if it is a link, the file that the link leads to.
    private func watchSchedule() {
        do {
            scheduleWatch = try PathWatch(loop, path: folder + "/tasks.json") { [unowned self] in scheduleSaved() }
            if loggedScheduleFailure { say(.notice, "Where \(folder)/tasks.json leads is watched again.") }
            loggedScheduleFailure = false
        } catch {
            scheduleWatch = nil
            if !loggedScheduleFailure {
                say(.warning, "Where \(folder)/tasks.json leads is not watched (\(error)), carrying on")
            }
            loggedScheduleFailure = true
            // A folder that may not be read stays so until a person changes it. Moving a watch to its priority may fail alike.
            if error != SystemdError(call: "sd_event_add_inotify", errno: EACCES) { trySoon() }
        }
    }

    private func folderChanged(_ name: String?) {
        if folderWatch?.isWatching != true { watchFolder() }
        if name == "tasks.json", scheduleWatch == nil {
            watchSchedule()
            scheduleSaved()
        }
        if name == nil { scheduleSaved() }
    }

    private func trySoon() {
        do {
            try timer?.arm(atMicroseconds: UInt64(max(1, (now() + Self.tryAgain).microseconds)))
        } catch {
            say(.warning, "No watch is tried again: \(error), carrying on")
        }
    }
}
