import PracticeInterfaces
import StaffInterfaces
import Storage
import Testing
import Time

@testable import PracticeDaemon
@testable import PracticeStore

@Suite struct `Enrolments` {
    private typealias Wire = Programmes

    @Test func `an enrolment makes its surveys and adds its tasks, once for a key`() throws {
        let course = try CourseClinic()
        let dora = try course.clinic.client("Dora", of: course.anaID)
        try course.ana.call(
            Care.Assign(client: dora, schedule: #"[[7, ["calm"], "2027-03-07"], [7, ["calm"], "2027-03-20"]]"#))
        let call = Wire.Enrol(client: dora, programme: "first", from: "2027-03-03", key: "k")
        let first = try course.ana.call(call).enrolment
        #expect(try course.ana.call(call).enrolment == first)
        #expect(
            first
                == .init(
                    id: "e2", client: dora, programme: "first", name: "First weeks", state: .active,
                    since: "2027-03-03", until: nil, lessonsRead: 0, lessons: 2, unlocked: 1, surveysDue: 0,
                    reason: nil,
                    revision: 1, summary: "To begin with."))
        // The survey of 3 and 4 March is over, and so is the task of 3 March.
        let surveys = try course.ana.call(Wire.ListSurveys(client: dora, all: true)).surveys
        #expect(surveys.map(\.opens) == ["2027-03-10T00:00:00+01:00", "2027-03-17T00:00:00+01:00"])
        #expect(surveys.map(\.occurrence) == [2, 3])
        let tasks = try course.ana.call(Care.Homework(client: dora)).tasks
        #expect(
            tasks.map { "\($0.id) \($0.due) \($0.breaths)" } == [
                "2027-03-05 2027-03-05 5", "2027-03-07 2027-03-07 7", "2027-03-07.2 2027-03-07 5",
                "2027-03-20 2027-03-20 7",
            ])
    }

    @Test func `an assignment names the tasks that it withdraws, and the programme that added them`() throws {
        let course = try CourseClinic()
        let tasks =
            ["05", "07", "09"].map { #"[5, ["calm", "tired"], "2027-03-\#($0)"]"# } + [#"[7, ["calm"], "2027-03-06"]"#]
        let all = "[\(tasks.joined(separator: ", "))]"
        #expect(try course.ana.call(Care.Assign(client: course.cleoID, schedule: all)).withdrawnTasks == nil)
        let other = #"[[9, ["calm"], "2027-03-20"]]"#
        for dryRun in [true, false] {
            let told = try course.ana.call(Care.Assign(client: course.cleoID, schedule: other, dryRun: dryRun))
            #expect(told.withdrawn == 4)
            #expect(
                told.withdrawnTasks?.map { "\($0.id) \($0.due) \($0.programme ?? "-")" } == [
                    "2027-03-05 2027-03-05 First weeks", "2027-03-06 2027-03-06 -", "2027-03-07 2027-03-07 First weeks",
                    "2027-03-09 2027-03-09 First weeks",
                ])
        }
    }

