import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Testing

@testable import PracticeDaemon

@Suite struct `Rooms to talk in` {
    private let chat: ChatClinic
    private var clinic: Clinic { chat.clinic }

    init() throws { chat = try ChatClinic() }

    // MARK: Direct rooms

    @Test func `two people have one room, whoever opens it, and see each other's name`() throws {
        let room = try clinic.as(chat.cleo).call(Chat.OpenDirect(person: chat.ana)).room
        #expect(
            room
                == Chat.Room(
                    id: "r1", name: "Ana", kind: .direct, createdBy: chat.cleo, members: 2, joined: true, muted: false,
                    unread: 0, person: chat.ana))
        let again = try clinic.as(chat.ana).call(Chat.OpenDirect(person: chat.cleo)).room
        #expect((again.id, again.name, again.person) == ("r1", "Cleo", chat.cleo))
        #expect(again.number == 1)
    }

    @Test func `a direct room in which nothing was said is listed for its maker alone`() throws {
        let room = try chat.direct(chat.ana, chat.cleo)
        #expect(try [chat.rooms(chat.ana), chat.rooms(chat.cleo)] == [["Cleo 0"], []])
        try chat.send(chat.ana, room)
        #expect(try [chat.rooms(chat.ana), chat.rooms(chat.cleo)] == [["Cleo 0"], ["Ana 1"]])
    }

    /// Each cell: + a room, / MayNotWrite.
    @Test func `people open rooms with those to whom they may write`() throws {
        let people = [chat.ada, chat.sofia, chat.ana, chat.ben, chat.cleo, chat.dino]
        let cells = try people.map { opener in
            try people.map { other in
                // A copy, since whoever was opened to may open, too.
                let copy = try Clinic(copyOf: clinic)
                do {
                    try copy.as(opener).call(Chat.OpenDirect(person: other))
                    return "+"
                } catch let refusal as Chat.MayNotWrite {
                    return refusal == Chat.MayNotWrite(person: other) ? "/" : "?"
                }
            }.joined()
        }
        #expect(cells == ["/+++++", "+/++++", "++/++/", "+++//+", "/++///", "/+/+//"])
        for nobody in ["p99", "x", ""] {
            #expect(throws: Chat.MayNotWrite(person: nobody)) {
                try clinic.as(chat.cleo).call(Chat.OpenDirect(person: nobody))
            }
        }
    }

    @Test func `after a transfer the thanatologist is out of the room with the client, who reads on`() throws {
        let room = try chat.direct(chat.cleo, chat.ana)
        try chat.send(chat.cleo, room)
        try clinic.root.call(Records.Transfer(client: chat.cleo, to: chat.ben, reason: "Leave."))
        for call in [{ try chat.send(chat.ana, room) }, { try chat.texts(chat.ana, room).joined() }] {
            #expect(throws: Practice.NotFound(kind: "room", id: room)) { try call() }
        }
        #expect(try chat.rooms(chat.ana) == [])
        #expect(throws: Chat.MayNotWrite(person: chat.cleo)) { try chat.direct(chat.ana, chat.cleo) }
        #expect(try chat.rooms(chat.cleo) == ["Ana 0"])
        #expect(try chat.texts(chat.cleo, chat.direct(chat.cleo, chat.ana)) == ["At ten?"])
        #expect(try chat.members(chat.cleo, room) == ["Cleo"])
        #expect(throws: Chat.MayNotWrite(person: chat.ana)) { try chat.send(chat.cleo, room) }
        #expect(throws: Chat.MayNotWrite(person: chat.ana)) { try clinic.as(chat.cleo).call(Chat.Typing(room: room)) }
        // Back again, she sees what is said from then on.
        try clinic.root.call(Records.Transfer(client: chat.cleo, to: chat.ana, reason: "Back."))
        #expect(try chat.direct(chat.cleo, chat.ana) == room)
        try chat.send(chat.cleo, room, "Welcome back")
        #expect(try chat.texts(chat.ana, room) == ["Welcome back"])
    }

    @Test func `after a transfer the thanatologist is out of closed rooms without another client`() throws {
        let dora = try clinic.client("Dora", of: chat.ana)
        let alone = try chat.room(chat.ana, "Alone", chat.cleo, chat.sofia)
        let group = try chat.room(chat.ana, "Group", chat.cleo, dora)
        let open = try chat.room(chat.ana, "Open", open: true, chat.cleo)
        try clinic.root.call(Records.Transfer(client: chat.cleo, to: chat.ben, reason: "Leave."))
        #expect(throws: Practice.NotFound(kind: "room", id: alone)) { try chat.members(chat.ana, alone) }
        #expect(try chat.members(chat.cleo, alone).sorted() == ["Cleo", "Sofia"])
        for room in [group, open] { #expect(try chat.members(chat.cleo, room).contains("Ana")) }
    }

    @Test func `after a closing or a retirement the two read on, and write no more`() throws {
        let withSofia = try chat.direct(chat.cleo, chat.sofia)
        try chat.send(chat.cleo, withSofia)
        try clinic.root.call(Records.Transfer(client: chat.cleo, to: chat.ben, reason: "Leave."))
        let withBen = try chat.direct(chat.ben, chat.cleo)
        try chat.send(chat.cleo, withBen)
        try clinic.as(chat.ben).call(Records.CloseRecord(client: chat.cleo, reason: "All is said."))
        #expect(throws: Chat.MayNotWrite(person: chat.ben)) { try chat.send(chat.cleo, withBen) }
        // The support is there for those who left, too.
        try chat.send(chat.cleo, withSofia, "Hello?")
        try clinic.root.call(Practice.RetireStaff(person: chat.sofia, revision: 1))
        #expect(throws: Chat.MayNotWrite(person: chat.sofia)) { try chat.send(chat.cleo, withSofia) }
        #expect(try chat.texts(chat.cleo, withSofia) == ["At ten?", "Hello?"])
    }

    @Test func `a client answers an administrator, and begins no such room`() throws {
        let room = try chat.direct(chat.ada, chat.cleo)
        try chat.send(chat.cleo, room)
        #expect(try chat.rooms(chat.ada) == ["Cleo 1"])
    }

    // MARK: Made rooms

    @Test func `a room has its maker and those whom they add, by name`() throws {
        let room = try clinic.as(chat.ana).call(
            Chat.CreateRoom(name: " Team ", members: [chat.sofia, chat.ben, chat.ben, chat.ana])
        ).room
        #expect(
            room
                == Chat.Room(
                    id: "r1", name: "Team", kind: .closed, createdBy: chat.ana, members: 3, joined: true, muted: false,
                    unread: 0))
        #expect(try chat.members(chat.ben, "r1") == ["Ana", "Ben", "Sofia"])
        #expect(throws: Chat.MayNotWrite(person: chat.dino)) {
            try clinic.as(chat.ana).call(Chat.CreateRoom(name: "Other", members: [chat.dino]))
        }
        #expect(try chat.rooms(chat.ana) == ["Team 0"])
    }

    @Test func `a room is made once by its key`() throws {
        let made = try (0..<2).map { _ in
            try clinic.as(chat.ana).call(Chat.CreateRoom(name: "Team", key: "k")).room.id
        }
        #expect(made == ["r1", "r1"])
        #expect(try chat.rooms(chat.ana) == ["Team 0"])
    }

    @Test func `a repeated call shows the room as the caller may see it now`() throws {
        let call = Chat.CreateRoom(name: "Team", members: [chat.ben], key: "k")
        let team = try clinic.as(chat.ana).call(call).room.id
        try clinic.as(chat.ben).call(Chat.RenameRoom(room: team, name: "Crew"))
        #expect(try clinic.as(chat.ana).call(call).room.name == "Crew")
        try clinic.as(chat.ben).call(Chat.RemoveMember(room: team, person: chat.ana))
        try clinic.as(chat.ben).call(Chat.RenameRoom(room: team, name: "Without Ana"))
        #expect(throws: Practice.NotFound(kind: "room", id: team)) { try clinic.as(chat.ana).call(call) }
        #expect(try chat.rooms(chat.ana) == [])
    }

    @Test func `open rooms are joined and left, closed ones are for those who were added`() throws {
        let garden = try chat.room(chat.ana, "Garden", open: true)
        let team = try chat.room(chat.ana, "Team", chat.ben)
        #expect(try chat.rooms(chat.dino, joinable: true) == ["Garden 0"])
        let joined = try clinic.as(chat.dino).call(Chat.JoinRoom(room: garden)).room
        #expect((joined.members, joined.joined) == (2, true))
        // Twice is no fault.
        try clinic.as(chat.dino).call(Chat.JoinRoom(room: garden))
        #expect(try [chat.rooms(chat.dino), chat.rooms(chat.dino, joinable: true)] == [["Garden 0"], []])
        try clinic.as(chat.dino).call(Chat.LeaveRoom(room: garden))
        #expect(try chat.members(chat.ana, garden) == ["Ana"])
        #expect(throws: Chat.NotAMember(room: garden)) { try clinic.as(chat.dino).call(Chat.LeaveRoom(room: garden)) }
        #expect(throws: Practice.NotFound(kind: "room", id: team)) {
            try clinic.as(chat.dino).call(Chat.JoinRoom(room: team))
        }
    }

    @Test func `members are added and removed by staff who are in the room, and by administrators`() throws {
        let team = try chat.room(chat.ana, "Team", chat.ben)
        try clinic.as(chat.ben).call(Chat.AddMember(room: team, person: chat.dino))
        try clinic.as(chat.ben).call(Chat.AddMember(room: team, person: chat.dino))
        #expect(try chat.members(chat.dino, team) == ["Ana", "Ben", "Dino"])
        try clinic.as(chat.ana).call(Chat.RemoveMember(room: team, person: chat.dino))
        try clinic.as(chat.ana).call(Chat.RemoveMember(room: team, person: chat.dino))
        #expect(throws: Practice.NotFound(kind: "room", id: team)) { try chat.members(chat.dino, team) }
        try clinic.as(chat.ada).call(Chat.AddMember(room: team, person: chat.ada))
        try clinic.root.call(Chat.AddMember(room: team, person: chat.cleo))
        #expect(try chat.members(chat.cleo, team) == ["Ada", "Ana", "Ben", "Cleo"])
    }

    @Test func `a retired person is in no room any more, but for those of two`() throws {
        let (team, direct) = (try chat.room(chat.ana, "Team", chat.sofia), try chat.direct(chat.ana, chat.sofia))
        try clinic.root.call(Practice.RetireStaff(person: chat.sofia, revision: 1))
        #expect(try chat.members(chat.ana, team) == ["Ana"])
        #expect(try chat.members(chat.ana, direct) == ["Ana", "Sofia"])
    }

    @Test func `a room that is deleted is gone for everybody`() throws {
        let garden = try chat.room(chat.ana, "Garden", open: true, chat.ben)
        try chat.send(chat.ben, garden)
        #expect(throws: Practice.NotAllowed(right: "moderateChat")) {
            try clinic.as(chat.ben).call(Chat.DeleteRoom(room: garden))
        }
        try clinic.as(chat.ana).call(Chat.DeleteRoom(room: garden))
        for person in [chat.ana, chat.ben, chat.ada] {
            let caller = clinic.as(person)
            let gone = Practice.NotFound(kind: "room", id: garden)
            #expect(throws: gone) { try caller.call(Chat.Messages(room: garden)) }
            #expect(throws: gone) { try caller.call(Chat.JoinRoom(room: garden)) }
            #expect(throws: gone) { try caller.call(Chat.Send(room: garden, text: "Still there?")) }
            #expect(throws: Practice.NotFound(kind: "message", id: "c3")) {
                try caller.call(Chat.DeleteMessage(message: "c3"))
            }
        }
        #expect(try [chat.rooms(chat.ana), chat.rooms(chat.dino, joinable: true)] == [[], []])
    }

    @Test func `rooms are listed by their newest message, and found by parts of a name without accents`() throws {
        let team = try chat.room(chat.ana, "Ángeles", chat.ben)
        let garden = try chat.room(chat.ben, "Garden", open: true, chat.ana)
        let direct = try chat.direct(chat.ana, chat.cleo)
        try chat.send(chat.ben, team)
        try chat.send(chat.ben, garden)
        try chat.send(chat.cleo, direct)
        #expect(try chat.rooms(chat.ana) == ["Cleo 1", "Garden 1", "Ángeles 1"])
        try chat.send(chat.ben, team, "Twelve?")
        #expect(try chat.rooms(chat.ana) == ["Ángeles 2", "Cleo 1", "Garden 1"])
        for (query, found) in [
            ("ange", ["Ángeles 2"]), ("CLE", ["Cleo 1"]), ("e", ["Ángeles 2", "Cleo 1", "Garden 1"]), ("%", []),
        ] {
            #expect(try chat.rooms(chat.ana, query: query) == found, "\(query)")
        }
        #expect(try chat.rooms(chat.ana, query: "Ana") == [])
        let last = try clinic.as(chat.ana).call(Chat.ListRooms()).rooms.map { $0.last?.text }
        #expect(last == ["Twelve?", "At ten?", "At ten?"])
    }

    @Test func `a room has a name of 1 to 64 characters, which can be changed`() throws {
        let room = try chat.room(chat.ana, "Team", chat.ben)
        for (name, reason) in [
            ("", "must not be empty."), (String(repeating: "x", count: 65), "must have no more than 64 characters."),
        ] {
            let refusal = Practice.Invalid(faults: [.init(field: "name", reason: reason)])
            #expect(throws: refusal) { try clinic.as(chat.ana).call(Chat.CreateRoom(name: name)) }
            #expect(throws: refusal) { try clinic.as(chat.ana).call(Chat.RenameRoom(room: room, name: name)) }
        }
        #expect(try clinic.as(chat.ben).call(Chat.RenameRoom(room: room, name: "Friends")).room.name == "Friends")
    }

    // MARK: Limits

    @Test func `a room has a thousand members, and a person makes two hundred rooms`() throws {
        let store = try clinic.writer.storage.store()
        let room = try chat.room(chat.ana, "Team")
        try store.transaction {
            for number in 0..<999 {
                let person = try store.addPerson(
                    role: .support, name: "Person \(number)", account: nil, email: nil, phone: nil,
                    since: .init(ordinal: 20_000))
                _ = try store.join(ID(room), Correspondent(id: person.id, name: person.name), at: clinic.clock.now)
            }
        }
        #expect(throws: Chat.TooMany(what: "members", limit: 1_000)) {
            try clinic.as(chat.ana).call(Chat.AddMember(room: room, person: chat.ben))
        }
        #expect(throws: Chat.TooMany(what: "members", limit: 1_000)) {
            let many = Array(repeating: chat.ben, count: 1_000)
            return try clinic.as(chat.ana).call(Chat.CreateRoom(name: "Many", members: many))
        }
        for number in 1..<200 { _ = try chat.room(chat.ana, "Room \(number)") }
        #expect(throws: Chat.TooMany(what: "rooms", limit: 200)) { try chat.room(chat.ana, "One more") }
        _ = try chat.room(chat.ben, "Mine", chat.ana)
        let listed = try clinic.as(chat.ana).call(Chat.ListRooms())
        #expect((listed.rooms.count, listed.more) == (200, true))
        #expect(try clinic.as(chat.ana).call(Chat.ListRooms(query: "Room")).more == nil)
    }
}
