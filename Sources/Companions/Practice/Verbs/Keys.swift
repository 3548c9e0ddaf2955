internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Varlink

struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "keys", abstract: "List the SSH keys by which somebody comes in from elsewhere.")

    @Option(name: .customLong("of"), help: ArgumentHelp("Administrators: this person's keys.", valueName: "person"))
    var owner: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let owner = try owner.map { try AnybodysName($0).identifier(over: connection) }
        let keys = try connection.call(Practice.ListKeys(person: owner)).keys
        guard !daemon.json else { return Streams.output(object: Practice.ListKeys.Reply(keys: keys)) }
        guard !keys.isEmpty else {
            return Streams.output("There is no key yet. `practice key add ~/.ssh/id_ed25519.pub` adds one.\n")
        }
        let today = try CallerInfo(over: connection).today
        var table = Table([.init("Key", leads: true), .init(""), .init("Added"), .init("Last used")])
        table.rows = keys.map { key in
            [
                .init(key.fingerprint, .strong), .init(key.comment),
                .init(Wording.date(key.added)),
                .init(key.lastUsed.map { Wording.time($0, today: today) } ?? "never", .faint),
            ]
        }
        output.print(table.text(columns: output.columns, ink: output.ink))
    }
}

struct KeyVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Add or remove an SSH key by which somebody comes in from elsewhere.",
        subcommands: [Add.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "add", abstract: "Add a public key: from elsewhere, `practice --at` then finds this practice.",
            discussion: """
                The public half alone: a file that ends in .pub, or its text. `ssh-add -L | practice key add -` adds those \
                of the agent.
                """)

        @Argument(help: "A file, the text of a key, or - for standard input, a key a line.") var key: String
        @Option(name: .customLong("for"), help: ArgumentHelp("Administrators: this person's key.", valueName: "person"))
        var owner: String?
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let lines = try Self.lines(key)
            try Self.demandPublic(lines, of: key)
            let connection = try daemon.connection()
            let owner = try owner.map { try AnybodysName($0).identifier(over: connection) }
            let whose = try owner.map { try " for \(NameCache(connection).person($0).singleLine)" } ?? ""
            var hasUnfit = false
            for (place, line) in lines.enumerated() {
                do {
                    try daemon.ask(Practice.AddKey(person: owner, publicKey: line), over: connection) {
                        "\($0.key.fingerprint.shown) opens the practice now\(whose).\n"
                    }
                } catch let failure as Failure where failure.name == Practice.Invalid.name && lines.count > 1 {
                    hasUnfit = true
                    Streams.error(failure.after("Key \(place + 1) of \(lines.count): "))
                }
            }
            if hasUnfit { throw ExitCode(Failure.refusedStatus) }
        }

        /// Throws before anything is sent, unless every line looks like a public key: the practice is to see no private one.
        static func demandPublic(_ lines: [String], of key: String) throws(Failure) {
            for (place, line) in lines.enumerated() where !isPublic(line) {
                let isPrivate = lines.contains { $0.contains("PRIVATE KEY") || $0.hasPrefix("PuTTY-User-Key-File") }
                let file = key == "-" || key.contains(" ") ? "a file that ends in .pub" : "perhaps \(key.shown).pub"
                throw .misused(
                    isPrivate
                        ? "That is a private key, which nobody else may have. Nothing was sent. Name its public half: \(file)."
                        : "Line \(place + 1) is no public key, such as “ssh-ed25519 AAAA… name”. Nothing was sent.")
            }
        }

        /// True for `TYPE KEY COMMENT`. The key begins with the length of its type's name, so with AAAA.
        private static func isPublic(_ line: String) -> Bool {
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.count > 1 && words[0].contains("-") && words[0].first?.isLetter == true
                && words[1].hasPrefix("AAAA")
        }

        static func lines(_ key: String) throws(Failure) -> [String] {
            // The text of a key has blanks; a path rarely has.
            let text = key.contains(" ") ? key : try TextInput.text(of: key, limit: 64 * 1_024)
            let lines = text.split(whereSeparator: \.isNewline).map(String.init)
                .filter { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("#") }
            guard !lines.isEmpty else { throw Failure.misused("There is no key in it.") }
            return lines
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "remove", abstract: "Remove a key; the connections that it opened end at once.")

        @Argument(help: "The key's fingerprint (SHA256:…), or a part of it or of its comment where that is clear.")
        var key: String
        @Option(name: .customLong("of"), help: ArgumentHelp("Administrators: this person's key.", valueName: "person"))
        var owner: String?
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            var fingerprint = key
            if !key.hasPrefix("SHA256:") || key.utf8.count < 50 {
                let owner = try owner.map { try AnybodysName($0).identifier(over: connection) }
                let keys = try connection.call(Practice.ListKeys(person: owner)).keys
                fingerprint =
                    try NameMatch.one(
                        key, among: keys.filter { $0.fingerprint.contains(key) || $0.comment.holds(key) }, kind: "key",
                        plural: "keys", name: \.comment, mark: \.fingerprint,
                        advice: "`practice keys` lists them."
                    ).fingerprint
            }
            try daemon.ask(Practice.RemoveKey(fingerprint: fingerprint), over: connection) { _ in
                "\(fingerprint.shown) opens nothing any more.\n"
            }
        }
    }
}

/// The name of a client or a member of staff on the command line.
struct AnybodysName {
    /// Somebody who has the text in their name.
    private struct Somebody {
        let id: String
        let name: String
        /// The role of a member of staff, or the number of a client's record.
        let part: String
        /// False after a member of staff left.
        var isHere = true
    }

    let text: String

    init(_ text: String) throws(Failure) { self.text = try TextInput.word(text) }

    func identifier(over connection: DaemonConnection) throws(Failure) -> String {
        if let identifier = NameMatch.identifier(text) { return identifier }
        let caller = try CallerInfo(over: connection)
        // A number is that of a record. Thanatologists and clients may not list staff.
        guard Int(text) == nil, caller.may(.seeStaff) else {
            return try ClientName(text).identifier(over: connection)
        }
        let staff = try connection.staff(query: text, inactive: true).map { person in
            let role = Wording.role(person.role, therapist: caller.therapist)
            return Somebody(id: person.id, name: person.name, part: role, isHere: person.active)
        }
        let clients = try connection.clients(query: text).map { client in
            let number = "client No. \(client.number)\(client.open ? "" : ", closed")"
            return Somebody(id: client.id, name: client.name, part: number)
        }
        let likely = NameMatch.meant(by: text, among: staff + clients, name: \.name)
        // Among several, people who left count only if nobody else is there.
        let here = likely.filter(\.isHere)
        return try NameMatch.one(
            text, among: here.isEmpty ? likely : here, kind: "person", plural: "people", name: \.name, mark: \.id,
            choice: { "\($0.name), \($0.part)" }, advice: "`practice staff` and `practice clients` list them."
        ).id
    }
}
