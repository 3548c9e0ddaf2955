import Companion
import Glibc
import PracticeInterfaces

/// Runs the screen to read letters in, or, in plain lines, a conversation about them.
final class MailReader {
    private var connection: DaemonConnection { didSet { connection.screen = terminal } }
    private let companion: String
    private let isPlain: Bool
    private let reconnect: () throws -> DaemonConnection
    private let me: String?
    private let writer: LongText.Writer
    private var screen: MailScreen
    /// Nil in plain lines, where signals have their usual effect.
    private let terminal: FullScreen?
    private var isEnded = false

    /// False if the letters can only be printed as a list.
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    init(
        _ connection: DaemonConnection, _ options: LetterListOptions, isPlain: Bool, companion: String,
        reconnect: @escaping () throws -> DaemonConnection
    ) throws(Failure) {
        (self.connection, self.companion, self.reconnect) = (connection, companion, reconnect)
        let term = Environment.variables["TERM"]
        self.isPlain = isPlain || term == nil || term == "dumb"
        terminal = self.isPlain ? nil : FullScreen()
        let who = try connection.call(Practice.WhoAmI())
        let folders = try FolderTree(over: connection)
        me = who.person?.id
        writer = LongText.Writer(who, over: connection)
        let first = try folders.entry(options.folder ?? "inbox").folder.id
        screen = MailScreen(today: who.today, folders: folders, folder: first)
        (screen.isUnread, screen.isUrgent) = (options.unread, options.urgent)
    }

    func run() throws {
        try perform([.list(after: nil)])
        guard let terminal else { return try converse() }
        guard terminal.take() else { return }
        defer { terminal.giveBack() }
        connection.screen = terminal
        while !isEnded, !terminal.isGone {
            terminal.show(screen.draw(columns: terminal.size.columns, rows: terminal.size.rows))
            for key in terminal.wait().keys where !isEnded { try act(screen.press(key)) }
        }
    }

    // MARK: Actions

    /// A refusal is shown in the last lines. A connection that was lost is opened again once.
    private func act(_ actions: [MailScreen.Action]) throws {
        do { try perform(actions) } catch let failure as Failure {
            screen.notice = Self.oneLine(failure)
            guard failure.status == Failure.noDaemonStatus else { return }
            do { try goOn(actions) } catch let again as Failure { screen.notice = Self.oneLine(again) }
        }
    }

    /// After a lost connection: repeats actions, unless a second time would do something else than the first.
    private func goOn(_ actions: [MailScreen.Action]) throws {
        // Its failure is shown already, and says more: where the text is, and whether it may have been sent.
        let isWriting = actions.contains(where: \.isWriting)
        do { connection = try reconnect() } catch let again as Failure {
            guard isWriting else { throw again }
            return
        }
        guard !isWriting else { return }
        guard !actions.contains(where: \.isDeletion) else {
            try perform(screen.takeGone())
            screen.notice = "The practice was out of reach for a moment. Look whether the letter is still here."
            return
        }
        screen.notice = ""
        try perform(actions)
    }

    private static func oneLine(_ failure: Failure) -> String {
        failure.sentence.split(separator: "\n").joined(separator: " ")
    }

    private func perform(_ actions: [MailScreen.Action]) throws {
        for action in actions {
            switch action {
            case .list(let after): try list(after: after)
            case .open(let letter): screen.take(try connection.call(Mail.Get(letter: letter)))
            case .delete(let letter):
                let deleted = try connection.call(Mail.Delete(letters: [letter]))
                try perform(screen.takeGone())
                screen.notice = deleted.sentence
            case .move(let letter, let folder):
                _ = try connection.call(Mail.Move(letters: [letter], folder: folder))
                try perform(screen.takeGone())
                screen.notice = "The letter is in \(screen.folders.name(of: folder)) now."
            case .mark(let letter, let read):
                _ = try connection.call(Mail.Mark(letters: [letter], read: read))
                try perform(screen.takeGone())
            case .write: try write { Composer(by: self.writer) }
            case .goOn(let draft):
                try write {
                    try Composer(
                        goingOnWith: self.connection.call(Mail.Get(letter: draft)).letter, by: self.writer)
                }
            case .answer(let letter, let all):
                try write {
                    try Composer(
                        answering: self.connection.call(Mail.Get(letter: letter)).letter, all: all, me: self.me,
                        by: self.writer)
                }
            case .end: isEnded = true
            }
        }
    }

    private func list(after: String?) throws(Failure) {
        if after == nil { screen.folders = try FolderTree(over: connection) }
        let reply = try connection.call(
            Mail.List(
                folder: screen.query.isEmpty ? screen.folder : nil, unread: screen.isUnread ? true : nil,
                urgent: screen.isUrgent ? true : nil, query: screen.query.isEmpty ? nil : screen.query, after: after,
                limit: 100))
        screen.take(reply, isMore: after != nil)
    }

