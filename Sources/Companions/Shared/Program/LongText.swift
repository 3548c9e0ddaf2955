import Files
import Glibc

/// A text that a person writes in an editor. Until it is sent, it is in a file that only they can read, so it survives a
/// crash.
public struct LongText: Sendable {
    /// The largest size, in bytes.
    public static let limit = 1_024 * 1_024

    /// The name of the draft's file. Never a person's name.
    public let name: String

    public init(_ name: String) { self.name = name }

    /// The editor's command: VISUAL, else EDITOR, else the machine's default.
    public static var editor: String {
        let named = ["VISUAL", "EDITOR"].lazy.compactMap { Environment.variables[$0] }.first { !$0.isEmpty }
        if let named { return named }
        let usual = ["/usr/bin/editor", "/usr/bin/nano", "/usr/bin/vi"].first { (path: String) in
            access(path, X_OK) == 0
        }
        return usual ?? "vi"
    }

    /// The editor's name, without folder and options.
    public static var editorName: String {
        let program = editor.split(separator: " ").first.map(String.init) ?? editor
        let name = program.split(separator: "/").last.map(String.init) ?? program
        return name == "editor" ? "your editor" : name.shown
    }

    /// "1 line", "12 lines".
    public static func length(_ text: String) -> String {
        Wording.counted(text.split(separator: "\n", omittingEmptySubsequences: false).count, "line")
    }

    /// An earlier draft that was not sent; nil if there is none.
    public func kept() throws(Failure) -> String? {
        let path = try path()
        guard access(path, F_OK) == 0 else { return nil }
        let text = try TextInput.text(of: path, limit: Self.limit).withoutEnd
        return text.isEmpty ? nil : text
    }

    /// Opens the text in the editor, and returns the edited text.
    public func write(begin: String) throws(Failure) -> String {
        let path = try path()
        if try kept() ?? "" != begin || access(path, F_OK) != 0 {
            try PrivateFile.write(to: path, replacing: true) { file throws(Failure) in
                try file.append(Array((begin.isEmpty ? "" : begin + "\n").utf8)[...])
            }
        }
        guard ChildProcess.runInTerminal("\(Self.editor) \"$1\"", path) else {
            throw .refused(
                "EditorFailed",
                saying:
                    "The editor (\(Self.editor.shown)) failed. The written text is kept, and is offered again "
                    + "the next time.")
        }
        return try kept() ?? ""
    }

    /// Keeps a text that was not written in the editor, until it is sent. Returns the file's path.
    @discardableResult public func keep(_ text: String) throws(Failure) -> String {
        let path = try path()
        try PrivateFile.write(to: path, replacing: true) { file throws(Failure) in
            try file.append(Array((text + "\n").utf8)[...])
        }
        return path
    }

    /// Removes the draft if its text was sent.
    public func forget(sent text: String) throws(Failure) {
        if try kept() == text.withoutEnd { unlink(try path()) }
    }

    private func path() throws(Failure) -> String { "\(try Self.folder())/\(name).txt" }

    /// The folder of drafts: in this user's runtime folder, which is in memory; else in /tmp.
    private static func folder() throws(Failure) -> String {
        let user = geteuid()
        var folder = "/tmp/practice-drafts-\(user)"
        if let runtime = Environment.variables["XDG_RUNTIME_DIR"], Folder.owner(of: runtime) == user {
            folder = runtime + "/practice-drafts"
        } else if Folder.owner(of: "/run/user/\(user)") == user {
            folder = "/run/user/\(user)/practice-drafts"
        }
        do { try Folder.makePrivate(folder) } catch {
            throw .refused("Unwritable", saying: "No text can be kept while it is written: \(error).")
        }
        return folder
    }
}

extension String {
    /// The text without line breaks and blanks at its end.
    public var withoutEnd: String { lastIndex { !$0.isWhitespace }.map { String(self[...$0]) } ?? "" }
}
