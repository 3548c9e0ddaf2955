internal import ArgumentParser
import Companion
import PracticeInterfaces
import Varlink

struct MailRead<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "read", abstract: "Read a letter: the one with that number, else the oldest new one.")
    }

    @Argument(help: ArgumentHelp(LetterName.help)) var letter: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let today = try connection.call(Practice.WhoAmI()).today
        let reply = try connection.reply(to: Mail.Get(letter: try identifier(over: connection)))
        let found = try connection.decode(Mail.Get.self, from: reply)
        guard !daemon.json else { return Streams.output(json: reply.parameters) }
        let folder = try FolderTree(over: connection).name(of: found.letter.folder)
        output.print(
            LetterPage(
                letter: found.letter, newer: found.newer, older: found.older, folder: folder, today: today,
                columns: output.columns, ink: output.ink
            ).text)
    }

    private func identifier(over connection: DaemonConnection) throws(Failure) -> String {
        if let letter { return try LetterName.identifier(letter) }
        let new = try connection.all {
            Mail.List(folder: "inbox", unread: true, after: $0, limit: 200)
        } _: {
            ($0.letters, next: $0.next)
        }
        guard let oldest = new.last else {
            throw .refused("NothingNew", saying: "There is no new letter. `\(Options.companion) mail` lists all.")
        }
        return oldest.id
    }
}

/// The letters that a verb moves, deletes or marks: all of them, or none.
struct LettersArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Letters: the numbers that the list shows.", valueName: "letter")) var letters:
        [String]

    func identifiers() throws(Failure) -> [String] {
        var identifiers: [String] = []
        for letter in letters { identifiers.append(try LetterName.identifier(letter)) }
        return identifiers
    }
}

struct MailMove<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "move", abstract: "Move letters to a folder: all of them, or none.",
            discussion: "\(Options.companion) mail move 17 18 --to Kept/2027")
    }

    @OptionGroup var chosen: LettersArgument
    @Option(help: ArgumentHelp(FolderTree.help, valueName: "folder")) var to: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let letters = try chosen.identifiers()
        let entry = try FolderTree(over: connection).entry(to)
        try daemon.ask(Mail.Move(letters: letters, folder: entry.folder.id), over: connection) {
            "\(Wording.counted($0.moved, "letter")) moved to \(entry.name).\n"
        }
    }
}

struct MailDelete<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "delete",
            abstract:
                "Move letters to the bin; letters that are in the bin already are deleted for good. Others keep their copies, and "
                + "what was sent to or by a client stays in the record.")
    }

    @OptionGroup var chosen: LettersArgument
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        try daemon.ask(Mail.Delete(letters: chosen.identifiers()), over: connection) { "\($0.sentence)\n" }
    }
}

extension Mail.Delete.Reply {
    /// An older practice does not say where the letters went.
    var sentence: String {
        guard let binned else { return "\(Wording.counted(deleted, "letter")) deleted." }
        let moved = binned > 0 ? "\(Wording.counted(binned, "letter")) moved to the bin." : ""
        let gone = deleted > binned ? "\(Wording.counted(deleted &- binned, "letter")) deleted for good." : ""
        return [moved, gone].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

struct MailMark<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("mark", abstract: "Mark letters as read, or as new.")
    }

    @OptionGroup var chosen: LettersArgument
    @Flag(help: "As not read yet.") var new = false
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        try daemon.ask(Mail.Mark(letters: chosen.identifiers(), read: !new), over: connection) {
            "\(Wording.counted($0.marked, "letter")) marked as \(new ? "new" : "read").\n"
        }
    }
}
