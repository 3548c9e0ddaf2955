import Foundation
import PracticeInterfaces
import PracticeStore
import TestSupport
import Testing

@testable import PracticeDaemon

@Suite struct `The programmes of a practice` {
    private typealias Wire = Programmes

    private func programme(revision: Int = 1, offered: Bool = true, name: String = "First weeks") -> Wire.Programme {
        .init(
            id: "first", name: name, summary: "To begin with.", lessons: 2, surveys: 1, offered: offered,
            revision: revision)
    }

    @Test func `an import makes a version, and the same folder again makes none`() throws {
        let clinic = try Clinic()
        let check = try clinic.root.call(Wire.ImportProgramme(files: SampleProgramme.files(), dryRun: true))
        #expect(check == .init(programme: programme(), changed: true))
        #expect(try clinic.root.call(Wire.ListProgrammes()).programmes == [])
        for changed in [true, false] {
            let reply = try clinic.root.call(Wire.ImportProgramme(files: SampleProgramme.files()))
            #expect(reply == .init(programme: programme(), changed: changed))
        }
        let other = SampleProgramme.files(SampleProgramme.document.replacing("First weeks", with: "Weeks"))
        let reply = try clinic.root.call(Wire.ImportProgramme(files: other))
        #expect(reply == .init(programme: programme(revision: 2, name: "Weeks"), changed: true))
        #expect(try clinic.root.call(Wire.ListProgrammes()).programmes == [programme(revision: 2, name: "Weeks")])
    }

