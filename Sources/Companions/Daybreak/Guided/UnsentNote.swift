import Companion

/// The private file of a note that was in its field when the program was ended, or when the terminal went away.
struct UnsentNote {
    private let file: LongText

    /// - Parameter path: the daemon's socket.
    init(at path: String) { file = LongText("note", by: LongText.Writer(at: path, in: "", [])) }

    /// The note of an earlier time; nil if there is none, or if none can be read here.
    var text: String? {
        do { return try file.kept() } catch { return nil }
    }

    /// - Parameter before: the note of an earlier time, with which the field began. One of another window stays.
    func keep(_ note: String, replacing before: String?) throws(Failure) {
        if let before { try file.forget(sent: before) }
        _ = try file.keep(adding: note)
    }

    func forget(_ note: String) throws(Failure) { try file.forget(sent: note) }
}
