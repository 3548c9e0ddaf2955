import PracticeRules
import SurveyFormat

/// Folders of programmes, from `ImportProgramme`, and answers to surveys, from `Answer`. A line `--- NAME` begins a file; the text
/// before the first is the document, and a file `answers` is an answer to each survey.
enum ProgrammeFuzz {
    static func run(_ bytes: [UInt8]) throws {
        var files = [(path: ProgrammeReader.documentName, text: "")]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("--- ") {
                files.append((path: String(line.dropFirst(4)), text: ""))
            } else {
                files[files.count - 1].text += line + "\n"
            }
        }
        let answers = files.filter { $0.path == "answers" }.map { Array($0.text.utf8) }
        files.removeAll { $0.path == "answers" }
        for file in files where file.path.hasSuffix(".json") {
            if let survey = try? Questionnaire.read(Array(file.text.utf8)) {  // Its faults are the folder's, below.
                for answers in answers { try answer(survey, answers) }
            }
        }
        do {
            let version = try ProgrammeReader.read(files)
            try promise("a folder says the same again", try ProgrammeReader.read(files) == version)
        } catch let faults as ProgrammeFaults {
            try promise(
                "a refusal has a fault, and at most a hundred", (1...ProgrammeFaults.limit).contains(faults.list.count))
            for fault in faults.list {
                try promise("\(fault) is one line", isLine(fault.reason))
                guard let line = fault.line else { continue }
                let text = files.first { $0.path == fault.file }?.text ?? ""
                try promise("\(fault) is a place", isPlace(line: line, column: nil, in: Array(text.utf8)))
            }
        }
    }

    private static func answer(_ survey: Questionnaire, _ bytes: [UInt8]) throws {
        let answers: SurveyAnswers
        do { answers = try SurveyAnswers(reading: bytes, of: survey) } catch {
            return try promise("\(error) is one line", isLine(error.reason))
        }
        let written = answers.response(to: survey, ResponseFacts(isCompleted: false))
        try promise("answers say the same again", try SurveyAnswers(reading: written, of: survey) == answers)
        let finished = survey.finished(answers)
        try promise("what is not asked does not count", survey.score(finished) == survey.score(answers))
        try promise("what is not asked is not missing", survey.missing(finished) == survey.missing(answers))
        if let score = survey.score(answers), let bounds = survey.scoreBounds {
            try promise("\(score) is within its bounds", bounds.contains(score))
        }
    }
}
