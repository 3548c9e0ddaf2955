import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import ScheduleFormat
import StaffInterfaces

extension Records.FiledCare {
    fileprivate var isEmpty: Bool {
        shares.isEmpty && schedules.isEmpty && happenings.isEmpty && devices.isEmpty && talkingPoints.isEmpty
            && feedback.isEmpty
    }
}

extension CallContext {
    /// The part of a case file about homework; nil where there is none.
    ///
    /// - Parameter reader: nil for an export, which has all feedback, also that about the administrator who takes it out.
    func careFile(of client: ID<Person>, for reader: ID<Person>?) throws -> Records.FiledCare? {
        let feedback = role == .thanatologist ? [] : try store.feedback(from: client, for: reader)
        let file = Records.FiledCare(
            shares: try store.shares(of: client).words,
            schedules: try store.schedules(of: client).map {
                .init(
                    revision: $0.revision, at: spelled($0.at), by: $0.by.description,
                    tasks: try RawJSON(parsing: Array($0.text.utf8)))
            },
            happenings: try store.happenings(of: client).map {
                .init(device: $0.device, received: spelled($0.received), happening: told($0.happening))
            },
            devices: try store.devices(of: client).map {
                .init(device: $0.name, lastHeard: spelled($0.lastHeard), heard: $0.heard, revision: $0.revision)
            },
            talkingPoints: try store.talkingPoints(for: client).map {
                .init(at: spelled($0.at), by: $0.by.description, text: $0.text)
            }, feedback: feedback.map { filed(.init($0, in: self)) })
        return file.isEmpty ? nil : file
    }

    private func told(_ happening: PracticeRules.Happening) -> Records.FiledHappening.Happening {
        .init(
            sequence: happening.sequence, id: happening.id, at: spelled(happening.at), day: "\(happening.day)",
            what: happening.what.rawValue, task: happening.task?.text, breaths: happening.breaths,
            mood: happening.mood, text: happening.text, revision: happening.revision)
    }

    private func filed(_ feedback: Care.ListFeedback.Reply.Feedback) -> Records.FiledCare.Feedback {
        .init(
            at: feedback.at, about: feedback.about, client: feedback.client, rating: feedback.rating,
            text: feedback.text, aboutName: feedback.aboutName, clientName: feedback.clientName)
    }
}
