internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Messages

/// `daybreak`, the companion of daybreakd, with its verbs by their purpose. A new verb is a file, and its name here.
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
            CommandGroup(
                name: "Your practice",
                subcommands: [
                    CourseVerb.self, SurveyVerb.self, MailVerb<DaemonOptions>.self, ChatVerb<DaemonOptions>.self,
                    AnnouncementsVerb<DaemonOptions>.self, LinkVerb.self, Profile.self, Feedback.self,
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
}

/// The program `daybreak`.
public func daybreak() { Verbs.run(Daybreak.self) }
