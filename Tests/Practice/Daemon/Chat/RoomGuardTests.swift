import PracticeInterfaces
import PracticeRules
import PracticeStore
import Testing
import Time
import Varlink

@testable import PracticeDaemon

@Suite struct `What nobody does in a room` {
    private let chat: ChatClinic
    private var clinic: Clinic { chat.clinic }

    init() throws { chat = try ChatClinic() }

    @Test func `a room of two is neither left, renamed, deleted, filled nor emptied`() throws {
        let room = try chat.direct(chat.ana, chat.cleo)
        let refusal = Chat.DirectRoom(room: room)
        let ana = clinic.as(chat.ana)
        #expect(throws: refusal) { try ana.call(Chat.LeaveRoom(room: room)) }
        #expect(throws: refusal) { try ana.call(Chat.RenameRoom(room: room, name: "x")) }
        #expect(throws: refusal) { try ana.call(Chat.DeleteRoom(room: room)) }
        #expect(throws: refusal) { try ana.call(Chat.AddMember(room: room, person: chat.sofia)) }
        #expect(throws: refusal) { try ana.call(Chat.RemoveMember(room: room, person: chat.cleo)) }
        #expect(try chat.members(chat.ana, room) == ["Ana", "Cleo"])
    }

    @Test func `a room of two is not there for anybody else, not even an administrator`() throws {
        let room = try chat.direct(chat.ana, chat.cleo)
        let message = try chat.send(chat.ana, room)
        for person in [chat.ada, chat.ben, chat.dino] {
            let caller = clinic.as(person)
            let gone = Practice.NotFound(kind: "room", id: room)
            #expect(throws: gone) { try caller.call(Chat.GetRoom(room: room)) }
            #expect(throws: gone) { try caller.call(Chat.Messages(room: room)) }
            #expect(throws: gone) { try caller.call(Chat.JoinRoom(room: room)) }
            #expect(throws: gone) { try caller.call(Chat.Send(room: room, text: "x")) }
            #expect(throws: Practice.NotFound(kind: "message", id: message)) {
                try caller.call(Chat.DeleteMessage(message: message))
            }
        }
        #expect(throws: Practice.NotFound(kind: "message", id: message)) {
            try clinic.root.call(Chat.DeleteMessage(message: message))
        }
        // In a room of their own, administrators are one of two.
        let own = try chat.direct(chat.ada, chat.ana)
        let told = try chat.send(chat.ana, own)
        #expect(throws: Practice.NotAllowed(right: "moderateChat")) {
            try clinic.as(chat.ada).call(Chat.DeleteMessage(message: told))
        }
    }

    @Test func `somebody who is not in an open room reads, writes, types and mutes nothing there`() throws {
        let room = try chat.room(chat.ana, "Garden", open: true)
        let message = try chat.send(chat.ana, room)
        let outside = Chat.NotAMember(room: room)
        for person in [chat.ben, chat.dino] {
            let caller = clinic.as(person)
            #expect(throws: outside) { try caller.call(Chat.Messages(room: room)) }
            #expect(throws: outside) { try caller.call(Chat.Send(room: room, text: "x")) }
            #expect(throws: outside) { try caller.call(Chat.Typing(room: room)) }
            #expect(throws: outside) { try caller.call(Chat.Mute(room: room, muted: true)) }
            #expect(throws: outside) { try caller.call(Chat.MarkRead(room: room, message: message)) }
            #expect(throws: Practice.NotFound(kind: "message", id: message)) {
                try caller.call(Chat.DeleteMessage(message: message))
            }
        }
        // Staff change rooms that they are in.
        let ben = clinic.as(chat.ben)
        #expect(throws: outside) { try ben.call(Chat.RenameRoom(room: room, name: "x")) }
        #expect(throws: outside) { try ben.call(Chat.AddMember(room: room, person: chat.dino)) }
        #expect(throws: outside) { try ben.call(Chat.RemoveMember(room: room, person: chat.ana)) }
        #expect(try chat.members(chat.ana, room) == ["Ana"])
    }

    @Test func `nobody is added whom the one who adds may not write to, or who is retired`() throws {
        let room = try chat.room(chat.ana, "Team")
        for person in [chat.dino, "p99"] {
            #expect(throws: Chat.MayNotWrite(person: person)) {
                try clinic.as(chat.ana).call(Chat.AddMember(room: room, person: person))
            }
        }
        try clinic.root.call(Practice.RetireStaff(person: chat.sofia, revision: 1))
        for caller in [clinic.as(chat.ana), clinic.root] {
            #expect(throws: Chat.MayNotWrite(person: chat.sofia)) {
                try caller.call(Chat.AddMember(room: room, person: chat.sofia))
            }
        }
        #expect(throws: Chat.MayNotWrite(person: chat.sofia)) { try chat.direct(chat.ana, chat.sofia) }
    }

    /// A thanatologist writes to their own clients alone, and an administrator to none.
    @Test func `a member of staff whose role changes leaves the rooms with clients, but for the open ones`() throws {
        let direct = try chat.direct(chat.sofia, chat.cleo)
        try chat.send(chat.sofia, direct)
        let closed = try chat.room(chat.sofia, "Questions", chat.cleo)
        let team = try chat.room(chat.sofia, "Team", chat.ben)
        let open = try chat.room(chat.sofia, "Everybody", open: true, chat.cleo)
        let revision = try clinic.root.call(Practice.GetPerson(person: chat.sofia)).person.revision
        try clinic.root.call(
            Practice.EditStaff(person: chat.sofia, revision: revision, role: "thanatologist"))
        #expect(try chat.rooms(chat.sofia).sorted() == ["Everybody 0", "Team 0"])
        for room in [direct, closed] {
            #expect(throws: Practice.NotFound(kind: "room", id: room)) {
                try clinic.as(chat.sofia).call(Chat.Messages(room: room))
            }
        }
        // The client keeps what was said.
        #expect(try chat.texts(chat.cleo, direct) == ["At ten?"])
        #expect(try chat.members(chat.sofia, open) == ["Cleo", "Sofia"])
        #expect(try chat.members(chat.sofia, team) == ["Ben", "Sofia"])
    }

    @Test func `a change that changes nothing is told to nobody`() throws {
        let room = try chat.room(chat.ana, "Team", chat.ben)
        let ana = clinic.as(chat.ana)
        #expect(try ana.outcome(Chat.RenameRoom(room: room, name: "Team")).happenings.isEmpty)
        #expect(try ana.outcome(Chat.AddMember(room: room, person: chat.ben)).happenings.isEmpty)
        #expect(try ana.outcome(Chat.JoinRoom(room: room)).happenings.isEmpty)
        #expect(try ana.outcome(Chat.RemoveMember(room: room, person: chat.cleo)).happenings.isEmpty)
        #expect(try ana.outcome(Chat.RenameRoom(room: room, name: "Friends")).happenings.count == 1)
    }

    @Test func `root is nobody who talks, and makes no room`() throws {
        let room = try chat.room(chat.ana, "Garden", open: true)
        let nobody = Practice.NotFound(kind: "person", id: "root")
        #expect(throws: nobody) { try clinic.root.call(Chat.CreateRoom(name: "x")) }
        #expect(throws: nobody) { try clinic.root.call(Chat.JoinRoom(room: room)) }
        #expect(throws: nobody) { try clinic.root.call(Chat.Send(room: room, text: "x")) }
        #expect(try clinic.root.call(Chat.ListRooms()).rooms == [])
    }

    @Test func `an administrator joins no closed room, and is added to it by a call that names them`() throws {
        let room = try chat.room(chat.ana, "Team")
        #expect(throws: Chat.NotAMember(room: room)) { try clinic.as(chat.ada).call(Chat.JoinRoom(room: room)) }
        #expect(try chat.members(chat.ana, room) == ["Ana"])
    }

    @Test func `rooms of two and rooms that are gone do not count for those whom one made`() throws {
        let store = try clinic.writer.storage.store()
        let (room, other) = (try chat.room(chat.ana, "Team"), try chat.room(chat.ana, "Garden", open: true))
        _ = try chat.direct(chat.ana, chat.cleo)
        #expect(try store.roomCount(madeBy: ID(chat.ana)) == 2)
        try clinic.as(chat.ana).call(Chat.DeleteRoom(room: other))
        #expect(try store.roomCount(madeBy: ID(chat.ana)) == 1)
        #expect(try chat.members(chat.ana, room) == ["Ana"])
    }

    // MARK: The limits of a day

    private func count(_ limits: inout DailyLimits, _ call: some Method, times: Int = 1, day: Int32 = 0) throws {
        let call = try Call(frame: Array(Call.frame(call).dropLast()))
        for _ in 0..<times { try limits.count(call, of: ID(chat.cleo), on: CalendarDay(ordinal: 20_000 + day)) }
    }

    @Test func `a client makes twenty thousand calls in chat a day, beside the five thousand others`() throws {
        var limits = DailyLimits()
        let (said, written) = (Chat.Send(room: "r1", text: "x"), Mail.SaveDraft())
        try count(&limits, said, times: 20_000)
        #expect(throws: Practice.TooManyToday(limit: 20_000)) { try count(&limits, said) }
        #expect(throws: Practice.TooManyToday(limit: 20_000)) { try count(&limits, Chat.Mute(room: "r1", muted: true)) }
        try count(&limits, written, times: 5_000)
        #expect(throws: Practice.TooManyToday(limit: 5_000)) { try count(&limits, written) }
        try count(&limits, said, day: 1)
        try count(&limits, written, day: 1)
    }

    @Test func `the calls of a client's chat and mail are counted, and those of the staff are not`() throws {
        let room = try chat.direct(chat.cleo, chat.ana)
        for _ in 0..<DailyLimits.calls - 1 { try clinic.as(chat.cleo).call(Mail.SaveDraft(draft: try draft())) }
        #expect(throws: Practice.TooManyToday(limit: 5_000)) {
            try clinic.as(chat.cleo).call(Mail.AddFolder(name: "x"))
        }
        try chat.send(chat.cleo, room)
        for _ in 0...DailyLimits.calls { try chat.send(chat.ana, room) }
    }

    /// Cleo's one draft.
    private func draft() throws -> String {
        if let known = try clinic.as(chat.cleo).call(Mail.List(folder: "drafts")).letters.first { return known.id }
        return try clinic.as(chat.cleo).call(Mail.SaveDraft()).letter.id
    }
}
