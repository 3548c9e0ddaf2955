import Foundation
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Testing
import Time
import Varlink
import VarlinkService

@testable import PracticeDaemon

/// Public keys that ssh-keygen made once, and their fingerprints.
enum Keys {
    static let ana = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHy3CFoD1ufM5iWoV+bBl4o9R7tEoIteEGBjfMeTxgnD"
    static let anas = "SHA256:bCyVc+fNqJOhpPmFw6cS6JdsSkNI8bZSFtlq//SHuTg"
    static let cleo = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHZZjrlbD5J33iJQ3HmSLVt4Q9KdQGkIjMvAleIrAlfV"
    static let cleos = "SHA256:wQOZQlgAUq4E7h60Ydam1CqLRgB+/4cn/v34/SsLpzw"
    /// Of security keys (FIDO).
    static let security =
        "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIHy3CFoD1ufM5iWoV+bBl4o9R7tEoIteEGBjfMeTxgnDAAAABHNzaDo="
    static let securityECDSA =
        "sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBAzONEke9xxxa5bVNlLGNZKmxS48fUlljIjuQXU3kqLiEQmW3waXWD1ygIEgUsdi0jPgfkeKcT2o3RH6VWxkWBoAAAAEc3NoOg=="
    static let short =
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDB5jPCtEGwmGz/Jl9XXGvo5GMO7M8qwgmUIW40Zq02stJ859uuE52EtkN5a4ofvq30h2ZcVMFRrtigGsnM/zyiBr6VkZsik8U0gcvpEMEJn+L9GImEBl4MUSnjCoPFlxRNezpKMZen5Ig33zIlQyJkUY9P9Tw64f7TCEDwqRzdgw=="
}

extension Clinic {
    /// The gate's program, before it has said for whom it calls.
    var gate: TestCaller { account("practice") }

    /// A practice whose host has a key.
    static func reachable() throws -> Clinic {
        var settings = Clinic.settings
        settings.gate.address = "practice@clinic.example"
        return try Clinic(settings, hostKey: "\(Keys.ana) root@clinic\n")
    }
}

@Suite struct `SSH keys of people` {
    private let morning = "2027-03-05T09:00:00+01:00"

    @Test func `the doctor is told of the host's key and of the address in invitations`() throws {
        let found = try Clinic.reachable().root.call(Upkeep.Diagnose())
        #expect(found.hostKey == nil && found.address == "practice@clinic.example" && found.addressNamed == true)
        let clinic = try Clinic(hostKey: "no key\n")
        let other = try clinic.root.call(Upkeep.Diagnose())
        let file = clinic.folder.appending(path: "host.pub").path
        #expect(other.hostKey == "\(file) holds no key of this host: is openssh-server installed?")
        #expect(other.address?.hasPrefix("practice@") == true && other.addressNamed == false)
    }

