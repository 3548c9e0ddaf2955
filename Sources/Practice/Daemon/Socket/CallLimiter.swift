import Systemd
import VarlinkService

/// Limits the unanswered calls of each caller, over all of the caller's connections.
struct CallLimiter {
    let limit: Int
    /// The users whose calls are other people's: those who come in are not counted together until each is known.
    private let carriers: Set<UInt32>
    private let say: (Severity, String) -> Void
    private var counts: [String: Int] = [:]
    /// The callers with a logged refusal. A caller whose calls sank to half of the limit is logged again.
    private var logged: Set<String> = []

    init(limit: Int, carriers: Set<UInt32>, say: @escaping (Severity, String) -> Void) {
        self.limit = limit
        self.carriers = carriers
        self.say = say
    }

    /// Counts one more call. False if the caller has reached the limit.
    mutating func admits(_ caller: Caller) -> Bool {
        guard let name = name(caller) else { return true }
        let count = counts[name, default: 0]
        guard count < limit else {
            if logged.insert(name).inserted {
                say(.warning, "Calls of \(name) are refused: there are \(limit), which is the limit, carrying on")
            }
            return false
        }
        counts[name] = count + 1
        return true
    }

    /// Counts one call less, after its answer.
    mutating func finish(_ caller: Caller) {
        guard let name = name(caller) else { return }
        let count = counts[name, default: 1] - 1
        counts[name] = count > 0 ? count : nil
        if count <= limit / 2 { logged.remove(name) }
    }

    /// The identifier of a person or the number of a user, because the log has no names. Nil for a carrier.
    private func name(_ caller: Caller) -> String? {
        caller.person ?? (carriers.contains(caller.user) ? nil : "user \(caller.user)")
    }
}
