internal import ArgumentParser
import Control

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: Wording.About.list)

    @Flag(help: ArgumentHelp(Wording.About.all)) var all = false
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(HomeworkInterface.List(all: all ? true : nil)) { reply in
            TaskTable(reply, named: all, ink: Standard.ink).text
        }
    }
}
