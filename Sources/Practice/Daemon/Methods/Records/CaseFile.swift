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

/// All data about one client.
struct CaseFile: Encodable {
    let practice: String
    /// The instant at which the file was made.
    let at: String
    let client: Records.Client
    /// The oldest first.
    let turns: [Records.Turn]
    /// By their numbers; voided ones too.
    let sessions: [Records.Session]
    /// Homework and the happenings that the client shared; absent where there is none.
    let care: CareFile?
    /// The client's programmes and surveys; absent where there are none.
    let programmes: ProgrammeFile?
    /// The client's letters that the reader has, and the messages of the room that the two have, the oldest first; absent where
    /// there are none. An export has those of all rooms of two.
    let letters: [Letter]?
    let messages: [Message]?
    /// The number of older ones that the file has no room for.
    let lettersLeftOut: Int?
    let messagesLeftOut: Int?
    /// The audit of the record, the oldest entry first, up to this file.
    let audit: [Read]
    /// The names of the mentioned people, services and words, by their identifiers.
    let names: [String: String]

    /// Somebody, as they are called now.
    struct Named: Encodable {
        let person: String
        let name: String
    }

    struct Letter: Encodable {
        let id: String
        let at: String
        let from: Named
        let to: [Named]
        let subject: String
        let body: String
        let urgent: Bool
    }

    struct Message: Encodable {
        let id: String
        let at: String
        let from: Named
        let with: Named
        let text: String
        let deleted: Bool
    }

    struct Read: Encodable {
        let id: String
        let at: String
        let person: String
        let did: String
        let what: String?
        let through: String
    }
}

extension CallContext {
    /// - Parameter reader: who gets the letters and messages that are theirs to read; nil for an export, which has all.
    func caseFile(of record: Record, for reader: ID<Person>?) throws -> CaseFile {
        let id = record.person.id
        let sessions = try store.allSessions(of: id)
        let audit = try store.audit(of: id)
        let places = try hiddenPlaces(in: audit)
        let letters = try store.filedLetters(of: id, for: reader)
        let messages = try store.filedMessages(of: id, for: reader)
        return CaseFile(
            practice: settings.name, at: spelled(now), client: Records.Client(record, isWhole: true),
            turns: try store.turns(of: id).map { Records.Turn($0, in: self) },
            sessions: sessions.map { Records.Session($0, in: self) },
            care: try careFile(of: id), programmes: try programmeFile(of: record),
            // An export is handed on: others are named in it as the client sees them.
            letters: letters.items.isEmpty
                ? nil : letters.items.map { filed($0, asSeenBy: reader == nil ? record.person : caller) },
            messages: messages.items.isEmpty ? nil : messages.items.map(filed),
            lettersLeftOut: letters.leftOut > 0 ? letters.leftOut : nil,
            messagesLeftOut: messages.leftOut > 0 ? messages.leftOut : nil,
            audit: audit.map {
                CaseFile.Read(
                    id: $0.id.description, at: spelled($0.at),
                    person: $0.person?.description ?? ($0.through.hasPrefix(AuditEntry.gate) ? "somebody" : "root"),
                    did: $0.did,
                    what: $0.what, through: places[$0.id] ?? $0.through)
            }, names: try store.namesInRecord(of: id))
    }

    private func filed(_ letter: FiledLetter, asSeenBy reader: Person?) -> CaseFile.Letter {
        let people = people(from: letter.from, to: letter.to, asSeenBy: reader)
        return CaseFile.Letter(
            id: letter.id.description, at: spelled(letter.at),
            from: CaseFile.Named(person: people.from.id, name: people.from.name),
            to: people.to.map { CaseFile.Named(person: $0.id, name: $0.name) }, subject: letter.subject,
            body: letter.body,
            urgent: letter.isUrgent)
    }

    private func filed(_ filed: FiledMessage) -> CaseFile.Message {
        let message = filed.message
        return CaseFile.Message(
            id: message.id.description, at: spelled(message.at), from: CaseFile.Named(message.from),
            with: CaseFile.Named(filed.with), text: message.text, deleted: message.isDeleted)
    }
}

extension CaseFile.Named {
    fileprivate init(_ person: Correspondent) { self.init(person: person.id.description, name: person.name) }
}
