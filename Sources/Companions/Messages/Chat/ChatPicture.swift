import Companion
import PracticeInterfaces

/// The picture of the screen to talk on.
extension ChatScreen {
    /// Fits into 40 columns.
    static let keys = [
        ("Enter", "sends, or sends again"), ("↑ ↓", "a line up, a line down"), ("PgUp PgDn", "a page up, a page down"),
        ("Esc", "takes back, or leaves"), ("Ctrl-U", "empties the line"), ("Ctrl-L", "draws the screen anew"),
        ("Ctrl-O", "mutes the room, or not"), ("Ctrl-X", "deletes your last message"),
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
            // A hostile practice may have told any number.
            let unread = rooms.reduce(0) { $0 + min(max($1.unread, 0), 9_999) }
            let facts = state + ["Rooms"] + (unread > 0 ? [Wording.counted(unread, "new message")] : [])
            return " " + facts.joined(separator: " · ")
        }
        let name = room.name(among: rooms).shown.singleLine
        let facts = state + [name] + (isConnected ? presence(room) : []) + (room.muted ? ["muted"] : [])
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
            let name = found.name(among: rooms).shown.singleLine.cut(to: width).padded(to: width)
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
            let reason = "Not sent: \(fault.shown)".paragraphs(columns: max(1, columns - 3))
            // Of a long reason the beginning, so that the text and the keys have their lines.
            let shown = reason.count > 3 ? reason.prefix(2) + [reason.dropFirst(2).joined(separator: " ")] : reason[...]
            return [text] + shown.map { "   " + $0.cut(to: max(1, columns - 3)) }
                + ["   Enter sends again, Esc takes back."]
        }.map { $0.cut(to: columns) }
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
