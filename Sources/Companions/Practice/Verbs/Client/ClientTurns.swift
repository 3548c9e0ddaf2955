internal import ArgumentParser
import Companion
import JSON
import Messages
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Varlink

extension Records.Client {
    /// Throws if the record is in the wrong state, so that a verb refuses before it asks for the fields of a form.
    /// - Parameter wanted: the state that the record must have.
    func demandOpen(_ wanted: Bool) throws(Failure) {
        let name = name.shown.singleLine
        if wanted, let closedOn {
            throw Failure(
                refused: Records.RecordClosed(client: id, closedOn: closedOn),
                saying:
                    "The record of \(name) was closed on \(Wording.date(closedOn)). `practice client reopen \(number)` "
                    + "opens it again.")
        }
        if !wanted, open {
            throw Failure(
                refused: Records.RecordOpen(client: id),
                saying:
                    "The record of \(name) is open. Their therapist closes it, with `practice client close \(number)`.")
        }
    }
}

extension ClientVerb {
    struct Close: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "close", abstract: "Close a client's record, with the reason.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Option(
            help: ArgumentHelp(
                "The day of the closing: 2027-03-05, yesterday or a weekday; today unless given.", valueName: "day"))
        var on: String?
        @OptionGroup var options: ReasonOptions

        func run() throws {
            let connection = try options.daemon.connection()
            let client = try ClientName(client).client(over: connection)
            try client.demandOpen(true)
            let day = try on.map { try CallerInfo(over: connection).day($0) }
            // A caller who may not see them may not close the record either, and the call says so.
            let programmes = try? connection.call(Programmes.ListEnrolments(client: client.id)).enrolments.map(\.name)
            try options.send(
                "Close the record of \(client.name)",
                does: ClientVerb.named(programmes).map { "closes it, and ends \($0)" } ?? "closes it",
                draft: "client-close", about: (client.id, client.name), over: connection
            ) { answers in
                Records.CloseRecord(client: client.id, reason: answers["reason"] ?? "", on: day)
            } say: { reply in
                "The record of \(reply.client.name.shown.singleLine) is closed. "
                    + "`practice client reopen \(reply.client.number)` opens it again.\n"
                    + ClientVerb.ended(programmes, "Reopening does not bring them back.\n")
            }
        }
    }

    struct Reopen: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "reopen", abstract: "Open a closed record again.",
            discussion: """
                Reports count a return as a new episode; a mistake is counted as if the record had never been closed. Programmes \
                that ended with the closing stay ended: `practice enrol` begins one anew.
                """)

        enum Cause: String, EnumerableFlag {
            case mistake, `return`

            static func help(for cause: Cause) -> ArgumentHelp? {
                switch cause {
                case .mistake: "The closing was wrong: the gap is undone."
                case .return: "The client came back: a new episode begins."
                }
            }
        }

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Flag var cause: Cause?
        @OptionGroup var options: ReasonOptions

        private static var question: Question {
            Question(
                field: "why", label: "Because of",
                kind: .one([
                    .init(value: "mistake", word: "a mistake: the gap is undone"),
                    .init(value: "return", word: "a return: a new episode begins"),
                ]), isRequired: true, options: "--mistake or --return")
        }

        func run() throws {
            let connection = try options.daemon.connection()
            let client = try ClientName(client).client(over: connection)
            guard !client.open else {
                throw Failure(
                    refused: Records.RecordOpen(client: client.id),
                    saying: "The record of \(client.name.shown.singleLine) is open already.")
            }
            // As for a closing.
            let programmes = try? connection.call(Programmes.ListEnrolments(client: client.id, past: true)).enrolments
                .filter { $0.closedWith == true && ($0.until ?? "") >= client.closedOn ?? "" }.map(\.name)
            var isReturn = false
            try options.send(
                "Reopen the record of \(client.name)", does: "opens it", draft: "client-reopen",
                about: (client.id, client.name),
                over: connection, after: [(Self.question, cause?.rawValue)]
            ) { answers in
                isReturn = answers["why"] == "return"
                return Records.ReopenRecord(
                    client: client.id, why: isReturn ? .return : .mistake, reason: answers["reason"] ?? "")
            } say: { reply in
                let name = reply.client.name.shown.singleLine
                let how = isReturn ? "; a new episode begins" : ", as if it had not been closed"
                return "The record of \(name) is open\(how).\n"
                    + ClientVerb.ended(programmes, "Programmes stay ended: `practice enrol` begins one anew.\n")
            }
        }
    }

    struct Transfer: ParsableCommand {
        /// `2 letters, 1 of them urgent`; nil if there are none.
        static func letters(_ unread: Int?, urgent: Int?) -> String? {
            guard let unread, unread > 0 else { return nil }
            let many = urgent.map { unread == 1 ? ", which is urgent" : ", \($0) of them urgent" } ?? ""
            return Wording.counted(unread, "letter") + many
        }

        static let configuration = CommandConfiguration.verb(
            "transfer", abstract: "Hand a client to another therapist, with the reason.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Argument(help: "Who cares for them from now on: an identifier, such as p3, or part of the name.") var to:
            String
        @OptionGroup var options: ReasonOptions

        func run() throws {
            let connection = try options.daemon.connection()
            try CallerInfo(over: connection).demand(.transferClients)
            let client = try ClientName(client).client(over: connection)
            let person = try PersonName(to).person(over: connection)
            try options.send(
                "Hand \(client.name) to \(person.name)", does: "hands the client over",
                draft: "client-transfer",
                about: (client.id, client.name), over: connection
            ) { answers in
                Records.Transfer(client: client.id, to: person.id, reason: answers["reason"] ?? "")
            } say: { reply in
                let (name, successor) = (reply.client.name.shown.singleLine, person.name.shown.singleLine)
                let left = Self.letters(reply.unread, urgent: reply.urgent).map {
                    "\(successor) cannot see what nobody has read yet: \($0).\n"
                }
                return "\(name) is \(successor)'s client now.\n" + (left ?? "")
            }
        }
    }

    struct File: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "file",
            abstract: "Show all that the practice has of one client, as JSON or as a page to print.")

        @Argument(help: ArgumentHelp(ClientName.clientsHelp)) var client: String
        @Flag(help: "A page to print, which needs nothing else.") var html = false
        @Option(
            help: ArgumentHelp(
                "Write it to FILE, readable by you alone; left out or -: standard output.", valueName: "file"))
        var to: String?
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let to = to == "-" ? nil : to
            try OutputForms.check(json: daemon.json && to == nil, ("--html", html ? "-" : nil))
            let connection = try daemon.connection()
            let client = try ClientName(client).identifier(over: connection)
            if let to { try PrivateFile.checkFree(to) }
            let file = try connection.call(Records.CaseFile(client: client)).file
            let caller = try CallerInfo(over: connection)
            let page = html ? try CaseFilePage(file, caller, labels: labels(over: connection)).text : nil
            try ClientVerb.hand(
                page.map { Array($0.utf8) } ?? file.text + [UInt8(ascii: "\n")], to: to, json: daemon.json)
        }

        private func labels(over connection: DaemonConnection) throws(Failure) -> [String: String] {
            try connection.call(Records.ListFields()).fields.reduce(into: [:]) { $0[$1.name] = $1.label }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "export", abstract: "Take out a closed record, as JSON, to hand on or to keep elsewhere.",
            discussion:
                "All that the practice has of the client, but for drafts, SSH keys and what was said in rooms of several people."
        )

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Option(
            help: ArgumentHelp(
                "A file that does not exist yet, readable by you alone; - is standard output.", valueName: "file"))
        var to: String
        @OptionGroup var options: ReasonOptions

        func run() throws {
            let to = to == "-" ? nil : to
            if let to { try PrivateFile.checkFree(to) }
            let connection = try options.daemon.connection()
            try CallerInfo(over: connection).demand(.eraseRecords)
            let client = try ClientName(client).client(over: connection)
            try client.demandOpen(false)
            let reply = try options.ask(
                "Export the record of \(client.name)", does: "exports it", draft: "client-export",
                about: (client.id, client.name),
                over: connection
            ) { Records.ExportRecord(client: client.id, reason: $0["reason"] ?? "") }
            let file = try connection.decode(Records.ExportRecord.self, from: reply).file
            try ClientVerb.hand(file.text + [UInt8(ascii: "\n")], to: to, json: options.daemon.json)
        }
    }

    struct Erase: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "erase", abstract: "Take a closed record out of the practice, for good.",
            discussion:
                "The audit keeps that it was there. Before the erasure, `practice client export` writes a copy to keep elsewhere, "
                + "which says in its help what is not in it. The "
                + "client's letters go from every mailbox, and all answers to them, because those quote them. The daemon's own backups are "
                + "removed and this night's is made anew; those that you made elsewhere are yours to destroy, and a restored one "
                + "brings the record back.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @Option(help: "The number of the record, once more, so that no other is erased by a slip.") var number: Int?
        @OptionGroup var options: ReasonOptions

        func run() throws {
            let connection = try options.daemon.connection()
            let caller = try CallerInfo(over: connection)
            try caller.demand(.eraseRecords)
            let client = try ClientName(client).client(over: connection)
            try client.demandOpen(false)
            let number = Question(
                field: "number", label: "Number", hint: "of the record, once more",
                isRequired: true,
                check: { text throws(FieldError) in
                    guard text.dateTyped == "\(client.number)" else {
                        throw FieldError("must be the record's own, to say that it is the right one.")
                    }
                    return text.dateTyped
                })
            let reply = try options.ask(
                "Erase the record of \(client.name)", does: "erases it for good", draft: "client-erase",
                about: (client.id, client.name), over: connection, after: [(number, self.number.map { "\($0)" })]
            ) { answers in
                Records.EraseRecord(
                    client: client.id, number: answers.number("number") ?? 0, reason: answers["reason"] ?? "")
            }
            let drafts =
                reply.error == nil
                ? Self.drafts(about: client.id, by: LongText.Writer(caller.reply, over: connection)) : ""
            try options.daemon.answer(reply, of: Records.EraseRecord.self, over: connection) { reply in
                "Record No. \(client.number) is erased. The audit keeps that it was there, and `practice disposals` why it "
                    + "is gone.\n" + Self.letters + Self.copies(reply) + drafts
            }
        }

        /// The sentences about letters after an erasure.
        static let letters =
            "Their letters are gone from every mailbox, with all answers to them; letters to them and others have … in the place of "
            + "the name. What others wrote of them elsewhere, or in chat, stays: search for the name.\n"

        /// Removes the texts that were begun about the client. The sentence says where more of them may be.
        private static func drafts(about client: String, by writer: LongText.Writer) -> String {
            var own = ""
            do throws(Failure) {
                let removed = try LongText.removeDrafts(about: client, by: writer)
                if removed > 0 {
                    own = "\(Wording.counted(removed, "text")) that you had begun and not sent: removed.\n"
                }
            } catch { own = "\(error.sentence)\n" }
            return own
                + "Texts that others have begun and not sent stay on their machines until they log out or, with lingering, until the "
                + "machine is switched off: in the folder practice-drafts of their runtime folder, or in /tmp/practice-drafts-UID.\n"
        }

        /// The sentence about the backups after an erasure.
        static func copies(_ reply: Records.EraseRecord.Reply) -> String {
            let removed = reply.removed ?? []
            let count = removed.count == 1 ? "1 backup was" : "\(removed.count) backups were"
            var lines: [String] = []
            if !removed.isEmpty { lines.append("\(count) removed: \(removed.map(\.shown).joined(separator: ", ")).") }
            if let backup = reply.backup { lines.append("This night's was made anew, without it: \(backup.shown).") }
            if let problem = reply.backupProblem { lines.append(problem.shown) }
            lines.append("Backups that were made elsewhere still hold it: destroy them.")
            return lines.map { $0 + "\n" }.joined()
        }
    }

    fileprivate static func hand(_ bytes: [UInt8], to file: String?, json: Bool) throws(Failure) {
        guard let file else { return Streams.output(bytes) }
        try PrivateFile.write(to: file) { draft throws(Failure) in try draft.append(bytes[...]) }
        guard !json else { return Streams.output(object: ["file": file]) }
        Streams.output("Written to \(file.shown); only you can read it.\n")
    }
}

extension ClientVerb {
    /// The sentences about the programmes that ended with a closing, `rest` after them; empty if there were none.
    fileprivate static func ended(_ programmes: [String]?, _ rest: String) -> String {
        let whose = programmes?.count == 1 ? "its" : "their"
        return named(programmes).map { "The closing ended \($0) and removed \(whose) coming tasks. \(rest)" } ?? ""
    }

    /// The names in a row; nil if there are none.
    fileprivate static func named(_ programmes: [String]?) -> String? {
        guard let programmes, !programmes.isEmpty else { return nil }
        return programmes.map { "“\($0.shown.singleLine)”" }.joined(separator: ", ")
    }
}
