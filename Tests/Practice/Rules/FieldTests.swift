import PracticeRules
import Testing
import Time

@Suite struct `The fields of forms` {
    /// The checked value, or the reason of the refusal.
    static func taken(_ check: (String) throws(FieldError) -> String, _ text: String) -> String {
        do { return try check(text) } catch { return "✗ " + error.reason }
    }

    @Test(arguments: [
        ("Ana Ruiz", "Ana Ruiz"),
        ("  Ana Ruiz\t", "Ana Ruiz"),
        ("Ana   Ruiz", "Ana Ruiz"),
        ("Ana\u{A0}\u{3000}Ruiz", "Ana Ruiz"),
        ("Ángeles Muñoz-O’Neill", "Ángeles Muñoz-O’Neill"),
        ("A\u{301}ngeles", "Ángeles"),
        ("李小龍", "李小龍"),
        ("מירה כהן", "מירה כהן"),
        ("می‌خواهم", "می‌خواهم"),  // A joiner, U+200C, is part of the word.
        ("J. 3rd \"Bob\"; DROP TABLE", "J. 3rd \"Bob\"; DROP TABLE"),
        ("👩‍👧", "👩‍👧"),
        (String(repeating: "é", count: 120), String(repeating: "é", count: 120)),
        (String(repeating: "é", count: 121), "✗ must have no more than 120 characters."),
        (String(repeating: "\u{1100}", count: 161), "✗ must have no more than 480 bytes."),
        ("", "✗ must not be empty."),
        (" \u{A0}\u{3000}\n", "✗ must not be empty."),
        ("Ana\nRuiz", "✗ must not have U+000A (control character): it cannot be seen."),
        ("Ana\u{0}", "✗ must not have U+0000 (control character): it cannot be seen."),
        ("Ana\u{1B}[31m", "✗ must not have U+001B (control character): it cannot be seen."),
        ("Ana\u{7F}", "✗ must not have U+007F (control character): it cannot be seen."),
        ("Ana\u{9B}31m", "✗ must not have U+009B (control character): it cannot be seen."),
        ("Ana\u{202E}ziuR", "✗ must not have U+202E (RIGHT-TO-LEFT OVERRIDE): it cannot be seen."),
        ("Ana\u{2066}", "✗ must not have U+2066 (LEFT-TO-RIGHT ISOLATE): it cannot be seen."),
        ("Ana\u{200F}", "✗ must not have U+200F (RIGHT-TO-LEFT MARK): it cannot be seen."),
        ("An\u{200B}a", "✗ must not have U+200B (ZERO WIDTH SPACE): it cannot be seen."),
        ("\u{FEFF}Ana", "✗ must not have U+FEFF (ZERO WIDTH NO-BREAK SPACE): it cannot be seen."),
        ("An\u{2060}a", "✗ must not have U+2060 (WORD JOINER): it cannot be seen."),
        ("Ana\u{2028}", "Ana"),
        ("An\u{2028}a", "✗ must not have U+2028 (LINE SEPARATOR): it cannot be seen."),
        ("An\u{E000}a", "✗ must not have U+E000: it cannot be seen."),
        ("An\u{E0041}a", "✗ must not have U+E0041 (TAG LATIN CAPITAL LETTER A): it cannot be seen."),
        ("\u{115F}", "✗ must not be empty."),
        ("An\u{3164}a", "✗ must not have U+3164 (HANGUL FILLER): it cannot be seen."),
        ("\u{200D}", "✗ must not be empty."),
        ("An\u{200D}a", "✗ must not have U+200D (ZERO WIDTH JOINER): it cannot be seen."),  // Without effect here.
        ("\u{301}", "✗ must not be empty."),
        ("A" + String(repeating: "\u{301}", count: 9), "✗ must not have so many accents on one letter."),
    ])
    func `a name`(text: String, kept: String) {
        #expect(Self.taken(Field.name, text) == kept)
    }

    @Test func `a letter with its accents is kept in one spelling`() {
        #expect(Array(Self.taken(Field.name, "A\u{301}ngeles").unicodeScalars).first == "\u{C1}")
    }

    /// HTML Living Standard, 4.10.5.1.5.
    @Test(arguments: [
        "ana@example.org", "ana.ruiz+x@mail.example.org", "a@b", "!#$%&'*+/=?^_`{|}~-@example.org",
        "ana@xn--mnchen-3ya.de",
        ".ana..ruiz.@example.org", "1@2.3", "ana@" + String(repeating: "a", count: 63) + ".org",
    ])
    func `an e-mail address`(text: String) {
        #expect(Self.taken(Field.email, " \(text) ") == text)
    }

