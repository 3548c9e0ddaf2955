/// Suppresses numbers of a report on a page that leaves the practice: those from 1 to 10, and those from which they could be
/// computed. 0 is shown. A number of everybody's is compared with those of each thanatologist, because both may be published.
public enum Sharing {
    /// The suppressed counts of people, sessions, records and conversations (the practice of the CMS, the United States' health
    /// insurance).
    public static let small = 1...10

    /// - Parameters:
    ///   - rows: all series of one report, of one thanatologist or of everybody.
    ///   - parts: the same report of each thanatologist, if `rows` are everybody's; and that of everybody else.
    public static func shared(_ rows: [ReportRow], parts: [[ReportRow]] = [], _ kind: ReportKind) -> [ReportRow] {
        let parts = parts.map { shared($0, kind) }
        var rows = rows
        for place in rows.indices {
            rows[place].suppressSmall()
            // Medians do not add up.
            guard kind != .replies || rows[place].isCount else { continue }
            let key = rows[place].key
            rows[place].suppressTelling(
                parts.compactMap { part in part.first { $0.key == key } }, isSum: kind.hasSummedTotals)
        }
        // Episodes under way follow from those of another month and from what was opened, closed and reopened since.
        if kind == .records { rows.removeLast() }
        return kind.isSortedByTotal ? withoutOrder(rows) : rows
    }

    /// The fees beside the services of the same sessions. The fees of a period count all of its sessions, and would tell a
    /// suppressed number of a service; so a period with a suppressed number in either report, of anybody's, shows no fees.
    ///
    /// - Parameters:
    ///   - fees, services: all series of both reports, of one thanatologist or of everybody.
    ///   - parts: the same reports of each thanatologist, if they are everybody's.
    public static func shared(
        fees: [ReportRow], services: [ReportRow], parts: [(fees: [ReportRow], services: [ReportRow])] = []
    ) -> [ReportRow] {
        var fees = shared(fees, parts: parts.map(\.fees), .fees)
        let others = parts.flatMap { shared($0.fees, .fees) + shared($0.services, .services) }
        let telling = fees + shared(services, parts: parts.map(\.services), .services) + others
        let isTotalTold = telling.contains(where: \.isPartlySuppressed)
        for row in fees.indices {
            for place in fees[row].figures.indices where telling.contains(where: { $0.figures[place].isSuppressed }) {
                fees[row].figures[place].isSuppressed = true
            }
            if isTotalTold { fees[row].total.isSuppressed = true }
        }
        return fees
    }

    /// Counts of which none is greater than that of the sessions: clients who came, and sessions with a motive or a tool. Such a
    /// count would tell how large the suppressed numbers of the services are at least, and is suppressed where it does.
    ///
    /// - Parameters:
    ///   - rows: all series of the report, of one thanatologist or of everybody.
    ///   - services: those of the services.
    ///   - parts: the same reports of each thanatologist, if they are everybody's.
    public static func shared(
        _ rows: [ReportRow], _ kind: ReportKind, services: [ReportRow],
        parts: [(rows: [ReportRow], services: [ReportRow])] = []
    ) -> [ReportRow] {
        let theirs = parts.map { withoutTelling(shared($0.rows, kind), of: [shared($0.services, .services)]) }
        let others = parts.map { shared($0.services, .services) }
        let sessions = [shared(services, parts: parts.map(\.services), .services)] + others
        let own = shared(rows, parts: parts.map(\.rows), kind)
        let safe = withoutTelling(own, of: sessions, besides: theirs)
        return kind.isSortedByTotal ? withoutOrder(safe) : safe
    }

