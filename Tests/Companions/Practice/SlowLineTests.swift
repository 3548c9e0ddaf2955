import Foundation
import PracticeInterfaces
import Testing

@testable import Companion

/// The screens over a line that is slow: what is typed is seen at once, and nothing comes twice.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
struct `A terminal over a slow line` {
    private let line: FaultyLine

    init() throws { line = try FaultyLine() }

    private func chat(_ side: FaultyLine.Side) throws -> TmuxPane {
        let pane = try line.pane(side, "chat '\(side.other.name)'")
        pane.waits { pane.ends(with: "Ctrl-G keys · PgUp earlier · Esc leaves\n>") }
        return pane
    }

    /// The picture, with one time for all.
    private func picture(_ pane: TmuxPane) -> String {
        pane.picture().replacing(#/\b[0-9]{2}:[0-9]{2}\b/#, with: "09:00")
    }

    private func wait(_ pane: TmuxPane, for end: String, line: SourceLocation = #_sourceLocation) {
        pane.waits { self.picture(pane).trimmingCharacters(in: .newlines).hasSuffix(end) }
        #expect(
            self.picture(pane).trimmingCharacters(in: .newlines).hasSuffix(end), "\(pane.picture())",
            sourceLocation: line)
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `typed text is seen while the line carries nothing, and is sent once`(side: FaultyLine.Side) throws {
        let pane = try chat(side)
        try line.carries(.held)
        for character in ["A", "t", "Space", "t", "e", "n", "?"] { pane.type(character) }
        wait(pane, for: "> At ten?")
        pane.type("Enter")
        wait(pane, for: "   At ten?  (on its way)\nCtrl-G keys · PgUp earlier · Esc leaves\n>")
        pane.paste("Or at\neleven?")
        wait(pane, for: "> Or at\n  eleven?")
        pane.type("Enter")
        wait(
            pane,
            for: "   At ten?  (on its way)\n   Or at eleven?  (on its way)\nCtrl-G keys · PgUp earlier · Esc leaves\n>")
        try line.carries(.quick)
        wait(
            pane,
            for: "   At ten?\n   Or at\n   eleven?\nCtrl-G keys · PgUp earlier · Esc leaves\n>")
        #expect(try line.texts() == ["At ten?", "Or at\neleven?"])
    }

    /// - Parameter end: what leaves, typed or as a signal.
    @Test(arguments: FaultyLine.Side.allCases, ["C-c", "TERM"])
    func `a letter that does not come is left`(side: FaultyLine.Side, end: String) throws {
        let other = try line.connection(side.other.id)
        _ = try other.call(Mail.Send(to: [side.person], subject: "Friday", body: "At ten.", key: "k"))
        let pane = try line.pane(side, "mail")
        pane.waits { pane.picture().contains("Friday") }
        try line.carries(.held)
        pane.type("Enter")
        pane.waits { pane.picture().contains("No answer yet. Ctrl-C leaves.") }
        // A key waits for the answer; only the end does not.
        pane.type("Down")
        if end == "C-c" {
            pane.type(end)
        } else {
            let terminal = pane.says("#{pane_tty}").replacing("/dev/", with: "")
            try Process.run(
                URL(filePath: "/usr/bin/pkill"), arguments: ["-TERM", "-t", terminal, "-x", side.companion]
            ).waitUntilExit()
        }
        pane.waits { pane.picture().contains(end == "C-c" ? "= 130" : "= 143") }
        #expect(pane.says("#{alternate_on} #{cursor_flag} #{wrap_flag}") == "0 1 1")
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a message in pieces is shown whole, and once`(side: FaultyLine.Side) throws {
        let other = try line.connection(side.other.id)
        let room = try other.call(Chat.OpenDirect(person: side.person)).room.id
        for number in 1...3 { _ = try other.call(Chat.Send(room: room, text: "Before \(number)")) }
        try line.carries(.pieces(7))
        let pane = try line.pane(side, "chat '\(side.other.name)'")
        wait(pane, for: "   Before 3\nCtrl-G keys · PgUp earlier · Esc leaves\n>")
        for number in 1...3 {
            pane.type("-l", "Mine \(number)")
            pane.type("Enter")
            _ = try other.call(Chat.Send(room: room, text: "Theirs \(number)"))
            pane.waits { ["   Mine \(number)\n", "   Theirs \(number)\n"].allSatisfy(pane.picture().contains) }
        }
        try line.carries(.quick)
        pane.resize(columns: 60, rows: 40)
        pane.waits { pane.says("#{pane_height}") == "40" && pane.picture().contains("Before 1") }
        let lines = pane.picture().split(separator: "\n").map(String.init)
        for text in ["Before", "Mine", "Theirs"].flatMap({ text in (1...3).map { "   \(text) \($0)" } }) {
            #expect(lines.count { $0 == text } == 1, "\(text) in\n\(pane.picture())")
        }
    }

    @Test func `a letter is read over a line that carries pieces`() throws {
        let body = (1...40).map { "Line \($0) of the letter." }.joined(separator: "\n")
        _ = try line.connection("p3").call(Mail.Send(to: ["p2"], subject: "One", body: body))
        try line.carries(.pieces(11))
        let pane = try line.pane(.practice, "mail", columns: 80, rows: 12)
        pane.waits { pane.picture().contains("One – Line 1 of the letter.") }
        pane.type("Enter")
        pane.waits { pane.picture().contains("\n  Line 1 of the letter.\n") }
        // Keys that are pressed ahead are not lost, and none counts twice.
        pane.type("Space", "Space")
        pane.waits { pane.picture().contains("\n  Line 17 of the letter.\n") }
        pane.type("i", "q")
        pane.waits { pane.ends(with: "= 0") }
        #expect(pane.ends(with: "= 0"))
    }
}
