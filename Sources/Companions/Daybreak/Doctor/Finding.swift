/// What looking at one thing came to.
struct Finding: Equatable, Encodable {
    enum Check: String, Encodable, CaseIterable {
        case daemon, version, unit, lingering, journal, folders, disk, history, configuration, schedule, clock, zone
        case notifications, nextUnlock
    }

    enum State: String, Encodable {
        case good, wrong
        /// It cannot be seen from here, or only while the daemon runs. Not a fault of its own.
        case unknown
    }

    let check: Check
    let state: State
    /// What it means, in one line.
    let finding: String
    /// What to do about it, in one line.
    let advice: String?

    static func good(_ check: Check, _ finding: String) -> Finding {
        Finding(check: check, state: .good, finding: finding, advice: nil)
    }

    static func wrong(_ check: Check, _ finding: String, do advice: String) -> Finding {
        Finding(check: check, state: .wrong, finding: finding, advice: advice)
    }

    static func unknown(_ check: Check, _ finding: String) -> Finding {
        Finding(check: check, state: .unknown, finding: finding, advice: nil)
    }
}
