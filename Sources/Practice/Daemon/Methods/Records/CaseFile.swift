import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces

extension Records.CaseFile: Handled {
    static let right = Right.seeCaseFile
    static let takesLong = true

    func answer(in context: CallContext) throws -> Reply {
        Reply(file: RawJSON(try context.caseFile(of: try context.record(client), for: context.caller?.id)))
    }
}

extension CallContext {
    /// - Parameter reader: who gets the letters and messages that are theirs to read; nil for an export, which has all.
    func caseFile(of record: Record, for reader: ID<Person>?) throws -> Records.ClientFile {
        let id = record.person.id
        let sessions = try store.allSessions(of: id)
        let audit = try store.audit(of: id)
        let places = try hiddenPlaces(in: audit, from: reader ?? id)
        var file = Records.ClientFile(
            practice: settings.name, at: spelled(now), client: Records.Client(record, isWhole: true),
            turns: try store.turns(of: id).map { Records.Turn($0, in: self) },
            sessions: sessions.map { Records.Session($0, in: self) },
            care: try careFile(of: id, for: reader), programmes: try programmeFile(of: record),
            audit: audit.map {
                Records.FiledEntry(
                    id: $0.id.description, at: spelled($0.at),
                    person: $0.person?.description ?? ($0.through.hasPrefix(AuditEntry.gate) ? "somebody" : "root"),
                    did: $0.did,
                    what: $0.what, through: places[$0.id] ?? $0.through)
            }, names: try store.namesInRecord(of: id))
        let room = Store.caseFileBytes - RawJSON(file).text.count
        let letters = try store.filedLetters(of: id, for: reader, within: room)
        let messages = try store.filedMessages(of: id, for: reader, within: room - letters.bytes)
        // An export is handed on: others are named in it as the client sees them.
        let seer = reader == nil ? record.person : caller
        if !letters.items.isEmpty { file.letters = letters.items.map { filed($0, asSeenBy: seer) } }
        if !messages.items.isEmpty { file.messages = messages.items.map(filed) }
        if letters.leftOut > 0 { file.lettersLeftOut = letters.leftOut }
        if messages.leftOut > 0 { file.messagesLeftOut = messages.leftOut }
        return file
    }

    private func filed(_ letter: FiledLetter, asSeenBy reader: Person?) -> Records.FiledLetter {
        let people = people(from: letter.from, to: letter.to, asSeenBy: reader)
        return Records.FiledLetter(
            id: letter.id.description, at: spelled(letter.at),
            from: Records.FiledPerson(person: people.from.id, name: people.from.name),
            to: people.to.map { Records.FiledPerson(person: $0.id, name: $0.name) }, subject: letter.subject,
            body: letter.body,
            urgent: letter.isUrgent)
    }

    private func filed(_ filed: FiledMessage) -> Records.FiledMessage {
        let message = filed.message
        return Records.FiledMessage(
            id: message.id.description, at: spelled(message.at), from: Records.FiledPerson(message.from),
            with: Records.FiledPerson(filed.with), text: message.text, deleted: message.isDeleted)
    }
}

extension Records.FiledPerson {
    fileprivate init(_ person: Correspondent) { self.init(person: person.id.description, name: person.name) }
}