    @Test func `a person adds, lists and removes a key`() throws {
        let clinic = try Clinic()
        let ana = clinic.as(try clinic.staff("Ana", .thanatologist))
        let added = try ana.call(Practice.AddKey(publicKey: "\(Keys.ana) ana@laptop")).key
        #expect(added == Practice.Key(fingerprint: Keys.anas, comment: "ana@laptop", added: morning, lastUsed: nil))
        #expect(try ana.call(Practice.AddKey(publicKey: Keys.ana)).key == added)
        #expect(try ana.call(Practice.ListKeys()).keys == [added])
        let outcome = try ana.outcome(Practice.RemoveKey(fingerprint: Keys.anas))
        #expect(outcome.changesKeys && outcome.signedOut.count == 1)
        #expect(try ana.call(Practice.ListKeys()).keys == [])
        #expect(throws: Practice.NotFound(kind: "key", id: Keys.anas)) {
            try ana.call(Practice.RemoveKey(fingerprint: Keys.anas))
        }
    }

    @Test func `an administrator manages all keys, other people their own`() throws {
        let clinic = try Clinic()
        let (ada, ana) = (try clinic.staff("Ada", .administrator), try clinic.staff("Ana", .thanatologist))
        let cleo = try clinic.client("Cleo", of: ana)
        try clinic.as(ada).call(Practice.AddKey(person: cleo, publicKey: Keys.cleo))
        #expect(try clinic.as(cleo).call(Practice.ListKeys()).keys.map(\.fingerprint) == [Keys.cleos])
        #expect(try clinic.as(ada).call(Practice.ListKeys(person: cleo)).keys.map(\.fingerprint) == [Keys.cleos])
        let refusal = Practice.NotAllowed(right: "anyonesKeys")
        #expect(throws: refusal) { try clinic.as(ana).call(Practice.ListKeys(person: cleo)) }
        #expect(throws: refusal) { try clinic.as(ana).call(Practice.AddKey(person: cleo, publicKey: Keys.ana)) }
        #expect(throws: Practice.NotFound(kind: "key", id: Keys.cleos)) {
            try clinic.as(ana).call(Practice.RemoveKey(fingerprint: Keys.cleos))
        }
        try clinic.as(ada).call(Practice.RemoveKey(fingerprint: Keys.cleos))
        #expect(try clinic.as(cleo).call(Practice.ListKeys()).keys == [])
    }

    @Test func `a key belongs to one person, whom the refusal names to administrators alone`() throws {
        let clinic = try Clinic()
        let (ana, ben) = (try clinic.staff("Ana", .thanatologist), try clinic.staff("Ben", .thanatologist))
        try clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        #expect(throws: Practice.Invalid("publicKey", "must be nobody else's.")) {
            try clinic.as(ben).call(Practice.AddKey(publicKey: Keys.ana))
        }
        // The person who entered Ana's key as their own can be found, and Ana gets it back.
        let whose = "must be nobody else's: it is Ana's (\(ana)). If that is wrong, remove it there first."
        #expect(throws: Practice.Invalid("publicKey", whose)) {
            try clinic.root.call(Practice.AddKey(person: ben, publicKey: Keys.ana))
        }
        try clinic.root.call(Practice.RemoveKey(fingerprint: Keys.anas))
        try clinic.root.call(Practice.AddKey(person: ben, publicKey: Keys.ana))
    }

    @Test func `a key that OpenSSH refuses, or that is too short, is refused`() throws {
        let clinic = try Clinic()
        let ana = clinic.as(try clinic.staff("Ana", .thanatologist))
        #expect(throws: Practice.Invalid("publicKey", "must have at least 2048 bits: this one has 1024.")) {
            try ana.call(Practice.AddKey(publicKey: Keys.short))
        }
        // A known type, and no key behind it.
        #expect(throws: Practice.Invalid("publicKey", "must be a sound key: OpenSSH refuses this one.")) {
            try ana.call(Practice.AddKey(publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAAA=="))
        }
    }

    @Test(arguments: [
        (Keys.security, "SHA256:ZCiKK2OxcwLZ0QyEdcH0R1ja5ibHpkk8bbEoishzFg4"),
        (Keys.securityECDSA, "SHA256:/DW/dvMHpNvzPq+t4W3rT4qNsIniAbNm+VNWK4MxVIk"),
    ])
    func `a security key opens the practice as any other`(line: String, fingerprint: String) throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let key = try clinic.as(ana).call(Practice.AddKey(publicKey: "\(line) ana@token")).key
        #expect(key == Practice.Key(fingerprint: fingerprint, comment: "ana@token", added: morning, lastUsed: nil))
        let entered = try clinic.gate.outcome(Gate.Enter(fingerprint: fingerprint, through: "192.0.2.7")).entered
        #expect(entered?.person.description == ana)
    }

    @Test func `a person has at most twenty keys`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let store = try clinic.writer.storage.store()
        for number in 1...20 {
            let key = PublicKey(type: "ssh-ed25519", key: "AAAA\(number)", comment: "")
            try store.addKey(key, "SHA256:\(number)", of: ID(ana), at: Clinic.morning)
        }
        #expect(throws: Practice.Invalid("publicKey", "cannot be added: nobody has more than 20 keys.")) {
            try clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        }
    }

    @Test func `the audit has who added, removed and used a key`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        try clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        try clinic.gate.call(Gate.Enter(fingerprint: Keys.anas, through: "192.0.2.7"))
        try clinic.as(ana).call(Practice.RemoveKey(fingerprint: Keys.anas))
        let entries = try clinic.root.call(Practice.Audit(person: ana)).entries
        #expect(entries.map(\.did) == ["RemoveKey", "Enter", "AddKey"])
        #expect(entries.map(\.what) == [Keys.anas, Keys.anas, Keys.anas])
        #expect(entries.map(\.through) == ["demo", "ssh from 192.0.2.7", "demo"])
    }

    @Test func `the client, their thanatologist and administrators see who added or removed a client's key`()
        throws
    {
        let clinic = try Clinic()
        let (ada, ana) = (try clinic.staff("Ada", .administrator), try clinic.staff("Ana", .thanatologist))
        let (ben, sofia) = (try clinic.staff("Ben", .thanatologist), try clinic.staff("Sofia", .support))
        let (cleo, dino) = (try clinic.client("Cleo", of: ana), try clinic.client("Dino", of: ben))
        // Adding a key again changes nothing, and adds an entry.
        for _ in 1...2 { try clinic.as(ada).call(Practice.AddKey(person: cleo, publicKey: Keys.cleo)) }
        try clinic.as(ada).call(Practice.RemoveKey(fingerprint: Keys.cleos))
        try clinic.as(cleo).call(Practice.AddKey(publicKey: Keys.cleo))
        try clinic.as(cleo).call(Practice.RemoveKey(fingerprint: Keys.cleos))
        func seen(_ caller: String) throws -> [String] {
            try clinic.as(caller).call(Practice.Audit(client: cleo)).entries.filter { $0.did != "Audit" }
                .map { "\($0.did) \($0.person ?? "root") \($0.what ?? "")" }
        }
        let deeds = [
            "RemoveKey \(cleo) \(Keys.cleos)", "AddKey \(cleo) \(Keys.cleos)", "RemoveKey \(ada) \(Keys.cleos)",
            "AddKey \(ada) \(Keys.cleos)", "AddKey \(ada) \(Keys.cleos)", "AddClient \(ana) \(cleo)",
        ]
        for caller in [cleo, ada, ana] { #expect(try seen(caller) == deeds) }
        for caller in [dino, ben] { #expect(try seen(caller) == []) }
        #expect(throws: Practice.NotAllowed(right: "seeAudit")) { try seen(sofia) }
    }

    @Test func `a staff member's key concerns no client`() throws {
        let clinic = try Clinic()
        let (ada, ana) = (try clinic.staff("Ada", .administrator), try clinic.staff("Ana", .thanatologist))
        try clinic.as(ada).call(Practice.AddKey(person: ana, publicKey: Keys.ana))
        try clinic.as(ada).call(Practice.RemoveKey(fingerprint: Keys.anas))
        #expect(try clinic.root.call(Practice.Audit(person: ada)).entries.map(\.client) == [nil, nil])
    }
}

@Suite struct `The gate` {
    @Test func `the holder of a key enters as its owner, and the use is recorded`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        try clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        let outcome = try clinic.gate.outcome(Gate.Enter(fingerprint: Keys.anas, through: "2001:db8::7"))
        #expect(
            outcome.entered == Entered(person: ID(ana), entrance: .gate(key: Keys.anas, from: "2001:db8::7")))
        let used = try clinic.as(ana).call(Practice.ListKeys()).keys[0].lastUsed
        #expect(used == "2027-03-05T09:00:00+01:00")
    }

    @Test func `a removed or unknown key, and the key of a person who left, are refused`() throws {
        let clinic = try Clinic()
        let (ana, ben) = (try clinic.staff("Ana", .thanatologist), try clinic.staff("Ben", .support))
        try clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        try clinic.as(ben).call(Practice.AddKey(publicKey: Keys.cleo))
        try clinic.as(ana).call(Practice.RemoveKey(fingerprint: Keys.anas))
        #expect(try clinic.root.outcome(Practice.RetireStaff(person: ben, revision: 1)).changesKeys)
        for fingerprint in [Keys.anas, Keys.cleos, "SHA256:none", ""] {
            #expect(throws: Gate.UnknownKey()) {
                try clinic.gate.call(Gate.Enter(fingerprint: fingerprint, through: "192.0.2.7"))
            }
        }
    }

    @Test func `only the gate's account may name the person of a connection`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        try clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        let inside = Clinic.TestCaller(
            clinic: clinic,
            caller: Caller(
                user: 4_000, entrance: .gate(key: Keys.anas, from: "192.0.2.7"), account: "practice", person: ana,
                rights: []))
        let refusal = Practice.NotAllowed(right: "openGate")
        for caller in [clinic.visitor, clinic.root, clinic.as(ana), clinic.account("practice-keys"), inside] {
            #expect(throws: refusal) { try caller.call(Gate.Enter(fingerprint: Keys.anas, through: "192.0.2.7")) }
            #expect(throws: refusal) {
                try caller.call(Gate.Redeem(fingerprint: "", publicKey: Keys.cleo, invitation: "x"))
            }
        }
    }

    @Test func `a caller from the gate has the rights of their person, not of the gate's account`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        // The gate's program, run as root.
        let caller = Clinic.TestCaller(
            clinic: clinic,
            caller: Caller(
                user: 0, entrance: .gate(key: Keys.anas, from: "192.0.2.7"), account: "root", person: ana, rights: []))
        #expect(try caller.call(Practice.WhoAmI()).person?.id == ana)
        #expect(throws: Practice.NotAllowed(right: "maintain")) { try caller.call(Upkeep.Keys()) }
    }

    @Test(arguments: ["", "x y", "10.0.0.1\n", "<b>", String(repeating: "1", count: 61), "a\u{202E}"])
    func `a text that is no address is not stored`(address: String) throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        try clinic.as(ana).call(Practice.AddKey(publicKey: Keys.ana))
        try clinic.gate.call(Gate.Enter(fingerprint: Keys.anas, through: address))
        #expect(try clinic.root.call(Practice.Audit(person: ana)).entries[0].through == "ssh from an unknown address")
    }
}

