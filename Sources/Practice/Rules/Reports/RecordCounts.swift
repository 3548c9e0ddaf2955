public import Time

/// A turn of a record, as reports count it.
public struct CountedTurn: Equatable, Sendable {
    public let client: Int64
    public let kind: RecordTurnKind
    public let cause: ReopeningCause?
    public let on: CalendarDay
    /// The record's thanatologist after the turn.
    public let thanatologist: Int64

    public init(client: Int64, kind: RecordTurnKind, cause: ReopeningCause?, on: CalendarDay, thanatologist: Int64) {
        (self.client, self.kind, self.cause, self.on, self.thanatologist) = (client, kind, cause, on, thanatologist)
    }
}

/// Counts the turns of records, and the episodes that were under way.
public struct RecordCounts: Sendable {
    /// A time in which one thanatologist had an episode. Both days belong to it; the last is nil while it goes on.
    private struct Stint {
        let episode: Int64
        let thanatologist: Int64
        let first: CalendarDay
        var last: CalendarDay?
    }

    private struct Event {
        let day: CalendarDay
        let thanatologist: Int64
    }

    private let span: ReportSpan
    private var opened: [Event] = []
    private var closed: [Event] = []
    private var reopened: [Event] = []
    private var stints: [Stint] = []
    private var episodes: Int64 = 0

    /// - Parameter turns: of all records, each record's together and in order.
    public init(_ turns: [CountedTurn], over span: ReportSpan) {
        self.span = span
        var start = turns.startIndex
        while start < turns.endIndex {
            let client = turns[start].client
            let end = turns[start...].firstIndex { $0.client != client } ?? turns.endIndex
            count(turns[start..<end])
            start = end
        }
    }

    /// Counts the turns of one record.
    private mutating func count(_ turns: ArraySlice<CountedTurn>) {
        var firstOfEpisode = stints.count
        var isOpen = false
        for turn in Self.withoutMistakes(turns) {
            let event = Event(day: turn.on, thanatologist: turn.thanatologist)
            switch turn.kind {
            case .opened, .reopened:
                if turn.kind == .opened { opened.append(event) } else { reopened.append(event) }
                (firstOfEpisode, isOpen) = (stints.count, true)
                episodes += 1
                begin(event)
            case .closed:
                closed.append(event)
                isOpen = false
                end(from: firstOfEpisode, on: turn.on)
            case .transferred where isOpen:
                stints[stints.count - 1].last = turn.on
                begin(event)
            case .transferred: break
            }
        }
    }

    /// The turns without the closings that were a mistake, and without the reopenings that took them back.
    private static func withoutMistakes(_ turns: ArraySlice<CountedTurn>) -> [CountedTurn] {
        turns.reduce(into: []) { kept, turn in
            guard turn.kind == .reopened, turn.cause == .mistake else { return kept.append(turn) }
            if let closing = kept.lastIndex(where: { $0.kind == .closed }) { kept.remove(at: closing) }
        }
    }

    /// Ends an episode on a day, which may be before the last transfer.
    private mutating func end(from first: Int, on day: CalendarDay) {
        while stints.count > first + 1, stints[stints.count - 1].first > day { stints.removeLast() }
        for place in first..<stints.count { stints[place].last = min(stints[place].last ?? day, day) }
    }

    private mutating func begin(_ event: Event) {
        stints.append(Stint(episode: episodes, thanatologist: event.thanatologist, first: event.day))
    }

    /// The series of one thanatologist, or, for nil, of all together: opened, closed, reopened and episodes.
    public func rows(of thanatologist: Int64?) -> [ReportRow] {
        rows(where: { thanatologist == nil || $0 == thanatologist })
    }

    /// The same series of everybody but these.
    public func rows(besides thanatologists: Set<Int64>) -> [ReportRow] {
        rows(where: { !thanatologists.contains($0) })
    }

    private func rows(where isWanted: (_ thanatologist: Int64) -> Bool) -> [ReportRow] {
        func counts(_ events: [Event]) -> [Int] {
            var counts = [Int](repeating: 0, count: span.periods.count)
            for event in events where isWanted(event.thanatologist) {
                if let place = span.place(of: event.day) { counts[place] += 1 }
            }
            return counts
        }
        return [
            ReportRow("Opened", counts: counts(opened)), ReportRow("Closed", counts: counts(closed)),
            ReportRow("Reopened", counts: counts(reopened)), underWay(where: isWanted),
        ]
    }

    private func underWay(where isWanted: (_ thanatologist: Int64) -> Bool) -> ReportRow {
        var distinct = DistinctCount(periods: span.periods.count, greatest: Int(episodes))
        let days = span.days
        for stint in stints where isWanted(stint.thanatologist) {
            let last = max(stint.first, stint.last ?? days.upperBound)
            guard stint.first <= days.upperBound, last >= days.lowerBound,
                let from = span.place(of: max(stint.first, days.lowerBound)),
                let to = span.place(of: min(last, days.upperBound))
            else { continue }
            for place in from...to { distinct.see(stint.episode, in: place) }
        }
        return distinct.row("Episodes")
    }
}
