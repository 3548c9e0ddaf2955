import DaybreakInterfaces
import PracticeInterfaces

@testable import DaybreakLink

/// A practice as org.daybreak.Care describes it, in memory.
struct PracticeModel {
    var shares: Set<String> = []
    private(set) var revision = 0
    private(set) var schedule = "[]"
    /// The happenings that were taken, in the order in which they came.
    private(set) var taken: [Link.Happening] = []
    private var heard: [String: Int] = [:]
    private var told: [String: [Int: String]] = [:]
    private var ids: Set<String> = []

    mutating func assign(_ schedule: String) {
        revision += 1
        self.schedule = schedule
    }

    func news(to revision: Int?) -> Care.News {
        Care.News(
            revision: self.revision, schedule: self.revision > 0 && revision != self.revision ? schedule : nil,
            available: false, talkingPoints: [], unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: 0,
            broadcasts: 0, shares: shares.sorted())
    }

    mutating func answer(_ call: LinkMachine.PracticeCall) -> LinkMachine.PracticeAnswer {
        switch call {
        case .follow: preconditionFailure("it is answered by news")
        case .profile: return .profile(shares: shares.sorted())
        case .setShares(let set):
            shares = Set(set)
            return .sharesSet
        case .report(let device, let happenings): return hear(device, happenings)
        case .dismiss: return .dismissed
        }
    }

    /// Nothing of a refused report is taken.
    private mutating func hear(_ device: String, _ happenings: [Link.Happening]) -> LinkMachine.PracticeAnswer {
        var last = heard[device] ?? 0
        var news: [Link.Happening] = []
        var names = told[device] ?? [:]
        for happening in happenings {
            if happening.sequence <= last {
                guard names[happening.sequence] == happening.id else { return .refused(Care.Reused.name) }
                continue
            }
            guard isShared(happening.what) else { return .refused(Care.NotShared.name) }
            last = happening.sequence
            names[happening.sequence] = happening.id
            if !ids.contains(happening.id) { news.append(happening) }
        }
        (heard[device], told[device]) = (last, names)
        taken += news
        ids.formUnion(news.map(\.id))
        return .heard(last, id: names[last])
    }

    private func isShared(_ what: String) -> Bool {
        let one: Set<String> =
            switch what {
            case "scheduleTaken": []
            case "completed", "missed": ["completed"]
            case "started", "cancelled", "setAside": ["completed", "waiting"]
            case "moodLogged", "moodCorrected": ["moods"]
            case "breathed": ["breaths"]
            case "noteWritten": ["notes"]
            default: ["waiting"]
            }
        return one.isEmpty || !one.isDisjoint(with: shares)
    }
}
