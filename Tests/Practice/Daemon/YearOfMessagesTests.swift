import PracticeInterfaces
import TestSupport
import Testing
import Time

@testable import PracticeDaemon

/// A practice of two hundred people that writes and talks for a year, and a model of their mailboxes and rooms in the plainest
/// words. Each night the practice closes its store, as at a restart.
@Suite struct `A year of letters and messages` {
    private struct Copy: Equatable {
        let subject: String
        let from: String
        var isRead: Bool
    }

    private struct Message: Equatable {
        let id: String
        let writer: String
        var text: String
    }

    private struct Room {
        let id: String
        let people: [String]
        var messages: [Message] = []
        /// How many of the messages each person has read.
        var read: [String: Int] = [:]

        func unread(by person: String) -> Int {
            messages.dropFirst(read[person] ?? 0).count { $0.writer != person && $0.text != "" }
        }
    }

    private final class Year {
        private(set) var clinic: Clinic
        var dice: SplitMix64
        let staff: [String]
        /// The clients of each thanatologist.
        let clients: [String: [String]]
        let therapists: [String: String]
        /// The oldest first.
        var inboxes: [String: [Copy]] = [:]
        var sent: [String: [String]] = [:]
        var rooms: [Room] = []
        /// The direct room of a client and their thanatologist, by the client.
        var direct: [String: Int] = [:]
        var number = 0

        init(seed: UInt64) throws {
            let clinic = try Clinic()
            let head = [try clinic.staff("Ada", .administrator), try clinic.staff("Sofia", .support)]
            let therapists = try (0..<18).map { try clinic.staff("Therapist \($0)", .thanatologist) }
            let clients = try therapists.map { of in
                try (0..<10).map { try clinic.client("Client \($0) of \(of)", of: of) }
            }
            self.clinic = clinic
            dice = SplitMix64(seed: seed)
            staff = head + therapists
            self.clients = Dictionary(uniqueKeysWithValues: zip(therapists, clients))
            self.therapists = Dictionary(
                uniqueKeysWithValues: zip(therapists, clients).flatMap { therapist, theirs in
                    theirs.map { ($0, therapist) }
                })
            let ada = clinic.as(head[0])
            let team = try ada.call(Chat.CreateRoom(name: "Team", members: Array(staff.dropFirst()))).room.id
            rooms.append(Room(id: team, people: staff))
            for (therapist, theirs) in zip(therapists, clients) {
                let room = try clinic.as(therapist).call(Chat.CreateRoom(name: "Group", members: theirs)).room.id
                rooms.append(Room(id: room, people: [therapist] + theirs))
            }
        }

        var people: [String] { staff + therapists.keys.sorted() }

        func one<Thing>(_ things: [Thing]) -> Thing { things[Int.random(in: 0..<things.count, using: &dice)] }

        func night() throws {
            let clock = clinic.clock.now
            clinic = try Clinic(copyOf: clinic)
            clinic.clock.advance(by: .microseconds(clock.microseconds - clinic.clock.now.microseconds))
            clinic.clock.advance(by: .seconds(86_400))
        }
    }

    @Test func `every mailbox and every room is as in the model`() throws {
        let year = try Year(seed: 2_027)
        #expect(year.people.count == 200)
        let days = isThorough ? 365 : 14
        for day in 1...days {
            for _ in 0..<Int.random(in: 10...30, using: &year.dice) { try write(year) }
            for _ in 0..<Int.random(in: 30...90, using: &year.dice) { try talk(year) }
            for _ in 0..<20 { try lookIn(year, year.one(year.people), "day \(day)") }
            try year.night()
            if day % 90 == 0 || day == days {
                for person in year.people { try compare(year, person, "day \(day)") }
            }
        }
        let letters = year.sent.values.reduce(0) { $0 + $1.count }
        let messages = year.rooms.reduce(0) { $0 + $1.messages.count }
        print("year: people 200, days \(days), letters \(letters), messages \(messages), each where the model has it")
    }

    /// A client writes to their thanatologist, or a thanatologist to some of their clients and to staff.
    private func write(_ year: Year) throws {
        let therapist = year.one(year.clients.keys.sorted())
        let theirs = year.clients[therapist] ?? []
        let client = year.one(theirs)
        let isClients = Bool.random(using: &year.dice)
        let writer = isClients ? client : therapist
        let others = year.staff.filter { $0 != therapist }
        let readers = isClients ? [therapist] : Array(Set([client, year.one(theirs), year.one(others)])).sorted()
        year.number += 1
        let subject = "Letter \(year.number)"
        try year.clinic.as(writer).call(Mail.Send(to: readers, subject: subject, body: "Of day \(year.number % 365)."))
        year.sent[writer, default: []].append(subject)
        for reader in readers {
            year.inboxes[reader, default: []].append(Copy(subject: subject, from: writer, isRead: false))
        }
    }

