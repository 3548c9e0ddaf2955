import Systemd
import VarlinkService

/// Counts each caller's calls that are being carried out, over all of the caller's connections.
struct CallLimiter {
    let limit: Int
    private let say: (Severity, String) -> Void
    private var counts: [String: Int] = [:]
    /// The callers whose first refusal is logged. One whose calls have become half as many is logged anew.
    private var logged: Set<String> = []

    init(limit: Int, say: @escaping (Severity, String) -> Void) {
        self.limit = limit
        self.say = say
    }

    /// Counts one more call; false where the caller has as many as the limit.
    mutating func admits(_ caller: Caller) -> Bool {
        let name = Self.name(caller)
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

    /// One of the caller's calls is answered.
    mutating func finish(_ caller: Caller) {
        let name = Self.name(caller)
        let count = counts[name, default: 1] - 1
        counts[name] = count > 0 ? count : nil
        if count <= limit / 2 { logged.remove(name) }
    }

    /// By the number of a person or of a user: the log has no names.
    private static func name(_ caller: Caller) -> String { caller.person ?? "user \(caller.user)" }
}
