import Glibc
import Text

/// The characters that a terminal can show.
public enum TerminalEncoding: Equatable, Sendable {
    case utf8, ascii

    /// The encoding of the locale in the environment: the first of LC_ALL, LC_CTYPE and LANG that is set. "C" means ASCII. If
    /// none is set, UTF-8, because today's terminals use it.
    public init(environment: [String: String]) {
        let named = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let named else {
            self = .utf8
            return
        }
        let spelled = named.lowercased()
        let isUTF8 = spelled.includes("utf-8") || spelled.includes("utf8") || Self.codeset(of: named) == "UTF-8"
        self = isUTF8 ? .utf8 : .ascii
    }

    /// Nil if this machine has no locale of that name.
    private static func codeset(of name: String) -> String? {
        guard let locale = newlocale(1 << LC_CTYPE, name, nil) else { return nil }
        defer { freelocale(locale) }
        return nl_langinfo_l(Int32(CODESET), locale).map { String(cString: $0) }
    }
}

extension String {
    /// The text in ASCII: known signs become similar ones, any other character a question mark for each of its columns.
    public var ascii: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
        return reduce(into: "") { $0 += $1.ascii }
    }
}

extension Character {
    fileprivate var ascii: String {
        switch self {
        case _ where isASCII: String(self)
        case "“", "”", "„": "\""
        case "’", "‘": "'"
        case "…": "..."
        case "–", "—", "─", "·": "-"
        case "│": "|"
        // Of the bars of charts: in eighths from the left, and from below.
        case "█", "▉", "▊", "▋", "▌": "#"
        case "▍", "▎", "▏": "|"
        case "▁": "_"
        case "▂", "▃": "."
        case "▄", "▅": "-"
        case "▆", "▇": "="
        case "└": "+"
        case "›": ">"
        case "●": "*"
        case "○": "o"
        case "✓": "+"
        case "✗": "!"
        case "→": "->"
        case "↑": "up"
        case "↓": "down"
        default: String(repeating: "?", count: DisplayWidth.of(self))
        }
    }
}
