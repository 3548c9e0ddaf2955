internal import ArgumentParser
import Control
import Varlink

struct Schedule: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Wording.About.schedule, subcommands: [Import.self, Check.self])

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: Wording.About.scheduleImport)

        @Argument(help: ArgumentHelp(Wording.About.file)) var file: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws { try Schedule.hand(file, dryRun: false, to: daemon) }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: Wording.About.scheduleCheck)

        @Argument(help: ArgumentHelp(Wording.About.file)) var file: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws { try Schedule.hand(file, dryRun: true, to: daemon) }
    }

    private static func hand(_ file: String, dryRun: Bool, to daemon: DaemonOptions) throws {
        let schedule = try TextFile.text(of: file, limit: TextFile.scheduleLimit)
        let connection = try daemon.connection()
        let reply = try connection.reply(to: HomeworkInterface.Import(schedule: schedule, dryRun: dryRun ? true : nil))
        if let error = reply.error { throw Failure(reply, named: error, file: file.shown) }
        try daemon.answer(reply, of: HomeworkInterface.Import.self, over: connection) {
            Wording.imported($0, dryRun: dryRun) + "\n"
        }
    }
}
