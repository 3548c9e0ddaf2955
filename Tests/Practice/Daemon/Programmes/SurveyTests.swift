import Foundation
import JSON
import PracticeInterfaces
import PracticeStore
import StaffInterfaces
import SurveyFormat
import Testing
import Time
import Varlink

@testable import PracticeDaemon

@Suite struct `Surveys of a client` {
    private typealias Wire = Programmes

    private let first = "q1 2027-03-05T00:00:00+01:00 2027-03-07T00:00:00+01:00"
    private let second = "q2 2027-03-12T00:00:00+01:00 2027-03-14T00:00:00+01:00"
    private let third = "q3 2027-03-19T00:00:00+01:00 2027-03-21T00:00:00+01:00"

    @Test func `the due ones come first, then those to come, then those that are over`() throws {
        let course = try CourseClinic()
        #expect(try course.surveys(course.cleo) == ["\(first) due", "\(second) upcoming", "\(third) upcoming"])
        course.advance(days: 8)
        // Nothing has tended to the clock, and the first one is over all the same.
        #expect(try course.surveys(course.cleo, all: false) == ["\(second) due", "\(third) upcoming"])
        #expect(try course.surveys(course.cleo) == ["\(second) due", "\(third) upcoming", "\(first) missed"])
        try course.clinic.root.call(Upkeep.Tend())
        #expect(try course.surveys(course.cleo) == ["\(second) due", "\(third) upcoming", "\(first) missed"])
    }

    @Test func `a long list has pages`() throws {
        let course = try CourseClinic()
        course.advance(days: 8)
        var (seen, next) = ([String](), String?.none)
        repeat {
            let page = try course.ana.call(Wire.ListSurveys(client: course.cleoID, all: true, after: next, limit: 1))
            seen += page.surveys.map(\.id)
            next = page.next
        } while next != nil && seen.count < 9
        #expect(seen == ["q2", "q3", "q1"])
        let fault = Practice.Invalid(faults: [
            .init(field: "after", reason: "must be what \"next\" said on the page before.")
        ])
        for after in ["x", "1.x"] {
            #expect(throws: fault) { try course.ana.call(Wire.ListSurveys(client: course.cleoID, after: after)) }
        }
    }

