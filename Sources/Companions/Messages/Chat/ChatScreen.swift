import Companion
import PracticeInterfaces

/// The screen to talk on: the list of rooms, and a room with its history and a line to write on. Pure: keys and what comes about
/// make actions, whose results come back.
struct ChatScreen {
    /// Something that the practice does for the screen.
    enum Action: Equatable {
        case rooms
        case room(String)
        case history(room: String, before: String?)
        case send(Outgoing)
        case typing(room: String)
        case read(room: String, upTo: String)
        case mute(room: String, Bool)
        case delete(message: String)
        case end
    }

    /// A message of one's own that the practice has not acknowledged.
    struct Outgoing: Equatable {
        let room: String
        let text: String
        /// The key makes it once, however often it is sent.
        let key: String
        /// The reason why the practice did not take it, as a sentence; nil while it is on its way.
        var fault: String?
    }

    /// The day of the newest happening, and at least that of the beginning.
    private(set) var today: String
    let me: String?
    /// True if the screen began with one room: it ends when the room is left.
    let hasOneRoom: Bool
    var rooms: [Chat.Room] = []
    var selected = 0
    var open: OpenRoom?
    var unsent: [Outgoing] = []
    /// The lines that are being written in rooms that are not open.
    var written: [String: EditedLine] = [:]
    /// False while the practice is out of reach.
    var isConnected = true
    var isHelp = false
    /// A sentence above the line, until the next key.
    var notice = ""
    /// The message that the same key, pressed once more, deletes.
    private var chosen: String?
    /// The size of the history, of the screen as it was drawn last.
    var page = (columns: 80, rows: 20)
    /// When the members were told last that this person types, in seconds.
    private var toldTyping = -Double.infinity

    /// - Parameter room: the room to begin with; nil for the list.
    init(today: String, me: String?, room: Chat.Room? = nil) {
        (self.today, self.me) = (today, me)
        hasOneRoom = room != nil
        open = room.map { OpenRoom($0) }
    }

    // MARK: Results

    /// The calls at the screen's beginning, and again after the practice was out of reach.
    mutating func begin() -> [Action] {
        isConnected = true
        guard let open else { return [.rooms] }
        return [.rooms, .room(open.room.id), .history(room: open.room.id, before: nil)]
    }

    mutating func lose() {
        isConnected = false
        open?.typists = [:]
        open?.isFetching = false
    }

    mutating func take(_ reply: Chat.ListRooms.Reply) {
        let chosen = rooms.indices.contains(selected) ? rooms[selected].id : nil
        rooms = reply.rooms
        selected = rooms.firstIndex { $0.id == chosen } ?? max(0, min(selected, rooms.count - 1))
    }

    mutating func take(_ reply: Chat.GetRoom.Reply) {
        guard open?.room.id == reply.room.id else { return }
        open?.room = reply.room
        open?.members = reply.members
        for member in reply.members where member.typing && member.person != me {
            open?.typists[member.person] = member.name
        }
    }

    /// - Parameter isOlder: the messages stand before those that are there; else they are the last ones.
    mutating func take(_ reply: Chat.Messages.Reply, of room: String, isOlder: Bool) -> [Action] {
        guard open?.room.id == room else { return [] }
        open?.isFetching = false
        if isOlder || open?.first == nil { open?.hasEarlier = reply.earlier }
        open?.take(reply.messages)
        return read()
    }

    mutating func take(sent message: Chat.Message, _ outgoing: Outgoing) -> [Action] {
        unsent.removeAll { $0.key == outgoing.key }
        return add(message)
    }

    /// The room as it is after it was muted, or not any more.
    mutating func take(_ room: Chat.Room) {
        if open?.room.id == room.id { open?.room.muted = room.muted }
        for place in rooms.indices where rooms[place].id == room.id { rooms[place].muted = room.muted }
    }

    /// The practice did not take a message.
    mutating func refuse(_ outgoing: Outgoing, _ fault: String) {
        guard let place = unsent.firstIndex(where: { $0.key == outgoing.key }) else { return }
        unsent[place].fault = fault
    }

    // MARK: Happenings

    mutating func take(_ happening: Chat.Happening) -> [Action] {
        today = max(today, String(happening.at.prefix(10)))
        let (person, name) = (happening.person ?? "", (happening.name ?? "").shown.singleLine)
        let isHere = happening.room != nil && happening.room == open?.room.id
        switch happening.what {
        case .message:
            guard let message = happening.message else { return [] }
            if isHere { open?.typists[message.from] = nil }
            return list(message) + (isHere ? add(message) : [])
        case .deleted:
            if isHere, let message = happening.message { open?.take([message]) }
            return [.rooms]
        case .joined, .left:
            guard isHere, let room = happening.room else { return [.rooms] }
            if person == me, happening.what == .left { return close("You are in this room no longer.") }
            open?.typists[person] = nil
            note("\(name) \(happening.what == .joined ? "joined" : "left")", happening)
            return [.rooms, .room(room)]
        case .renamed:
            guard isHere, let room = happening.room else { return [.rooms] }
            note("the room is called \(name) now", happening)
            return [.rooms, .room(room)]
        case .gone: return isHere ? close("\(name) deleted this room.") : [.rooms]
        case .typing: if isHere, person != me { open?.typists[person] = name }
        case .stopped: if isHere { open?.typists[person] = nil }
        case .online, .offline: come(person, isOnline: happening.what == .online)
        }
        return []
    }

