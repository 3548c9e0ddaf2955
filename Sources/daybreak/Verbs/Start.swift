internal import ArgumentParser
import Control
import Glibc

struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: Wording.About.start)

    @Argument(help: ArgumentHelp(Wording.About.task)) var task: String?
    @Flag(help: ArgumentHelp(Wording.About.plain)) var plain = false
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard !daemon.json else {
            return try daemon.ask(HomeworkInterface.Start(assignment: task)) { _ in "" }
        }
        let (conversation, walk) = try Conversation.begin(path: daemon.path, task: task)
        let said =
            try isScreen
            ? GuidedScreen(conversation, walk, palette: .of(Standard.environment)).run()
            : PlainWalk(conversation, walk).run()
        if !said.isEmpty { Standard.output(said + "\n") }
    }

    private var isScreen: Bool {
        let dumb = (Standard.environment["TERM"] ?? "dumb") == "dumb"
        return !plain && !dumb && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }
}
