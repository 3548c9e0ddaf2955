import PracticeInterfaces
import Testing

@testable import Companion
@testable import Messages

@Suite struct `The screen to talk on` {
    private static let ana = "Ana Ruiz"

    private static func message(
        _ number: Int, _ text: String, from: String = ana, at: String = "2027-03-05T09:00:00+01:00",
        deleted: Bool = false, room: String = "r1"
    ) -> Chat.Message {
        Chat.Message(
            id: "c\(number)", room: room, from: from == ana ? "p2" : "p3", name: from, at: at, text: text,
            deleted: deleted)
    }

    private static func room(_ name: String = ana, unread: Int = 0, last: Chat.Message? = nil) -> Chat.Room {
        Chat.Room(
            id: "r1", name: name, kind: .direct, createdBy: "p2", members: 2, joined: true, muted: false,
            unread: unread, last: last, person: "p2", online: 1)
    }

    @Test func `two clients of one name are told apart by their numbers`() {
        var rooms = [Self.room("Eva"), Self.room("Eva"), Self.room("Ben")]
        for place in rooms.indices { (rooms[place].id, rooms[place].number) = ("r\(place)", place + 4) }
        #expect(rooms.map { $0.name(among: rooms) } == ["Eva (No. 4)", "Eva (No. 5)", "Ben"])
    }

    private static let said = [
        message(3, "At ten?", at: "2027-03-04T18:30:00+01:00"),
        message(4, "Yes.\nSee you there, in front of the house.", from: "Cleo"), message(5, "Bye.", from: "Cleo"),
    ]

    /// Cleo's, in her room with Ana.
    private func screen(_ messages: [Chat.Message] = said, earlier: Bool = false) -> ChatScreen {
        var screen = ChatScreen(today: "2027-03-05", me: "p3", room: Self.room())
        _ = screen.begin()
        _ = screen.take(.init(messages: messages, earlier: earlier), of: "r1", isOlder: false)
        return screen
    }

    private func picture(_ screen: ChatScreen, _ columns: Int = 40, _ rows: Int = 12) -> String {
        var screen = screen
        return screen.draw(columns: columns, rows: rows).plainText
    }

    private func happening(
        _ what: Chat.Happening.What, _ cursor: Int = 9, message: Chat.Message? = nil, person: String = "p2",
        name: String = ana, room: String? = "r1"
    ) -> Chat.Happening {
        Chat.Happening(
            cursor: "\(cursor)", at: "2027-03-05T09:00:00+01:00", what: what, room: room, person: person, name: name,
            message: message)
    }

