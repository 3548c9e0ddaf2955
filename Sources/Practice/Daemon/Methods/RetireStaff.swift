import PracticeInterfaces
import PracticeRules
import PracticeStore

extension Practice.RetireStaff: Handled {
    static let right = Right.editStaff
    static let isAudited = true

    func answer(at desk: Desk) throws -> Reply {
        var person = try desk.staff(person, revision)
        desk.what = person.id.description
        guard person.isActive else { return Reply(person: Practice.Person(person, .whole)) }
        try desk.keepAnAdministrator(without: person)
        if let heir = try heir(of: person, at: desk) {
            let reason = "The \(desk.settings.therapist) left the practice."
            for record in try desk.store.records(of: person.id) {
                try desk.transfer(record, to: heir, reason: reason)
                desk.note(record.person.id)
                desk.journalLines.append(JournalLine(kind: .recordTransferred, what: record.person.id.description))
            }
        }
        person.isActive = false
        desk.signOut(person)
        // The journal names who left, where the audit's entries name the clients as well.
        desk.journalLines.append(JournalLine(kind: .staffRetired, what: person.id.description))
        return Reply(person: Practice.Person(try desk.store.update(person), .whole))
    }

    /// Gets the clients of a person who leaves. Nil if they have none, and nobody is named.
    private func heir(of person: Person, at desk: Desk) throws -> ID<Person>? {
        if let successor {
            let heir = try desk.store.person(ID(successor))
            guard let heir, heir.isActive, heir.role == .thanatologist, heir.id != person.id else {
                throw Practice.Invalid("successor", "must be an active \(desk.settings.therapist) who stays.")
            }
            return heir.id
        }
        let clients = try desk.store.clientCount(of: person.id)
        guard clients == 0 else {
            let records = clients == 1 ? "1 record is" : "\(clients) records are"
            throw Practice.Invalid("successor", "must be named: \(records) this person's.")
        }
        return nil
    }
}
