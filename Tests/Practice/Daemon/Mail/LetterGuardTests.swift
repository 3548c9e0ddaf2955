import PracticeInterfaces
import PracticeRules
import PracticeStore
import Testing
import Time

@testable import PracticeDaemon

@Suite struct `What nobody does with letters` {
    let mail: MailClinic
    init() throws { mail = try MailClinic() }

    private func expectFault(
        _ field: String, _ reason: String, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        #expect(throws: Practice.Invalid(faults: [.init(field: field, reason: reason)]), sourceLocation: location) {
            try body()
        }
    }

    @Test func `somebody who is retired gets no letter, and neither does oneself`() throws {
        try mail.clinic.root.call(Practice.RetireStaff(person: mail.sofia, revision: 1))
        for writer in [mail.ana, mail.cleo] {
            #expect(throws: Mail.MayNotWrite(person: mail.sofia)) { try mail.send(writer, mail.sofia) }
        }
        #expect(throws: Mail.MayNotWrite(person: mail.ana)) { try mail.send(mail.ana, mail.ana) }
        #expect(try mail.counts(mail.ana) == [:])
    }

    @Test func `another's folder is not there, to list or to move to`() throws {
        let kept = try mail.clinic.as(mail.cleo).call(Mail.AddFolder(name: "Kept")).folder.id
        let sent = try mail.send(mail.ana, mail.cleo).id
        let gone = Practice.NotFound(kind: "folder", id: kept)
        #expect(throws: gone) { try mail.list(mail.ana, kept) }
        #expect(throws: gone) { try mail.clinic.as(mail.ana).call(Mail.Move(letters: [sent], folder: kept)) }
        #expect(throws: gone) { try mail.clinic.as(mail.ana).call(Mail.AddFolder(name: "x", parent: kept)) }
        #expect(throws: gone) { try mail.clinic.as(mail.ana).call(Mail.RenameFolder(folder: kept, name: "x")) }
    }

    @Test func `at most a thousand letters are moved, marked or deleted at once, and none of another's`() throws {
        let ana = mail.clinic.as(mail.ana)
        let many = Array(repeating: try mail.send(mail.ana, mail.cleo).id, count: 1_001)
        let reason = "must be no more than 1000 at once."
        expectFault("letters", reason) { _ = try ana.call(Mail.Move(letters: many, folder: "bin")) }
        expectFault("letters", reason) { _ = try ana.call(Mail.Delete(letters: many)) }
        expectFault("letters", reason) { _ = try ana.call(Mail.Mark(letters: many, read: false)) }
        #expect(try ana.call(Mail.Move(letters: Array(many.dropFirst()), folder: "bin")).moved == 1)
        let cleos = try mail.list(mail.cleo)[0].id
        for call in [
            { try ana.call(Mail.Delete(letters: [cleos])).deleted },
            { try ana.call(Mail.Mark(letters: [cleos], read: true)).marked },
        ] {
            #expect(throws: Practice.NotFound(kind: "letter", id: cleos)) { _ = try call() }
        }
        #expect(try mail.counts(mail.cleo) == ["Inbox": [1, 1]])
    }

    @Test func `a draft is neither read nor new`() throws {
        let ana = mail.clinic.as(mail.ana)
        let draft = try ana.call(Mail.SaveDraft(subject: "Friday")).letter.id
        #expect(try ana.call(Mail.Mark(letters: [draft], read: false)).marked == 0)
        #expect(try mail.counts(mail.ana) == ["Drafts": [1, 0]])
    }

    @Test func `a letter is no draft, and a revision without a draft has no meaning`() throws {
        let ana = mail.clinic.as(mail.ana)
        let sent = try mail.send(mail.ana, mail.cleo).id
        #expect(throws: Practice.NotFound(kind: "draft", id: sent)) {
            try ana.call(Mail.Send(draft: sent, to: [mail.ben]))
        }
        expectFault("revision", "must not be there without a draft.") {
            _ = try ana.call(Mail.SaveDraft(revision: 1, subject: "x"))
        }
    }

    @Test func `a letter has a subject or a text, of no more than the limits`() throws {
        let ana = mail.clinic.as(mail.ana)
        expectFault("body", "must not be empty, without a subject.") {
            _ = try mail.send(mail.ana, mail.cleo, subject: " ", body: "")
        }
        let subject = String(repeating: "ñ", count: 200)
        #expect(try mail.send(mail.ana, mail.cleo, subject: subject).subject == subject)
        expectFault("subject", "must have no more than 200 characters.") {
            _ = try mail.send(mail.ana, mail.cleo, subject: subject + "x")
        }
        let body = String(repeating: "a", count: 1_024 * 1_024)
        #expect(try mail.send(mail.ana, mail.cleo, body: body).body == body)
        expectFault("body", "must have no more than 1048576 bytes.") {
            _ = try ana.call(Mail.SaveDraft(body: body + "a"))
        }
        let name = String(repeating: "ñ", count: 64)
        #expect(try ana.call(Mail.AddFolder(name: name)).folder.name == name)
        expectFault("name", "must have no more than 64 characters.") {
            _ = try ana.call(Mail.AddFolder(name: name + "x"))
        }
    }

    @Test func `a hundred people get one letter, and a thousand drafts are kept`() throws {
        let store = try mail.clinic.writer.storage.store()
        var people: [String] = []
        try store.transaction {
            for number in 0...100 {
                let person = try store.addPerson(
                    role: .support, name: "Person \(number)", account: nil, email: nil, phone: nil,
                    since: .init(ordinal: 20_000))
                people.append(person.id.description)
            }
        }
        let ana = mail.clinic.as(mail.ana)
        #expect(try ana.call(Mail.Send(to: people.dropLast(), subject: "x")).letter.to.count == 100)
        expectFault("to", "must be no more than 100 people: a broadcast reaches more.") {
            _ = try ana.call(Mail.Send(to: people, subject: "x"))
        }
        for _ in 0..<1_000 { try ana.call(Mail.SaveDraft()) }
        expectFault("draft", "cannot be kept: nobody has more than 1000.") { _ = try ana.call(Mail.SaveDraft()) }
        // One of them goes on, and a letter is sent without a draft.
        let draft = try mail.list(mail.ana, "drafts")[0].id
        #expect(try ana.call(Mail.SaveDraft(draft: draft, subject: "Friday")).letter.subject == "Friday")
        try mail.send(mail.ana, mail.cleo)
    }

    @Test func `root has no mailbox`() throws {
        let nobody = Practice.NotFound(kind: "person", id: "root")
        #expect(throws: nobody) { try mail.clinic.root.call(Mail.Send(to: [mail.cleo], subject: "x")) }
        #expect(throws: nobody) { try mail.clinic.root.call(Mail.AddFolder(name: "x")) }
        #expect(try mail.clinic.root.call(Mail.List()).letters == [])
        #expect(try mail.clinic.root.call(Mail.ListRecipients()).people == [])
    }

    // MARK: Broadcasts

    @Test func `a broadcast that is not there, or not for the reader, is neither dismissed, edited nor ended`() throws {
        let ada = mail.clinic.as(mail.ada)
        let staff = try ada.call(Mail.Announce(text: "For staff.", to: "staff")).broadcast.id
        let coming = try ada.call(Mail.Announce(text: "Spring.", to: "clients", from: "2027-03-20")).broadcast.id
        for id in [staff, coming, "b99", "x"] {
            #expect(throws: Practice.NotFound(kind: "broadcast", id: id)) {
                try mail.clinic.as(mail.cleo).call(Mail.Dismiss(broadcast: id))
            }
        }
        #expect(throws: Practice.NotFound(kind: "broadcast", id: "b99")) {
            try ada.call(Mail.EditBroadcast(broadcast: "b99", revision: 1, text: "x"))
        }
        #expect(throws: Practice.NotFound(kind: "broadcast", id: "b99")) {
            try ada.call(Mail.EndBroadcast(broadcast: "b99"))
        }
        expectFault("until", "must be later than the beginning, and than now.") {
            _ = try ada.call(Mail.EditBroadcast(broadcast: staff, revision: 1, until: "2027-03-04"))
        }
        expectFault("text", "must not be empty.") {
            _ = try ada.call(Mail.EditBroadcast(broadcast: staff, revision: 1, text: " "))
        }
        #expect(try mail.clinic.as(mail.cleo).call(Mail.ListBroadcasts(all: true)).broadcasts == [])
    }

    /// Now it is nine in the morning of 2027-03-05.
    @Test func `a broadcast ends after its beginning and after now, and one that is over keeps its end`() throws {
        let ada = mail.clinic.as(mail.ada)
        let reason = "must be later than the beginning, and than now."
        for (from, until) in [("2027-03-20", "2027-03-10"), ("2027-03-01", "2027-03-03")] {
            expectFault("until", reason) {
                _ = try ada.call(Mail.Announce(text: "x", to: "staff", from: from, until: until))
            }
            let id = try ada.call(Mail.Announce(text: "x", to: "staff", from: from)).broadcast.id
            expectFault("until", reason) {
                _ = try ada.call(Mail.EditBroadcast(broadcast: id, revision: 1, until: until))
            }
        }
        let id = try ada.call(Mail.Announce(text: "Today.", to: "staff", until: "2027-03-05")).broadcast.id
        mail.clinic.clock.advance(by: .seconds(2 * 86_400))
        try ada.call(Mail.EndBroadcast(broadcast: id))
        let kept = try mail.clinic.writer.storage.store().broadcast(ID(id), for: nil)
        #expect(kept?.ends == Clinic.morning + .seconds(15 * 3_600))
    }

    @Test func `a hundred broadcasts are shown or to come, until one of them ends`() throws {
        let ada = mail.clinic.as(mail.ada)
        for number in 1...100 { try ada.call(Mail.Announce(text: "\(number)", to: "staff")) }
        expectFault("text", "must wait: 100 broadcasts are shown or to come. End one of them.") {
            _ = try ada.call(Mail.Announce(text: "101", to: "staff"))
        }
        try ada.call(Mail.EndBroadcast(broadcast: "b1"))
        try ada.call(Mail.Announce(text: "101", to: "staff"))
    }

    @Test func `a broadcast is made once by its key`() throws {
        let call = Mail.Announce(text: "Closed.", to: "everybody", key: "k")
        let made = try (0..<2).map { _ in try mail.clinic.as(mail.ada).call(call).broadcast.id }
        #expect(made == ["b1", "b1"])
    }
}
