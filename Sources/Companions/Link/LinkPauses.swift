// The machine's pauses.
extension LinkMachine {
    /// So many at once, and after each pause one more. A practice may be hostile, and what it says may become an event, which the
    /// history keeps for ever.
    struct Allowance {
        let burst: Int64
        let pause: Int64
        private var spentUntil: Int64 = 0

        init(burst: Int64, pause: Int64) { (self.burst, self.pause) = (burst, pause) }

        /// When the next one is allowed.
        var next: Int64 { spentUntil - (burst - 1) * pause }

        /// Uses up all that is left: the next one is allowed after a pause.
        mutating func exhaust(at now: Int64) { spentUntil = max(spentUntil, now + burst * pause) }

        /// False if none is left. The last may take the allowance of later ones with it.
        mutating func spend(_ amount: Int64 = 1, at now: Int64) -> Bool {
            guard next <= now else { return false }
            spentUntil = max(spentUntil, now) + amount * pause
            return true
        }
    }

    struct Failures {
        var count = 0
        /// The trouble that lasts; nil once all that was due is done.
        var trouble: (since: Int64, sentence: String)?
        /// When each sentence was logged last.
        var said: [String: Int64] = [:]
        /// When the last failure was.
        var last: Int64?
    }

    /// A small random generator for the jitter, so that a test with the same seed does the same.
    struct Chance {
        private var state: UInt64

        init(seed: UInt64) { state = seed | 1 }

        /// From 0.8 to 1.2.
        mutating func jitter() -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return 0.8 + Double(state % 4_001) / 10_000
        }
    }
}

extension LinkMachine {
    static let second: Int64 = 1_000_000
    /// The pause between two looks while nothing is held.
    static let lookEvery = 300 * second
    /// The longest pause after a failure, and the pause after a day of failures or a lasting one.
    static let longestPause = 300 * second
    static let hour = 3_600 * second
    /// How long the practice may take to answer.
    static let patience = 60 * second
    /// The same trouble is logged again after this long.
    static let saidAgain = 4 * hour
    /// Bytes that the practice may send in an hour, after as many at once: sixteen of the longest replies.
    static let bytesAnHour = 16 * 1_024 * 1_024
    /// A failure so long after the last one is a new trouble.
    static let calm = 900 * second
    /// How many different troubles are logged until the practice is heard again.
    static let mostSentences = 20
}
