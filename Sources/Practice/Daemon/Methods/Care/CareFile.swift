import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import ScheduleFormat

/// The part of a case file about homework.
struct CareFile: Encodable {
    let shares: [String]
    /// Each revision, the oldest first.
    let schedules: [Schedule]
    /// The happenings that the client's devices told, in the order in which they happened.
    let happenings: [Happening]
    let devices: [Device]
    /// The oldest first.
    let talkingPoints: [TalkingPoint]
    /// The newest first. Only the client gets it, and administrators whom it is not about.
    let feedback: [Care.ListFeedback.Reply.Feedback]

    struct Schedule: Encodable {
        let revision: Int
        let at: String
        let by: String
        let tasks: RawJSON
    }

    struct Happening: Encodable {
        let device: String
        let received: String
        let happening: Care.Happening
    }

    struct Device: Encodable {
        let device: String
        let lastHeard: String
        let heard: Int
        let revision: Int
    }

    struct TalkingPoint: Encodable {
        let at: String
        let by: String
        let text: String
    }

    var isEmpty: Bool {
        shares.isEmpty && schedules.isEmpty && happenings.isEmpty && devices.isEmpty && talkingPoints.isEmpty
            && feedback.isEmpty
    }
}

extension CallContext {
    /// Nil for an empty list.
    func careFile(of client: ID<Person>) throws -> CareFile? {
        let feedback = role == .thanatologist ? [] : try store.feedback(from: client, for: caller?.id)
        let file = CareFile(
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
            }, feedback: feedback.map { .init($0, in: self) })
        return file.isEmpty ? nil : file
    }

    private func told(_ happening: PracticeRules.Happening) -> Care.Happening {
        Care.Happening(
            sequence: happening.sequence, id: happening.id, at: spelled(happening.at), day: "\(happening.day)",
            what: happening.what.rawValue, task: happening.task?.text, breaths: happening.breaths,
            mood: happening.mood, text: happening.text, revision: happening.revision)
    }
}
