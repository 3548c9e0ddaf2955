import PracticeInterfaces
import TestSupport
import Testing
import Varlink

@testable import PracticeDaemon

/// People who talk, at random, and a model of their rooms in the plainest words.
@Suite struct `A practice that talks` {
    private struct Said {
        let number: Int
        let writer: String
        let text: String
        var isDeleted = false
    }

    private struct Place {
        let came: Int
        var read: Int
        var isMuted = false
    }

    private struct Room {
        let id: String
        let isOpen: Bool
        var said: [Said] = []
        var people: [String: Place] = [:]

        /// The messages that somebody in it sees.
        func seen(by person: String) -> [Said] {
            guard let place = people[person] else { return [] }
            return said.filter { $0.number > place.came }
        }

        func unread(by person: String) -> Int {
            guard let place = people[person] else { return 0 }
            return said.count { $0.number > place.read && $0.writer != person && !$0.isDeleted }
        }

        var newest: Int? { said.last?.number }
    }

    private final class World {
        let chat: ChatClinic
        var dice: SplitMix64
        var rooms: [Room] = []
        /// Of the newest happening.
        var number = 0
        let people: [String]
        /// Each person's happenings, by cursor, with the words that they would hear and whether it is their own leaving.
        var heard: [String: [(cursor: Int, room: Int, words: String, isLeaving: Bool)]] = [:]
        let names: [String: String]

        init(seed: UInt64) throws {
            let names = ["Ada", "Sofia", "Ana", "Ben", "Cleo", "Dino"]
            chat = try ChatClinic()
            dice = SplitMix64(seed: seed)
            people = [chat.ada, chat.sofia, chat.ana, chat.ben, chat.cleo, chat.dino]
            self.names = Dictionary(uniqueKeysWithValues: zip(people, names))
        }

        func one<Thing>(_ things: [Thing]) -> Thing { things[Int.random(in: 0..<things.count, using: &dice)] }

        func name(_ person: String) -> String { names[person] ?? "" }

        /// Something comes about in a room: everybody in it hears.
        func tell(_ room: Int, _ words: String, also person: String? = nil) {
            for listener in Set(rooms[room].people.keys).union(person.map { [$0] } ?? []) {
                heard[listener, default: []].append((number, room, words, listener == person))
            }
        }

        func join(_ person: String, _ room: Int) {
            number += 1
            rooms[room].people[person] = Place(came: number, read: number)
            tell(room, "joined \(name(person)) \(rooms[room].id)")
        }

        func leave(_ person: String, _ room: Int) {
            number += 1
            rooms[room].people[person] = nil
            tell(room, "left \(name(person)) \(rooms[room].id)", also: person)
        }
    }

    @Test(arguments: isThorough ? 0..<200 : 0..<20)
    func `rooms, unread counts and listeners are as in the model, whatever people do`(seed: UInt64) throws {
        let world = try World(seed: seed)
        for _ in 0..<3 { try make(world) }
        for step in 0..<120 {
            try self.step(world)
            if step % 30 == 29 { try compare(world, "seed \(seed), step \(step)") }
        }
    }

    private func make(_ world: World) throws {
        let isOpen = Bool.random(using: &world.dice)
        let maker = world.one([world.chat.ada, world.chat.sofia])
        let members = world.people.filter { $0 != maker && Bool.random(using: &world.dice) }
        let room = try world.chat.clinic.as(maker).call(
            Chat.CreateRoom(name: "Room \(world.rooms.count)", open: isOpen, members: members)
        ).room.id
        world.rooms.append(Room(id: room, isOpen: isOpen))
        for person in [maker] + members { world.join(person, world.rooms.count - 1) }
    }

