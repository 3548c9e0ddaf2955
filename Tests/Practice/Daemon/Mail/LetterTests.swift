import PracticeInterfaces
import StaffInterfaces
import Storage
import Testing

@testable import PracticeDaemon

@Suite struct `Letters that are sent` {
    let mail: MailClinic
    init() throws { mail = try MailClinic() }

    @Test func `a letter arrives in the inbox, and lies in the sender's folder of sent letters`() throws {
        let sent = try mail.send(
            mail.ana, mail.cleo, subject: " Friday ", body: "Dear Cleo,\r\n\r\nat ten?", urgent: true)
        #expect(
            sent
                == Mail.Letter(
                    id: "l1", folder: "sent", from: .init(person: mail.ana, name: "Ana"),
                    to: [.init(person: mail.cleo, name: "Cleo", number: 1)], subject: "Friday",
                    preview: "Dear Cleo, at ten?",
                    body: "Dear Cleo,\n\nat ten?", at: "2027-03-05T09:00:00+01:00", urgent: true, system: false,
                    read: true, thread: "m1", replyTo: nil, revision: 1))
        let arrived = try mail.list(mail.cleo)
        #expect(
            arrived == [
                Mail.Letter(
                    id: "l2", folder: "inbox", from: .init(person: mail.ana, name: "Ana"),
                    to: [.init(person: mail.cleo, name: "Cleo")], subject: "Friday", preview: "Dear Cleo, at ten?",
                    body: nil, at: "2027-03-05T09:00:00+01:00", urgent: true, system: false, read: false,
                    thread: "m1", replyTo: nil, revision: 1)
            ])
    }

    @Test func `an urgent letter is news of its own kind`() throws {
        try mail.send(mail.ana, mail.ben)
        try mail.send(mail.ana, mail.ben, urgent: true)
        let missed = try mail.clinic.as(mail.ben).outcome(Practice.Watch(since: "0"), more: true).watchFrom?.missed
        #expect(missed?.suffix(2).map(\.kind) == [.mail, .urgent])
        #expect(missed?.suffix(2).map(\.what) == ["l2", "l4"])
    }

    @Test func `reading a letter marks it read, and names those beside it`() throws {
        for subject in ["one", "two", "three"] { try mail.send(mail.ana, mail.cleo, subject: subject) }
        let letters = try mail.list(mail.cleo)
        #expect(letters.map(\.subject) == ["three", "two", "one"])
        let middle = try mail.clinic.as(mail.cleo).call(Mail.Get(letter: letters[1].id))
        #expect(middle.letter.read && middle.letter.body == "At ten?")
        #expect(middle.newer == letters[0].id && middle.older == letters[2].id)
        #expect(try mail.counts(mail.cleo) == ["Inbox": [3, 2]])
        let first = try mail.clinic.as(mail.cleo).call(Mail.Get(letter: letters[2].id))
        #expect(first.newer == letters[1].id && first.older == nil)
    }

    @Test func `a client learns of no other client from a letter to both, nor finds it by their name`() throws {
        try mail.send(mail.sofia, mail.cleo, mail.dino, mail.ana)
        func recipients(_ person: String, _ folder: String = "inbox") throws -> [[String]] {
            try mail.list(person, folder).map { $0.to.map(\.name) }
        }
        #expect(try recipients(mail.cleo) == [["Cleo", "Ana"]])
        #expect(try recipients(mail.dino) == [["Dino", "Ana"]])
        // Dino is Ben's.
        #expect(try recipients(mail.ana) == [["Cleo", "Ana"]])
        #expect(try recipients(mail.sofia, "sent") == [["Cleo", "Dino", "Ana"]])
        for (person, name, found) in [
            (mail.cleo, "dino", false), (mail.cleo, "cleo", true), (mail.cleo, "sofia", true),
            (mail.ana, "dino", false),
            (mail.ana, "cleo", true), (mail.sofia, "dino", true),
        ] { #expect(try mail.found(person, name) == (found ? ["Friday"] : []), "\(person) \(name)") }
    }

    @Test func `on letters with somebody who is a thanatologist's client no more they have no name`() throws {
        try mail.send(mail.cleo, mail.ana, subject: "To her")
        try mail.send(mail.ana, mail.cleo, subject: "From her")
        try mail.clinic.as(mail.ana).call(Mail.SaveDraft(to: [mail.cleo], subject: "Never sent"))
        try mail.clinic.root.call(Records.Transfer(client: mail.cleo, to: mail.ben, reason: "Leave."))
        try mail.clinic.as(mail.ben).call(Records.EditClient(client: mail.cleo, revision: 1, name: "Clara"))
        #expect(try mail.list(mail.ana, "inbox").map(\.from.name) == ["a former client"])
        for folder in ["sent", "drafts"] {
            #expect(try mail.list(mail.ana, folder).map { $0.to.map(\.name) } == [["a former client"]])
        }
        #expect(try mail.list(mail.cleo, "sent").map(\.from.name) == ["Clara"])
        #expect(try mail.list(mail.cleo, "inbox").map { $0.to.map(\.name) } == [["Clara"]])
    }

    @Test func `a letter to several arrives with each, once, and each has a copy of their own`() throws {
        try mail.send(mail.sofia, mail.cleo, mail.dino, mail.cleo, mail.ada)
        for person in [mail.cleo, mail.dino, mail.ada] { #expect(try mail.counts(person) == ["Inbox": [1, 1]]) }
        let cleos = try mail.list(mail.cleo)[0].id
        try mail.clinic.as(mail.cleo).call(Mail.Delete(letters: [cleos]))
        try mail.clinic.as(mail.cleo).call(Mail.Delete(letters: [cleos]))
        #expect(try mail.counts(mail.cleo) == [:])
        #expect(throws: Practice.NotFound(kind: "letter", id: cleos)) {
            try mail.clinic.as(mail.cleo).call(Mail.Get(letter: cleos))
        }
        #expect(try mail.counts(mail.dino) == ["Inbox": [1, 1]])
        #expect(try mail.counts(mail.sofia) == ["Sent": [1, 0]])
    }

    @Test func `a letter with one recipient too many for its sender arrives with nobody`() throws {
        #expect(throws: Mail.MayNotWrite(person: mail.dino)) { try mail.send(mail.ana, mail.cleo, mail.dino) }
        for unknown in ["p99", "x", mail.ana] {
            #expect(throws: Mail.MayNotWrite(person: unknown)) { try mail.send(mail.ana, mail.cleo, unknown) }
        }
        #expect(throws: Mail.NoRecipients()) { try mail.send(mail.ana) }
        #expect(try mail.counts(mail.cleo) == [:])
        #expect(try mail.counts(mail.ana) == [:])
    }

    @Test func `to whom one may write is who is listed`() throws {
        let town = try StaffedClinic()
        let people = [town.ada, town.sofia, town.ana, town.ben, town.cleo, town.dino, town.emil]
        for writer in people {
            let listed = try town.clinic.as(writer).call(Mail.ListRecipients()).people.map(\.person)
            var allowed: [String] = []
            for person in people {
                do {
                    try town.clinic.as(writer).call(Mail.Send(to: [person], subject: "x", body: ""))
                    allowed.append(person)
                } catch let refusal as Mail.MayNotWrite { #expect(refusal.person == person) }
            }
            #expect(Set(listed) == Set(allowed), "\(writer)")
        }
        let numbers = try town.clinic.as(town.ana).call(Mail.ListRecipients()).people.filter { $0.number != nil }
        #expect(numbers.map { "\($0.role) \($0.name)" } == ["client Cleo"])
        let cleos = try town.clinic.as(town.cleo).call(Mail.ListRecipients()).people
        #expect(cleos.map(\.name) == ["Ana", "Sofia"] && cleos.map(\.role) == ["thanatologist", "support"])
    }

    @Test func `a thanatologist's clients whose records are closed are listed if asked for, and called so`() throws {
        let ana = mail.clinic.as(mail.ana)
        try ana.call(Records.CloseRecord(client: mail.cleo, reason: "moved"))
        func cleos(of writer: String, closed: Bool?) throws -> [Bool?] {
            try mail.clinic.as(writer).call(Mail.ListRecipients(query: "cleo", closed: closed)).people.map(\.closed)
        }
        #expect(try cleos(of: mail.ana, closed: nil) == [])
        #expect(try cleos(of: mail.ana, closed: true) == [true])
        // Support may write to them.
        #expect(try cleos(of: mail.sofia, closed: true) == [nil])
        #expect(try cleos(of: mail.ben, closed: true) == [])
        #expect(try cleos(of: mail.dino, closed: true) == [])
    }

    @Test func `the recipients come in pages, and are found by parts of their names`() throws {
        let sofia = mail.clinic.as(mail.sofia)
        let first = try sofia.call(Mail.ListRecipients(limit: 2))
        let second = try sofia.call(Mail.ListRecipients(after: first.next, limit: 2))
        let third = try sofia.call(Mail.ListRecipients(after: second.next, limit: 2))
        #expect([first, second, third].map { $0.people.map(\.name) } == [["Ada", "Ana"], ["Ben", "Cleo"], ["Dino"]])
        #expect(third.next == nil)
        #expect(try sofia.call(Mail.ListRecipients(query: "IN")).people.map(\.name) == ["Dino"])
        // A program that knows no pages sees everybody of a small practice.
        for number in 1...30 { _ = try mail.clinic.staff("New \(number)", .support) }
        #expect(try sofia.call(Mail.ListRecipients()).people.count == 35)
    }

    @Test func `an answer stands in the thread of the letter that it answers`() throws {
        try mail.send(mail.ana, mail.cleo)
        let cleos = try mail.list(mail.cleo)[0]
        let answer = try mail.send(mail.cleo, mail.ana, subject: "Re: Friday", replyTo: cleos.id)
        #expect(answer.thread == cleos.thread && answer.replyTo == cleos.id)
        let anas = try mail.list(mail.ana, "inbox")[0]
        // Ana's copy of the letter that is answered is the one that she sent.
        #expect(anas.replyTo == "l1" && anas.thread == cleos.thread)
        try mail.send(mail.ana, mail.cleo, subject: "Other")
        let thread = try mail.clinic.as(mail.cleo).call(Mail.List(thread: cleos.thread)).letters
        #expect(thread.map(\.subject) == ["Re: Friday", "Friday"])
        #expect(throws: Practice.NotFound(kind: "letter", id: "l1")) {
            try mail.send(mail.cleo, mail.ana, replyTo: "l1")
        }
    }

    @Test func `a therapist's clients are listed with the letters of theirs that the therapist has not read`() throws {
        func unread(_ reader: String) throws -> [String: Int] {
            let rows = try mail.clinic.as(reader).call(Records.ListClients()).clients
            return Dictionary(uniqueKeysWithValues: rows.filter { $0.unread > 0 }.map { ($0.name, $0.unread) })
        }
        for subject in ["one", "two", "three"] { try mail.send(mail.cleo, mail.ana, subject: subject) }
        try mail.send(mail.cleo, mail.sofia)
        try mail.send(mail.ben, mail.ana)
        #expect(try unread(mail.ana) == ["Cleo": 3] && unread(mail.ben) == [:] && unread(mail.sofia) == ["Cleo": 1])
        let letters = try mail.list(mail.ana, "inbox").filter { $0.from.person == mail.cleo }.map(\.id)
        try mail.clinic.as(mail.ana).call(Mail.Get(letter: letters[0]))
        try mail.clinic.as(mail.ana).call(Mail.Delete(letters: [letters[1]]))
        #expect(try unread(mail.ana) == ["Cleo": 1])
    }

    @Test func `a letter in the bin is listed there alone, and stands beside nothing in another folder`() throws {
        for subject in ["one", "two", "three"] { try mail.send(mail.ana, mail.cleo, subject: subject) }
        let cleo = mail.clinic.as(mail.cleo)
        let letters = try mail.list(mail.cleo)
        try cleo.call(Mail.Delete(letters: [letters[1].id]))
        #expect(try mail.subjects(mail.cleo) == ["three", "one"])
        #expect(try mail.subjects(mail.cleo, "bin") == ["two"])
        let newest = try cleo.call(Mail.Get(letter: letters[0].id))
        #expect((newest.newer, newest.older) == (nil, letters[2].id))
        let binned = try cleo.call(Mail.Get(letter: letters[1].id))
        #expect((binned.newer, binned.older) == (nil, nil))
    }

    @Test func `a key sends a letter once`() throws {
        let call = Mail.Send(to: [mail.cleo], subject: "Friday", body: "", key: "k")
        let first = try mail.clinic.as(mail.ana).call(call).letter
        #expect(try mail.clinic.as(mail.ana).call(call).letter == first)
        #expect(try mail.counts(mail.cleo) == ["Inbox": [1, 1]])
    }

    @Test func `recipients hear of it once it is committed, and nobody else does`() throws {
        let outcome = try mail.clinic.as(mail.sofia).outcome(
            Mail.Send(to: [mail.cleo, mail.dino], subject: "x", body: ""))
        #expect(
            outcome.news.map { "\($0.person) \($0.kind) \($0.what ?? "")" } == [
                "\(mail.cleo) mail l2", "\(mail.dino) mail l3",
            ])
    }

    @Test(.ofFile) func `nobody changes a letter that was sent, not even by hand`() throws {
        try mail.send(mail.ana, mail.cleo)
        try mail.clinic.close()
        let database = try SQLiteDatabase(mail.clinic.database, .writing)
        for statement in [
            "UPDATE letter SET body = 'no'", "UPDATE letter SET sent = 0", "DELETE FROM letter",
            "DELETE FROM letter_to",
            "UPDATE letter_to SET person = 4", "INSERT INTO letter_to (letter, position, person) VALUES (1, 9, 4)",
            "REPLACE INTO letter SELECT * FROM letter",
        ] { #expect(throws: SQLiteError.self) { try database.execute(statement) } }
    }

    @Test func `faults of a letter are told all at once, and nothing is kept`() throws {
        let long = String(repeating: "x", count: 1_024 * 1_024 + 1)
        let call = Mail.Send(to: [mail.cleo], subject: "a\u{202E}b", body: long)
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "subject", reason: "must not have U+202E (RIGHT-TO-LEFT OVERRIDE): it cannot be seen."),
                .init(field: "body", reason: "must have no more than 1048576 bytes."),
            ])
        ) { try mail.clinic.as(mail.ana).call(call) }
        let crowd = Mail.Send(to: (1...101).map { "p\($0)" }, subject: "x", body: "x")
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "to", reason: "must be no more than 100 people: a broadcast reaches more.")
            ])
        ) { try mail.clinic.as(mail.ana).call(crowd) }
        #expect(throws: Practice.Invalid.self) { try mail.send(mail.ana, mail.cleo, subject: " ", body: "") }
        #expect(try mail.counts(mail.ana) == [:])
    }

    @Test func `after the closing of a record the practice writes to the client, who writes to support alone`() throws {
        try mail.clinic.as(mail.ana).call(Records.CloseRecord(client: mail.cleo, reason: "All is said."))
        let letter = try mail.list(mail.cleo)[0]
        #expect(letter.system && letter.from == .init(person: "practice", name: "Clinic at the Park"))
        #expect(letter.subject == "Your record is closed")
        #expect(throws: Mail.MayNotWrite(person: mail.ana)) { try mail.send(mail.cleo, mail.ana) }
        #expect(throws: Mail.MayNotWrite(person: mail.cleo)) { try mail.send(mail.ana, mail.cleo) }
        try mail.send(mail.cleo, mail.sofia)
        try mail.send(mail.sofia, mail.cleo)
    }

    @Test func `lists come in pages, the newest first, with the total of all`() throws {
        for number in 1...45 { try mail.send(mail.ana, mail.cleo, subject: "\(number)", urgent: number % 10 == 0) }
        let cleo = mail.clinic.as(mail.cleo)
        var subjects: [String] = []
        var after: String?
        repeat {
            let page = try cleo.call(Mail.List(folder: "inbox", after: after))
            #expect(page.total == 45)
            subjects += page.letters.map(\.subject)
            after = page.next
        } while after != nil
        #expect(subjects == (1...45).reversed().map { "\($0)" })
        #expect(try cleo.call(Mail.List(urgent: true)).letters.map(\.subject) == ["40", "30", "20", "10"])
        try cleo.call(Mail.Mark(letters: try mail.list(mail.cleo).dropLast(2).map(\.id), read: true))
        #expect(try cleo.call(Mail.List(unread: true)).letters.map(\.subject) == ["2", "1"])
    }
}

