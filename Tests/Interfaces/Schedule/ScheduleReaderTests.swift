import Foundation
import ScheduleFormat
import TestSupport
import Testing
import Time

@Suite struct ScheduleReaderTests {
    private typealias Refusal = InvalidSchedule

    private func read(_ text: String) throws -> Schedule { try ScheduleReader.read(Array(text.utf8)) }

    private func entry(
        _ breaths: Int, _ moods: [String], _ due: String, id: String? = nil
    ) throws -> Schedule.Entry {
        try Schedule.Entry(
            id: id.map(AssignmentID.init(stringLiteral:)), breaths: breaths, moods: moods,
            due: CalendarDay(stringLiteral: due))
    }

    private func expectRefusal(of text: String, _ line: Int, _ column: Int, _ entry: Int?, _ reason: String) {
        let refusal = #expect(throws: Refusal.self) { try read(text) }
        #expect(refusal == Refusal(line: line, column: column, entry: entry, reason: reason))
    }

    // MARK: Accepted

    @Test func `an empty array is a schedule`() throws {
        #expect(try read(" [ ] \n").entries == [])
    }

    @Test func `a byte order mark before it is taken off, and its place is not counted`() throws {
        #expect(try read("\u{FEFF}[[5, [\"calm\"], \"2026-11-21\"]]").entries == [try entry(5, ["calm"], "2026-11-21")])
        expectRefusal(of: "\u{FEFF}[7]", 1, 2, 1, Self.entryExpected)
    }

    @Test(arguments: [[0xFF, 0xFE, 0x5B, 0, 0x5D, 0], [0xFE, 0xFF, 0, 0x5B, 0, 0x5D]] as [[UInt8]])
    func `a text in UTF-16 is said to be one`(bytes: [UInt8]) {
        let refusal = #expect(throws: Refusal.self) { try ScheduleReader.read(bytes) }
        #expect(refusal == Refusal(line: 1, column: 1, reason: "The schedule is in UTF-16: save it as UTF-8."))
    }

    @Test func `an entry can be an array or an object`() throws {
        let text = """
            [[5, ["calm", "tired"], "2026-11-21"],
             {"due": "2026-11-22", "moods": ["calm"], "breaths": 7},
             {"id": "x.1", "breaths": 1, "moods": "calm", "due": "2026-11-22"},
             {"id": null, "breaths": 1000, "moods": "calm", "due": "2026-11-22"}]
            """
        let expected = [
            try entry(5, ["calm", "tired"], "2026-11-21"), try entry(7, ["calm"], "2026-11-22"),
            try entry(1, ["calm"], "2026-11-22", id: "x.1"), try entry(1_000, ["calm"], "2026-11-22"),
        ]
        #expect(try read(text).entries == expected)
    }

    @Test func `an entry's choices do not depend on the entry before`() throws {
        let text = """
            [[5, ["calm", "sad"], "2026-11-21"], [5, ["calm", "sad"], "2026-11-21"], [5, ["calm"], "2026-11-21"],
             [5, "calm", "2026-11-21"], {"moods": "calm", "breaths": 5, "due": "2026-11-21"},
             [5, "calm, sad", "2026-11-21"]]
            """
        let choices = [["calm", "sad"], ["calm", "sad"], ["calm"], ["calm"], ["calm"], ["calm", "sad"]]
        #expect(try read(text).entries == choices.map { try entry(5, $0, "2026-11-21") })
    }

    @Test func `an entry can name a pattern or spell its seconds`() throws {
        let patterns = try [#""box""#, #""4-7-8""#, #""5-0-5-0""#, "null"].map { pattern in
            try read(#"[{"breaths": 1, "moods": "calm", "due": "2026-11-21", "pattern": \#(pattern)}]"#).entries[0]
                .pattern
        }
        #expect(patterns == [.box, .fourSevenEight, .coherent, nil])
        var book = PatternBook.standard
        try book.add("evening", .box)
        let text = #"[{"breaths": 1, "moods": "calm", "due": "2026-11-21", "pattern": "evening"}]"#
        #expect(try ScheduleReader.read(Array(text.utf8), patterns: book).entries[0].pattern == .box)
    }

    @Test(arguments: [
        (
            "\"bxo\"",
            "There is no pattern of that name; there are 4-7-8, box, calm, coherent, and seconds such as 4-0-6-0."
        ),
        (
            "\"4-0\"",
            "A pattern is the seconds of inhale, hold, exhale and hold, such as 4-0-6-0: one or two digits each, and at "
                + "most one more after a point."
        ),
        ("\"0-4-6-0\"", "A pattern needs seconds to inhale and seconds to exhale."),
        ("\"31-0-30-0\"", "A pattern takes 2 to 60 seconds in all: less is panting, and no breath takes longer."),
        ("4", "A pattern is a text: a name, or seconds such as \"4-0-6-0\"."),
    ])
    func `a wrong pattern is refused with its place and the patterns that exist`(pattern: String, reason: String) {
        expectRefusal(of: "[{\"pattern\":\n  \(pattern)}]", 2, 3, 1, reason)
    }

    @Test(arguments: [
        #"["calm", "at ease"]"#, #"[" calm ", "\tat ease"]"#, #""calm,at ease""#, #"" calm , at ease ""#,
        #""calm\u002cat ease""#,
    ])
    func `white space around a mood is removed`(moods: String) throws {
        #expect(
            try read("[[1, \(moods), \"2026-11-21\"]]").entries == [try entry(1, ["calm", "at ease"], "2026-11-21")])
    }

