internal import ArgumentParser
import CMemory
import Companion
import DaybreakInterfaces
import Glibc

/// `daybreak`, the companion of daybreakd. Its verbs, by what they are for: a new one is its file and its name here.
struct Daybreak: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daybreak", abstract: "Your homework, one day at a time.", version: Product.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Today",
                subcommands: [
                    List.self, Start.self, Mood.self, Note.self, Notes.self, Status.self, Snooze.self, Reminders.self,
                ]),
            CommandGroup(
                name: "Step by step",
                subcommands: [
                    Breathe.self, Pause.self, Resume.self, Restart.self, Join.self, Leave.self, Cancel.self,
                    ProviderVerb.self,
                ]),
            CommandGroup(name: "Looking back", subcommands: [Show.self, Moods.self]),
            CommandGroup(name: "Looking ahead", subcommands: [Schedule.self, Explain.self, Simulate.self]),
            CommandGroup(
                name: "Upkeep",
                subcommands: [
                    Notify.self, Doctor.self, Backup.self, Restore.self, Export.self, Erase.self, Reload.self,
                ]),
        ],
        defaultSubcommand: List.self)

    /// Keeps this program's memory, in which a mood or a note may be, from everybody but root: no debugger attaches, and the
    /// kernel writes no core dump and pipes none to a collector (man 2 PR_SET_DUMPABLE). The programs that it runs, the pager
    /// among them, inherit the limit: at one byte nothing is piped either, at none it is (man 5 core), and none of them may
    /// raise it again.
    static func leaveNoCoreDump() {
        _ = cmemory_set_undumpable()
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
}

/// The program `daybreak`: runs the verb that its command line names, and ends with its exit status.
public func daybreak() {
    signal(SIGPIPE, SIG_IGN)
    setlocale(LC_TIME, "")
    Daybreak.leaveNoCoreDump()
    Verbs.run(Daybreak.self)
}
