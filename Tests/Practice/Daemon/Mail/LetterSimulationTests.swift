import PracticeInterfaces
import StaffInterfaces
import TestSupport
import Testing

@testable import PracticeDaemon

/// A practice that writes to each other, and a model of its mailboxes in the plainest words.
@Suite struct `A practice that writes letters` {
    /// A copy, as its owner sees it.
    private struct Copy: Equatable {
        var id: String
        let subject: String
        let from: String
        var to: [String]
        var folder: String
        var isRead: Bool
        let isUrgent: Bool
        var isDraft = false
    }

    /// People, clinic and model.
    private final class World {
        let mail: MailClinic
        var dice: SplitMix64
        /// The newest first.
        var boxes: [String: [Copy]] = [:]
        var own: [String: [String]] = [:]
        var isOpen: [String: Bool] = [:]
        var number = 0
        let people: [String]

        init(seed: UInt64) throws {
            mail = try MailClinic()
            dice = SplitMix64(seed: seed)
            people = [mail.ada, mail.sofia, mail.ana, mail.ben, mail.cleo, mail.dino]
            (isOpen[mail.cleo], isOpen[mail.dino]) = (true, true)
            for person in people { (boxes[person], own[person]) = ([], []) }
        }

        /// Whether a reader may know of a recipient.
        func mayKnow(_ reader: String, _ person: String) -> Bool {
            let therapists = [mail.cleo: mail.ana, mail.dino: mail.ben]
            guard let therapist = therapists[person] else { return true }
            return [person, therapist, mail.ada, mail.sofia].contains(reader)
        }

        func one<Thing>(_ things: [Thing]) -> Thing { things[Int.random(in: 0..<things.count, using: &dice)] }

        /// The rule, in other words than the practice's own.
        func mayWrite(_ writer: String, _ reader: String) -> Bool {
            let therapists = [mail.cleo: mail.ana, mail.dino: mail.ben]
            if writer == reader { return false }
            switch (therapists[writer], therapists[reader]) {
            case (_?, _?): return false
            case (let therapist?, nil):
                return reader == mail.sofia || reader == therapist && isOpen[writer] == true
            case (nil, let therapist?):
                return [mail.ada, mail.sofia].contains(writer) || writer == therapist && isOpen[reader] == true
            case (nil, nil): return true
            }
        }

        func words() -> (subject: String, body: String) {
            number += 1
            return ("Número \(number)", "\(one(["rojo", "verde", "azul"])) mañana\(number % 7)")
        }

        /// The practice's letters to one person, as the model has them.
        func listed(_ person: String) throws -> [Copy] {
            var all: [Copy] = []
            for folder in ["inbox", "sent", "drafts", "bin"] + (own[person] ?? []) {
                all += try mail.list(person, folder).map {
                    Copy(
                        id: $0.id, subject: $0.subject, from: $0.from.person, to: $0.to.map(\.person),
                        folder: $0.folder, isRead: $0.read, isUrgent: $0.urgent, isDraft: false)
                }
            }
            return all
        }
    }

    @Test(arguments: isThorough ? 0..<50 : 0..<4)
    func `every mailbox is as in the model, whatever people do with their letters`(seed: UInt64) throws {
        let world = try World(seed: seed)
        for step in 0..<200 {
            try self.step(world)
            if step % 40 == 39 { try compare(world, "seed \(seed), step \(step)") }
        }
    }

