import Foundation
import PracticeInterfaces
import Testing

@testable import Companion

/// The screen to read letters in, over a line that fails: the fault is shown whole, and what was written is kept.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
struct `Letters that fail on the screen` {
    private let line: FaultyLine

    init() throws { line = try FaultyLine() }

    /// Writes a letter to that person on the screen, and sends it.
    private func writes(_ side: FaultyLine.Side, to name: String) throws -> TmuxPane {
        let pane = try line.pane(side, "mail", columns: 40, rows: 20)
        pane.waits { pane.ends(with: "c…") }
        pane.type("m")
        pane.fill([("To:", name), ("Subject:", "Friday"), ("Urgent?", "n"), ("edits it again:", "")])
        return pane
    }

    /// The last lines of the picture, as one.
    private func notice(_ pane: TmuxPane) -> String {
        pane.picture().split(separator: "\n").drop { !$0.hasPrefix("  There is nothing here.") }.dropFirst()
            .joined(separator: " ")
    }

    /// - Parameter notice: its end; before it may stand why the practice cannot be reached.
    private func shows(_ notice: String, in pane: TmuxPane, line: SourceLocation = #_sourceLocation) {
        pane.waits { self.notice(pane).hasSuffix(notice) }
        #expect(self.notice(pane).hasSuffix(notice), "\(pane.picture())", sourceLocation: line)
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a letter is sent once if the connection goes once`(side: FaultyLine.Side) throws {
        try line.fail("lost after", at: "Mail.Send")
        shows("Sent to \(side.other.name).", in: try writes(side, to: side.other.name))
        #expect(try line.letters(side.other.id, "inbox") == ["Friday"])
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a letter of which nobody knows whether it was sent is said to be so, on the screen too`(
        side: FaultyLine.Side
    ) throws {
        try line.fail("lost after", at: "Mail.Send", times: 2)
        let pane = try writes(side, to: side.other.name)
        shows("It is not known whether the letter was sent. If not, it is draft 1.", in: pane)
        #expect(try line.letters(side.other.id, "inbox") == ["Friday"])
        // The line is there again.
        pane.type("c", "Down", "Enter")
        pane.waits { pane.picture().hasPrefix(" Sent · 1 letter\n") }
        #expect(pane.picture().hasPrefix(" Sent · 1 letter\n"))
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a text that the practice did not get is said to be in its file, on the screen too`(
        side: FaultyLine.Side
    ) throws {
        try line.fail("lost before", at: "Mail.SaveDraft", times: 2)
        let pane = try line.pane(side, "mail", columns: 200, rows: 20)
        pane.waits { pane.ends(with: "q leaves") }
        pane.type("m")
        pane.fill([("To:", side.other.name), ("Subject:", "Friday"), ("Urgent?", "n")])
        pane.waits { self.notice(pane).hasSuffix("the next time.") }
        let file = try #require(try line.kept(side).first)
        shows(
            "What was written is kept in \(file.path) until you log out or switch this machine off, "
                + "and is offered again the next time.", in: pane)
        #expect(file.text == "At ten?\n")
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a letter to somebody who is retired meanwhile is kept as a draft, and the screen says so`(
        side: FaultyLine.Side
    ) throws {
        try line.meanwhile(
            at: "Mail.Send", "p1", "org.daybreak.Practice.RetireStaff", ["person": "p4", "revision": 1])
        shows(
            "You cannot write to Sofia Vega. Clients write to their therapist and the practice's support, while the "
                + "record is open; those who work here write to each other and to their clients. What was written is "
                + "kept as draft 1: `mail write --draft 1` goes on with it.",
            in: try writes(side, to: "Sofia Vega"))
        #expect(try line.letters(side.person, "drafts") == ["Friday"])
    }

    @Test func `a letter is not deleted twice if the connection goes`() throws {
        _ = try line.connection("p3").call(Mail.Send(to: ["p2"], subject: "One", body: "Hello."))
        let pane = try line.pane(.practice, "mail", columns: 80, rows: 12)
        pane.waits { pane.picture().contains("One – Hello.") }
        try line.fail("lost after", at: "Mail.Delete")
        pane.type("d")
        shows("The practice was out of reach for a moment. Look whether the letter is still here.", in: pane)
        #expect(try line.letters("p2", "bin") == ["One"])
    }

    @Test func `a letter is opened although the connection went`() throws {
        _ = try line.connection("p3").call(Mail.Send(to: ["p2"], subject: "One", body: "Hello."))
        let pane = try line.pane(.practice, "mail", columns: 80, rows: 12)
        pane.waits { pane.picture().contains("One – Hello.") }
        try line.fail("lost before", at: "Mail.Get")
        pane.type("Enter")
        pane.waits { pane.picture().contains("\n  Hello.\n") }
        #expect(pane.ends(with: "\nr answers · d deletes · s moves · j older · k newer · i list"))
    }
}
