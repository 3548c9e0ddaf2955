import Foundation
import PracticeInterfaces
import Testing

@testable import Companion
@testable import Messages
@testable import PracticeCompanion

/// Rooms on the command line, from the real practice. The times are the machine's own, so they are left out.
@Suite struct `Rooms on the command line` {
    /// Ana, a therapist, who calls; her client Cleo.
    private func practice() throws -> RealPractice {
        let practice = try RealPractice()
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo Vidal")
        return practice
    }

    private func withoutTime(_ text: String) -> String {
        text.replacing(#/ *\b[0-9]{2}:[0-9]{2}\b/#, with: "")
    }

    @Test func `somebody is talked to by their name, and what was said is read again`() throws {
        let practice = try practice()
        #expect(try practice.says("chat") == "  You are in no room yet. `practice chat send NAME TEXT` begins one.\n")
        #expect(try practice.says("chat", "send", "cleo vidal", "At", "ten?") == "Sent to Cleo Vidal.\n")
        #expect(
            try practice.says("chat", "send", "Cleo Vidal", "-", input: "Or\n\n\tat eleven?\n")
                == "Sent to Cleo Vidal.\n")
        #expect(
            withoutTime(try practice.says("chat", "history", "Cleo")) == """
                  Cleo Vidal

                  Today
                  Ana Ruiz  (3)
                    At ten?
                  Ana Ruiz  (4)
                    Or

                        at eleven?

                """)
        #expect(try practice.says("chat", "unsend", "3") == "The message is deleted.\n")
        let history = try practice.says("chat", "history", "Cleo", "--limit", "1", "--before", "4")
        #expect(
            withoutTime(history) == """
                  Cleo Vidal

                  Today
                  Ana Ruiz  (3)
                    deleted

                """)
        #expect(
            withoutTime(try practice.says("chat")) == """
                  Room        Newest message           When
                  Cleo Vidal  Ana Ruiz: Or at eleven?

                  `practice chat history NAME` shows what was said.

                """)
    }

    @Test func `a room is made, filled, renamed, left and deleted`() throws {
        let practice = try practice()
        #expect(
            try practice.says("chat", "create", "Garden", "Cleo", "--open")
                == "The room Garden is there, with 2 members.\n")
        #expect(try practice.says("chat", "add", "garden", "Olga") == "Olga is in Garden.\n")
        #expect(
            try practice.says("chat", "members", "garden") == """
                  Garden · 3 members

                      Name
                  p2  Ana Ruiz
                  p3  Cleo Vidal
                  p1  Olga

                """)
        #expect(try practice.says("chat", "remove", "garden", "olga") == "Olga is in Garden no longer.\n")
        #expect(try practice.says("chat", "rename", "garden", "Park") == "The room is called Park now.\n")
        #expect(try practice.says("chat", "mute", "park") == "You are not told of Park any more.\n")
        #expect(
            try practice.says("chat") == """
                  Room  There
                  Park  2 members, muted

                  `practice chat history NAME` shows what was said.

                """)
        #expect(try practice.says("chat", "unmute", "park") == "You are told of Park again.\n")
        #expect(try practice.says("chat", "leave", "park") == "You are in Park no longer.\n")
        #expect(
            try practice.says("chat", "list", "--joinable") == """
                  Room  There
                  Park  1 member

                  `practice chat join NAME` takes you in.

                """)
        #expect(try practice.says("chat", "join", "park") == "You are in Park, with 1 other.\n")
        #expect(try practice.says("chat", "delete", "park") == "The room Park is gone.\n")
        #expect(
            try practice.run("chat", "history", "r1")
                == .init(error: "There is no room “r1” of yours (any more). `practice chat` lists them.\n", status: 1))
    }

    @Test func `refusals say what to do`() throws {
        let practice = try practice()
        try practice.says("chat", "send", "Cleo Vidal", "At ten?")
        for (words, sentence) in [
            (["leave", "Cleo"], "A room of two people stays as it is; `practice chat mute` makes it silent.\n"),
            (
                ["send", "Dora", "x"],
                "There is no room or person to talk to with the name “Dora”. `practice chat` lists your rooms, "
                    + "`practice mail people` those to whom you may write.\n"
            ),
            (["unsend", "99"], "There is no message “99” of yours (any more). It may be gone with its room.\n"),
        ] {
            #expect(try practice.run(words) == .init(error: sentence, status: 1), "\(words)")
        }
        #expect(try practice.run("chat", "unsend", "x").status == 64)
        try practice.says("client", "close", "1", "--reason", "All is said.")
        let refused = try practice.run("chat", "send", "Cleo Vidal", "Still there?")
        #expect(
            refused.status == 1 && refused.error.hasPrefix("You cannot write to Cleo Vidal. Clients"),
            "\(refused.error)")
    }

    @Test func `a script hears each happening as a line, and goes on after the last one that it read`() throws {
        let practice = try practice()
        try practice.says("chat", "create", "Garden", "Cleo")
        try practice.says("chat", "send", "Garden", "One.")
        /// A happening, in the form in which it is told after a cursor.
        func said(_ line: String) throws -> (what: String, text: String?, cursor: String) {
            let happening = try JSONDecoder().decode(Heard.self, from: Data(line.utf8))
            return (happening.what, happening.message?.text, happening.cursor)
        }
        let first = try practice.listens()
        let online = try said(first.line())
        #expect(online.what == "online")
        try practice.says("chat", "send", "Garden", "Two.")
        let two = try said(first.line())
        #expect(two.what == "message" && two.text == "Two.")
        first.end()
        try practice.says("chat", "send", "Garden", "Three.")
        try practice.says("chat", "rename", "Garden", "Park")
        let second = try practice.listens("--since", two.cursor)
        var heard: [String] = []
        while heard.last != "renamed" {
            let next = try said(second.line())
            // Comings and goings are told at any time.
            if !["online", "offline"].contains(next.what) { heard.append(next.text ?? next.what) }
        }
        #expect(heard == ["Three.", "renamed"])
        second.end()
    }

    private struct Heard: Decodable {
        let cursor: String
        let what: String
        let message: Message?

        struct Message: Decodable { let text: String }
    }

    @Test func `messages of others cannot steer the terminal`() {
        let nasty = "\u{1B}[2J\u{202E}evil\u{200B}\u{200B}\nnext\u{7}"
        let message = Chat.Message(
            id: "c4", room: "r1", from: "p2", name: "A\u{1B}na\nx", at: "2027-03-05T09:00:00+01:00", text: nasty,
            deleted: false)
        let page = Conversation(messages: [message], today: "2027-03-05", columns: 40, ink: .plain).text
        #expect(page == "\n  Today\n  09:00  Anax  (4)\n    [2Jevil\n    next\n")
        let happening = Chat.Happening(
            cursor: "4", at: message.at, what: .message, room: "r1", person: "p2", name: message.name, message: message)
        #expect(
            HappeningLine(happening, room: "Ro\u{1B}om", today: "2027-03-05").text
                == "09:00  Anax in Room: [2Jevil next\n")
    }
}

extension RealPractice {
    fileprivate func run(_ words: [String]) throws -> ProgramTests.Run {
        words.count == 2 ? try run("chat", words[0], words[1]) : try run("chat", words[0], words[1], words[2])
    }
}
