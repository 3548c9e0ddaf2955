@_spi(_Unicode) import Swift
import Text
public import Time

/// Checks of the fields of forms. Each returns the value as it is stored, or throws the reason why it is wrong.
public enum Field {
    public static let nameLimit = 120
    /// The most bytes of a name. A client's Daybreak takes no longer one.
    public static let nameByteLimit = 480
    /// The most bytes of a session's notes: about sixty pages.
    public static let notesLimit = 256 * 1_024
    /// The most bytes of a reason, an address or a description.
    public static let textLimit = 4 * 1_024

    /// Checks a name: one line of up to 120 visible characters. Blanks around it are dropped, and each run of blanks within it
    /// becomes one space, since names that look alike are to be found alike.
    public static func name(_ text: String) throws(FieldError) -> String {
        let parts = text.split { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory == .spaceSeparator } }
        let name = try line(parts.joined(separator: " "), limit: nameLimit)
        guard name.utf8.count <= nameByteLimit else {
            throw FieldError("must have no more than \(nameByteLimit) bytes.")
        }
        return name
    }

    /// Checks one line of visible characters. It is stored in the composed form (UAX #15, NFC), so that a word has one
    /// spelling.
    public static func line(_ text: String, limit: Int) throws(FieldError) -> String {
        let line = String(String.UnicodeScalarView(text.trimmed._nfc))
        guard line.unicodeScalars.contains(where: \.isSeen) else { throw FieldError("must not be empty.") }
        guard line.count <= limit else { throw FieldError("must have no more than \(limit) characters.") }
        if let unseen = line.firstUnseen { throw unseen.fieldError }
        guard line.allSatisfy({ $0.unicodeScalars.count(where: \.isMark) <= marksOfLetter }) else {
            throw FieldError("must not have so many accents on one letter.")
        }
        return line
    }

    /// The most accents on one letter. No language needs more, and a pile of accents would cover the lines around it.
    private static let marksOfLetter = 6

    /// Checks a search for parts of a name; may be empty.
    public static func query(_ text: String) throws(FieldError) -> String {
        guard text.count <= nameLimit else { throw FieldError("must have no more than \(nameLimit) characters.") }
        return text
    }

    /// Checks a text of several lines. Line breaks and tabs are kept; Windows' line ends become line breaks.
    public static func text(_ text: String, limit: Int = textLimit) throws(FieldError) -> String {
        guard text.utf8.count <= limit else { throw FieldError("must have no more than \(limit) bytes.") }
        // Mostly, every character is one of ASCII that can be seen.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 9 || $0 == 10 }) { return text }
        let text = text.utf8.contains(13) ? String(text.map { $0 == "\r\n" ? "\n" : $0 }) : text
        let allowed = text.unicodeScalars.map { ["\n", "\t", "\u{AD}"].contains($0) ? " " : $0 }
        if let unseen = String(String.UnicodeScalarView(allowed)).firstUnseen { throw unseen.fieldError }
        return text
    }

    /// Checks a text that must not be blank.
    public static func someText(_ text: String, limit: Int = textLimit) throws(FieldError) -> String {
        guard !text.trimmed.isEmpty else { throw FieldError("must not be empty.") }
        return try Self.text(text, limit: limit)
    }

    /// Checks a talking point. It is kept as a client's Daybreak keeps a note: a tab becomes four blanks.
    public static func talkingPoint(_ text: String) throws(FieldError) -> String {
        guard !text.isBlank else { throw FieldError("must not be empty.") }
        return try Self.text(text.typed)
    }

    /// Checks a person's reason, which must not be blank.
    public static func reason(_ text: String) throws(FieldError) -> String { try someText(text) }

    /// Checks a text of several lines, such as an address.
    public static func paragraph(_ text: String) throws(FieldError) -> String { try Self.text(text) }

    /// Checks an e-mail address by HTML's definition (HTML Living Standard, 4.10.5.1.5).
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

    /// Checks a telephone number by ITU-T E.164: a plus, and up to 15 digits of which the first is not 0. Blanks, hyphens,
    /// points, slashes and brackets between the digits are dropped. A 0 in brackets is for calls within the country alone.
    public static func phone(_ text: String) throws(FieldError) -> String {
        guard !text.contains("(0)") else { throw FieldError("must be without (0), such as +49 30 1234567.") }
        let number = text.unicodeScalars.filter { !" -./()\u{A0}".unicodeScalars.contains($0) }
        let digits = number.dropFirst()
        guard number.first == "+", (2...15).contains(digits.count), digits.first != "0",
            digits.allSatisfy({ ("0"..."9").contains($0) })
        else { throw FieldError("must be a number with its country, such as +49 30 1234567.") }
        return String(String.UnicodeScalarView(number))
    }

    /// Checks a web address: it begins with https:// and names no user.
    public static func link(_ text: String) throws(FieldError) -> String {
        let link = text.trimmed
        guard WebAddress.isMeeting(link) else {
            throw FieldError("must be a web address that begins with https:// and holds no spaces.")
        }
        return link
    }

    /// Checks a day of birth: not in the future, and at most 130 years ago.
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
    /// The text without the white space around it.
    var trimmed: String {
        let inside = unicodeScalars.drop(while: \.isSpace)
        return inside.lastIndex { !$0.isSpace }.map { String(inside[...$0]) } ?? ""
    }

    /// The first character that a reader cannot see: a hidden one, or one that Unicode does not define.
    fileprivate var firstUnseen: Unicode.Scalar? { firstHidden ?? unicodeScalars.first(where: \.isUndefined) }
}

extension Unicode.Scalar {
    fileprivate var isUndefined: Bool {
        !isASCII && [.surrogate, .privateUse, .unassigned].contains(properties.generalCategory)
    }

    /// True for an accent on the letter before it.
    fileprivate var isMark: Bool { !isASCII && properties.generalCategory == .nonspacingMark }

    /// True for a character that is visible by itself.
    fileprivate var isSeen: Bool { !isHidden && !isUndefined && !isMark && !isSpace }

    fileprivate var fieldError: FieldError { FieldError("must not have \(named): it cannot be seen.") }
}
