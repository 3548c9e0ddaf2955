internal import ArgumentParser
import Control

struct Mood: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: Wording.About.mood)

    @Argument(help: ArgumentHelp(Wording.About.moodWord, valueName: "word")) var words: [String] = []
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard words.isEmpty else {
            return try daemon.ask(HomeworkInterface.LogMood(mood: words.joined(separator: " "))) {
                Wording.moodLogged($0) + "\n"
            }
        }
        let connection = try daemon.connection()
        let status = try connection.call(HomeworkInterface.GetStatus()).status
        guard let assignment = status.flow?.assignment ?? status.eligible?.id else {
            throw Failure.refused(HomeworkInterface.NoFlow.name, saying: Wording.noMoodNow)
        }
        try daemon.ask(HomeworkInterface.Get(assignment: assignment), over: connection) {
            Wording.mayChoose($0.assignment.moods)
        }
    }
}
