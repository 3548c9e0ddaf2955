import Companion
import PracticeInterfaces
import Time

extension Chat.Room {
    /// The name; of two clients with one name, with the number of the record: `Cleo Vidal (No. 4)`.
    func name(among rooms: [Chat.Room]) -> String {
        guard let number, rooms.contains(where: { $0.name == name && $0.id != id }) else { return name }
        return LetterWords.numbered(name, number)
    }
}

/// A list of rooms, as lines.
struct RoomList {
    let rooms: [Chat.Room]
    let today: String
    let columns: Int?
    let ink: Ink
    let isPlain: Bool

    var text: String {
        var table = Table([
            .init("Room", leads: true), .init("New", isNumber: true), .init("Newest message", leads: true),
            .init("When"), .init("There"),
        ])
        let room = columns.map { max(20, $0 - 50) } ?? 200
        table.rows = rooms.map { found in
            [
                .init(found.name(among: rooms).singleLine.cut(to: 24), found.unread > 0 ? .strong : .plain),
                .init(found.unread > 0 ? "\(found.unread)" : "", .good),
                .init(found.last.map { ChatWords.beginning($0, in: found).cut(to: room) } ?? "", .faint),
                .init(found.last.map { LetterWords.when($0.at, today: today) } ?? "", .faint),
                .init(ChatWords.there(found), .faint),
            ]
        }
        return table.text(columns: columns, ink: ink)
    }
}

/// Messages of one room, the newest last, with the date before the first of each day.
struct Conversation {
    let messages: [Chat.Message]
    let today: String
    let columns: Int?
    let ink: Ink

    var text: String {
        var (text, day): (String, CalendarDay?) = ("", nil)
        for message in messages {
            let sent = DateTime(message.at)
            if let sent, sent.day != day {
                day = sent.day
                let date = Wording.capitalised(Wording.day(sent.day, today: CalendarDay(today)))
                text += "\n  " + ink.faint(date) + "\n"
            }
            text += line(message, at: sent?.time.clock ?? message.at.shown)
        }
        return text
    }

    private func line(_ message: Chat.Message, at time: String) -> String {
        let head = "\(time)  \(message.name.shown.singleLine)"
        let number = "  " + ink.faint("(\(MessageName.shown(message.id)))")
        let body =
            message.deleted
            ? ["deleted"] : message.text.paragraphs(columns: columns.map { max(1, $0 - 4) })
        let lines = body.map { $0.isEmpty ? "\n" : "    " + (message.deleted ? ink.faint($0) : $0) + "\n" }
        return "  " + ink.strong(head) + number + "\n" + lines.joined()
    }
}

/// Something that came about, as a line.
struct HappeningLine {
    private let happening: Chat.Happening
    private let room: String?
    private let today: String

    init(_ happening: Chat.Happening, room: String?, today: String) {
        (self.happening, self.room, self.today) = (happening, room, today)
    }

    var text: String {
        let name = (happening.name ?? "").shown.singleLine
        let place = room.map { $0 == happening.name ? "" : " in \($0.shown.singleLine)" } ?? ""
        let said: String =
            switch happening.what {
            case .message: "\(name)\(place): \(ChatWords.onOneLine(happening.message?.text ?? ""))"
            case .deleted:
                "\(name)\(place) deleted message \(happening.message.map { MessageName.shown($0.id) } ?? "")"
            case .joined: "\(name) joined\(place)"
            case .left: "\(name) left\(place)"
            case .typing: "\(name) types\(place)"
            case .stopped: "\(name) types no more\(place)"
            case .online: "\(name) is online"
            case .offline: "\(name) is offline"
            case .renamed: "A room is called \(name) now"
            case .gone: "\(name) deleted the room\(room.map { " \($0.shown.singleLine)" } ?? "")"
            }
        return "\(Wording.clock(happening.at, today: today))  \(said)\n"
    }
}

/// Phrases about rooms.
enum ChatWords {
    /// The newest message, on one line, with its writer where several write.
    static func beginning(_ message: Chat.Message, in room: Chat.Room) -> String {
        let text = message.deleted ? "deleted" : onOneLine(message.text)
        return room.kind == .direct && message.from == room.person ? text : "\(message.name.shown.singleLine): \(text)"
    }

    /// A text without its line breaks and its hidden characters.
    static func onOneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ").shown.singleLine
    }

    /// "online", "3 of 12 online", "2 members, muted".
    static func there(_ room: Chat.Room) -> String {
        let online = room.online ?? 0
        let who =
            room.kind == .direct
            ? (online > 0 ? "online" : nil)
            : online > 0
                ? "\(online) of \(room.members) online" : Wording.counted(room.members, "member")
        return [who, room.muted ? "muted" : nil].compactMap { $0 }.joined(separator: ", ")
    }
}
