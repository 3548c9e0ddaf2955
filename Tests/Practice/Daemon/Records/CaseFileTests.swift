import Foundation
import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Testing

@testable import PracticeDaemon

@Suite struct `The case file` {
    @Test func `the case file has all data about a client, and nothing about others`() throws {
        var settings = Clinic.settings
        settings.clientFields = [.sample("insurance")]
        let day = try Clinic.Day(settings)
        let ana = day.clinic.as(day.ana)
        let dora = try day.clinic.client("Dora", of: day.ana)
        try ana.call(
            Records.EditClient(
                client: day.cleo, revision: 1, born: "1980-02-29", motive: "Loss.", extra: ["insurance": "12345678Z"]))
        try ana.call(
            Records.AddSession(
                client: day.cleo, on: "2027-03-05", minutes: 50, service: day.offers.talk, motives: [day.offers.loss],
                tools: [day.offers.letter], fee: 4_500, notes: "First talk."))
        try ana.call(Records.AddSession(day, notes: "Twice."))
        try ana.call(
            Records.AddSession(
                client: dora, on: "2027-03-05", minutes: 50, service: day.offers.talk, motives: [], tools: [],
                notes: "Dora's."))
        try ana.call(Records.AddAddendum(session: "s1", text: "It was 60 minutes."))
        try ana.call(Records.VoidSession(session: "s2", reason: "Recorded twice."))
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Well."))
        let at = "\"at\":\"2027-03-05T09:00:00+01:00\""
        let recorded = "\"recorded\":\"2027-03-05T09:00:00+01:00\""
        let looks = [
            ("a2", "AddClient", ",\"what\":\"p2\""), ("a7", "EditClient", ""), ("a8", "AddSession", ",\"what\":\"s1\""),
            ("a9", "AddSession", ",\"what\":\"s2\""), ("a11", "AddAddendum", ",\"what\":\"s1\""),
            ("a12", "VoidSession", ",\"what\":\"s2\""), ("a13", "CloseRecord", ""),
        ].map { id, did, what in
            "{\(at),\"did\":\"\(did)\",\"id\":\"\(id)\",\"person\":\"p1\",\"through\":\"demo\"\(what)}"
        }
        let expected = """
            {\(at),"audit":[\(looks.joined(separator: ","))],\
            "client":{"born":"1980-02-29","closedOn":"2027-03-05","extra":{"insurance":"12345678Z"},"id":"p2",\
            "motive":"Loss.","name":"Cleo","number":1,"open":false,"revision":2,"since":"2027-03-05",\
            "thanatologist":"p1","timeZone":"Europe/Madrid"},\
            "names":{"p1":"Ana","t1":"Loss of a parent","t2":"Letter","v1":"Talk"},"practice":"Clinic at the Park",\
            "sessions":[\
            {"addenda":[{\(at),"by":"p1","text":"It was 60 minutes."}],"client":"p2","currency":"EUR","episode":1,\
            "fee":4500,"id":"s1","minutes":50,"motives":["t1"],"notes":"First talk.","number":1,"on":"2027-03-05",\
            \(recorded),"service":"v1","thanatologist":"p1","tools":["t2"]},\
            {"addenda":[],"client":"p2","currency":"EUR","episode":1,"id":"s2","minutes":50,"motives":[],\
            "notes":"Twice.","number":2,"on":"2027-03-05",\(recorded),"service":"v1","thanatologist":"p1","tools":[],\
            "voidReason":"Recorded twice.","voided":"2027-03-05T09:00:00+01:00","voidedBy":"p1"}],\
            "turns":[{\(at),"by":"p1","episode":1,"on":"2027-03-05","reason":"","thanatologist":"p1","what":"opened"},\
            {\(at),"by":"p1","episode":1,"on":"2027-03-05","reason":"Well.","thanatologist":"p1","what":"closed"}]}
            """
        let file = try ana.call(Records.CaseFile(client: day.cleo)).file
        #expect(String(decoding: file.text, as: UTF8.self) == expected)

        // The next file has one more entry, for this reading.
        let own = try day.clinic.as(day.cleo).call(Records.CaseFile(client: day.cleo)).file
        let looked = "{\(at),\"did\":\"CaseFile\",\"id\":\"a14\",\"person\":\"p1\",\"through\":\"demo\"}"
        // And the letter that the practice wrote to the client.
        #expect(
            String(decoding: own.text, as: UTF8.self).replacing(#/"letters":.*"names":/#, with: "\"names\":")
                == expected.replacing(looks[6] + "]", with: looks[6] + "," + looked + "]"))
    }

