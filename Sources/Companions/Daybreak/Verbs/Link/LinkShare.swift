internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Glibc
import PracticeInterfaces

/// The choice of shares.
struct ShareOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            What your therapist may see, for scripts: any of completed, moods, breaths, notes and waiting, with commas \
            between; none for nothing.
            """, valueName: "list"))
    var share: String?

    func validate() throws {
        guard let share, Self.shares(share) == nil else { return }
        throw ValidationError(
            "“\(share.shown)” is no such list; write any of \(Link.Share.allCases.map(\.rawValue).joined(separator: ",")), or none."
        )
    }

    private static func shares(_ text: String) -> [Link.Share]? {
        if text == "none" { return [] }
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Link.Share(rawValue: $0.trimmed)
        }
        let found = words.compactMap(\.self)
        return found.count == words.count ? Link.Share.allCases.filter(found.contains) : nil
    }

    /// The shares that the option names, else those that the person at the terminal agrees to.
    ///
    /// - Parameter present: those that this machine's client has agreed to before. A line without a word leaves them as they are.
    func chosen(among present: [Link.Share]) throws(Failure) -> [Link.Share] {
        if let share, let shares = Self.shares(share) { return shares }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw .misused(
                "Nobody could be asked what your therapist may see; --share says it: moods,waiting, or none.")
        }
        Streams.error(
            "What may your therapist see? Only what happens from now on, and you can change it at any time.\n")
        var chosen: [Link.Share] = []
        for share in Link.Share.allCases {
            guard let agrees = YesOrNo.ask("  \(share.question)", usual: present.contains(share)) else {
                throw .misused("Nothing was chosen, and nothing is changed.")
            }
            if agrees { chosen.append(share) }
        }
        return chosen
    }

    static func sentence(_ shares: [Link.Share]) -> String {
        guard !shares.isEmpty else { return "Your therapist sees nothing of what you do here." }
        return "Your therapist sees " + shares.map(\.words).joined(separator: "; ") + "."
    }

    static func sentence(ended: [Link.Share]) -> String {
        "You did not end it here, but your therapist no longer sees " + ended.map(\.words).joined(separator: "; ")
            + ". `daybreak link share --change` asks you again."
    }
}

extension Link.Share {
    /// The part of a sentence after "Your therapist sees".
    var words: String {
        switch self {
        case .completed: "which tasks you began, completed or missed"
        case .moods: "the words for your moods"
        case .breaths: "how many breaths you drew"
        case .notes: "the notes that you write for the next session"
        case .waiting: "when you begin a task, wait, are in the session, or give the task up"
        }
    }

    fileprivate var question: String {
        switch self {
        case .completed: "Which tasks you began, completed or missed?"
        case .moods: "The words for your moods?"
        case .breaths: "How many breaths you drew?"
        case .notes: "The notes that you write for the next session? Notes with a task stay yours."
        case .waiting: "When you begin a task, wait, are in the session, or give the task up?"
        }
    }
}

extension Substring {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}

extension LinkVerb {
    struct Shares: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "share", abstract: "Show what your therapist may see, or change it.")

        @Flag(help: "Ask for each, and change it.") var change = false
        @OptionGroup var choice: ShareOptions
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let now = try connection.call(Link.Get())
            guard let practice = now.practice else { throw LinkVerb.notLinked }
            let present = (now.shares ?? []).map(\.share)
            guard change || choice.share != nil else { return try show(connection) }
            let wanted = try choice.chosen(among: present)
            try set(wanted, from: present, connection, try LinkFolder.ofThisUser(), practice)
            try show(connection)
        }

        /// An added share goes to the practice first, because both sides must have it. A withdrawn one ends here at once; if
        /// others are added with it, together with them, as soon as the practice has answered, or not.
        private func set(
            _ wanted: [Link.Share], from present: [Link.Share], _ connection: DaemonConnection, _ folder: LinkFolder,
            _ practice: String
        ) throws(Failure) {
            let kept = present.filter(wanted.contains)
            func withdraw() throws(Failure) {
                if kept != present { _ = try connection.call(Link.SetShares(shares: kept, practiceTold: false)) }
            }
            if wanted == kept { try withdraw() }
            do throws(Failure) {
                let connection = try folder.connection(to: practice)
                connection.longestAnswer = LinkVerb.patience
                _ = try connection.call(Care.SetShares(shares: wanted.map(\.rawValue)))
            } catch {
                if wanted != kept { try withdraw() }
                let added = wanted != kept ? "Nothing was added, because the practice cannot be reached now. " : ""
                let withdrawn =
                    kept != present ? "What you withdrew is not told any more; the practice hears of it later. " : ""
                throw .refused("Unreachable", saying: added + withdrawn + error.sentence)
            }
            _ = try connection.call(Link.SetShares(shares: wanted, practiceTold: true))
        }

        private func show(_ connection: DaemonConnection) throws {
            try daemon.ask(Link.Get(), over: connection) { Self.text($0.shares ?? [], ended: $0.ended) }
        }

        static func text(_ shares: [Link.Shared], ended: [Link.Share]?) -> String {
            let rows = Link.Share.allCases.map { share in
                let since = shares.first { $0.share == share }?.since
                let state = since.map { "since \(Wording.time($0, today: nil))" } ?? "no"
                return "  \(share.words): \(state)\n"
            }
            let elsewhere = ended.map { ShareOptions.sentence(ended: $0) + "\n" } ?? ""
            return "Your therapist sees\n" + rows.joined() + elsewhere
                + "`daybreak link share --change` asks for each again. The practice keeps all that it was told before.\n"
        }
    }
}
