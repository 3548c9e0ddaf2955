import Companion
import Files
import Glibc

/// A text that somebody writes in their own editor. It lies in a file that only they can read, until it is sent: what was
/// written outlives the editor and this program.
struct LongText {
    /// In bytes.
    static let limit = 1_024 * 1_024

    /// Of the draft's file; never a name of anybody's.
    let name: String

    init(_ name: String) { self.name = name }

    /// VISUAL, else EDITOR, else the machine's.
    static var editor: String {
        let named = ["VISUAL", "EDITOR"].lazy.compactMap { Environment.variables[$0] }.first { !$0.isEmpty }
        if let named { return named }
        let usual = ["/usr/bin/editor", "/usr/bin/nano", "/usr/bin/vi"].first { (path: String) in
            access(path, X_OK) == 0
        }
        return usual ?? "vi"
    }

    /// Without its folder and its options.
    static var editorName: String {
        let program = editor.split(separator: " ").first.map(String.init) ?? editor
        let name = program.split(separator: "/").last.map(String.init) ?? program
        return name == "editor" ? "your editor" : name.shown
    }

    /// "1 line", "12 lines".
    static func length(_ text: String) -> String {
        Wording.counted(text.split(separator: "\n", omittingEmptySubsequences: false).count, "line")
    }

    /// The text that was written before and not sent; nil if there is none.
    func kept() throws(Failure) -> String? {
        let path = try path()
        guard access(path, F_OK) == 0 else { return nil }
        let text = try TextInput.text(of: path, limit: Self.limit).withoutEnd
        return text.isEmpty ? nil : text
    }

    /// Opens the editor on the text; what it leaves.
    func write(begin: String) throws(Failure) -> String {
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
                    "The editor (\(Self.editor.shown)) did not end well. What was written is kept, and is offered again "
                    + "the next time.")
        }
        return try kept() ?? ""
    }

    /// Removes the draft, where its text is what was sent.
    func forget(sent text: String) throws(Failure) {
        if try kept() == text.withoutEnd { unlink(try path()) }
    }

    private func path() throws(Failure) -> String { "\(try Self.folder())/\(name).txt" }

    /// In this user's runtime folder, which is in memory; without one, in /tmp.
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
    /// Without the line breaks and blanks at its end.
    var withoutEnd: String { lastIndex { !$0.isWhitespace }.map { String(self[...$0]) } ?? "" }
}
