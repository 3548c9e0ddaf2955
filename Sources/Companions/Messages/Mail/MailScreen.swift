import Companion
import PracticeInterfaces

/// The screen to read letters in: a list, a letter, and the keys of mutt. Pure: a key makes actions, whose results come back.
struct MailScreen {
    /// Something that the practice, or another program, does for the screen.
    enum Action: Equatable {
        /// Fetches the letters after that cursor; nil for the first ones.
        case list(after: String?)
        case open(String)
        case delete(String)
        case move(String, folder: String)
        case mark(String, read: Bool)
        case write
        case goOn(String)
        case answer(String, all: Bool)
        case end

        /// Its failure says where the text is.
        var isWriting: Bool {
            switch self {
            case .write, .goOn, .answer: true
            default: false
            }
        }

        /// In the bin, a second one would remove the letter for good.
        var isDeletion: Bool { if case .delete = self { true } else { false } }
    }

    enum Place: Equatable {
        case list
        case letter(Mail.Get.Reply, top: Int)
        case folders(selected: Int, isMoving: Bool)
        case help
    }

    private(set) var today: String
    var folders: FolderTree
    /// The folder whose letters are listed; nil for all but the bin, in which words are searched.
    var folder: String?
    var query = ""
    /// Only letters that are not read, and only urgent ones, are listed.
    var (isUnread, isUrgent) = (false, false)
    var letters: [Mail.Letter] = []
    var total = 0
    var next: String?
    var selected = 0
    var place = Place.list
    /// The words to search while they are typed.
    var typed: EditedLine?
    /// A sentence in the last lines, until the next key.
    var notice = ""
    /// The rows of a page, of the screen as it was drawn last.
    var page = 10

    init(today: String, folders: FolderTree, folder: String) {
        (self.today, self.folders, self.folder) = (today, folders, folder)
    }

    var current: Mail.Letter? {
        if case .letter(let open, _) = place { return open.letter }
        return letters.indices.contains(selected) ? letters[selected] : nil
    }

    var title: String {
        let name = folder.map { folders.name(of: $0) } ?? "Letters found"
        let only = [isUnread ? "only new" : nil, isUrgent ? "only urgent" : nil].compactMap { $0 }
        return ([query.isEmpty ? name : "\(name): \(query.shown.singleLine)"] + only).joined(separator: ", ")
    }

    /// All letters of the folder are listed.
    private var isWhole: Bool { query.isEmpty && !isUnread && !isUrgent }

    /// Sent letters and drafts are listed by their recipients.
    private func isOwn(_ letter: Mail.Letter) -> Bool { ["sent", "drafts"].contains(letter.folder) }

    /// `Ana Ruiz`, who wrote it. Among letters of several folders, one of the reader's own is `To Cleo Vidal`.
    func people(of letter: Mail.Letter, most: Int = .max) -> String {
        let shared = LetterWords.namesOfSeveral(letters)
        guard isOwn(letter) else { return LetterWords.people([letter.sender(shared)], most: most) }
        return (folder == nil ? "To " : "") + LetterWords.people(letter.recipients(shared), most: most)
    }

    // MARK: Results

    mutating func take(_ reply: Mail.List.Reply, isMore: Bool) {
        letters = isMore ? letters + reply.letters : reply.letters
        // The screen may be open at midnight.
        today = letters.reduce(today) { max($0, String($1.at.prefix(10))) }
        (total, next) = (reply.total, reply.next)
        selected = max(0, min(selected, letters.count - 1))
    }

    mutating func take(_ reply: Mail.Get.Reply) {
        place = .letter(reply, top: 0)
        if let index = letters.firstIndex(where: { $0.id == reply.letter.id }) {
            if !letters[index].read { folders.countRead(in: letters[index].folder) }
            letters[index].read = true
            selected = index
        }
    }

    /// The letters went elsewhere: the list is fetched anew.
    mutating func takeGone() -> [Action] {
        place = .list
        return [.list(after: nil)]
    }

    // MARK: Keys

    mutating func press(_ key: Key) -> [Action] {
        notice = ""
        if let line = typed { return type(key, line) }
        switch place {
        case .list: return inList(key)
        case .letter(let open, let top): return inLetter(key, open, top)
        case .folders(let selected, let isMoving): return inFolders(key, selected, isMoving)
        case .help:
            place = .list
            return []
        }
    }

    private mutating func type(_ key: Key, _ line: EditedLine) -> [Action] {
        var line = line
        switch key {
        case .enter:
            typed = nil
            return search(line.text)
        case .escape, .interrupt: typed = nil
        case .erase where line.text.isEmpty: typed = nil
        default:
            line.take(key)
            typed = line
        }
        return []
    }

