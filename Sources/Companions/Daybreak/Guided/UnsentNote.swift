import Companion

/// The private file of a note that was in its field when the program was ended, or when the terminal went away.
struct UnsentNote {
    private let file: LongText

    /// - Parameter path: the daemon's socket.
    init(at path: String) { file = LongText("note", by: LongText.Writer(at: path, in: "", [])) }

    /// The note of an earlier time; nil if there is none, or if none can be read here. Those of several windows may be longer
    /// together than a note can be: they stay in the file.
    var text: String? {
        do { return try file.kept().flatMap { $0.utf8.count <= Walk.noteLimit ? $0 : nil } } catch { return nil }
    }

    /// Returns the file's path if the note does not come again by itself, because it is too long together with that of another
    /// window, which stays.
    ///
    /// - Parameter before: the note of an earlier time, with which the field began.
    func keep(_ note: String, replacing before: String?) throws(Failure) -> String? {
        let kept = try file.kept()
        let path = try kept != nil && kept == before ? file.keep(note) : file.keep(adding: note)
        return text == nil ? path : nil
    }

    func forget(_ note: String) throws(Failure) { try file.forget(sent: note) }
}
