internal import ArgumentParser
import DaybreakInterfaces
import Glibc

struct Erase: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "erase", abstract: Wording.About.erase)

    @Argument(help: ArgumentHelp(Wording.About.whichTask)) var task: String?
    @Flag(help: ArgumentHelp(Wording.About.everything)) var everything = false
    @Flag(help: ArgumentHelp(Wording.About.yes)) var yes = false
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard everything != (task != nil) else { throw ValidationError(Wording.eraseWhat) }
    }

    func run() throws {
        let connection = try daemon.connection()
        let task = try task.map { try TaskName($0).assignment(over: connection) }
        try confirm(task)
        if let task {
            try daemon.ask(Service.Erase(assignment: task), over: connection) { _ in
                Wording.erased(task) + "\n"
            }
        } else {
            try daemon.ask(Service.EraseEverything(), over: connection) { _ in
                Wording.erasedEverything + "\n"
            }
        }
    }

    /// Nothing is erased by a slip: a person is asked, a program has to say it.
    private func confirm(_ task: String?) throws {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw Failure.refused("NotConfirmed", saying: Wording.eraseNeedsYes)
        }
        Standard.error(task.map(Wording.mayErase) ?? Wording.mayEraseEverything)
        guard readLine() == Wording.yes else { throw Failure.refused("NotConfirmed", saying: Wording.notErased) }
    }
}
