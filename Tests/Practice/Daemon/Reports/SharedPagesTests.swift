import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import TestSupport
import Testing
import Varlink

@testable import PracticeDaemon

/// All shared pages of a practice: eight reports of everybody and of each thanatologist, over every row of months. A reader has all
/// of them, and knows how their numbers hang together.
@Suite struct `The shared pages of a practice, read together` {
    @Test(arguments: 0..<(isThorough ? 40 : 4))
    func `no suppressed number follows from the numbers that the pages show`(seed: Int) throws {
        let clinic = try SharedClinic(seed: testSeed &+ UInt64(seed))
        let reader = try Reader(of: clinic)
        #expect(reader.hidden.count > 20, "seed \(seed)")
        // The reader's knowledge holds: otherwise the test would find nothing, or too much.
        #expect(reader.wrong == [], "seed \(seed)")
        reader.conclude()
        #expect(reader.wrong == [], "seed \(seed)")
        #expect(reader.found == [], "seed \(seed)")
    }
}

/// Three months of three thanatologists, in which many numbers are about the bound of what is suppressed.
struct SharedClinic {
    let clinic: Clinic
    let thanatologists: [String]
    static let fee = 4_500
    private static let services = ["Circle", "Talk", "Walk"]

    init(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let clinic = try Clinic()
        let services = try Self.services.map { try clinic.service($0) }
        let motives = try ["Child", "Parent"].map { try clinic.term("motives", $0) }
        let tools = try ["Box", "Letter"].map { try clinic.term("tools", $0) }
        thanatologists = try ["Ana", "Ben", "Cora"].map { try clinic.staff($0, .thanatologist) }
        self.clinic = clinic
        for person in thanatologists {
            let therapist = clinic.as(person)
            let clients = try (0..<[6, 12, 20][Int.random(in: 0..<3, using: &dice)]).map {
                try therapist.call(Records.AddClient(name: "\(person) \($0)", since: "2026-12-01")).client.id
            }
            for month in Self.months {
                // As many clients as can be: each comes once before one comes twice.
                var turn = Int.random(in: 0..<clients.count, using: &dice)
                for service in services {
                    for _ in 0..<([0, 3, 9, 10, 11, 20].randomElement(using: &dice) ?? 0) {
                        turn += 1
                        try therapist.call(
                            Records.AddSession(
                                client: clients[turn % clients.count],
                                on: "\(month)-\(Int.random(in: 10...28, using: &dice))", minutes: 50, service: service,
                                motives: motives.filter { _ in Int.random(in: 0..<4, using: &dice) > 0 },
                                tools: tools.filter { _ in Bool.random(using: &dice) },
                                fee: [nil, 0, Self.fee, Self.fee].randomElement(using: &dice) ?? nil, notes: ""))
                    }
                }
            }
        }
    }

    private static let months = ["2026-12", "2027-01", "2027-02"]
    /// Every row of months, by the places of the first and the last one.
    static let spans = months.indices.flatMap { first in (first..<months.count).map { first...$0 } }

    func report(
        _ kind: Reports.Kind, of person: String?, over span: ClosedRange<Int>, isShared: Bool
    ) throws -> Reports.Get.Reply {
        try clinic.root.call(
            Reports.Get(
                kind: kind, period: .month, until: Self.months[span.upperBound], count: span.count,
                thanatologist: person, share: isShared))
    }
}

/// A reader of all pages. Each number lies between two bounds, which are drawn closer by what the numbers have to do with
/// each other.
final class Reader {
    /// A number of a page, of one month or of several in all.
    struct Name: Hashable, CustomStringConvertible {
        let report: String
        let row: String
        let of: String
        let span: ClosedRange<Int>

        var description: String { "\(report), \(row), of \(of), months \(span)" }
    }

    /// The left sum is at most the right one.
    private struct Fact {
        let left: [Name]
        let right: [Name]
    }

