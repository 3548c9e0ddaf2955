internal import ArgumentParser
import Companion
import JSON
import PracticeInterfaces

extension ClientVerb {
    struct Close: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "close", abstract: "Close a client's record, with the reason.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @OptionGroup var reason: Reason
        @OptionGroup var look: Look
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let client = try ClientName(client).client(over: connection)
            let draft = LongText("client-close-\(client.id)")
            let why = try reason.text(
                "Close the record of \(client.name)", draft: draft.name, look: look, asking: !daemon.json)
            try daemon.ask(Records.CloseRecord(client: client.id, reason: why), over: connection) { reply in
                try draft.forget(sent: why)
                return "The record of \(reply.client.name.shown.sideBySide) is closed. "
                    + "`practice client reopen \(reply.client.number)` opens it again.\n"
            }
        }
    }

    struct Reopen: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reopen", abstract: "Open a closed record again.",
            discussion: "Reports count a return as a new episode; a mistake is as if the record had never been closed.")

        enum Cause: EnumerableFlag {
            case mistake, `return`

            static func help(for cause: Cause) -> ArgumentHelp? {
                switch cause {
                case .mistake: "The closing was wrong: the gap is undone."
                case .return: "The client came back: a new episode begins."
                }
            }
        }

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Flag var cause: Cause
        @OptionGroup var reason: Reason
        @OptionGroup var look: Look
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let client = try ClientName(client).client(over: connection)
            let draft = LongText("client-reopen-\(client.id)")
            let why = try reason.text(
                "Reopen the record of \(client.name)", draft: draft.name, look: look, asking: !daemon.json)
            let call = Records.ReopenRecord(client: client.id, why: cause == .mistake ? .mistake : .return, reason: why)
            try daemon.ask(call, over: connection) { reply in
                try draft.forget(sent: why)
                let name = reply.client.name.shown.sideBySide
                return cause == .mistake
                    ? "The record of \(name) is open, as if it had not been closed.\n"
                    : "The record of \(name) is open; a new episode begins.\n"
            }
        }
    }

    struct Transfer: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "transfer", abstract: "Hand a client to another therapist, with the reason.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Argument(help: "Who cares for them from now on: an identifier, such as p3, or part of the name.") var to:
            String
        @OptionGroup var reason: Reason
        @OptionGroup var look: Look
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let client = try ClientName(client).identifier(over: connection)
            let person = try PersonName(to).person(over: connection)
            let draft = LongText("client-transfer-\(client)")
            let why = try reason.text(
                "Hand the client to \(person.name)", draft: draft.name, look: look, asking: !daemon.json)
            try daemon.ask(Records.Transfer(client: client, to: person.id, reason: why), over: connection) { reply in
                try draft.forget(sent: why)
                return "\(reply.client.name.shown.sideBySide) is \(person.name.shown.sideBySide)'s client now.\n"
            }
        }
    }

    struct File: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "file",
            abstract: "Show all that the practice has of one client, as JSON or as a page to print.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Flag(help: "A page to print, which needs nothing else.") var html = false
        @Option(help: ArgumentHelp("Write it to FILE, readable by you alone.", valueName: "file")) var to: String?
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let client = try ClientName(client).identifier(over: connection)
            if let to { try PrivateFile.checkFree(to) }
            let file = try connection.call(Records.CaseFile(client: client)).file
            let asker = try Asker(over: connection)
            let page = html ? try CaseFilePage(file, asker).text : nil
            try ClientVerb.hand(page.map { Array($0.utf8) } ?? file.text + [UInt8(ascii: "\n")], to: to)
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Take out a closed record whole, as JSON, to hand on or to keep elsewhere."
        )

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @OptionGroup var reason: Reason
        @Option(help: ArgumentHelp("A file that does not exist yet, readable by you alone.", valueName: "file")) var to:
            String
        @OptionGroup var look: Look
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            try PrivateFile.checkFree(to)
            let connection = try daemon.connection()
            let client = try ClientName(client).identifier(over: connection)
            let draft = LongText("client-export-\(client)")
            let why = try reason.text("Export a closed record", draft: draft.name, look: look, asking: !daemon.json)
            let file = try connection.call(Records.ExportRecord(client: client, reason: why)).file
            try ClientVerb.hand(file.text + [UInt8(ascii: "\n")], to: to)
            try draft.forget(sent: why)
        }
    }

    struct Erase: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase", abstract: "Take a closed record out of the practice, for good.",
            discussion: "The audit keeps that it was there. `practice client export` keeps a copy elsewhere, before.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Option(help: "The number of the record, once more, so that no other is erased by a slip.") var number: Int
        @OptionGroup var reason: Reason
        @OptionGroup var look: Look
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let client = try ClientName(client).identifier(over: connection)
            let draft = LongText("client-erase-\(client)")
            let why = try reason.text(
                "Erase record No. \(number) for good", draft: draft.name, look: look, asking: !daemon.json)
            let call = Records.EraseRecord(client: client, number: number, reason: why)
            try daemon.ask(call, over: connection) { _ in
                try draft.forget(sent: why)
                return "Record No. \(number) is erased. The audit keeps that it was there, and why it is gone.\n"
            }
        }
    }

    fileprivate static func hand(_ bytes: [UInt8], to file: String?) throws(Failure) {
        guard let file else { return Streams.output(bytes) }
        try PrivateFile.write(to: file) { draft throws(Failure) in try draft.append(bytes[...]) }
        Streams.output("Written to \(file.shown); only you can read it.\n")
    }
}