@Suite struct `An invitation` {
    private struct InvitationFixture {
        let clinic: Clinic
        let (ada, ana, cleo): (String, String, String)

        init() throws {
            clinic = try Clinic.reachable()
            ada = try clinic.staff("Ada", .administrator)
            ana = try clinic.staff("Ana", .thanatologist)
            cleo = try clinic.client("Cleo", of: ana)
        }

        func invite() throws -> Practice.Invite.Reply { try clinic.as(ana).call(Practice.Invite(person: cleo)) }

        func redeem(_ word: String, _ key: String = Keys.cleo, from address: String = "192.0.2.7") throws -> String {
            let call = Gate.Redeem(fingerprint: "", publicKey: key, invitation: word, through: address)
            return try clinic.gate.call(call).person
        }
    }

    @Test func `its word registers a key for the invited person, once`() throws {
        let scene = try InvitationFixture()
        let invitation = try scene.invite()
        #expect(invitation.address == "practice@clinic.example")
        #expect(invitation.hostKey == Keys.anas)
        #expect(invitation.expires == "2027-03-08T09:00:00+01:00")
        #expect(try scene.redeem(invitation.invitation.lowercased().replacing("-", with: "")) == scene.cleo)
        #expect(try scene.clinic.as(scene.cleo).call(Practice.ListKeys()).keys.map(\.fingerprint) == [Keys.cleos])
        #expect(throws: Gate.InvitationOver()) { try scene.redeem(invitation.invitation, Keys.ana) }
    }

