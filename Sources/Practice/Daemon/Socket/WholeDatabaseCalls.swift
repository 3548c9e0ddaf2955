/// Lets one call at a time copy, replace, or erase in the database as a whole. The others wait, in their order: a copy that is
/// being made during an erasure would hold what was erased.
struct WholeDatabaseCalls {
    /// The number of the call that is under way.
    private var current: Int?
    private var waiting: [Job] = []

    /// False if the call has to wait. It is given by ``end(_:)``.
    mutating func mayBegin(_ job: Job) -> Bool {
        guard job.isOfWhole else { return true }
        guard current == nil || current == job.number else {
            waiting.append(job)
            return false
        }
        current = job.number
        return true
    }

    /// Takes note that a call was answered. Returns the one that can begin now.
    mutating func end(_ number: Int) -> Job? {
        guard number == current else { return nil }
        let next = waiting.isEmpty ? nil : waiting.removeFirst()
        current = next?.number
        return next
    }

    /// Returns all that wait, for a thread that carries them out in their order.
    mutating func endAll() -> [Job] {
        defer { (current, waiting) = (nil, []) }
        return waiting
    }
}
