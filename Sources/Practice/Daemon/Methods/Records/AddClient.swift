import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

extension Records.AddClient: Handled {
    static let right = Right.addClients
    static let message: PracticeMessage? = .recordOpened

    func answer(in context: CallContext) throws -> Reply {
        let added: ID<Person> = try context.once(key) {
            let (draft, thanatologist) = try context.form { faults in try fill(in: context, &faults) }
            if unlessKnown == true { try context.demandNoNamesake(of: draft) }
            let client = try context.store.addClient(
                name: draft.name, account: draft.account, email: draft.email, phone: draft.phone, draft.details,
                since: draft.since, thanatologist: thanatologist, by: context.caller?.id, at: context.now)
            for person in [thanatologist, client] { try context.tell(person, .record, client.description) }
            return client
        }
        context.what = added.description
        return Reply(client: Records.Client(try context.record(added.description), in: context))
    }

    private func fill(in context: CallContext, _ faults: inout Faults) throws -> (ClientDraft, ID<Person>)? {
        let today = context.today
        let begin = since.map { since in
            faults.check("since", since) { (text) throws(FieldError) in try RecordRules.since(text, today: today) }
        }
        var draft = ClientDraft(
            details: ClientDetails(timeZone: context.settings.zone.name), since: (begin ?? today) ?? today)
        try draft.take(
            ClientForm(
                name: name, born: born, phone: phone, email: email, address: address,
                emergencyContact: emergencyContact,
                referredBy: referredBy, motive: motive, extra: extra, timeZone: timeZone, account: account),
            in: context, &faults)
        guard let thanatologist = try context.thanatologistOfNewClient(thanatologist, &faults) else { return nil }
        return (draft, thanatologist)
    }
}

extension CallContext {
    private static let namesakes = 20

    /// Refuses a new client whose name a client has whom the caller may see.
    fileprivate func demandNoNamesake(of draft: ClientDraft) throws {
        // Only a client's own thanatologist reads the day of birth.
        let born = reach == .everybodys ? nil : draft.details.born
        let found = try store.namesakes(of: draft.name, born: born, of: holder, limit: Self.namesakes)
        guard found.isEmpty else {
            throw Records.Namesakes(
                clients: found.map { .init(client: $0.client.description, number: $0.number, name: $0.name) })
        }
    }

    /// The thanatologist of a new client: the caller if they are one, else the named person.
    fileprivate func thanatologistOfNewClient(_ named: String?, _ faults: inout Faults) throws -> ID<Person>? {
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

    /// An active thanatologist.
    func thanatologist(_ field: String, _ named: String, _ faults: inout Faults) throws -> ID<Person>? {
        guard let person = try store.person(ID(named)), person.role == .thanatologist, person.isActive else {
            faults.add(field, "must be a \(settings.therapist) who works here.")
            return nil
        }
        return person.id
    }
}
