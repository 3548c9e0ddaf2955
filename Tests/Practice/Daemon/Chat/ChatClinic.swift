import PracticeInterfaces
import PracticeRules
import PracticeStore
import Varlink

@testable import PracticeDaemon

/// A clinic whose people talk to each other.
struct ChatClinic {
    let clinic: Clinic
    let (ada, sofia, ana, ben, cleo, dino): (String, String, String, String, String, String)

    init(_ clinic: Clinic? = nil) throws {
        let clinic = try clinic ?? Clinic()
        self.clinic = clinic
        ada = try clinic.staff("Ada", .administrator)
        sofia = try clinic.staff("Sofia", .support)
        ana = try clinic.staff("Ana", .thanatologist)
        ben = try clinic.staff("Ben", .thanatologist)
        cleo = try clinic.client("Cleo", of: ana)
        dino = try clinic.client("Dino", of: ben)
    }

    func direct(_ one: String, _ other: String) throws -> String {
        try clinic.as(one).call(Chat.OpenDirect(person: other)).room.id
    }

    func room(_ maker: String, _ name: String, open: Bool = false, _ members: String...) throws -> String {
        try clinic.as(maker).call(Chat.CreateRoom(name: name, open: open, members: members)).room.id
    }

    @discardableResult
    func send(_ person: String, _ room: String, _ text: String = "At ten?", key: String? = nil) throws -> String {
        try clinic.as(person).call(Chat.Send(room: room, text: text, key: key)).message.id
    }

    /// The rooms of a person, each as its name and its unread messages.
    func rooms(_ person: String, joinable: Bool? = nil, query: String? = nil) throws -> [String] {
        try clinic.as(person).call(Chat.ListRooms(joinable: joinable, query: query)).rooms.map {
            "\($0.name) \($0.unread)"
        }
    }

    /// The texts of a room's last messages, `-` for a deleted one.
    func texts(_ person: String, _ room: String, before: String? = nil, limit: Int? = nil) throws -> [String] {
        try clinic.as(person).call(Chat.Messages(room: room, before: before, limit: limit)).messages.map {
            $0.deleted ? "-" : $0.text
        }
    }

    func members(_ person: String, _ room: String) throws -> [String] {
        try clinic.as(person).call(Chat.GetRoom(room: room)).members.map(\.name)
    }

    /// The happenings that a person missed since a cursor, each in a few words.
    func missed(_ person: String, since: String, room: String? = nil) throws -> [String] {
        let outcome = try clinic.as(person).outcome(Chat.Listen(room: room, since: since), more: true)
        return try (outcome.listening?.missed ?? []).map { frame in
            try Reply(frame: Array(frame.dropLast())).decode(Chat.Listen.Reply.self).happening.inWords
        }
    }
}

extension Chat.Happening {
    /// `c7 Ana: At ten?`, `joined Ben r2`.
    var inWords: String {
        guard let message else { return [what.rawValue, name ?? "-", room ?? "-"].joined(separator: " ") }
        return "\(what == .deleted ? "deleted " : "")\(message.id) \(message.name): \(message.text)"
    }
}