    private mutating func search(_ words: String) -> [Action] {
        (query, selected) = (words.withoutEnd, 0)
        folder = query.isEmpty ? "inbox" : nil
        return [.list(after: nil)]
    }

    private mutating func inList(_ key: Key) -> [Action] {
        switch key {
        case .down, .character("j"): return go(to: selected + 1)
        case .up, .character("k"): return go(to: selected - 1)
        case .space, .character("z"): return go(to: selected + page)
        case .character("-"), .character("Z"): return go(to: selected - page)
        case .lineStart, .character("="): return go(to: 0)
        case .lineEnd, .character("*"): return go(to: letters.count - 1)
        case .enter:
            guard let current else { return [] }
            return current.folder == "drafts" ? [.goOn(current.id)] : [.open(current.id)]
        case .character("q"), .character("x"), .interrupt, .endOfInput: return [.end]
        case .character("$"): return [.list(after: nil)]
        case .character("u"):
            (isUnread, selected) = (!isUnread, 0)
            return [.list(after: nil)]
        case .character("!"):
            (isUrgent, selected) = (!isUrgent, 0)
            return [.list(after: nil)]
        case .escape where !query.isEmpty: return search("")
        default: return onLetter(key)
        }
    }

    /// Near the end of the letters that are there, the next ones are fetched.
    private mutating func go(to index: Int) -> [Action] {
        selected = max(0, min(index, letters.count - 1))
        return index >= letters.count - 1 ? next.map { [.list(after: $0)] } ?? [] : []
    }

    private mutating func inLetter(_ key: Key, _ open: Mail.Get.Reply, _ top: Int) -> [Action] {
        func at(_ top: Int) -> Place { .letter(open, top: max(0, top)) }
        switch key {
        case .enter, .down: place = at(top + 1)
        case .erase, .up: place = at(top - 1)
        case .space: place = at(top + page)
        case .character("-"): place = at(top - page)
        case .lineStart: place = at(0)
        case .character("j"), .right, .character("n"): return beside(open.older, "This is the oldest letter.")
        case .character("k"), .left, .character("p"): return beside(open.newer, "This is the newest letter.")
        case .character("i"), .character("q"), .escape, .interrupt, .character("x"):
            place = .list
            return [.list(after: nil)]
        default: return onLetter(key)
        }
        return []
    }

    private mutating func beside(_ letter: String?, _ none: String) -> [Action] {
        guard let letter else {
            notice = none
            return []
        }
        return [.open(letter)]
    }

    /// The keys that the list and a letter have in common.
    private mutating func onLetter(_ key: Key) -> [Action] {
        switch key {
        case .character("m"): return [.write]
        case .character("c"):
            place = .folders(selected: index(of: folder), isMoving: false)
            return []
        case .character("/"), .character("l"):
            (typed, place) = (EditedLine(query), .list)
            return []
        case .character("?"):
            place = .help
            return []
        default: break
        }
        guard let current else { return [] }
        switch key {
        case .character("d"): return [.delete(current.id)]
        case .character("r"): return [.answer(current.id, all: false)]
        case .character("g"): return [.answer(current.id, all: true)]
        case .character("e") where current.folder == "drafts": return [.goOn(current.id)]
        case .character("N"): return [.mark(current.id, read: !current.read)]
        case .character("s"): place = .folders(selected: 0, isMoving: true)
        default: notice = "? shows the keys."
        }
        return []
    }

    private func index(of folder: String?) -> Int { folders.entries.firstIndex { $0.folder.id == folder } ?? 0 }

    private mutating func inFolders(_ key: Key, _ selected: Int, _ isMoving: Bool) -> [Action] {
        let last = folders.entries.count - 1
        switch key {
        case .down, .character("j"): place = .folders(selected: min(last, selected + 1), isMoving: isMoving)
        case .up, .character("k"): place = .folders(selected: max(0, selected - 1), isMoving: isMoving)
        case .enter:
            guard folders.entries.indices.contains(selected) else { break }
            let chosen = folders.entries[selected].folder.id
            place = .list
            guard !isMoving else { return current.map { [.move($0.id, folder: chosen)] } ?? [] }
            (folder, query, self.selected) = (chosen, "", 0)
            return [.list(after: nil)]
        case .escape, .interrupt, .character("q"), .character("i"): place = .list
        default: break
        }
        return []
    }
}

// The picture.
extension MailScreen {
    static let keys = [
        ("Enter", "reads the letter"), ("j k ↓ ↑", "next, previous"), ("Space -", "a page on, a page back"),
        ("m", "writes a letter"), ("r", "answers"), ("g", "answers everybody on the letter"), ("d", "deletes"),
        ("s", "moves to a folder"), ("c", "shows another folder"), ("N", "marks as new, or as read"),
        ("/", "searches words"), ("u !", "only new ones, only urgent ones, or all"), ("$", "looks for new letters"),
        ("i q", "back; q leaves the list"),
    ]