    @Test func `whom it lets in is told by a letter, and so is their thanatologist`() throws {
        let scene = try InvitationFixture()
        let first = try scene.invite()
        #expect(first.keys == 0)
        _ = try scene.redeem(first.invitation)
        func letters(_ person: String) throws -> [Mail.Letter] {
            let caller = scene.clinic.as(person)
            return try caller.call(Mail.List(folder: "inbox")).letters.map {
                try caller.call(Mail.Get(letter: $0.id)).letter
            }
        }
        for (person, subject) in [
            (scene.cleo, "A machine comes in as you"), (scene.ana, "A machine comes in as No. 1"),
        ] {
            let letters = try letters(person)
            #expect(letters.map(\.subject) == [subject])
            #expect(letters.allSatisfy { $0.system && $0.body?.contains(Keys.cleos) == true })
        }
        #expect(try letters(scene.ada) == [])
        #expect(try scene.invite().keys == 1)
    }

    @Test func `the letter to the thanatologist does not name the client, and goes when they are erased`() throws {
        let scene = try InvitationFixture()
        _ = try scene.redeem(scene.invite().invitation)
        let ana = scene.clinic.as(scene.ana)
        let told = try ana.call(Mail.List(folder: "inbox")).letters[0].id
        #expect(try ana.call(Mail.Get(letter: told)).letter.body?.contains("Cleo") == false)
        try ana.call(Mail.Send(to: [scene.ada], subject: "Re", body: "> \(Keys.cleos)", replyTo: told))
        try ana.call(Records.CloseRecord(client: scene.cleo, reason: "All is said."))
        try scene.clinic.root.call(Records.EraseRecord(client: scene.cleo, number: 1, reason: "Asked."))
        #expect(try ana.call(Mail.List()).letters == [])
        #expect(try scene.clinic.look().number("SELECT count(*) FROM letter") == 0)
        #expect(try scene.clinic.look().number("SELECT count(*) FROM copy_words") == 0)
    }

