import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

extension CallContext {
    /// The person whose records the caller may use; nil for all records.
    var holder: ID<Person>? { reach == .everybodys ? nil : caller?.id ?? ID(0) }

    /// The record of a client whom the caller may see. Adds the client to the call's audit.
    func record(_ client: String) throws -> Record {
        guard let record = try store.record(ID(client), of: holder) else {
            throw Practice.NotFound(kind: "client", id: client)
        }
        note(record.person.id)
        return record
    }

    /// The record of a client, which must be open.
    func openRecord(_ client: String) throws -> Record {
        let record = try record(client)
        if let closedOn = record.closedOn { throw Records.RecordClosed(client: client, closedOn: "\(closedOn)") }
        return record
    }

    /// Adds news for the client and their thanatologist: the record changed.
    func tellOfRecord(_ record: Record) throws {
        let client = record.person.id
        for person in [record.thanatologist, client] { try tell(person, .record, client.description) }
    }
}

extension Records.Client {
    /// The part of a record that the caller may see. Administrators and support see the name, and whether the record is
    /// open.
    init(_ record: Record, in context: CallContext) { self.init(record, isWhole: context.reach == .own) }

    init(_ record: Record, isWhole: Bool) {
        let (person, details) = (record.person, record.details)
        self.init(
            id: person.id.description, number: record.number, name: person.name,
            born: isWhole ? details.born?.description : nil, phone: person.phone, email: person.email,
            address: isWhole ? details.address : nil, emergencyContact: isWhole ? details.emergencyContact : nil,
            referredBy: isWhole ? details.referredBy : nil, motive: isWhole ? details.motive : nil,
            extra: isWhole ? details.extra : [:], timeZone: details.timeZone,
            thanatologist: record.thanatologist.description, account: person.account, open: record.isOpen,
            since: person.since.description, closedOn: record.closedOn?.description, revision: person.revision)
    }
}

extension Records.GetClient: Handled {
    static let right = Right.seeRecord

    func answer(in context: CallContext) throws -> Reply {
        Reply(client: Records.Client(try context.record(client), in: context))
    }
}
