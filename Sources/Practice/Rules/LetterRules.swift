import Text

/// The limits of letters, and their readers by role.
public enum LetterRules {
    /// Bytes of UTF-8.
    public static let bodyLimit = 1_024 * 1_024
    public static let subjectLimit = 200
    public static let recipients = 100
    /// Letters that one call moves, marks or deletes.
    public static let atOnce = 1_000
    /// A person's own folders.
    public static let folders = 200
    /// Folders in folders.
    public static let depth = 10
    public static let drafts = 1_000
    /// The name, on a letter, of a client who is its reader's no more.
    public static let formerClient = "a former client"

    /// - Parameters:
    ///   - isTheirs: one of the two is the client of the other.
    ///   - isOpen: the record of the client among them is open; true if neither is a client.
    public static func mayWrite(_ sender: Role, to recipient: Role, isTheirs: Bool, isOpen: Bool) -> Bool {
        switch (sender, recipient) {
        case (.client, .client), (.client, .administrator): false
        case (.client, .thanatologist), (.thanatologist, .client): isTheirs && isOpen
        default: true
        }
    }

    /// May be empty.
    public static func subject(_ text: String) throws(FieldError) -> String {
        text.trimmed.isEmpty ? "" : try Field.line(text, limit: subjectLimit)
    }

    public static func body(_ text: String) throws(FieldError) -> String { try Field.text(text, limit: bodyLimit) }

    public static func folderName(_ text: String) throws(FieldError) -> String { try Field.line(text, limit: 64) }

    /// The beginning of a body, on one line, without the lines that it quotes, and without the line that says who wrote them.
    public static func preview(of body: String) -> String {
        var preview = ""
        let lines = body.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
        for (place, line) in lines.enumerated() where !line.hasPrefix(">") {
            if line.hasSuffix(":"), place + 1 < lines.count, lines[place + 1].hasPrefix(">") { continue }
            var rest = line.unicodeScalars
            while let start = rest.firstIndex(where: { !$0.isSpace }) {
                let word = rest[start...].prefix { !$0.isSpace }
                rest = rest[word.endIndex...]
                preview += preview.isEmpty ? "" : " "
                preview += Substring(word)
                // A character has one byte at least.
                if preview.utf8.count > previewLimit, preview.count > previewLimit {
                    return String(preview.prefix(previewLimit - 1)) + "…"
                }
            }
        }
        return preview
    }

    private static let previewLimit = 140
}

/// Whom a broadcast is for.
public enum Audience: String, CaseIterable, Sendable {
    case everybody, clients, staff

    public func includes(_ role: Role) -> Bool {
        switch self {
        case .everybody: true
        case .clients: !role.isStaff
        case .staff: role.isStaff
        }
    }
}

/// How much a broadcast matters.
public enum BroadcastLevel: String, CaseIterable, Sendable {
    case notice, important
}