    @Test func `it ends with a later one, or after three days`() throws {
        let scene = try InvitationFixture()
        let (first, second) = (try scene.invite().invitation, try scene.invite().invitation)
        #expect(throws: Gate.InvitationOver()) { try scene.redeem(first) }
        scene.clinic.clock.advance(by: .seconds(72 * 3_600))
        #expect(throws: Gate.InvitationOver()) { try scene.redeem(second) }
    }

    @Test func `it ends after five wrong words`() throws {
        let scene = try InvitationFixture()
        let word = try scene.invite().invitation
        let wrong = word.dropLast() + (word.last == "Z" ? "Y" : "Z")
        for _ in 1...4 { #expect(throws: Gate.InvitationOver()) { try scene.redeem(String(wrong)) } }
        // Wrong words of no invitation are not counted.
        #expect(throws: Gate.InvitationOver()) { try scene.redeem("0000-0000-0000-0000-0000") }
        #expect(throws: Gate.InvitationOver()) { try scene.redeem("hello") }
        #expect(throws: Gate.InvitationOver()) { try scene.redeem(String(wrong)) }
        #expect(throws: Gate.InvitationOver()) { try scene.redeem(word) }
    }

    @Test func `an address has twenty wrong words a day, and others go on`() throws {
        let scene = try InvitationFixture()
        let word = try scene.invite().invitation
        for number in 10...29 {
            #expect(throws: Gate.InvitationOver()) { try scene.redeem("00\(number)-0000-0000-0000-0000") }
        }
        let tooMany = Practice.TooManyToday(limit: 20)
        #expect(throws: tooMany) { try scene.redeem("0030-0000-0000-0000-0000") }
        // The right word is not tried either, so that the number says nothing of the words.
        #expect(throws: tooMany) { try scene.redeem(word) }
        #expect(try scene.redeem(word, from: "192.0.2.8") == scene.cleo)
        scene.clinic.clock.advance(by: .seconds(86_400))
        #expect(throws: Gate.InvitationOver()) { try scene.redeem("0030-0000-0000-0000-0000") }
    }

    @Test func `after four wrong words it accepts the right one`() throws {
        let scene = try InvitationFixture()
        let word = try scene.invite().invitation
        let wrong = word.dropLast() + (word.last == "Z" ? "Y" : "Z")
        for _ in 1...4 { #expect(throws: Gate.InvitationOver()) { try scene.redeem(String(wrong)) } }
        #expect(try scene.redeem(word) == scene.cleo)
    }

    @Test func `the audit of a client has who invited them, each wrong word and the key that the right one added`()
        throws
    {
        let scene = try InvitationFixture()
        let word = try scene.invite().invitation
        let wrong = word.dropLast() + (word.last == "Z" ? "Y" : "Z")
        #expect(throws: Gate.InvitationOver()) { try scene.redeem(String(wrong)) }
        // An unknown word names no client.
        #expect(throws: Gate.InvitationOver()) { try scene.redeem("0000-0000-0000-0000-0000") }
        #expect(try scene.redeem(word) == scene.cleo)
        for caller in [scene.cleo, scene.ana, scene.ada] {
            let entries = try scene.clinic.as(caller).call(Practice.Audit(client: scene.cleo)).entries
            #expect(
                entries.filter { $0.did != "Audit" }.map {
                    "\($0.person ?? "somebody") \($0.through) \($0.did) \($0.what ?? "")"
                } == [
                    "\(scene.cleo) ssh from 192.0.2.7 Redeem \(scene.cleo) \(Keys.cleos)",
                    "somebody ssh from 192.0.2.7 Redeem refused \(Keys.cleos)",
                    "\(scene.ana) demo Invite \(scene.cleo)", "\(scene.ana) demo AddClient \(scene.cleo)",
                ])
        }
        let file = try scene.clinic.as(scene.cleo).call(Records.CaseFile(client: scene.cleo)).file
        let text = String(decoding: file.text, as: UTF8.self)
        #expect(
            text.contains(#""did":"Redeem","id":"a5","person":"somebody","through":"ssh from 192.0.2.7""#), "\(text)")
        let ben = try scene.clinic.staff("Ben", .thanatologist)
        let (dino, sofia) = (try scene.clinic.client("Dino", of: ben), try scene.clinic.staff("Sofia", .support))
        for caller in [ben, dino] {
            #expect(try scene.clinic.as(caller).call(Practice.Audit(client: scene.cleo)).entries == [])
        }
        #expect(throws: Practice.NotAllowed(right: "seeAudit")) {
            try scene.clinic.as(sofia).call(Practice.Audit(client: scene.cleo))
        }
    }

    @Test func `a client with twenty keys cannot redeem another, and the invitation stays`() throws {
        let scene = try InvitationFixture()
        let word = try scene.invite().invitation
        let store = try scene.clinic.writer.storage.store()
        for number in 1...20 {
            let key = PublicKey(type: "ssh-ed25519", key: "AAAA\(number)", comment: "")
            try store.addKey(key, "SHA256:\(number)", of: ID(scene.cleo), at: Clinic.morning)
        }
        #expect(throws: Practice.Invalid("publicKey", "cannot be added: nobody has more than 20 keys.")) {
            try scene.redeem(word)
        }
        try scene.clinic.as(scene.cleo).call(Practice.RemoveKey(fingerprint: "SHA256:20"))
        #expect(try scene.redeem(word) == scene.cleo)
    }

