internal import ArgumentParser
import Control

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: Wording.About.show)

    @Argument(help: ArgumentHelp(Wording.About.whichTask)) var task = "today"
    @OptionGroup var pager: PagerOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let name = try TaskName(task).assignment(over: connection)
        let reply = try connection.call(HomeworkInterface.Show(assignment: name))
        guard !daemon.json else { return Standard.output(object: reply) }
        pager.print(Wording.everything(reply, ink: Standard.ink))
    }
}