    @Test func `a client gets only their own`() throws {
        let day = try Clinic.Day()
        let dora = try day.clinic.client("Dora", of: day.ana)
        let ben = try day.clinic.staff("Ben", .thanatologist)
        let support = try day.clinic.staff("Sofia", .support)
        for person in [dora, ben] {
            #expect(throws: Practice.NotFound(kind: "client", id: day.cleo)) {
                try day.clinic.as(person).call(Records.CaseFile(client: day.cleo))
            }
        }
        for caller in [day.clinic.as(support), day.clinic.root, day.clinic.visitor] {
            #expect(throws: Practice.NotAllowed(right: "seeCaseFile")) {
                try caller.call(Records.CaseFile(client: day.cleo))
            }
        }
    }

    // MARK: Letters and messages

    /// A case file's words of these two: letters by their subjects, messages by their texts.
    private struct Said: Equatable {
        var letters: [String] = []
        var messages: [String] = []
        var leftOut = [0, 0]

        init(_ letters: [String] = [], _ messages: [String] = []) {
            (self.letters, self.messages) = (letters, messages)
        }

        init(_ file: RawJSON) throws {
            let file = try #require(try JSONSerialization.jsonObject(with: Data(file.text)) as? [String: Any])
            letters = (file["letters"] as? [[String: Any]] ?? []).compactMap { $0["subject"] as? String }
            messages = (file["messages"] as? [[String: Any]] ?? []).compactMap {
                $0["deleted"] as? Bool == true ? "-" : $0["text"] as? String
            }
            leftOut = ["lettersLeftOut", "messagesLeftOut"].map { file[$0] as? Int ?? 0 }
        }
    }

    @Test func `it has the letters and messages that the reader has with the client, and an export has all`() throws {
        let chat = try ChatClinic()
        let clinic = chat.clinic
        func send(_ from: String, _ to: [String], _ subject: String) throws -> String {
            try clinic.as(from).call(Mail.Send(to: to, subject: subject, body: "At ten?")).letter.id
        }
        _ = try send(chat.ana, [chat.cleo], "From Ana")
        _ = try send(chat.cleo, [chat.sofia], "To Sofia")
        _ = try send(chat.cleo, [chat.ana, chat.sofia], "To both")
        _ = try send(chat.ana, [chat.ben], "About Cleo")
        try clinic.as(chat.cleo).call(Mail.SaveDraft(to: [chat.ana], subject: "Draft"))
        let inbox = try clinic.as(chat.ana).call(Mail.List(folder: "inbox")).letters.map(\.id)
        for _ in 1...2 { try clinic.as(chat.ana).call(Mail.Delete(letters: inbox)) }
        let (withAna, withSofia) = (try chat.direct(chat.cleo, chat.ana), try chat.direct(chat.sofia, chat.cleo))
        let team = try chat.room(chat.ana, "Team", chat.cleo)
        try chat.send(chat.ana, withAna, "Hello.")
        try clinic.as(chat.cleo).call(Chat.DeleteMessage(message: chat.send(chat.cleo, withAna, "No.")))
        try chat.send(chat.cleo, withSofia, "Help!")
        try chat.send(chat.cleo, team, "To all.")
        func said(_ person: String) throws -> Said {
            try Said(clinic.as(person).call(Records.CaseFile(client: chat.cleo)).file)
        }
        #expect(try said(chat.ana) == Said(["From Ana"], ["Hello.", "-"]))
        #expect(try said(chat.cleo) == Said(["From Ana", "To Sofia", "To both"], ["Hello.", "-", "Help!"]))
        // The next therapist has no letter of another's.
        try clinic.root.call(Records.Transfer(client: chat.cleo, to: chat.ben, reason: "Leave."))
        #expect(try said(chat.ben) == Said())
        try clinic.as(chat.ben).call(Records.CloseRecord(client: chat.cleo, reason: "All is said."))
        let export = try Said(
            clinic.as(chat.ada).call(Records.ExportRecord(client: chat.cleo, reason: "Asked for.")).file)
        #expect(
            export
                == Said(
                    ["From Ana", "To Sofia", "To both", "Your record is closed"], ["Hello.", "-", "Help!"]))
    }

    @Test func `it has each message once if the reader has left the room of two and come back`() throws {
        let chat = try ChatClinic()
        let room = try chat.direct(chat.ana, chat.cleo)
        try chat.send(chat.ana, room, "Hello.")
        for next in [chat.ben, chat.ana] {
            try chat.clinic.root.call(Records.Transfer(client: chat.cleo, to: next, reason: "Leave."))
        }
        #expect(try chat.direct(chat.ana, chat.cleo) == room)
        try chat.send(chat.cleo, room, "Again.")
        for reader in [chat.ana, chat.cleo] {
            let file = try chat.clinic.as(reader).call(Records.CaseFile(client: chat.cleo)).file
            #expect(try Said(file) == Said([], ["Hello.", "Again."]))
        }
    }

    @Test func `it names no other client on a letter to both`() throws {
        let chat = try ChatClinic()
        let clinic = chat.clinic
        let elsa = try clinic.client("Elsa", of: chat.ana)
        try clinic.as(chat.ana).call(
            Mail.Send(to: [chat.cleo, elsa], subject: "Closed on Friday", body: "Until Monday."))
        func names(_ file: RawJSON) -> [String] {
            ["Cleo", "Elsa", LetterRules.formerClient].filter {
                String(decoding: file.text, as: UTF8.self).contains("\"name\":\"\($0)\"")
            }
        }
        func file(_ person: String) throws -> RawJSON {
            try clinic.as(person).call(Records.CaseFile(client: chat.cleo)).file
        }
        #expect(try names(file(chat.cleo)) == ["Cleo"])
        #expect(try names(file(chat.ana)) == ["Cleo", "Elsa"])
        // Once her therapist is another, nobody else learns how she is called now.
        try clinic.root.call(Records.Transfer(client: elsa, to: chat.ben, reason: "Leave."))
        #expect(try names(file(chat.ana)) == ["Cleo", LetterRules.formerClient])
        try clinic.as(chat.ana).call(Records.CloseRecord(client: chat.cleo, reason: "All is said."))
        let export = try clinic.as(chat.ada).call(Records.ExportRecord(client: chat.cleo, reason: "Asked for.")).file
        #expect(names(export) == ["Cleo"])
    }

    @Test func `it has the newest letters and messages, and says how many older ones it leaves out`() throws {
        let chat = try ChatClinic()
        let long = String(repeating: "a", count: 1_024 * 1_024)
        for number in 1...8 {
            try chat.clinic.as(chat.ana).call(Mail.Send(to: [chat.cleo], subject: "\(number)", body: long))
        }
        let room = try chat.direct(chat.cleo, chat.ana)
        let store = try chat.clinic.writer.storage.store()
        try store.transaction {
            for number in 0...20_000 {
                _ = try store.addMessage(
                    "\(number)", to: ID(room), from: Correspondent(id: ID(chat.ana), name: "Ana"), at: Clinic.morning)
            }
        }
        let said = try Said(chat.clinic.as(chat.cleo).call(Records.CaseFile(client: chat.cleo)).file)
        #expect(said.letters == (2...8).map { "\($0)" })
        #expect(said.messages == (1...20_000).map { "\($0)" } && said.leftOut == [1, 1])
    }

    /// A letter with 8,000 accents is one character.
    @Test func `its letters and messages are counted by their bytes, and have no more than the rest leaves of it`()
        throws
    {
        let chat = try ChatClinic()
        let (ana, cleo) = (chat.clinic.as(chat.ana), chat.clinic.as(chat.cleo))
        let body = String(repeating: "ä", count: 512 * 1_024)
        for number in 1...8 { try ana.call(Mail.Send(to: [chat.cleo], subject: "\(number)", body: body)) }
        let room = try chat.direct(chat.cleo, chat.ana)
        let accents = "e" + String(repeating: "\u{301}", count: 8_000)
        let store = try chat.clinic.writer.storage.store()
        try store.transaction {
            for _ in 1...600 {
                _ = try store.addMessage(
                    accents, to: ID(room), from: Correspondent(id: ID(chat.ana), name: "Ana"), at: Clinic.morning)
            }
        }
        func file() throws -> RawJSON { try cleo.call(Records.CaseFile(client: chat.cleo)).file }
        let said = try Said(file())
        // Each message has 16,001 bytes, two names of 3, and 256 for the rest of it.
        #expect(said.letters == (2...8).map { "\($0)" } && said.messages.count == 491 && said.leftOut == [1, 109])
        let (talk, notes) = (try chat.clinic.offers().talk, String(repeating: "n", count: 256 * 1_024))
        for _ in 1...40 {
            try ana.call(
                Records.AddSession(
                    client: chat.cleo, on: "2027-03-05", minutes: 50, service: talk, motives: [], tools: [],
                    notes: notes))
        }
        let whole = try file()
        let less = try Said(whole)
        #expect(whole.text.count <= 24 * 1_024 * 1_024)
        #expect(less.letters == said.letters && less.messages.count < 491)
        #expect(less.messages.count + less.leftOut[1] == 600)
    }

    @Test func `it has the sessions of all pages`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        for _ in 1...205 { try ana.call(Records.AddSession(day)) }
        let text = String(decoding: try ana.call(Records.CaseFile(client: day.cleo)).file.text, as: UTF8.self)
        #expect(text.matches(of: #/"number":(\d+),"on"/#).map { Int($0.1) } == (1...205).map { $0 })
    }
}
