import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

extension Records.EditClient: Handled {
    static let right = Right.keepRecords

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.record(client)
        guard revision == record.person.revision else { throw Practice.Changed(revision: record.person.revision) }
        let edited = try context.form { faults in
            var draft = ClientDraft(record)
            try draft.take(
                ClientForm(
                    name: name, born: born, phone: phone, email: email, address: address,
                    emergencyContact: emergencyContact, referredBy: referredBy, motive: motive, extra: extra,
                    timeZone: timeZone, account: account),
                in: context, &faults)
            return draft.edited(record)
        }
        if edited != record {
            try context.store.update(edited)
            if edited.person.account != record.person.account {
                context.signOut(record.person)
                try context.tellOfAccount(edited.person.account, of: record.person)
            }
            if edited.details.timeZone != record.details.timeZone {
                try context.store.setZone(context.zone(of: edited), of: record.person.id)
                context.changesSurveys = true
            }
            try context.tellOfRecord(record)
        }
        return Reply(client: Records.Client(try context.record(client), in: context))
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