    @Test func `a folder with faults is refused as a whole, and each fault is named`() throws {
        let clinic = try Clinic()
        var files = SampleProgramme.files()
        files[0].text += "\nminutes = \"five\"\n"
        files[3].text = SampleProgramme.survey.replacing("\"boolean\"", with: "\"quantity\"")
        files.append(.init(path: "three.md", text: "# Three"))
        #expect(
            throws: Wire.InvalidProgramme(
                file: "programme.toml", line: 26,
                reason:
                    "There is no \"minutes\" in a [[homework]]: it has day, every_days, times, breaths, moods and pattern.",
                faults: [
                    .init(
                        file: "programme.toml", line: 26,
                        reason:
                            "There is no \"minutes\" in a [[homework]]: it has day, every_days, times, breaths, moods and pattern."
                    ),
                    .init(
                        file: "week.json", line: 10,
                        reason:
                            "The type \"quantity\" is not known: there are group, display, choice, boolean, integer, decimal, date, string, text."
                    ),
                    .init(
                        file: "three.md", line: nil, reason: "No [[lesson]] and no [[survey]] names this file."),
                ])
        ) { try clinic.root.call(Wire.ImportProgramme(files: files)) }
        #expect(try clinic.root.call(Wire.ListProgrammes()).programmes == [])
    }

    @Test func `a new version changes nothing for a client who has begun`() throws {
        let course = try CourseClinic()
        let before = try course.lessons(course.cleo)
        let asked = try course.cleo.call(Wire.GetSurvey(survey: "q1")).questionnaire
        var files = SampleProgramme.files(
            SampleProgramme.document.replacing("after_days = 2", with: "after_days = 9"),
            lesson: "# Another\n\nOther words.\n")
        files[3].text = SampleProgramme.survey.replacing("2.5", with: "7").replacing("you walk", with: "you run")
        try course.clinic.root.call(Wire.ImportProgramme(files: files))
        #expect(try course.lessons(course.cleo) == before)
        #expect(try course.cleo.call(Wire.GetSurvey(survey: "q1")).questionnaire == asked)
        try course.cleo.call(
            Wire.Answer(survey: "q1", answers: SampleProgramme.answers(SampleProgramme.good), finish: true))
        let answered = try course.ana.call(Wire.GetSurvey(survey: "q1")).survey
        #expect(answered.score == 2.5 && answered.greatest == 2.5)
        let lesson = try course.cleo.call(Wire.GetLesson(enrolment: course.enrolment, lesson: "one"))
        #expect(lesson.text == "# One\n\nText.\n")
        #expect(try course.cleo.call(Wire.ListEnrolments()).enrolments.map(\.revision) == [1])
        let dora = try course.clinic.client("Dora", of: course.anaID)
        let later = try course.ana.call(Wire.Enrol(client: dora, programme: "first")).enrolment
        #expect(later.revision == 2)
    }

    @Test func `nobody is enrolled in a programme that is not offered`() throws {
        let course = try CourseClinic()
        let reply = try course.clinic.root.call(Wire.Offer(programme: "first", offered: false))
        #expect(reply == .init(programme: programme(offered: false)))
        let dora = try course.clinic.client("Dora", of: course.anaID)
        #expect(
            throws: Practice.Invalid(faults: [.init(field: "programme", reason: "must be one that is offered.")])
        ) { try course.ana.call(Wire.Enrol(client: dora, programme: "first")) }
        // Cleo goes on.
        #expect(try course.cleo.call(Wire.ListEnrolments()).enrolments.map(\.id) == ["e1"])
        #expect(throws: Practice.NotFound(kind: "programme", id: "none")) {
            try course.clinic.root.call(Wire.Offer(programme: "none", offered: true))
        }
    }

    private func files(_ id: String) -> [Wire.ImportProgramme.Files] {
        SampleProgramme.second.map { .init(path: $0.path, text: $0.text.replacing("second", with: id)) }
    }

    @Test func `there are no more than 200 programmes, and each of them may have a new version`() throws {
        let clinic = try Clinic()
        for number in 1...200 { try clinic.root.call(Wire.ImportProgramme(files: files("p\(number)"))) }
        let reason = "are too many: there are 200 programmes already."
        #expect(throws: Practice.Invalid(faults: [.init(field: "files", reason: reason)])) {
            try clinic.root.call(Wire.ImportProgramme(files: files("p201")))
        }
        let again = files("p7").map { Wire.ImportProgramme.Files(path: $0.path, text: $0.text + "\n") }
        _ = try clinic.root.call(Wire.ImportProgramme(files: again))
        #expect(try clinic.root.call(Wire.ListProgrammes()).programmes.count == 200)
    }

    @Test func `a client is in no more than ten programmes at a time`() throws {
        let course = try CourseClinic()
        for number in 1...10 { try course.clinic.root.call(Wire.ImportProgramme(files: files("p\(number)"))) }
        for number in 1...9 { try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "p\(number)")) }
        let reason = "must wait: the client is in 10 programmes."
        #expect(throws: Practice.Invalid(faults: [.init(field: "programme", reason: reason)])) {
            try course.ana.call(Wire.Enrol(client: course.cleoID, programme: "p10"))
        }
    }

    @Test func `the example in Config can be imported`() throws {
        let clinic = try Clinic()
        let files = try ExampleProgramme.files()
        let reply = try clinic.root.call(Wire.ImportProgramme(files: files))
        #expect(
            reply.programme
                == .init(
                    id: "first-weeks", name: "The first weeks",
                    summary:
                        "Four short lessons for the first weeks after a loss, three questions a week, and some minutes of breathing.",
                    lessons: 4, surveys: 1, offered: true, revision: 1))
        #expect(files.count == 6)
    }

    @Test func `a programme of 200 lessons is imported`() throws {
        let clinic = try Clinic()
        let lessons = (1...200).map { "[[lesson]]\nfile = \"lesson-\($0).md\"\nafter_days = \($0)\n" }
        let document = "id = \"long\"\nname = \"Long\"\n" + lessons.joined()
        let text = "# A lesson\n\n" + String(repeating: "A sentence of a lesson, and another one.\n", count: 200)
        let files =
            [Wire.ImportProgramme.Files(path: "programme.toml", text: document)]
            + (1...200).map { .init(path: "lesson-\($0).md", text: text) }
        let begin = ContinuousClock.now
        let reply = try clinic.root.call(Wire.ImportProgramme(files: files))
        print("a programme of 200 lessons, \(200 * text.utf8.count) bytes: \(ContinuousClock.now - begin)")
        #expect(reply.programme.lessons == 200)
    }
}

/// The worked example in `Config/programmes`.
enum ExampleProgramme {
    static func files() throws -> [Programmes.ImportProgramme.Files] {
        let folder = URL(filePath: #filePath).appending(path: "../../../../../Config/programmes/first-weeks")
            .standardized
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path()).filter { $0.contains(".") }
        return try names.sorted().map {
            .init(path: $0, text: try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
        }
    }
}
