import Foundation
import Glibc
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

    @Test func `it is offered again after the editor crashed, and removed after it was sent`() throws {
        let (practice, editor) = try practice()
        _ = FileManager.default.createFile(atPath: practice.folder + "/broken", contents: nil)
        let pane = try practice.pane("client close 1", editor: editor)
        pane.fill([("Reason", ""), ("which has kept 1 line", nil)])
        let file = practice.folder + "/practice-drafts/" + (try practice.drafts()[0])
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "Moved to Lugo.\n")
        let shown = pane.picture().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            shown.contains(/A text that was not sent is kept: today at [0-9:]+, for Cleo Santos: “Moved to Lugo\.”/),
            "\(shown)")
        pane.fill([("which has kept 1 line", ""), ("Enter closes it", "")])
        pane.waits { pane.ends(with: "= 0") }
        #expect(
            pane.ends(with: "The record of Cleo Santos is closed. `practice client reopen 1` opens it again.\n= 0"),
            "\(pane.picture())")
        #expect(try practice.drafts() == [])
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

    @Test func `it is not offered in another practice, whose client has the same number and name`() throws {
        let (practice, editor) = try practice()
        let (other, _) = try self.practice()
        _ = FileManager.default.createFile(atPath: practice.folder + "/broken", contents: nil)
        let pane = try practice.pane("client close 1", editor: editor)
        pane.fill([("Reason", ""), ("which has kept 1 line", nil)])
        let elsewhere = try other.pane("client close 1", editor: editor, runtime: practice.folder)
        elsewhere.fill([("Reason", nil)])
        #expect(!elsewhere.picture().contains("kept"), "\(elsewhere.picture())")
        elsewhere.fill([("", ""), ("Enter closes it", "")])
        elsewhere.waits { elsewhere.ends(with: "= 0") }
        #expect(try practice.drafts().count == 1)
    }

    @Test func `it is removed after a line was sent in its place`() throws {
        let (practice, editor) = try practice()
        _ = FileManager.default.createFile(atPath: practice.folder + "/broken", contents: nil)
        let pane = try practice.pane("client close 1", editor: editor)
        pane.fill([("Reason", ""), ("which has kept 1 line", "Moved to Vigo."), ("Enter closes it", "")])
        pane.waits { pane.ends(with: "= 0") }
        #expect(try practice.drafts() == [])
    }

    /// A therapist closes, and an administrator erases: root plays both.
    @Test(.enabled(if: geteuid() == 0, "only root may erase a record"))
    func `an erasure removes those about the client, and no others`() throws {
        let (practice, editor) = try practice()
        try practice.says("client", "add", "--name", "Dora Rey")
        try practice.says("client", "close", "1", "--reason", "Moved.")
        for verb in ["client reopen 1 --mistake", "client close 2"] {
            _ = FileManager.default.createFile(atPath: practice.folder + "/broken", contents: nil)
            let pane = try practice.pane(verb, editor: editor)
            pane.fill([("Reason", ""), ("which has kept 1 line", "")])
        }
        let others = try practice.drafts().filter { $0.hasPrefix("client-close.") }
        #expect(try practice.drafts().count == 2 && others.count == 1)
        practice.plays("Olga")
        let said = try practice.says("client", "erase", "1", "--number", "1", "--reason", "Over.")
        #expect(
            said.hasSuffix(
                """
                1 text that you had begun and not sent: removed.
                Texts that others have begun and not sent stay on their machines until they log out or, with lingering, \
                until the machine is switched off: in the folder practice-drafts of their runtime folder, or in \
                /tmp/practice-drafts-UID.

                """), "\(said)")
        #expect(try practice.drafts() == others)
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

@Test func `a draft's name tells practices, writers, clients and purposes apart`() {
    func name(
        _ kind: String = "session-add", about client: String = "p71", for reader: String = "Dario",
        at place: String = "/a",
        in practice: String = "Clinic", by person: [String] = ["p2", "Ana"]
    ) -> String {
        LongText(kind, about: client, for: reader, by: .init(at: place, in: practice, person)).name
    }
    let names = [
        name(), name("session-void"), name(about: "p7"), name(for: "Rosa"), name(at: "/b"), name(in: "Practice"),
        name(by: ["p3", "Ana"]), name(by: ["p2", "Ben"]), name(by: []),
    ]
    #expect(Set(names).count == names.count)
    #expect(name() == name())
    #expect(!name(about: "../p71").contains("/"))
}
