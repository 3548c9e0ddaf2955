import Foundation
import PracticeInterfaces
import Testing

@testable import Companion
@testable import Messages
@testable import PracticeCompanion

/// Ana, a therapist, and Cleo, her client, each in a terminal of their own, over a real practice.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
struct `Two people talk in terminals` {
    private let practice: RealPractice
    /// The last line but one, where there is nothing else to tell.
    private static let hint = "Ctrl-G keys · PgUp earlier · Esc leaves"

    init() throws {
        practice = try RealPractice()
        try practice.begin(isMadeUp: true)
        try practice.says("client", "add", "--name", "Cleo Vidal")
    }

    private func pane(
        of person: String, _ arguments: String, columns: Int = 40, rows: Int = 12, terminal: String? = nil
    ) throws -> TmuxPane {
        practice.plays(person)
        return try practice.pane(arguments, columns: columns, rows: rows, terminal: terminal)
    }

    /// The picture, with one time for all.
    private func picture(_ pane: TmuxPane) -> String {
        pane.picture().replacing(#/\b[0-9]{2}:[0-9]{2}\b/#, with: "09:00")
    }

    private func wait(_ pane: TmuxPane, for picture: String, line: SourceLocation = #_sourceLocation) {
        pane.waits { self.picture(pane) == picture }
        #expect(self.picture(pane) == picture, sourceLocation: line)
    }

    @Test func `each sees that the other comes, types, says something, and leaves`() throws {
        let ana = try pane(of: "p2", "chat Cleo")
        wait(
            ana,
            for: """
                 Cleo Vidal
                  Nothing was said here yet.








                \(Self.hint)
                >
                """)
        let cleo = try pane(of: "p3", "chat Ana")
        ana.waits { ana.picture().hasPrefix(" Cleo Vidal · online\n") }
        cleo.type("-l", "At ten?")
        wait(
            ana,
            for: """
                 Cleo Vidal · online
                  Nothing was said here yet.








                Cleo Vidal types…
                >
                """)
        wait(
            cleo,
            for: """
                 Ana Ruiz · online
                  Nothing was said here yet.









                > At ten?
                """)
        cleo.type("Enter")
        wait(
            ana,
            for: """
                 Cleo Vidal · online





                 — Today —

                 09:00 Cleo Vidal
                   At ten?
                \(Self.hint)
                >
                """)
        wait(
            cleo,
            for: """
                 Ana Ruiz · online





                 — Today —

                 09:00 Cleo Vidal
                   At ten?
                \(Self.hint)
                >
                """)
        #expect(!ana.picture(colours: true).contains(#/\e\[[0-9;]*[34][0-8]/#))
        cleo.type("C-c")
        cleo.waits { cleo.ends(with: "= 0") }
        #expect(cleo.picture().trimmingCharacters(in: .newlines) == "= 0")
        #expect(try practice.connection(as: "p2").call(Chat.ListRooms()).rooms.map(\.unread) == [0])
    }

    @Test func `a paste stands in the line with its breaks, and is sent as one message`() throws {
        let ana = try pane(of: "p2", "chat Cleo")
        ana.waits { ana.ends(with: ">") }
        ana.paste("Friday at ten, in front of the house.\nOr at eleven.")
        wait(
            ana,
            for: """
                 Cleo Vidal
                  Nothing was said here yet.








                > Friday at ten, in front of the house.
                  Or at eleven.
                """)
        ana.type("Enter")
        ana.waits { ana.ends(with: "Or at eleven.\n\(Self.hint)\n>") }
        let said = try practice.connection(as: "p3").call(Chat.ListRooms()).rooms.first?.last
        #expect(said?.text == "Friday at ten, in front of the house.\nOr at eleven.")
    }

    @Test func `a message that is written while the practice is away is sent once when it is there again`() throws {
        let (ana, cleo) = (try pane(of: "p2", "chat Cleo"), try pane(of: "p3", "chat Ana"))
        for pane in [ana, cleo] { pane.waits { pane.picture().contains("· online\n") } }
        ana.type("-l", "Before.")
        ana.type("Enter")
        cleo.waits { cleo.picture().contains("   Before.\n") }
        try practice.withoutDaemon {
            ana.waits { ana.picture().hasPrefix(" Out of reach, trying again · Cleo Vidal\n") }
            ana.type("-l", "Meanwhile.")
            ana.type("Enter")
            ana.waits { ana.picture().contains("   Meanwhile.  (waits)\n") }
        }
        for (pane, other) in [(ana, "Cleo Vidal"), (cleo, "Ana Ruiz")] {
            pane.waits {
                let picture = self.picture(pane)
                return picture.contains("   Meanwhile.\n\(Self.hint)") && picture.hasPrefix(" \(other) · online\n")
            }
            let picture = picture(pane)
            #expect(picture.split(separator: "   Before.\n", omittingEmptySubsequences: false).count == 2, "\(picture)")
            #expect(
                picture.split(separator: "   Meanwhile.\n", omittingEmptySubsequences: false).count == 2, "\(picture)")
        }
    }

