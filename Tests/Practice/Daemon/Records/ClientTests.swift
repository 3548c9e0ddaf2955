import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing

@testable import PracticeDaemon

@Suite struct `Clients` {
    @Test func `a thanatologist adds a client and sees all fields`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let added = try clinic.as(ana).call(
            Records.AddClient(
                name: " Cleo Vidal ", born: "1980-02-29", phone: "+34 600 123 456", email: "cleo@example.org",
                address: "Calle Mayor 1\n28013 Madrid", emergencyContact: "Omar, +34 600 000 001",
                referredBy: "Dr. Sol",
                motive: "Her mother died in January.", timeZone: "Europe/London", since: "2027-03-01")
        ).client
        let expected = Records.Client(
            id: added.id, number: 1, name: "Cleo Vidal", born: "1980-02-29", phone: "+34600123456",
            email: "cleo@example.org", address: "Calle Mayor 1\n28013 Madrid",
            emergencyContact: "Omar, +34 600 000 001",
            referredBy: "Dr. Sol", motive: "Her mother died in January.", extra: [:], timeZone: "Europe/London",
            thanatologist: ana, open: true, since: "2027-03-01", revision: 1)
        #expect(added == expected)
        #expect(try clinic.as(ana).call(Records.GetClient(client: added.id)).client == expected)
        #expect(try clinic.as(added.id).call(Records.GetClient(client: added.id)).client == expected)
    }

    @Test func `administrators and support see a client's name, and no other field`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let support = try clinic.staff("Sofia", .support)
        let cleo = try clinic.as(ana).call(
            Records.AddClient(
                name: "Cleo", born: "1980-02-29", phone: "+34600123456", email: "cleo@example.org",
                address: "Calle Mayor 1",
                emergencyContact: "Omar", referredBy: "Dr. Sol", motive: "Her mother died.")
        ).client.id
        let expected = Records.Client(
            id: cleo, number: 1, name: "Cleo", phone: "+34600123456", email: "cleo@example.org", extra: [:],
            timeZone: "Europe/Madrid", thanatologist: ana, open: true, since: "2027-03-05", revision: 1)
        for caller in [clinic.root, clinic.as(support)] {
            #expect(try caller.call(Records.GetClient(client: cleo)).client == expected)
        }
    }

    @Test func `all faults of a client are reported together, each with its field`() throws {
        var settings = Clinic.settings
        settings.clientFields = [.sample("insurance", pattern: "[0-9]{8}[A-Z]", isRequired: true)]
        let clinic = try Clinic(settings)
        let faults: [(String, String)] = [
            ("since", "must not be to come: today is 2027-03-05."),
            ("name", "must not have U+202E (RIGHT-TO-LEFT OVERRIDE): it cannot be seen."),
            ("phone", "must be a number with its country, such as +49 30 1234567."),
            ("email", "must be an address such as name@example.org."), ("born", "must not be to come."),
            ("address", "must have no more than 4096 bytes."),
            ("referredBy", "must have no more than 200 characters."),
            ("timeZone", "must be a time zone such as Europe/Berlin."),
            ("extra.insurance", "must look like [0-9]{8}[A-Z] (a regular expression)."),
            ("extra", "must be of the practice's own fields (insurance)."),
            ("account", "must be an account of this machine: there is no no-such-account."),
            ("thanatologist", "must be named."),
        ]
        #expect(throws: Practice.Invalid(faults: faults.map { .init(field: $0, reason: $1) })) {
            try clinic.root.call(
                Records.AddClient(
                    name: "Cleo \u{202E}", born: "2027-03-06", phone: "600", email: "cleo@",
                    address: String(repeating: "é", count: 2_049), referredBy: String(repeating: "x", count: 201),
                    extra: ["insurance": "12345678ZZ", "shoes": "42"], timeZone: "../../etc/passwd",
                    account: "no-such-account", since: "2027-03-06"))
        }
    }

    @Test(arguments: [
        ("1897-03-05", nil), ("1896-12-31", "must be within the last 130 years."), ("2027-03-05", nil),
        ("2027-03-06", "must not be to come."), ("2023-02-29", "must be a day such as 2027-03-05."),
        ("5.3.1980", "must be a day such as 2027-03-05."),
    ])
    func `a day of birth must be possible`(born: String, refused: String?) throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let call = Records.AddClient(name: "Cleo", born: born)
        guard let refused else { return #expect(try clinic.as(ana).call(call).client.born == born) }
        #expect(throws: Practice.Invalid(faults: [.init(field: "born", reason: refused)])) {
            try clinic.as(ana).call(call)
        }
    }

    @Test func `a day of birth after the beginning of the record is refused`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "born", reason: "must not be after the record began, on 2020-01-01.")
            ])
        ) { try clinic.as(ana).call(Records.AddClient(name: "Cleo", born: "2020-01-02", since: "2020-01-01")) }
    }

    @Test func `the thanatologist of a new client`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let ben = try clinic.staff("Ben", .thanatologist)
        let support = try clinic.staff("Sofia", .support)
        #expect(try clinic.as(ana).call(Records.AddClient(name: "A", thanatologist: ana)).client.thanatologist == ana)
        #expect(
            try clinic.as(support).call(Records.AddClient(name: "B", thanatologist: ben)).client.thanatologist == ben)
        for (caller, named, reason) in [
            (ana, ben, "must be yourself: administrators transfer clients to others."),
            (support, nil, "must be named."),
            (support, support, "must be a thanatologist who works here."),
            (support, "p99", "must be a thanatologist who works here."),
        ] as [(String, String?, String)] {
            #expect(throws: Practice.Invalid(faults: [.init(field: "thanatologist", reason: reason)])) {
                try clinic.as(caller).call(Records.AddClient(name: "C", thanatologist: named))
            }
        }
    }

    @Test func `an edit of an old revision is refused`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        let edited = try ana.call(Records.EditClient(client: day.cleo, revision: 1, name: "Cléo", motive: "Loss."))
            .client
        #expect((edited.name, edited.motive, edited.revision) == ("Cléo", "Loss.", 2))
        for stale in [1, 3, 0, -1, Int.max] {
            #expect(throws: Practice.Changed(revision: 2)) {
                try ana.call(Records.EditClient(client: day.cleo, revision: stale, name: "Clio"))
            }
        }
        #expect(try ana.call(Records.GetClient(client: day.cleo)).client == edited)
    }

    @Test func `an edit keeps absent fields, and an empty text removes one`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        let before = try ana.call(
            Records.EditClient(client: day.cleo, revision: 1, phone: "+34600123456", address: "Here", motive: "Loss.")
        ).client
        let after = try ana.call(Records.EditClient(client: day.cleo, revision: 2, phone: "", address: "There")).client
        var expected = before
        (expected.phone, expected.address, expected.revision) = (nil, "There", 3)
        #expect(after == expected)
        #expect(
            throws: Practice.Invalid(faults: [.init(field: "name", reason: "must not be empty.")])
        ) { try ana.call(Records.EditClient(client: day.cleo, revision: 3, name: "")) }
    }

    @Test func `an edit without a change raises no revision and sends no news`() throws {
        let day = try Clinic.Day()
        let outcome = try day.clinic.as(day.ana).outcome(
            Records.EditClient(client: day.cleo, revision: 1, name: "Cleo "))
        #expect(outcome.news.isEmpty)
        #expect(try day.clinic.as(day.ana).call(Records.GetClient(client: day.cleo)).client.revision == 1)
    }

    @Test func `a new name moves a client in the list`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        _ = try day.clinic.client("Dora", of: day.ana)
        try ana.call(Records.EditClient(client: day.cleo, revision: 1, name: "Zoë"))
        #expect(try ana.call(Records.ListClients()).clients.map(\.name) == ["Dora", "Zoë"])
        #expect(try ana.call(Records.ListClients(query: "zoe")).clients.map(\.name) == ["Zoë"])
    }

    @Test func `the practice's own fields are stored and edited one by one, and required ones cannot be removed`()
        throws
    {
        var settings = Clinic.settings
        settings.clientFields = [
            .sample("insurance", pattern: "[0-9]{8}[A-Z]", isRequired: true), .sample("shoes"),
        ]
        let clinic = try Clinic(settings)
        let ana = try clinic.staff("Ana", .thanatologist)
        let missing = Practice.Invalid(faults: [
            .init(field: "extra.insurance", reason: "must be there: the practice asks it of every client.")
        ])
        #expect(throws: missing) { try clinic.as(ana).call(Records.AddClient(name: "Cleo")) }
        let cleo = try clinic.as(ana).call(
            Records.AddClient(name: "Cleo", extra: ["insurance": "12345678Z", "shoes": "\"42\" \\ 😀"])
        ).client
        #expect(cleo.extra == ["insurance": "12345678Z", "shoes": "\"42\" \\ 😀"])
        let edited = try clinic.as(ana).call(Records.EditClient(client: cleo.id, revision: 1, extra: ["shoes": ""]))
            .client
        #expect(edited.extra == ["insurance": "12345678Z"])
        #expect(throws: missing) {
            try clinic.as(ana).call(Records.EditClient(client: cleo.id, revision: 2, extra: ["insurance": " "]))
        }
        #expect(try clinic.root.call(Records.GetClient(client: cleo.id)).client.extra == [:])
    }

    @Test func `a field that the settings name no more blocks no other, and can be emptied`() throws {
        var settings = Clinic.settings
        settings.clientFields = [.sample("aa"), .sample("bb")]
        let earlier = try Clinic(settings)
        let ana = try earlier.staff("Ana", .thanatologist)
        let cleo = try earlier.as(ana).call(Records.AddClient(name: "Cleo", extra: ["aa": "1", "bb": "2"])).client.id
        settings.clientFields = [.sample("aa")]
        let clinic = try Clinic(settings, copyOf: earlier)
        func edit(_ revision: Int, _ extra: [String: String]) throws -> [String: String] {
            try clinic.as(ana).call(Records.EditClient(client: cleo, revision: revision, extra: extra)).client.extra
        }
        #expect(try edit(1, ["aa": "3"]) == ["aa": "3", "bb": "2"])
        #expect(try edit(2, ["aa": "4", "bb": "2"]) == ["aa": "4", "bb": "2"])
        let unknown = Practice.Invalid("extra", "must be of the practice's own fields (aa).")
        #expect(throws: unknown) { _ = try edit(3, ["bb": "5"]) }
        #expect(throws: unknown) { _ = try edit(3, ["cc": "5"]) }
        #expect(try edit(3, ["bb": ""]) == ["aa": "4"])
    }

    @Test func `a namesake is refused where that is wished, and only among the clients whom the caller may see`() throws
    {
        let clinic = try Clinic()
        let (ana, ben) = (try clinic.staff("Ana", .thanatologist), try clinic.staff("Ben", .thanatologist))
        let sofia = try clinic.staff("Sofia", .support)
        let cleo = try clinic.as(ana).call(Records.AddClient(name: "Cleo Vidál", born: "1980-04-03")).client.id
        func add(_ person: String, _ name: String = "cleo vidal", born: String? = nil, key: String? = nil) throws {
            let therapist = person == sofia ? ana : nil
            try clinic.as(person).call(
                Records.AddClient(name: name, born: born, thanatologist: therapist, unlessKnown: true, key: key))
        }
        let refusal = Records.Namesakes(clients: [.init(client: cleo, number: 1, name: "Cleo Vidál")])
        for born in [nil, "1980-04-03"] { #expect(throws: refusal) { try add(ana, born: born) } }
        // Support does not read the day of birth, and learns nothing about it.
        for born in [nil, "1991-01-02"] { #expect(throws: refusal) { try add(sofia, born: born) } }
        #expect(try clinic.as(ana).call(Records.ListClients()).total == 1)
        try add(ben)
        try add(ana, born: "1991-01-02")
        try add(ana, "Dora", key: "k")
        try add(ana, "Dora", key: "k")
        #expect(try clinic.as(ana).call(Records.ListClients()).total == 3)
    }

    @Test func `a client added with a key is added once, and another call cannot use the key`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let call = Records.AddClient(name: "Cleo", key: "6f1f")
        let first = try clinic.as(ana).call(call)
        #expect(try clinic.as(ana).call(call) == first)
        #expect(try clinic.as(ana).call(Records.ListClients()).total == 1)
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "key", reason: "was used for Records.AddClient before: take a new one.")
            ])
        ) {
            try clinic.as(ana).call(
                Records.AddSession(
                    client: first.client.id, on: "2027-03-05", minutes: 1, service: "v1", motives: [], tools: [],
                    notes: "",
                    key: "6f1f"))
        }
    }

    @Test func `numbers are given in order, and never again`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let first = try clinic.client("A", of: ana)
        #expect(throws: Practice.Invalid.self) { try clinic.as(ana).call(Records.AddClient(name: "")) }
        let second = try clinic.client("B", of: ana)
        try clinic.as(ana).call(Records.CloseRecord(client: second, reason: "Asked."))
        try clinic.root.call(Records.EraseRecord(client: second, number: 2, reason: "Asked."))
        _ = try clinic.client("C", of: ana)
        #expect(try clinic.as(ana).call(Records.ListClients()).clients.map(\.number) == [1, 3])
        #expect(first != second)
    }
}

extension ClientField {
    static func sample(_ name: String, pattern: String = "", isRequired: Bool = false) -> ClientField {
        var field = ClientField()
        (field.name, field.pattern, field.isRequired) = (name, pattern, isRequired)
        return field
    }
}