    private static let everybody = "all"
    private static let most = 1_000_000
    private var bounds: [Name: ClosedRange<Int>] = [:]
    private var facts: [Fact] = []
    private var truth: [Name: Int] = [:]
    /// The suppressed numbers from 1 to 10.
    private(set) var hidden: Set<Name> = []

    init(of clinic: SharedClinic) throws {
        let people = [Self.everybody] + clinic.thanatologists
        for person in people {
            for kind in Reports.Kind.allCases where kind != .caseload {
                try read(kind, of: person, in: clinic)
            }
        }
        try readCaseload(in: clinic)
        for report in ["services", "motives", "tools", "fees", "records"] { addSums(of: report, people) }
        for person in people {
            for span in SharedClinic.spans { addSessions(of: person, span) }
            addAttended(of: person, clinic.thanatologists)
        }
    }

    private func read(_ kind: Reports.Kind, of person: String, in clinic: SharedClinic) throws {
        let one = person == Self.everybody ? nil : person
        for span in SharedClinic.spans {
            let shown = try clinic.report(kind, of: one, over: span, isShared: true)
            let real = try clinic.report(kind, of: one, over: span, isShared: false)
            for series in shown.series where isCount(kind, series) {
                let same = try #require(real.series.first { $0.name == series.name })
                // Of an amount, the number of fees follows, because all are alike.
                let isAmount = kind == .fees && series.name == "EUR"
                let unit = isAmount ? Double(SharedClinic.fee) / 100 : 1
                take(kind.rawValue, isAmount ? "Given" : series.name, of: person, span, series) { place in
                    Int(((place.map { same.values[$0] } ?? same.total) / unit).rounded())
                }
            }
        }
    }

    /// Takes the numbers of a series, and its total. A number that one page hides may stand on another.
    private func take(
        _ report: String, _ row: String, of person: String, _ span: ClosedRange<Int>, _ series: Reports.Series,
        value: (_ place: Int?) -> Int
    ) {
        let places = series.values.indices.map { place in (place: place as Int?, span.lowerBound + place) }
        for (place, months) in places.map({ ($0.place, $0.1...$0.1) }) + [(nil, span)] {
            let name = Name(report: report, row: row, of: person, span: months)
            let isHidden = place.map { series.suppressed?.contains($0) == true } ?? (series.totalSuppressed == true)
            let value = value(place)
            truth[name] = value
            if isHidden { hide(name, value) } else { bounds[name] = value...value }
        }
    }

    /// The medians of replies are no counts, and do not hang together with other numbers.
    private func isCount(_ kind: Reports.Kind, _ series: Reports.Series) -> Bool {
        kind != .replies || !["Median", "90th percentile"].contains { series.name.contains($0) }
    }

    /// The reader knows which numbers of a single thanatologist's month are suppressed because they are small. Fees are suppressed for
    /// the services' sake as well, also where there are none.
    private func hide(_ name: Name, _ value: Int) {
        let isSmall = Sharing.small.contains(value)
        if isSmall { hidden.insert(name) }
        guard bounds[name] == nil else { return }
        bounds[name] = isSmall && isSingle(name) && name.report != "fees" ? 1...10 : 0...Self.most
    }

    private func isSingle(_ name: Name) -> Bool { name.of != Self.everybody && name.span.count == 1 }

    /// The caseload of everybody has a row for each thanatologist, with the numbers of their own page.
    private func readCaseload(in clinic: SharedClinic) throws {
        for span in SharedClinic.spans {
            let shown = try clinic.report(.caseload, of: nil, over: span, isShared: true)
            let real = try clinic.report(.caseload, of: nil, over: span, isShared: false)
            for series in shown.series {
                let same = try #require(real.series.first { $0.thanatologist == series.thanatologist })
                take("attended", "Clients", of: series.thanatologist ?? "", span, series) { place in
                    Int(place.map { same.values[$0] } ?? same.total)
                }
            }
        }
    }

    private func rows(of report: String) -> Set<String> {
        Set(bounds.keys.filter { $0.report == report }.map(\.row))
    }

