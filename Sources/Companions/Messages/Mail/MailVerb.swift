public import ArgumentParser
import Companion
import PracticeInterfaces

/// Letters: `mail` and its verbs, the same in both companions.
public struct MailVerb<Options: PracticeOptions>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "mail", abstract: "Read and write letters inside the practice.",
            subcommands: [
                MailOpen<Options>.self, MailList<Options>.self, MailRead<Options>.self, MailWrite<Options>.self,
                MailReply<Options>.self, MailMove<Options>.self, MailDelete<Options>.self, MailMark<Options>.self,
                MailFolders<Options>.self, MailDrafts<Options>.self, MailSearch<Options>.self,
                MailPeople<Options>.self,
            ], defaultSubcommand: MailOpen<Options>.self)
    }

    public init() {}
}

/// Which letters are listed.
struct LetterListOptions: ParsableArguments {
    @Option(help: ArgumentHelp(FolderTree.help, valueName: "folder")) var folder: String?
    @Flag(help: "Only those that are not read.") var unread = false
    @Flag(help: "Only urgent ones.") var urgent = false
    @Option(help: "At most so many; 20 if nothing is said.") var limit: Int?

    func validate() throws {
        guard (1...10_000).contains(limit ?? 1) else {
            throw ValidationError("--limit takes a number from 1 to 10000.")
        }
    }
}

/// `mail` with no more words: the screen to read in; without a terminal, or with a limit, the list.
struct MailOpen<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "open", abstract: "Read letters on a screen, with the keys of mutt; ? shows them.",
            discussion: "With --limit, and without a terminal, a list is printed.")
    }

    @OptionGroup var list: LetterListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        let lister = LetterLister(list, output, companion: Options.companion)
        guard !daemon.json, list.limit == nil, MailReader.hasTerminal else {
            return try lister.run(over: daemon.practice(), json: daemon.json)
        }
        let connection = try daemon.practice()
        let reader = try MailReader(
            connection, list, isPlain: output.plain, companion: Options.companion,
            reconnect: { try daemon.practice() })
        try reader.run()
    }
}

struct MailList<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("list", abstract: "List the letters of a folder, the newest first.")
    }

    @OptionGroup var list: LetterListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        try LetterLister(list, output, companion: Options.companion).run(over: daemon.practice(), json: daemon.json)
    }
}

struct MailDrafts<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "drafts", abstract: "List the letters that are not sent yet.",
            discussion: "`\(Options.companion) mail write --draft N` goes on with one.")
    }

    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        var lister = LetterLister(output, companion: Options.companion)
        (lister.folder, lister.limit) = ("drafts", 10_000)
        try lister.run(over: daemon.practice(), json: daemon.json)
    }
}

struct MailSearch<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "search", abstract: "Find letters by words in subject, text and names.",
            discussion: "Words may be cut short. Capitals and accents count for nothing.")
    }

    @Argument(help: ArgumentHelp("The words; - reads them from standard input.", valueName: "word"))
    var words: [String]
    @OptionGroup var list: LetterListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        var lister = LetterLister(list, output, companion: Options.companion)
        let query = words == ["-"] ? try TextInput.word("-") : words.joined(separator: " ")
        guard query.contains(where: { $0.isLetter || $0.isNumber }) else {
            throw Failure.misused("“\(query.shown)” has no word to look for.")
        }
        lister.query = query
        try lister.run(over: daemon.practice(), json: daemon.json)
    }
}

struct MailPeople<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("people", abstract: "List those to whom you may write.")
    }

    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let people = try Recipients.all(over: connection, inWords: !daemon.json)
        guard !daemon.json else { return Streams.output(object: Mail.ListRecipients.Reply(people: people)) }
        guard !people.isEmpty else { return output.print("  There is nobody to whom you may write now.\n") }
        var table = Table([.init("", leads: true), .init("Name", leads: true), .init("")])
        table.rows = people.map { [.init($0.person, .faint), .init($0.name, .strong), .init($0.inWords, .faint)] }
        output.print(table.text(columns: output.columns, ink: output.ink))
    }
}

/// Fetches and prints a list of letters.
struct LetterLister {
    var folder: String?
    var query: String?
    var limit = 20
    private var isUnread = false
    private var isUrgent = false
    private let output: OutputOptions
    private let companion: String

    init(_ output: OutputOptions, companion: String) { (self.output, self.companion) = (output, companion) }

    init(_ options: LetterListOptions, _ output: OutputOptions, companion: String) {
        self.init(output, companion: companion)
        (folder, limit) = (options.folder, options.limit ?? limit)
        (isUnread, isUrgent) = (options.unread, options.urgent)
    }

    func run(over connection: DaemonConnection, json: Bool) throws(Failure) {
        let today = try connection.call(Practice.WhoAmI()).today
        let tree = try FolderTree(over: connection)
        // Words are looked for everywhere but in the bin.
        let entry = try (folder ?? (query == nil ? "inbox" : nil)).map { name throws(Failure) in try tree.entry(name) }
        var letters: [Mail.Letter] = []
        var (after, total): (String?, Int) = (nil, 0)
        repeat {
            let page = try connection.call(
                Mail.List(
                    folder: entry?.folder.id, unread: isUnread ? true : nil, urgent: isUrgent ? true : nil,
                    query: query, after: after, limit: max(1, min(200, limit - letters.count))))
            letters += page.letters
            (after, total) = (page.next, page.total)
            // A hostile practice may have empty pages without an end.
            if page.letters.isEmpty { break }
        } while after != nil && letters.count < limit
        guard !json else { return Streams.output(object: Mail.List.Reply(letters: letters, total: total, next: after)) }
        output.print(text(letters, total: total, in: entry?.folder, named: entry?.name, today: today))
    }

    private func text(
        _ letters: [Mail.Letter], total: Int, in folder: Mail.Folder?, named name: String?, today: String
    ) -> String {
        let ink = output.ink
        let count = isUnread || isUrgent || query != nil ? nil : folder
        let counted =
            count.map { LetterWords.counted($0.total, unread: $0.unread) } ?? LetterWords.counted(total, unread: 0)
        let head = "  " + ink.strong(name ?? "Letters found") + ink.faint(" · \(counted)") + "\n\n"
        guard !letters.isEmpty else { return head + "  " + ink.faint(nothing) + "\n" }
        let list = LetterList(
            letters: letters, isOwn: ["sent", "drafts"].contains(folder?.role), today: today, columns: output.columns,
            ink: ink)
        let more =
            total > letters.count
            ? "  " + ink.faint("\(letters.count) of \(total) are shown; --limit shows more.") + "\n" : ""
        let advice = folder?.role == "drafts" ? "mail write --draft N` goes on with one." : "mail read N` reads one."
        return head + list.text + "\n" + more + "  " + ink.faint("`\(companion) \(advice)") + "\n"
    }

    private var nothing: String {
        if query != nil { return "No letter has these words." }
        return isUnread || isUrgent ? "There is no such letter." : "There is nothing here."
    }
}
