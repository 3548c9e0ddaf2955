import DaybreakInterfaces
import Foundation
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// The wait room with a real daemon, while the client writes a note in another window.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot)) struct WaitRoomTests {
    /// The time of the client's arrival in the wait room, as the screen shows it.
    private func since(_ daemon: RealDaemon) throws -> String {
        let status = try ProgramTests.run(["status", "--json"], socket: daemon.path, environment: daemon.surroundings)
        let reply: Homework.GetStatus.Reply = Sample.decode(status.output)
        return String(try #require(reply.status.flow).since.dropFirst(11).prefix(5))
    }

    @Test func `a note that is written in another window is shown at once`() throws {
        let daemon = try RealDaemon(
            settings: "[breathing]\npattern = \"1-0-1-0\"\n", schedule: #"[[1, "calm, tired", "TODAY"]]"#)
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: daemon.surroundings.merging(["NO_COLOR": "1"]) { $1 },
            "daybreak start")
        pane.waits { pane.picture().contains("begins") }
        pane.type("Space")
        var album = ApprovedScreens("the wait room")
        album.compare("the last breath", pane)
        pane.type("Space")
        let noon = try since(daemon)
        album.compare("no notes", pane, noon: noon)
        let note = try ProgramTests.run(
            ["note", "Ask about sleep"], socket: daemon.path, environment: daemon.surroundings)
        #expect(note.status == 0)
        album.compare("a note", pane, noon: noon)
        pane.type("n", "dreams", "Enter")
        album.compare("one more", pane, noon: noon)
        album.close()
    }
}
