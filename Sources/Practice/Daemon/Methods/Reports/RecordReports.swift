import PracticeRules
import PracticeStore
import Time

/// Records: opened, closed, reopened, and the episodes under way.
struct RecordReport: ReportSource {
    private let counts: RecordCounts

    init(_ maker: ReportMaker) throws { counts = RecordCounts(try maker.store.countedTurns(), over: maker.span) }

    func rows(of thanatologist: Store.Thanatologist?) -> [ReportRow] { counts.rows(of: thanatologist?.id.number) }

    func rows(besides people: [Store.Thanatologist]) -> [ReportRow]? {
        counts.rows(besides: Set(people.map(\.id.number)))
    }
}

/// Replies: how long clients waited for an answer.
struct ReplyReport: ReportSource {
    private let span: ReportSpan
    private let zone: Zone
    private let waits: [Store.ClientWait]

    init(_ maker: ReportMaker) throws {
        (span, zone) = (maker.span, maker.settings.zone)
        let (from, until) = (zone.start(of: span.days.lowerBound), zone.start(of: span.days.upperBound + 1))
        waits = try maker.store.waits().filter { (from..<until).contains($0.wait.began) }
    }

    func rows(of thanatologist: Store.Thanatologist?) -> [ReportRow] {
        let wanted = thanatologist.map { person in waits.filter { $0.to.contains(person.id.number) } } ?? waits
        return Waits.rows(wanted.map(\.wait), over: span, in: zone)
    }

    func rows(besides people: [Store.Thanatologist]) -> [ReportRow]? {
        let numbers = Set(people.map(\.id.number))
        return Waits.rows(waits.filter { numbers.isDisjoint(with: $0.to) }.map(\.wait), over: span, in: zone)
    }
}
