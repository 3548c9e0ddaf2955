import PracticeRules
import ScheduleFormat
import TestSupport
import Testing
import Time

@Suite struct `A schedule that replaces the assigned one` {
    private func entry(_ due: CalendarDay, _ breaths: Int = 5, id: AssignmentID? = nil) throws -> Schedule.Entry {
        try Schedule.Entry(id: id, breaths: breaths, moods: ["calm", "tired"], due: due)
    }

    private func assign(
        _ entries: [Schedule.Entry], onto old: [Schedule.Entry] = [], begun: Set<AssignmentID> = []
    ) throws -> Assigning { Assigning(try Schedule(entries), onto: old, begun: begun) }

    private func said(_ assigning: Assigning) -> String {
        let entries = assigning.entries.map { "\($0.id?.text ?? "-"):\($0.breaths)" }.joined(separator: " ")
        return "\(entries) +\(assigning.added) ~\(assigning.changed) -\(assigning.withdrawn.count)"
    }

    @Test func `an entry without an id is called after its day, and sorted by it`() throws {
        let assigning = try assign([
            entry("2027-03-06"), entry("2027-03-05", 1), entry("2027-03-05", 2), entry("2027-03-05", 3, id: "long"),
        ])
        #expect(said(assigning) == "2027-03-05:1 2027-03-05.2:2 long:3 2027-03-06:5 +4 ~0 -0")
    }

    @Test func `ids stay when the same schedule comes again, in whatever order`() throws {
        let first = try assign([entry("2027-03-05", 1), entry("2027-03-05", 2), entry("2027-03-06")])
        let again = try assign(
            [entry("2027-03-06"), entry("2027-03-05", 2), entry("2027-03-05", 1)], onto: first.entries)
        #expect(said(again) == "2027-03-05.2:2 2027-03-05:1 2027-03-06:5 +0 ~0 -0")
        #expect(
            said(try assign(first.entries, onto: first.entries)) == "2027-03-05:1 2027-03-05.2:2 2027-03-06:5 +0 ~0 -0")
    }

    @Test func `an entry is matched by its id, else by its content, else by its day`() throws {
        let old = [
            try entry("2027-03-05", 1, id: "2027-03-05"), try entry("2027-03-06", 2, id: "2027-03-06"),
            try entry("2027-03-07", 3, id: "mine"),
        ]
        // One task is found by its id, on another day; one by its content, with a new id; one by its day, with other breaths.
        let new = try assign(
            [entry("2027-03-09", 3, id: "mine"), entry("2027-03-05", 1, id: "named"), entry("2027-03-06", 9)], onto: old
        )
        #expect(said(new) == "2027-03-05:1 2027-03-06:9 mine:3 +0 ~2 -0")
    }

    @Test func `an id that is taken is not given again`() throws {
        let old = [try entry("2027-03-05", 1, id: "2027-03-05")]
        let new = try assign([entry("2027-03-05", 7, id: "2027-03-05.2"), entry("2027-03-05", 8)], onto: old)
        #expect(said(new) == "2027-03-05.2:7 2027-03-05:8 +1 ~1 -0")
        let more = try assign(
            [entry("2027-03-05", 7), entry("2027-03-05", 8), entry("2027-03-05", 9)], onto: new.entries)
        #expect(said(more) == "2027-03-05.2:7 2027-03-05:8 2027-03-05.3:9 +1 ~0 -0")
    }

    @Test func `a missed task is kept where the schedule drops it, and changes where it changes it`() throws {
        let old = [try entry("2027-03-05", 1, id: "m"), try entry("2027-03-06", 2, id: "n")]
        let new = Assigning(try Schedule([entry("2027-03-09")]), onto: old, begun: [], missed: ["m"])
        #expect(said(new) == "m:1 2027-03-09:5 +1 ~0 -1")
        let moved = Assigning(try Schedule([entry("2027-03-09", 1, id: "m")]), onto: old, begun: [], missed: ["m"])
        #expect(said(moved) == "m:1 +0 ~1 -1" && moved.entries.first?.due == "2027-03-09")
    }

    @Test func `a task that the client began stays as it is, whether it is dropped or changed`() throws {
        let old = [
            try entry("2027-03-05", 1, id: "2027-03-05"), try entry("2027-03-06", 2, id: "2027-03-06"),
            try entry("2027-03-07", 3, id: "2027-03-07"),
        ]
        let new = try assign([entry("2027-03-06", 9)], onto: old, begun: ["2027-03-05", "2027-03-06"])
        #expect(said(new) == "2027-03-05:1 2027-03-06:2 +0 ~0 -1")
    }

    @Test func `the text of a schedule is read as the same schedule`() throws {
        let pattern = try BreathPattern("4-7-8-0")
        let schedule = try Schedule([
            Schedule.Entry(id: "a", breaths: 3, moods: ["calm", "so \"so\""], due: "2027-03-05", pattern: pattern),
            Schedule.Entry(breaths: 1, moods: ["é"], due: "2027-03-06"),
        ])
        #expect(
            schedule.canonicalText == #"[{"id":"a","due":"2027-03-05","breaths":3,"moods":["calm","so \"so\""],"#
                + #""pattern":"4-7-8-0"},{"due":"2027-03-06","breaths":1,"moods":["é"]}]"#)
        #expect(try ScheduleReader.read(Array(schedule.canonicalText.utf8)) == schedule)
    }
}

