import Companion
import Foundation
import PracticeInterfaces
import StaffInterfaces
import Testing

/// A client's machine that is linked with the real practiced: the real daybreakd, the real link, and in the place of `ssh` a
/// program that carries the frames to the practice's socket, as the client. Ana is the client's therapist.
final class RealCourse {
    let practice: RealPractice
    let stage: PracticeStage
    let client: String

    /// Two lessons and the survey of ``ProgrammeStage``, which is open for three days, and again a week later.
    private static let document = """
        id = "feet"
        name = "Finding your feet"

        [[lesson]]
        file = "steps.md"

        [[lesson]]
        file = "walk.md"
        minutes = 10
        after_lesson = "steps"

        [[survey]]
        file = "week.json"
        every_days = 7
        times = 2
        open_days = 3
        """

    init() throws {
        practice = try RealPractice()
        try practice.begin(isMadeUp: true)
        let ana = try practice.connection(as: "p2")
        client = try ana.call(Records.AddClient(name: "Cleo", timeZone: "UTC")).client.id
        _ = try practice.connection(as: "p1").call(
            Programmes.ImportProgramme(files: [
                .init(path: "programme.toml", text: Self.document),
                .init(path: "steps.md", text: "# First steps\n\nStand up.\n"),
                .init(path: "walk.md", text: "# A short walk\n\nGo *outside*.\n"),
                .init(path: "week.json", text: ProgrammeStage.questionnaire),
            ]))
        _ = try ana.call(Programmes.Enrol(client: client, programme: "feet"))
        stage = try PracticeStage(settings: "[link]\nhold = true\n")
        let linked = try stage.setUp("none")
        #expect(linked.status == 0, "\(linked)")
        // From now on the practice is the real one.
        let line = URL(filePath: #filePath).appending(path: "../../../Practice/line.py").standardized.path()
        try "#!/bin/sh\nexec python3 '\(line)' '\(practice.path)' '\(stage.folder)' \(client)\n"
            .write(toFile: "\(stage.folder)/bin/ssh", atomically: true, encoding: .utf8)
        chmod("\(stage.folder)/bin/ssh", 0o755)
    }

    /// `daybreak`, on the client's machine.
    func run(_ words: String..., input: String? = nil) throws -> ProgramTests.Run {
        var run = try ProgramTests.run(words, socket: stage.daemon.path, input: input, environment: environment)
        (run.output, run.error) = (Self.without(days: run.output), Self.without(days: run.error))
        return run
    }

    var environment: [String: String] { stage.environment.merging(["TERM": "dumb", "LANG": "C.UTF-8"]) { $1 } }

    /// The therapist's screen.
    func says(_ words: String...) throws -> String {
        let run = try practice.run(words, input: nil)
        #expect(run.status == 0, "\(run)")
        return Self.without(days: run.output)
    }

    /// The next calls of a method go wrong on the line.
    func faults(
        _ method: String, _ how: String, times: Int = 1, error: String = "", parameters: [String: Any] = [:]
    ) throws {
        let told: [String: Any] = [
            "method": method, "times": times, "how": how, "error": error, "parameters": parameters,
        ]
        try JSONSerialization.data(withJSONObject: told).write(to: URL(filePath: stage.folder + "/fault"))
    }

    /// Changes the practice's database while its daemon is down.
    func change(_ statement: String) throws {
        try practice.withoutDaemon {
            let sqlite = Process()
            sqlite.executableURL = URL(filePath: "/usr/bin/sqlite3")
            sqlite.arguments = ["\(practice.folder)/state/practice.db", statement]
            try? sqlite.run()  // The status tells.
            sqlite.waitUntilExit()
            #expect(sqlite.terminationStatus == 0)
        }
    }

    /// DAY for each day and time of the real clock.
    private static func without(days text: String) -> String {
        let name = "(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday) \\d+ \\w+( \\d{4})?( at \\d\\d:\\d\\d)?"
        return text.replacingOccurrences(
            of: "(the end of )?(\(name)|(yesterday|today|tomorrow)( at \\d\\d:\\d\\d)?)", with: "DAY",
            options: .regularExpression)
    }
}
