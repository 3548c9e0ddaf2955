import Companion
import PracticeInterfaces

/// The name of a room on the command line: part of its name, or the name of somebody to talk to.
enum RoomName {
    static let help = "A room, or somebody: part of the name where that is clear, or an identifier such as r3 or p7."
    static let wholeHelp =
        "A room, or somebody: the name, or an identifier such as r3 or p7. Part of a name is asked about in a terminal."

    /// A room of the caller's, or somebody with whom they have none yet.
    private enum Candidate {
        case room(Chat.Room)
        case person(Recipients.Recipient)

        var name: String {
            switch self {
            case .room(let room): room.name
            case .person(let person): person.name
            }
        }

        var mark: String {
            switch self {
            case .room(let room): room.id
            case .person(let person): person.person
            }
        }

        var choice: String {
            switch self {
            case .room(let room):
                room.kind == .direct
                    ? room.name + (room.number.map { ", client No. \($0)" } ?? "") : "\(room.name), a room"
            case .person(let person): "\(person.name), \(person.inWords)"
            }
        }
    }

    /// The room of that name. A person's direct room is made where there is none.
    ///
    /// - Parameters:
    ///   - joinable: also the open rooms that the caller is not in.
    ///   - settle: called with the name and the identifier that were found, before a room is made.
    static func one(
        _ text: String, over connection: DaemonConnection, joinable: Bool = false,
        settle: (_ name: String, _ mark: String) throws(Failure) -> Void = { _, _ in }
    ) throws(Failure) -> Chat.Room {
        if NameMatch.identifier(text) != nil, text.hasPrefix("r") {
            return try connection.call(Chat.GetRoom(room: text)).room
        }
        if NameMatch.identifier(text) != nil, text.hasPrefix("p") {
            return try connection.call(Chat.OpenDirect(person: text)).room
        }
        var rooms = try connection.call(Chat.ListRooms(query: text)).rooms
        if joinable { rooms += try connection.call(Chat.ListRooms(joinable: true, query: text)).rooms }
        let known = Set(rooms.compactMap(\.person))
        let people = try Recipients.meant(
            by: text, among: Recipients.all(over: connection, query: text, closed: true)
        ).filter { !known.contains($0.person) }
        let verb = connection.daemon.companion
        let found = try NameMatch.one(
            text, among: rooms.map(Candidate.room) + people.map(Candidate.person),
            kind: "room or person to talk to with the name", plural: "rooms and people", name: \.name, mark: \.mark,
            choice: \.choice,
            advice: "`\(verb) chat` lists your rooms, `\(verb) mail people` those to whom you may write.")
        if case .person(let person) = found { try person.checkOpen() }
        try settle(found.name, found.mark)
        switch found {
        case .room(let room): return room
        case .person(let person): return try connection.call(Chat.OpenDirect(person: person.person)).room
        }
    }
}

extension Chat.Room {
    /// Its name, by its identifier, and in a room of two by that of the other person.
    var names: [String: String] { [id: name].merging(person.map { [$0: name] } ?? [:]) { $1 } }
}

/// The name of a message on the command line: the number that `chat history` shows.
enum MessageName {
    static let help = "A message: the number that the history shows."

    static func identifier(_ text: String) throws(Failure) -> String {
        let digits = text.hasPrefix("c") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.count < 19, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw .misused("“\(text.shown)” is no message: name it by the number that the history shows.")
        }
        return "c\(digits)"
    }

    static func shown(_ identifier: String) -> String {
        identifier.hasPrefix("c") ? identifier.dropFirst().description.shown : identifier.shown
    }
}
