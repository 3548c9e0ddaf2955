import HomeworkRules
import PracticeRules
import Testing
import Text

/// The practice takes only what the client's Daybreak takes. Each case is near a limit of one of the two.
@Suite struct `Both sides of the link check alike` {
    private static func taken(_ check: (String) throws(FieldError) -> String, _ text: String) -> String? {
        do { return try check(text) } catch { return nil }
    }

    @Test(arguments: [
        ("first\tpoint with a tab", true), ("One line.\r\nAnother.", true), (" \t\n", false), ("\u{AD}", false),
        ("bell\u{7}", false), ("a\u{85}b", false), ("a\u{2028}b", false),
        (String(repeating: "é", count: 2_048), true), (String(repeating: "é", count: 2_049), false),
        (String(repeating: "\t", count: 1_023) + "abcd", true), (String(repeating: "\t", count: 1_024) + "a", false),
    ]) func `a talking point`(text: String, isFit: Bool) throws {
        let kept = Self.taken(Field.talkingPoint, text)
        #expect((kept != nil) == isFit)
        if let kept { #expect(try Note(typed: kept).text == kept) }
    }

    @Test(arguments: [
        (String(repeating: "é", count: 110), true), (String(repeating: "𝒜", count: 120), true),
        (String(repeating: "e" + String(repeating: "\u{301}", count: 6), count: 41), false), ("می‌خواهم", true),
        ("👩‍👧", true),
        ("Ana\u{202E}", false),
    ]) func `a therapist's name`(text: String, isFit: Bool) throws {
        let kept = Self.taken(Field.name, text)
        #expect((kept != nil) == isFit)
        if let kept { #expect(try Presence.checked(name: kept) == kept) }
    }
}
