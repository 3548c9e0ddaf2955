import PracticeRules
import PracticeStore
import Time

/// The tallies of the sessions in a report's time.
struct SessionTallies {
    let store: Store
    let people: [Store.Thanatologist]
    let count: Int
    /// The weeks or months whose tallies are read, each with the place of its period in the report: a year has twelve.
    let tallied: [(period: Time.Period, place: Int)]

    init(_ maker: ReportMaker) throws {
        (store, people, count) = (maker.store, maker.scope.people, maker.span.periods.count)
        // Where there are no sessions, there are no tallies: decades may lie before the first.
        guard let days = try store.sessionDays() else {
            tallied = []
            return
        }
        tallied = maker.span.periods.enumerated().flatMap { place, period in
            Self.tallied(period).filter { $0.days.overlaps(days) }.map { (period: $0, place: place) }
        }
    }

    private static func tallied(_ period: Time.Period) -> [Time.Period] {
        guard case .year = period else { return [period] }
        let first = Time.Period(.month, with: period.days.lowerBound)
        return (1..<12).reduce(into: [first]) { months, _ in months.append(months[months.count - 1].next) }
    }

    /// Goes through the tallies of one thanatologist, or, for nil, of all.
    func each(
        of thanatologist: Store.Thanatologist?, _ kind: Store.TallyKind,
        _ body: (_ place: Int, _ key: Int64, _ currency: String, _ sessions: Int, _ amount: Int) -> Void
    ) throws {
        for person in thanatologist.map({ [$0] }) ?? people {
            for (period, place) in tallied {
                try store.eachTally(of: person.id, in: period, kind) { body(place, $0, $1, $2, $3) }
            }
        }
    }
}

/// Clients with a session.
struct ClientReport: ReportSource {
    private let tallies: SessionTallies
    private let greatest: Int

    init(_ tallies: SessionTallies) throws {
        self.tallies = tallies
        greatest = try tallies.store.greatestClient()
    }

    func rows(of thanatologist: Store.Thanatologist?) throws -> [ReportRow] {
        var clients = DistinctCount(periods: tallies.count, greatest: greatest)
        for person in thanatologist.map({ [$0] }) ?? tallies.people {
            for (period, place) in tallies.tallied {
                try tallies.store.eachClient(of: person.id, in: period) { clients.see($0, in: place) }
            }
        }
        return [clients.row("Clients")]
    }
}

/// Recovery fees: an amount in each currency, and the sessions without one.
struct FeeReport: ReportSource {
    private let tallies: SessionTallies
    private let currency: String

    /// - Parameter currency: the practice's own, which has a series even where nothing was given.
    init(_ tallies: SessionTallies, currency: String) { (self.tallies, self.currency) = (tallies, currency) }

    func rows(of thanatologist: Store.Thanatologist?) throws -> [ReportRow] {
        let none = [Int](repeating: 0, count: tallies.count)
        var amounts = [currency: none]
        var given = [currency: none]
        try tallies.each(of: thanatologist, .given) { place, _, currency, sessions, amount in
            amounts[currency, default: none][place] += amount
            given[currency, default: none][place] += sessions
        }
        let rows = amounts.keys.sorted { ($0 != currency ? 1 : 0, $0) < ($1 != currency ? 1 : 0, $1) }.map { code in
            Self.row(Currency(code), amounts[code] ?? none, of: given[code] ?? none)
        }
        return try rows + [
            without(.noneGiven, "None given", of: thanatologist),
            without(.nothingToGive, "Nothing to give", of: thanatologist),
        ]
    }

    private static func row(_ currency: Currency, _ amounts: [Int], of sessions: [Int]) -> ReportRow {
        ReportRow(
            currency.code, unit: currency.code,
            figures: zip(amounts, sessions).map { Figure(currency.units($0), of: $1) },
            total: Figure(currency.units(amounts.reduce(0, +)), of: sessions.reduce(0, +)))
    }

    private func without(
        _ kind: Store.TallyKind, _ name: String, of thanatologist: Store.Thanatologist?
    ) throws -> ReportRow {
        var counts = [Int](repeating: 0, count: tallies.count)
        try tallies.each(of: thanatologist, kind) { place, _, _, sessions, _ in counts[place] += sessions }
        return ReportRow(name, unit: "sessions", counts: counts)
    }
}

/// Sessions by their motives, tools or services: those with numbers, the most frequent first.
struct TermReport: ReportSource {
    private let tallies: SessionTallies
    private let words: [(number: Int64, name: String)]
    private let kind: Store.TallyKind

    /// - Parameter words: in alphabetical order.
    init(_ tallies: SessionTallies, words: [(number: Int64, name: String)], _ kind: Store.TallyKind) {
        (self.tallies, self.words, self.kind) = (tallies, words, kind)
    }

    func rows(of thanatologist: Store.Thanatologist?) throws -> [ReportRow] {
        var counts: [Int64: [Int]] = [:]
        let none = [Int](repeating: 0, count: tallies.count)
        try tallies.each(of: thanatologist, kind) { place, key, _, sessions, _ in
            counts[key, default: none][place] += sessions
        }
        return words.compactMap { word in
            counts[word.number].map { ReportRow(word.name, key: "\(word.number)", counts: $0) }
        }
        .sortedByTotal()
    }
}

extension Currency {
    /// An amount in whole units: 45.5 for 4550 cents.
    fileprivate func units(_ amount: Int) -> Double {
        Double(amount) / (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    }
}
