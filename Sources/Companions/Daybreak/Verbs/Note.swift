internal import ArgumentParser
import DaybreakInterfaces
import Glibc

struct Note: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "note", abstract: Wording.About.note)

    @Argument(help: ArgumentHelp(Wording.About.noteText, valueName: "text")) var words: [String] = []
    @Option(help: ArgumentHelp(Wording.About.noteTask)) var task: String?
    @Flag(help: ArgumentHelp(Wording.About.noteNext)) var next = false
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if next, task != nil { throw ValidationError(Wording.notBoth) }
    }

    func run() throws {
        let connection = try daemon.connection()
        let assignment = try task.map { try TaskName($0).assignment(over: connection) }
        let note = Homework.AddNote(text: try text(), assignment: assignment, nextSession: next ? true : nil)
        try daemon.ask(note, over: connection) { reply in
            Wording.kept(reply.note, isToday: isToday(reply.note.assignment, over: connection)) + "\n"
        }
    }

    /// The note is kept by now, also where this cannot be found out any more: its task is called by its name then.
    private func isToday(_ task: String?, over connection: DaemonConnection) -> Bool {
        guard let task else { return false }
        do throws(Failure) {
            let today = try connection.call(Homework.GetStatus()).status.today
            return try connection.call(Homework.List(day: today)).assignments.contains { $0.id == task }
        } catch {
            return false
        }
    }

    /// What is said on the command line can be seen by whoever lists this machine's processes; what is read, cannot.
    private func text() throws -> String {
        guard words.isEmpty || words == ["-"] else { return words.joined(separator: " ") }
        if words.isEmpty, isatty(STDIN_FILENO) == 1 { Standard.error(Wording.writeNote) }
        let text = try TextFile.text(of: "-", limit: TextFile.noteLimit)
        return String(text.trimmingSuffix { $0.isWhitespace })
    }
}

struct Notes: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "notes", abstract: Wording.About.notes)

    @Argument(help: ArgumentHelp(Wording.About.whichTask)) var task: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let assignment = try task.map { try TaskName($0).assignment(over: connection) }
        try daemon.ask(Homework.Notes(assignment: assignment), over: connection) { reply in
            reply.notes.isEmpty
                ? assignment == nil ? Wording.noNotesForSession : Wording.noNotes
                : Wording.notes(reply.notes, ink: Standard.ink)
        }
    }
}

extension String {
    /// Without what it ends with, as far as all of it is such.
    func trimmingSuffix(_ isSuch: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !isSuch($0) }) else { return "" }
        return self[...last]
    }
}
