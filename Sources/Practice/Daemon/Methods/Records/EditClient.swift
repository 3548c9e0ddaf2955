import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time

extension Records.EditClient: Handled {
    static let right = Right.keepRecords

    func answer(at desk: Desk) throws -> Reply {
        let record = try desk.record(client)
        guard revision == record.person.revision else { throw Practice.Changed(revision: record.person.revision) }
        let edited = try desk.form { faults in
            var draft = ClientDraft(record)
            try draft.take(
                ClientForm(
                    name: name, born: born, phone: phone, email: email, address: address,
                    emergencyContact: emergencyContact, referredBy: referredBy, motive: motive, extra: extra,
                    timeZone: timeZone, account: account),
                at: desk, &faults)
            return draft.edited(record)
        }
        if edited != record {
            try desk.store.update(edited)
            try desk.tellOfRecord(record)
        }
        return Reply(client: Records.Client(try desk.record(client), for: desk))
    }
}

extension ClientDraft {
    fileprivate init(_ record: Record) {
        let person = record.person
        self.init(
            name: person.name, account: person.account, email: person.email, phone: person.phone,
            details: record.details, since: person.since, id: person.id)
    }

    fileprivate func edited(_ record: Record) -> Record {
        var edited = record
        (edited.person.name, edited.person.account) = (name, account)
        (edited.person.email, edited.person.phone) = (email, phone)
        edited.details = details
        return edited
    }
}
