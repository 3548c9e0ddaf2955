internal import ArgumentParser
import Companion
import Glibc
import PracticeInterfaces

/// The options of the verbs that write a letter.
struct LetterOptions: ParsableArguments {
    @Flag(
        help: """
            As urgent. It can be read late: a client's machine hears of it up to six minutes later, or once it is on again. \
            In an emergency, call.
            """) var urgent = false
    @Flag(help: "Only keep it as a draft.") var draftOnly = false
    @Flag(help: "Plain lines, fit for a screen reader.") var plain = false
    @Flag(help: "Send without a question.") var yes = false
}

struct MailWrite<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "write", abstract: "Write a letter, in your editor (VISUAL, else EDITOR) or from standard input.",
            discussion: """
                \(Options.companion) mail write Ana --subject Friday
                echo "At ten?" | \(Options.companion) mail write "Ana Ruiz" --subject Friday
                Until it is sent, what was written is kept as a draft, whatever happens.
                """)
    }

    @Argument(help: ArgumentHelp(Recipients.help, valueName: "to")) var to: [String] = []
    @Option(help: "The subject.") var subject: String?
    @Option(help: ArgumentHelp("Go on with that draft.", valueName: "letter")) var draft: String?
    @OptionGroup var letter: LetterOptions
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let writer = try LongText.Writer(over: connection)
        var composer = Composer(by: writer)
        if let draft {
            let identifier = try LetterName.identifier(draft)
            composer = try Composer(
                goingOnWith: connection.call(Mail.Get(letter: identifier)).letter, by: writer)
        }
        if !to.isEmpty {
            var people: [(id: String, name: String)] = []
            for text in to {
                let person = try Recipients.one(text, over: connection)
                if NameMatch.identifier(text) == nil, !asksBeforeSending {
                    try NameMatch.settle(text, means: person.name, person.person, question: "", asking: nil)
                }
                people.append((person.person, person.name))
            }
            composer.to = people
        }
        composer.subject = subject ?? composer.subject
        try Desk(daemon: daemon, connection: connection, options: letter).finish(
            composer, asksForSubject: subject == nil)
    }

    /// In a terminal the recipients are shown before the letter is sent.
    private var asksBeforeSending: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !daemon.json && !letter.yes
    }
}

struct MailReply<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "reply", abstract: "Answer a letter, which is quoted below.",
            discussion:
                "The answer stands in the letter's thread. It is written in your editor (VISUAL, else EDITOR), or comes "
                + "from standard input.")
    }

    @Argument(help: ArgumentHelp(LetterName.help)) var answered: String
    @Flag(help: "To everybody on the letter.") var all = false
    @OptionGroup var letter: LetterOptions
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let found = try connection.call(Mail.Get(letter: LetterName.identifier(answered))).letter
        let caller = try connection.call(Practice.WhoAmI())
        let composer = try Composer(
            answering: found, all: all, me: caller.person?.id, by: LongText.Writer(caller, over: connection))
        try Desk(daemon: daemon, connection: connection, options: letter).finish(composer, asksForSubject: false)
    }
}

/// Asks for the missing parts of a letter, and sends it.
private struct Desk<Options: PracticeOptions> {
    let daemon: Options
    let connection: DaemonConnection
    let options: LetterOptions