    @Test func `a known key redeems nothing`() throws {
        let scene = try InvitationFixture()
        try scene.clinic.as(scene.ana).call(Practice.AddKey(publicKey: Keys.ana))
        let word = try scene.invite().invitation
        #expect(throws: Practice.Invalid("publicKey", "must be nobody's yet.")) { try scene.redeem(word, Keys.ana) }
        #expect(try scene.redeem(word) == scene.cleo)
    }

    @Test func `thanatologists invite their own clients, support any client, administrators anybody`() throws {
        let scene = try InvitationFixture()
        let (clinic, cleo, ana) = (scene.clinic, scene.cleo, scene.ana)
        let (ben, sofia) = (try clinic.staff("Ben", .thanatologist), try clinic.staff("Sofia", .support))
        #expect(throws: Practice.NotFound(kind: "client", id: cleo)) {
            try clinic.as(ben).call(Practice.Invite(person: cleo))
        }
        #expect(throws: Practice.NotFound(kind: "client", id: ana)) {
            try clinic.as(ben).call(Practice.Invite(person: ana))
        }
        try clinic.as(sofia).call(Practice.Invite(person: cleo))
        #expect(throws: Practice.NotFound(kind: "client", id: ana)) {
            try clinic.as(sofia).call(Practice.Invite(person: ana))
        }
        try clinic.as(scene.ada).call(Practice.Invite(person: ana))
        try clinic.root.call(Practice.Invite(person: cleo))
    }

    @Test func `it ends with the work of the one who made it, and with a transfer`() throws {
        let scene = try InvitationFixture()
        let (clinic, root) = (scene.clinic, scene.clinic.root)
        let ben = try clinic.staff("Ben", .thanatologist)
        func redeem(_ word: String) throws { _ = try scene.redeem(word) }
        func retire(_ person: String, _ successor: String? = nil) throws {
            let revision = try root.call(Practice.GetPerson(person: person)).person.revision
            try root.call(Practice.RetireStaff(person: person, revision: revision, successor: successor))
        }
        let before = try scene.invite().invitation
        try root.call(Records.Transfer(client: scene.cleo, to: ben, reason: "Leave."))
        #expect(throws: Gate.InvitationOver()) { try redeem(before) }
        try root.call(Records.Transfer(client: scene.cleo, to: scene.ana, reason: "Back."))
        let last = try scene.invite().invitation
        try retire(scene.ana, ben)
        #expect(throws: Gate.InvitationOver()) { try redeem(last) }
        // An administrator's, of anybody.
        let bens = try clinic.as(scene.ada).call(Practice.Invite(person: ben)).invitation
        let carl = try clinic.staff("Carl", .administrator)
        let carls = try clinic.as(carl).call(Practice.Invite(person: scene.ada)).invitation
        try retire(carl)
        #expect(throws: Gate.InvitationOver()) { try redeem(carls) }
        #expect(try scene.redeem(bens) == ben)
    }

    @Test func `it ends with the role of the one who made it, and with the record of the invited`() throws {
        let scene = try InvitationFixture()
        let (clinic, root) = (scene.clinic, scene.clinic.root)
        let carl = try clinic.staff("Carl", .administrator)
        let (adas, cleos) = (
            try clinic.as(carl).call(Practice.Invite(person: scene.ada)).invitation,
            try clinic.as(carl).call(Practice.Invite(person: scene.cleo)).invitation
        )
        try root.call(Practice.EditStaff(person: carl, revision: 1, role: "thanatologist"))
        for word in [adas, cleos] { #expect(throws: Gate.InvitationOver()) { try scene.redeem(word) } }
        let last = try scene.invite().invitation
        try clinic.as(scene.ana).call(Records.CloseRecord(client: scene.cleo, reason: "All is said."))
        #expect(throws: Gate.InvitationOver()) { try scene.redeem(last) }
    }

    @Test(.ofFile) func `a restore ends it`() throws {
        let scene = try InvitationFixture()
        let word = try scene.invite().invitation
        try scene.clinic.root.restore(backup: scene.clinic.root.call(Upkeep.Backup()).backup)
        #expect(throws: Gate.InvitationOver()) { try scene.redeem(word) }
    }

    @Test func `a key or an account that others give somebody is told to them, and to a client's thanatologist`() throws
    {
        let scene = try InvitationFixture()
        let (clinic, root) = (scene.clinic, scene.clinic.root)
        func subjects(_ person: String) throws -> [String] {
            try clinic.as(person).call(Mail.List(folder: "inbox")).letters.map(\.subject)
        }
        try clinic.as(scene.ada).call(Practice.AddKey(person: scene.ana, publicKey: Keys.ana))
        try clinic.as(scene.ada).call(Practice.AddKey(person: scene.cleo, publicKey: Keys.cleo))
        #expect(try subjects(scene.ana) == ["A machine comes in as No. 1", "A machine comes in as you"])
        #expect(try subjects(scene.cleo) == ["A machine comes in as you"])
        let record = try clinic.as(scene.ana).call(Records.GetClient(client: scene.cleo)).client
        try clinic.as(scene.ana).call(
            Records.EditClient(client: scene.cleo, revision: record.revision, account: "games"))
        #expect(try subjects(scene.cleo) == ["An account comes in as you", "A machine comes in as you"])
        try root.call(Practice.EditStaff(person: scene.ana, revision: 1, account: "man"))
        #expect(try subjects(scene.ana).first == "An account comes in as you")
        // People who give it to themselves know it.
        try clinic.as(scene.ada).call(Practice.EditStaff(person: scene.ada, revision: 1, account: "lp"))
        #expect(try subjects(scene.ada) == [])
    }

    @Test func `a client whose record is closed is not invited`() throws {
        let scene = try InvitationFixture()
        try scene.clinic.as(scene.ana).call(Records.CloseRecord(client: scene.cleo, reason: "All is said."))
        #expect(throws: Records.RecordClosed.self) { try scene.invite() }
        #expect(try scene.clinic.root.call(Upkeep.Keys()) == Upkeep.Keys.Reply(keys: [], invitedUntil: nil))
    }

    @Test func `without a host key nobody is invited`() throws {
        var settings = Clinic.settings
        settings.gate.hostKey = "/nowhere/host.pub"
        let clinic = try Clinic(settings)
        let cleo = try clinic.client("Cleo", of: try clinic.staff("Ana", .thanatologist))
        #expect(
            throws: Practice.NoGate(reason: "/nowhere/host.pub holds no key of this host: is openssh-server installed?")
        ) { try clinic.root.call(Practice.Invite(person: cleo)) }
    }

    @Test func `an erased client's keys and invitation go with them`() throws {
        let scene = try InvitationFixture()
        let word = try scene.invite().invitation
        try scene.clinic.root.call(Practice.AddKey(person: scene.cleo, publicKey: Keys.cleo))
        try scene.clinic.as(scene.ana).call(Records.CloseRecord(client: scene.cleo, reason: "All is said."))
        try scene.clinic.root.call(Records.EraseRecord(client: scene.cleo, number: 1, reason: "Her wish."))
        #expect(try scene.clinic.root.call(Upkeep.Keys()) == Upkeep.Keys.Reply(keys: [], invitedUntil: nil))
        #expect(throws: Gate.InvitationOver()) { try scene.redeem(word) }
    }
}