    mutating func draw(columns: Int, rows: Int) -> Canvas {
        var canvas = Canvas(columns: columns, rows: rows)
        // The end of a long notice says where the text is.
        let foot = foot(columns).suffix(max(1, rows - 1))
        let room = max(1, rows - 1 - foot.count)
        page = max(1, room - 1)
        canvas.line(head.cut(to: columns), row: 0, isBar: true)
        switch place {
        case .list: drawList(&canvas, room)
        case .letter(let open, let top): drawLetter(&canvas, open, top, room)
        case .folders(let selected, let isMoving): drawFolders(&canvas, selected, isMoving, room)
        case .help:
            for (row, key) in Self.keys.prefix(room).enumerated() {
                canvas.line("  \(key.0.padded(to: 8))  \(key.1)".cut(to: columns), row: row + 1)
            }
        }
        for (row, line) in foot.enumerated() {
            // A notice that is longer than the screen covers the list.
            canvas.line(line.padded(to: columns), row: rows - foot.count + row)
        }
        return canvas
    }

    private var head: String {
        let entry = folders.entries.first { $0.folder.id == folder }
        let counts = entry.map { LetterWords.counted($0.folder.total, unread: $0.folder.unread) }
        return " \(title) · \(isWhole ? counts ?? "" : LetterWords.counted(total, unread: 0))"
    }

    private func foot(_ columns: Int) -> [String] {
        if let typed { return ["Search: \(typed.window(columns: max(1, columns - 8)).text)"] }
        guard notice.isEmpty else { return notice.paragraphs(columns: max(1, columns)) }
        return [keysBelow.cut(to: columns)]
    }

    private var keysBelow: String {
        switch place {
        case .list: "Enter reads · m writes · / searches · c folders · ? keys · q leaves"
        case .letter: "r answers · d deletes · s moves · j older · k newer · i list"
        case .folders(_, let isMoving): (isMoving ? "Enter moves the letter here" : "Enter shows it") + " · q back"
        case .help: "Any key goes back."
        }
    }

    private func drawList(_ canvas: inout Canvas, _ room: Int) {
        guard !letters.isEmpty else {
            canvas.line(
                (isWhole ? "  There is nothing here." : "  There is no such letter.").cut(to: canvas.columns), row: 1)
            return
        }
        let top = max(0, min(selected - room / 2, letters.count - room))
        for (row, index) in (top..<min(letters.count, top + room)).enumerated() {
            let letter = letters[index]
            canvas.line(
                line(letter, columns: canvas.columns), row: row + 1, isBold: !letter.read,
                isReversed: index == selected)
        }
    }

    /// Number, marks, person, subject with the beginning, day: parts that do not fit are left out, from the end.
    private func line(_ letter: Mail.Letter, columns: Int) -> String {
        let marks = "\(letter.read ? " " : "N")\(letter.urgent ? "!" : " ")\(letter.system ? "*" : " ")"
        let names = people(of: letter, most: 1)
        let width = columns < 60 ? 12 : 20
        let when = LetterWords.when(letter.at, today: today)
        let head = " \(marks) \(names.cut(to: width).padded(to: width))  "
        let room = max(0, columns - DisplayWidth.of(head) - (columns < 60 ? 0 : 19))
        let subject = LetterWords.beginning(letter).cut(to: room)
        return columns < 60 ? head + subject : head + subject.padded(to: room) + "  " + when
    }

    private mutating func drawLetter(_ canvas: inout Canvas, _ open: Mail.Get.Reply, _ top: Int, _ room: Int) {
        let page = LetterPage(letter: open.letter, today: today, columns: canvas.columns, ink: .plain)
        let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let first = min(top, max(0, lines.count - room))
        if first != top { place = .letter(open, top: first) }
        for (row, line) in lines.dropFirst(first).prefix(room).enumerated() {
            canvas.line(line.cut(to: canvas.columns), row: row + 1)
        }
    }

    private func drawFolders(_ canvas: inout Canvas, _ selected: Int, _ isMoving: Bool, _ room: Int) {
        let entries = folders.entries
        let top = max(0, min(selected - room / 2, entries.count - room))
        for (row, index) in (top..<min(entries.count, top + room)).enumerated() {
            let entry = entries[index]
            let indent = String(repeating: "  ", count: entry.path.count)
            let text =
                "\(indent)\((entry.path.last ?? "").shown.singleLine)  "
                + LetterWords.counted(entry.folder.total, unread: entry.folder.unread)
            canvas.line(
                text.cut(to: canvas.columns), row: row + 1, isBold: entry.folder.unread > 0,
                isReversed: index == selected)
        }
    }
}
