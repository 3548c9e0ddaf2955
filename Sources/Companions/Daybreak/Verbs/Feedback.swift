internal import ArgumentParser
import Companion
import Glibc
import Messages
import PracticeInterfaces

struct Feedback: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "feedback",
        abstract: "Say how your care goes: to the practice's administrators, never to the person it is about.")

    @Argument(
        help: ArgumentHelp("The text; - reads it from standard input, left out, from the terminal.", valueName: "text"))
    var words: [String] = []
    @Option(help: "1 (bad) to 5 (good).") var rating: Int?
    @Flag(help: "Without your name.") var anonymous = false
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if let rating, !(1...5).contains(rating) { throw ValidationError("A rating is a number from 1 to 5.") }
    }

    func run() throws {
        let connection = try daemon.practice()
        // The practice knows a client by their machine, so the draft needs no name.
        let unsent = LongText("feedback", by: LongText.Writer(at: connection.path, in: "", []))
        let text = try text()
        var given: Care.GiveFeedback?
        do {
            let feedback = try feedback(text)
            given = feedback
            let reply = try daemon.reply(
                to: feedback, over: connection, doubt: "It is not known whether the practice has it.")
            try daemon.answer(reply, of: Care.GiveFeedback.self, over: connection) { _ in
                "Thank you. The administrators read it; the person it is about does not.\n"
            }
        } catch let failure as Failure {
            guard !text.isEmpty else { throw failure }
            let before = try unsent.kept().flatMap { $0 == text ? nil : $0 }
            let path = try unsent.keep(before.map { "\($0)\n\n\(text)" } ?? text)
            // The name only where the person has agreed to it, for all of the text.
            let isNamed = before == nil && given.map { $0.anonymous != true } ?? false
            let stars = given?.rating.map { "--rating \($0) " } ?? ""
            throw failure.adding(
                "What was written is kept in \(path): "
                    + "`daybreak feedback \(isNamed ? "" : "--anonymous ")\(stars)- <\(path)` gives it.")
        }
        try unsent.forget(sent: text)
    }

    private func feedback(_ text: String) throws(Failure) -> Care.GiveFeedback {
        let isGuided = words.isEmpty && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        let stars = rating ?? (isGuided ? askedRating() : nil)
        let isNameless = anonymous ? true : isGuided ? YesOrNo.ask("Without your name?", usual: false) : false
        // A person who leaves this question has not agreed to their name.
        guard let isNameless else { throw .misused("Nothing was sent.") }
        return Care.GiveFeedback(text: text, rating: stars, anonymous: isNameless ? true : nil, key: CallKey.new())
    }

    private func text() throws -> String {
        guard words.isEmpty || words == ["-"] else { return words.joined(separator: " ") }
        return try TextInput.word("-", asking: "How does your care go?")
    }

    /// Asks until it understands.
    private func askedRating() -> Int? {
        Streams.error("A number from 1 (bad) to 5 (good), or Enter for none: ")
        while let line = readLine(), !line.isEmpty {
            if let number = Int(line), (1...5).contains(number) { return number }
            Streams.error("\(line.shown) is none of them. 1 to 5, or Enter for none: ")
        }
        return nil
    }
}
