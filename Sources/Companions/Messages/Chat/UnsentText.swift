import Companion

/// The private file of what was written in a room and not sent. Another window of the room may keep its own text there.
struct UnsentText {
    private let file: LongText
    /// The file's text, as this window found or wrote it; nil if the window has nothing there.
    private var own: String?
    /// The part of it that is another window's, and comes first.
    private var others: String?

    init(in room: String, by writer: LongText.Writer) { file = .chat(in: room, by: writer) }

    /// The text of an earlier time; nil if this window has one there, which is in its line, on its way, or taken back. It stays
    /// in the file until it is sent or taken back.
    mutating func recall() throws(Failure) -> String? {
        guard own == nil else { return nil }
        (own, others) = (try file.kept(), nil)
        return own
    }

    /// Returns the file's path.
    mutating func keep(_ text: String) throws(Failure) -> String {
        let there = try file.kept()
        if there != own { others = there == text.withoutEnd ? nil : there }
        let whole = (others.map { $0 + "\n" } ?? "") + text
        let path = try file.keep(whole)
        own = whole.withoutEnd
        return path
    }

    /// The rest is kept in the file, if it has something of this window's; nothing if `rest` is nil.
    mutating func leave(_ rest: String?) throws(Failure) {
        guard let own else { return }
        if let rest {
            _ = try keep(rest)
        } else if try file.kept() == own {
            if let others { try file.keep(others) } else { try file.forget(sent: own) }
            (self.own, others) = (nil, nil)
        }
    }
}