    @Test func `a room at 40 columns and 12 rows`() {
        #expect(
            picture(screen()) == """
                 Ana Ruiz · online
                   At ten?

                 — Today —

                 09:00 Cleo
                   Yes.
                   See you there, in front of the
                   house.
                   Bye.
                Ctrl-G keys · PgUp earlier · Esc leaves
                >
                """)
    }

    @Test func `a room at 60 columns shows the date between days`() {
        #expect(
            picture(screen(Array(Self.said.prefix(2))), 60, 15)
                == """
                 Ana Ruiz · online


                 — Yesterday —

                 18:30 Ana Ruiz
                   At ten?

                 — Today —

                 09:00 Cleo
                   Yes.
                   See you there, in front of the house.
                Ctrl-G keys · PgUp earlier · Esc leaves
                >
                """)
    }

    @Test func `history and what comes about overlap, and each message is there once`() {
        var screen = screen([])
        _ = screen.take(happening(.message, message: Self.said[2]))
        _ = screen.take(.init(messages: Self.said, earlier: false), of: "r1", isOlder: false)
        _ = screen.take(happening(.deleted, message: Self.message(4, "", from: "Cleo", deleted: true)))
        // History that was asked for before the deletion brings nothing back.
        _ = screen.take(.init(messages: Self.said, earlier: false), of: "r1", isOlder: false)
        #expect(screen.open?.entries.map { $0.number } == [3, 4, 5])
        #expect(picture(screen).contains("– deleted –") && !picture(screen).contains("Yes."))
    }

    @Test func `a person who types is shown until they send or stop`() {
        var screen = screen()
        func foot() -> Substring { picture(screen).split(separator: "\n", omittingEmptySubsequences: false)[10] }
        _ = screen.take(happening(.typing))
        #expect(foot() == "Ana Ruiz types…")
        _ = screen.take(happening(.stopped))
        #expect(foot() == "Ctrl-G keys · PgUp earlier · Esc leaves")
        _ = screen.take(happening(.typing))
        _ = screen.take(happening(.message, message: Self.message(6, "So?")))
        #expect(foot() == "Ctrl-G keys · PgUp earlier · Esc leaves")
    }

    @Test func `a message is sent with a key, told as typing once in five seconds, and stays until it is acknowledged`()
    {
        var screen = screen()
        #expect(screen.press(.character("H"), at: 0) == [.typing(room: "r1")])
        #expect(screen.press(.character("i"), at: 4.9) == [])
        #expect(screen.press(.space, at: 5) == [.typing(room: "r1")])
        guard case .send(let outgoing) = screen.press(.enter, at: 6).first else {
            Issue.record("nothing is sent")
            return
        }
        #expect((outgoing.room, outgoing.text, outgoing.fault) == ("r1", "Hi", nil))
        #expect(picture(screen).hasSuffix("\n   Hi  (on its way)\nCtrl-G keys · PgUp earlier · Esc leaves\n>"))
        _ = screen.take(sent: Self.message(6, "Hi", from: "Cleo"), outgoing)
        _ = screen.take(happening(.message, message: Self.message(6, "Hi", from: "Cleo")))
        #expect(screen.unsent == [] && screen.open?.entries.map { $0.number } == [3, 4, 5, 6])
    }

    @Test func `a refused message is kept, is sent again by Enter, and taken back by Escape`() {
        var screen = screen()
        _ = screen.press(.pasted("One\ntwo"), at: 0)
        guard case .send(let outgoing) = screen.press(.enter, at: 1).first else {
            Issue.record("nothing is sent")
            return
        }
        #expect(outgoing.text == "One\ntwo")
        screen.refuse(outgoing, "You cannot write to p2.")
        #expect(
            picture(screen, 80).hasSuffix(
                "\n   One two\n   Not sent: You cannot write to p2.\n   Enter sends again, Esc takes back.\n"
                    + "Ctrl-G keys · PgUp earlier · Esc leaves\n>"
            ))
        #expect(screen.press(.enter, at: 2) == [.send(outgoing)])
        screen.refuse(outgoing, "Still not.")
        #expect(screen.press(.escape, at: 3) == [])
        #expect(screen.unsent == [] && screen.open?.line.text == "One\ntwo")
    }

    @Test func `a refused message at 40 columns and 12 rows has its reason, and the keys on a line of their own`() {
        var screen = screen()
        _ = screen.press(.pasted("One\ntwo"), at: 0)
        guard case .send(let outgoing) = screen.press(.enter, at: 1).first else {
            Issue.record("nothing is sent")
            return
        }
        screen.refuse(
            outgoing,
            "You cannot write to Ana Ruiz. Clients write to their therapist and the practice's support, while the "
                + "record is open; those who work here write to each other and to their clients.")
        #expect(
            picture(screen) == """
                 Ana Ruiz · online
                   Yes.
                   See you there, in front of the
                   house.
                   Bye.
                   One two
                   Not sent: You cannot write to Ana
                   Ruiz. Clients write to their
                   therapist and the practice's support…
                   Enter sends again, Esc takes back.
                Ctrl-G keys · PgUp earlier · Esc leaves
                >
                """)
    }

    @Test func `a room is muted, and one's own newest message deleted after a second look`() {
        var screen = screen()
        #expect(screen.press(.mute, at: 0) == [.mute(room: "r1", true)])
        var muted = Self.room()
        muted.muted = true
        screen.take(muted)
        #expect(picture(screen).hasPrefix(" Ana Ruiz · online · muted\n"))
        #expect(screen.press(.mute, at: 0) == [.mute(room: "r1", false)])
        #expect(screen.press(.remove, at: 1) == [])
        #expect(picture(screen).hasSuffix("\nCtrl-X again deletes “Bye.”\n>"))
        // Another key says no.
        #expect(screen.press(.up, at: 2) == [] && screen.press(.remove, at: 3) == [])
        #expect(screen.press(.remove, at: 4) == [.delete(message: "c5")])
        _ = screen.take(happening(.deleted, message: Self.message(5, "", from: "Cleo", deleted: true)))
        #expect(screen.press(.remove, at: 5) == [])
        #expect(screen.notice == "Ctrl-X again deletes “Yes. See you there, in front of the house.”")
    }

    @Test func `a message that is written while the practice is out of reach is sent when it is there again`() {
        var screen = screen()
        screen.lose()
        #expect(picture(screen, 80).hasPrefix(" Out of reach, trying again · Ana Ruiz\n"))
        #expect(screen.press(.pasted("Hello"), at: 0) == [])
        #expect(screen.press(.enter, at: 1) == [])
        #expect(screen.unsent.map(\.text) == ["Hello"])
        #expect(picture(screen, 80).hasSuffix("\n   Hello  (waits)\nCtrl-G keys · PgUp earlier · Esc leaves\n>"))
        #expect(screen.begin() == [.rooms, .room("r1"), .history(room: "r1", before: nil)])
    }

    @Test func `the top of the history fetches what was said before, and stays in its place`() {
        let many = (21...70).map { Self.message($0, "Message \($0)") }
        var screen = screen(many, earlier: true)
        _ = picture(screen)
        _ = screen.draw(columns: 40, rows: 12)
        #expect(screen.press(.pageUp, at: 0) == [])
        var actions: [ChatScreen.Action] = []
        for _ in 0..<10 where actions.isEmpty { actions = screen.press(.pageUp, at: 0) }
        #expect(actions == [.history(room: "r1", before: "c21")])
        // Once, until the answer is there.
        #expect(screen.press(.pageUp, at: 0) == [])
        let before = picture(screen)
        #expect(before.contains("Message 21\n"))
        _ = screen.take(
            .init(messages: (11...20).map { Self.message($0, "Message \($0)") }, earlier: false), of: "r1",
            isOlder: true)
        #expect(picture(screen).contains("Message 21\n"))
        // A message that comes meanwhile moves nothing, and is not read yet.
        let reading = picture(screen)
        #expect(screen.take(happening(.message, message: Self.message(71, "New"))) == [.rooms])
        #expect(
            picture(screen)
                == reading.replacing("↓ or PgDn goes on.", with: "1 new message below: ↓ or PgDn."))
    }

    @Test func `messages on the screen are marked as read, once`() {
        var screen = ChatScreen(today: "2027-03-05", me: "p3", room: Self.room(unread: 1))
        #expect(
            screen.take(.init(messages: Self.said, earlier: false), of: "r1", isOlder: false) == [
                .read(room: "r1", upTo: "c3")
            ])
        #expect(screen.take(.init(messages: Self.said, earlier: false), of: "r1", isOlder: false) == [])
    }

    @Test func `a hostile practice's counts are no sum that ends the program`() {
        var screen = ChatScreen(today: "2027-03-05", me: "p3")
        var other = Self.room("Garden", unread: .max)
        other.id = "r2"
        screen.take(.init(rooms: [other, Self.room(unread: .max)], more: nil))
        #expect(picture(screen, 60, 5).hasPrefix(" Rooms · 19998 new messages\n"))
    }

    @Test func `the list of rooms has new messages, who is there, and the newest message first`() {
        var screen = ChatScreen(today: "2027-03-05", me: "p3")
        var garden = Self.room("Garden")
        (garden.id, garden.kind, garden.person, garden.online, garden.members) = ("r2", .open, nil, nil, 12)
        screen.take(.init(rooms: [garden, Self.room(last: Self.said[0])], more: nil))
        _ = screen.take(happening(.message, message: Self.message(6, "So?\nWhen?")))
        #expect(
            picture(screen, 60, 5) == """
                 Rooms · 1 new message
                   1 • Ana Ruiz                  So? When?  09:00
                       Garden

                Enter opens · ? keys · q leaves
                """)
        #expect(screen.press(.up, at: 0) == [])
        #expect(screen.press(.enter, at: 0) == [.room("r1"), .history(room: "r1", before: nil)])
        #expect(screen.press(.escape, at: 0) == [.rooms])
        #expect(screen.press(.character("q"), at: 0) == [.end])
    }

    @Test func `messages of others are shown harmless`() {
        let nasty = "\u{1B}[2J\u{202E}evil" + String(repeating: "\u{200B}", count: 5_000)
        let long = String(repeating: "x", count: 16_384)
        let marks = "e" + String(repeating: "\u{301}", count: 5_000)
        let shown = picture(screen([Self.message(6, nasty), Self.message(7, long), Self.message(8, marks)]))
        #expect(shown.unicodeScalars.count { $0.value == 0x301 } == 30)
        #expect(!shown.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E || $0.value == 0x200B })
        #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 40 })
    }

    @Test func `a long line is wrapped where it is written, with the cursor in it`() {
        var screen = screen()
        _ = screen.press(.pasted(String(repeating: "word ", count: 20)), at: 0)
        let canvas = screen.draw(columns: 40, rows: 12)
        let lines = canvas.plainText.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines[9...11].map(String.init) == [
                "> word word word word word word word", "  word word word word word word word",
                "  word word word word word word",
            ])
        #expect(canvas[32, 11].isReversed)
    }

    @Test func `unsent texts are kept by room, and told apart at the end`() {
        var screen = ChatScreen(today: "2027-03-05", me: "p3")
        var garden = Self.room("Garden")
        (garden.id, garden.kind, garden.person, garden.online, garden.members) = ("r2", .open, nil, nil, 12)
        screen.take(.init(rooms: [Self.room(), garden], more: nil))
        _ = screen.press(.enter, at: 0)
        _ = screen.press(.pasted("At ten?"), at: 0)
        #expect(screen.press(.escape, at: 0) == [.rooms])
        #expect(
            picture(screen, 60, 4) == """
                 Rooms
                     • Ana Ruiz                  not sent: At ten?
                       Garden
                Enter opens · ? keys · q leaves
                """)
        _ = screen.press(.down, at: 0)
        _ = screen.press(.enter, at: 0)
        screen.lose()
        _ = screen.press(.pasted("Hello"), at: 0)
        _ = screen.press(.enter, at: 0)
        _ = screen.press(.pasted("you"), at: 0)
        #expect(
            screen.unfinished.map { [$0.room, $0.name, $0.text] } == [
                ["r2", "Garden", "Hello\nyou"], ["r1", "Ana Ruiz", "At ten?"],
            ])
        _ = screen.press(.up, at: 0)
        _ = screen.press(.interrupt, at: 0)
        _ = screen.press(.up, at: 0)
        _ = screen.press(.enter, at: 0)
        #expect(screen.open?.line.text == "At ten?")
    }

    @Test func `a message has at most 16 KB, and a longer paste changes nothing`() {
        var screen = screen()
        _ = screen.press(.pasted(String(repeating: "x", count: 16_384)), at: 0)
        #expect(screen.open?.line.text.utf8.count == 16_384 && screen.notice == "")
        for key in [Key.character("y"), .pasted("z")] {
            #expect(screen.press(key, at: 9) == [])
            #expect(screen.open?.line.text.utf8.count == 16_384)
            #expect(screen.notice == "That is too long: a message has at most 16 KB.")
        }
        #expect(screen.press(.erase, at: 9) == [.typing(room: "r1")])
    }

    @Test func `the head says who is there`() {
        var screen = screen()
        func head() -> Substring { picture(screen, 80).prefix { $0 != "\n" } }
        _ = screen.take(happening(.offline, room: nil))
        #expect(head() == " Ana Ruiz")
        var direct = Self.room()
        direct.online = 0
        screen.take(
            Chat.GetRoom.Reply(
                room: direct,
                members: [
                    .init(
                        person: "p2", name: Self.ana, online: false, lastSeen: "2027-03-04T18:30:00+01:00",
                        typing: false),
                    .init(person: "p3", name: "Cleo", online: true, typing: false),
                ]))
        #expect(head() == " Ana Ruiz · seen yesterday at 18:30")
        var garden = Self.room("Garden")
        (garden.kind, garden.person, garden.members, garden.muted) = (.open, nil, 3, true)
        screen.take(
            Chat.GetRoom.Reply(
                room: garden,
                members: [
                    .init(person: "p2", name: Self.ana, online: true, typing: false),
                    .init(person: "p3", name: "Cleo", online: true, typing: false),
                    .init(
                        person: "p1", name: "Olga", online: false, lastSeen: "2027-03-04T18:30:00+01:00", typing: false),
                ]))
        #expect(head() == " Garden · 3 members · online: Ana Ruiz · muted")
        _ = screen.take(happening(.online, person: "p1", name: "Olga", room: nil))
        #expect(head() == " Garden · 3 members · online: Ana Ruiz, Olga · muted")
        _ = screen.take(happening(.left, person: "p1", name: "Olga"))
        #expect(picture(screen, 80).contains("\n 09:00 – Olga left\n"))
        _ = screen.take(happening(.joined, person: "p1", name: "Olga"))
        #expect(picture(screen, 80).contains("\n 09:00 – Olga joined\n"))
        #expect(screen.take(happening(.gone, person: "p1", name: "Olga")) == [.rooms])
        #expect(picture(screen, 80).hasSuffix("\nOlga deleted this room.\n>"))
    }

    @Test func `every size and any key are survived`() {
        let keys: [Key] = [
            .character("a"), .up, .pageUp, .pageDown, .pasted("ten\nlines"), .enter, .up, .erase, .left, .lineStart,
            .escape,
            .up, .down, .enter, .character("ñ"), .help, .escape, .character("?"), .escape,
        ]
        for (columns, rows) in [(1, 1), (2, 2), (10, 3), (40, 12), (200, 60)] {
            var screen = screen([Self.message(6, String(repeating: "x", count: 16_384))], earlier: true)
            for (place, key) in keys.enumerated() {
                _ = screen.press(key, at: Double(place))
                let canvas = screen.draw(columns: columns, rows: rows)
                #expect(canvas.columns == columns && canvas.rows == rows)
            }
        }
    }

    @Test func `a key changes few bytes of the screen`() {
        var screen = screen()
        let before = screen.draw(columns: 200, rows: 60)
        _ = screen.press(.character("H"), at: 0)
        _ = screen.press(.character("i"), at: 0)
        let first = screen.draw(columns: 200, rows: 60)
        // The hint below the history goes, the letters and the cursor come.
        #expect(CanvasUpdate.bytes(from: before, to: first).utf8.count < 150)
        _ = screen.press(.character("!"), at: 0)
        #expect(CanvasUpdate.bytes(from: first, to: screen.draw(columns: 200, rows: 60)).utf8.count < 50)
    }
}
