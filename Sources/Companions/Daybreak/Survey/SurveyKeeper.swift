import Companion
import JSON
import Messages
import PracticeInterfaces
import SurveyFormat
import Surveys
import Varlink

/// Keeps the answers of a survey at the practice. An answer that did not get there is in a file that only its writer can read,
/// until it does.
final class SurveyKeeper {
    let survey: Programmes.Survey
    let questionnaire: Questionnaire
    /// The answers from before.
    let kept: SurveyAnswers
    /// True if answers from before had not reached the practice.
    let hasUnsent: Bool
    private var connection: DaemonConnection { didSet { connection.screen = screen } }
    /// It heeds keys while a call waits.
    weak var screen: FullScreen? { didSet { connection.screen = screen } }
    private let reconnect: () throws -> DaemonConnection
    private let file: LongText
    /// Where there is that file: the answers that the practice had, as far as it was known.
    private let fileBefore: LongText
    /// The answers that the practice has, as far as this window knows. Another window may have given others since.
    private var known: SurveyAnswers
    /// False if the practice is of a version that takes only all answers at a time.
    private var takesChanges = true
    /// Stays the same until the survey is finished, so that a repeated call finishes it once.
    private let finishKey = CallKey.new()
    /// The call that finishes the survey got no answer: it may be finished.
    private(set) var isFinishInDoubt = false

    /// The result of keeping or finishing.
    enum Outcome: Equatable {
        case done
        /// The survey was finished before, with these answers.
        case finished
        /// The practice cannot be reached: the answers are in this machine's file.
        case unsent(String)
        /// Questions that need an answer have none.
        case incomplete
        /// The practice does not take the answer to one question. All answers stay in this machine's file.
        case unfit(question: String, sentence: String)
        /// The practice takes no answers to this survey any more.
        case over(String)
    }

    init(
        _ survey: String, over connection: DaemonConnection, reconnect: @escaping () throws -> DaemonConnection
    ) throws(Failure) {
        let found = try connection.call(Programmes.GetSurvey(survey: survey))
        let questionnaire = try connection.questionnaire(found.questionnaire)
        (self.survey, self.questionnaire, self.connection) = (found.survey, questionnaire, connection)
        self.reconnect = reconnect
        let writer = try LongText.Writer(over: connection)
        file = LongText("survey-\(found.survey.id)", by: writer)
        fileBefore = LongText("survey-\(found.survey.id)-before", by: writer)
        known = try connection.answers(found.answers, to: questionnaire)
        guard let unsent = try Self.answers(in: file, to: questionnaire) else {
            (hasUnsent, kept) = (false, known)
            return
        }
        let before = try Self.answers(in: fileBefore, to: questionnaire) ?? SurveyAnswers()
        (hasUnsent, kept) = (true, known.taking(unsent.changes(since: before), from: unsent))
    }

    private static func answers(
        in file: LongText, to questionnaire: Questionnaire
    ) throws(Failure) -> SurveyAnswers? {
        guard let text = try file.kept() else { return nil }
        do { return try SurveyAnswers(reading: Array(text.utf8), of: questionnaire) } catch {
            throw .refused(
                "UnfitAnswers",
                saying: "Answers that are not at the practice cannot be read: \(error.question ?? "the file") "
                    + "\(error.reason)\nThey are in \(try file.path().shown), which only you can read. Look at them, move that file "
                    + "away, and run this again.")
        }
    }

    /// The place of answers that did not reach the practice and cannot be sent any more, as a sentence; nil if there are none.
    func leftover() throws(Failure) -> String? {
        guard let text = try file.kept() else { return nil }
        if survey.state == .answered, questionnaire.finished(kept) == questionnaire.finished(known) {
            // They did reach it, with a call whose answer was lost.
            try forget(text)
            return nil
        }
        return
            "Answers that did not reach the practice in time are in \(try file.path().shown), which only you can read."
    }

    /// The answers are in the file before they are on their way, so that whatever happens then loses none.
    func keep(_ running: RunningSurvey) throws(Failure) -> Outcome {
        let text = try keepInFile(running)
        let outcome = try send(running, finish: false, key: CallKey.new())
        if [.done, .finished].contains(outcome) {
            known = running.answers
            try forget(text)
        }
        return outcome
    }

    /// The answers are sent the next time. Returns the file's text.
    @discardableResult func keepInFile(_ running: RunningSurvey) throws(Failure) -> String {
        let text = Self.text(of: running)
        // In this order, a kill between the two sends answers again that have not changed.
        try file.keep(text)
        try fileBefore.keep(Self.text(of: RunningSurvey(questionnaire, kept: known)))
        return text
    }