    @Test func `answers are kept for the client alone until they are finished`() throws {
        let course = try CourseClinic()
        let kept = SampleProgramme.answers(SampleProgramme.walked)
        let reply = try course.cleo.call(Wire.Answer(survey: "q1", answers: kept, finish: false)).survey
        #expect(reply.kept == true && reply.state == .due)
        #expect(try course.cleo.call(Wire.GetSurvey(survey: "q1")).answers == kept)
        let seen = try course.ana.call(Wire.GetSurvey(survey: "q1"))
        #expect(seen.answers == nil && seen.survey.kept == nil)
        #expect(throws: Wire.Incomplete(questions: ["sleep", "far"])) {
            try course.cleo.call(Wire.Answer(survey: "q1", answers: kept, finish: true))
        }
        let all = [SampleProgramme.good, SampleProgramme.walked, SampleProgramme.far].joined(separator: ",")
        let answers = SampleProgramme.answers(all)
        let call = Wire.Answer(survey: "q1", answers: answers, finish: true, key: "k")
        let answered = try course.cleo.call(call).survey
        #expect(answered.state == .answered && answered.score == nil && answered.least == nil)
        #expect(try course.cleo.call(call).survey == answered)
        #expect(throws: Wire.NotDue(state: "answered", opens: "2027-03-05T00:00:00+01:00")) {
            try course.cleo.call(Wire.Answer(survey: "q1", answers: answers, finish: true))
        }
        let ofAna = try course.ana.call(Wire.GetSurvey(survey: "q1"))
        #expect(ofAna.survey.score == 2.5 && ofAna.survey.least == -1 && ofAna.survey.greatest == 2.5)
        #expect(
            String(decoding: ofAna.answers?.text ?? [], as: UTF8.self) == """
                {"resourceType":"QuestionnaireResponse","id":"q1","questionnaire":"urn:daybreak:programme:first:week|1",\
                "status":"completed","subject":{"display":"Client 1"},"authored":"2027-03-05T09:00:00+01:00","item":[\
                {"linkId":"sleep","text":"How did you sleep?","answer":[{"valueCoding":{"code":"good","display":"Well"}}]},\
                {"linkId":"walk","text":"Did you walk?","answer":[{"valueBoolean":true}]},\
                {"linkId":"far","text":"How far?","answer":[{"valueInteger":3}]}]}
                """)
    }

    @Test func `two windows that tell what they changed lose nothing of each other's`() throws {
        let course = try CourseClinic()
        func keep(_ items: [String], _ changed: [String]?) throws -> String {
            let answers = SampleProgramme.answers(items.joined(separator: ","))
            try course.cleo.call(Wire.Answer(survey: "q1", answers: answers, finish: false, changed: changed))
            let kept = try course.cleo.call(Wire.GetSurvey(survey: "q1")).answers
            return String(decoding: kept?.text ?? [], as: UTF8.self)
        }
        let both = try keep([SampleProgramme.good], nil)
        #expect(both.contains("sleep"))
        let others = try keep([SampleProgramme.walked], ["walk"])
        #expect(others.contains("sleep") && others.contains("walk"))
        let back = try keep([SampleProgramme.walked], ["sleep"])
        #expect(!back.contains("sleep") && back.contains("walk"))
        let last = SampleProgramme.answers([SampleProgramme.good, SampleProgramme.far].joined(separator: ","))
        let call = Wire.Answer(survey: "q1", answers: last, finish: true, changed: ["sleep", "far"])
        #expect(try course.cleo.call(call).survey.state == .answered)
    }

    @Test func `the longest answers close no case file`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let cleo = try clinic.client("Cleo", of: ana)
        let items = (1...7).map { #"{"linkId":"t\#($0)","type":"text","text":"Question \#($0), and more of it"}"# }
        let survey =
            #"{"resourceType":"Questionnaire","title":"Long","status":"active","item":[\#(items.joined(separator: ","))]}"#
        let files = SampleProgramme.files().dropLast() + [.init(path: "week.json", text: survey)]
        try clinic.root.call(Wire.ImportProgramme(files: Array(files)))
        try clinic.as(ana).call(Wire.Enrol(client: cleo, programme: "first"))
        func answers(_ last: Int) -> RawJSON {
            let texts = (1...7).map { number in
                let text = String(repeating: "🌊", count: number == 7 ? last : 10_000)
                return #"{"linkId":"t\#(number)","answer":[{"valueString":"\#(text)"}]}"#
            }
            return SampleProgramme.answers(texts.joined(separator: ","))
        }
        let rest = (SurveyAnswers.byteLimit - answers(0).text.count) / 4
        // The answers that are kept already count as well.
        try clinic.as(cleo).call(Wire.Answer(survey: "q1", answers: answers(rest / 2), finish: false))
        let waves = String(repeating: "🌊", count: 10_000)
        let one = SampleProgramme.answers(#"{"linkId":"t7","answer":[{"valueString":"\#(waves)"}]}"#)
        #expect(
            throws: Practice.Invalid(faults: [
                .init(
                    field: "answers",
                    reason: "must have no more than \(SurveyAnswers.byteLimit) bytes, with those that were kept before."
                )
            ])
        ) { try clinic.as(cleo).call(Wire.Answer(survey: "q1", answers: one, finish: false, changed: ["t7"])) }
        try clinic.as(cleo).call(Wire.Answer(survey: "q1", answers: answers(rest), finish: true))
        for caller in [ana, cleo] { try clinic.as(caller).call(Records.CaseFile(client: cleo)) }
    }

    @Test func `a key of one survey finishes no other`() throws {
        let course = try CourseClinic()
        let dora = try course.clinic.client("Dora", of: course.anaID)
        try course.ana.call(Wire.Enrol(client: dora, programme: "first"))
        let answers = SampleProgramme.answers(SampleProgramme.good)
        try course.cleo.call(Wire.Answer(survey: "q1", answers: answers, finish: true, key: "k"))
        course.advance(days: 7)
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "key", reason: "was used for another survey: take a new one.")
            ])
        ) { try course.cleo.call(Wire.Answer(survey: "q2", answers: answers, finish: true, key: "k")) }
        // Another client's key is another key.
        let own = try course.clinic.as(dora).call(
            Wire.Answer(survey: "q5", answers: answers, finish: true, key: "k"))
        #expect(own.survey.state == .answered)
    }

    @Test func `no client sees, answers or is told of another's survey`() throws {
        let course = try CourseClinic()
        let dora = course.clinic.as(try course.clinic.client("Dora", of: course.anaID))
        let unknown = Practice.NotFound(kind: "survey", id: "q1")
        #expect(throws: unknown) { try dora.call(Wire.GetSurvey(survey: "q1")) }
        for finish in [false, true] {
            #expect(throws: unknown) {
                try dora.call(
                    Wire.Answer(
                        survey: "q1", answers: SampleProgramme.answers(SampleProgramme.good), finish: finish))
            }
        }
        #expect(try dora.call(Wire.ListSurveys(all: true)).surveys == [])
    }

    @Test func `an answer to a question that is not asked is left out at the end`() throws {
        let course = try CourseClinic()
        let answers = SampleProgramme.answers("\(SampleProgramme.good),\(SampleProgramme.far)")
        try course.cleo.call(Wire.Answer(survey: "q1", answers: answers, finish: true))
        let text = try course.ana.call(Wire.GetSurvey(survey: "q1")).answers?.text ?? []
        #expect(!String(decoding: text, as: UTF8.self).contains("far"))
    }

    @Test(arguments: [
        (
            #"{"linkId":"none","answer":[{"valueBoolean":true}]}"#, "answers.none",
            "must be a question of the survey, within its group."
        ),
        (#"{"linkId":"walk","answer":[{"valueString":"yes"}]}"#, "answers.walk", "must be yes or no."),
        (
            #"{"linkId":"sleep","answer":[{"valueCoding":{"code":"x"}}]}"#, "answers.sleep",
            "must be one of the choices."
        ),
        (#"{"linkId":"far","answer":[{"valueInteger":1.5}]}"#, "answers.far", "must be a whole number."),
        (
            #"{"linkId":"more","answer":[{"valueString":"a\u0007"}]}"#, "answers.more",
            "must not have U+0007 (control character): it cannot be seen."
        ),
        (
            #"{"linkId":"walk","answer":[{"valueBoolean":true},{"valueBoolean":true}]}"#, "answers.walk",
            "must have one answer with one value."
        ),
        (
            #"{"linkId":"walk","answer":[{"valueBoolean":true}]},{"linkId":"walk","answer":[{"valueBoolean":false}]}"#,
            "answers.walk", "must have one answer."
        ),
        (
            #"{"linkId":"sleep","answer":[{"valueCoding":{"code":"good","display":"Badly"}}]}"#, "answers.sleep",
            "must be one of the choices."
        ),
        (#"{"linkId":"walk","x":1}"#, "answers", "must not have \"x\", which is not known."),
    ]) func `an answer that does not fit is refused, also before the end`(items: String, field: String, reason: String)
        throws
    {
        let course = try CourseClinic()
        for finish in [false, true] {
            #expect(throws: Practice.Invalid(faults: [.init(field: field, reason: reason)])) {
                try course.cleo.call(
                    Wire.Answer(survey: "q1", answers: SampleProgramme.answers(items), finish: finish))
            }
        }
    }

    @Test func `a survey can be answered from its first instant until before its last`() throws {
        let course = try CourseClinic()
        let answers = SampleProgramme.answers(SampleProgramme.good)
        #expect(throws: Wire.NotDue(state: "upcoming", opens: "2027-03-12T00:00:00+01:00")) {
            try course.cleo.call(Wire.Answer(survey: "q2", answers: answers, finish: true))
        }
        // 15 hours from nine to midnight, and a day.
        course.clinic.clock.advance(by: .seconds(39 * 3_600) - .microseconds(1))
        try course.cleo.call(Wire.Answer(survey: "q1", answers: answers, finish: false))
        course.clinic.clock.advance(by: .microseconds(1))
        #expect(throws: Wire.NotDue(state: "missed", opens: "2027-03-05T00:00:00+01:00")) {
            try course.cleo.call(Wire.Answer(survey: "q1", answers: answers, finish: true))
        }
        #expect(try course.clinic.root.call(Upkeep.Tend()).missed == 1)
    }

    @Test func `a survey that was missed is told to the thanatologist by number, once`() throws {
        let course = try CourseClinic()
        let dora = try course.clinic.client("Dora", of: course.anaID)
        try course.ana.call(Wire.Enrol(client: dora, programme: "first"))
        #expect(
            try course.clinic.root.call(Upkeep.Tend()) == .init(opened: 2, missed: 0, next: "2027-03-07T00:00:00+01:00")
        )
        course.advance(days: 2)
        #expect(
            try course.clinic.root.call(Upkeep.Tend()) == .init(opened: 0, missed: 2, next: "2027-03-12T00:00:00+01:00")
        )
        #expect(try course.clinic.root.call(Upkeep.Tend()).missed == 0)
        let letters = try course.ana.call(Mail.List(folder: "inbox")).letters
        #expect(
            letters.map { "\($0.from.name): \($0.subject), \($0.system)" } == [
                "Clinic at the Park: A survey was missed by No. 2, true",
                "Clinic at the Park: A survey was missed by No. 1, true",
            ])
        let letter = try course.ana.call(Mail.Get(letter: letters[1].id)).letter
        #expect(
            letter.body == """
                This survey was not answered while open:

                - “Your week” of the programme “First weeks”, open until Saturday 6 March 2027

                """)
        // The letter about a client goes with the client's record.
        try course.ana.call(Records.CloseRecord(client: dora, reason: "All is said."))
        try course.clinic.root.call(Records.EraseRecord(client: dora, number: 2, reason: "Asked for."))
        #expect(
            try course.ana.call(Mail.List(folder: "inbox")).letters.map(\.subject) == ["A survey was missed by No. 1"])
        // A clock that is set back brings no survey back.
        course.advance(days: -2)
        #expect(try course.surveys(course.cleo).last == "\(first) missed")
    }

    @Test func `a survey that opened and closed while nobody tended to the clock is told of once`() throws {
        let course = try CourseClinic()
        course.advance(days: 3)
        let news = try course.clinic.root.outcome(Upkeep.Tend()).news.filter { $0.kind == .survey }
        let told = [course.anaID, course.cleoID].map { "\($0) q1" }
        #expect(news.map { "\($0.person) \($0.what ?? "")" }.sorted() == told.sorted())
    }

    @Test func `surveys of many clients open with as many statements as one client's`() throws {
        func statements(clients: Int) throws -> Int {
            let course = try CourseClinic()
            for number in 1..<clients {
                let other = try course.clinic.client("Client \(number)", of: course.anaID)
                try course.ana.call(Wire.Enrol(client: other, programme: "first"))
            }
            var opened = 0
            let statements = try course.clinic.statements { opened = try course.clinic.root.call(Upkeep.Tend()).opened }
            #expect(opened == clients)
            return statements.count
        }
        #expect(try statements(clients: 5) == statements(clients: 1))
    }

    @Test func `two surveys of a client that open at once are two news, and the oldest news go`() throws {
        let course = try CourseClinic()
        let other = SampleProgramme.document.replacing(#"id = "first""#, with: #"id = "other""#)
        try course.clinic.root.call(Wire.ImportProgramme(files: SampleProgramme.files(other)))
        try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "other"))
        let store = try course.clinic.writer.storage.store()
        let cleo = ID<Person>(course.cleoID)
        let before = try store.newsCount(of: cleo)
        try store.transaction {
            for _ in before..<1_000 { _ = try store.addNews(for: cleo, .mail, nil, at: course.clinic.clock.now) }
        }
        let news = try course.clinic.root.outcome(Upkeep.Tend()).news.filter { $0.person == cleo }
        #expect(news.map(\.number) == [1_001, 1_002])
        #expect(news.map(\.what) == ["q1", "q4"])
        let kept = try store.news(of: cleo, after: 0)
        #expect(kept.map(\.number) == Array(3...1_002))
        #expect(kept.suffix(2) == news[...])
    }

    @Test func `a survey of an enrolment that ended takes no answers`() throws {
        let course = try CourseClinic()
        try course.ana.call(Wire.Withdraw(enrolment: "e1", reason: "Her wish."))
        for finish in [false, true] {
            #expect(throws: Practice.NotFound(kind: "survey", id: "q1")) {
                try course.cleo.call(
                    Wire.Answer(
                        survey: "q1", answers: SampleProgramme.answers(SampleProgramme.good), finish: finish))
            }
        }
    }

    @Test func `a client who moves has their days by the new zone`() throws {
        let course = try CourseClinic()
        let revision = try course.ana.call(Records.GetClient(client: course.cleoID)).client.revision
        let outcome = try course.ana.outcome(
            Records.EditClient(client: course.cleoID, revision: revision, timeZone: "Pacific/Auckland"))
        #expect(outcome.changesSurveys)
        #expect(
            try course.surveys(course.cleo, all: false) == [
                "q1 2027-03-05T00:00:00+13:00 2027-03-07T00:00:00+13:00 due",
                "q2 2027-03-12T00:00:00+13:00 2027-03-14T00:00:00+13:00 upcoming",
                "q3 2027-03-19T00:00:00+13:00 2027-03-21T00:00:00+13:00 upcoming",
            ])
        #expect(try course.clinic.root.call(Upkeep.Tend()).next == "2027-03-06T12:00:00+01:00")
    }

    @Test func `a follower hears of the days, and of nothing else`() throws {
        let course = try CourseClinic()
        let outcome = try course.cleo.outcome(Care.Follow(device: "laptop"), more: true)
        let follow = try Reply(frame: Array(outcome.frame.dropLast())).decode(Care.Follow.Reply.self).news
        #expect(follow.surveysDue == 1 && follow.unreadLessons == 1)
        #expect(
            follow.surveys == [
                .init(id: "q1", opens: "2027-03-05T00:00:00+01:00", closes: "2027-03-07T00:00:00+01:00"),
                .init(id: "q2", opens: "2027-03-12T00:00:00+01:00", closes: "2027-03-14T00:00:00+01:00"),
                .init(id: "q3", opens: "2027-03-19T00:00:00+01:00", closes: "2027-03-21T00:00:00+01:00"),
            ])
        // It is answered again once the first one closes.
        #expect(outcome.liveQuery?.until.map { $0.spelled(in: course.clinic.zone) } == "2027-03-07T00:00:00+01:00")
    }

    @Test func `reads and changes are in the audit`() throws {
        let course = try CourseClinic()
        try course.cleo.call(Wire.ListSurveys())
        try course.cleo.call(
            Wire.Answer(survey: "q1", answers: SampleProgramme.answers(SampleProgramme.good), finish: true))
        try course.ana.call(Wire.GetSurvey(survey: "q1"))
        let entries = try course.clinic.root.call(Practice.Audit(client: course.cleoID)).entries
        #expect(
            entries.prefix(4).map { "\($0.personName ?? "") \($0.did) \($0.what ?? "")" } == [
                "Ana GetSurvey q1", "Cleo Answer q1", "Cleo ListSurveys 3", "Ana Enrol e1",
            ])
    }

    @Test func `a case file has the answers as another library reads them`() throws {
        let python = try #require(ProcessInfo.processInfo.environment["DAYBREAK_PYTHON"], "DAYBREAK_PYTHON is not set")
        let course = try CourseClinic()
        let all = [SampleProgramme.good, SampleProgramme.walked, SampleProgramme.far].joined(separator: ",")
        try course.cleo.call(
            Wire.Answer(survey: "q1", answers: SampleProgramme.answers(all), finish: true))
        course.advance(days: 7)
        try course.cleo.call(
            Wire.Answer(survey: "q2", answers: SampleProgramme.answers(SampleProgramme.walked), finish: false))
        func read(_ caller: Clinic.TestCaller) throws -> String {
            let file = try caller.call(Records.CaseFile(client: course.cleoID)).file
            let path = course.clinic.folder.appending(path: "case.json")
            try Data(file.text).write(to: path)
            let program = Process()
            program.executableURL = URL(filePath: python)
            program.arguments = ["-c", Self.judge, path.path]
            return try program.runToEnd().said
        }
        #expect(
            try read(course.ana) == """
                week active ['sleep', 'walk', 'far', 'more']
                q1 completed Client 1 sleep=good walk=True far=3
                q1 answered 2.5

                """)
        // The client's own has what they saved, and no score.
        #expect(
            try read(course.cleo) == """
                week active ['sleep', 'walk', 'far', 'more']
                q1 completed Client 1 sleep=good walk=True far=3
                q2 in-progress Client 1 walk=True
                q1 answered None
                q2 due None

                """)
    }

    private static let judge = """
        import json, sys
        from fhir.resources.R4B.questionnaire import Questionnaire
        from fhir.resources.R4B.questionnaireresponse import QuestionnaireResponse
        file = json.load(open(sys.argv[1]))["programmes"]
        for kept in file["questionnaires"]:
            read = Questionnaire.model_validate(kept["questionnaire"])
            print(kept["survey"], read.status, [item.linkId for item in read.item])
        for kept in file["responses"]:
            read = QuestionnaireResponse.model_validate(kept)
            def value(answer):
                return answer.valueCoding.code if answer.valueCoding else \\
                    answer.valueBoolean if answer.valueBoolean is not None else answer.valueInteger
            print(read.id, read.status, read.subject.display, *(f"{item.linkId}={value(item.answer[0])}" for item in read.item))
        for kept in file["surveys"]:
            print(kept["id"], kept["state"], kept.get("score"))
        """
}

extension Clinic {
    var zone: Zone { Clinic.settings.zone }
}
