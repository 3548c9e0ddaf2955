import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

/// A login: sshd has seen that the caller holds the key.
extension Gate.Enter: Handled {
    static let right = Right.openGate
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        guard let key = try context.store.key(fingerprint), let person = try context.store.person(key.person),
            person.isActive
        else { throw Gate.UnknownKey() }
        try context.store.useKey(fingerprint, at: context.now)
        context.enter(person, key, from: Gate.address(through))
        context.what = fingerprint
        return Reply(person: person.id.description)
    }
}

extension Gate.Redeem: Handled {
    static let right = Right.openGate
    static let isAudited = true

    // The count of wrong words is kept although the call is refused.
    func answer(in context: CallContext) throws -> Reply {
        let address = Gate.address(through ?? "")
        if through != nil { context.comes(from: address) }
        guard context.limits.today.hasWordsLeft(address, on: context.today) else {
            throw Practice.TooManyToday(limit: DailyLimits.wrongWords)
        }
        // A guess at a word is refused before the key is looked at, which takes a program.
        guard let word = InvitationWord(invitation),
            let open = try context.store.invitation(word.handle, at: context.now),
            let invited = try context.store.person(open.person)
        else {
            context.limits.today.countWrongWord(from: address, on: context.today)
            throw Gate.InvitationOver()
        }
        let (key, fingerprint) = try context.sound(publicKey)
        guard self.fingerprint.isEmpty || self.fingerprint == fingerprint,
            try context.store.key(fingerprint) == nil
        else { throw Practice.Invalid("publicKey", "must be nobody's yet.") }
        context.noteKey(fingerprint, of: invited)
        guard word.hasSecret(open.secret) else {
            context.limits.today.countWrongWord(from: address, on: context.today)
            context.what = "refused \(fingerprint)"
            try context.store.countTry(word.handle)
            context.changesKeys = true
            throw RefusalThatStays(Gate.InvitationOver())
        }
        try context.add(key, fingerprint, of: invited)
        try context.tellOfKey(
            fingerprint, of: invited, way: "With an invitation to \(context.settings.name), a machine was let in")
        try context.store.endInvitation(of: invited.id)
        context.redeemer = invited.id
        context.what = "\(invited.id) \(fingerprint)"
        return Reply(person: invited.id.description)
    }
}

extension Gate {
    /// The text if it is a network address, as sshd writes it; else a text that says it is unknown.
    static func address(_ text: String) -> String {
        let isAddress =
            (2...60).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || ".:%".utf8.contains($0)
            }
        return isAddress ? text : "an unknown address"
    }
}

extension Upkeep.Keys: Handled {
    static let right = Right.maintain
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        Reply(
            keys: try context.store.openingKeys().map { .init(fingerprint: $0.fingerprint, publicKey: $0.line) },
            invitedUntil: try context.store.invitedUntil(at: context.now).map(context.spelled))
    }
}