@Suite struct `How a task stands` {
    private func happening(
        _ what: Happening.Kind, on day: CalendarDay, breaths: Int? = nil, mood: String? = nil
    ) -> Happening {
        Happening(
            sequence: 1, id: "x", at: Instant(microseconds: 0), day: day, what: what, task: "t", breaths: breaths,
            mood: mood)
    }

    private func standing(_ happenings: [Happening], today: CalendarDay, sharedOn: CalendarDay? = "2027-03-04")
        -> TaskStanding
    {
        standing(told: happenings.map { ("laptop", $0) }, today: today, sharedOn: sharedOn)
    }

    private func standing(
        told: [(String, Happening)], today: CalendarDay, sharedOn: CalendarDay? = "2027-03-04",
        heardOn: CalendarDay? = nil
    ) -> TaskStanding {
        TaskStanding(due: "2027-03-05", told, today: today, sharedOn: sharedOn, heardOn: heardOn ?? today)
    }

    /// A second machine has another history, and may have the task done once more.
    @Test func `two machines' runs of one task are not made into one: the first counts, whole`() {
        let first = [
            ("laptop", happening(.breathed, on: "2027-03-05", breaths: 5)),
            ("laptop", happening(.completed, on: "2027-03-05", breaths: 5, mood: "sad")),
        ]
        let second = [
            ("desktop", happening(.started, on: "2027-03-09")),
            ("desktop", happening(.breathed, on: "2027-03-09", breaths: 7)),
            ("desktop", happening(.moodLogged, on: "2027-03-09", mood: "calm")),
            ("desktop", happening(.completed, on: "2027-03-09", breaths: 7, mood: "calm")),
            ("desktop", happening(.moodCorrected, on: "2027-03-09", mood: "glad")),
        ]
        let both = standing(told: first + second, today: "2027-03-10")
        #expect(both == standing(told: first, today: "2027-03-10"))
        #expect(both.completedOn == "2027-03-05" && both.breathsDone == 5 && both.mood == "sad")
        // A history that was restored goes on under another name, and corrects what the former one completed.
        let corrected = [("restored", happening(.moodCorrected, on: "2027-03-05", mood: "tired"))]
        #expect(standing(told: first + corrected, today: "2027-03-10").mood == "tired")
    }

    @Test(arguments: [
        ("2027-03-05", String?("2027-03-04"), TaskStanding.State.assigned), ("2027-03-12", "2027-03-04", .assigned),
        ("2027-03-13", "2027-03-04", .missed), ("2027-03-13", "2027-03-05", .assigned), ("2027-03-13", nil, .assigned),
    ])
    func `without a word, it is missed after a week, if the client shared completed tasks before its day`(
        today: String, sharedOn: String?, state: TaskStanding.State
    ) {
        let standing = standing(
            [], today: CalendarDay(stringLiteral: today), sharedOn: sharedOn.map(CalendarDay.init(stringLiteral:)))
        #expect(standing.state == state)
    }

    @Test func `of a machine that was not heard since, nobody says that it is late or missed`() {
        #expect(standing(told: [], today: "2027-03-08", heardOn: "2027-03-06").isLate)
        #expect(!standing(told: [], today: "2027-03-08", heardOn: "2027-03-05").isLate)
        #expect(standing(told: [], today: "2027-03-20", heardOn: "2027-03-13").state == .missed)
        let offline = standing(told: [], today: "2027-03-20", heardOn: "2027-03-12")
        #expect(offline.state == .assigned && !offline.isLate)
    }