    @Test(arguments: [
        "", "ana", "@example.org", "ana@", "ana@@example.org", "ana@example..org", "ana@.org", "ana@example.org.",
        "ana@-example.org", "ana@example-.org", "ana ruiz@example.org", "ana@exa mple.org", "ánа@example.org",
        "ana@múnchen.de", "\"ana\"@example.org", "ana@[127.0.0.1]", "Ana <ana@example.org>", "ana@example.org\u{0}",
        "ana(x)@example.org", "ana,b@example.org", "ana@" + String(repeating: "a", count: 64) + ".org",
        String(repeating: "a", count: 243) + "@example.org",
    ])
    func `no e-mail address`(text: String) {
        #expect(Self.taken(Field.email, text) == "✗ must be an address such as name@example.org.")
    }

    /// ITU-T E.164.
    @Test(arguments: [
        ("+34600123456", "+34600123456"), ("+34 600 12 34 56", "+34600123456"), ("+49 (30) 123-45/67", "+49301234567"),
        (" +1.555.123.4567", "+15551234567"), ("+12", "+12"), ("+123456789012345", "+123456789012345"),
    ])
    func `a telephone number`(text: String, kept: String) {
        #expect(Self.taken(Field.phone, text) == kept)
    }

    @Test(arguments: [
        "", "+", "600123456", "0034600123456", "+0346001234", "+1", "+1234567890123456", "+34 600 CALL", "+34+600",
        "+٣٤٦٠٠", "++34600", "+34600123456;ext=1", "34+600", "+34\n600",
    ])
    func `no telephone number`(text: String) {
        #expect(Self.taken(Field.phone, text) == "✗ must be a number with its country, such as +49 30 1234567.")
    }

    @Test func `a telephone number as it is dialled within its country is refused`() {
        #expect(Self.taken(Field.phone, "+44 (0)20 7946 0958") == "✗ must be without (0), such as +49 30 1234567.")
    }

    @Test(arguments: [
        "https://example.org", "https://example.org/a/b?c=d&e=f#g", "HTTPS://example.org", "https://[2001:db8::1]/",
        "https://example.org:8443/%20",
    ])
    func `a link`(text: String) {
        #expect(Self.taken(Field.link, text) == text)
    }

    @Test(arguments: [
        "", "http://example.org", "javascript:alert(1)", "https://", "https:///path", "https://exa mple.org",
        "//example.org",
        "https://example.org/\u{1B}", "https://example.org/<script>", "https://éxample.org", "data:text/html,x",
        "https://user:word@example.org", "https://?x", "https://example.org/" + String(repeating: "a", count: 2_000),
    ])
    func `no link`(text: String) {
        #expect(
            Self.taken(Field.link, text) == "✗ must be a web address that begins with https:// and holds no spaces.")
    }

    @Test(arguments: [
        ("One line.\nAnother.\tEnd.", "One line.\nAnother.\tEnd."),
        ("", ""),
        ("Windows\r\nlines", "Windows\nlines"),
        ("bell\u{7}", "✗ must not have U+0007 (control character): it cannot be seen."),
        ("a\u{202E}b", "✗ must not have U+202E (RIGHT-TO-LEFT OVERRIDE): it cannot be seen."),
        (String(repeating: "é", count: 2_049), "✗ must have no more than 4096 bytes."),
    ])
    func `a text of several lines`(text: String, kept: String) {
        #expect(Self.taken(Field.paragraph, text) == kept)
    }

    @Test(arguments: [
        ("2027-03-05", "2027-03-05"), ("1897-03-05", "1897-03-05"), ("2027-03-06", "✗ must not be to come."),
        ("1896-12-31", "✗ must be within the last 130 years."), ("2027-02-29", "✗ must be a day such as 2027-03-05."),
        ("5.3.1980", "✗ must be a day such as 2027-03-05."),
    ])
    func `a day of birth`(text: String, kept: String) throws {
        let today: CalendarDay = "2027-03-05"
        let check: (String) throws(FieldError) -> String = { text throws(FieldError) in
            try Field.birthday(text, today: today).description
        }
        #expect(Self.taken(check, text) == kept)
    }
}

@Suite struct `A picture` {
    @Test func `is recognised by its first bytes`() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(Picture(png + [0])?.type == "image/png")
        #expect(Picture([0xFF, 0xD8, 0xFF, 0xE0])?.type == "image/jpeg")
        #expect(Picture(Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8 ".utf8))?.type == "image/webp")
        for other in ["", "GIF89a", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "RIFF1234WAVE", "PNG", "%PDF-1.7"] {
            #expect(Picture(Array(other.utf8)) == nil)
        }
        #expect(Picture(Array(png.dropLast())) == nil)
    }
}
