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
    /// Stays the same until the survey is finished, so that a repeated call finishes it once.
    private let finishKey = CallKey.new()

    /// The result of keeping or finishing.
    enum Outcome: Equatable {
        case done
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
        file = LongText("survey-\(found.survey.id)", by: try LongText.Writer(over: connection))
        let told = try connection.answers(found.answers, to: questionnaire)
        let unsent = try Self.answers(in: file, to: questionnaire)
        hasUnsent = unsent != nil
        kept = unsent.map { told.merging($0) } ?? told
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
        guard try file.kept() != nil else { return nil }
        return
            "Answers that did not reach the practice in time are in \(try file.path().shown), which only you can read."
    }

    /// The answers are in the file before they are on their way, so that whatever happens then loses none.
    func keep(_ running: RunningSurvey) throws(Failure) -> Outcome {
        let answers = running.response(isFinished: false)
        let text = String(decoding: answers.text, as: UTF8.self)
        try file.keep(text)
        let outcome = try send(
            Programmes.Answer(survey: survey.id, answers: answers, finish: false, key: CallKey.new()))
        if outcome == .done { try file.forget(sent: text) }
        return outcome
    }

    func finish(_ running: RunningSurvey) throws(Failure) -> Outcome {
        let outcome = try send(
            Programmes.Answer(
                survey: survey.id, answers: running.response(isFinished: true), finish: true, key: finishKey))
        if outcome == .done, let text = try file.kept() { try file.forget(sent: text) }
        return outcome
    }

    /// After a connection that was lost the call is made once more, on a new one.
    private func send(_ call: Programmes.Answer) throws(Failure) -> Outcome {
        do throws(Failure) { return try outcome(of: connection.reply(to: call)) } catch {
            guard error.status == Failure.noDaemonStatus else { throw error }
        }
        do {
            connection = try reconnect()
            return try outcome(of: connection.reply(to: call))
        } catch let failure as Failure {
            guard failure.status == Failure.noDaemonStatus else { throw failure }
            return .unsent(failure.sentence)
        } catch { return .unsent("\(error)") }
    }

    private func outcome(of reply: Reply) throws(Failure) -> Outcome {
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
            "The answers are kept in \(try file.path().shown), and are sent the next time.")
    }
}