    @Test func `it is in progress on the day on which it was begun, until it is given up`() {
        let begun = [happening(.started, on: "2027-03-05"), happening(.breathed, on: "2027-03-05", breaths: 3)]
        #expect(
            standing(begun, today: "2027-03-05")
                == {
                    var standing = standing([], today: "2027-03-05")
                    (standing.state, standing.breathsDone) = (.inProgress, 3)
                    return standing
                }())
        #expect(standing(begun, today: "2027-03-06").state == .assigned)
        for end in [Happening.Kind.cancelled, .setAside] {
            #expect(standing(begun + [happening(end, on: "2027-03-05")], today: "2027-03-05").state == .assigned)
        }
    }

    @Test func `completed is completed, also long after it seemed missed, with the mood that was told last`() {
        let told = [
            happening(.missed, on: "2027-03-13"), happening(.completed, on: "2027-03-06", breaths: 5, mood: "tired"),
            happening(.moodCorrected, on: "2027-03-06", mood: "calm"), happening(.completed, on: "2027-03-20"),
        ]
        let standing = standing(told, today: "2027-04-30")
        #expect(standing.state == .completed)
        #expect(standing.completedOn == "2027-03-06")
        #expect((standing.breathsDone, standing.mood) == (5, "calm"))
    }
}

@Suite struct `A happening as a device tells it` {
    /// 2027-03-05 09:00 in UTC.
    private static let now = Instant(microseconds: 1_804_237_200_000_000)

    private static func told(
        sequence: Int = 1, id: String? = "e1", at: String = "2027-03-05T09:00:00Z", day: String = "2027-03-05",
        what: String = "completed", task: String? = "t", breaths: Int? = nil, mood: String? = nil, text: String? = nil,
        revision: Int? = nil
    ) -> Happening.Told {
        .init(
            sequence: sequence, id: id, at: at, day: day, what: what, task: task, breaths: breaths, mood: mood,
            text: text,
            revision: revision)
    }

    private func fault(_ told: Happening.Told) -> String? {
        do {
            _ = try Happening(told, now: Self.now, today: "2027-03-05")
            return nil
        } catch { return error.field }
    }

    static let wrong: [(Happening.Told, String?)] = [
        (told(), nil), (told(breaths: 1_000, mood: "calm"), nil), (told(at: "2027-03-05T09:00:00+14:00"), nil),
        (told(at: "2027-03-06T23:00:00Z", day: "2027-03-07"), nil), (told(day: "2027-03-04"), nil),
        (told(what: "noteWritten", task: nil, text: "A\nB"), nil), (told(what: "noteWritten", text: "A"), nil),
        (told(what: "scheduleTaken", task: nil, revision: 1), nil),
        (told(sequence: 0), "sequence"), (told(sequence: .max), "sequence"), (told(sequence: -1), "sequence"),
        (told(id: nil), "id"), (told(id: ""), "id"), (told(id: "a b"), "id"),
        (told(id: String(repeating: "x", count: 65)), "id"),
        (told(what: "danced"), "what"), (told(what: ""), "what"),
        (told(at: "yesterday"), "at"), (told(at: "2027-03-05T09:00:00"), "at"),
        (told(at: "1970-01-01T00:00:00Z"), "day"),
        (told(day: "2027-02-30"), "day"), (told(day: "2027-03-02"), "day"), (told(day: "2027-03-07"), "day"),
        (told(task: nil), "task"), (told(task: "a b"), "task"), (told(what: "scheduleTaken", revision: 1), "task"),
        (told(what: "breathed"), "breaths"), (told(breaths: -1), "breaths"), (told(breaths: 1_001), "breaths"),
        (told(what: "started", breaths: 1), "breaths"),
        (told(what: "moodLogged"), "mood"), (told(mood: ""), "mood"), (told(mood: "a\u{202E}b"), "mood"),
        (told(mood: String(repeating: "x", count: 101)), "mood"), (told(what: "left", mood: "calm"), "mood"),
        (told(what: "noteWritten"), "text"), (told(what: "noteWritten", text: " \n"), "text"),
        (told(what: "noteWritten", text: "a\u{1B}[2J"), "text"),
        (told(what: "noteWritten", text: String(repeating: "x", count: 4_097)), "text"), (told(text: "a"), "text"),
        (told(what: "scheduleTaken", task: nil), "revision"), (told(revision: 1), "revision"),
        (told(what: "scheduleTaken", task: nil, revision: 0), "revision"),
    ]

