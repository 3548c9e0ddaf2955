import Files
import Glibc
import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink

/// The most keys of a person.
private let mostKeys = 20

extension Practice.ListKeys: Handled {
    static let right = Right.ownKeys
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let owner = try context.keyHolder(person)
        return Reply(keys: try context.store.keys(of: owner.id).map { Practice.Key($0, context) })
    }
}

extension Practice.AddKey: Handled {
    static let right = Right.ownKeys
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        let owner = try context.keyHolder(person)
        let (checked, fingerprint) = try context.sound(publicKey)
        context.noteKey(fingerprint, of: owner)
        if let known = try context.store.key(fingerprint) {
            guard known.person == owner.id else { throw try context.keyIsTaken(known) }
            context.isWithoutEffect = true
            return Reply(key: Practice.Key(known, context))
        }
        guard owner.isActive else { throw Practice.Invalid("person", "must be somebody who comes in: they left.") }
        try context.add(checked, fingerprint, of: owner)
        if owner.id != context.caller?.id {
            try context.tellOfKey(
                fingerprint, of: owner, way: "An administrator of \(context.settings.name) let a machine in")
        }
        return Reply(key: try context.key(fingerprint))
    }
}

extension Practice.RemoveKey: Handled {
    static let right = Right.ownKeys
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        guard let key = try context.store.key(fingerprint),
            key.person == context.caller?.id || context.has(.anyonesKeys)
        else {
            throw Practice.NotFound(kind: "key", id: fingerprint)
        }
        if let owner = try context.store.person(key.person) { context.noteKey(fingerprint, of: owner) }
        try context.store.removeKey(fingerprint)
        context.signOut(key)
        return Reply()
    }
}

extension Practice.Invite: Handled {
    static let right = Right.invite
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        let invited = try context.invitable(person)
        let hostKey = try context.settings.gate.hostKeyFingerprint()
        var dice = SystemRandomNumberGenerator()
        let word = InvitationWord(using: &dice)
        let expires = context.now + .seconds(InvitationWord.hours * 3_600)
        try context.store.invite(invited, word, until: expires, at: context.now)
        context.what = invited.description
        context.changesKeys = true
        return Reply(
            invitation: word.description, hostKey: hostKey, address: context.settings.gate.reachableAddress,
            expires: context.spelled(expires), keys: try context.store.keys(of: invited).count)
    }
}

extension CallContext {
    /// Ends the invitations that a person has made: with the word of one, somebody comes in as the invited person.
    func endInvitations(by person: Person) throws {
        try store.endInvitations(by: person.id, since: now + Duration.seconds(-InvitationWord.hours * 3_600))
        changesKeys = true
    }

    /// Tells of a key that was not registered by the person themselves: whoever has it comes in as they do. The person
    /// learns of it, and so does their thanatologist.
    ///
    /// - Parameter way: the sentence's beginning, such as `With an invitation, a machine was let in`.
    func tellOfKey(_ fingerprint: String, of owner: Person, way: String) throws {
        try sendLetter(
            to: owner.id, subject: "A machine comes in as you",
            body: """
                \(way) as you. Its key: \(fingerprint)

                If it is none of yours, tell the practice at once: it takes the key away, and the machine is out within a second. Ask \
                whether other keys were added since: each lets a machine in.
                """)
        guard let record = try store.record(owner.id, of: nil) else { return }
        try sendLetter(
            to: record.thanatologist, subject: "A machine comes in as No. \(record.number)",
            body: """
                \(way) as your client No. \(record.number). Its key: \(fingerprint)

                If you did not expect that, ask them whether it is theirs. Until its key is taken away, whoever has the machine sees
                what they see, and can write as they do.
                """, about: owner.id)
    }

    /// The owner of the requested keys: the caller, or, for administrators, anybody.
    fileprivate func keyHolder(_ named: String?) throws -> Person {
        guard let named else {
            guard let caller else { throw Practice.Invalid("person", "must be named: root has no keys here.") }
            return caller
        }
        if let caller, caller.id == ID(named) { return caller }
        try demand(.anyonesKeys)
        guard let person = try store.person(ID(named)) else { throw Practice.NotFound(kind: "person", id: named) }
        return person
    }

