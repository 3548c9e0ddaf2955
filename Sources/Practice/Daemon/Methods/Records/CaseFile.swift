import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore

extension Records.CaseFile: Handled {
    static let right = Right.seeCaseFile

    func answer(in context: CallContext) throws -> Reply {
        Reply(file: RawJSON(try context.caseFile(of: try context.record(client))))
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
    /// The audit of the record, the oldest entry first, up to this file.
    let audit: [Read]
    /// The names of the mentioned people, services and words, by their identifiers.
    let names: [String: String]

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
    func caseFile(of record: Record) throws -> CaseFile {
        let id = record.person.id
        let sessions = try store.allSessions(of: id)
        let audit = try store.audit(of: id)
        return CaseFile(
            practice: settings.name, at: spelled(now), client: Records.Client(record, isWhole: true),
            turns: try store.turns(of: id).map { Records.Turn($0, in: self) },
            sessions: sessions.map { Records.Session($0, in: self) },
            care: try careFile(of: id),
            audit: audit.map {
                CaseFile.Read(
                    id: $0.id.description, at: spelled($0.at),
                    person: $0.person?.description ?? ($0.through.hasPrefix(AuditEntry.gate) ? "somebody" : "root"),
                    did: $0.did,
                    what: $0.what, through: $0.through)
            }, names: try store.namesInRecord(of: id))
    }
}
