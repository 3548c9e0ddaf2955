import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import SurveyFormat
import Time

extension Programmes.ListSurveys: Handled {
    static let right = Right.seeEnrolments

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.subject(client)
        let page = try context.form { faults in
            context.page(after, limit ?? context.settings.longestPage, &faults)
        }
        let start = try SurveyPlace(page.after)
        var found: [ClientSurvey] = []
        if case .pending(let opens, let id) = start {
            found = try context.store.pendingSurveys(
                of: record.person.id, at: context.now, after: (opens, id), limit: page.limit + 1)
        }
        if all == true, found.count <= page.limit {
            found += try context.store.pastSurveys(
                of: record.person.id, at: context.now, before: start.past, limit: page.limit + 1 - found.count)
        }
        let shown = found.prefix(page.limit)
        context.what = "\(shown.count)"
        let zone = context.zone(of: record)
        return Reply(
            surveys: shown.map { context.told($0, zone) },
            next: found.count > page.limit ? shown.last.map { SurveyPlace($0, at: context.now).cursor } : nil)
    }
}

/// A place in the list of a client's surveys: those that can be answered come first.
private enum SurveyPlace {
    case pending(opens: Instant, id: Int64)
    case past(opensOn: String, id: Int64)

    init(_ start: PageStart?) throws {
        guard let start else {
            self = .pending(opens: Instant(microseconds: .min), id: 0)
            return
        }
        if let opens = Int64(start.sortKey) {
            self = .pending(opens: Instant(microseconds: opens), id: start.id)
        } else if CalendarDay(start.sortKey) != nil {
            self = .past(opensOn: start.sortKey, id: start.id)
        } else {
            throw Practice.Invalid("after", CallContext.noCursor)
        }
    }

    init(_ survey: ClientSurvey, at now: Instant) {
        if case .pending(let window) = survey.standing, now < window.upperBound {
            self = .pending(opens: window.lowerBound, id: survey.id.number)
        } else {
            self = .past(opensOn: survey.occurrence.opensOn.description, id: survey.id.number)
        }
    }

    /// The place in the second part of the list.
    var past: (opensOn: String, id: Int64) {
        if case .past(let opensOn, let id) = self { (opensOn, id) } else { ("9999-99-99", .max) }
    }

    var cursor: String {
        switch self {
        case .pending(let opens, let id): PageStart(sortKey: "\(opens.microseconds)", id: id).description
        case .past(let opensOn, let id): PageStart(sortKey: opensOn, id: id).description
        }
    }
}

extension Programmes.GetSurvey: Handled {
    static let right = Right.seeEnrolments

    func answer(in context: CallContext) throws -> Reply {
        let (found, record) = try context.survey(survey)
        context.what = found.id.description
        var answers = try context.store.finishedAnswers(to: found.id)
        if answers == nil, context.role == .client { answers = try context.store.keptAnswers(to: found.id) }
        return Reply(
            survey: context.told(found, context.zone(of: record)),
            questionnaire: try RawJSON(parsing: Array(try context.questionnaire(of: found).utf8)),
            answers: try answers.map { try RawJSON(parsing: Array($0.utf8)) })
    }
}

extension Programmes.Answer: Handled {
    static let right = Right.takePart

    func answer(in context: CallContext) throws -> Reply {
        let record = try context.ownRecord()
        guard let found = try context.store.survey(ID(survey), of: record.person.id), found.standing != .gone else {
            throw Practice.NotFound(kind: "survey", id: survey)
        }
        if finish {
            let answered = try context.once(key) { () -> ID<ClientSurvey> in
                try end(found, record, in: context)
                return found.id
            }
            guard answered == found.id else {
                throw Practice.Invalid("key", "was used for another survey: take a new one.")
            }
            context.note(record.person.id)
            context.what = found.id.description
        } else {
            let (questionnaire, given) = try read(found, in: context)
            let text = given.response(to: questionnaire, ResponseFacts(isCompleted: false))
            try context.store.keep(String(decoding: text, as: UTF8.self), to: found, at: context.now)
        }
        guard let now = try context.store.survey(found.id, of: record.person.id) else {
            preconditionFailure("a survey that was answered is there")
        }
        return Reply(survey: context.told(now, context.zone(of: record)))
    }

