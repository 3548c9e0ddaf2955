import DaybreakInterfaces
import Foundation
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// Feedback and the client's own record, from within the guided way.
@Suite struct `Verbs of the link beside a task` {
    private func walk(_ stage: String, isLinked: Bool = true) -> Walk {
        var walk = Sample.walk(Sample.flow(stage))
        walk.isLinked = isLinked
        return walk
    }

    @Test(arguments: ["waiting", "session"])
    func `keys run them where a link was set up`(stage: String) {
        var walk = walk(stage)
        let before = walk
        #expect(walk.press(.character("f")) == [.visit(.feedback)])
        #expect(walk.press(.character("i")) == [.visit(.profile)])
        #expect(walk == before)
        #expect(Array(walk.hints.map(\.key).suffix(4)) == ["f", "i", "?", "q"])
        #expect(
            ["f", "feedback", "i", "record", "profile"].map { TypedLine.inputs(for: $0, in: walk) } == [
                [.key(.character("f"))], [.key(.character("f"))], [.key(.character("i"))], [.key(.character("i"))],
                [.key(.character("i"))],
            ])
    }

    @Test func `they are on the last page, and other keys close it`() {
        var walk = walk("mood")
        walk.page = .completed
        #expect(walk.hints.map(\.key) == ["f", "i", "any other key"])
        #expect(walk.press(.character("f")) == [.visit(.feedback)])
        #expect(walk.press(.space) == [.end(.completed)])
    }

    @Test func `there are none during the exercise, nor without a link`() {
        var breathing = Sample.breathing()
        breathing.isLinked = true
        for var walk in [breathing, walk("waiting", isLinked: false), walk("session", isLinked: false)] {
            #expect(!walk.hints.contains { ["f", "i"].contains($0.key) })
            #expect(walk.press(.character("f")) == [])
        }
    }

    /// A client in the wait room, whose link is set up.
    private func waiting() throws -> PracticeStage {
        let stage = try PracticeStage(settings: "[breathing]\npattern = \"1-0-1-0\"\n")
        #expect(try stage.setUp("none").status == 0)
        #expect(try stage.run("start", "--json").status == 0)
        #expect(try stage.run("provider", "online").status == 0)
        #expect(try stage.run("join").status == 0)
        return stage
    }

    private func given(_ stage: PracticeStage) -> [String: Any]? {
        stage.state()["feedback"] as? [String: Any]
    }

    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
    func `feedback is given and the record is read on the screen, and the task goes on`() throws {
        let stage = try waiting()
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: stage.environment.merging(["NO_COLOR": "1"]) { $1 },
            "PATH=\(stage.folder)/bin:$PATH; daybreak start")
        #expect(pane.waits { pane.picture().contains("f feedback") && pane.picture().contains("i my record") })
        pane.type("i")
        #expect(pane.waits { pane.ends(with: "Enter goes back to the task.") })
        #expect(pane.picture().contains("Cleo\n"))
        pane.type("", "Enter")
        #expect(pane.waits { pane.picture().contains("f feedback") })
        pane.type("f")
        #expect(pane.waits { pane.picture().contains("How does your care go?") })
        pane.type("It goes well.", "Enter", "C-d")
        #expect(pane.waits { pane.picture().contains("or Enter for none:") })
        pane.type("very", "Enter")
        #expect(pane.waits { pane.ends(with: "very is none of them. 1 to 5, or Enter for none:") })
        pane.type("5", "Enter")
        #expect(pane.waits { pane.picture().contains("Without your name? [y/N]") })
        pane.type("please", "Enter")
        #expect(pane.waits { pane.ends(with: "please is neither. y for yes, n for no: [y/N]") })
        pane.type("y", "Enter")
        #expect(pane.waits { pane.ends(with: "Enter goes back to the task.") })
        #expect(given(stage)?["text"] as? String == "It goes well." && given(stage)?["anonymous"] as? Bool == true)
        pane.type("", "Enter")
        #expect(pane.waits { pane.picture().contains("f feedback") })
        pane.type("q")
        #expect(pane.waits { !pane.picture().contains("f feedback") })
        #expect(try stage.run("status").output.contains("session"))
    }

    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot), arguments: [("INT", 130), ("TERM", 143)])
    func `Ctrl-C and a signal end it, while the words of one of them stay until Enter`(
        signal: String, status: Int
    ) throws {
        let stage = try waiting()
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: stage.environment.merging(["NO_COLOR": "1"]) { $1 },
            "PATH=\(stage.folder)/bin:$PATH; trap : INT; daybreak start; echo \"= $?\"; read -r _")
        #expect(pane.waits { pane.picture().contains("i my record") })
        pane.type("i")
        #expect(pane.waits { pane.ends(with: "Enter goes back to the task.") })
        if signal == "INT" { pane.type("C-c") } else { try pane.send(signal: signal, to: "daybreak") }
        #expect(pane.waits { pane.picture().contains("= \(status)") })
    }

    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
    func `the therapist's talking points stand in the wait room as they come and go`() throws {
        let stage = try PracticeStage(settings: "[breathing]\npattern = \"1-0-1-0\"\n[link]\nhold = true\n")
        #expect(try stage.setUp("none").status == 0)
        #expect(try stage.run("start", "--json").status == 0)
        #expect(try stage.run("breathe").status == 0)
        try stage.startLink()
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: stage.environment.merging(["NO_COLOR": "1"]) { $1 },
            "PATH=\(stage.folder)/bin:$PATH; daybreak start")
        #expect(pane.waits { pane.picture().contains("f feedback") })
        let point: [String: Any] = ["at": "2027-03-05T09:00:00+01:00", "text": "The letter\nto her"]
        try stage.tell(["provider": "Ana", "talkingPoints": [point]])
        #expect(pane.waits { pane.picture().contains("Ana wants to speak of: “The letter to her”") })
        try stage.tell(["talkingPoints": [Any]()])
        #expect(pane.waits { !pane.picture().contains("wants to speak of") })
        pane.type("q")
        #expect(pane.waits { !pane.picture().contains("f feedback") })
    }

    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
    func `lines run them, too, and Ctrl-C in one of them comes back`() throws {
        let stage = try waiting()
        let pane = try TmuxPane(
            columns: 80, rows: 40, environment: stage.environment.merging(["NO_COLOR": "1"]) { $1 },
            "PATH=\(stage.folder)/bin:$PATH; daybreak start --plain; echo \"= $?\"; read -r _")
        #expect(pane.waits { pane.picture().contains("f feedback · i my record") })
        pane.type("feedback", "Enter")
        #expect(pane.waits { pane.picture().contains("How does your care go?") })
        pane.type("C-c")
        let keys = { pane.picture().components(separatedBy: "f feedback · i my record").count - 1 }
        #expect(pane.waits { keys() == 2 })
        #expect(given(stage) == nil)
        pane.type("record", "Enter")
        #expect(pane.waits { keys() == 3 && pane.picture().contains("Cleo\n") })
        pane.type("q", "Enter")
        #expect(pane.waits { pane.picture().contains("= 0") })
    }
}