    func finish(_ begun: Composer, asksForSubject: Bool) throws {
        var composer = begun
        composer.isUrgent = composer.isUrgent || options.urgent
        let hasTerminal = isatty(STDIN_FILENO) == 1
        let reader = hasTerminal && !daemon.json ? LineReader(isPlain: options.plain) : nil
        if composer.to.isEmpty, !options.draftOnly {
            guard let reader else { throw Failure.misused("Name somebody to whom the letter is.") }
            composer.to = try Letters.askedRecipients(reader, over: connection)
        }
        if composer.isUrgent { try Letters.sayUrgentNote(over: connection) }
        if asksForSubject, let reader, composer.subject.isEmpty {
            guard case .line(let line) = reader.ask("Subject: ") else { throw Letters.nothingWritten }
            composer.subject = line
        }
        if hasTerminal {
            try composer.edit()
        } else {
            let quote = composer.replyTo == nil || composer.draft != nil ? "" : composer.body
            let typed = try TextInput.text(of: "-", limit: LongText.limit).withoutEnd
            // An empty letter is what is left of a pipe whose first program failed.
            guard !typed.allSatisfy(\.isWhitespace) || composer.draft != nil else { throw Letters.nothingWritten }
            // Standard input that is empty leaves a draft's text as it was.
            composer.body = typed.isEmpty && composer.draft != nil ? composer.body : typed + quote
        }
        guard !composer.subject.isEmpty || !composer.body.isEmpty else { throw Letters.nothingWritten }
        let asks = options.yes || options.draftOnly ? nil : reader
        let outcome = try Letters.finish(
            &composer, asking: asks, sends: !options.draftOnly, over: connection,
            reconnect: { try daemon.practice() })
        if daemon.json {
            switch outcome {
            case .sent(let letter), .kept(let letter): Streams.output(object: Mail.Send.Reply(letter: letter))
            case .empty: Streams.output("{}\n")
            }
        } else {
            Streams.output(Letters.sentence(outcome, companion: Options.companion) + "\n")
        }
    }
}

/// The questions before a letter is sent, for the verbs and for the screen.
enum Letters {
    static let nothingWritten = Failure.refused("NothingWritten", saying: "Nothing was written, and nothing was sent.")

    static func sayUrgentNote(over connection: DaemonConnection) throws(Failure) {
        if let note = try connection.call(Mail.ListRecipients(limit: 1)).urgentNote {
            Streams.error("\(note.shown)\n")
        }
    }

    /// Shows those to whom the caller may write, and asks for some of them.
    static func askedRecipients(
        _ reader: LineReader, over connection: DaemonConnection
    ) throws(Failure) -> [(id: String, name: String)] {
        let all = try Recipients.all(over: connection, closed: true)
        let people = all.filter { $0.closed != true }
        guard !people.isEmpty else {
            throw .refused("Nobody", saying: "There is nobody to whom you may write now.")
        }
        if people.count <= 30 {
            for (place, person) in people.enumerated() {
                Streams.output("  \(place + 1)  \(person.name.shown.singleLine), \(person.inWords.shown)\n")
            }
        }
        while true {
            guard case .line(let line) = reader.ask("To: ", hint: "numbers or names, with commas between") else {
                throw nothingWritten
            }
            do throws(Failure) {
                let chosen = try Recipients.chosen(line, among: all)
                if !chosen.isEmpty { return chosen.map { (id: $0.person, name: $0.name) } }
            } catch { Streams.error("\(error.sentence)\n") }
        }
    }

    /// Keeps the letter as a draft, asks whether to send it, and sends it.
    static func finish(
        _ composer: inout Composer, asking reader: LineReader?, sends: Bool, over connection: DaemonConnection,
        reconnect: () throws -> DaemonConnection
    ) throws -> Composer.Outcome {
        while true {
            guard !composer.subject.isEmpty || !composer.body.isEmpty else { return .empty }
            let kept = try composer.keep(over: connection, reconnect: reconnect)
            guard sends else { return .kept(kept) }
            guard let reader else {
                return .sent(try composer.send(over: connection, reconnect: reconnect))
            }
            let urgent = composer.isUrgent ? "urgent, " : ""
            Streams.output(
                "\n  To \(composer.names): \(LetterWords.subject(kept)), \(urgent)\(LongText.length(composer.body))\n")
            switch reader.ask("  Enter sends it; d keeps it as a draft; e edits it again: ") {
            case .line(""): return .sent(try composer.send(over: connection, reconnect: reconnect))
            case .line(let word) where word.lowercased().hasPrefix("e"):
                try reader.lending { () throws(Failure) in try composer.edit() }
            case .line, .leave: return .kept(kept)
            case .back: continue
            }
        }
    }

    static func sentence(_ outcome: Composer.Outcome, companion: String) -> String {
        switch outcome {
        case .sent(let letter):
            return "Sent to \(LetterWords.people(letter.to.map(\.name), most: 5))."
        case .kept(let letter):
            let number = LetterName.shown(letter.id)
            return "Kept as draft \(number): `\(companion) mail write --draft \(number)` goes on with it."
        case .empty: return nothingWritten.sentence
        }
    }
}
