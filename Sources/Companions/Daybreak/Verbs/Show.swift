internal import ArgumentParser
import DaybreakInterfaces

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: Wording.About.show)

    @Argument(help: ArgumentHelp(Wording.About.showTask)) var task: String?
    @OptionGroup var pager: PagerOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let shown = try names(over: connection).map { name throws(Failure) in
            try connection.call(Homework.Show(assignment: name))
        }
        guard !daemon.json else { return shown.forEach { Standard.output(object: $0) } }
        pager.print(shown.map { Wording.everything($0, ink: Standard.ink) }.joined(separator: "\n"))
    }

    /// The one that is open, unless another is meant.
    private func names(over connection: DaemonConnection) throws(Failure) -> [String] {
        if let task { return try TaskName(task).assignments(over: connection) }
        let status = try connection.call(Homework.GetStatus()).status
        if let open = status.flow?.assignment ?? status.eligible?.id { return [open] }
        return try TaskName("today").assignments(over: connection)
    }
}