    /// The survey, which must be due, and the answers to it.
    private func read(
        _ found: ClientSurvey, in context: CallContext
    ) throws -> (questionnaire: Questionnaire, answers: SurveyAnswers) {
        try context.demandDue(found)
        let questionnaire = try context.parsedQuestionnaire(of: found)
        let given: SurveyAnswers
        do { given = try SurveyAnswers(reading: answers.text, of: questionnaire) } catch {
            throw Practice.Invalid(error.question.map { "answers.\($0)" } ?? "answers", error.reason)
        }
        guard let changed else { return (questionnaire, given) }
        do {
            let kept = try context.store.keptAnswers(to: found.id).map {
                try SurveyAnswers(reading: Array($0.utf8), of: questionnaire, isStored: true)
            }
            let both = (kept ?? SurveyAnswers()).taking(changed, from: given)
            guard both.response(to: questionnaire, ResponseFacts(isCompleted: false)).count <= SurveyAnswers.byteLimit
            else {
                throw Practice.Invalid(
                    "answers",
                    "must have no more than \(SurveyAnswers.byteLimit) bytes, with those that were kept before.")
            }
            return (questionnaire, both)
        } catch is AnswerFault {
            throw Practice.StorageUnavailable(reason: "The answers to the survey \(found.id) cannot be read.")
        }
    }

    private func end(_ found: ClientSurvey, _ record: Record, in context: CallContext) throws {
        let (questionnaire, given) = try read(found, in: context)
        let missing = questionnaire.missing(given)
        guard missing.isEmpty else { throw Programmes.Incomplete(questions: missing) }
        let finished = questionnaire.finished(given)
        let text = context.response(finished, to: questionnaire, found, record, at: context.now)
        try context.store.finish(
            found, String(decoding: text, as: UTF8.self), score: questionnaire.score(finished), at: context.now)
        for person in [record.thanatologist, record.person.id] {
            try context.tell(person, .survey, found.id.description)
        }
        try context.finishIfDone(found.enrolment, of: record)
    }
}

extension CallContext {
    /// A survey that the caller may see, with the client's record.
    fileprivate func survey(_ id: String) throws -> (found: ClientSurvey, record: Record) {
        guard let found = try store.survey(ID(id), of: holder), found.standing != .gone else {
            throw Practice.NotFound(kind: "survey", id: id)
        }
        return (found, try record(found.client.description))
    }

    func questionnaire(of survey: ClientSurvey) throws -> String {
        try store.questionnaire(survey.survey, of: survey.programme, survey.revision)
    }

    func parsedQuestionnaire(of survey: ClientSurvey) throws -> Questionnaire {
        do { return try Questionnaire.read(Array(try questionnaire(of: survey).utf8)) } catch is QuestionnaireFaults {
            throw Practice.StorageUnavailable(reason: "The questions of the survey \(survey.id) cannot be read.")
        }
    }

    fileprivate func demandDue(_ survey: ClientSurvey) throws {
        let state = Programmes.Survey.State(survey, at: now)
        guard state != .due else { return }
        let zone = zone(of: try ownRecord())
        throw Programmes.NotDue(
            state: state.rawValue, opens: survey.window(in: zone).lowerBound.spelled(in: zone))
    }

    /// Answers as a whole document of FHIR.
    func response(
        _ answers: SurveyAnswers, to questionnaire: Questionnaire, _ survey: ClientSurvey, _ record: Record,
        isCompleted: Bool = true, at instant: Instant
    ) -> [UInt8] {
        var facts = ResponseFacts(isCompleted: isCompleted)
        facts.id = survey.id.description
        facts.questionnaire =
            questionnaire.url ?? "urn:daybreak:programme:\(survey.programme):\(survey.survey)|\(survey.revision)"
        facts.authored = instant.spelled(in: zone(of: record))
        facts.subject = "Client \(record.number)"
        facts.hasTexts = true
        return answers.response(to: questionnaire, facts)
    }

    func told(_ survey: ClientSurvey, _ zone: Zone) -> Programmes.Survey {
        let isClient = role == .client
        let window = survey.window(in: zone)
        var (answered, score): (Instant?, Double?) = (nil, nil)
        if case .answered(let instant, let sum) = survey.standing { (answered, score) = (instant, sum) }
        return Programmes.Survey(
            id: survey.id.description, enrolment: survey.enrolment.description, title: survey.title,
            questions: survey.questions, opens: window.lowerBound.spelled(in: zone),
            closes: window.upperBound.spelled(in: zone), state: .init(survey, at: now),
            answered: answered?.spelled(in: zone), score: isClient ? nil : score,
            least: isClient ? nil : survey.bounds?.lowerBound, greatest: isClient ? nil : survey.bounds?.upperBound,
            programme: survey.programmeName, survey: survey.survey, occurrence: survey.occurrence.number,
            occurrences: survey.times, kept: isClient && survey.isKept ? true : nil)
    }
}

extension ClientSurvey {
    /// The instants between which it can be, or could be, answered.
    func window(in zone: Zone) -> Range<Instant> {
        if case .pending(let window) = standing { window } else { occurrence.window(in: zone) }
    }
}

extension Programmes.Survey.State {
    init(_ survey: ClientSurvey, at now: Instant) {
        switch survey.standing {
        case .answered: self = .answered
        case .missed, .gone: self = .missed
        case .pending(let window):
            switch SurveyWindow(window, at: now) {
            case .upcoming: self = .upcoming
            case .due: self = .due
            case .missed: self = .missed
            }
        }
    }
}