    @Test func `a field that cannot be is named`() {
        for (told, field) in Self.wrong { #expect(fault(told) == field, "\(told)") }
    }

    @Test(arguments: [
        ("2027-03-05T08:00:00Z", "2027-03-05", true), ("2027-03-07T09:00:00Z", "2027-03-07", true),
        ("2027-03-07T09:00:01Z", "2027-03-07", false), ("2036-01-01T09:00:00Z", "2036-01-01", false),
        ("2020-01-01T00:00:00Z", "2020-01-01", true), ("2019-12-31T23:59:59Z", "2019-12-31", false),
        ("1970-01-01T00:00:00Z", "1970-01-01", false),
    ])
    func `a time that no right clock shows counts as that of the telling`(at: String, day: String, isKept: Bool) throws
    {
        let happening = try Happening(Self.told(at: at, day: day), now: Self.now, today: "2027-03-06")
        #expect(happening.at == (isKept ? DateTime(at)?.instant : Self.now))
        #expect(happening.day.description == (isKept ? day : "2027-03-06"))
        // Told again, when the clock has gone on, it is the same one.
        let again = try Happening(Self.told(at: at, day: day), now: Self.now + .seconds(9), today: "2027-03-07")
        #expect(happening.covers(again) && again.covers(happening))
    }

    /// Each kind with its fields, and the shares that it needs.
    static let needs: [(Happening.Told, [Set<Share>])] = [
        (told(what: "scheduleTaken", task: nil, revision: 1), [[]]),
        (told(what: "completed"), [[.completed]]), (told(what: "missed"), [[.completed]]),
        (told(what: "completed", mood: "calm"), [[.completed, .moods]]),
        (told(what: "completed", breaths: 5), [[.completed, .breaths]]),
        (told(what: "started"), [[.completed], [.waiting]]),
        (told(what: "exerciseFinished"), [[.completed], [.waiting]]),
        (told(what: "exerciseFinished", breaths: 5), [[.waiting, .breaths], [.completed, .breaths]]),
        (told(what: "joined"), [[.completed], [.waiting]]), (told(what: "left"), [[.completed], [.waiting]]),
        (told(what: "cancelled"), [[.completed], [.waiting]]), (told(what: "setAside"), [[.completed], [.waiting]]),
        (told(what: "breathed", breaths: 1), [[.breaths]]), (told(what: "moodLogged", mood: "calm"), [[.moods]]),
        (told(what: "moodCorrected", mood: "calm"), [[.moods]]),
        (told(what: "noteWritten", task: nil, text: "a"), [[.notes]]),
    ]

    @Test func `each kind needs its shares, and no others`() throws {
        #expect(Set(Self.needs.map(\.0.what)) == Set(Happening.Kind.allCases.map(\.rawValue)))
        for (told, enough) in Self.needs {
            let happening = try Happening(told, now: Self.now, today: "2027-03-05")
            for mask in 0..<(1 << Share.allCases.count) {
                let shares = Set(Share.allCases.enumerated().filter { mask & (1 << $0.offset) != 0 }.map(\.element))
                let isEnough = enough.contains { $0.isSubset(of: shares) }
                #expect((happening.unshared(by: shares) == nil) == isEnough, "\(told.what) \(shares)")
            }
        }
    }

    @Test func `one that says less is covered by one that said more`() throws {
        let whole = try Happening(Self.told(breaths: 5, mood: "calm"), now: Self.now, today: "2027-03-05")
        for (other, isCovered) in [
            (Self.told(breaths: 5, mood: "calm"), true), (Self.told(breaths: 5), true), (Self.told(), true),
            (Self.told(mood: "tired"), false), (Self.told(breaths: 4), false), (Self.told(what: "missed"), false),
            (Self.told(task: "u"), false), (Self.told(at: "2027-03-05T09:00:01Z"), true),
        ] { #expect(try whole.covers(Happening(other, now: Self.now, today: "2027-03-05")) == isCovered, "\(other)") }
    }
}
