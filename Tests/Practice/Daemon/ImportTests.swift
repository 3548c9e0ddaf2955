import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing

@testable import PracticeDaemon

@Suite struct `Taking in a spreadsheet` {
    private let clinic: Clinic
    private let ana: String

    init() throws {
        clinic = try Clinic()
        ana = try clinic.staff("Ana Ruiz", .thanatologist)
    }

    private func row(_ line: Int, _ values: [String: String]) -> Upkeep.ImportedRow {
        .init(line: line, values: values)
    }

    private var rows: [Upkeep.ImportedRow] {
        [
            row(2, ["name": "Cleo", "thanatologist": "ana ruiz", "since": "2026-01-07", "born": ""]),
            row(3, ["name": "Dora", "thanatologist": ana, "phone": "+49 30 1234567", "column of another name": "x"]),
        ]
    }

    private func clients() throws -> [String] { try clinic.as(ana).call(Records.ListClients()).clients.map(\.name) }

    @Test func `all clients are imported, and the journal has their number`() throws {
        let outcome = try clinic.root.outcome(Upkeep.Import(kind: .clients, rows: rows))
        #expect(outcome.journalLines.map(\.sentence) == ["Records were imported: 2 clients."])
        #expect(try clients() == ["Cleo", "Dora"])
    }

    @Test func `columns that mean nothing here are named`() throws {
        for dryRun in [true, false] {
            let reply = try clinic.root.call(Upkeep.Import(kind: .clients, rows: rows, dryRun: dryRun))
            #expect(reply.passedOver == ["column of another name"])
        }
        let known = [row(2, ["name": "Emil", "thanatologist": ana])]
        #expect(try clinic.root.call(Upkeep.Import(kind: .clients, rows: known)).passedOver == nil)
        let faulty = [row(2, ["Name": "Finn", "on": "2027-03-05"])]
        do {
            try clinic.root.call(Upkeep.Import(kind: .clients, rows: faulty))
            Issue.record("a client without a name")
        } catch let error as Upkeep.Faulty { #expect(error.passedOver == ["Name", "on"]) }
    }

    @Test func `clients whose names are there already are named with their numbers`() throws {
        #expect(try clinic.root.call(Upkeep.Import(kind: .clients, rows: rows)).namesakes == nil)
        let again =
            rows + [row(4, ["name": "Emil", "thanatologist": ana]), row(5, ["name": "CLEO", "thanatologist": ana])]
        for dryRun in [true, false] {
            let found = try clinic.root.call(Upkeep.Import(kind: .clients, rows: again, dryRun: dryRun)).namesakes
            #expect(found?.map { "\($0.line) \($0.name) \($0.numbers)" } == ["2 Cleo [1]", "3 Dora [2]", "5 CLEO [1]"])
        }
    }

    @Test func `a thanatologist is found by a part of their name that many clients have, too`() throws {
        let zoe = try clinic.staff("Zoe Abelson", .thanatologist)
        let rows = (1...25).map { row($0 + 1, ["name": "Kid \($0) Abelson", "thanatologist": "Abelson"]) }
        try clinic.root.call(Upkeep.Import(kind: .clients, rows: rows))
        #expect(try clinic.as(zoe).call(Records.ListClients()).total == 25)
    }

    @Test func `a thanatologist is named whole, or by a part of their name that no colleague has`() throws {
        let marin = try clinic.staff("Ana Ruiz Marín", .thanatologist)
        _ = try clinic.staff("Ada Ruiz", .administrator)
        let ben = try clinic.staff("Ben Gil", .thanatologist)
        // A part of a name that is somebody's whole one.
        _ = try clinic.staff("Ben Gil Amo", .thanatologist)
        try clinic.root.call(Practice.RetireStaff(person: ben, revision: 1))
        let clear = [
            row(2, ["name": "Cleo", "thanatologist": "ÁNA RUIZ"]), row(3, ["name": "Marin", "thanatologist": "z mar"]),
            row(4, ["name": "Nora", "thanatologist": "marin"]),
        ]
        try clinic.root.call(Upkeep.Import(kind: .clients, rows: clear))
        #expect(try clients() == ["Cleo"])
        #expect(try clinic.as(marin).call(Records.ListClients()).clients.map(\.name) == ["Marin", "Nora"])
        let unclear = ["Ruiz", "Ada Ruiz", "Ben Gil", ben].enumerated().map {
            row($0 + 2, ["name": "Emil", "thanatologist": $1])
        }
        #expect(
            throws: Upkeep.Faulty(
                faults: (2...5).map { line in
                    Upkeep.Faulty.Faults(
                        line: line, field: "thanatologist", reason: "must be a thanatologist who works here.")
                })
        ) { try clinic.root.call(Upkeep.Import(kind: .clients, rows: unclear)) }
    }