    @Test func `history comes as one scrolls up, to its beginning`() throws {
        let connection = try practice.connection(as: "p3")
        let room = try connection.call(Chat.OpenDirect(person: "p2")).room.id
        for number in 1...170 { _ = try connection.call(Chat.Send(room: room, text: "Message \(number)")) }
        let ana = try pane(of: "p2", "chat Cleo", columns: 200, rows: 60)
        ana.waits { ana.ends(with: "Message 170\nCtrl-G keys · PgUp earlier · Esc leaves\n>") }
        while !["   Message 1\n", "— Today —"].allSatisfy(ana.picture().contains) {
            let before = ana.picture()
            ana.type("PageUp")
            try #require(ana.waits { ana.picture() != before }, "\(before)")
        }
        ana.settles()
        let lines = picture(ana).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.prefix(6).map(String.init) == [
                " Cleo Vidal", "", " — Today —", "", " 09:00 Cleo Vidal", "   Message 1",
            ])
        #expect(lines.suffix(2).map(String.init) == ["↓ or PgDn goes on.", ">"])
        // A message that comes meanwhile does not move the lines.
        _ = try connection.call(Chat.Send(room: room, text: "New"))
        ana.waits { ana.picture().contains("1 new message below: ↓ or PgDn.") }
        #expect(ana.picture().contains("   Message 1\n"))
        ana.resize(columns: 40, rows: 12)
        ana.waits { ana.says("#{pane_width}") == "40" && ana.picture().hasPrefix(" Cleo Vidal\n") }
        while !ana.picture().contains("   New\n\(Self.hint)") {
            let before = ana.picture()
            ana.type("PageDown")
            try #require(ana.waits { ana.picture() != before }, "\(before)")
        }
        ana.waits { (try? practice.connection(as: "p2").call(Chat.ListRooms()).rooms.map(\.unread)) == [0] }
    }

    @Test func `a message that was refused is kept, also for the next time`() throws {
        let ana = try pane(of: "p2", "chat Cleo", columns: 80, rows: 12)
        ana.waits { ana.ends(with: ">") }
        try practice.says("client", "close", "1", "--reason", "All is said.")
        ana.type("-l", "Still there?")
        ana.type("Enter")
        ana.waits { ana.picture().contains("   Not sent: You cannot write to Cleo Vidal. ") }
        ana.type("C-c")
        let end =
            "What you wrote to Cleo Vidal is not sent. It is kept until you log out or switch this machine off, and is there "
            + "again the next time.\n= 0"
        ana.waits { ana.ends(with: "= 0") }
        #expect(
            ana.picture().replacing("\n", with: " ").trimmingCharacters(in: .whitespaces)
                == end.replacing("\n", with: " "))
        #expect(try practice.drafts().count == 1)
        try practice.says("client", "reopen", "1", "--mistake", "--reason", "Not all.")
        let again = try pane(of: "p2", "chat Cleo", columns: 80, rows: 12)
        again.waits { again.ends(with: "You wrote this the last time, and it was not sent.\n> Still there?") }
        again.type("Enter")
        again.waits { again.ends(with: "   Still there?\nCtrl-G keys · PgUp earlier · Esc leaves\n>") }
        again.type("C-c")
        again.waits { again.ends(with: "= 0") }
        #expect(try practice.drafts().isEmpty)
    }

    @Test(arguments: ["TERM", "HUP"]) func `a window that is closed keeps what was not sent`(signal: String) throws {
        let ana = try pane(of: "p2", "chat Cleo", columns: 80, rows: 12)
        ana.waits { ana.ends(with: ">") }
        ana.type("-l", "Half a line")
        ana.waits { ana.ends(with: "> Half a line") }
        // Another window of the room is left with a text of its own.
        let other = try pane(of: "p2", "chat Cleo", columns: 80, rows: 12)
        other.waits { other.ends(with: ">") }
        other.type("-l", "Another one")
        other.waits { other.ends(with: "> Another one") }
        other.type("C-c")
        other.waits { other.ends(with: "= 0") }
        try ana.send(signal: signal, to: "practice")
        ana.waits { ana.ends(with: "= \(signal == "TERM" ? 143 : 129)") }
        let again = try pane(of: "p2", "chat Cleo", columns: 80, rows: 12)
        again.waits { again.ends(with: "Half a line") }
        #expect(again.picture().contains("Another one"))
        // It stays until it is sent or taken out.
        try again.send(signal: signal, to: "practice")
        again.waits { again.picture().contains("= ") }
        #expect(try practice.drafts().count == 1)
        let last = try pane(of: "p2", "chat Cleo", columns: 80, rows: 12)
        last.waits { last.ends(with: "Half a line") }
        last.type("C-u")
        last.waits { last.ends(with: ">") }
        last.type("C-c")
        last.waits { last.ends(with: "= 0") }
        #expect(try practice.drafts().isEmpty)
    }

    @Test func `in plain lines, a text of an earlier time is a message of its own`() throws {
        let connection = try practice.connection(as: "p2")
        let room = try connection.call(Chat.OpenDirect(person: "p3")).room.id
        let first = try pane(of: "p3", "chat Ana", columns: 80, rows: 12)
        first.waits { first.ends(with: ">") }
        first.type("-l", "I am late")
        first.waits { first.ends(with: "> I am late") }
        first.type("C-c")
        first.waits { first.ends(with: "= 0") }
        let cleo = try pane(of: "p3", "chat Ana --plain", columns: 80, rows: 24)
        cleo.waits { cleo.ends(with: "I am late") }
        cleo.type("-l", "Hello")
        cleo.type("Enter")
        cleo.waits { cleo.ends(with: "Cleo Vidal: Hello") }
        cleo.type("Enter")
        cleo.waits { cleo.ends(with: "Cleo Vidal: I am late") }
        #expect(try connection.call(Chat.Messages(room: room)).messages.map(\.text) == ["Hello", "I am late"])
        cleo.type("C-c")
        cleo.waits { cleo.ends(with: "= 130") }
        #expect(try practice.drafts().isEmpty)
    }

    @Test func `a name that is nobody's is refused before a text is typed`() throws {
        let ana = try pane(of: "p2", "chat send Cleoo -", columns: 80)
        ana.waits { ana.ends(with: "= 1") }
        #expect(ana.picture().contains("There is no room or person"))
    }

    @Test func `a text for a room that is deleted meanwhile is kept, and its place is said`() throws {
        let connection = try practice.connection(as: "p2")
        let room = try connection.call(Chat.CreateRoom(name: "Garden", members: ["p3"])).room.id
        let cleo = try pane(of: "p3", "chat Garden", columns: 100)
        cleo.waits { cleo.ends(with: ">") }
        cleo.type("-l", "I am late")
        cleo.waits { cleo.ends(with: "> I am late") }
        _ = try connection.call(Chat.DeleteRoom(room: room))
        cleo.waits { cleo.picture().contains("deleted this room.") }
        cleo.type("C-c")
        cleo.waits { cleo.ends(with: "= 0") }
        let file = try #require(try practice.drafts().first)
        #expect(
            cleo.picture().replacing("\n", with: "").contains(
                "What you wrote to Garden is not sent, and you are not there any more. It is kept in"), "\(file)")
    }

    @Test func `in plain lines, a line without an end is not sent, but kept`() throws {
        let ana = try pane(of: "p2", "chat Cleo --plain", columns: 80, rows: 24)
        ana.waits { ana.picture().contains("An empty line leaves.") }
        ana.type("-l", "I am not")
        ana.type("C-d")
        ana.type("C-d")
        ana.waits { ana.ends(with: "= 0") }
        #expect(ana.picture().contains("is not sent."))
        #expect(try practice.drafts().count == 1)
    }

    @Test func `in plain lines, a text that is too long for a message stays in its file`() throws {
        practice.plays("p2")
        let text = String(repeating: "All of it. ", count: 2_000)
        #expect(try practice.run("chat", "send", "Cleo Vidal", "-", input: text).status == 1)
        let ana = try pane(of: "p2", "chat Cleo --plain", columns: 80, rows: 24)
        ana.waits { ana.picture().contains("All of it.") }
        ana.type("Enter")
        ana.type("-l", "Hello")
        ana.type("Enter")
        ana.waits { ana.picture().contains("Ana Ruiz: Hello") }
        ana.type("C-c")
        ana.waits { ana.ends(with: "= 130") }
        #expect(try practice.drafts().count == 1)
    }

    @Test func `a text of an earlier time that is on its way does not come back into the line`() throws {
        let first = try pane(of: "p2", "chat Cleo")
        first.waits { first.ends(with: ">") }
        first.type("-l", "Meanwhile.")
        first.waits { first.ends(with: "> Meanwhile.") }
        first.type("C-c")
        first.waits { first.ends(with: "= 0") }
        let ana = try pane(of: "p2", "chat Cleo")
        ana.waits { ana.ends(with: "> Meanwhile.") }
        try practice.withoutDaemon {
            ana.waits { ana.picture().hasPrefix(" Out of reach, trying again · Cleo Vidal\n") }
            ana.type("Enter")
            ana.waits { ana.picture().contains("   Meanwhile.  (waits)\n") }
        }
        ana.waits { ana.picture().contains("   Meanwhile.\n") && ana.ends(with: ">") }
        #expect(ana.ends(with: ">"))
        ana.type("C-c")
        ana.waits { ana.ends(with: "= 0") }
        #expect(try practice.drafts().isEmpty)
    }

    @Test(arguments: ["chat Ana --plain", "chat Ana"]) func `in plain lines`(_ arguments: String) throws {
        let connection = try practice.connection(as: "p2")
        let room = try connection.call(Chat.OpenDirect(person: "p3")).room.id
        _ = try connection.call(Chat.Send(room: room, text: "At ten?\nOr later?"))
        let cleo = try pane(
            of: "p3", arguments, columns: 80, rows: 24, terminal: arguments.hasSuffix("plain") ? nil : "dumb")
        cleo.waits { cleo.ends(with: "later?") }
        cleo.type("-l", "At ten.")
        cleo.type("Enter")
        cleo.waits { cleo.ends(with: "Cleo Vidal: At ten.") }
        _ = try connection.call(Chat.Send(room: room, text: "Good."))
        cleo.waits { cleo.ends(with: "Ana Ruiz: Good.") }
        cleo.type("Enter")
        cleo.waits { cleo.ends(with: "= 0") }
        #expect(
            picture(cleo).trimmingCharacters(in: .newlines) == """
                What you type is sent to Ana Ruiz. An empty line leaves.
                09:00, Ana Ruiz: At ten? Or later?
                At ten.
                09:00, Cleo Vidal: At ten.
                09:00, Ana Ruiz: Good.

                = 0
                """)
    }
}
