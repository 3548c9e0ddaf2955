import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time

extension Records.AddClient: Handled {
    static let right = Right.addClients
    static let message: PracticeMessage? = .recordOpened

    func answer(at desk: Desk) throws -> Reply {
        let added: ID<Person> = try desk.once(key) {
            let (draft, keeper) = try desk.form { faults in try fill(at: desk, &faults) }
            let client = try desk.store.addClient(
                name: draft.name, account: draft.account, email: draft.email, phone: draft.phone, draft.details,
                since: draft.since, thanatologist: keeper, by: desk.caller?.id, at: desk.now)
            for person in [keeper, client] { try desk.tell(person, .record, client.description) }
            return client
        }
        desk.what = added.description
        return Reply(client: Records.Client(try desk.record(added.description), for: desk))
    }

    private func fill(at desk: Desk, _ faults: inout Faults) throws -> (ClientDraft, ID<Person>)? {
        let today = desk.today
        let begin = since.map { since in
            faults.check("since", since) { (text) throws(Unfit) in try RecordRules.since(text, today: today) }
        }
        var draft = ClientDraft(
            details: ClientDetails(timeZone: desk.settings.zone.name), since: (begin ?? today) ?? today)
        try draft.take(
            ClientForm(
                name: name, born: born, phone: phone, email: email, address: address,
                emergencyContact: emergencyContact,
                referredBy: referredBy, motive: motive, extra: extra, timeZone: timeZone, account: account),
            at: desk, &faults)
        guard let keeper = try desk.keeper(thanatologist, &faults) else { return nil }
        return (draft, keeper)
    }
}

extension Desk {
    /// Whose client a new one is: the caller's, where they are a thanatologist; else the one who is named.
    fileprivate func keeper(_ named: String?, _ faults: inout Faults) throws -> ID<Person>? {
        if role == .thanatologist {
            if let named, named != caller?.id.description {
                faults.add("thanatologist", "must be yourself: administrators transfer clients to others.")
            }
            return caller?.id
        }
        guard let named else {
            faults.add("thanatologist", "must be named.")
            return nil
        }
        return try thanatologist("thanatologist", named, &faults)
    }

    /// A thanatologist who works here.
    func thanatologist(_ field: String, _ named: String, _ faults: inout Faults) throws -> ID<Person>? {
        guard let person = try store.person(ID(named)), person.role == .thanatologist, person.isActive else {
            faults.add(field, "must be a thanatologist who works here.")
            return nil
        }
        return person.id
    }
}
