import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing
import Time
import VarlinkService

@testable import PracticeDaemon

@Suite struct `The audit` {
    /// A clinic with two thanatologists and a client of each. Both have read, a minute apart.
    struct AuditedClinic {
        let clinic: Clinic
        let (admin, ana, ben, cleo, dino): (String, String, String, String, String)

        init() throws {
            clinic = try Clinic()
            admin = try clinic.staff("Ada", .administrator)
            ana = try clinic.staff("Ana", .thanatologist)
            ben = try clinic.staff("Ben", .thanatologist)
            cleo = try clinic.client("Cleo", of: ana)
            dino = try clinic.client("Dino", of: ben)
            for (person, client) in [(ana, cleo), (ben, dino), (admin, cleo)] {
                clinic.clock.advance(by: .seconds(60))
                try clinic.as(person).call(Records.GetClient(client: client))
            }
            clinic.clock.advance(by: .seconds(60))
        }

        /// `GetClient p2 of p4`, the newest first.
        func entries(_ caller: String, _ call: Practice.Audit = Practice.Audit()) throws -> [String] {
            try clinic.as(caller).call(call).entries.map {
                "\($0.did) \($0.person ?? "root")" + ($0.client.map { " of \($0)" } ?? "")
            }
        }
    }

    @Test func `an administrator reads everything, the newest first`() throws {
        let audited = try AuditedClinic()
        #expect(
            try audited.entries(audited.admin) == [
                "GetClient p1 of p4", "GetClient p3 of p5", "GetClient p2 of p4", "AddClient p3 of p5",
                "AddClient p2 of p4", "AddStaff root", "AddStaff root", "AddStaff root",
            ])
        let newest = try audited.clinic.as(audited.admin).call(Practice.Audit(client: audited.cleo, limit: 1)).entries
        #expect(
            newest == [
                Practice.Entry(
                    id: "a8", at: "2027-03-05T09:03:00+01:00", person: audited.admin, did: "GetClient",
                    client: audited.cleo, through: "demo", personName: "Ada", clientName: "Cleo")
            ])
    }

    @Test func `a dry run is not told as the deed`() throws {
        let audited = try AuditedClinic()
        let ana = audited.clinic.as(audited.ana)
        let schedule = "[[5, \"calm,tired\", \"2027-03-05\"]]"
        try ana.call(Care.Assign(client: audited.cleo, schedule: schedule, dryRun: true))
        try ana.call(Care.Assign(client: audited.cleo, schedule: schedule))
        let root = audited.clinic.root
        try root.call(Programmes.ImportProgramme(files: SampleProgramme.files(), dryRun: true))
        let rows = [Upkeep.ImportedRow(line: 2, values: ["name": "Emil", "thanatologist": audited.ana])]
        try root.call(Upkeep.Import(kind: .clients, rows: rows, dryRun: true))
        let entries = try root.call(Practice.Audit(limit: 4)).entries
        #expect(
            entries.map { "\($0.did) \($0.what ?? "")" } == [
                "Import 1 clients, dry run", "ImportProgramme first, dry run", "Assign 1", "Assign dry run",
            ])
    }

    @Test func `a client reads what concerns them`() throws {
        let audited = try AuditedClinic()
        #expect(
            try audited.entries(audited.cleo) == ["GetClient p1 of p4", "GetClient p2 of p4", "AddClient p2 of p4"])
        #expect(try audited.entries(audited.cleo, Practice.Audit(client: audited.dino)) == [])
        #expect(try audited.entries(audited.cleo, Practice.Audit(person: audited.ben)) == [])
    }

    @Test func `a thanatologist reads the entries of their clients and of their own actions`() throws {
        let audited = try AuditedClinic()
        #expect(
            try audited.entries(audited.ana) == ["GetClient p1 of p4", "GetClient p2 of p4", "AddClient p2 of p4"])
        // Her reading is an entry as well.
        #expect(try audited.entries(audited.ana, Practice.Audit(person: audited.ana)).first == "Audit p2")
        for hidden in [Practice.Audit(client: audited.dino), Practice.Audit(client: "p999")] {
            #expect(try audited.entries(audited.ana, hidden) == [])
        }
        #expect(try audited.entries(audited.ana, Practice.Audit(person: audited.admin)) == ["GetClient p1 of p4"])
        #expect(try audited.entries(audited.ana, Practice.Audit(person: audited.ben)) == [])
    }

    @Test func `after a transfer the earlier thanatologist reads their own actions without the client's name`() throws {
        let audited = try AuditedClinic()
        try audited.clinic.root.call(Records.Transfer(client: audited.cleo, to: audited.ben, reason: "Her wish."))
        let entries = try audited.clinic.as(audited.ana).call(Practice.Audit()).entries
        #expect(entries.map(\.did) == ["GetClient", "AddClient"])
        #expect(entries.map(\.clientName) == [nil, nil])
        #expect(
            try audited.clinic.as(audited.ben).call(Practice.Audit(client: audited.cleo)).entries.map(\.did)
                == ["Transfer", "GetClient", "GetClient", "AddClient"])
    }

    @Test func `support and visitors read nothing`() throws {
        let audited = try AuditedClinic()
        let support = try audited.clinic.staff("Sofia", .support)
        for caller in [audited.clinic.as(support), audited.clinic.visitor] {
            #expect(throws: Practice.NotAllowed(right: "seeAudit")) { try caller.call(Practice.Audit()) }
        }
    }

    @Test func `reading the audit adds an entry with the requested client`() throws {
        let audited = try AuditedClinic()
        _ = try audited.entries(audited.admin)
        _ = try audited.entries(audited.admin, Practice.Audit(client: audited.cleo))
        _ = try audited.entries(audited.admin, Practice.Audit(client: "p999"))
        #expect(
            try audited.entries(audited.admin, Practice.Audit(limit: 3)) == ["Audit p1", "Audit p1 of p4", "Audit p1"])
        #expect(try audited.entries(audited.cleo, Practice.Audit(limit: 1)) == ["Audit p1 of p4"])
    }

    @Test func `pages follow each other while new entries come`() throws {
        let audited = try AuditedClinic()
        for caller in [audited.admin, audited.ana] {
            let whole = try audited.clinic.as(caller).call(Practice.Audit()).entries
            var (pages, next): ([Practice.Entry], String?) = ([], nil)
            repeat {
                let page = try audited.clinic.as(caller).call(Practice.Audit(after: next, limit: 2))
                #expect(page.entries.count <= 2)
                pages += page.entries
                next = page.next
            } while next != nil
            // The first reading has added an entry.
            #expect(pages.first?.did == "Audit")
            #expect(Array(pages.dropFirst()) == whole)
        }
    }

    static let stretches: [(since: String?, until: String?, count: Int)] = [
        ("2027-03-05", "2027-03-05", 8), ("2027-03-06", nil, 0), (nil, "2027-03-04", 0),
        ("2027-03-05T09:02:00+01:00", nil, 2), ("2027-03-05T08:02:00Z", "2027-03-05T08:02:00Z", 1),
        (nil, "2027-03-05T09:01:00+01:00", 6), ("0001-01-01", "9999-12-31", 8),
    ]

    @Test(arguments: stretches)
    func `a period begins and ends with a day or an instant`(since: String?, until: String?, count: Int) throws {
        let audited = try AuditedClinic()
        #expect(try audited.entries(audited.admin, Practice.Audit(since: since, until: until)).count == count)
    }

    @Test func `a wrong time or a wrong page is refused`() throws {
        let audited = try AuditedClinic()
        let reason = "must be a day such as 2027-03-05, or an instant such as 2027-03-05T09:00:00+01:00."
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "since", reason: reason), .init(field: "until", reason: reason),
                .init(field: "limit", reason: "must be a number from 1 to 200."),
                .init(field: "after", reason: "must be what \"next\" said on the page before."),
            ])
        ) {
            try audited.clinic.as(audited.admin).call(
                Practice.Audit(since: "yesterday", until: "2027-03-05T09:00:00", after: "a7", limit: 0))
        }
    }

    @Test(arguments: ["7.x", "7.", "x.7", "7", "", "-1.5", "7.5.5"])
    func `a cursor that no page gave is refused`(cursor: String) throws {
        let audited = try AuditedClinic()
        for caller in [audited.admin, audited.ana, audited.cleo] {
            #expect(throws: Practice.Invalid("after", "must be what \"next\" said on the page before.")) {
                try audited.clinic.as(caller).call(Practice.Audit(after: cursor))
            }
        }
    }

    /// It may be that of a home.
    @Test func `the address of somebody who works here is told to administrators and to themselves alone`() throws {
        let clinic = try Clinic()
        let (ana, ada) = (try clinic.staff("Ana", .thanatologist), try clinic.staff("Ada", .administrator))
        let cleo = try clinic.client("Cleo", of: ana)
        try clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        let remote = Clinic.TestCaller(
            clinic: clinic,
            caller: Caller(
                user: 0, entrance: .gate(key: Keys.anas, from: "192.0.2.7"), account: "root", person: ana, rights: []))
        try remote.call(Records.GetClient(client: cleo))
        let seen = try [ana, ada, cleo].map { reader in
            try clinic.as(reader).call(Practice.Audit(client: cleo)).entries.first { $0.did == "GetClient" }?.through
        }
        #expect(seen == ["ssh from 192.0.2.7", "ssh from 192.0.2.7", "ssh"])
        for (reader, isTold) in [(ana, true), (cleo, false)] {
            let file = try clinic.as(reader).call(Records.CaseFile(client: cleo)).file
            #expect(String(decoding: file.text, as: UTF8.self).contains("192.0.2.7") == isTold)
        }
        // An export is handed on, and has not even the address of whoever takes it out.
        let adas = Clinic.TestCaller(
            clinic: clinic,
            caller: Caller(
                user: 0, entrance: .gate(key: Keys.anas, from: "192.0.2.9"), account: "root", person: ada, rights: []))
        try adas.call(Records.GetClient(client: cleo))
        try clinic.as(ana).call(Records.CloseRecord(client: cleo, reason: "All is said."))
        let export = try adas.call(Records.ExportRecord(client: cleo, reason: "Asked for.")).file
        #expect(!String(decoding: export.text, as: UTF8.self).contains("192.0.2."))
    }
}