    /// The name of a number. A series that a page has not is none.
    private func name(_ report: String, _ row: String, _ person: String, _ span: ClosedRange<Int>) -> Name {
        let name = Name(report: report, row: row, of: person, span: span)
        if bounds[name] == nil { (bounds[name], truth[name]) = (0...0, 0) }
        return name
    }

    private func equal(_ left: [Name], _ right: [Name]) {
        facts += [Fact(left: left, right: right), Fact(left: right, right: left)]
    }

    /// The total is the sum of the months, and everybody's number that of each one's.
    private func addSums(of report: String, _ people: [String]) {
        for row in rows(of: report) {
            for span in SharedClinic.spans {
                for person in people where span.count > 1 {
                    equal([name(report, row, person, span)], span.map { name(report, row, person, $0...$0) })
                }
                equal(
                    [name(report, row, Self.everybody, span)],
                    people.filter { $0 != Self.everybody }.map { name(report, row, $0, span) })
            }
        }
    }

    /// Each session has one service, and a fee or none; no more sessions than there are have a motive or a tool, and no more
    /// clients were seen.
    private func addSessions(of person: String, _ span: ClosedRange<Int>) {
        let services = rows(of: "services").map { name("services", $0, person, span) }
        equal(services, ["Given", "None given", "Nothing to give"].map { name("fees", $0, person, span) })
        for report in ["motives", "tools"] {
            for row in rows(of: report) {
                facts.append(Fact(left: [name(report, row, person, span)], right: services))
            }
        }
        facts.append(Fact(left: [name("attended", "Clients", person, span)], right: services))
    }

    /// A client of several months counts in each, and once in all; a client of several thanatologists as well.
    private func addAttended(of person: String, _ thanatologists: [String]) {
        func attended(_ person: String, _ span: ClosedRange<Int>) -> Name { name("attended", "Clients", person, span) }
        for span in SharedClinic.spans {
            facts.append(Fact(left: [attended(person, span)], right: span.map { attended(person, $0...$0) }))
            for part in SharedClinic.spans where part != span && part.clamped(to: span) == part {
                facts.append(Fact(left: [attended(person, part)], right: [attended(person, span)]))
            }
            guard person == Self.everybody else { continue }
            facts.append(Fact(left: [attended(person, span)], right: thanatologists.map { attended($0, span) }))
            for one in thanatologists {
                facts.append(Fact(left: [attended(one, span)], right: [attended(person, span)]))
            }
        }
    }

    /// Draws the bounds closer, until nothing follows any more.
    func conclude() {
        var isChanged = true
        while isChanged {
            isChanged = false
            for fact in facts {
                let least = fact.left.reduce(0) { $0 + low($1) }
                let greatest = fact.right.reduce(0) { $0 + high($1) }
                for name in fact.left where greatest - (least - low(name)) < high(name) {
                    narrow(name, low(name), greatest - (least - low(name)))
                    isChanged = true
                }
                for name in fact.right where least - (greatest - high(name)) > low(name) {
                    narrow(name, least - (greatest - high(name)), high(name))
                    isChanged = true
                }
            }
        }
    }

    private func low(_ name: Name) -> Int { bounds[name]?.lowerBound ?? 0 }
    private func high(_ name: Name) -> Int { bounds[name]?.upperBound ?? Self.most }
    private func narrow(_ name: Name, _ low: Int, _ high: Int) { bounds[name] = min(low, high)...max(low, high) }

    /// Numbers that do not lie between their bounds.
    var wrong: [String] {
        truth.filter { !(bounds[$0.key] ?? 0...0).contains($0.value) }.map { "\($0.key): \($0.value)" }.sorted()
    }

    /// The small numbers of a single thanatologist's month that cannot be anything from 1 to 10 any more. Of sums, those that are
    /// known: a sum of three small ones is at least three.
    var found: [String] {
        hidden.filter { isSingle($0) ? low($0) > 1 || high($0) < 10 : low($0) == high($0) }
            .map { "\($0): \(truth[$0] ?? 0), from \(low($0)) to \(high($0))" }.sorted()
    }
}