    private mutating func note(_ text: String, _ happening: Chat.Happening) {
        let number = Int(happening.cursor) ?? 0
        open?.take(text, number: number, at: happening.at)
        stay(number)
    }

    private mutating func come(_ person: String, isOnline: Bool) {
        for place in rooms.indices where rooms[place].person == person { rooms[place].online = isOnline ? 1 : nil }
        if open?.room.person == person { open?.room.online = isOnline ? 1 : nil }
        for place in (open?.members ?? []).indices where open?.members[place].person == person {
            open?.members[place].online = isOnline
        }
    }

    /// The room of a new message stands first in the list.
    private mutating func list(_ message: Chat.Message) -> [Action] {
        guard let place = rooms.firstIndex(where: { $0.id == message.room }) else { return [.rooms] }
        let chosen = rooms.indices.contains(selected) ? rooms[selected].id : nil
        var room = rooms.remove(at: place)
        room.last = message
        if message.from != me { room.unread &+= 1 }
        rooms.insert(room, at: 0)
        selected = rooms.firstIndex { $0.id == chosen } ?? 0
        return []
    }

    private mutating func add(_ message: Chat.Message) -> [Action] {
        guard open?.room.id == message.room else { return [] }
        let number = OpenRoom.number(message.id)
        let isNew = number > open?.newest.map { OpenRoom.number($0.id) } ?? 0
        open?.take([message])
        if isNew { stay(number) }
        return read()
    }

    /// Somebody who reads further up keeps the lines that they read.
    private mutating func stay(_ number: Int) {
        guard let room = open, room.scrolled > 0 else { return }
        open?.scrolled += room.height(of: number, columns: page.columns, today: today)
    }

    /// Marks the messages on the screen as read.
    private mutating func read() -> [Action] {
        guard let room = open, room.scrolled == 0, let newest = room.newest(notFrom: me) else { return [] }
        let number = OpenRoom.number(newest.id)
        guard number > room.readTo else { return [] }
        open?.readTo = number
        if let place = rooms.firstIndex(where: { $0.id == room.room.id }) { rooms[place].unread = 0 }
        return [.read(room: room.room.id, upTo: newest.id)]
    }

    /// Nothing can be said in the open room any more. It stays on the screen, with what is being written.
    private mutating func close(_ reason: String) -> [Action] {
        open?.over = reason
        open?.hasEarlier = false
        return [.rooms]
    }

    /// The names of the rooms, and of those with whom there is a room of two, by their identifiers.
    var names: [String: String] {
        let all = rooms + (open.map { [$0.room] } ?? [])
        return all.reduce(into: [:]) { names, room in names.merge(room.names) { $1 } }
    }

    // MARK: Unsent messages

    var hasRefused: Bool { unsent.contains { $0.room == open?.room.id && $0.fault != nil } }

    /// The texts that were written and not acknowledged, by their rooms, in the order in which they were written.
    var unfinished: [(room: String, name: String, text: String)] {
        var written = written
        if let open { written[open.room.id] = open.line }
        let names = rooms.reduce(into: [open?.room.id ?? "": open?.room.name ?? ""]) { $0[$1.id] = $1.name }
        let all = unsent.map { ($0.room, $0.text) } + written.sorted { $0.key < $1.key }.map { ($0.key, $0.value.text) }
        var texts: [(room: String, name: String, text: String)] = []
        for (room, text) in all where !text.withoutEnd.isEmpty {
            if let place = texts.firstIndex(where: { $0.room == room }) {
                texts[place].text += "\n" + text
            } else {
                texts.append((room, names[room] ?? room, text))
            }
        }
        return texts
    }

    /// A text of an earlier time, which was not sent, stands in the line again.
    mutating func recall(_ text: String) {
        open?.line = EditedLine(text)
        notice = "You wrote this the last time, and it was not sent."
    }

    // MARK: Keys

    /// - Parameter now: seconds of a clock that only rises.
    mutating func press(_ key: Key, at now: Double) -> [Action] {
        notice = ""
        if key != .remove { chosen = nil }
        if isHelp {
            isHelp = false
            return []
        }
        return open == nil ? inList(key) : inRoom(key, now)
    }

