public import HomeworkRules
import Storage
public import Time

// The events that a practice may hear of.
extension HistoryReader {
    /// The first `limit` shared events after that number, in order.
    public func shared(
        _ sharing: Sharing, after sequence: Int, limit: Int
    ) throws(HistoryError) -> [(event: Event, sequence: Int)] {
        try read { database in
            var found: [(event: Event, sequence: Int)] = []
            try database.eachEvent(
                "SELECT \(Event.columns) FROM event WHERE seq > $1 AND \(Self.isShared(sharing)) ORDER BY seq LIMIT $2",
                sequence, limit
            ) { found.append((event: $0, sequence: $1)) }
            return found
        }
    }

    /// How many shared events there are after that number.
    public func sharedCount(_ sharing: Sharing, after sequence: Int) throws(HistoryError) -> Int {
        try read { database in
            try database.number(
                "SELECT count(*) FROM event WHERE seq > $1 AND \(Self.isShared(sharing))", sequence) ?? 0
        }
    }

    /// When the event of that number happened; nil if there is none.
    public func instant(of sequence: Int) throws(HistoryError) -> Instant? {
        try read { database in
            try database.number("SELECT at FROM event WHERE seq = $1", sequence).map {
                Instant(microseconds: Int64($0))
            }
        }
    }

    /// Erased words are not shared, nor notes that are kept with a task.
    private static func isShared(_ sharing: Sharing) -> String {
        let kinds = sharing.since.sorted { $0.key < $1.key }.map { kind, since in
            let also =
                switch kind {
                case "noteWritten": #" AND assignment IS NULL AND body <> '{"note":""}'"#
                case "moodLogged", "moodCorrected": #" AND body <> '{"mood":""}'"#
                default: ""
                }
            return "kind = '\(kind)' AND seq > \(since)\(also)"
        }
        let schedules =
            "kind = 'scheduleTaken' AND seq > \(sharing.sinceLinked) AND json_extract(body, '$.revision') IS NOT NULL"
        return "(" + (kinds + [schedules]).joined(separator: " OR ") + ")"
    }
}
