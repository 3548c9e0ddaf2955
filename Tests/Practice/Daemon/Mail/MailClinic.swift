import PracticeInterfaces
import PracticeRules

@testable import PracticeDaemon

/// A clinic whose people write to each other.
struct MailClinic {
    let clinic: Clinic
    let (ada, sofia, ana, ben, cleo, dino): (String, String, String, String, String, String)

    init() throws {
        clinic = try Clinic.reachable()
        ada = try clinic.staff("Ada", .administrator)
        sofia = try clinic.staff("Sofia", .support)
        ana = try clinic.staff("Ana", .thanatologist)
        ben = try clinic.staff("Ben", .thanatologist)
        cleo = try clinic.client("Cleo", of: ana)
        dino = try clinic.client("Dino", of: ben)
    }

    @discardableResult
    func send(
        _ from: String, _ to: String..., subject: String = "Friday", body: String = "At ten?", urgent: Bool? = nil,
        replyTo: String? = nil
    ) throws -> Mail.Letter {
        try clinic.as(from).call(
            Mail.Send(to: to, subject: subject, body: body, replyTo: replyTo, urgent: urgent)
        ).letter
    }

    func list(_ person: String, _ folder: String? = nil) throws -> [Mail.Letter] {
        try clinic.as(person).call(Mail.List(folder: folder, limit: 200)).letters
    }

    func subjects(_ person: String, _ folder: String? = nil) throws -> [String] {
        try list(person, folder).map(\.subject)
    }

    /// The subjects of the letters that a query finds.
    func found(_ person: String, _ query: String) throws -> [String] {
        try clinic.as(person).call(Mail.List(query: query)).letters.map(\.subject)
    }

    /// Total and unread of each folder that has something, by its name.
    func counts(_ person: String) throws -> [String: [Int]] {
        let folders = try clinic.as(person).call(Mail.ListFolders()).folders
        return Dictionary(
            uniqueKeysWithValues: folders.filter { $0.total > 0 }.map { ($0.name, [$0.total, $0.unread]) })
    }
}
