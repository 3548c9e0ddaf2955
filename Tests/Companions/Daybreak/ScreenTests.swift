import DaybreakInterfaces
import Foundation
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// The guided way in a real terminal, compared with approved pictures. `DAYBREAK_WRITE_SCREENS=1` writes the pictures anew:
/// look at the difference before you commit it.
@Suite(.serialized, .enabled(if: TmuxPane.isThere, TmuxPane.whyNot)) struct ScreenTests {
    /// A kind of terminal, with its options and pictures.
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let columns: Int
        let rows: Int
        var environment: [String: String] = [:]
        var options = ""
        var colours = false

        var testDescription: String { name }
    }

    private static let plain = ["NO_COLOR": "1"]
    private static let sixteen = ["TERM": "xterm"]
    private static let indexed = ["TERM": "xterm-256color"]
    private static let full = ["COLORTERM": "truecolor"]

    static let kinds = [
        Kind(name: "80x24", columns: 80, rows: 24, environment: plain),
        Kind(name: "40x12", columns: 40, rows: 12, environment: plain),
        Kind(name: "200x60", columns: 200, rows: 60, environment: plain),
        Kind(name: "80x24-16", columns: 80, rows: 24, environment: sixteen, colours: true),
        Kind(name: "40x12-16", columns: 40, rows: 12, environment: sixteen, colours: true),
        Kind(name: "200x60-16", columns: 200, rows: 60, environment: sixteen, colours: true),
        Kind(name: "80x24-256", columns: 80, rows: 24, environment: indexed, colours: true),
        Kind(name: "40x12-256", columns: 40, rows: 12, environment: indexed, colours: true),
        Kind(name: "200x60-256", columns: 200, rows: 60, environment: indexed, colours: true),
        Kind(name: "80x24-ascii", columns: 80, rows: 24, environment: ["NO_COLOR": "1", "LC_ALL": "C"]),
        Kind(
            name: "80x24-still", columns: 80, rows: 24, environment: plain,
            options: "--no-countdown --reduced-motion"),
    ]

    @Test(arguments: kinds) func `the whole way has the approved pictures`(kind: Kind) throws {
        let daemon = StagedDaemon(
            StagedDaemon.Stage(status: Sample.eligible(Sample.status()), assignment: Sample.assignment()))
        let pane = try TmuxPane(
            columns: kind.columns, rows: kind.rows, environment: kind.environment, daemon: daemon,
            "daybreak start \(kind.options)")
        var album = ApprovedScreens(kind.name)
        album.compare("instructions", pane, colours: kind.colours)
        pane.type("?")
        album.compare("the keys", pane, colours: kind.colours)
        pane.type("x")

        // A phase that has ended stands still until the daemon sends the next one.
        daemon.stage.flow = Sample.flow(exercise: Sample.exercise(elapsed: 4, remaining: 46))
        pane.type("Space")
        album.compare("breathed in", pane, colours: kind.colours)
        daemon.stage.flow.mayJoin = true
        daemon.stage.status = Sample.status(daemon.stage.flow, online: true)
        daemon.tell()
        album.compare("the provider comes", pane, colours: kind.colours)
        pane.type("?")
        album.compare("the keys while breathing", pane, colours: kind.colours)
        pane.type("x", "n", "sleep", "Space", "was", "Space", "better")
        album.compare("a note", pane, colours: kind.colours)
        daemon.stage.notes = ["sleep was better"]
        pane.type("Enter")
        album.compare("the note is kept", pane, colours: kind.colours)
        daemon.stage.flow = Sample.flow(exercise: Sample.exercise(paused: true), mayJoin: true)
        pane.type("Space")
        album.compare("paused", pane, colours: kind.colours)
        pane.type("r")
        album.compare("begin again?", pane, colours: kind.colours)
        pane.type("x")
        album.compare("paused", pane, colours: kind.colours)

        daemon.stage.flow = Sample.flow("waiting")
        daemon.lead(isLast: true)
        daemon.stage.status = Sample.status(daemon.stage.flow)
        daemon.tell()
        album.compare("the last breath", pane, colours: kind.colours)
        pane.type("Space")
        album.compare("the wait room", pane, colours: kind.colours)
        daemon.stage.notes.append("夢: water, rising; ask what it may mean, and about the dose")
        daemon.tellNotes()
        album.compare("a note from another window", pane, colours: kind.colours)
        daemon.stage.flow = Sample.flow("session")
        daemon.stage.status = Sample.status(daemon.stage.flow, online: true)
        daemon.tell()
        album.compare("the session", pane, colours: kind.colours)
        pane.type("l")
        album.compare("leave?", pane, colours: kind.colours)
        daemon.stage.flow = Sample.flow("mood")
        pane.type("y")
        album.compare("the moods", pane, colours: kind.colours)
        pane.type("Up", "Enter")
        album.compare("log it?", pane, colours: kind.colours)
        daemon.stage.isDone = true
        daemon.stage.assignment = Sample.assignment("completed", also: #","mood":"穏やか""#)
        pane.type("Enter")
        daemon.stage.status = Sample.status()
        daemon.tell()
        album.compare("completed", pane, colours: kind.colours)
        album.close()
    }

    static let painted = [
        Kind(name: "80x24-full", columns: 80, rows: 24, environment: full),
        Kind(name: "40x12-full", columns: 40, rows: 12, environment: full),
        Kind(name: "200x60-full", columns: 200, rows: 60, environment: full),
    ]

    @Test(arguments: painted) func `the pictures in full colour are the approved ones`(kind: Kind) throws {
        let daemon = StagedDaemon(
            StagedDaemon.Stage(
                status: Sample.status(Sample.flow()), assignment: Sample.assignment("inProgress"),
                flow: Sample.flow(exercise: Sample.exercise(elapsed: 4, remaining: 46))))
        let pane = try TmuxPane(
            columns: kind.columns, rows: kind.rows, environment: kind.environment, daemon: daemon, "daybreak start")
        var album = ApprovedScreens(kind.name)
        album.compare("welcome back", pane, colours: true)
        pane.type("Space")
        album.compare("breathed in", pane, colours: true)
        daemon.stage.flow = Sample.flow(exercise: Sample.exercise(paused: true))
        pane.type("Space")
        album.compare("paused", pane, colours: true)
        album.close()
    }

    @Test(arguments: [(80, 24), (40, 12)])
    func `moods in wide letters and with combining marks are aligned`(columns: Int, rows: Int) throws {
        var assignment = Sample.assignment("inProgress")
        assignment.moods = ["calm", "穏やか", "e\u{301}puise\u{301}", "😊 froh", "i\u{308}\u{301}", "편안함", "мирно"]
        let daemon = StagedDaemon(
            StagedDaemon.Stage(
                status: Sample.status(Sample.flow("mood")), assignment: assignment, flow: Sample.flow("mood")))
        let pane = try TmuxPane(
            columns: columns, rows: rows, environment: Self.plain, daemon: daemon, "daybreak start")
        var album = ApprovedScreens("moods \(columns)x\(rows)")
        album.compare("the moods", pane)
        pane.type("é")
        album.compare("by its first letter", pane)
        pane.type("м", "Enter")
        album.compare("log it?", pane)
        pane.type("x", "Down", "Down", "Enter")
        album.compare("in wide letters", pane)
        album.close()
    }

    @Test func `a resized screen is drawn at once in its new size`() throws {
        let daemon = StagedDaemon(
            StagedDaemon.Stage(
                status: Sample.status(Sample.flow("waiting")), assignment: Sample.assignment("inProgress"),
                notes: ["sleep was better"]))
        let pane = try TmuxPane(columns: 80, rows: 24, environment: Self.plain, daemon: daemon, "daybreak start")
        var album = ApprovedScreens("resized")
        album.compare("80x24", pane)
        for (columns, rows) in [(40, 12), (24, 6), (200, 60), (80, 24)] {
            pane.resize(columns: columns, rows: rows)
            album.compare("\(columns)x\(rows)", pane)
        }
        album.close()
    }
}
