internal import ArgumentParser
import DaybreakInterfaces
import Varlink

struct Schedule: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: Wording.About.schedule, subcommands: [Import.self, Check.self])

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "import", abstract: Wording.About.scheduleImport)

        @Argument(help: ArgumentHelp(Wording.About.file)) var file: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws { try Schedule.hand(file, dryRun: false, to: daemon) }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "check", abstract: Wording.About.scheduleCheck)

        @Argument(help: ArgumentHelp(Wording.About.file)) var file: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws { try Schedule.hand(file, dryRun: true, to: daemon) }
    }

    private static func hand(_ file: String, dryRun: Bool, to daemon: DaemonOptions) throws {
        let schedule = try TextFile.text(of: file, limit: TextFile.scheduleLimit)
        let connection: DaemonConnection
        let path = try daemon.path
        do throws(Failure) {
            connection = try DaemonConnection(to: path)
        } catch {
            guard dryRun, error.status == Failure.noDaemonStatus else { throw error }
            return try checkAlone(file, json: daemon.json, without: error)
        }
        let reply = try connection.reply(to: Homework.Import(schedule: schedule, dryRun: dryRun ? true : nil))
        if let error = reply.error { throw Failure(reply, named: error, at: path, file: file.shown) }
        try daemon.answer(reply, of: Homework.Import.self, over: connection) {
            Wording.imported($0, dryRun: dryRun) + "\n"
        }
    }

    /// Without a daemon: whether it is one at all. What it would change, nobody can say.
    private static func checkAlone(_ file: String, json: Bool, without daemon: Failure) throws {
        guard file != "-" else { throw daemon }
        _ = try DaemonProgram.output(of: ["--check-schedule", file])
        Standard.output(json ? "{\"sound\":true}\n" : Wording.soundAlone + "\n")
    }
}