@Suite struct `Finding letters` {
    let mail: MailClinic
    init() throws {
        mail = try MailClinic()
        try mail.send(mail.ana, mail.cleo, subject: "Ángeles comes", body: "The résumé of the week, don't worry.")
        try mail.send(mail.ana, mail.cleo, subject: "Breathing", body: "Slow breaths in the WEEK to come.")
        try mail.send(mail.sofia, mail.dino, subject: "Week", body: "For Dino alone.")
    }

    @Test(arguments: [
        ("angeles", ["Ángeles comes"]), ("RESUME", ["Ángeles comes"]), ("week", ["Breathing", "Ángeles comes"]),
        ("wee bre", ["Breathing"]), ("don't", ["Ángeles comes"]), ("Ana slow", ["Breathing"]),
        ("cleo", ["Breathing", "Ángeles comes"]), ("dino", []), ("eek", []), ("%", ["Breathing", "Ángeles comes"]),
        ("", ["Breathing", "Ángeles comes"]), ("no_such", []),
    ])
    func `words find letters by their beginnings, without accents and case`(query: String, found: [String]) throws {
        #expect(try mail.found(mail.cleo, query) == found)
    }

    @Test func `a long letter is found by words from its beginning and its end`() throws {
        let body = (1...2_000).map { "word\($0)" }.joined(separator: " ")
        try mail.send(mail.ana, mail.cleo, subject: "Long", body: body)
        #expect(try mail.found(mail.cleo, "word1999 long word7 cleo") == ["Long"])
        #expect(try mail.found(mail.cleo, "word2000 word2001") == [])
    }

