import Text

/// One key.
public enum Key: Equatable, Sendable {
    case character(Character)
    case space, enter, escape, erase, up, down, interrupt, suspend, redraw
    // Keys that edit a line.
    case left, right, lineStart, lineEnd, delete, eraseWord, eraseLine, endOfInput
    case pageUp, pageDown
    /// Ctrl-G, Ctrl-O and Ctrl-X, on a screen where every character is text.
    case help, mute, remove
    /// Text that was pasted, with its line breaks. Only of a terminal that was taken with `pastes`.
    case pasted(String)

    /// The text that the keys would write, Enter as a line break; nil if one of them writes none.
    public static func text(of keys: some Sequence<Key>) -> String? {
        var text = ""
        for key in keys {
            switch key {
            case .character(let character): text.append(character)
            case .space: text.append(" ")
            case .enter: text.append("\n")
            default: return nil
            }
        }
        return text
    }
}

/// Makes keys out of the bytes of a terminal in raw mode.
public struct KeyReader {
    private var bytes: [UInt8] = []
    /// The end of a paste has not come.
    private var isPasting = false

    /// A paste stands between these (xterm's bracketed paste mode).
    private static let pasteBegins = Array("\u{1B}[200~".utf8)
    private static let pasteEnds = Array("\u{1B}[201~".utf8)

    public init() {}

    /// True after an escape that may be the beginning of an arrow key.
    public var isUndecided: Bool { !bytes.isEmpty && !isPasting }

    /// The keys in the bytes that were left over, and in `new`.
    public mutating func keys(in new: some Sequence<UInt8>) -> [Key] {
        // The end of a paste may stand in both.
        let searched = max(0, bytes.count - Self.pasteEnds.count)
        bytes += new
        var keys: [Key] = []
        while true {
            if isPasting {
                guard let text = pasted(from: keys.isEmpty ? searched : 0) else { return keys }
                keys.append(.pasted(text))
            } else if bytes.starts(with: Self.pasteBegins) {
                bytes.removeFirst(Self.pasteBegins.count)
                isPasting = true
                guard let text = pasted(from: 0) else { return keys }
                keys.append(.pasted(text))
            } else if let (key, length) = first() {
                if let key { keys.append(key) }
                bytes.removeFirst(length)
            } else {
                return keys
            }
        }
    }

    /// The whole paste, once its end has come, without hidden characters. Terminals send a carriage return for each line break.
    private mutating func pasted(from start: Int) -> String? {
        let places = bytes.indices.dropFirst(start)
        guard let end = places.first(where: { bytes[$0...].starts(with: Self.pasteEnds) }) else { return nil }
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeFirst(end + Self.pasteEnds.count)
        isPasting = false
        return text.substituting("\n", for: "\r\n").substituting("\n", for: "\r").typed.visibleLines
    }

    /// Called when nothing more came: an escape was the escape key; another unfinished sequence is dropped.
    public mutating func flush() -> [Key] {
        defer { bytes = [] }
        return bytes.first == 0x1B ? [.escape] : []
    }

    /// The first key and its length in bytes. The key is nil for bytes without meaning; the result is nil while bytes are
    /// missing.
    private func first() -> (Key?, Int)? {
        guard let byte = bytes.first else { return nil }
        switch byte {
        case 0x03, 0x1C: return (.interrupt, 1)
        case 0x1A: return (.suspend, 1)
        case 0x0C: return (.redraw, 1)
        case 0x01: return (.lineStart, 1)
        case 0x04: return (.endOfInput, 1)
        case 0x05: return (.lineEnd, 1)
        case 0x07: return (.help, 1)
        case 0x0F: return (.mute, 1)
        case 0x18: return (.remove, 1)
        case 0x15: return (.eraseLine, 1)
        case 0x17: return (.eraseWord, 1)
        case 0x0A, 0x0D: return (.enter, 1)
        case 0x20: return (.space, 1)
        case 0x08, 0x7F: return (.erase, 1)
        case 0x1B: return escaped()
        case 0x21...0x7E: return (.character(Character(Unicode.Scalar(byte))), 1)
        case 0xC2...0xF4: return encoded()
        default: return (nil, 1)
        }
    }

    /// A control sequence (ECMA-48, CSI: parameters, intermediates, one final byte), or SS3 and one byte.
    private func escaped() -> (Key?, Int)? {
        guard bytes.count > 1 else { return nil }
        if bytes[1] == UInt8(ascii: "O") { return bytes.count > 2 ? (arrow(bytes[2]), 3) : nil }
        guard bytes[1] == UInt8(ascii: "[") else { return (.escape, 1) }
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        if bytes[end] == UInt8(ascii: "~") { return (numbered(bytes[2..<end]), end + 1) }
        return (arrow(bytes[end]), end + 1)
    }

    private func arrow(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .lineEnd
        case UInt8(ascii: "H"): .lineStart
        default: nil
        }
    }

    /// xterm's and the VT220's keys that send a number.
    private func numbered(_ parameter: ArraySlice<UInt8>) -> Key? {
        switch String(decoding: parameter, as: UTF8.self) {
        case "1", "7": .lineStart
        case "3": .delete
        case "4", "8": .lineEnd
        case "5": .pageUp
        case "6": .pageDown
        default: nil
        }
    }

    private func encoded() -> (Key?, Int)? {
        let length = bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4
        guard bytes.count >= length else { return nil }
        guard let text = String(validating: bytes[..<length], as: UTF8.self), let character = text.first else {
            return (nil, 1)
        }
        return (.character(character), length)
    }
}
