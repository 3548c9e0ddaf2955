import Companion
import Text

/// The invitation of a practice: the text that `practice client invite` prints, or its parts.
struct Invitation: Equatable {
    var address: String?
    /// The fingerprint of the practice's machine, `SHA256:…`.
    var hostKey: String?
    var word: String?

    /// Reads the parts that a pasted text holds, whatever stands around them.
    init(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        hostKey = words.first { $0.hasPrefix("SHA256:") }
        word = words.first(where: Self.isWord)
        if let verb = words.firstIndex(of: "set-up"), verb + 1 < words.count { address = words[verb + 1] }
    }

    /// False for a text that is something else: it has no part of an invitation.
    var isOne: Bool { hostKey != nil || hasWordsForm || address.map(Self.isAddress) == true }

    /// True for a word such as the practice prints: groups of four.
    private var hasWordsForm: Bool { word?.split(separator: "-").allSatisfy { $0.utf8.count == 4 } == true }

    /// The lines of one, for somebody who has another file.
    static let sample = """
            daybreak link set-up practice@clinic.example

            the practice's machine    SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU
            your word                 7KQ2-ABCD-EFGH-JKMN-PQRS
        """

    /// Groups of letters and digits with hyphens between: `7K3M-…`, at least four.
    private static func isWord(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.count >= 4
            && groups.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { isLetterOrDigit($0) } }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// True for `account@host` or `account@host:port`, and nothing that `ssh` would take for an option.
    static func isAddress(_ text: String) -> Bool {
        (3...300).contains(text.utf8.count) && text.contains("@") && !text.hasPrefix("-") && !text.includes("@-")
            && text.utf8.allSatisfy { isLetterOrDigit($0) || ".-_@:[]".utf8.contains($0) }
    }
}