    private mutating func inList(_ key: Key) -> [Action] {
        switch key {
        case .down, .character("j"): selected = max(0, min(rooms.count - 1, selected + 1))
        case .up, .character("k"): selected = max(0, selected - 1)
        case .pageDown, .space: selected = max(0, min(rooms.count - 1, selected + page.rows))
        case .pageUp: selected = max(0, selected - page.rows)
        case .lineStart: selected = 0
        case .lineEnd: selected = max(0, rooms.count - 1)
        case .enter:
            guard rooms.indices.contains(selected) else { return [] }
            var room = OpenRoom(rooms[selected])
            room.line = written.removeValue(forKey: room.room.id) ?? EditedLine()
            open = room
            return [.room(room.room.id), .history(room: room.room.id, before: nil)]
        case .character("$"): return [.rooms]
        case .character("?"), .help: isHelp = true
        case .character("q"), .escape, .interrupt, .endOfInput: return [.end]
        default: notice = "? shows the keys."
        }
        return []
    }

    private mutating func inRoom(_ key: Key, _ now: Double) -> [Action] {
        guard let room = open else { return [] }
        switch key {
        case .up: return scroll(by: 1)
        case .down: return scroll(by: -1)
        case .pageUp: return scroll(by: max(1, page.rows - 1))
        case .pageDown: return scroll(by: -max(1, page.rows - 1))
        case .enter: return room.line.text.withoutEnd.isEmpty ? sendAgain() : send(room.line.text)
        case .interrupt: return leave()
        case .endOfInput where room.line.text.isEmpty: return leave()
        case .escape: return escape()
        case .help:
            isHelp = true
            return []
        case .mute: return isConnected ? [.mute(room: room.room.id, !room.room.muted)] : []
        case .remove: return remove(room)
        default: return write(key, room, now)
        }
    }

    /// The interface's limit for a message, in bytes.
    private static let longest = 16_384

    private mutating func write(_ key: Key, _ room: OpenRoom, _ now: Double) -> [Action] {
        var line = room.line
        guard line.take(key) else { return [] }
        guard line.text.utf8.count <= max(Self.longest, room.line.text.utf8.count) else {
            notice = "That is too long: a message has at most \(Self.longest / 1_024) KB."
            return []
        }
        open?.line = line
        guard !line.text.isEmpty, now - toldTyping >= Self.typingPause, isConnected else { return [] }
        toldTyping = now
        return [.typing(room: room.room.id)]
    }

    /// The practice tells the others no sooner, in seconds.
    private static let typingPause = 5.0

    private mutating func leave() -> [Action] {
        guard !hasOneRoom, let room = open else { return [.end] }
        written[room.room.id] = room.line.text.isEmpty ? nil : room.line
        open = nil
        return [.rooms]
    }

    /// A message that was refused goes back to the line, to be changed; else the room is left.
    private mutating func escape() -> [Action] {
        guard let room = open else { return [] }
        if room.line.text.isEmpty, let place = unsent.lastIndex(where: { $0.room == room.room.id && $0.fault != nil }) {
            open?.line = EditedLine(unsent.remove(at: place).text)
            return []
        }
        guard hasOneRoom, !room.line.text.isEmpty else { return leave() }
        notice = "Ctrl-C leaves; what you wrote is kept."
        return []
    }

    /// Asks first, and names the message: the newest one of this person.
    private mutating func remove(_ room: OpenRoom) -> [Action] {
        guard isConnected, let message = room.newest(from: me) else {
            notice = isConnected ? "There is no message of yours here." : ""
            return []
        }
        guard chosen == message.id else {
            chosen = message.id
            notice = "Ctrl-X again deletes “\(ChatWords.onOneLine(message.text))”"
            return []
        }
        chosen = nil
        return [.delete(message: message.id)]
    }

    private mutating func send(_ text: String) -> [Action] {
        guard let room = open?.room.id else { return [] }
        let outgoing = Outgoing(room: room, text: text.withoutEnd, key: CallKey.new())
        unsent.append(outgoing)
        open?.line = EditedLine()
        open?.scrolled = 0
        toldTyping = -.infinity
        return isConnected ? [.send(outgoing)] : []
    }

    /// Sends the messages that were refused once more.
    private mutating func sendAgain() -> [Action] {
        guard isConnected, let room = open?.room.id else { return [] }
        var actions: [Action] = []
        for place in unsent.indices where unsent[place].room == room && unsent[place].fault != nil {
            unsent[place].fault = nil
            actions.append(.send(unsent[place]))
        }
        return actions
    }

    /// Scrolling to the top of what is there fetches what was said before.
    private mutating func scroll(by lines: Int) -> [Action] {
        guard let room = open else { return [] }
        let wanted = room.scrolled + page.rows + max(0, lines)
        let all = room.lines(columns: page.columns, most: wanted + 1, today: today).count
        open?.scrolled = max(0, min(all - page.rows, room.scrolled + lines))
        guard lines > 0, all <= wanted, room.hasEarlier, !room.isFetching, isConnected, let first = room.first else {
            return read()
        }
        open?.isFetching = true
        return [.history(room: room.room.id, before: first.id)]
    }
}
