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
    private let me: String?
    /// True if the screen began with one room: it ends when the room is left.
    private let hasOneRoom: Bool
    var rooms: [Chat.Room] = []
    var selected = 0
    var open: OpenRoom?
    var unsent: [Outgoing] = []
    /// The lines that are being written in rooms that are not open.
    private var written: [String: EditedLine] = [:]
    /// False while the practice is out of reach.
    var isConnected = true
    var isHelp = false
    /// A sentence above the line, until the next key.
    var notice = ""
    /// The size of the history, of the screen as it was drawn last.
    private var page = (columns: 80, rows: 20)
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
        if message.from != me { room.unread += 1 }
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

    /// The names of those with whom there is a room of two, by their identifiers.
    var directNames: [String: String] {
        let all = rooms + (open.map { [$0.room] } ?? [])
        return all.reduce(into: [:]) { names, room in if let person = room.person { names[person] = room.name } }
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

// The picture.
extension ChatScreen {
    /// Fits into 40 columns.
    static let keys = [
        ("Enter", "sends, or sends again"), ("↑ ↓", "a line up, a line down"), ("PgUp PgDn", "a page up, a page down"),
        ("Esc", "takes back, or leaves"), ("Ctrl-U", "empties the line"), ("Ctrl-L", "draws the screen anew"),
        ("Ctrl-C", "leaves; your text is kept"), ("Ctrl-G", "shows the keys"),
    ]

    static let keysOfList = [
        ("Enter", "opens the room"), ("j k ↓ ↑", "next, previous"), ("$", "looks for rooms again"), ("q", "leaves"),
    ]

    mutating func draw(columns: Int, rows: Int) -> Canvas {
        var canvas = Canvas(columns: columns, rows: rows)
        canvas.line(head.cut(to: columns), row: 0, isBar: true)
        if isHelp {
            page = (columns, max(1, rows - 2))
            let keys = open == nil ? Self.keysOfList : Self.keys
            for (row, key) in keys.prefix(max(0, rows - 2)).enumerated() {
                canvas.line("  \(key.0.padded(to: 9))  \(key.1)".cut(to: columns), row: row + 1)
            }
            canvas.line("Any key goes back.", row: rows - 1)
        } else if let open {
            drawRoom(&canvas, open)
        } else {
            drawList(&canvas)
        }
        return canvas
    }

    /// Without a connection nobody knows who is there.
    private var head: String {
        let state = isConnected ? [] : ["Out of reach, trying again"]
        guard let room = open?.room else {
            let unread = rooms.reduce(0) { $0 + $1.unread }
            let facts = state + ["Rooms"] + (unread > 0 ? [Wording.counted(unread, "new message")] : [])
            return " " + facts.joined(separator: " · ")
        }
        let facts =
            state + [room.name.shown.singleLine] + (isConnected ? presence(room) : []) + (room.muted ? ["muted"] : [])
        return " " + facts.joined(separator: " · ")
    }

    /// The people who are there: "online", "seen today at 09:00", "12 members", "online: Ana Ruiz, Olga".
    private func presence(_ room: Chat.Room) -> [String] {
        let others = open?.members.filter { $0.person != me } ?? []
        guard room.kind == .direct else {
            let names = others.filter(\.online).map { $0.name.shown.singleLine }
            return [Wording.counted(room.members, "member")]
                + (names.isEmpty ? [] : ["online: \(names.joined(separator: ", "))"])
        }
        if room.online ?? 0 > 0 { return ["online"] }
        return others.first?.lastSeen.map { ["seen \(Wording.time($0, today: today))"] } ?? []
    }

    private mutating func drawList(_ canvas: inout Canvas) {
        let room = max(1, canvas.rows - 2)
        page = (canvas.columns, room)
        if rooms.isEmpty { canvas.line("  Nobody here yet. `chat NAME` begins.".cut(to: canvas.columns), row: 1) }
        let top = max(0, min(selected - room / 2, rooms.count - room))
        for (row, index) in (top..<min(rooms.count, top + room)).enumerated() {
            let found = rooms[index]
            let width = canvas.columns < 60 ? 14 : 24
            let unread = found.unread > 0 ? "\(min(found.unread, 999))" : ""
            let online = found.online ?? 0 > 0 ? "•" : " "
            let name = found.name.shown.singleLine.cut(to: width).padded(to: width)
            let begin = " \(String(repeating: " ", count: 3 - unread.count))\(unread) \(online) \(name)  "
            let own = written[found.id].map { "not sent: \(ChatWords.onOneLine($0.text))" }
            let last = own ?? found.last.map { ChatWords.beginning($0, in: found) } ?? ""
            let when = canvas.columns < 60 ? nil : found.last.map { LetterWords.when($0.at, today: today) }
            let left = max(0, canvas.columns - DisplayWidth.of(begin) - (when == nil ? 0 : 18))
            let text = begin + last.cut(to: left).padded(to: left) + (when.map { "  \($0)" } ?? "")
            canvas.line(
                text.cut(to: canvas.columns), row: row + 1, isBold: found.unread > 0, isReversed: index == selected)
        }
        let foot = notice.isEmpty ? "Enter opens · ? keys · q leaves" : notice.shown
        canvas.line(foot.cut(to: canvas.columns), row: canvas.rows - 1)
    }

    private mutating func drawRoom(_ canvas: inout Canvas, _ room: OpenRoom) {
        let (columns, rows) = (canvas.columns, canvas.rows)
        // The line takes a third of the screen at most.
        let typed = room.line.wrapped(columns: max(1, columns - 2))
        let most = max(1, rows / 3)
        let first = max(0, min(typed.row - most + 1, typed.lines.count - most))
        let written = Array(typed.lines.dropFirst(first).prefix(most))
        let waiting = waitingLines(columns: columns).suffix(max(0, rows - written.count - 4))
        let height = max(0, rows - 2 - written.count - waiting.count)
        page = (columns, max(1, height))
        let lines = room.lines(columns: columns, most: height + room.scrolled, today: today)
        // Above the oldest lines there is nothing to scroll to.
        let scrolled = min(room.scrolled, max(0, lines.count - height))
        open?.scrolled = scrolled
        let shown = lines.dropLast(scrolled).suffix(height)
        for (row, line) in shown.enumerated() {
            canvas.line(line.text.cut(to: columns), row: 1 + height - shown.count + row, isBold: line.isBold)
        }
        if shown.isEmpty, height > 0, !room.isFetching {
            canvas.line("  Nothing was said here yet.".cut(to: columns), row: 1)
        }
        for (row, text) in waiting.enumerated() { canvas.line(text, row: 1 + height + row) }
        canvas.line(foot(room, scrolled: scrolled).cut(to: columns), row: 1 + height + waiting.count)
        let top = rows - written.count
        for (row, text) in written.enumerated() {
            canvas.line((row == 0 && first == 0 ? "> " : "  ") + text.shown, row: top + row)
        }
        let cursor = (column: min(columns - 1, typed.column + 2), row: top + typed.row - first)
        if canvas.contains(cursor.column, cursor.row) { canvas[cursor.column, cursor.row].isReversed = true }
    }

    /// The messages that the practice has not acknowledged.
    private func waitingLines(columns: Int) -> [String] {
        unsent.filter { $0.room == open?.room.id }.flatMap { outgoing -> [String] in
            let text = "   " + ChatWords.onOneLine(outgoing.text)
            guard let fault = outgoing.fault else {
                let state = isConnected ? "  (on its way)" : "  (waits)"
                return [text.cut(to: max(1, columns - DisplayWidth.of(state))) + state]
            }
            return [
                text.cut(to: columns),
                "   Not sent: \(fault.shown) Enter sends it again, Esc takes it back.".cut(to: columns),
            ]
        }
    }

    private func foot(_ room: OpenRoom, scrolled: Int) -> String {
        if !notice.isEmpty { return notice.shown }
        let names = room.typists.values.sorted().map { $0.shown.singleLine }
        if names.count > 2 { return "Several people type…" }
        if !names.isEmpty { return "\(names.joined(separator: " and ")) \(names.count == 1 ? "types" : "type")…" }
        if room.isFetching { return "Looking for what was said before…" }
        if scrolled > 0 {
            let unread = room.unread(by: me)
            return unread > 0 ? "\(Wording.counted(unread, "new message")) below: ↓ or PgDn." : "↓ or PgDn goes on."
        }
        if let over = room.over { return over }
        return room.line.text.isEmpty
            ? "Ctrl-G keys · PgUp earlier · Esc \(hasOneRoom ? "leaves" : "rooms")" : ""
    }
}
