import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

extension Practice.RetireStaff: Handled {
    static let right = Right.editStaff
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        var person = try context.staff(person, revision)
        context.what = person.id.description
        guard person.isActive else { return Reply(person: Practice.Person(person, .whole)) }
        try context.keepAnAdministrator(without: person)
        let left = try context.store.unreadLetters(of: person.id, from: nil)
        var handed: Int?
        if let heir = try heir(of: person, in: context) {
            let reason = "The \(context.settings.therapist) left the practice."
            let records = try context.store.records(of: person.id)
            handed = records.isEmpty ? nil : records.count
            try context.tellSuccessor(heir, of: records)
            for record in records {
                try context.transfer(record, to: heir, reason: reason)
                context.note(record.person.id)
                context.journalLines.append(JournalLine(kind: .recordTransferred, what: record.person.id.description))
            }
        }
        try context.endInvitations(by: person)
        person.isActive = false
        try context.leaveRooms(person)
        context.signOut(person)
        // The journal's line names the person; the audit's entries name the clients as well.
        context.journalLines.append(JournalLine(kind: .staffRetired, what: person.id.description))
        return Reply(
            person: Practice.Person(try context.store.update(person), .whole), unread: left.all > 0 ? left.all : nil,
            urgent: left.urgent > 0 ? left.urgent : nil, handed: handed)
    }

    /// The person who takes over the clients of a person who leaves. Nil if there are no clients and no named successor.
    private func heir(of person: Person, in context: CallContext) throws -> ID<Person>? {
        if let successor {
            let heir = try context.store.person(ID(successor))
            guard let heir, heir.isActive, heir.role == .thanatologist, heir.id != person.id else {
                throw Practice.Invalid("successor", "must be an active \(context.settings.therapist) who stays.")
            }
            return heir.id
        }
        let clients = try context.store.clientCount(of: person.id)
        guard clients == 0 else {
            let records = clients == 1 ? "1 record is" : "\(clients) records are"
            throw Practice.Invalid("successor", "must be named: \(records) this person's.")
        }
        return nil
    }
}
