import PracticeRules
import PracticeStore
import Time

/// Makes the series of one report.
struct ReportMaker {
    /// The thanatologists of whom a report is made.
    enum Scope {
        case one(Store.Thanatologist)
        case all([Store.Thanatologist])

        var people: [Store.Thanatologist] {
            switch self {
            case .one(let person): [person]
            case .all(let people): people
            }
        }
    }

    let kind: ReportKind
    let span: ReportSpan
    let scope: Scope
    /// A series for each thanatologist.
    let isEach: Bool
    let store: Store
    let settings: PracticeSettings

    init(_ kind: ReportKind, over span: ReportSpan, by scope: Scope, isEach: Bool, in context: CallContext) {
        (self.kind, self.span, self.scope) = (kind, span, scope)
        self.isEach = isEach || kind == .caseload
        (store, settings) = (context.store, context.settings)
    }

    /// The series that the caller asked for.
    ///
    /// - Parameter isShared: for a page that leaves the practice: small numbers are suppressed.
    func rows(isShared: Bool) throws -> [ReportRow] {
        let source = try source(of: kind)
        guard isEach else { return try scopeRows(source, isShared) }
        return try scope.people.flatMap { person in
            let rows = try source.rows(of: person)
            // Somebody who left is there if they have numbers.
            guard person.isActive || rows.contains(where: { $0.total.basis > 0 }) else { return [ReportRow]() }
            return try (isShared ? shared(rows, of: person) : rows).gathered()
                .map { labelled($0, person, isEach: true) }
        }
    }

    /// The series of all thanatologists together, or of the only one.
    private func scopeRows(_ source: any ReportSource, _ isShared: Bool) throws -> [ReportRow] {
        switch scope {
        case .one(let person):
            let rows = try source.rows(of: person)
            return try (isShared ? shared(rows, of: person) : rows).gathered()
                .map { labelled($0, person, isEach: false) }
        case .all(let people):
            let rows = try source.rows(of: nil)
            guard isShared else { return rows.gathered() }
            let parts = try people.map { try source.rows(of: $0) }
            guard kind == .fees || kind.isBoundedBySessions else {
                // The rest follows from everybody's numbers and those of each thanatologist.
                let rest = try source.rows(besides: people).map { [$0] } ?? []
                return Sharing.shared(rows, parts: parts + rest, kind).gathered()
            }
            let source = try self.source(of: .services)
            let services = try source.rows(of: nil)
            let both = try zip(parts, people).map { (rows: $0, services: try source.rows(of: $1)) }
            guard kind == .fees else {
                return Sharing.shared(rows, kind, services: services, parts: both).gathered()
            }
            return Sharing.shared(
                fees: rows, services: services, parts: both.map { (fees: $0.rows, services: $0.services) }
            ).gathered()
        }
    }

    private func shared(_ rows: [ReportRow], of person: Store.Thanatologist) throws -> [ReportRow] {
        guard kind == .fees || kind.isBoundedBySessions else { return Sharing.shared(rows, kind) }
        let services = try source(of: .services).rows(of: person)
        return kind == .fees
            ? Sharing.shared(fees: rows, services: services) : Sharing.shared(rows, kind, services: services)
    }

    private func labelled(_ row: ReportRow, _ person: Store.Thanatologist, isEach: Bool) -> ReportRow {
        var row = row
        (row.thanatologist, row.thanatologistName) = (person.id.description, person.name)
        guard isEach else { return row }
        row.name = [.attended, .caseload].contains(kind) ? person.name : "\(person.name): \(row.name)"
        return row
    }

    private func source(of kind: ReportKind) throws -> any ReportSource {
        switch kind {
        case .attended, .caseload: try ClientReport(SessionTallies(self))
        case .fees: FeeReport(try SessionTallies(self), currency: settings.currency)
        case .motives: TermReport(try SessionTallies(self), words: try words("motives"), .term)
        case .tools: TermReport(try SessionTallies(self), words: try words("tools"), .term)
        case .services: TermReport(try SessionTallies(self), words: try services(), .service)
        case .records: try RecordReport(self)
        case .replies: try ReplyReport(self)
        }
    }

    private func words(_ vocabulary: String) throws -> [(number: Int64, name: String)] {
        try store.terms(in: vocabulary).map { ($0.id.number, $0.word) }
    }

    /// Services of one name have their category before it, and those of one category their identifier behind it.
    private func services() throws -> [(number: Int64, name: String)] {
        let services = try store.services(all: true)
        let categorised = services.map { "\($0.category): \($0.name)" }
        let identified = zip(categorised, services).map { "\($0) (\($1.id.description))" }
        let names = Self.toldApart(services.map(\.name), by: Self.toldApart(categorised, by: identified))
        return zip(services, names).map { (number: $0.id.number, name: $1) }
    }

    /// Each name that no other equals; in place of the others, their longer forms.
    private static func toldApart(_ names: [String], by longer: [String]) -> [String] {
        let counts = names.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        return zip(names, longer).map { counts[$0] == 1 ? $0 : $1 }
    }
}

/// Counts one kind of thing.
protocol ReportSource {
    /// The series of one thanatologist, or, for nil, of all together.
    func rows(of thanatologist: Store.Thanatologist?) throws -> [ReportRow]

    /// The series of everybody but these, all thanatologists; nil if nobody else can have numbers.
    func rows(besides people: [Store.Thanatologist]) throws -> [ReportRow]?
}

extension ReportSource {
    /// Everybody who holds a session is a thanatologist here.
    func rows(besides people: [Store.Thanatologist]) -> [ReportRow]? { nil }
}
