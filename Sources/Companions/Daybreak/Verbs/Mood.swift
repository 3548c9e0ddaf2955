internal import ArgumentParser
import DaybreakInterfaces
import Varlink

struct Mood: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "mood", abstract: Wording.About.mood)

    @Argument(help: ArgumentHelp(Wording.About.moodWord, valueName: "word")) var words: [String] = []
    @Option(help: ArgumentHelp(Wording.About.correct, valueName: "word")) var correct: String?
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if correct != nil, words.count > 1 { throw ValidationError(Wording.correctWhat) }
    }

    func run() throws {
        if let correct { return try change(to: correct) }
        guard words.isEmpty else { return try log() }
        let connection = try daemon.connection()
        let status = try connection.call(Homework.GetStatus()).status
        guard let assignment = status.flow?.assignment ?? status.eligible?.id else {
            throw Failure.refused(Homework.NoFlow.name, saying: Wording.noMoodNow)
        }
        try daemon.ask(Homework.Get(assignment: assignment), over: connection) {
            Wording.mayChoose($0.assignment.moods)
        }
    }

    private func log() throws {
        let mood = try chosen()
        let connection = try daemon.connection()
        let reply = try connection.reply(to: Homework.LogMood(mood: mood))
        if reply.decodeError(Homework.NoFlow.self) != nil, !daemon.json {
            throw Failure.refused(Homework.NoFlow.name, saying: Wording.noMoodToLog)
        }
        try daemon.answer(reply, of: Homework.LogMood.self, over: connection) { Wording.moodLogged($0) + "\n" }
    }

    private func chosen() throws -> String { try TextFile.word(words.joined(separator: " ")) }

    private func change(to given: String) throws {
        let mood = try TextFile.word(given)
        let connection = try daemon.connection()
        let task = try words.first.map { try TaskName($0).assignment(over: connection) }
        try daemon.ask(Homework.CorrectMood(mood: mood, assignment: task), over: connection) {
            Wording.outcome($0.assignment) + "\n"
        }
    }
}
