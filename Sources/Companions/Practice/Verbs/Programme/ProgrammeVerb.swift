internal import ArgumentParser
import Companion
import PracticeInterfaces
import Surveys
import Varlink

/// The practice's programmes: `programme` and its verbs.
struct ProgrammeVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "programme", abstract: "Check and take in programmes: lessons, surveys and tasks by day.",
        subcommands: [List.self, Check.self, Import.self, Offer.self], defaultSubcommand: List.self)

    private static let folderHelp = ArgumentHelp(
        "The programme's folder, with programme.toml in it.", valueName: "folder")

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration.verb("list", abstract: "List the programmes.")

        @OptionGroup var output: OutputOptions
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let reply = try connection.reply(to: Programmes.ListProgrammes())
            let all = try connection.decode(Programmes.ListProgrammes.self, from: reply).programmes
            guard !daemon.json else { return Streams.output(json: reply.parameters) }
            guard !all.isEmpty else {
                return output.print("  There are no programmes yet. `practice programme import FOLDER` takes one in.\n")
            }
            output.print(ProgrammeTable(programmes: all).table.text(columns: output.columns, ink: output.ink))
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "check", abstract: "Check a programme's folder: each fault with its file and line.")

        @Argument(help: folderHelp, completion: .directory) var folder: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            try ProgrammeVerb.send(folder, isCheck: true, daemon) { programme, isChanged in
                let next = isChanged ? "It would be revision \(programme.revision)." : "The practice has it as it is."
                return "\(ProgrammeVerb.counted(programme)), and no fault. \(next)\n"
            }
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "import", abstract: "Take a programme's folder in: whole, or not at all.",
            discussion: """
                A folder that was taken in before becomes a new version of its programme. What clients have begun stays as it is: \
                the new version is for those who are enrolled from then on.
                """)

        @Argument(help: folderHelp, completion: .directory) var folder: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            try ProgrammeVerb.send(folder, isCheck: false, daemon) { programme, isChanged in
                guard isChanged else {
                    return "The practice has it as it is, as revision \(programme.revision). Nothing was changed.\n"
                }
                return "\(ProgrammeVerb.counted(programme)), taken in as revision \(programme.revision). "
                    + "`practice enrol CLIENT \(programme.id.shown)` enrols a client.\n"
            }
        }
    }

    struct Offer: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "offer", abstract: "Offer a programme to new clients again, or with --no no more.")

        @Argument(help: ArgumentHelp(ProgrammeName.help)) var programme: String
        @Flag(help: "Nobody is enrolled any more. Those who are go on.") var no = false
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let programme = try ProgrammeName.one(programme, over: connection)
            try daemon.ask(Programmes.Offer(programme: programme.id, offered: !no), over: connection) { reply in
                let name = reply.programme.name.shown.singleLine
                return reply.programme.offered
                    ? "\(name) is offered: clients can be enrolled.\n"
                    : "\(name) is offered no more. Those who are enrolled go on.\n"
            }
        }
    }

    /// "Finding your feet: 8 lessons and 2 surveys".
    private static func counted(_ programme: Programmes.Programme) -> String {
        "\(programme.name.shown.singleLine): \(Wording.counted(programme.lessons, "lesson")) and "
            + Wording.counted(programme.surveys, "survey")
    }

    private static func send(
        _ path: String, isCheck: Bool, _ daemon: DaemonOptions, say: (Programmes.Programme, _ isChanged: Bool) -> String
    ) throws {
        let folder = try ProgrammeFolder(path)
        let connection = try daemon.connection()
        let reply = try connection.reply(
            to: Programmes.ImportProgramme(files: folder.files, dryRun: isCheck ? true : nil))
        if let error = reply.decodeError(Programmes.InvalidProgramme.self) {
            let end = isCheck ? "" : "\nNothing was taken in."
            throw Failure(refused: error, saying: ProgrammeRefusal.faults(error, in: path) + end)
        }
        try daemon.answer(reply, of: Programmes.ImportProgramme.self, over: connection) {
            say($0.programme, $0.changed ?? true)
        }
    }
}

/// The practice's programmes, as a table.
struct ProgrammeTable {
    let programmes: [Programmes.Programme]

    var table: Table {
        var table = Table([
            .init("", leads: true), .init("Programme", leads: true), .init("Lessons", isNumber: true),
            .init("Surveys", isNumber: true), .init("Revision", isNumber: true), .init(""),
        ])
        for programme in programmes {
            table.rows.append([
                .init(programme.id, .faint), .init(programme.name.singleLine, programme.offered ? .strong : .faint),
                .init("\(programme.lessons)"), .init("\(programme.surveys)"), .init("\(programme.revision)", .faint),
                .init(programme.offered ? "" : "not offered", .faint),
            ])
        }
        return table
    }
}

/// The name of a programme on the command line.
enum ProgrammeName {
    static let help = "A programme: its identifier, or part of its name where that is clear."

    static func one(_ text: String, over connection: DaemonConnection) throws(Failure) -> Programmes.Programme {
        let all = try connection.call(Programmes.ListProgrammes()).programmes
        if let identified = all.first(where: { $0.id == text }) { return identified }
        return try NameMatch.one(
            text, among: all.filter { $0.name.holds(text) }, kind: "programme", plural: "programmes", name: \.name,
            mark: \.id, advice: "`practice programme list` lists them.")
    }
}
