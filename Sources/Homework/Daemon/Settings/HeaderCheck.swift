/// Finds what TOMLKit does not refuse but dies of: a table's header that begins with anything but a name.
enum HeaderCheck {
    /// The first line, from 1, on which `[` or `[[` is followed by what begins no name and is no `]`.
    ///
    /// Lines of arrays within arrays look the same, and a text over several lines may: no setting has either.
    static func namelessHeader(in text: String) -> Int? {
        var line = 0
        // TOMLKit passes over a byte order mark, and then over what stands behind it.
        let text = text.utf8.dropFirst(text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        for content in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            var rest = skipSpace(content)
            guard rest.first == UInt8(ascii: "[") else { continue }
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst() }
            guard let first = skipSpace(rest).first, beginsName(first) else { return line }
        }
        return nil
    }

    private static func skipSpace(_ text: Substring.UTF8View) -> Substring.UTF8View {
        text.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// A bare key's first byte, a quotation mark, or the end of the header, which TOMLKit refuses by itself.
    private static func beginsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
