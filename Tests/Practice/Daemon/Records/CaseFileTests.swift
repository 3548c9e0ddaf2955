import PracticeInterfaces
import PracticeRules
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
        #expect(
            String(decoding: own.text, as: UTF8.self)
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

    @Test func `it has the sessions of all pages`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        for _ in 1...205 { try ana.call(Records.AddSession(day)) }
        let text = String(decoding: try ana.call(Records.CaseFile(client: day.cleo)).file.text, as: UTF8.self)
        #expect(text.matches(of: #/"number":(\d+),"on"/#).map { Int($0.1) } == (1...205).map { $0 })
    }
}