    @Test func `moods that differ only in capitals stay readable in a schedule that was taken in earlier`() throws {
        let text = Array(#"[[1, ["calm", "Calm"], "2026-11-21"]]"#.utf8)
        #expect(
            try ScheduleReader.read(text, isRecorded: true).entries == [try entry(1, ["calm", "Calm"], "2026-11-21")])
    }

    @Test func `the sample schedule has twelve entries`() throws {
        let sample = URL(filePath: #filePath).appending(path: "../../../../Config/tasks.json").standardized
        let schedule = try read(String(contentsOf: sample, encoding: .utf8))
        #expect(schedule.entries.count == 12)
        let days = Set(schedule.entries.map(\.due)).sorted()
        #expect(days.prefix(4) == ["2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"])
    }

    // MARK: Refused

    static let entryExpected =
        "An entry is [breaths, moods, due], or an object with \"breaths\", \"moods\" and \"due\"."
    static let empty = "The schedule is empty: a schedule without tasks is []."
    static let breathsExpected = "The breath count is a whole number from 1 to 1,000."
    static let moodsExpected = "The mood choices are an array of words, or one text with commas between them."
    static let dueExpected = "The due date is a text such as \"2027-03-05\"."
    static let idExpected =
        "An id has 1 to 64 letters (A-Z, a-z), digits, dots, underscores or hyphens, no hyphen first."

    @Test(arguments: [
        ("", 1, 1, nil, empty), ("\u{FEFF}", 1, 1, nil, empty), (" \n\n", 1, 1, nil, empty),
        ("{}", 1, 1, nil, "A schedule is a JSON array of entries."),
        ("\n [", 2, 3, 1, "expected a value, found the end"),
        ("[[1, [\"a\"], \"2026-11-21\"]\n [", 2, 2, nil, "expected ',' or ']', found '['"),
        ("[[1, [\"a\"], \"2026-11-21\"],\n]", 1, 26, nil, "a comma before ']' is one too many"),
        (
            #"[{"breaths": 1, "moods": ["a"], "due": "2026-11-21", "id": "Today"}]"#, 1, 60, 1,
            "This id names a day: no command could mean the entry by it."
        ),
        ("[]\n[]", 2, 1, nil, "expected the end, found '['"),
        ("[[1, [\"a\"], \"2026-11-21\"],\n  7]", 2, 3, 2, entryExpected),
        ("[[]]", 1, 2, 1, "The breath count is missing: an entry is [breaths, moods, due]."),
        ("[\n [1]]", 2, 2, 1, "The mood choices are missing: an entry is [breaths, moods, due]."),
        ("[[1, [\"a\"]\n]]", 1, 2, 1, "The due date is missing: an entry is [breaths, moods, due]."),
        ("[[1, [\"a\"], \"2026-11-21\", 4]]", 1, 27, 1, "An entry has three parts: [breaths, moods, due]."),
        ("[{\"moods\": \"a\", \"due\": \"2026-11-21\"}]", 1, 2, 1, "The entry has no \"breaths\"."),
        ("[{\"breaths\": 1, \"due\": \"2026-11-21\"}]", 1, 2, 1, "The entry has no \"moods\"."),
        ("[{\"breaths\": 1, \"moods\": \"a\"}]", 1, 2, 1, "The entry has no \"due\"."),
        (
            "[{\"breaths\": 1,\n \"mood\": \"a\"}]", 2, 2, 1,
            "An entry has \"breaths\", \"moods\", \"due\" and perhaps \"id\" and \"pattern\", and nothing else."
        ),
        ("[{\"breaths\": 1, \"breaths\": 1}]", 1, 17, 1, "the key 'breaths' comes twice"),
    ])
    func `a text that is not an array of entries is refused`(
        text: String, line: Int, column: Int, entry: Int?, reason: String
    ) {
        expectRefusal(of: text, line, column, entry, reason)
    }

    @Test(arguments: [
        ("0", "The breath count must be at least 1."), ("-5", "The breath count must be at least 1."),
        ("1001", "The breath count is more than 1,000."), ("5.0", breathsExpected), ("1e2", breathsExpected),
        ("99999999999999999999", breathsExpected), ("\"5\"", "The breath count is a whole number."),
        ("null", "The breath count is a whole number."),
    ])
    func `a wrong breath count is refused with its place`(breaths: String, reason: String) {
        expectRefusal(of: "[[\(breaths), [\"a\"], \"2026-11-21\"]]", 1, 3, 1, reason)
        expectRefusal(of: "[{\"breaths\": \(breaths)}]", 1, 14, 1, reason)
    }

    @Test(arguments: [
        ("[]", 0, "There are no mood choices."), ("\"\"", 0, "Mood choice 1 is empty."),
        ("\"a,,b\"", 0, "Mood choice 2 is empty."), ("\"a,b, \"", 0, "Mood choice 3 is empty."),
        ("[\"a\", \" \"]", 6, "Mood choice 2 is empty."), ("[\"a\", 5]", 6, "A mood choice is a text."),
        ("[\"a\", \"b\", \" a\"]", 11, "Mood choice 3 repeats choice 1."),
        ("\"a,a\"", 0, "Mood choice 2 repeats choice 1."),
        ("[\"Über\", \"b\", \"üBER\"]", 14, "Mood choice 3 differs from choice 1 only in capital letters."),
        ("[\"\(String(repeating: "m", count: 101))\"]", 1, "Mood choice 1 is longer than 100 bytes."),
        ("[\"a\", \"b\\u0007\"]", 6, "Mood choice 2 has U+0007 (control character) in it, which is not seen."),
        ("[\"a\", \"\\u202Eb\"]", 6, "Mood choice 2 has U+202E (RIGHT-TO-LEFT OVERRIDE) in it, which is not seen."),
        ("\"a,\u{200B}\"", 0, "Mood choice 2 has U+200B (ZERO WIDTH SPACE) in it, which is not seen."),
        ("5", 0, moodsExpected), ("null", 0, moodsExpected), ("{}", 0, moodsExpected),
        (
            "[\((1...51).map { "\"\($0)\"" }.joined(separator: ","))]", 0, "There are more than 50 mood choices."
        ),
    ])
    func `wrong mood choices are refused with their place`(moods: String, offset: Int, reason: String) {
        expectRefusal(of: "[[1, \(moods), \"2026-11-21\"]]", 1, 6 + offset, 1, reason)
    }

    @Test func `a wrong mood choice is refused with its own line`() {
        expectRefusal(of: "[[1, [\n \"a\",\n \"a\"], \"2026-11-21\"]]", 3, 2, 1, "Mood choice 2 repeats choice 1.")
    }

    @Test(arguments: [
        ("5", dueExpected), ("null", dueExpected), ("[]", dueExpected),
        ("\"tomorrow\"", "The due date is an ISO 8601 date such as \"2027-03-05\"."),
        ("\"2026-02-29\"", "The calendar has no day 2026-02-29."),
        ("\"2026-11-21T99:00\"", "After the due date comes something that is not a time such as T18:30:00+01:00."),
    ])
    func `a wrong due date is refused with its place`(due: String, reason: String) {
        expectRefusal(of: "[[1, \"a\", \(due)]]", 1, 11, 1, reason)
    }

    @Test(arguments: [
        ("5", "An id is a text."), ("\"\"", idExpected), ("\"a b\"", idExpected), ("\"é\"", idExpected),
        ("\"\(String(repeating: "i", count: 65))\"", idExpected),
    ])
    func `a wrong id is refused with its place`(id: String, reason: String) {
        expectRefusal(of: "[{\"id\": \(id)}]", 1, 9, 1, reason)
    }

    @Test func `a repeated id is refused with the place of the second entry`() {
        let text = """
            [{"id": "a", "breaths": 1, "moods": "a", "due": "2026-11-21"},
             [1, "a", "2026-11-21"],
             {"id": "a", "breaths": 1, "moods": "a", "due": "2026-11-22"}]
            """
        expectRefusal(of: text, 3, 2, 3, "Its id is that of entry 1.")
    }

    @Test func `columns count characters, not bytes`() {
        expectRefusal(of: "[[1, \"é, ü\", 5]]", 1, 14, 1, Self.dueExpected)
    }

    // MARK: Limits

    @Test func `1,000 breaths and 50 moods of 100 bytes are accepted`() throws {
        let moods = (10..<60).map { "\($0)" + String(repeating: "m", count: 98) }
        let text = "[[1000, \"\(moods.joined(separator: ","))\", \"2026-11-21\"]]"
        #expect(try read(text).entries == [try entry(1_000, moods, "2026-11-21")])
    }

    @Test func `100,000 entries are accepted, and one more is refused`() throws {
        let lines = [String](repeating: "[1,\"a\",\"2026-11-21\"]", count: 100_000).joined(separator: ",\n")
        #expect(try read("[\(lines)]").entries.count == 100_000)
        expectRefusal(
            of: "[\(lines),\n[1,\"a\",\"2026-11-21\"]]", 100_001, 1, 100_001, "There are more than 100,000 entries.")
    }

    @Test func `16 MiB are accepted, and one byte more is refused`() throws {
        let entry = Array("[[1,\"a\",\"2026-11-21\"]]".utf8)
        let padded = [UInt8](repeating: UInt8(ascii: " "), count: 16_777_216 - entry.count) + entry
        #expect(try ScheduleReader.read(padded).entries.count == 1)
        let refusal = #expect(throws: Refusal.self) { try ScheduleReader.read(padded + [UInt8(ascii: " ")]) }
        let reason =
            "The schedule has more than 16777216 bytes, which is the limit: leave out entries that are long over."
        #expect(refusal == Refusal(line: 1, column: 1, reason: reason))
    }
}
