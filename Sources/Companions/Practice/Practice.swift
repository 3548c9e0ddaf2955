internal import ArgumentParser
import Companion
import Messages
import PracticeInterfaces

/// `practice`, the companion of practiced, with its verbs by their purpose. A new verb is a file, and its name here.
struct PracticeVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "practice", abstract: "The practice: its people, its records, its services.",
        version: Product.version,
        groupedSubcommands: [
            CommandGroup(
                name: "Today",
                subcommands: [MyDay.self, Waiting.self, Available.self, Away.self, Watch.self]),
            CommandGroup(
                name: "Messages",
                subcommands: [
                    MailVerb<DaemonOptions>.self, ChatVerb<DaemonOptions>.self, AnnouncementsVerb<DaemonOptions>.self,
                    Announce.self,
                ]),
            CommandGroup(name: "Homework", subcommands: [Assign.self, Homework.self, Point.self]),
            CommandGroup(
                name: "Programmes",
                subcommands: [
                    Enrol.self, Withdraw.self, Enrolments.self, ClientSurveys.self, ClientSurvey.self,
                    ProgrammeVerb.self,
                ]),
            CommandGroup(
                name: "Records", subcommands: [Clients.self, ClientVerb.self, Sessions.self, SessionVerb.self]),
            CommandGroup(
                name: "The practice",
                subcommands: [
                    StaffVerb.self, Keys.self, KeyVerb.self, Services.self, ServiceVerb.self, Terms.self, TermVerb.self,
                    FeedbackVerb.self, Report.self, Audit.self, Disposals.self, Rights.self,
                ]),
            CommandGroup(
                name: "Upkeep",
                subcommands: [
                    Status.self, Doctor.self, Backup.self, Restore.self, Move.self, Import.self, Demo.self,
                ]),
        ],
        defaultSubcommand: MyDay.self)
}

/// The program `practice`.
public func practice() { Verbs.run(PracticeVerbs.self) }