    /// The terminal is the editor's, and the questions', meanwhile.
    private func write(_ begin: () throws -> Composer) throws {
        var composer = try begin()
        terminal?.giveBack()
        defer { _ = terminal?.take() }
        guard let reader = LineReader(isPlain: isPlain) else { return }
        if composer.to.isEmpty { composer.to = try Letters.askedRecipients(reader, over: connection) }
        if composer.subject.isEmpty, case .line(let line) = reader.ask("Subject: ") { composer.subject = line }
        composer.isUrgent = askedUrgent(reader, composer.isUrgent)
        if composer.isUrgent { try Letters.sayUrgentNote(over: connection) }
        try composer.edit()
        let outcome = try Letters.finish(
            &composer, asking: reader, sends: true, over: connection, reconnect: reconnect)
        // A list that cannot be fetched stays as it was. It must not hide what became of the letter.
        do { try perform(screen.takeGone()) } catch let failure as Failure {
            // Another failure would be told in place of the letter's fate.
            if failure.status == Failure.noDaemonStatus, let fresh = try? reconnect() {
                connection = fresh
                try? perform(screen.takeGone())  // As above.
            }
        }
        screen.notice = Letters.sentence(outcome, companion: companion)
        if isPlain { Streams.output("\(screen.notice)\n") }
    }

    /// An empty line leaves the letter as it is.
    private func askedUrgent(_ reader: LineReader, _ isUrgent: Bool) -> Bool {
        guard case .line(let line) = reader.ask("Urgent? y or n: ", hint: isUrgent ? "now y; Enter keeps it" : "")
        else { return isUrgent }
        return isUrgent ? !line.lowercased().hasPrefix("n") : line.lowercased().hasPrefix("y")
    }

    // MARK: Plain lines

    private static let commands =
        "A number reads; r, a, d or n before it answer, answer all, delete, mark as new; s NUMBER NAME moves it to a folder; "
        + "e NUMBER goes on with a draft; w writes; c NAME shows a folder; / WORDS searches; u or ! shows only new or urgent "
        + "ones, or all again; m shows more; q leaves.\n"

    private func converse() throws {
        guard let reader = LineReader(isPlain: true) else { return }
        say(screen.letters)
        Streams.output(Self.commands)
        while !isEnded, case .line(let line) = reader.ask("Mail:") {
            do { try obey(line.drop { $0 == " " }.description.withoutEnd) } catch let failure as Failure {
                Streams.output("\(failure.sentence)\n")
                guard failure.status == Failure.noDaemonStatus else { continue }
                do { connection = try reconnect() } catch let again as Failure {
                    Streams.output("\(again.sentence)\n")
                }
            }
        }
    }

    private func say(_ letters: [Mail.Letter]) {
        Streams.output("\(screen.title), \(Wording.counted(screen.total, "letter"))\n")
        for letter in letters {
            let marks = LetterWords.marks(letter)
            Streams.output(
                "\(LetterName.shown(letter.id)), \(marks.isEmpty ? "" : marks + ", ")\(screen.people(of: letter)), "
                    + "\(LetterWords.when(letter.at, today: screen.today)): \(LetterWords.subject(letter))\n")
        }
    }

    private func obey(_ line: String) throws {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1] : ""
        switch words.first ?? "" {
        case "": Streams.output(Self.commands)
        case "q": isEnded = true
        case "w": try perform([.write])
        case "r", "a": try perform([.answer(LetterName.identifier(rest), all: words[0] == "a")])
        case "e": try perform([.goOn(LetterName.identifier(rest))])
        case "s":
            let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return Streams.output(Self.commands) }
            let folder = try screen.folders.entry(parts[1]).folder.id
            try perform([.move(LetterName.identifier(parts[0]), folder: folder)])
            Streams.output("\(screen.notice)\n")
        case "d":
            try perform([.delete(LetterName.identifier(rest))])
            Streams.output("\(screen.notice)\n")
        case "n": try perform([.mark(LetterName.identifier(rest), read: false)])
        case "c":
            (screen.folder, screen.query) = (try screen.folders.entry(rest).folder.id, "")
            try perform([.list(after: nil)])
            say(screen.letters)
        case "/":
            (screen.folder, screen.query) = (rest.isEmpty ? "inbox" : nil, rest)
            try perform([.list(after: nil)])
            say(screen.letters)
        case "u", "!":
            if words[0] == "u" { screen.isUnread.toggle() } else { screen.isUrgent.toggle() }
            try perform([.list(after: nil)])
            say(screen.letters)
        case "m":
            guard let next = screen.next else { return Streams.output("There are no more letters here.\n") }
            let known = screen.letters.count
            try perform([.list(after: next)])
            say(Array(screen.letters.dropFirst(known)))
        case let word: try read(LetterName.identifier(word))
        }
    }

    private func read(_ letter: String) throws(Failure) {
        let found = try connection.call(Mail.Get(letter: letter))
        Streams.output(
            LetterPage(
                letter: found.letter, newer: found.newer, older: found.older, today: screen.today, columns: nil,
                ink: .plain
            ).text)
    }
}
