internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Notes: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "notes", abstract: "Show the notes of a task, or those for the next session.")

    @Argument(
        help: ArgumentHelp(
            TaskName.helpText + " Left out: those of the task in progress, and those for the next session."))
    var task: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let named = try task.map { try TaskName($0).assignments(over: connection) } ?? []
        if named.count > 1, !daemon.json { return try printAll(named, over: connection) }
        let assignment = named.count > 1 ? try task.map { try TaskName($0).assignment(over: connection) } : named.first
        try daemon.ask(Homework.Notes(assignment: assignment), over: connection) { reply in
            let withdrawn = reply.withdrawn == true ? "This task was withdrawn from the schedule.\n" : ""
            if !reply.notes.isEmpty { return withdrawn + Wording.notes(reply.notes, ink: Streams.ink) }
            guard withdrawn.isEmpty else { return withdrawn + "There are no notes of it.\n" }
            return assignment == nil
                ? "There are no notes for the next session. `daybreak notes TASK` shows those kept with a task.\n"
                : "There are no notes here yet. `daybreak note` writes one.\n"
        }
    }

    /// Prints the notes of several tasks of a day, each note once: those for the session are of all of them.
    private func printAll(_ tasks: [String], over connection: DaemonConnection) throws {
        var said: [Homework.Note] = []
        for task in tasks {
            let notes = try connection.call(Homework.Notes(assignment: task)).notes
            said += notes.filter { !said.contains($0) }
        }
        Streams.output(
            said.isEmpty
                ? "There are no notes of that day's tasks (\(Wording.choices(tasks))).\n"
                : Wording.notes(said, ink: Streams.ink))
    }
}
