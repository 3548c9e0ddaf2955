internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Notes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notes", abstract: "Show the notes of a task, or those for the next session.")

    @Argument(help: ArgumentHelp(TaskName.helpText + " Left out: the notes for the next session.")) var task: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let assignment = try task.map { try TaskName($0).assignment(over: connection) }
        try daemon.ask(Homework.Notes(assignment: assignment), over: connection) { reply in
            if !reply.notes.isEmpty { return Wording.notes(reply.notes, ink: Streams.ink) }
            return assignment == nil
                ? "There are no notes for the next session. Those kept with today's task: `daybreak show today`.\n"
                : "There are no notes here yet. `daybreak note` writes one.\n"
        }
    }
}
