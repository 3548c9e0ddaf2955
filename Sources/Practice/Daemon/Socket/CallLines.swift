/// A line in which calls wait for each other: one at a time is carried out.
enum CallLine: Hashable {
    /// Calls that copy, replace, or erase in the database as a whole: a copy that is being made during an erasure would hold
    /// what was erased.
    case wholeDatabase
    /// The long calls of one caller, so that the calls of others come in between.
    case longCalls(of: String)
}

/// The calls that wait in lines. Those of each line are carried out in the order in which they came.
struct CallLines {
    /// The line of each call that is under way, by the call's number.
    private var lines: [Int: CallLine] = [:]
    /// The calls behind it; none for a line in which no call is under way.
    private var waiting: [CallLine: [Job]] = [:]

    /// False if the call has to wait. It is given by ``end(_:)``.
    mutating func mayBegin(_ job: Job) -> Bool {
        guard let line = job.line, lines[job.number] == nil else { return true }
        guard waiting[line] == nil else {
            waiting[line]?.append(job)
            return false
        }
        (lines[job.number], waiting[line]) = (line, [])
        return true
    }

    /// Takes note that a call was answered. Returns the one that can begin now.
    mutating func end(_ number: Int) -> Job? {
        guard let line = lines.removeValue(forKey: number) else { return nil }
        guard let next = waiting[line]?.first else {
            waiting[line] = nil
            return nil
        }
        waiting[line]?.removeFirst()
        lines[next.number] = line
        return next
    }

    /// Returns all that wait, for a thread that carries them out in their order.
    mutating func endAll() -> [Job] {
        defer { (lines, waiting) = ([:], [:]) }
        return waiting.values.joined().sorted { $0.number < $1.number }
    }
}
