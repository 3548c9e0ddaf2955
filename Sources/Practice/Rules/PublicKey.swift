import JSON

/// An SSH public key as one line of text (man 8 sshd, "AUTHORIZED_KEYS FILE FORMAT"), without options.
///
/// The line is written from the parsed parts, so that nothing but a key can get into the lines that sshd reads.
public struct PublicKey: Equatable, Sendable {
    /// `ssh-ed25519`
    public let type: String
    /// The key itself in base64.
    public let key: String
    /// The owner's comment, mostly `name@machine`; may be empty.
    public let comment: String

    /// The types that OpenSSH accepts. Security keys (FIDO) have types of their own.
    public static let types = [
        "ssh-ed25519", "sk-ssh-ed25519@openssh.com", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384",
        "ecdsa-sha2-nistp521",
        "sk-ecdsa-sha2-nistp256@openssh.com", "ssh-rsa",
    ]

    /// The most bytes of a line. An RSA key of 16,384 bits has 2,750.
    public static let limit = 8 * 1_024

    /// The fewest bits of an RSA key.
    public static let rsaBits = 2_048

    /// Reads `TYPE KEY COMMENT`.
    public init(_ text: String) throws(FieldError) {
        let line = text.trimmed
        guard line.utf8.count <= Self.limit else { throw FieldError("must have no more than \(Self.limit) bytes.") }
        if line.contains("PRIVATE KEY") { throw FieldError("must be the public half, the file that ends in .pub.") }
        guard !line.contains(where: \.isNewline) else { throw FieldError("must be one key, on one line.") }
        let words = line.split(maxSplits: 2) { $0 == " " || $0 == "\t" }.map(String.init)
        guard words.count >= 2, Self.types.contains(words[0]) else {
            throw FieldError(
                "must be a public key such as \"ssh-ed25519 AAAA… name\", of the types \(Self.types.joined(separator: ", "))."
            )
        }
        guard let bytes = Base64.decode(words[1]), Self.typeInside(bytes) == words[0] else {
            throw FieldError("must be a whole key: this one is cut or changed.")
        }
        (type, key) = (words[0], words[1])
        // A comment with hidden characters is dropped.
        comment = words.count > 2 ? (try? Field.line(words[2], limit: Field.nameLimit)) ?? "" : ""
    }

    /// From the store, without checks.
    public init(type: String, key: String, comment: String) {
        (self.type, self.key, self.comment) = (type, key, comment)
    }

    /// The line without the comment, as sshd reads it and as `%t %k` spells it.
    public var line: String { "\(type) \(key)" }

    /// True if the text is a fingerprint as `ssh-keygen -l` prints it: SHA-256 of the key in base64, without padding.
    public static func isFingerprint(_ text: String) -> Bool {
        let name = "SHA256:"
        return text.hasPrefix(name) && text.utf8.count == name.utf8.count + 43
            && Base64.decode(text.dropFirst(name.count) + "=") != nil
    }

    /// The type inside the key, whose first bytes are the length and the name of its type (RFC 4253, section 6.6).
    private static func typeInside(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 4 else { return nil }
        let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= 64, bytes.count > 4 + length else { return nil }
        return String(decoding: bytes[4..<4 + length], as: UTF8.self)
    }
}

/// The word of an invitation, with which a person registers their key: a handle that finds the invitation, and 80 random
/// bits.
///
/// People type it, so it has no letters that look alike (Crockford's base 32).
public struct InvitationWord: Equatable, Sendable, CustomStringConvertible {
    /// Four letters, which are not secret.
    public let handle: String
    /// Sixteen secret letters.
    public let secret: String

    /// The hours until an invitation expires.
    public static let hours = 72
    /// The number of wrong secrets that ends an invitation.
    public static let tries = 5

    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    public init(using dice: inout some RandomNumberGenerator) {
        func word(_ count: Int, _ dice: inout some RandomNumberGenerator) -> String {
            String((0..<count).map { _ in Self.letters[Int.random(in: 0..<32, using: &dice)] })
        }
        handle = word(4, &dice)
        secret = word(16, &dice)
    }

    /// Reads a typed word: letters of either case, hyphens and blanks anywhere, O for 0, I and L for 1. Nil if it cannot be
    /// a word.
    public init?(_ text: String) {
        let letters = text.uppercased().compactMap { letter -> Character? in
            switch letter {
            case "-", " ", "\t", "\r", "\n": nil
            case "O": "0"
            case "I", "L": "1"
            default: letter
            }
        }
        guard letters.count == 20, letters.allSatisfy(Self.letters.contains) else { return nil }
        handle = String(letters.prefix(4))
        secret = String(letters.dropFirst(4))
    }

    /// `7KQ2-ABCD-EFGH-JKMN-PQRS`
    public var description: String {
        let letters = Array(handle + secret)
        return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
    }

    /// Compares all letters, so that the time does not tell the number of right ones.
    public func hasSecret(_ other: String) -> Bool {
        let (mine, theirs) = (Array(secret.utf8), Array(other.utf8))
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
