/// A text that would take a reader's memory or time out of proportion to its length.
public enum MarkdownFault: Equatable, Sendable {
    /// It has more bytes than ``MarkdownDocument/byteLimit``.
    case tooLong
    /// This line, counted from 1, begins more quotes and lists within each other than ``MarkdownDocument/markLimit``.
    case tooDeep(line: Int)
    /// A table with the columns of this line, counted from 1, could have more cells than ``MarkdownDocument/cellLimit``, or more
    /// columns than ``MarkdownDocument/columnLimit``.
    case tooWide(line: Int)
    /// Its links could stand for more than ``MarkdownDocument/expansionLimit``.
    case tooManyLinks
}

extension MarkdownDocument {
    /// Marks of quotes and lists at the beginning of a line. cmark looks at each of them again in each line below.
    public static let markLimit = 40
    /// Cells of all tables together, if each line had as many as the widest one. A row of one character has the cells of its
    /// whole head.
    public static let cellLimit = 100_000
    /// Columns of a table. cmark takes time by their square.
    public static let columnLimit = 1_000
    /// Bytes of all addresses, if each `[` stood for an address as long as the text: one that is written once can be named often.
    public static let expansionLimit = 1 << 26
    /// Bytes of an address. A link with a longer one is its text.
    public static let addressLimit = 2_048

    /// The reason why this text is not read; nil if it is. Looks at its bytes alone, in one pass.
    public static func fault(in text: String) -> MarkdownFault? {
        guard text.utf8.count <= byteLimit else { return .tooLong }
        var (lines, widest, brackets) = (0, (line: 0, pipes: 0), 0)
        // CommonMark 0.31, section 2.1: a line feed ends a line, a carriage return, or both together.
        for line in text.utf8.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd) {
            let isBetweenBoth =
                line.isEmpty && lines > 0 && line.startIndex < text.utf8.endIndex
                && text.utf8[text.utf8.index(before: line.startIndex)] == UInt8(ascii: "\r")
                && text.utf8[line.startIndex] == UInt8(ascii: "\n")
            if isBetweenBoth { continue }
            lines += 1
            if marks(in: line) > markLimit { return .tooDeep(line: lines) }
            let pipes = line.count { $0 == UInt8(ascii: "|") }
            if pipes > widest.pipes { widest = (lines, pipes) }
            brackets += line.count { $0 == UInt8(ascii: "[") }
        }
        let columns = widest.pipes + 1
        guard columns == 1 || columns <= columnLimit && columns * lines <= cellLimit else {
            return .tooWide(line: widest.line)
        }
        return brackets * text.utf8.count > expansionLimit ? .tooManyLinks : nil
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    /// The marks of quotes and lists that a line begins with.
    private static func marks(in line: Substring.UTF8View) -> Int {
        var marks = 0
        for place in line.indices {
            switch line[place] {
            case UInt8(ascii: ">"): marks += 1
            case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: ")"):
                let next = line.index(after: place)
                // A list's mark has a blank after it, or nothing.
                guard next == line.endIndex || isBlank(line[next]) else { return marks }
                marks += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case let byte where isBlank(byte): break
            default: return marks
            }
        }
        return marks
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(byte)
    }
}
