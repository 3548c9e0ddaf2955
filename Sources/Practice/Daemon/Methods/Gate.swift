import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time

/// A login: sshd has seen that the caller holds the key.
extension Gate.Enter: Handled {
    static let right = Right.openGate
    static let isAudited = true

    func answer(at desk: Desk) throws -> Reply {
        guard let key = try desk.store.key(fingerprint), let person = try desk.store.person(key.person), person.isActive
        else { throw Gate.UnknownKey() }
        try desk.store.useKey(fingerprint, at: desk.now)
        desk.enter(person, key, from: Gate.address(through))
        desk.what = fingerprint
        return Reply(person: person.id.description)
    }
}

extension Gate.Redeem: Handled {
    static let right = Right.openGate
    static let isAudited = true

    // A wrong word is counted although the call is refused.
    func answer(at desk: Desk) throws -> Reply {
        let (key, fingerprint) = try desk.sound(publicKey)
        guard self.fingerprint.isEmpty || self.fingerprint == fingerprint,
            try desk.store.key(fingerprint) == nil
        else { throw Practice.Invalid("publicKey", "must be nobody's yet.") }
        guard let word = InvitationWord(invitation),
            let open = try desk.store.invitation(word.handle, at: desk.now)
        else { throw Gate.InvitationOver() }
        guard word.hasSecret(open.secret) else {
            try desk.store.countTry(word.handle)
            desk.changesKeys = true
            throw RefusalThatStays(Gate.InvitationOver())
        }
        try desk.store.addKey(key, fingerprint, of: open.person, at: desk.now)
        try desk.store.endInvitation(of: open.person)
        desk.changesKeys = true
        desk.what = "\(open.person) \(fingerprint)"
        return Reply(person: open.person.description)
    }
}

extension Gate {
    /// An address of the network, as sshd names it; anything else is not kept.
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

    func answer(at desk: Desk) throws -> Reply {
        Reply(
            keys: try desk.store.openingKeys().map { .init(fingerprint: $0.fingerprint, publicKey: $0.line) },
            invitedUntil: try desk.store.invitedUntil(at: desk.now).map(desk.spelled))
    }
}