    private func step(_ world: World) throws {
        let place = Int.random(in: 0..<world.rooms.count, using: &world.dice)
        let person = world.one(world.people)
        let caller = world.chat.clinic.as(person)
        let room = world.rooms[place]
        let isIn = room.people[person] != nil
        // Another's room is not there, or says that one is not in it.
        func refused(_ call: some Method) {
            #expect(throws: (any Error).self) { try caller.call(call) }
        }
        switch Int.random(in: 0..<11, using: &world.dice) {
        case 0...3:
            let call = Chat.Send(room: room.id, text: "text \(world.number)")
            guard isIn else { return refused(call) }
            let sent = try caller.call(call).message
            world.number += 1
            #expect(sent.id == "c\(world.number)")
            world.rooms[place].said.append(Said(number: world.number, writer: person, text: sent.text))
            world.tell(place, "\(sent.id) \(world.name(person)): \(sent.text)")
        case 4, 5:
            guard let said = room.seen(by: person).randomElement(using: &world.dice) else { return }
            let left = try caller.call(Chat.MarkRead(room: room.id, message: "c\(said.number)")).unread
            world.rooms[place].people[person]?.read = max(room.people[person]?.read ?? 0, said.number)
            #expect(left == world.rooms[place].unread(by: person))
        case 6:
            guard let index = room.said.indices.randomElement(using: &world.dice) else { return }
            let said = room.said[index]
            let isModerator = person == world.chat.ada
            guard said.writer == person && (isIn || room.isOpen) || isModerator else {
                return refused(Chat.DeleteMessage(message: "c\(said.number)"))
            }
            _ = try caller.call(Chat.DeleteMessage(message: "c\(said.number)"))
            guard !said.isDeleted else { return }
            world.number += 1
            world.rooms[place].said[index].isDeleted = true
            world.tell(place, "deleted c\(said.number) \(world.name(said.writer)): ")
        case 7:
            guard isIn else { return refused(Chat.LeaveRoom(room: room.id)) }
            _ = try caller.call(Chat.LeaveRoom(room: room.id))
            world.leave(person, place)
        case 8:
            guard room.isOpen || isIn else { return refused(Chat.JoinRoom(room: room.id)) }
            _ = try caller.call(Chat.JoinRoom(room: room.id))
            if !isIn { world.join(person, place) }
        case 9:
            // The administrator adds somebody.
            _ = try world.chat.clinic.as(world.chat.ada).call(Chat.AddMember(room: room.id, person: person))
            if !isIn { world.join(person, place) }
        default:
            guard isIn else { return refused(Chat.Mute(room: room.id, muted: true)) }
            let isMuted = Bool.random(using: &world.dice)
            _ = try caller.call(Chat.Mute(room: room.id, muted: isMuted))
            world.rooms[place].people[person]?.isMuted = isMuted
        }
    }

    private func compare(_ world: World, _ note: String) throws {
        for person in world.people {
            let caller = world.chat.clinic.as(person)
            let mine = world.rooms.filter { $0.people[person] != nil }.sorted {
                ($0.newest ?? $0.people[person]?.came ?? 0) > ($1.newest ?? $1.people[person]?.came ?? 0)
            }
            let listed = try caller.call(Chat.ListRooms()).rooms.map {
                "\($0.id) \($0.members) \($0.muted) \($0.unread) \($0.last?.id ?? "-") \($0.last?.deleted ?? false)"
            }
            let expected = mine.map { room in
                let last = room.seen(by: person).last
                return "\(room.id) \(room.people.count) \(room.people[person]?.isMuted ?? false) "
                    + "\(room.unread(by: person)) \(last.map { "c\($0.number)" } ?? "-") \(last?.isDeleted ?? false)"
            }
            #expect(listed == expected, "\(note), \(person)")
            let joinable = try caller.call(Chat.ListRooms(joinable: true)).rooms.map(\.id)
            #expect(
                Set(joinable) == Set(world.rooms.filter { $0.isOpen && $0.people[person] == nil }.map(\.id)),
                "\(note), \(person)")
            for room in mine {
                let texts = try world.chat.texts(person, room.id, limit: 200)
                #expect(texts == room.seen(by: person).map { $0.isDeleted ? "-" : $0.text }, "\(note), \(room.id)")
            }
            let all = world.heard[person] ?? []
            let since = world.one([0] + all.map(\.cursor))
            // A message that was deleted since comes without its text.
            let gone = Set(world.rooms.flatMap(\.said).filter(\.isDeleted).map { "c\($0.number)" })
            // Of a room that they left, only how; of one to which they came back, what followed.
            let theirs = all.filter { heard in
                heard.isLeaving || world.rooms[heard.room].people[person].map { $0.came <= heard.cursor } ?? false
            }
            let words = theirs.filter { $0.cursor > since }.map { heard in
                let id = heard.words.prefix { $0 != " " }
                return gone.contains(String(id)) ? String(heard.words.prefix { $0 != ":" }) + ": " : heard.words
            }
            #expect(try world.chat.missed(person, since: "\(since)") == words, "\(note), \(person), since \(since)")
        }
    }
}
