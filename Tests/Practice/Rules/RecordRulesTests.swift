import PracticeRules
import Testing
import Time

@Suite struct `Episodes of a record` {
    private let days = (1...9).map { CalendarDay(year: 2027, month: 3, day: $0)! }

    @Test func `a return begins an episode, and a closing by mistake leaves no gap`() {
        let episodes = Episode.all(of: [
            (.opened, nil, days[0]), (.closed, nil, days[1]), (.reopened, .mistake, days[2]),
            (.transferred, nil, days[3]), (.closed, nil, days[4]), (.reopened, .return, days[6]),
        ])
        #expect(
            episodes == [
                Episode(number: 1, first: days[0], last: days[4]), Episode(number: 2, first: days[6]),
            ])
    }

    @Test(arguments: [
        ("2027-03-01", 1), ("2027-03-03", 1), ("2027-03-04", 2), ("2027-03-05", 3), ("2027-03-08", 3),
        ("2027-03-09", 3),
    ])
    func `a session belongs to the episode of its day, and to the later of two`(on: String, episode: Int) throws {
        let episodes = [
            Episode(number: 1, first: days[0], last: days[2]), Episode(number: 2, first: days[3], last: days[4]),
            Episode(number: 3, first: days[4]),
        ]
        #expect(try SessionRules.day(on, today: days[8], in: episodes).episode == episode)
    }

    @Test(arguments: [
        ("2027-03-01", "must not be before the record, which begins on 2027-03-02."),
        (
            "2027-03-04",
            "must be a day on which the record was open: it was closed on 2027-03-03 and opened again on 2027-03-05."
        ),
        ("2027-03-07", "must be a day on which the record was open: it was closed on 2027-03-06."),
        ("2027-03-10", "must not be to come: today is 2027-03-09."),
        ("2027-02-30", "must be a day such as 2027-03-05."),
    ])
    func `no session lies outside all episodes`(on: String, reason: String) {
        let episodes = [
            Episode(number: 1, first: days[1], last: days[2]), Episode(number: 2, first: days[4], last: days[5]),
        ]
        #expect(throws: FieldError(reason)) { try SessionRules.day(on, today: days[8], in: episodes) }
    }

    @Test func `a clock that was set back closes no record before its last session`() {
        #expect(throws: FieldError("must not be before the last session, on 2027-03-05.")) {
            try RecordRules.closing(nil, today: days[2], since: days[0], lastSession: days[4])
        }
    }
}

@Suite struct `The practice's own fields` {
    @Test(arguments: [
        ("[0-9]{8}[A-Z]", "12345678Z", true), ("[0-9]{8}[A-Z]", "x12345678Z", false),
        ("[0-9]{8}[A-Z]", "12345678Zx", false), ("a|b", "ab", false), ("a|b", " b ", true), ("", "Anything, ñ", true),
        ("(ab)*", "ababab", true), ("^a$", "a", true),
    ])
    func `the whole text matches the pattern`(pattern: String, text: String, fits: Bool) {
        var field = ClientField()
        field.pattern = pattern
        #expect((try? field.check(text)) == (fits ? text.trimmingBlanks : nil))
    }

    @Test(arguments: [
        ("[0-9]+", true), ("", true), ("(", false), ("[a", false), ("a{", true),
        (String(repeating: "a", count: 501), false),
    ])
    func `settings accept a regular expression`(text: String, isTaken: Bool) {
        #expect(ClientField.isPattern(text) == isTaken)
    }
}

extension String {
    fileprivate var trimmingBlanks: String { split(separator: " ").joined(separator: " ") }
}