    private static func text(of running: RunningSurvey) -> String {
        String(decoding: running.response(isFinished: false).text, as: UTF8.self)
    }

    private func forget(_ text: String) throws(Failure) {
        try file.forget(sent: text)
        if let before = try fileBefore.kept(), try file.kept() == nil { try fileBefore.forget(sent: before) }
    }

    func finish(_ running: RunningSurvey) throws(Failure) -> Outcome {
        var outcome = try send(running, finish: true, key: finishKey)
        if case .incomplete = outcome, running.missing.isEmpty {
            // Another window has changed an answer since. The answers that this person sees are finished.
            outcome = try send(running, finish: true, key: finishKey, all: true)
        }
        if [.done, .finished].contains(outcome), let text = try file.kept() { try forget(text) }
        return outcome
    }

    /// After a connection that was lost the call is made once more, on a new one.
    ///
    /// - Parameter all: all answers count, those of another window too.
    private func send(
        _ running: RunningSurvey, finish: Bool, key: String, all: Bool = false
    ) throws(Failure) -> Outcome {
        let call = Programmes.Answer(
            survey: survey.id, answers: running.response(isFinished: finish), finish: finish, key: key,
            changed: all ? nil : running.answers.changes(since: known))
        do throws(Failure) { return try outcome(of: reply(to: call), to: running, finish: finish) } catch {
            guard error.status == Failure.noDaemonStatus else { throw error }
            if finish, error.isInDoubt { isFinishInDoubt = true }
        }
        do {
            connection = try reconnect()
            return try outcome(of: reply(to: call), to: running, finish: finish)
        } catch let failure as Failure {
            guard failure.status == Failure.noDaemonStatus else { throw failure }
            if finish, failure.isInDoubt { isFinishInDoubt = true }
            return .unsent(failure.sentence)
        } catch { return .unsent("\(error)") }
    }

    private func reply(to call: Programmes.Answer) throws(Failure) -> Reply {
        var call = call
        if takesChanges {
            let reply = try connection.reply(to: call)
            guard reply.decodeError(InvalidParameter.self)?.parameter == "changed" else { return reply }
            takesChanges = false
        }
        call.changed = nil
        return try connection.reply(to: call)
    }

    private func outcome(of reply: Reply, to running: RunningSurvey, finish: Bool) throws(Failure) -> Outcome {
        if try isFinished(reply, with: running) { return .finished }
        if let closed = reply.decodeError(Practice.StorageUnavailable.self) {
            if finish, closed.inDoubt == true { isFinishInDoubt = true }
        } else {
            isFinishInDoubt = false
        }
        guard reply.error != nil else { return .done }
        if reply.error == Programmes.Incomplete.name { return .incomplete }
        let failure = Failure(reply, from: connection.daemon, at: connection.path)
        switch reply.error {
        case Programmes.NotDue.name, Practice.NotFound.name:
            return .over([failure.sentence, try leftover()].compactMap { $0 }.joined(separator: "\n"))
        case Practice.Invalid.name:
            if let unfit = unfit(reply) { return unfit }
            throw try withPlace(failure)
        // The practice is closed for a while: as if it could not be reached.
        case Practice.StorageUnavailable.name: return .unsent(failure.sentence)
        default: throw try withPlace(failure)
        }
    }

    /// True if the survey is answered already, and the practice has these answers.
    private func isFinished(_ reply: Reply, with running: RunningSurvey) throws(Failure) -> Bool {
        let state = reply.decodeError(Programmes.NotDue.self)?.state
        guard state == Programmes.Survey.State.answered.rawValue else { return false }
        let found = try connection.call(Programmes.GetSurvey(survey: survey.id))
        let given = try connection.answers(found.answers, to: questionnaire)
        return questionnaire.finished(given) == questionnaire.finished(running.answers)
    }

    private func unfit(_ reply: Reply) -> Outcome? {
        guard let fault = reply.decodeError(Practice.Invalid.self)?.faults.first, fault.field.hasPrefix("answers.")
        else { return nil }
        return .unfit(
            question: String(fault.field.dropFirst("answers.".count)),
            sentence: "The practice does not take this answer: it \(fault.reason) Type another one, or take it back.")
    }

    private func withPlace(_ failure: Failure) throws(Failure) -> Failure {
        guard try file.kept() != nil else { return failure }
        return failure.adding(
            "The answers are kept in \(try file.path().shown) until this machine is switched off, and are sent the "
                + "next time.")
    }
}
