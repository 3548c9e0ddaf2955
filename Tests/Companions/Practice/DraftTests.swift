import Foundation
import Testing

@testable import Companion
@testable import PracticeCompanion

/// Long texts, written in an editor that a test plays.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
struct `A text that is written in an editor` {
    /// A practice with a client, and an editor that adds a line. If a file `broken` exists, the editor then fails.
    private func practice() throws -> (RealPractice, editor: String) {
        let practice = try RealPractice()
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo Santos")
        let editor = practice.folder + "/editor"
        try """
        echo "Moved to Lugo." >> "$1"
        [ -e \(practice.folder)/broken ] || exit 0
        rm \(practice.folder)/broken
        kill -9 $$
        """.write(toFile: editor, atomically: true, encoding: .utf8)
        return (practice, "sh \(editor)")
    }

    private func drafts(_ practice: RealPractice) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: practice.folder + "/practice-drafts")
    }

    @Test func `it is offered again after the editor crashed, and removed after it was sent`() throws {
        let (practice, editor) = try practice()
        _ = FileManager.default.createFile(atPath: practice.folder + "/broken", contents: nil)
        let pane = try practice.pane("client close 1", editor: editor)
        pane.fill([("Reason", ""), ("which has kept 1 line", nil)])
        let file = practice.folder + "/practice-drafts/" + (try drafts(practice)[0])
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "Moved to Lugo.\n")
        pane.fill([("which has kept 1 line", ""), ("Enter closes it", "")])
        pane.waits { pane.ends(with: "= 0") }
        #expect(
            pane.ends(with: "The record of Cleo Santos is closed. `practice client reopen 1` opens it again.\n= 0"),
            "\(pane.picture())")
        #expect(try drafts(practice) == [])
    }

    @Test func `it is offered again after practice ended`() throws {
        let (practice, editor) = try practice()
        let pane = try practice.pane("client close 1", editor: editor)
        pane.fill([("Reason", ""), ("Enter closes it", nil)])
        pane.type("C-c")
        pane.waits { pane.ends(with: "= 1") }
        #expect(pane.ends(with: "Nothing was changed.\n= 1"))
        let again = try practice.pane("client close 1", editor: editor)
        again.fill([("which has kept 1 line", nil)])
    }

    @Test func `a text from standard input needs no editor`() throws {
        let (practice, _) = try practice()
        let closed = try practice.run("client", "close", "1", "--reason", "-", input: "Moved to Lugo.\n")
        #expect(
            closed
                == ProgramTests.Run(
                    output: "The record of Cleo Santos is closed. `practice client reopen 1` opens it again.\n"))
    }
}