    @Test func `words that accents tell apart are taken as they are spelled`() throws {
        let offers = try clinic.offers()
        let (plain, accented) = try (
            clinic.root.call(Practice.AddTerm(vocabulary: .motives, word: "Papa")).term.id,
            clinic.root.call(Practice.AddTerm(vocabulary: .motives, word: "Papá")).term.id
        )
        try clinic.root.call(Upkeep.Import(kind: .clients, rows: [row(2, ["name": "Cleo", "thanatologist": "Ruiz"])]))
        func session(_ word: String) -> Upkeep.ImportedRow {
            row(2, ["client": "1", "on": "2027-03-05", "minutes": "50", "service": "Talk", "motives": word])
        }
        for word in ["PAPÁ", "papa", "loss of a parent"] {
            try clinic.root.call(Upkeep.Import(kind: .sessions, rows: [session(word)]))
        }
        let motives = try (1...3).map { try clinic.as(ana).call(Records.GetSession(session: "s\($0)")).session.motives }
        #expect(motives == [[accented], [plain], [offers.loss]])
        #expect(
            throws: Upkeep.Faulty(faults: [
                .init(
                    line: 2, field: "motives",
                    reason: "must be words of the practice's vocabulary: Pàpa may be Papa or Papá.")
            ])
        ) { try clinic.root.call(Upkeep.Import(kind: .sessions, rows: [session("Pàpa")])) }
    }

    @Test(.ofFile) func `no statement that runs for each row reads a table from end to end`() throws {
        _ = try clinic.offers()
        let clients = (1...30).map { row($0 + 1, ["name": "Person \($0)", "thanatologist": "Ruiz"]) }
        let sessions = (1...30).map {
            row($0 + 1, ["client": "Person \($0)", "on": "2027-03-05", "minutes": "50", "service": "Talk"])
        }
        for call in [Upkeep.Import(kind: .clients, rows: clients), Upkeep.Import(kind: .sessions, rows: sessions)] {
            let statements = try clinic.statements { try clinic.root.call(call) }
            let ofEachRow = Dictionary(grouping: statements) { $0 }.filter { $0.value.count >= call.rows.count }
            #expect(ofEachRow.count > 5)
            #expect(try clinic.scans(for: Set(ofEachRow.keys)) == [])
        }
    }

    @Test func `a dry run imports nothing and sends no news`() throws {
        let outcome = try clinic.root.outcome(Upkeep.Import(kind: .clients, rows: rows, dryRun: true))
        #expect(outcome.journalLines == [] && outcome.news == [])
        #expect(try clients() == [])
    }

    @Test func `every fault is reported with its line, and one fault refuses all rows`() throws {
        let faulty =
            rows + [
                row(4, ["name": "", "thanatologist": "Nobody"]),
                row(5, ["name": "Emil", "thanatologist": ana, "born": "soon"]),
                row(6, ["name": "", "thanatologist": ana, "email": "no"]),
            ]
        #expect(
            throws: Upkeep.Faulty(
                faults: [
                    .init(line: 4, field: "name", reason: "must not be empty."),
                    .init(line: 4, field: "thanatologist", reason: "must be a thanatologist who works here."),
                    .init(line: 5, field: "born", reason: "must be a day such as 2027-03-05."),
                    .init(line: 6, field: "name", reason: "must not be empty."),
                    .init(line: 6, field: "email", reason: "must be an address such as name@example.org."),
                ], passedOver: ["column of another name"])
        ) { try clinic.root.call(Upkeep.Import(kind: .clients, rows: faulty)) }
        #expect(try clients() == [])
    }

    @Test func `every fault of a session's row is reported at once`()
        throws
    {
        _ = try clinic.offers()
        let cleo = try clinic.as(ana).call(Records.AddClient(name: "Cleo", since: "2026-01-07")).client
        let dora = try clinic.as(ana).call(Records.AddClient(name: "Dora", since: "2026-01-07")).client
        try clinic.as(ana).call(Records.CloseRecord(client: dora.id, reason: "All is said."))
        func values(_ client: String, _ more: [String: String]) -> [String: String] {
            ["client": client, "on": "2026-02-03", "minutes": "50", "service": "Talk"].merging(more) { $1 }
        }
        let faulty = [
            row(2, values("Cleo", ["service": "Dance", "on": "soon", "minutes": "no", "notes": "a\u{7}"])),
            row(3, values("Cleo", ["service": "Dance", "on": "2025-02-03", "minutes": "0"])),
            row(4, values("Nobody", ["on": "2028-01-01", "motives": "Nothing"])),
            row(5, values("Dora", ["fee": "much", "on": "soon"])),
            row(6, values("Cleo", ["tools": "Hammer"])),
        ]
        let day = "must be a day such as 2027-03-05."
        let service = "must be the name of a service that is offered."
        #expect(
            throws: Upkeep.Faulty(faults: [
                .init(line: 2, field: "minutes", reason: "must be a whole number."),
                .init(line: 2, field: "service", reason: service),
                .init(line: 2, field: "on", reason: day),
                .init(line: 2, field: "notes", reason: "must not have U+0007 (control character): it cannot be seen."),
                .init(line: 3, field: "service", reason: service),
                .init(line: 3, field: "on", reason: "must not be before the record, which begins on 2026-01-07."),
                .init(line: 3, field: "minutes", reason: "must be a number from 1 to 1440."),
                .init(line: 4, field: "client", reason: "must be a client's number or name."),
                .init(
                    line: 4, field: "motives",
                    reason: "must be words of the practice's vocabulary: Nothing is not."),
                .init(line: 4, field: "on", reason: "must not be to come: today is 2027-03-05."),
                .init(line: 5, field: "fee", reason: "must be an amount such as 50 or 50.00."),
                .init(line: 5, field: "client", reason: "must be open: it was closed on 2027-03-05."),
                .init(line: 5, field: "on", reason: day),
                .init(line: 6, field: "tools", reason: "must be words of the practice's vocabulary: Hammer is not."),
            ])
        ) { try clinic.root.call(Upkeep.Import(kind: .sessions, rows: faulty)) }
        #expect(try clinic.as(ana).call(Records.ListSessions(client: cleo.id)).sessions == [])
    }

    @Test func `a client is named by their number, or by a name that no other client has`() throws {
        _ = try clinic.offers()
        // The name of the last one is the number of the first.
        for name in ["Ángeles", "Bruno", "BRUNO", "1"] {
            try clinic.as(ana).call(Records.AddClient(name: name, since: "2026-01-07"))
        }
        func rows(_ clients: [String]) -> [Upkeep.ImportedRow] {
            clients.enumerated().map {
                row($0 + 2, ["client": $1, "on": "2026-02-03", "minutes": "50", "service": "Talk"])
            }
        }
        try clinic.root.call(Upkeep.Import(kind: .sessions, rows: rows(["angeles", "3"])))
        let again = Upkeep.Import(kind: .sessions, rows: rows(["2", "3", "ANGELES"]), dryRun: true)
        let found = try clinic.root.call(again).repeated
        #expect(found?.map { "\($0.line): \($0.client), \($0.number)" } == ["3: 3, 1", "4: 1, 1"])
        let several = "must be the client's number: several have that name."
        #expect(
            throws: Upkeep.Faulty(faults: [
                .init(line: 2, field: "client", reason: several), .init(line: 3, field: "client", reason: several),
                .init(line: 4, field: "client", reason: "must be a client's number or name."),
            ])
        ) { try clinic.root.call(Upkeep.Import(kind: .sessions, rows: rows(["bruno", "1", "Brun"]))) }
    }

    @Test func `of two services with one name, a row names one by its identifier`() throws {
        _ = try clinic.offers()
        try clinic.root.call(Practice.AddService(category: "Grief", name: "TALK", description: ""))
        let cleo = try clinic.as(ana).call(Records.AddClient(name: "Cleo", since: "2026-01-07")).client
        func rows(_ service: String) -> [Upkeep.ImportedRow] {
            [row(2, ["client": "Cleo", "on": "2026-02-03", "minutes": "50", "service": service])]
        }
        let services = try clinic.root.call(Practice.ListServices()).services.filter { $0.name.lowercased() == "talk" }
        let two = services.map(\.id).sorted()
        try #require(two.count == 2)
        #expect(
            throws: Upkeep.Faulty(faults: [
                .init(
                    line: 2, field: "service",
                    reason: "must be one of \(two[0]) and \(two[1]), which have that name.")
            ])
        ) { try clinic.root.call(Upkeep.Import(kind: .sessions, rows: rows("Talk"))) }
        try clinic.root.call(Upkeep.Import(kind: .sessions, rows: rows(two[1])))
        #expect(
            try clinic.as(ana).call(Records.ListSessions(client: cleo.id)).sessions.map(\.service) == [two[1]])
    }

    @Test func `sessions are imported with their motives, tools and fees`() throws {
        let offers = try clinic.offers()
        let cleo = try clinic.as(ana).call(Records.AddClient(name: "Cleo", since: "2026-01-07")).client
        let rows = [
            row(
                2,
                [
                    "client": "Cleo", "on": "2026-02-03", "minutes": "50", "service": "Talk",
                    "motives": "Loss of a parent", "tools": "Letter", "fee": "45,5", "notes": "Came alone.",
                ]),
            row(3, ["client": "1", "on": "2026-02-10", "minutes": "45", "service": "Talk"]),
        ]
        func sessions() throws -> [Records.Session] {
            try clinic.as(ana).call(Records.ListSessions(client: cleo.id)).sessions
        }
        try clinic.root.call(Upkeep.Import(kind: .sessions, rows: rows, dryRun: true))
        #expect(try sessions() == [])
        let outcome = try clinic.root.outcome(Upkeep.Import(kind: .sessions, rows: rows))
        #expect(outcome.journalLines.map(\.sentence) == ["Records were imported: 2 sessions."])
        let found = try sessions().sorted { $0.on < $1.on }
        #expect(found.map { "\($0.on) \($0.minutes) \($0.service)" } == ["2026-02-03 50 v1", "2026-02-10 45 v1"])
        #expect(found.map(\.motives) == [[offers.loss], []] && found.map(\.tools) == [[offers.letter], []])
        #expect(found.map(\.fee) == [4_550, nil])
        #expect(try clinic.as(ana).call(Records.GetSession(session: found[0].id)).session.notes == "Came alone.")
    }

    @Test func `the audit names the person who imported a session, and not the one who held it`() throws {
        _ = try clinic.offers()
        let ada = try clinic.staff("Ada", .administrator)
        try clinic.as(ana).call(Records.AddClient(name: "Cleo", since: "2026-01-07"))
        for (caller, on) in [(clinic.as(ada), "2026-02-03"), (clinic.root, "2026-02-04")] {
            let values = ["client": "Cleo", "on": on, "minutes": "50", "service": "Talk"]
            try caller.call(Upkeep.Import(kind: .sessions, rows: [row(2, values)]))
        }
        let entries = try clinic.as(ana).call(Practice.Audit()).entries.filter { $0.did == "AddSession" }
        #expect(entries.map(\.person) == [nil, ada])
        #expect(entries.map(\.through) == ["import", "import"])
        let sessions = try clinic.as(ana).call(Records.ListSessions(client: "p3")).sessions
        #expect(sessions.map(\.thanatologist) == [ana, ana])
    }

    @Test func `sessions that the client has already are named with their numbers`() throws {
        _ = try clinic.offers()
        let cleo = try clinic.as(ana).call(Records.AddClient(name: "Cleo", since: "2026-01-07")).client
        func values(_ more: [String: String] = [:]) -> [String: String] {
            ["client": "Cleo", "on": "2026-02-03", "minutes": "50", "service": "Talk"].merging(more) { $1 }
        }
        let first = [row(2, values()), row(3, values(["notes": "The second of that day."]))]
        #expect(try clinic.root.call(Upkeep.Import(kind: .sessions, rows: first)).repeated == nil)
        let sessions = try clinic.as(ana).call(Records.ListSessions(client: cleo.id)).sessions
        let newest = try #require(sessions.first { $0.number == 2 })
        try clinic.as(ana).call(Records.VoidSession(session: newest.id, reason: "Twice."))
        let again = [
            row(2, values()), row(3, values(["on": "2026-02-04"])), row(4, values(["minutes": "45"])),
            row(5, values(["client": "1"])),
        ]
        for dryRun in [true, false] {
            let found = try clinic.root.call(Upkeep.Import(kind: .sessions, rows: again, dryRun: dryRun)).repeated
            #expect(found?.map { "\($0.line): \($0.client), \($0.number)" } == ["2: 1, 1", "5: 1, 1"])
        }
    }

    @Test func `only callers with the right to maintain may import`() throws {
        for caller in [clinic.as(ana), clinic.as(try clinic.staff("Sol", .support)), clinic.visitor] {
            #expect(throws: Practice.NotAllowed(right: "maintain")) {
                try caller.call(Upkeep.Import(kind: .clients, rows: rows))
            }
        }
    }
}
