import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

extension Upkeep.Tend: Handled {
    static let right = Right.maintain

    /// The most surveys that one call tells of, and the most that it ends. The next call, which comes at once, goes on; other
    /// calls come between them. Ending one takes statements of its own.
    private static let (toldAtOnce, missedAtOnce) = (4_000, 200)

    func answer(in context: CallContext) throws -> Reply {
        let (store, now) = (context.store, context.now)
        let opened = try store.openedSurveys(at: now, limit: Self.toldAtOnce)
        try store.noteTold(opened.map(\.id))
        try context.tell(.survey, opened.filter { !$0.isOver }.map { ($0.client, $0.id.description) })
        let missed = try store.overdueSurveys(at: now, limit: Self.missedAtOnce)
        for survey in missed {
            try store.miss(survey, at: now)
            for person in [survey.thanatologist, survey.client] {
                try context.tell(person, .survey, survey.id.description)
            }
            if let record = try store.record(survey.client, of: nil) {
                try context.finishIfDone(survey.enrolment, of: record)
            }
        }
        // A letter for each client, because it is erased with the client's record.
        let byClient = Dictionary(grouping: missed, by: \.client)
        for (client, surveys) in byClient.sorted(by: { $0.key.number < $1.key.number }) {
            try context.sendLetter(
                to: surveys[0].thanatologist,
                subject: (surveys.count == 1 ? "A survey was" : "Surveys were") + " missed by No. \(surveys[0].number)",
                body: Self.letter(surveys), about: client)
        }
        let isUnfinished = opened.count == Self.toldAtOnce || missed.count == Self.missedAtOnce
        let next = isUnfinished ? now : try store.nextSurveyChange()
        return Reply(opened: opened.count, missed: missed.count, next: next.map(context.spelled))
    }

    /// A letter that names the client by the record's number alone.
    private static func letter(_ surveys: [MissedSurvey]) -> String {
        let lines = surveys.map { survey in
            let last = survey.closesOn - 1
            return
                "- “\(survey.title)” of the programme “\(survey.programmeName)”, open until \(last.spoken)"
        }
        let these = surveys.count == 1 ? "This survey was" : "These surveys were"
        return "\(these) not answered while open:\n\n\(lines.joined(separator: "\n"))\n"
    }
}
