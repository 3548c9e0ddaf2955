import DaybreakInterfaces
import PracticeInterfaces

@testable import DaybreakLink

/// The promises of org.daybreak.Care for one client's reports, in memory. The practice's daemon is held against it.
struct PracticeModel {
    private(set) var shares: Set<String> = []
    /// The happenings that were taken, in the order in which they came.
    private(set) var taken: [Link.Happening] = []
    /// The last happening that was heard from each device.
    private var heard: [String: (sequence: Int, id: String)] = [:]

    mutating func answer(_ call: LinkMachine.PracticeCall) -> LinkMachine.PracticeAnswer {
        switch call {
        case .follow, .dismiss: preconditionFailure("the model has no news")
        case .profile: return .profile(shares: Link.Share.allCases.map(\.rawValue).filter(shares.contains))
        case .setShares(let set):
            shares = Set(set)
            return .sharesSet
        case .report(let device, let happenings): return hear(device, happenings)
        }
    }

    /// Nothing of a refused report is taken.
    private mutating func hear(_ device: String, _ happenings: [Link.Happening]) -> LinkMachine.PracticeAnswer {
        var (last, all) = (heard[device], taken)
        for happening in happenings {
            if !all.contains(where: { $0.id == happening.id }) {
                guard happening.sequence > last?.sequence ?? 0 else { return .refused(Care.Reused.name) }
                guard isShared(happening.what) else { return .refused(Care.NotShared.name) }
                all.append(happening)
            }
            if happening.sequence > last?.sequence ?? 0 { last = (happening.sequence, happening.id) }
        }
        (heard[device], taken) = (last, all)
        return .heard(last?.sequence ?? 0, id: last?.id)
    }

    private func isShared(_ what: String) -> Bool {
        let one: Set<String> =
            switch what {
            case "scheduleTaken": []
            case "completed", "missed": ["completed"]
            case "moodLogged", "moodCorrected": ["moods"]
            case "breathed": ["breaths"]
            case "noteWritten": ["notes"]
            default: ["completed", "waiting"]
            }
        return one.isEmpty || !one.isDisjoint(with: shares)
    }
}
