@_spi(_Unicode) import Swift
public import Time

/// The checks of what people write into forms. Each returns the value as it is kept, or says why it cannot be.
public enum Field {
    public static let nameLimit = 120
    /// Notes of a session: some sixty pages.
    public static let notesLimit = 256 * 1_024
    /// A reason, an address, a description.
    public static let textLimit = 4 * 1_024

    /// A name as people write it: one line of printable characters, up to 120, without blanks around it.
    public static func name(_ text: String) throws(FieldError) -> String {
        try line(text, limit: nameLimit)
    }

    /// One line of printable characters, not blank. It is kept in the composed form (UAX #15, NFC), so that one word has one
    /// spelling.
    public static func line(_ text: String, limit: Int) throws(FieldError) -> String {
        let line = String(String.UnicodeScalarView(text.trimmed._nfc))
        guard line.unicodeScalars.contains(where: \.isSeen) else { throw FieldError("must not be empty.") }
        guard line.count <= limit else { throw FieldError("must have no more than \(limit) characters.") }
        if let hidden = line.unicodeScalars.first(where: { !$0.isPrintable }) { throw hidden.fieldError }
        guard line.allSatisfy({ $0.unicodeScalars.count(where: \.isMark) <= marksOfLetter }) else {
            throw FieldError("must not have so many accents on one letter.")
        }
        return line
    }

    /// More than any language puts on one letter. Otherwise a short name could be long, and reach over the lines around it.
    private static let marksOfLetter = 6

    /// Parts of a name that is looked for; may be empty.
    public static func query(_ text: String) throws(FieldError) -> String {
        guard text.count <= nameLimit else { throw FieldError("must have no more than \(nameLimit) characters.") }
        return text
    }

    /// Some lines of text; line breaks and tabs stay. Lines may end as Windows ends them.
    public static func text(_ text: String, limit: Int = textLimit) throws(FieldError) -> String {
        guard text.utf8.count <= limit else { throw FieldError("must have no more than \(limit) bytes.") }
        let text = text.utf8.contains(13) ? String(text.map { $0 == "\r\n" ? "\n" : $0 }) : text
        let hidden = text.unicodeScalars.first { !$0.isPrintable && $0 != "\n" && $0 != "\t" && $0 != "\u{AD}" }
        if let hidden { throw hidden.fieldError }
        return text
    }

    /// A text that says something.
    public static func someText(_ text: String, limit: Int = textLimit) throws(FieldError) -> String {
        guard !text.trimmed.isEmpty else { throw FieldError("must not be empty.") }
        return try Self.text(text, limit: limit)
    }

    /// Why somebody did something: a text that says something.
    public static func reason(_ text: String) throws(FieldError) -> String { try someText(text) }

    /// Some lines of text, such as an address.
    public static func paragraph(_ text: String) throws(FieldError) -> String { try Self.text(text) }

    /// An address by HTML's definition of a valid e-mail address (HTML Living Standard, 4.10.5.1.5).
    public static func email(_ text: String) throws(FieldError) -> String {
        let address = text.trimmed
        let refusal = FieldError("must be an address such as name@example.org.")
        guard address.utf8.count <= 254, let at = address.firstIndex(of: "@") else { throw refusal }
        let user = address[..<at].utf8
        let labels = address[address.index(after: at)...].split(separator: ".", omittingEmptySubsequences: false)
        let marks = Set(".!#$%&'*+/=?^_`{|}~-".utf8)
        guard !user.isEmpty, user.allSatisfy({ $0.isLetterOrDigit || marks.contains($0) }) else { throw refusal }
        for label in labels {
            guard (1...63).contains(label.utf8.count), label.first != "-", label.last != "-",
                label.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") })
            else { throw refusal }
        }
        return address
    }

    /// A number by ITU-T E.164: a plus, and up to 15 digits of which the first is not 0. Blanks, hyphens, points, slashes and
    /// brackets that people write between the digits are dropped.
    public static func phone(_ text: String) throws(FieldError) -> String {
        let number = text.unicodeScalars.filter { !" -./()\u{A0}".unicodeScalars.contains($0) }
        let digits = number.dropFirst()
        guard number.first == "+", (2...15).contains(digits.count), digits.first != "0",
            digits.allSatisfy({ ("0"..."9").contains($0) })
        else { throw FieldError("must be a number with its country, such as +49 30 1234567.") }
        return String(String.UnicodeScalarView(number))
    }

    /// A web address that begins with https://, without a user's name in it.
    public static func link(_ text: String) throws(FieldError) -> String {
        let link = text.trimmed
        let forbidden = Set(#""<>\^`{|}"#.utf8)
        let host = link.utf8.dropFirst(8).prefix { !"/?#".utf8.contains($0) }
        guard link.lowercased().hasPrefix("https://"), !host.isEmpty, !host.contains(UInt8(ascii: "@")),
            link.utf8.count <= 2_000, link.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !forbidden.contains($0) })
        else { throw FieldError("must be a web address that begins with https:// and holds no spaces.") }
        return link
    }

    /// The day on which somebody was born: not to come, and no more than 130 years ago.
    public static func birthday(_ text: String, today: CalendarDay) throws(FieldError) -> CalendarDay {
        let born = try day(text)
        guard born <= today else { throw FieldError("must not be to come.") }
        guard today.year - born.year <= 130 else { throw FieldError("must be within the last 130 years.") }
        return born
    }

    public static func day(_ text: String) throws(FieldError) -> CalendarDay {
        guard let day = CalendarDay(text) else { throw FieldError("must be a day such as 2027-03-05.") }
        return day
    }

    public static func minutes(_ number: Int) throws(FieldError) -> Int {
        try Self.number(number, in: SessionRules.minutes)
    }

    public static func fee(_ number: Int) throws(FieldError) -> Int { try Self.number(number, in: SessionRules.fee) }

    public static func number(_ number: Int, in bounds: ClosedRange<Int>) throws(FieldError) -> Int {
        guard bounds.contains(number) else {
            throw FieldError("must be a number from \(bounds.lowerBound) to \(bounds.upperBound).")
        }
        return number
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

extension String {
    /// Without the white space around it.
    var trimmed: String {
        let inside = unicodeScalars.drop(while: \.properties.isWhitespace).reversed()
            .drop(while: \.properties.isWhitespace).reversed()
        return String(String.UnicodeScalarView(inside))
    }
}

extension Unicode.Scalar {
    /// Can be seen, or belongs to what can be seen: no control character, no invisible filler, nothing that turns the direction
    /// of the text around it. (A joiner, U+200C or U+200D, is part of words in several scripts.)
    public var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .format: isJoiner
        default: !properties.isDefaultIgnorableCodePoint || properties.isVariationSelector
        }
    }

    private var isJoiner: Bool { self == "\u{200C}" || self == "\u{200D}" }

    /// An accent, which stands on the letter before it.
    fileprivate var isMark: Bool { properties.generalCategory == .nonspacingMark }

    /// Leaves something on the page by itself.
    fileprivate var isSeen: Bool { isPrintable && !isJoiner && !isMark && !properties.isWhitespace }

    fileprivate var fieldError: FieldError { FieldError("must not have \(described): it cannot be seen.") }

    /// `U+202E RIGHT-TO-LEFT OVERRIDE`. Control characters have no name (Unicode, 4.8).
    var described: String {
        let code = String(value, radix: 16, uppercase: true)
        let padded = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
        return [padded, properties.generalCategory == .control ? "CONTROL CHARACTER" : properties.name].compactMap {
            $0
        }.joined(separator: " ")
    }
}
