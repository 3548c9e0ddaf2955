import Companion
import JSON
import PracticeInterfaces
import StaffInterfaces
import SurveyFormat

/// A case file as the page reads it, apart from identifiers that nothing on the page refers to.
struct CaseFileContent: Decodable {
    let practice: String
    let at: String
    let client: Records.Client
    let turns: [Records.Turn]
    let sessions: [Records.Session]
    let care: Homework?
    let programmes: Courses?
    let letters: [Letter]?
    let messages: [Message]?
    let lettersLeftOut: Int?
    let messagesLeftOut: Int?
    let audit: [AuditEntry]
    let names: [String: String]

    struct Named: Decodable { let name: String }

    struct Letter: Decodable {
        let at: String
        let from: Named
        let to: [Named]
        let subject: String
        let body: String
        let urgent: Bool
    }

    struct Message: Decodable {
        let at: String
        let from: Named
        let with: Named
        let text: String
        let deleted: Bool
    }

    struct AuditEntry: Decodable {
        let at: String
        let person: String
        let did: String
        let what: String?
        let through: String
    }

    struct Homework: Decodable {
        let shares: [String]
        let schedules: [Schedule]
        let happenings: [Told]
        let devices: [Device]
        let talkingPoints: [TalkingPoint]
        let feedback: [Care.ListFeedback.Reply.Feedback]

        struct Schedule: Decodable {
            let revision: Int
            let at: String
            let by: String
            let tasks: RawJSON
        }

        struct Told: Decodable {
            let device: String
            let received: String
            let happening: Care.Happening
        }

        struct Device: Decodable {
            let device: String
            let lastHeard: String
            let heard: Int
            let revision: Int
        }

        struct TalkingPoint: Decodable {
            let at: String
            let by: String
            let text: String
        }
    }

    struct Courses: Decodable {
        let enrolments: [Enrolment]
        let surveys: [Survey]
        let responses: [RawJSON]
        let questionnaires: [Document]

        struct Enrolment: Decodable {
            let id: String
            let programme: String
            let revision: Int
            let name: String
            let at: String
            let by: String
            let since: String
            let until: String?
            let ended: String?
            let reason: String?
            let lessonsRead: [ReadMark]
        }

        struct ReadMark: Decodable {
            let lesson: String
            let at: String
        }

        struct Survey: Decodable {
            let id: String
            let enrolment: String
            let survey: String
            let title: String
            let occurrence: Int
            let opens: String
            let closes: String
            let state: String
            let answered: String?
            let score: Double?
        }

        struct Document: Decodable {
            let programme: String
            let revision: Int
            let survey: String
            let questionnaire: RawJSON
        }
    }
}

/// A part of the page: text that is escaped, in HTML that is not.
struct CaseFileSection {
    let title: String
    let parts: [String]

    /// Empty if it has no parts.
    var html: String { parts.isEmpty ? "" : "\n<h2>\(title)</h2>\n\(parts.joined(separator: "\n"))" }
}

extension String {
    /// For the page: keeps line breaks, and drops other control characters.
    var onPage: String { paragraphs(columns: nil).joined(separator: "\n").escapedForXML }

    /// A paragraph with this text.
    var paragraphOnPage: String { "<p dir=\"auto\">\(onPage)</p>" }

    /// A text that somebody wrote, with its line breaks.
    var writtenOnPage: String { "<p class=\"text\" dir=\"auto\">\(onPage)</p>" }

    var headingOnPage: String { "<h3 dir=\"auto\">\(onPage)</h3>" }
}

extension [[String]] {
    /// A table without the columns that are empty.
    func tableOnPage(_ heads: String...) -> String {
        let columns = heads.indices.filter { column in contains { !$0[column].isEmpty } }
        let head = columns.map { "<th scope=\"col\">\(heads[$0].onPage)</th>" }.joined()
        let rows = map { row in "<tr>\(columns.map { "<td dir=\"auto\">\(row[$0].onPage)</td>" }.joined())</tr>\n" }
        return "<table>\n<thead><tr>\(head)</tr></thead>\n\(rows.joined())</table>"
    }
}
