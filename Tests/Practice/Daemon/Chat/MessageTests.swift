import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Storage
import Testing

@testable import PracticeDaemon

@Suite struct `Messages in a room` {
    private let chat: ChatClinic
    private var clinic: Clinic { chat.clinic }
    private let room: String

    init() throws {
        chat = try ChatClinic()
        room = try chat.room(chat.ana, "Team", chat.ben, chat.sofia)
    }

    @Test func `a message has its writer, its time and its text`() throws {
        let message = try clinic.as(chat.ana).call(Chat.Send(room: room, text: "At ten?\n🙂 — ¿sí?")).message
        #expect(
            message
                == Chat.Message(
                    id: "c4", room: room, from: chat.ana, name: "Ana", at: "2027-03-05T09:00:00+01:00",
                    text: "At ten?\n🙂 — ¿sí?", deleted: false))
        #expect(try clinic.as(chat.ben).call(Chat.Messages(room: room)) == .init(messages: [message], earlier: false))
    }

    @Test func `history comes in pages of twenty, the newest last`() throws {
        for number in 1...45 { try chat.send(chat.ana, room, "\(number)") }
        let last = try clinic.as(chat.ben).call(Chat.Messages(room: room))
        #expect((last.messages.map(\.text), last.earlier) == ((26...45).map { "\($0)" }, true))
        let middle = try clinic.as(chat.ben).call(Chat.Messages(room: room, before: last.messages[0].id))
        #expect((middle.messages.map(\.text), middle.earlier) == ((6...25).map { "\($0)" }, true))
        let first = try clinic.as(chat.ben).call(Chat.Messages(room: room, before: middle.messages[0].id))
        #expect((first.messages.map(\.text), first.earlier) == ((1...5).map { "\($0)" }, false))
        #expect(try chat.texts(chat.ben, room, limit: 200).count == 45)
        for (limit, before) in [(0, nil), (201, nil), (nil, "x"), (nil, "")] as [(Int?, String?)] {
            #expect(throws: Practice.Invalid.self) {
                try clinic.as(chat.ben).call(Chat.Messages(room: room, before: before, limit: limit))
            }
        }
    }

    @Test(arguments: [
        ("", "must not be empty."), (" \n\t", "must not be empty."),
        (String(repeating: "x", count: 16_385), "must have no more than 16384 bytes."),
        ("\u{1B}[2J", "must not have U+001B (control character): it cannot be seen."),
        ("a\u{202E}b", "must not have U+202E (RIGHT-TO-LEFT OVERRIDE): it cannot be seen."),
        ("a\u{200B}b", "must not have U+200B (ZERO WIDTH SPACE): it cannot be seen."),
    ])
    func `a text that cannot be shown is refused with the reason`(text: String, reason: String) throws {
        #expect(throws: Practice.Invalid(faults: [.init(field: "text", reason: reason)])) {
            try chat.send(chat.ana, room, text)
        }
        #expect(try chat.texts(chat.ana, room) == [])
    }

    @Test func `a text of 16 KiB arrives whole`() throws {
        let text = String(repeating: "ñ", count: 8_192)
        try chat.send(chat.ana, room, text)
        #expect(try chat.texts(chat.ben, room) == [text])
    }

    @Test func `a message is sent once by its key`() throws {
        let sent = try (0..<3).map { _ in try chat.send(chat.ana, room, key: "k") }
        #expect(sent == ["c4", "c4", "c4"])
        #expect(try chat.send(chat.ben, room, key: "k") == "c5")
        #expect(try chat.texts(chat.sofia, room) == ["At ten?", "At ten?"])
        #expect(try clinic.as(chat.ana).outcome(Chat.Send(room: room, text: "At ten?", key: "k")).happenings == [])
        let used = Practice.Invalid("key", "was used for Chat.Send before: take a new one.")
        #expect(throws: used) { try clinic.as(chat.ana).call(Mail.Send(to: [chat.ben], body: "At ten?", key: "k")) }
    }

    @Test func `those who come later see what is said from then on`() throws {
        try chat.send(chat.ana, room, "Before")
        try clinic.as(chat.ana).call(Chat.AddMember(room: room, person: chat.cleo))
        try chat.send(chat.ana, room, "After")
        #expect(try chat.texts(chat.cleo, room) == ["After"])
        try clinic.as(chat.cleo).call(Chat.LeaveRoom(room: room))
        try chat.send(chat.ana, room, "Between")
        #expect(throws: Practice.NotFound(kind: "room", id: room)) { try chat.texts(chat.cleo, room) }
        try clinic.as(chat.ana).call(Chat.AddMember(room: room, person: chat.cleo))
        #expect(try chat.texts(chat.cleo, room) == [])
        #expect(try chat.rooms(chat.cleo) == ["Team 0"])
    }

    // MARK: Deleting

    @Test func `a deleted message keeps its place and loses its text`() throws {
        let first = try chat.send(chat.ana, room, "Secret")
        try chat.send(chat.ana, room, "Known")
        let deleted = try clinic.as(chat.ana).call(Chat.DeleteMessage(message: first)).message
        #expect(
            deleted
                == Chat.Message(
                    id: first, room: room, from: chat.ana, name: "Ana", at: "2027-03-05T09:00:00+01:00", text: "",
                    deleted: true))
        #expect(try chat.texts(chat.ben, room) == ["-", "Known"])
        #expect(try chat.rooms(chat.ben) == ["Team 1"])
        // Twice is no fault, and no happening.
        #expect(try clinic.as(chat.ana).outcome(Chat.DeleteMessage(message: first)).happenings == [])
        #expect(try clinic.as(chat.ana).call(Chat.DeleteMessage(message: first)).message == deleted)
    }

    @Test func `others' messages are deleted by administrators alone`() throws {
        let message = try chat.send(chat.ana, room)
        #expect(throws: Practice.NotAllowed(right: "moderateChat")) {
            try clinic.as(chat.ben).call(Chat.DeleteMessage(message: message))
        }
        #expect(throws: Practice.NotFound(kind: "message", id: message)) {
            try clinic.as(chat.cleo).call(Chat.DeleteMessage(message: message))
        }
        try clinic.as(chat.ada).call(Chat.DeleteMessage(message: message))
        #expect(try chat.texts(chat.ana, room) == ["-"])
        let told = try clinic.root.outcome(Chat.DeleteMessage(message: chat.send(chat.ana, room))).happenings
        #expect(told.map { $0.person.name } == ["Clinic at the Park"])
    }

    @Test func `a message from before one came is not there for them`() throws {
        let before = try chat.send(chat.ana, room)
        try clinic.as(chat.ana).call(Chat.AddMember(room: room, person: chat.cleo))
        let gone = Practice.NotFound(kind: "message", id: before)
        #expect(throws: gone) { try clinic.as(chat.cleo).call(Chat.DeleteMessage(message: before)) }
        #expect(throws: gone) { try clinic.as(chat.cleo).call(Chat.MarkRead(room: room, message: before)) }
    }

    @Test func `a person who left an open room deletes their own message there, and no later one`() throws {
        let garden = try chat.room(chat.ana, "Garden", open: true)
        try clinic.as(chat.cleo).call(Chat.JoinRoom(room: garden))
        let own = try chat.send(chat.cleo, garden, "Mine")
        try clinic.as(chat.cleo).call(Chat.LeaveRoom(room: garden))
        let later = try chat.send(chat.ana, garden, "Later")
        #expect(throws: Practice.NotFound(kind: "message", id: later)) {
            try clinic.as(chat.cleo).call(Chat.DeleteMessage(message: later))
        }
        #expect(try clinic.as(chat.cleo).call(Chat.DeleteMessage(message: own)).message.deleted)
        #expect(try chat.texts(chat.ana, garden) == ["-", "Later"])
    }

    // MARK: Reading

    @Test func `an administrator reads up to no message from before they came`() throws {
        let before = try chat.send(chat.ana, room)
        try clinic.as(chat.ada).call(Chat.AddMember(room: room, person: chat.ada))
        #expect(throws: Practice.NotFound(kind: "message", id: before)) {
            try clinic.as(chat.ada).call(Chat.MarkRead(room: room, message: before))
        }
    }

    @Test func `reading goes up to a message, and never back`() throws {
        let sent = try (1...4).map { try chat.send(chat.ana, room, "\($0)") }
        func read(_ place: Int) throws -> Int {
            try clinic.as(chat.ben).call(Chat.MarkRead(room: room, message: sent[place])).unread
        }
        #expect(try [read(1), read(0), read(2), read(3)] == [2, 2, 1, 0])
        try chat.send(chat.ben, room, "Mine")
        #expect(try [chat.rooms(chat.ben), chat.rooms(chat.sofia)] == [["Team 0"], ["Team 5"]])
        let other = try chat.room(chat.ben, "Other")
        let elsewhere = try chat.send(chat.ben, other)
        #expect(throws: Practice.NotFound(kind: "message", id: elsewhere)) {
            try clinic.as(chat.ben).call(Chat.MarkRead(room: room, message: elsewhere))
        }
    }

    @Test func `a deleted message is not unread, and can be the mark up to which one has read`() throws {
        let sent = try (1...3).map { try chat.send(chat.ana, room, "\($0)") }
        try clinic.as(chat.ana).call(Chat.DeleteMessage(message: sent[1]))
        #expect(try chat.rooms(chat.ben) == ["Team 2"])
        #expect(try clinic.as(chat.ben).call(Chat.MarkRead(room: room, message: sent[1])).unread == 1)
    }

    @Test func `a thousand unread messages stand for any more`() throws {
        let store = try clinic.writer.storage.store()
        let ana = Correspondent(id: ID(chat.ana), name: "Ana")
        try store.transaction {
            for _ in 0..<999 { _ = try store.addMessage("x", to: ID(room), from: ana, at: Clinic.morning) }
        }
        #expect(try chat.rooms(chat.ben) == ["Team 999"])
        for _ in 0..<3 { try chat.send(chat.ana, room) }
        #expect(try chat.rooms(chat.ben) == ["Team 1000"])
    }

    @Test func `a muted room stays unread`() throws {
        let muted = try clinic.as(chat.ben).call(Chat.Mute(room: room, muted: true)).room
        #expect(muted.muted)
        try chat.send(chat.ana, room)
        #expect(try chat.rooms(chat.ben) == ["Team 1"])
        #expect(try clinic.as(chat.ben).call(Chat.Mute(room: room, muted: false)).room.muted == false)
    }

    // MARK: Erasing

    @Test func `an erased client's messages are gone, with the rooms that they had with one other`() throws {
        let group = try chat.room(chat.ben, "Garden", open: true, chat.ana)
        try clinic.as(chat.dino).call(Chat.JoinRoom(room: group))
        let direct = try chat.direct(chat.dino, chat.ben)
        for text in ["Quitzal", "Quitzal again"] { try chat.send(chat.dino, group, text) }
        try clinic.as(chat.ada).call(
            Chat.DeleteMessage(message: clinic.as(chat.ana).call(Chat.Messages(room: group)).messages[0].id))
        try chat.send(chat.dino, direct, "Quitzal for you")
        try chat.send(chat.ben, direct, "Dear Quitzal")
        try chat.send(chat.ben, group, "Who is it?")
        try clinic.as(chat.ben).call(Records.CloseRecord(client: chat.dino, reason: "Asked."))
        try clinic.root.call(Records.EraseRecord(client: chat.dino, number: 2, reason: "Asked."))
        #expect(try chat.texts(chat.ana, group) == ["Who is it?"])
        #expect(try chat.members(chat.ana, group) == ["Ana", "Ben"])
        #expect(try chat.rooms(chat.ben) == ["Garden 0", "Team 0"])
        try clinic.close()
        let database = try clinic.look()
        #expect(try database.number("SELECT count(*) FROM chat WHERE text LIKE '%Quitzal%'") == 0)
        for table in ["chat", "member", "seen"] {
            #expect(try database.number("SELECT count(*) FROM \(table) WHERE person = \(chat.dino.dropFirst())") == 0)
        }
        #expect(try database.number("SELECT count(*) FROM room") == 2)
        // The deletion by Ada went with the message.
        #expect(try database.number("SELECT count(*) FROM chat WHERE kind = 'deleted'") == 0)
    }

    @Test func `an erased client's name is taken out of the names of their rooms`() throws {
        let group = try chat.room(chat.ben, "Dino", chat.ana, chat.dino)
        try clinic.as(chat.ben).call(Chat.RenameRoom(room: group, name: "Around Dino"))
        try clinic.as(chat.ben).call(Records.CloseRecord(client: chat.dino, reason: "Asked."))
        try clinic.root.call(Records.EraseRecord(client: chat.dino, number: 2, reason: "Asked."))
        #expect(try clinic.as(chat.ana).call(Chat.GetRoom(room: group)).room.name == "Around …")
        #expect(try chat.rooms(chat.ana, query: "Dino").isEmpty)
        try clinic.close()
        #expect(try clinic.look().number("SELECT count(*) FROM chat WHERE text LIKE '%Dino%'") == 0)
    }
}
