import DaybreakInterfaces
import Files
import Glibc
import HomeworkHistory
import HomeworkRules

/// The faults of the history, the configuration and the schedule file, each read anew.
enum Diagnosis {
    /// - Parameter isSound: the history was just found to be sound. Else it is looked at now, and damage ends its writing.
    static func of(_ daemon: Daemon, isSound: Bool, reading paths: Paths) -> Service.Diagnose.Reply {
        let history = historyFault(daemon, isSound: isSound)
        let file =
            daemon.configuration.countsPracticesSchedule(daemon.plan)
            ? nil : readSchedule(paths.scheduleFile, daemon)
        let isUnread = file.map { self.isUnread($0, by: daemon) } ?? false
        return Service.Diagnose.Reply(
            history: history, configuration: configurationFault(paths.configurationFile),
            schedule: isUnread
                ? "\(paths.scheduleFile) has another text than the one that is in force."
                : file.flatMap { fault(of: $0, paths.scheduleFile) },
            brokenLinks: [paths.configurationFile, paths.scheduleFile].filter(WrittenFile.isBrokenLink),
            restorable: isRestorable(daemon, paths) ? Backups(of: paths.history).nights.reversed() : nil,
            isScheduleMissing: file?.isMissing == true ? true : nil,
            settings: Folder.parent(of: paths.configurationFile), isScheduleUnread: isUnread ? true : nil,
            state: Folder.parent(of: paths.history), unknownZone: LocalClock.unknownZone,
            playsProvider: daemon.configuration.provider.simulate ? true : nil,
            isScheduleImported: file?.isMissing == false && daemon.plan.isImported ? true : nil)
    }

    /// Nil if there is none, and none is needed, because an import gave the schedule that is in force.
    private static func readSchedule(_ path: String, _ daemon: Daemon) -> ScheduleFile? {
        let file = ScheduleFile.read(path, patterns: daemon.configuration.patterns)
        return file.isMissing && daemon.plan.isImported ? nil : file
    }

    /// True if the history is damaged, or its file is gone.
    private static func isRestorable(_ daemon: Daemon, _ paths: Paths) -> Bool {
        daemon.recording.isDamaged || access(paths.history, F_OK) != 0 && errno == ENOENT
    }

    /// True if the file is sound and was saved unnoticed, as where nothing can watch it.
    private static func isUnread(_ file: ScheduleFile, by daemon: Daemon) -> Bool {
        guard case .sound(_, let text) = file, daemon.recording.problem == nil else { return false }
        return text != daemon.plan.scheduleFile
    }

    private static func historyFault(_ daemon: Daemon, isSound: Bool) -> String? {
        guard let history = daemon.recording.history else {
            return daemon.recording.problem ?? "The history cannot be had."
        }
        do {
            if isSound { try history.makeReady() } else { try history.check() }
            return daemon.recording.problem ?? daemon.backupProblem
        } catch {
            if error.isDamage { daemon.failed(error, at: daemon.host.now()) }
            return error.description
        }
    }

    private static func configurationFault(_ path: String) -> String? {
        do {
            _ = try Configuration.load(path)
            return nil
        } catch {
            return error.description
        }
    }

    private static func fault(of file: ScheduleFile, _ path: String) -> String? {
        switch file {
        case .missing: "There is no file \(path)."
        case .sound, .known: nil
        case .faulty(let sentence, _), .unreadable(let sentence): sentence
        }
    }
}
