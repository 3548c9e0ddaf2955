import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing

@testable import PracticeDaemon

@Suite struct `Staff` {
    // MARK: Listed

    @Test func `are listed in alphabetical order, in sections by letter`() throws {
        let clinic = try Clinic()
        for name in ["Zoé", "ángel", "Beatriz", "Ángeles", "Örn"] { _ = try clinic.staff(name, .support) }
        let list = try clinic.root.call(Practice.ListStaff())
        #expect(list.people.map(\.name) == ["ángel", "Ángeles", "Beatriz", "Örn", "Zoé"])
        #expect(list.people.map(\.section) == ["A", "A", "B", "O", "Z"])
        #expect(list.total == 5)
        #expect(list.next == nil)
    }

    @Test func `are listed by role`() throws {
        let clinic = try Clinic()
        for role in [Role.administrator, .support, .thanatologist] { _ = try clinic.staff("A \(role)", role) }
        for role in [Role.administrator, .support, .thanatologist] {
            let list = try clinic.root.call(Practice.ListStaff(role: role.rawValue))
            #expect(list.people.map(\.name) == ["A \(role)"])
            #expect(list.total == 1)
        }
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "role", reason: "must be administrator, support or thanatologist.")
            ])
        ) { try clinic.root.call(Practice.ListStaff(role: "client")) }
    }

    @Test(arguments: [
        ("ange", ["Ángeles Muñoz", "María Ángeles"]), ("MUÑ", ["Ángeles Muñoz"]), ("mar ang", ["María Ángeles"]),
        ("ang mar", []), ("%", ["100 %"]), ("_", ["a_b"]), ("\\", [#"c\d"#]), ("", [#"c\d"#, "100 %"]),
    ])
    func `are found by parts of a name, without regard to accents`(query: String, found: [String]) throws {
        let clinic = try Clinic()
        for name in ["Ángeles Muñoz", "María Ángeles", "100 %", "a_b", #"c\d"#] { _ = try clinic.staff(name, .support) }
        let names = try clinic.root.call(Practice.ListStaff(query: query)).people.map(\.name)
        if query.isEmpty { #expect(names.count == 5) } else { #expect(names == found) }
    }

    @Test func `are listed page by page while others are added`() throws {
        let clinic = try Clinic()
        for name in ["Bea", "Bea", "Cid", "Dea", "Eva"] { _ = try clinic.staff(name, .support) }
        let first = try clinic.root.call(Practice.ListStaff(limit: 2))
        #expect(first.people.map(\.id) == ["p1", "p2"])
        #expect(first.total == 5)
        _ = try clinic.staff("Ana", .support)
        let second = try clinic.root.call(Practice.ListStaff(after: first.next, limit: 2))
        #expect(second.people.map(\.name) == ["Cid", "Dea"])
        #expect(second.total == 6)
        let third = try clinic.root.call(Practice.ListStaff(after: second.next, limit: 2))
        #expect(third.people.map(\.name) == ["Eva"])
        #expect(third.next == nil)
    }

    @Test func `a wrong page is refused with all faults`() throws {
        let clinic = try Clinic()
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "query", reason: "must have no more than 120 characters."),
                .init(field: "limit", reason: "must be a number from 1 to 200."),
                .init(field: "after", reason: "must be what \"next\" said on the page before."),
            ])
        ) {
            try clinic.root.call(
                Practice.ListStaff(query: String(repeating: "a", count: 121), after: "p1", limit: 201))
        }
    }

    @Test func `people who left are listed on request`() throws {
        let clinic = try Clinic()
        _ = try clinic.staff("Ana", .support)
        let ben = try clinic.staff("Ben", .support)
        try clinic.root.call(Practice.RetireStaff(person: ben, revision: 1))
        #expect(try clinic.root.call(Practice.ListStaff()).people.map(\.name) == ["Ana"])
        let all = try clinic.root.call(Practice.ListStaff(inactive: true))
        #expect(all.people.map(\.name) == ["Ana", "Ben"])
        #expect(all.people.map(\.active) == [true, false])
    }

    // MARK: Seen

    @Test func `colleagues see names, administrators and support see all`() throws {
        let clinic = try Clinic()
        let ana = try clinic.root.call(
            Practice.AddStaff(
                name: "Ana", role: "thanatologist", account: "daemon", email: "ana@example.org", phone: "+34 600 1")
        ).person
        let name = Practice.Person(
            id: ana.id, name: "Ana", role: .thanatologist, active: true, since: "2027-03-05", revision: 1)
        let whole = Practice.Person(
            id: ana.id, name: "Ana", role: .thanatologist, account: "daemon", email: "ana@example.org",
            phone: "+346001", active: true, since: "2027-03-05", revision: 1)
        let ben = try clinic.staff("Ben", .thanatologist)
        let support = try clinic.staff("Sofia", .support)
        let call = Practice.GetPerson(person: ana.id)
        #expect(try clinic.as(ben).call(call).person == name)
        for caller in [clinic.root, clinic.as(support), clinic.as(ana.id)] {
            #expect(try caller.call(call).person == whole)
        }
    }

    @Test func `a client sees only the name of their own thanatologist`() throws {
        let clinic = try Clinic()
        let (ana, ben) = (try clinic.staff("Ana", .thanatologist), try clinic.staff("Ben", .thanatologist))
        let (cleo, dino) = (try clinic.client("Cleo", of: ana), try clinic.client("Dino", of: ana))
        #expect(try clinic.as(cleo).call(Practice.GetPerson(person: ana)).person.name == "Ana")
        #expect(try clinic.as(cleo).call(Practice.GetPerson(person: cleo)).person.name == "Cleo")
        for hidden in [ben, dino, "p999", "x", ""] {
            #expect(throws: Practice.NotFound(kind: "person", id: hidden)) {
                try clinic.as(cleo).call(Practice.GetPerson(person: hidden))
            }
        }
    }

    @Test func `a thanatologist sees the names of their own clients alone`() throws {
        let clinic = try Clinic()
        let (ana, ben) = (try clinic.staff("Ana", .thanatologist), try clinic.staff("Ben", .thanatologist))
        let cleo = try clinic.client("Cleo", of: ana)
        #expect(try clinic.as(ana).call(Practice.GetPerson(person: cleo)).person.name == "Cleo")
        #expect(throws: Practice.NotFound(kind: "person", id: cleo)) {
            try clinic.as(ben).call(Practice.GetPerson(person: cleo))
        }
    }

    // MARK: Added

    @Test func `all faults of a form are reported together, each with its field`() throws {
        let clinic = try Clinic()
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "name", reason: "must not be empty."),
                .init(field: "role", reason: "must be administrator, support or thanatologist."),
                .init(field: "email", reason: "must be an address such as name@example.org."),
                .init(field: "phone", reason: "must be a number with its country, such as +49 30 1234567."),
                .init(field: "account", reason: "must be an account of this machine: there is no no-such-account."),
            ])
        ) {
            try clinic.root.call(
                Practice.AddStaff(
                    name: "  ", role: "client", account: "no-such-account", email: "ana@", phone: "030 1234567"))
        }
    }

    @Test func `a repeated call with a key has no effect`() throws {
        let clinic = try Clinic()
        let call = Practice.AddStaff(name: "Ana", role: "thanatologist", key: "6f1f")
        let first = try clinic.root.call(call)
        #expect(try clinic.root.call(call) == first)
        #expect(try clinic.root.call(Practice.ListStaff()).total == 1)
    }

    @Test func `an account belongs to one active person, and is free after they left`() throws {
        let clinic = try Clinic()
        let ana = try clinic.root.call(Practice.AddStaff(name: "Ana", role: "support", account: "daemon")).person
        let ben = try clinic.staff("Ben", .support)
        let taken = Practice.Invalid(faults: [
            .init(field: "account", reason: "must be nobody else's: it is Ana's (\(ana.id)).")
        ])
        #expect(throws: taken) {
            try clinic.root.call(Practice.AddStaff(name: "Eve", role: "support", account: "daemon"))
        }
        #expect(throws: taken) {
            try clinic.root.call(Practice.EditStaff(person: ben, revision: 1, account: "daemon"))
        }
        try clinic.root.call(Practice.RetireStaff(person: ana.id, revision: 1))
        #expect(
            try clinic.root.call(Practice.EditStaff(person: ben, revision: 1, account: "daemon")).person.account
                == "daemon")
        #expect(try clinic.account("daemon").call(Practice.WhoAmI()).person?.name == "Ben")
    }

    @Test func `root's account cannot be given to a person`() throws {
        let clinic = try Clinic()
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "account", reason: "must not be root's: root is an administrator already.")
            ])
        ) { try clinic.root.call(Practice.AddStaff(name: "Ana", role: "support", account: "root")) }
    }

    @Test(arguments: ["daemon", "bin"])
    func `no person gets an account of the gate, because it carries everybody who comes in over SSH`(account: String)
        throws
    {
        var settings = Clinic.settings
        (settings.gate.account, settings.gate.keysAccount) = ("daemon", "bin")
        let clinic = try Clinic(settings)
        let ana = try clinic.staff("Ana", .thanatologist)
        let reason = "must be one person's: \(account) is everybody's who comes in over SSH."
        #expect(throws: Practice.Invalid("account", reason)) {
            try clinic.root.call(Practice.AddStaff(name: "Eve", role: "administrator", account: account))
        }
        #expect(throws: Practice.Invalid("account", reason)) {
            try clinic.root.call(Practice.EditStaff(person: ana, revision: 1, account: account))
        }
        #expect(throws: Practice.Invalid("account", reason)) {
            try clinic.as(ana).call(Records.AddClient(name: "Cleo", account: account))
        }
    }

    @Test func `a taken account does not tell a thanatologist who is a client`() throws {
        let clinic = try Clinic()
        let (ana, ben) = (try clinic.staff("Ana", .thanatologist), try clinic.staff("Ben", .thanatologist))
        try clinic.as(ana).call(Records.AddClient(name: "Cleo", account: "daemon"))
        #expect(
            throws: Practice.Invalid(faults: [.init(field: "account", reason: "must be nobody else's.")])
        ) { try clinic.as(ben).call(Records.AddClient(name: "Dino", account: "daemon")) }
    }

    // MARK: Edited

    @Test func `an edit changes the named fields, and an empty text removes one`() throws {
        let clinic = try Clinic()
        let ana = try clinic.root.call(
            Practice.AddStaff(name: "Ana", role: "support", account: "daemon", email: "a@b", phone: "+34600")
        ).person
        var expected = ana
        expected.name = "Ana Ruiz"
        expected.revision = 2
        #expect(
            try clinic.root.call(Practice.EditStaff(person: ana.id, revision: 1, name: " Ana Ruiz ")).person == expected
        )
        (expected.account, expected.email, expected.phone, expected.revision) = (nil, nil, nil, 3)
        #expect(
            try clinic.root.call(Practice.EditStaff(person: ana.id, revision: 2, account: "", email: "", phone: ""))
                .person == expected)
        // Nothing changed.
        #expect(
            try clinic.root.call(Practice.EditStaff(person: ana.id, revision: 3, name: "Ana Ruiz")).person == expected)
    }

    @Test func `two edits of one person do not overwrite each other`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .support)
        try clinic.root.call(Practice.EditStaff(person: ana, revision: 1, email: "ana@example.org"))
        for revision in [1, 3, 0, -1] {
            #expect(throws: Practice.Changed(revision: 2)) {
                try clinic.root.call(Practice.EditStaff(person: ana, revision: revision, email: "eve@example.org"))
            }
            #expect(throws: Practice.Changed(revision: 2)) {
                try clinic.root.call(Practice.RetireStaff(person: ana, revision: revision))
            }
        }
    }

    @Test func `an unknown person and a client cannot be edited`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let cleo = try clinic.client("Cleo", of: ana)
        for person in [cleo, "p999", "v1", "p01", "p-1", "p9999999999999999999999"] {
            #expect(throws: Practice.NotFound(kind: "person", id: person)) {
                try clinic.root.call(Practice.EditStaff(person: person, revision: 1, name: "Eve"))
            }
            #expect(throws: Practice.NotFound(kind: "person", id: person)) {
                try clinic.root.call(Practice.RetireStaff(person: person, revision: 1))
            }
        }
    }

    @Test func `a person who left cannot be edited`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .support)
        let retired = try clinic.root.call(Practice.RetireStaff(person: ana, revision: 1)).person
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "person", reason: "has left the practice: nothing of theirs is changed any more.")
            ])
        ) { try clinic.root.call(Practice.EditStaff(person: ana, revision: 2, name: "Eve")) }
        // A second retirement changes nothing.
        #expect(try clinic.root.call(Practice.RetireStaff(person: ana, revision: 2)).person == retired)
    }

    @Test func `a thanatologist with records cannot change the role`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        _ = try clinic.client("Cleo", of: ana)
        #expect(
            throws: Practice.Invalid(faults: [
                .init(
                    field: "role",
                    reason: "must stay thanatologist while records are this person's: transfer the 1 first.")
            ])
        ) { try clinic.root.call(Practice.EditStaff(person: ana, revision: 1, role: "support")) }
    }

    // MARK: The last administrator

    @Test func `the last active administrator can neither leave nor change the role`() throws {
        let clinic = try Clinic()
        let (ana, ben) = (try clinic.staff("Ana", .administrator), try clinic.staff("Ben", .administrator))
        try clinic.as(ana).call(Practice.RetireStaff(person: ben, revision: 1))
        #expect(throws: Practice.LastAdministrator(person: ana)) {
            try clinic.as(ana).call(Practice.RetireStaff(person: ana, revision: 1))
        }
        #expect(throws: Practice.LastAdministrator(person: ana)) {
            try clinic.root.call(Practice.EditStaff(person: ana, revision: 1, role: "support"))
        }
        let cid = try clinic.staff("Cid", .administrator)
        try clinic.as(cid).call(Practice.EditStaff(person: ana, revision: 1, role: "support"))
        #expect(throws: Practice.NotAllowed(right: "editStaff")) {
            try clinic.as(ana).call(Practice.EditStaff(person: cid, revision: 1, role: "support"))
        }
    }

    // MARK: Leaving

    @Test func `the clients of a person who leaves go to a successor, with a turn in each record`() throws {
        let clinic = try Clinic()
        let (ana, ben) = (try clinic.staff("Ana", .thanatologist), try clinic.staff("Ben", .thanatologist))
        let (cleo, dino) = (try clinic.client("Cleo", of: ana), try clinic.client("Dino", of: ana))
        try clinic.as(ana).call(Records.CloseRecord(client: dino, reason: "Moved away."))
        try clinic.root.call(Practice.RetireStaff(person: ana, revision: 1, successor: ben))
        #expect(try clinic.as(ben).call(Records.ListClients()).clients.map(\.id) == [cleo, dino])
        #expect(try clinic.as(ana).call(Practice.WhoAmI()).person == nil)
        for (client, turns) in [(cleo, ["opened", "transferred"]), (dino, ["opened", "closed", "transferred"])] {
            let told = try clinic.as(ben).call(Records.ListTurns(client: client)).turns
            #expect(told.map(\.what.rawValue) == turns)
            #expect(told.last?.reason == "The thanatologist left the practice.")
        }
        // Each client can read that it happened.
        let seen = try clinic.as(cleo).call(Practice.Audit()).entries.map(\.did)
        #expect(seen.contains("RetireStaff"))
    }

    @Test func `a person with clients cannot leave without a valid successor`() throws {
        let clinic = try Clinic()
        let (ana, ben) = (try clinic.staff("Ana", .thanatologist), try clinic.staff("Ben", .thanatologist))
        let support = try clinic.staff("Sofia", .support)
        let cleo = try clinic.client("Cleo", of: ana)
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "successor", reason: "must be named: 1 record is this person's.")
            ])
        ) { try clinic.root.call(Practice.RetireStaff(person: ana, revision: 1)) }
        try clinic.root.call(Practice.RetireStaff(person: ben, revision: 1))
        for successor in [ana, ben, support, cleo, "p999", ""] {
            #expect(
                throws: Practice.Invalid(faults: [
                    .init(field: "successor", reason: "must be an active thanatologist who stays.")
                ])
            ) { try clinic.root.call(Practice.RetireStaff(person: ana, revision: 1, successor: successor)) }
        }
        #expect(try clinic.as(ana).call(Records.ListClients()).total == 1)
    }
}