    private func step(_ world: World) throws {
        let person = world.one(world.people)
        let caller = world.mail.clinic.as(person)
        let copies = world.boxes[person] ?? []
        func change(_ copy: Copy, _ change: (inout Copy) -> Void) {
            guard let place = copies.firstIndex(where: { $0.id == copy.id }) else { return }
            var changed = copies[place]
            change(&changed)
            world.boxes[person]?[place] = changed
        }
        switch Int.random(in: 0..<12, using: &world.dice) {
        case 0...3: try send(world, person, draft: nil)
        case 4:
            let (subject, body) = world.words()
            let saved = try caller.call(Mail.SaveDraft(subject: subject, body: body)).letter
            world.boxes[person]?.insert(
                Copy(
                    id: saved.id, subject: subject, from: person, to: [], folder: "drafts", isRead: true,
                    isUrgent: false, isDraft: true), at: 0)
        case 5:
            if let draft = copies.first(where: \.isDraft) { try send(world, person, draft: draft.id) }
        case 6 where !copies.isEmpty:
            let copy = world.one(copies)
            _ = try caller.call(Mail.Get(letter: copy.id))
            change(copy) { $0.isRead = true }
        case 7 where !copies.isEmpty:
            let (copy, read) = (world.one(copies), Bool.random(using: &world.dice))
            _ = try caller.call(Mail.Mark(letters: [copy.id], read: read))
            if !copy.isDraft { change(copy) { $0.isRead = read } }
        case 8 where !copies.isEmpty:
            let some = Set((0..<3).map { _ in world.one(copies).id })
            _ = try caller.call(Mail.Delete(letters: some.sorted()))
            world.boxes[person] = copies.compactMap { copy in
                guard some.contains(copy.id) else { return copy }
                var copy = copy
                if copy.folder == "bin" { return nil }
                copy.folder = "bin"
                return copy
            }
        case 9 where !copies.isEmpty:
            let (copy, folder) = (world.one(copies), world.one(["inbox", "sent", "bin"] + (world.own[person] ?? [])))
            if copy.isDraft, folder != "bin" {
                #expect(throws: Practice.Invalid.self) {
                    try caller.call(Mail.Move(letters: [copy.id], folder: folder))
                }
            } else {
                _ = try caller.call(Mail.Move(letters: [copy.id], folder: folder))
                change(copy) { $0.folder = folder }
            }
        case 10:
            if let folder = world.own[person]?.first, Bool.random(using: &world.dice) {
                try caller.call(Mail.RemoveFolder(folder: folder))
                world.own[person]?.removeFirst()
                for place in copies.indices where copies[place].folder == folder {
                    world.boxes[person]?[place].folder = "bin"
                }
            } else {
                world.number += 1
                world.own[person]?.append(try caller.call(Mail.AddFolder(name: "F\(world.number)")).folder.id)
            }
        case 11: try turnRecord(world)
        default: break
        }
    }

    private func send(_ world: World, _ writer: String, draft: String?) throws {
        let readers = Array(
            Set((0..<Int.random(in: 1...3, using: &world.dice)).map { _ in world.one(world.people) }).sorted())
        let (subject, body) = world.words()
        let isUrgent = Int.random(in: 0..<4, using: &world.dice) == 0
        let call = Mail.Send(draft: draft, to: readers, subject: subject, body: body, urgent: isUrgent)
        guard let stranger = readers.first(where: { !world.mayWrite(writer, $0) }) else {
            let sent = try world.mail.clinic.as(writer).call(call).letter
            let copy = Copy(
                id: sent.id, subject: subject, from: writer, to: readers, folder: "sent", isRead: true,
                isUrgent: isUrgent)
            if let draft { world.boxes[writer]?.removeAll { $0.id == draft } }
            world.boxes[writer]?.insert(copy, at: 0)
            for reader in readers {
                var theirs = copy
                (theirs.folder, theirs.isRead) = ("inbox", false)
                theirs.to = readers.filter { world.mayKnow(reader, $0) }
                theirs.id = try world.mail.list(reader, "inbox")[0].id
                world.boxes[reader]?.insert(theirs, at: 0)
            }
            return
        }
        #expect(throws: Mail.MayNotWrite(person: stranger)) { try world.mail.clinic.as(writer).call(call) }
    }

    /// Closes a record, or opens it again: both send a letter of the practice itself.
    private func turnRecord(_ world: World) throws {
        let client = world.one([world.mail.cleo, world.mail.dino])
        let therapist = world.mail.clinic.as(client == world.mail.cleo ? world.mail.ana : world.mail.ben)
        guard world.isOpen[client] == true else {
            try therapist.call(Records.ReopenRecord(client: client, why: .mistake, reason: "Too soon."))
            world.isOpen[client] = true
            return try takeSystemLetter("Your record is open again", for: client, world)
        }
        try therapist.call(Records.CloseRecord(client: client, reason: "All is said."))
        world.isOpen[client] = false
        try takeSystemLetter("Your record is closed", for: client, world)
    }

    private func takeSystemLetter(_ subject: String, for client: String, _ world: World) throws {
        let letter = try world.mail.list(client, "inbox")[0]
        #expect(letter.system && letter.subject == subject)
        world.boxes[client]?.insert(
            Copy(
                id: letter.id, subject: letter.subject, from: "practice", to: [client], folder: "inbox", isRead: false,
                isUrgent: false), at: 0)
    }

    private func compare(_ world: World, _ note: String) throws {
        for person in world.people {
            let model = (world.boxes[person] ?? []).map { copy in
                var copy = copy
                copy.isDraft = false
                return copy
            }
            for folder in ["inbox", "sent", "drafts", "bin"] + (world.own[person] ?? []) {
                let kept = try world.listed(person).filter { $0.folder == folder }
                #expect(kept == model.filter { $0.folder == folder }, "\(note), \(person), \(folder)")
            }
            for word in ["rojo", "manana3", "numero 1"] {
                let found = try world.mail.clinic.as(person).call(Mail.List(query: word, limit: 200)).letters
                #expect(found.allSatisfy { $0.folder != "bin" }, "\(note)")
                let subjects = Set(found.map(\.subject))
                for letter in world.boxes[person] ?? [] where letter.folder != "bin" {
                    let whole = try world.mail.clinic.as(person).call(Mail.Get(letter: letter.id)).letter
                    if let at = world.boxes[person]?.firstIndex(where: { $0.id == letter.id }) {
                        world.boxes[person]?[at].isRead = true
                    }
                    let text = "\(whole.subject) \(whole.body ?? "")".lowercased()
                        .replacing("ú", with: "u").replacing("ñ", with: "n")
                    let holds = word.split(separator: " ").allSatisfy { part in
                        text.split(separator: " ").contains { $0.hasPrefix(part) }
                    }
                    #expect(subjects.contains(letter.subject) == holds, "\(note), \(word), \(letter.subject)")
                }
            }
        }
    }
}