    /// Somebody says something in a room, or deletes the last of their own messages there.
    private func talk(_ year: Year) throws {
        var place = Int.random(in: 0..<year.rooms.count, using: &year.dice)
        if Bool.random(using: &year.dice) {
            let client = year.one(year.therapists.keys.sorted())
            let therapist = year.therapists[client] ?? ""
            if year.direct[client] == nil {
                let room = try year.clinic.as(client).call(Chat.OpenDirect(person: therapist)).room.id
                year.direct[client] = year.rooms.count
                year.rooms.append(Room(id: room, people: [client, therapist]))
            }
            place = year.direct[client] ?? place
        }
        let room = year.rooms[place]
        let writer = year.one(room.people)
        if let last = room.messages.lastIndex(where: { $0.writer == writer && $0.text != "" }),
            Int.random(in: 0..<20, using: &year.dice) == 0
        {
            try year.clinic.as(writer).call(Chat.DeleteMessage(message: room.messages[last].id))
            return year.rooms[place].messages[last].text = ""
        }
        year.number += 1
        let text = "Message \(year.number)"
        let said = try year.clinic.as(writer).call(Chat.Send(room: room.id, text: text)).message
        year.rooms[place].messages.append(Message(id: said.id, writer: writer, text: text))
    }

    /// Somebody sees how much is unread, and reads all of it.
    private func lookIn(_ year: Year, _ person: String, _ note: String) throws {
        let caller = year.clinic.as(person)
        let unread = try caller.call(Mail.List(folder: "inbox", unread: true, limit: 200)).letters
        let new = (year.inboxes[person] ?? []).filter { !$0.isRead }.suffix(200)
        #expect(unread.reversed().map(\.subject) == new.map(\.subject), "\(note), \(person)")
        if !unread.isEmpty { try caller.call(Mail.Mark(letters: unread.map(\.id), read: true)) }
        let read = Set(unread.map(\.subject))
        for place in (year.inboxes[person] ?? []).indices {
            if read.contains(year.inboxes[person]?[place].subject ?? "") { year.inboxes[person]?[place].isRead = true }
        }
        for room in try caller.call(Chat.ListRooms()).rooms {
            guard let place = year.rooms.firstIndex(where: { $0.id == room.id }) else {
                Issue.record("\(note): \(person) has a room that nobody made")
                continue
            }
            #expect(room.unread == min(year.rooms[place].unread(by: person), 1_000), "\(note), \(person), \(room.id)")
            guard let last = year.rooms[place].messages.last, room.unread > 0 else { continue }
            #expect(try caller.call(Chat.MarkRead(room: room.id, message: last.id)).unread == 0)
            year.rooms[place].read[person] = year.rooms[place].messages.count
        }
    }

    /// All pages of the inbox and of what was sent, and all pages of each room.
    private func compare(_ year: Year, _ person: String, _ note: String) throws {
        let caller = year.clinic.as(person)
        func letters(_ folder: String) throws -> [Mail.Letter] {
            var (all, next): ([Mail.Letter], String?) = ([], nil)
            repeat {
                let page = try caller.call(Mail.List(folder: folder, after: next, limit: 200))
                all += page.letters
                next = page.next
            } while next != nil
            return all.reversed()
        }
        #expect(
            try letters("inbox").map { Copy(subject: $0.subject, from: $0.from.person, isRead: $0.read) }
                == year.inboxes[person] ?? [], "\(note), \(person)")
        #expect(try letters("sent").map(\.subject) == year.sent[person] ?? [], "\(note), \(person)")
        for room in year.rooms where room.people.contains(person) {
            var (texts, before): ([String], String?) = ([], nil)
            while true {
                let page = try caller.call(Chat.Messages(room: room.id, before: before, limit: 200))
                texts = page.messages.map(\.text) + texts
                guard page.earlier else { break }
                before = page.messages.first?.id
            }
            #expect(texts == room.messages.map(\.text), "\(note), \(person), \(room.id)")
        }
    }
}