@Suite struct `sshd's questions about an offered key` {
    private let now = Clinic.morning

    private func ring(invitedUntil: String? = nil) -> KeyRing {
        KeyRing(
            Upkeep.Keys.Reply(keys: [.init(fingerprint: Keys.anas, publicKey: Keys.ana)], invitedUntil: invitedUntil))
    }

    private func lines(_ ring: KeyRing, _ key: String) -> [String] {
        let words = key.split(separator: " ", maxSplits: 1).map(String.init)
        return ring.lines(for: words[0], words[1], at: now, program: "/usr/local/bin/practice-gate")
    }

    @Test func `a person's key gets a line that enters as them, an unknown key gets none`() {
        #expect(
            lines(ring(), Keys.ana)
                == ["restrict,command=\"/usr/local/bin/practice-gate enter \(Keys.anas)\" \(Keys.ana)"])
        #expect(lines(ring(), Keys.cleo) == [])
    }

    @Test(arguments: ["x; id >/tmp/pwned #", "SHA256:\"", "", String(Keys.anas.dropLast()), Keys.anas + "\n"])
    func `no line has what is no fingerprint, also from a restored file`(text: String) {
        let ring = KeyRing(Upkeep.Keys.Reply(keys: [.init(fingerprint: text, publicKey: Keys.ana)]))
        #expect(lines(ring, Keys.ana) == [])
    }

    @Test func `while an invitation is open, an unknown key may redeem one`() {
        let open = ring(invitedUntil: "2027-03-05T09:00:01+01:00")
        #expect(
            lines(open, Keys.cleo)
                == ["restrict,command=\"/usr/local/bin/practice-gate redeem \(Keys.cleo)\" \(Keys.cleo)"])
        #expect(lines(open, Keys.ana)[0].contains("enter"))
        #expect(lines(ring(invitedUntil: "2027-03-05T09:00:00+01:00"), Keys.cleo) == [])
    }

    @Test(arguments: ["ssh-ed25519 AAAA\" x", "ssh-ed25519 \n", "x y", "ssh-dss AAAAB3NzaC1kc3M="])
    func `only a key gets a line`(text: String) {
        #expect(lines(ring(invitedUntil: "2027-03-08T09:00:00+01:00"), text) == [])
    }
}
