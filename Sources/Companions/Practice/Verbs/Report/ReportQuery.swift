import Companion
import PracticeInterfaces
import StaffInterfaces
import Time
import Varlink

/// A report as practiced counted it, with its kind.
struct CountedReport {
    let kind: Reports.Kind
    let figures: Figures
}

/// The question to practiced for a report of any kind.
struct ReportQuery {
    let unit: Reports.Get.Period
    var until: String?
    var count: Int?
    /// The identifier of the only thanatologist whose numbers are asked for.
    var thanatologist: String?
    var isEach = false
    var isShared = false

    func method(_ kind: Reports.Kind) -> Reports.Get {
        Reports.Get(
            kind: kind, period: unit, until: until, count: count, thanatologist: thanatologist,
            each: isEach ? true : nil, share: isShared ? true : nil)
    }

    /// practiced counts the next report while this one is read.
    func reports(
        _ kinds: [Reports.Kind], over connection: DaemonConnection
    ) throws(Failure) -> [CountedReport] {
        for kind in kinds { try connection.send(method(kind)) }
        var reports: [CountedReport] = []
        for kind in kinds {
            let reply = try Self.read(connection.nextReply(), over: connection)
            reports.append(CountedReport(kind: kind, figures: try Figures(kind, reply)))
        }
        return reports
    }

    private static func read(_ reply: Reply, over connection: DaemonConnection) throws(Failure) -> Reports.Get.Reply {
        if let error = reply.decodeError(Practice.Invalid.self) {
            let faults = error.faults.map {
                "--\($0.field == "thanatologist" ? "of" : $0.field.shown) \($0.reason.shown)"
            }
            throw Failure(refusal: reply, saying: faults.joined(separator: "\n"))
        }
        return try connection.decode(Reports.Get.self, from: reply)
    }

    /// The reply: of all reports as an object with a member for each.
    func json(_ kind: Reports.Kind?, over connection: DaemonConnection) throws(Failure) -> [UInt8] {
        let kinds = kind.map { [$0] } ?? Reports.Kind.allCases
        for kind in kinds { try connection.send(method(kind)) }
        var members: [[UInt8]] = []
        for each in kinds {
            let reply = try connection.nextReply()
            _ = try Self.read(reply, over: connection)
            members.append((kind == nil ? Array("\"\(each.rawValue)\":".utf8) : []) + reply.parameters)
        }
        let all = Array(members.joined(separator: [UInt8(ascii: ",")]))
        return kind == nil ? Array("{".utf8) + all + Array("}".utf8) : all
    }
}

extension Figures {
    /// Throws if the reply contradicts itself.
    init(_ kind: Reports.Kind, _ reply: Reports.Get.Reply) throws(Failure) {
        let periods = reply.periods.compactMap { Period($0) }
        guard periods.count == reply.periods.count,
            reply.series.allSatisfy({ $0.values.count == periods.count })
        else { throw .notUnderstood("a report's periods", from: .practiced) }
        let people = reply.series.reduce(into: [String]()) { people, series in
            if let person = series.thanatologist, !people.contains(person) { people.append(person) }
        }
        // A report of people has one series of each, which stand side by side.
        let isOfPeople = [.attended, .caseload].contains(kind)
        let isOfOne = people.count == 1 && !isOfPeople || kind == .attended && reply.series.count == 1
        let name = isOfOne ? reply.series.first?.thanatologistName : nil
        self.init(
            id: kind.rawValue, title: reply.title + (name.map { ", of \($0)" } ?? ""),
            definition: reply.definition ?? "", periods: periods, running: reply.running == true ? periods.last : nil,
            form: [.attended, .fees, .records, .replies].contains(kind) ? .overTime : .shares,
            sections: Self.sections(reply, people: isOfPeople || people.count < 2 ? [] : people))
    }

    /// Series of one unit, and if `people` has any, of one of these people.
    private static func sections(_ reply: Reports.Get.Reply, people: [String]) -> [Section] {
        let units = reply.series.reduce(into: [String]()) { units, series in
            let unit = series.unit ?? reply.unit
            if !units.contains(unit) { units.append(unit) }
        }
        let owners = people.isEmpty ? [nil] : people.map { Optional($0) }
        return owners.flatMap { owner in
            units.compactMap { unit in
                let own = reply.series.filter {
                    ($0.unit ?? reply.unit) == unit && (owner == nil || $0.thanatologist == owner)
                }
                guard let first = own.first else { return nil }
                let series = own.map { Series($0, isNamed: owner != nil) }
                let headings = [
                    owner.flatMap { _ in first.thanatologistName },
                    units.count > 1 ? heading(of: series, in: unit) : nil,
                ]
                return Section(
                    headings.compactMap { $0 }.joined(separator: " · "), unit: FigureUnit(counted: unit), series)
            }
        }
    }

    /// `EUR`, `Sessions`, and of one series alone `Waiting (conversations)`.
    private static func heading(of series: [Series], in unit: String) -> String {
        guard series.count == 1, series[0].name != unit else { return Wording.capitalised(unit) }
        return "\(series[0].name) (\(unit))"
    }
}

extension Figures.Series {
    /// - Parameter isNamed: the thanatologist's name stands above, and is left out of the series' own name.
    fileprivate init(_ series: Reports.Series, isNamed: Bool) {
        let prefix = series.thanatologistName.map { "\($0): " } ?? ""
        let isPrefixed = isNamed && !prefix.isEmpty && series.name.hasPrefix(prefix)
        let values = series.values.enumerated().map { place, value in
            Companion.Figure(
                value, isSuppressed: series.suppressed?.contains(place) ?? false,
                isMissing: series.missing?.contains(place) ?? false)
        }
        self.init(
            isPrefixed ? String(series.name.dropFirst(prefix.count)) : series.name, values,
            total: Companion.Figure(
                series.total, isSuppressed: series.totalSuppressed ?? false, isMissing: series.totalMissing ?? false))
    }
}

extension Companion.Figure {
    fileprivate init(_ value: Double, isSuppressed: Bool, isMissing: Bool) {
        self = isSuppressed ? .withheld : isMissing ? .none : .number(value)
    }
}
