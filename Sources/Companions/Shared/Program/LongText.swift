import Files
import Glibc
import Text
import Time

/// A text that a person writes in an editor. Until it is sent, it is in a file that only they can read, so it survives a
/// crash.
public struct LongText: Sendable {
    /// The largest size, in bytes.
    public static let limit = 1_024 * 1_024

    /// The practice that a text is for, and the person who writes it.
    public struct Writer: Sendable {
        /// The practice's socket, or its account and machine.
        let place: String
        let practice: String
        let person: [String]

        /// - Parameter person: their identifier and their name; empty for a caller whom the practice does not know.
        public init(at place: String, in practice: String, _ person: [String]) {
            (self.place, self.practice, self.person) = (place, practice, person)
        }
    }

    /// The client or the people that the text is for, as they are shown.
    public let reader: String?
    /// The name of the draft's file. It has no person's name.
    let name: String

    /// A draft is offered again only to the same writer, in the same practice, for the same reader.
    /// - Parameters:
    ///   - kind: the purpose of the text, such as `session-add`.
    ///   - client: the client's identifier, if the text is about one. ``removeDrafts(about:by:)`` finds it.
    public init(_ kind: String, about client: String? = nil, for reader: String? = nil, by writer: Writer) {
        let words = [kind, client ?? "", reader ?? ""] + writer.person
        self.reader = reader
        name =
            "\(Self.plain(kind))\(Self.middle(client ?? "", writer))\(Self.mark(of: words.joined(separator: "\0"))).txt"
    }

    private static func middle(_ client: String, _ writer: Writer) -> String {
        ".\(plain(client)).\(mark(of: writer.place))-\(mark(of: writer.practice))-"
    }

    /// An identifier comes from a daemon, which may be hostile.
    private static func plain(_ text: String) -> String {
        String(text.prefix(40).map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-" ? $0 : "_" })
    }

    /// FNV-1a, 64 bits. Place and practice have marks of their own, because a hostile practice could choose a name that gives
    /// one common mark.
    private static func mark(of text: String) -> String {
        String(text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }

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

    /// "today at 18:00, for Cleo Santos: “Moved to Lugo.”": when an earlier draft was written, its reader and its beginning.
    /// Nil if there is none.
    public func description() throws(Failure) -> String? {
        guard let text = try kept() else { return nil }
        var found = stat()
        guard stat(try path(), &found) == 0, let written = DateTime(onTheWallAt: found.st_mtim.tv_sec) else {
            return nil
        }
        let when = "\(Wording.day(written.day, today: .onTheWall)) at \(written.time.clock)"
        let begin = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }
        let excerpt = begin.count > 60 ? begin.prefix(60) + "…" : begin
        return "\(when)\(reader.map { ", for \($0.shown.singleLine)" } ?? ""): “\(String(excerpt).shown)”"
    }

    /// Removes the drafts that this user has about a client, of every writer in this practice. Returns how many.
    public static func removeDrafts(about client: String, by writer: Writer) throws(Failure) -> Int {
        let folder = try folder()
        let names: [String]
        do { names = try Folder.names(in: folder) } catch {
            throw .refused("Unreadable", saying: "The texts that were not sent cannot be looked for: \(error).")
        }
        let part = middle(client, writer)
        var removed = 0
        for name in names where name.includes(part) && unlink("\(folder)/\(name)") == 0 { removed += 1 }
        return removed
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

    /// Keeps a text behind the kept one, of another window or of an earlier time. Throws if both together are too long to be
    /// offered again. Returns the file's path.
    public func keep(adding text: String) throws(Failure) -> String {
        let before = try kept()
        guard before != text.withoutEnd else { return try path() }
        let both = before.map { $0 + "\n" + text } ?? text
        guard both.utf8.count < Self.limit else {
            throw .refused(
                "TooLong",
                saying:
                    "The text is not kept: \(try path().shown) has no room for it. Send or remove what is in it first.")
        }
        return try keep(both)
    }

    /// Removes the draft after `text` was sent, if it is the draft's.
    /// - Parameter wasOffered: the person saw the draft and sent another text instead, so it is removed as well.
    public func forget(sent text: String, wasOffered: Bool = false) throws(Failure) {
        let isSent = try kept() == text.withoutEnd
        if isSent || wasOffered { unlink(try path()) }
    }

    /// The draft's file, whether it is there or not.
    public func path() throws(Failure) -> String { "\(try Self.folder())/\(name)" }

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