    /// The key's owner is named only to people who may remove the key: anybody can enter a key that is another's, because it
    /// need not be held to be entered.
    fileprivate func keyIsTaken(_ key: KeptKey) throws -> Practice.Invalid {
        guard has(.anyonesKeys), let owner = try store.person(key.person) else {
            return Practice.Invalid("publicKey", "must be nobody else's.")
        }
        return Practice.Invalid(
            "publicKey",
            "must be nobody else's: it is \(owner.name)'s (\(owner.id)). If that is wrong, remove it there first.")
    }

    /// The audit's entry names the key, and the client if the key is a client's.
    func noteKey(_ fingerprint: String, of owner: Person) {
        what = fingerprint
        if owner.role == .client { note(owner.id) }
    }

    /// Adds a key by which the person comes in.
    func add(_ key: PublicKey, _ fingerprint: String, of owner: Person) throws {
        guard try store.keys(of: owner.id).count < mostKeys else {
            throw Practice.Invalid("publicKey", "cannot be added: nobody has more than \(mostKeys) keys.")
        }
        try store.addKey(key, fingerprint, of: owner.id, at: now)
        changesKeys = true
    }

    /// A key that OpenSSH accepts, and its fingerprint.
    func sound(_ text: String) throws -> (PublicKey, fingerprint: String) {
        let key = try form { $0.check("publicKey", text) { text throws(FieldError) in try PublicKey(text) } }
        let found: KeyFingerprint?
        do { found = try KeyFingerprint.of(key) } catch {
            throw Practice.NoGate(reason: "\(KeyFingerprint.program) cannot be run: install openssh-client.")
        }
        guard let found else { throw Practice.Invalid("publicKey", "must be a sound key: OpenSSH refuses this one.") }
        guard key.type != "ssh-rsa" || found.bits >= PublicKey.rsaBits else {
            throw Practice.Invalid(
                "publicKey", "must have at least \(PublicKey.rsaBits) bits: this one has \(found.bits).")
        }
        return (key, found.text)
    }

    fileprivate func key(_ fingerprint: String) throws -> Practice.Key {
        guard let key = try store.key(fingerprint) else { throw Practice.NotFound(kind: "key", id: fingerprint) }
        return Practice.Key(key, self)
    }

    /// A person whom the caller may invite: a client whom they may see and whose record is open, or, for administrators, a
    /// member of staff.
    fileprivate func invitable(_ named: String) throws -> ID<Person> {
        if has(.editStaff), let person = try store.person(ID(named)), person.role.isStaff {
            guard person.isActive else { throw Practice.Invalid("person", "must be somebody who comes in: they left.") }
            return person.id
        }
        return try openRecord(named).person.id
    }
}

extension GateSettings {
    /// The fingerprint of the host's key. Throws ``Practice/NoGate`` if there is none.
    func hostKeyFingerprint() throws -> String {
        let found: KeyFingerprint?
        do {
            let line = String(decoding: try File.prefix(PublicKey.limit, of: hostKey), as: UTF8.self)
            found = try KeyFingerprint.of(PublicKey(line))
        } catch { found = nil }
        guard let found else {
            throw Practice.NoGate(reason: "\(hostKey) holds no key of this host: is openssh-server installed?")
        }
        return found.text
    }

    /// The address at which clients' machines reach this one.
    var reachableAddress: String {
        if !address.isEmpty { return address }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { room in
            guard let start = room.baseAddress, gethostname(start, room.count) == 0 else { return account }
            return "\(account)@\(String(cString: start))"
        }
    }
}

extension Practice.Key {
    fileprivate init(_ key: KeptKey, _ context: CallContext) {
        self.init(
            fingerprint: key.fingerprint, comment: key.key.comment, added: context.spelled(key.added),
            lastUsed: key.lastUsed.map(context.spelled))
    }
}
