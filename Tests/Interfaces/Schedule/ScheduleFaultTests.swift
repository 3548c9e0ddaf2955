import ScheduleFormat
import TestSupport
import Testing
import Time

@Suite struct `An entry` {
    private func fault(breaths: Int = 5, moods: [String] = ["calm"]) -> EntryFault? {
        do throws(EntryFault) {
            let entry = try Schedule.Entry(breaths: breaths, moods: moods, due: "2027-03-05")
            #expect(entry.breaths == breaths)
            #expect(entry.moods == moods.map { Mood($0) })
            #expect(entry.due == "2027-03-05")
            #expect(entry.id == nil)
            return nil
        } catch { return error }
    }

    @Test(
        arguments: [
            (Int.min, .noBreaths), (0, .noBreaths), (1, nil), (1_000, nil), (1_001, .tooManyBreaths),
            (Int.max, .tooManyBreaths),
        ] as [(Int, EntryFault?)])
    func `has from one to a thousand breaths`(breaths: Int, expected: EntryFault?) {
        #expect(fault(breaths: breaths) == expected)
    }

    @Test(arguments: [(0, .noMoods), (1, nil), (50, nil), (51, .tooManyMoods)] as [(Int, EntryFault?)])
    func `has from one to fifty moods`(count: Int, expected: EntryFault?) {
        #expect(fault(moods: (0..<count).map { "mood \($0)" }) == expected)
    }

    @Test(
        arguments: [
            (["calm", ""], .emptyMood(2)), ([" \u{A0}"], .emptyMood(1)),
            (["calm", "tired", "calm"], .repeatedMood(3, of: 1)),
            (["café", "cafe\u{301}"], .repeatedMood(2, of: 1)), (["calm", "Calm"], nil),
            ([String(repeating: "a", count: 100)], nil), ([String(repeating: "a", count: 101)], .moodTooLong(1)),
            ([String(repeating: "é", count: 50)], nil), ([String(repeating: "é", count: 51)], .moodTooLong(1)),
            (["calm", "a\u{1B}[2J"], .hiddenCharacter(2, "\u{1B}")), (["a\nb"], .hiddenCharacter(1, "\n")),
            (["a\u{7F}"], .hiddenCharacter(1, "\u{7F}")), (["a\u{85}b"], .hiddenCharacter(1, "\u{85}")),
            (["a\0"], .hiddenCharacter(1, "\0")), (["calm", "\u{200B}"], .hiddenCharacter(2, "\u{200B}")),
            (["mlac\u{202E}"], .hiddenCharacter(1, "\u{202E}")), (["\u{2066}calm"], .hiddenCharacter(1, "\u{2066}")),
            (["\u{FEFF}calm"], .hiddenCharacter(1, "\u{FEFF}")), (["ca\u{AD}lm"], .hiddenCharacter(1, "\u{AD}")),
            (["\u{3164}"], .hiddenCharacter(1, "\u{3164}")), (["\u{2800}"], .hiddenCharacter(1, "\u{2800}")),
            (["calm", "ca\u{200D}lm"], .hiddenCharacter(2, "\u{200D}")),
            (["穏やか\u{200D}"], .hiddenCharacter(1, "\u{200D}")), (["\u{FE0F}"], .hiddenCharacter(1, "\u{FE0F}")),
            (["👩‍👩‍👧 with them", "☹️", "1️⃣", "خسته‌ام", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"], nil),
        ] as [([String], EntryFault?)])
    func `has different moods of 1 to 100 bytes without control characters`(moods: [String], expected: EntryFault?) {
        #expect(fault(moods: moods) == expected)
    }
}

@Suite struct `A schedule` {
    private func fault(_ entries: [Schedule.Entry]) -> ScheduleFault? {
        do throws(ScheduleFault) {
            #expect(try Schedule(entries).entries == entries)
            return nil
        } catch { return error }
    }

    @Test func `may be empty`() {
        #expect(fault([]) == nil)
    }

    @Test func `has a hundred thousand entries at the most`() throws {
        let most = (0..<100_000).map { _ in Schedule.Entry.sample() }
        #expect(fault(most) == nil)
        let beyond = fault(most + [.sample()])
        #expect(beyond?.entry == 100_001)
        #expect(beyond?.reason == .tooManyEntries)
    }

    @Test func `has each id only once`() {
        let twice = fault([.sample("a"), .sample(), .sample("b"), .sample("a")])
        #expect(twice?.entry == 4)
        #expect(twice?.reason == .repeatedID(of: 1))
        #expect(fault([.sample("a"), .sample("A"), .sample()]) == nil)
    }
}

@Suite struct `An identifier` {
    private static let allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"

    @Test func `is made of letters, digits, dots, underscores and hyphens`() {
        for byte in UInt8(0)...127 {
            let text = String(UnicodeScalar(byte))
            #expect((AssignmentID(text) as AssignmentID?)?.text == (Self.allowed.contains(text) ? text : nil))
        }
    }

    @Test(arguments: [
        ("", false), ("ä", false), ("a b", false), ("a/b", false), ("a-b", true), ("-a", false),
        (String(repeating: "a", count: 64), true),
        (String(repeating: "a", count: 65), false),
    ])
    func `is neither empty nor long`(text: String, fits: Bool) {
        let id: AssignmentID? = AssignmentID(text)
        #expect((id != nil) == fits)
    }

    @Test(arguments: [
        (1, "2027-03-05"), (2, "2027-03-05.2"), (100_000, "2027-03-05.100000"),
    ])
    func `can be made from a day`(ordinal: Int, text: String) {
        #expect(AssignmentID(due: "2027-03-05", ordinal: ordinal).text == text)
    }
}
