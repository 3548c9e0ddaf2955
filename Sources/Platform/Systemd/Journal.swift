import CSystemd
import Glibc

/// One field of a journal entry (man 7 systemd.journal-fields).
public struct JournalField {
    public let name: String
    public let value: String

    /// The value may be any text, line breaks included.
    /// - Precondition: the name is made of A-Z, 0-9 and _, begins with a letter, and has at most 64 bytes. journald
    ///   silently drops other names, and reserves those that begin with _.
    public init(_ name: String, _ value: String) {
        precondition(JournalField.isName(name), "\"\(name)\" is no journal field's name")
        self.name = name
        self.value = value
    }

    /// journald's own limit (journal_field_valid).
    private static let maximumNameLength = 64

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= maximumNameLength, isLetter(first) else { return false }
        return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// Writing to the machine's journal.
public enum Journal {
    /// True if a journal takes entries now. `send` reports no error if none does.
    public static var isListening: Bool { accepts("/run/systemd/journal/socket") }

    /// Sends one entry (man 3 sd_journal_sendv). Where no journal listens, the entry is lost without an error: see
    /// `isListening`. libsystemd adds SYSLOG_IDENTIFIER unless given; the caller gives CODE_FILE and the like.
    /// - Precondition: at least one field.
    public static func send(_ fields: [JournalField]) throws(SystemdError) {
        precondition(!fields.isEmpty, "a journal entry has fields")
        let lines = fields.map { Array("\($0.name)=\($0.value)".utf8) }
        try check("sd_journal_sendv", withVectors(lines) { sd_journal_sendv($0.baseAddress, Int32($0.count)) })
    }
}

/// True if a process has bound a datagram socket at `path`.
func accepts(_ path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafeBytes(of: &address) { bytes in
        connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count)) == 0
    }
}

/// Lends `lines` as the kernel's vectors for the time of one call.
private func withVectors(_ lines: [[UInt8]], _ body: (UnsafeBufferPointer<iovec>) -> Int32) -> Int32 {
    var bytes = lines.flatMap { $0 }
    return bytes.withUnsafeMutableBytes { memory in
        var offset = 0
        let vectors = lines.map { line in
            defer { offset += line.count }
            return iovec(iov_base: memory.baseAddress?.advanced(by: offset), iov_len: line.count)
        }
        return vectors.withUnsafeBufferPointer(body)
    }
}