    @Test func `a draft is found by the words that it has now, and those of its recipients' names`() throws {
        let cleo = mail.clinic.as(mail.cleo)
        let draft = try cleo.call(Mail.SaveDraft(to: [mail.ana], subject: "Lighthouse")).letter
        #expect(try mail.found(mail.cleo, "light ana") == ["Lighthouse"])
        let anew = try cleo.call(Mail.SaveDraft(draft: draft.id, revision: draft.revision, subject: "Garden")).letter
        #expect(try mail.found(mail.cleo, "light") == [] && mail.found(mail.cleo, "gar ana") == ["Garden"])
        try cleo.call(Mail.Send(draft: draft.id, revision: anew.revision, body: "Soon."))
        for reader in [mail.cleo, mail.ana] { #expect(try mail.found(reader, "garden soon") == ["Garden"]) }
    }

    @Test func `a letter that others have, too, is not found by the name of an erased client`() throws {
        try mail.send(mail.sofia, mail.cleo, mail.dino, mail.ana, subject: "Both")
        #expect(try mail.found(mail.ana, "cleo both") == ["Both"])
        #expect(try mail.found(mail.dino, "cleo") == [])
        try mail.clinic.as(mail.ana).call(Records.CloseRecord(client: mail.cleo, reason: "All is said."))
        try mail.clinic.root.call(Records.EraseRecord(client: mail.cleo, number: 1, reason: "Asked."))
        #expect(try mail.found(mail.ana, "cleo both") == [])
        for reader in [mail.ana, mail.dino] { #expect(try mail.found(reader, "sofia both") == ["Both"]) }
    }

    @Test func `a letter that is deleted for good is found no more, and none of its words is kept`() throws {
        for letter in try mail.list(mail.cleo) {
            try mail.clinic.as(mail.cleo).call(Mail.Delete(letters: [letter.id]))
            try mail.clinic.as(mail.cleo).call(Mail.Delete(letters: [letter.id]))
        }
        #expect(try mail.found(mail.cleo, "week") == [])
        try mail.clinic.close()
        let database = try mail.clinic.look()
        #expect(try database.number("SELECT count(*) FROM copy_words WHERE person = \(mail.cleo.dropFirst())") == 0)
        #expect(try database.number("SELECT count(*) FROM copy_words WHERE words LIKE '% dino%'") == 2)
    }
}
