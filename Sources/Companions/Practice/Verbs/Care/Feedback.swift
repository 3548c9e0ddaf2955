internal import ArgumentParser
import Companion
import PracticeInterfaces
import Time

struct FeedbackVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "feedback", abstract: "Show the clients' feedback on their care, the newest first.")

    @Option(help: "The most entries to show.") var limit = 50
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard (1...10_000).contains(limit) else { throw Failure.misused("--limit takes a number from 1 to 10000.") }
        let connection = try daemon.connection()
        let caller = try CallerInfo(over: connection)
        var feedback: [Care.ListFeedback.Reply.Feedback] = []
        var after: String?
        repeat {
            let page = try connection.call(
                Care.ListFeedback(after: after, limit: max(1, min(200, limit - feedback.count))))
            feedback += page.feedback
            after = page.next
        } while after != nil && feedback.count < limit
        guard !daemon.json else {
            return Streams.output(object: Care.ListFeedback.Reply(feedback: feedback, next: after))
        }
        guard !feedback.isEmpty else { return Streams.output("There is no feedback yet.\n") }
        output.print(
            feedback.map { Self.text($0, today: caller.today, columns: output.columns, ink: output.ink) }.joined())
    }

    static func text(
        _ feedback: Care.ListFeedback.Reply.Feedback, today: String, columns: Int?, ink: Ink
    ) -> String {
        let who = (feedback.clientName ?? feedback.client ?? "without a name").shown.singleLine
        let about = (feedback.aboutName ?? feedback.about).shown.singleLine
        let rating = feedback.rating.map { ", \($0) of 5" } ?? ""
        // Without a name, the hour is not known.
        let day = DateTime(feedback.at)?.day.description ?? feedback.at
        let when = feedback.client == nil ? Wording.day(day, today: today) : Wording.time(feedback.at, today: today)
        let head = "  " + ink.strong("About \(about)\(rating)") + ink.faint(" · \(who), \(when)") + "\n"
        let lines = feedback.text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            String($0).shown.paragraphs(columns: columns.map { $0 - 4 })
        }
        return head + lines.map { "    \($0)\n" }.joined() + "\n"
    }
}
