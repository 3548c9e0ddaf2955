import Glibc

/// Which letters the terminal has.
struct Letters: Equatable {
    let isUTF8: Bool
}

extension Letters {
    /// As the locale says that the environment names: the first of LC_ALL, LC_CTYPE and LANG that is set. Where none is,
    /// UTF-8, as terminals are today; "C" said outright is taken at its word.
    init(environment: [String: String]) {
        let named = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let named else {
            isUTF8 = true
            return
        }
        let spelled = named.lowercased()
        isUTF8 = spelled.contains("utf-8") || spelled.contains("utf8") || Self.codeset(of: named) == "UTF-8"
    }

    /// What the locale of that name writes in; nil where this machine does not have it.
    private static func codeset(of name: String) -> String? {
        guard let locale = newlocale(1 << LC_CTYPE, name, nil) else { return nil }
        defer { freelocale(locale) }
        return nl_langinfo_l(Int32(CODESET), locale).map { String(cString: $0) }
    }
}

extension String {
    /// In ASCII's letters: signs as what stands for them, any other letter as a question mark for each column it takes.
    var ascii: String {
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
        case "›": ">"
        case "●": "*"
        case "○": "o"
        case "✓": "x"
        case "↑": "up"
        case "↓": "down"
        default: String(repeating: "?", count: DisplayWidth.of(self))
        }
    }
}
