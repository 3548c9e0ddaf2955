import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

/// A report has numbers only, so it has no entry in the audit.
extension Reports.Get: Handled {
    static let right = Right.seeReports
    static let onlyReads = true
    static let takesLong = true

    func answer(in context: CallContext) throws -> Reply {
        let kind = kind.rule
        let unit: Time.Period.Unit =
            switch period {
            case .week: .week
            case .month: .month
            case .year: .year
            }
        let isShared = share ?? false
        let span = try context.form { faults in
            // Numbers of weeks, months and years of the same time could be subtracted.
            if isShared, unit != .month { faults.add("period", "must be month, as all that is shared.") }
            return ReportSpan(unit, until: until, count: count, isOver: isShared, today: context.today, &faults)
        }
        let report = ReportMaker(
            kind, over: span, by: try context.reported(thanatologist), isEach: each ?? false, in: context)
        let rows = try report.rows(isShared: isShared)
        let mainUnit = kind.unit ?? (rows.first?.unit ?? context.settings.currency)
        return Reply(
            title: kind.title(by: unit), unit: mainUnit, periods: span.periods.map(\.description),
            series: rows.map { Reports.Series($0, in: mainUnit) }, first: "\(span.days.lowerBound)",
            last: "\(span.days.upperBound)", running: span.isRunning ? true : nil,
            definition: kind.definition(isShared: isShared))
    }
}

extension CallContext {
    /// The thanatologists of whom a report is made: one, the caller alone, or all.
    fileprivate func reported(_ thanatologist: String?) throws -> ReportMaker.Scope {
        let all = try store.thanatologists()
        guard reach != .everybodys || thanatologist != nil else { return .all(all) }
        // Of others, a thanatologist does not learn here that they exist.
        let wanted = thanatologist.map { ID<Person>($0) } ?? caller?.id
        guard let found = all.first(where: { $0.id == wanted }), holder == nil || holder == found.id else {
            if holder == nil, let wanted, let person = try store.person(wanted), person.role.isStaff {
                throw Practice.Invalid("thanatologist", "must be a \(settings.therapist): \(person.name) is none.")
            }
            throw Practice.NotFound(kind: "person", id: thanatologist ?? wanted?.description ?? "")
        }
        return .one(found)
    }
}

extension Reports.Kind {
    fileprivate var rule: ReportKind {
        switch self {
        case .attended: .attended
        case .fees: .fees
        case .motives: .motives
        case .services: .services
        case .tools: .tools
        case .caseload: .caseload
        case .records: .records
        case .replies: .replies
        }
    }
}

extension Reports.Series {
    /// - Parameter unit: the report's.
    fileprivate init(_ row: ReportRow, in unit: String) {
        func places(_ wanted: (Figure) -> Bool) -> [Int]? {
            let places = row.figures.indices.filter { wanted(row.figures[$0]) }
            return places.isEmpty ? nil : places
        }
        func shown(_ figure: Figure) -> Double { figure.isSuppressed ? 0 : figure.value ?? 0 }
        func isMissing(_ figure: Figure) -> Bool { figure.value == nil && !figure.isSuppressed }
        self.init(
            name: row.name, values: row.figures.map(shown), total: shown(row.total),
            unit: row.unit == unit ? nil : row.unit, thanatologist: row.thanatologist,
            thanatologistName: row.thanatologistName, suppressed: places(\.isSuppressed),
            totalSuppressed: row.total.isSuppressed ? true : nil, missing: places(isMissing),
            totalMissing: isMissing(row.total) ? true : nil)
    }
}