    /// - Parameters:
    ///   - sessions: the services' series; after those of everybody, those of each thanatologist.
    ///   - parts: the same series of each thanatologist.
    private static func withoutTelling(
        _ rows: [ReportRow], of sessions: [[ReportRow]], besides parts: [[ReportRow]] = []
    ) -> [ReportRow] {
        rows.map { row in
            var row = row
            for place in row.figures.indices {
                // A number of one of them that is suppressed, and not small, is so for this reason, and the sum would tell it.
                let isTold = parts.contains { part in
                    part.contains {
                        $0.key == row.key && $0.figures[place].isSuppressed
                            && $0.figures[place].basis > small.upperBound
                    }
                }
                let (known, hidden) = counted(sessions, at: place)
                let least = row.figures[place].basis - known
                guard isTold || hidden > 0 && least > 1 + small.upperBound * (hidden - 1) else { continue }
                row.figures[place].isSuppressed = true
                row.total.isSuppressed = true
            }
            return row
        }
    }

    /// The sessions that are known of a period, and how many suppressed numbers there are beside them.
    private static func counted(_ sessions: [[ReportRow]], at place: Int) -> (known: Int, hidden: Int) {
        var (known, hidden) = (0, 0)
        for row in sessions.first ?? [] {
            let parts = sessions.dropFirst().flatMap { $0.filter { $0.key == row.key } }
            // A suppressed number of everybody's is known as far as those of each are.
            for figure in !row.figures[place].isSuppressed || parts.isEmpty
                ? [row.figures[place]] : parts.map({ $0.figures[place] })
            {
                if figure.isSuppressed { hidden += 1 } else { known += figure.basis }
            }
        }
        return (known, hidden)
    }

    /// Series with a suppressed total in alphabetical order after the others: their place by the total would tell it.
    private static func withoutOrder(_ rows: [ReportRow]) -> [ReportRow] {
        rows.filter { !$0.total.isSuppressed } + rows.filter(\.total.isSuppressed).sorted { $0.name < $1.name }
    }

    /// True if the sum of several counts, all from 1 to 10, tells more about one of them than that.
    public static func tells(sum: Int, of count: Int) -> Bool {
        // One of them may be 10 while the others are at least 1, and it may be 1 while the others are at most 10.
        count > 0 && !(sum >= 10 + (count - 1) && sum <= 1 + 10 * (count - 1))
    }
}

extension ReportKind {
    /// The total of a series is the sum of its numbers.
    fileprivate var hasSummedTotals: Bool { ![.attended, .caseload, .replies].contains(self) }

    /// None of its numbers is greater than that of the sessions.
    public var isBoundedBySessions: Bool { [.attended, .caseload, .motives, .tools].contains(self) }

    fileprivate var isSortedByTotal: Bool { [.motives, .tools, .services].contains(self) }
}

extension ReportRow {
    fileprivate var isPartlySuppressed: Bool { total.isSuppressed || figures.contains(where: \.isSuppressed) }

    /// Suppresses the small numbers, and the total from which one of them could be computed.
    fileprivate mutating func suppressSmall() {
        for place in figures.indices where Sharing.small.contains(figures[place].basis) {
            figures[place].isSuppressed = true
        }
        if Sharing.small.contains(total.basis) || figures.contains(where: \.isSuppressed) { total.isSuppressed = true }
    }

    /// Suppresses the numbers that tell one of a single thanatologist, by the difference to the numbers of the others.
    ///
    /// - Parameter isSum: the total is the sum of the numbers, and would tell a number that is suppressed here.
    fileprivate mutating func suppressTelling(_ parts: [ReportRow], isSum: Bool) {
        for place in figures.indices {
            guard tells(figures[place], parts.map { $0.figures[place] }) else { continue }
            figures[place].isSuppressed = true
            if isSum { total.isSuppressed = true }
        }
        if parts.count(where: \.total.isSuppressed) == 1 || tells(total, parts.map(\.total)) {
            total.isSuppressed = true
        }
    }

    private func tells(_ all: Figure, _ parts: [Figure]) -> Bool {
        let hidden = parts.filter { $0.isSuppressed && Sharing.small.contains($0.basis) }
        guard isCount else { return hidden.count == 1 }
        // A client of two thanatologists counts once here, and so the difference may be less than the sum of the others.
        let known = parts.reduce(0) { $0 + (hidden.contains($1) ? 0 : $1.basis) }
        return Sharing.tells(sum: all.basis - known, of: hidden.count)
    }
}