    @Test func `a client is in a programme once at a time`() throws {
        let course = try CourseClinic()
        #expect(
            throws: Practice.Invalid(
                faults: [.init(field: "programme", reason: "must be another: the client is in this one (e1).")])
        ) { try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "first")) }
        try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Her wish."))
        #expect(try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "first")).enrolment.id == "e2")
        let past = try course.ana.call(Wire.ListEnrolments(client: course.cleoID, past: true)).enrolments
        #expect(
            past.map { "\($0.id) \($0.state.rawValue) \($0.reason ?? "")" } == ["e2 active ", "e1 withdrawn Her wish."])
        #expect(try course.ana.call(Wire.ListEnrolments(client: course.cleoID)).enrolments.map(\.id) == ["e2"])
    }

    @Test(arguments: ["2028-03-07", "2026-03-03", "yesterday"]) func `the first day is within a year`(day: String)
        throws
    {
        let course = try CourseClinic()
        try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Her wish."))
        let reason =
            day == "yesterday" ? "must be a day such as 2027-03-05." : "must be within a year of today, 2027-03-05."
        #expect(throws: Practice.Invalid(faults: [.init(field: "from", reason: reason)])) {
            try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "first", from: day))
        }
    }

    @Test func `a withdrawal leaves the tasks that were assigned since, also of the same days`() throws {
        let course = try CourseClinic()
        let before = try course.ana.call(Care.Homework(client: course.cleoID)).tasks
        #expect(before.contains { $0.due == "2027-03-07" })
        try course.ana.call(
            Care.Assign(
                client: course.cleoID,
                schedule:
                    #"[[3, ["a", "b"], "2027-03-06"], [3, ["a", "b"], "2027-03-07"], [3, ["a", "b"], "2027-03-08"]]"#))
        let assigned = try course.ana.call(Care.Homework(client: course.cleoID)).tasks
        try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Her wish."))
        #expect(try course.ana.call(Care.Homework(client: course.cleoID)).tasks == assigned)
        #expect(assigned.map(\.due) == ["2027-03-06", "2027-03-07", "2027-03-08"])
    }

    /// The client begins the task of a day, and her machine reports it.
    private static func begins(_ day: String, _ course: CourseClinic) throws {
        try course.cleo.call(
            Care.Report(
                device: "laptop",
                happenings: [
                    .init(sequence: 1, id: "h1", at: "\(day)T09:00:00+01:00", day: day, what: "started", task: day)
                ]))
    }

    @Test func `a withdrawal takes away open surveys and tasks that were not begun, and nothing else`() throws {
        let course = try CourseClinic()
        try course.cleo.call(Care.SetShares(shares: ["completed"]))
        try Self.begins("2027-03-05", course)
        try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: "one"))
        let answers = SampleProgramme.answers(SampleProgramme.good)
        try course.cleo.call(Wire.Answer(survey: "q1", answers: answers, finish: true))
        course.advance(days: 1)
        let ended = try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Her wish.")).enrolment
        #expect(
            ended
                == .init(
                    id: "e1", client: course.cleoID, programme: "first", name: "First weeks", state: .withdrawn,
                    since: "2027-03-05", until: "2027-03-06", lessonsRead: 1, lessons: 2, unlocked: 1, surveysDue: 0,
                    reason: "Her wish.", revision: 1, summary: "To begin with."))
        // The reason is her thanatologist's.
        #expect(try course.cleo.call(Wire.ListEnrolments(past: true)).enrolments.map(\.reason) == [nil])
        #expect(
            try course.surveys(course.ana) == ["q1 2027-03-05T00:00:00+01:00 2027-03-07T00:00:00+01:00 answered 2.5"])
        #expect(try course.ana.call(Care.Homework(client: course.cleoID)).tasks.map(\.id) == ["2027-03-05"])
        #expect(
            try course.lessons(course.cleo) == [
                "one One: read",
                "two Two: It was not unlocked when the enrolment ended, on Saturday 6 March 2027. ",
            ])
        #expect(throws: Practice.NotFound(kind: "survey", id: "q2")) {
            try course.cleo.call(Wire.GetSurvey(survey: "q2"))
        }
        #expect(
            throws: Practice.Invalid(
                faults: [.init(field: "enrolment", reason: "must be one that goes on: this one ended on 2027-03-06.")])
        ) { try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Again.")) }
    }

    @Test func `a withdrawal keeps a task of today that was begun, and a task of another day that was not`() throws {
        let course = try CourseClinic()
        try course.cleo.call(Care.SetShares(shares: ["completed"]))
        course.advance(days: 2)
        try Self.begins("2027-03-07", course)
        try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Her wish."))
        // The list of homework would show a begun task all the same.
        let schedule = try course.clinic.writer.storage.store().schedule(of: ID(course.cleoID)).text
        let kept = ["2027-03-05", "2027-03-07", "2027-03-09"].filter { schedule.contains($0) }
        #expect(kept == ["2027-03-05", "2027-03-07"])
    }

    @Test func `a lesson is marked twice without harm, and the last one after a withdrawal finishes nothing`() throws {
        let course = try CourseClinic()
        for _ in 0..<2 {
            #expect(try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: "one")).lesson.read)
        }
        course.advance(days: 2)
        try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Her wish."))
        #expect(try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: "two")).lesson.read)
        let past = try course.ana.call(Wire.ListEnrolments(client: course.cleoID, past: true)).enrolments
        #expect(past.map { "\($0.state.rawValue) \($0.lessonsRead)" } == ["withdrawn 2"])
    }

    @Test func `a lesson that is read after a withdrawal unlocks no other`() throws {
        let course = try CourseClinic()
        course.advance(days: 2)
        try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Her wish."))
        try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: "one"))
        #expect(
            try course.lessons(course.cleo) == [
                "one One: read", "two Two: It was not unlocked when the enrolment ended, on Sunday 7 March 2027. ",
            ])
        #expect(throws: Wire.NotUnlocked.self) {
            try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: "two"))
        }
    }

    @Test func `a withdrawal before the first day is of that day, and unlocks nothing`() throws {
        let course = try CourseClinic()
        try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Her wish."))
        try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "first", from: "2027-06-01"))
        let ended = try course.ana.call(Wire.Withdraw(enrolment: "e2", reason: "Her wish.")).enrolment
        #expect(ended.since == "2027-06-01" && ended.until == "2027-03-05" && ended.unlocked == 0)
        #expect(throws: Wire.NotUnlocked.self) {
            try course.cleo.call(Wire.MarkRead(enrolment: "e2", lesson: "one"))
        }
    }

    @Test(arguments: [true, false])
    func `a lesson waits for the first occurrence of its survey, answered or over, and for no later one`(
        isAnswered: Bool
    ) throws {
        let course = try CourseClinic()
        let document = SampleProgramme.document.replacing("after_lesson = \"one\"", with: "after_survey = \"week\"")
            .replacing("\"first\"", with: "\"other\"").replacing("after_days = 2\n", with: "")
        try course.clinic.root.call(Wire.ImportProgramme(files: SampleProgramme.files(document)))
        let enrolment = try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "other")).enrolment.id
        func isUnlocked() throws -> Bool {
            try course.cleo.call(Wire.ListLessons(enrolment: enrolment)).lessons[1].unlocked
        }
        #expect(try !isUnlocked())
        if isAnswered {
            let answers = SampleProgramme.answers(SampleProgramme.good)
            try course.cleo.call(Wire.Answer(survey: "q4", answers: answers, finish: true))
        } else {
            // Nothing has tended to the clock.
            course.advance(days: 2)
        }
        #expect(try isUnlocked())
    }

    @Test func `nobody is enrolled for surveys alone that would all be over`() throws {
        let course = try CourseClinic()
        let document = "id = \"late\"\nname = \"Late\"\n[[survey]]\nfile = \"week.json\"\nopen_days = 2\n"
        let files = SampleProgramme.files(document).filter { !$0.path.hasSuffix(".md") }
        try course.clinic.root.call(Wire.ImportProgramme(files: files))
        let reason = "must be later: all surveys of the programme would be over."
        #expect(throws: Practice.Invalid(faults: [.init(field: "from", reason: reason)])) {
            try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "late", from: "2027-03-03"))
        }
        try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "late", from: "2027-03-04"))
    }

    /// Ten words of a hundred bytes.
    private static let longMoods =
        "[\((0..<10).map { "\"\($0)\(String(repeating: "x", count: 99))\"" }.joined(separator: ", "))]"

    /// A thousand tasks, or a text of nearly 128 KiB.
    @Test(arguments: [(1_000, #"["calm"]"#), (115, longMoods)])
    func `nobody is enrolled whose schedule has no room for the tasks, and nothing of it is kept`(
        tasks: Int, moods: String
    ) throws {
        let course = try CourseClinic()
        let dora = try course.clinic.client("Dora", of: course.anaID)
        let entries = (0..<tasks).map { "[1, \(moods), \"\(CalendarDay("2027-03-06") + $0)\"]" }
        try course.ana.call(Care.Assign(client: dora, schedule: "[\(entries.joined(separator: ", "))]"))
        let long = SampleProgramme.document.replacing("[\"calm\", \"tired\"]", with: Self.longMoods)
            .replacing("times = 3\nbreaths", with: "times = 20\nbreaths").replacing("\"first\"", with: "\"long\"")
        try course.clinic.root.call(Wire.ImportProgramme(files: SampleProgramme.files(long)))
        let reason = "has more tasks than fit into the client's schedule: leave out some that are long over."
        #expect(throws: Practice.Invalid(faults: [.init(field: "programme", reason: reason)])) {
            try course.ana.call(Wire.Enrol(client: dora, programme: "long"))
        }
        #expect(try course.ana.call(Wire.ListEnrolments(client: dora)).enrolments == [])
    }

    @Test func `lessons unlock by the client's days and by what they read, each with its reason`() throws {
        let course = try CourseClinic()
        #expect(
            try course.lessons(course.cleo) == [
                "one One: unlocked", "two Two: It unlocks on Sunday 7 March 2027, once “One” is read. ",
            ])
        #expect(
            throws: Wire.NotUnlocked(
                reason: "It unlocks on Sunday 7 March 2027, once “One” is read.", unlocksAt: nil)
        ) { try course.cleo.call(Wire.GetLesson(enrolment: "e1", lesson: "two")) }
        // Her thanatologist reads it.
        #expect(try course.ana.call(Wire.GetLesson(enrolment: "e1", lesson: "two")).text == "# Two\n\nMore.\n")
        try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: "one"))
        #expect(
            try course.lessons(course.cleo) == [
                "one One: read", "two Two: It unlocks on Sunday 7 March 2027. 2027-03-07T00:00:00+01:00",
            ])
        #expect(
            throws: Wire.NotUnlocked(
                reason: "It unlocks on Sunday 7 March 2027.", unlocksAt: "2027-03-07T00:00:00+01:00",
                unlocksOn: "2027-03-07")
        ) { try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: "two")) }
        course.advance(days: 2)
        #expect(try course.lessons(course.cleo) == ["one One: read", "two Two: unlocked"])
        #expect(throws: Practice.NotFound(kind: "lesson", id: "three")) {
            try course.cleo.call(Wire.GetLesson(enrolment: "e1", lesson: "three"))
        }
    }

    @Test func `lessons of a client in another zone unlock when their own day begins`() throws {
        let course = try CourseClinic()
        let revision = try course.ana.call(Records.GetClient(client: course.cleoID)).client.revision
        try course.ana.call(
            Records.EditClient(client: course.cleoID, revision: revision, timeZone: "Pacific/Auckland"))
        try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: "one"))
        #expect(
            try course.lessons(course.cleo) == [
                "one One: read", "two Two: It unlocks on Sunday 7 March 2027. 2027-03-07T00:00:00+13:00",
            ])
        // An hour before noon on Saturday in Madrid it is an hour before midnight there.
        course.clinic.clock.advance(by: .seconds(26 * 3_600))
        #expect(try course.lessons(course.cleo).last?.hasPrefix("two Two: It unlocks") == true)
        course.clinic.clock.advance(by: .seconds(3_600))
        #expect(try course.lessons(course.cleo).last == "two Two: unlocked")
    }

    @Test func `an enrolment is finished once all lessons are read and all surveys are over`() throws {
        let course = try CourseClinic()
        course.advance(days: 2)
        for lesson in ["one", "two"] { try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: lesson)) }
        #expect(
            try course.clinic.root.call(Upkeep.Tend()) == .init(opened: 1, missed: 1, next: "2027-03-12T00:00:00+01:00")
        )
        course.advance(days: 5)
        let answers = SampleProgramme.answers(SampleProgramme.good)
        try course.cleo.call(Wire.Answer(survey: "q2", answers: answers, finish: true))
        #expect(try course.cleo.call(Wire.ListEnrolments()).enrolments.map(\.state) == [.active])
        course.advance(days: 9)
        #expect(try course.clinic.root.call(Upkeep.Tend()) == .init(opened: 1, missed: 1))
        let ended = try course.cleo.call(Wire.ListEnrolments(past: true)).enrolments
        #expect(ended.map { "\($0.state.rawValue) \($0.until ?? "")" } == ["finished 2027-03-21"])
    }

    @Test func `a client hears the day of their own calendar, and everybody else none`() throws {
        let course = try CourseClinic()
        let revision = try course.ana.call(Records.GetClient(client: course.cleoID)).client.revision
        try course.ana.call(
            Records.EditClient(client: course.cleoID, revision: revision, timeZone: "Pacific/Auckland"))
        course.clinic.clock.advance(by: .seconds(6 * 3_600))
        let told = try course.cleo.call(Practice.WhoAmI())
        #expect(told.today == "2027-03-05" && told.clientToday == "2027-03-06")
        for caller in [course.ana, course.clinic.root, course.clinic.visitor] {
            #expect(try caller.call(Practice.WhoAmI()).clientToday == nil)
        }
    }

    @Test func `the closing of a record withdraws its enrolments, and opening it again brings none back`() throws {
        let course = try CourseClinic()
        try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Her wish."))
        try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "first"))
        try course.ana.call(Records.CloseRecord(client: course.cleoID, reason: "All is said."))
        try course.ana.call(Records.ReopenRecord(client: course.cleoID, why: .mistake, reason: "Too soon."))
        let all = try course.ana.call(Wire.ListEnrolments(client: course.cleoID, past: true)).enrolments
        #expect(all.map(\.closedWith) == [true, nil])
        #expect(
            all.map { "\($0.state.rawValue) \($0.reason ?? "")" } == [
                "withdrawn The record was closed.", "withdrawn Her wish.",
            ])
        #expect(try course.surveys(course.ana) == [])
    }

    @Test func `nobody is enrolled whose record is closed`() throws {
        let course = try CourseClinic()
        try course.ana.call(Records.CloseRecord(client: course.cleoID, reason: "All is said."))
        #expect(throws: Records.RecordClosed(client: course.cleoID, closedOn: "2027-03-05")) {
            try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "first"))
        }
    }

    @Test func `the reason of a withdrawal is the thanatologist's, in the case file too`() throws {
        let course = try CourseClinic()
        try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "She reads none of it."))
        func file(_ caller: Clinic.TestCaller) throws -> String {
            String(decoding: try caller.call(Records.CaseFile(client: course.cleoID)).file.text, as: UTF8.self)
        }
        #expect(try file(course.ana).contains("She reads none of it."))
        #expect(try !file(course.cleo).contains("She reads none of it."))
    }

    @Test func `the erasing of a record leaves nothing of its enrolments`() throws {
        let course = try CourseClinic()
        try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: "one"))
        try course.cleo.call(
            Wire.Answer(survey: "q1", answers: SampleProgramme.answers(SampleProgramme.good), finish: true, key: "a"))
        course.advance(days: 10)
        try course.clinic.root.call(Upkeep.Tend())
        try course.ana.call(Records.CloseRecord(client: course.cleoID, reason: "All is said."))
        try course.clinic.root.call(Records.EraseRecord(client: course.cleoID, number: 1, reason: "Asked."))
        let store = try course.clinic.writer.storage.store()
        #expect(try store.rowsOfCourses() == 0)
        // The programme stays, and no news speaks of them.
        #expect(try course.clinic.root.call(Wire.ListProgrammes()).programmes.map(\.id) == ["first"])
        #expect(try store.news(of: ID(course.anaID), after: 0).filter { ["q1", "q2", "e1"].contains($0.what) } == [])
    }

    @Test func `a client and their thanatologist hear of it by kind and number`() throws {
        let course = try CourseClinic()
        let store = try course.clinic.writer.storage.store()
        let before = try (store.newsCount(of: ID(course.anaID)), store.newsCount(of: ID(course.cleoID)))
        try course.cleo.call(Wire.MarkRead(enrolment: "e1", lesson: "one"))
        try course.cleo.call(
            Wire.Answer(survey: "q1", answers: SampleProgramme.answers(SampleProgramme.good), finish: true))
        for (person, count) in [(course.anaID, before.0), (course.cleoID, before.1)] {
            let news = try store.news(of: ID(person), after: count)
            #expect(news.map { "\($0.kind.rawValue) \($0.what ?? "")" } == ["programme e1", "survey q1"])
        }
    }
}

extension Store {
    /// The rows of all tables that say something about a client's enrolments.
    func rowsOfCourses() throws -> Int {
        try [
            "enrolment", "enrolment_end", "enrolment_task", "lesson_read", "survey", "survey_pending", "survey_kept",
            "survey_answer", "survey_missed",
        ].reduce(0) { try $0 + (database.number("SELECT count(*) FROM \($1)") ?? 0) }
    }
}
