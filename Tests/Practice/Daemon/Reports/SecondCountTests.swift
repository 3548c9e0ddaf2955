import Foundation
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import TestSupport
import Testing
import Time
import Varlink

@testable import PracticeDaemon
@testable import PracticeStore

@Suite(.ofFile) struct `Reports, counted a second time by another program` {
    private static let seeds = (0..<(isThorough ? 40 : 3)).map { testSeed &+ UInt64($0) }
    private static let zones = [
        "Europe/Madrid", "Pacific/Apia", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati",
        "Africa/Casablanca",
    ]

    @Test(arguments: seeds)
    func `random years of a practice have the same numbers`(seed: UInt64) throws {
        let name = Self.zones[Int(seed % UInt64(Self.zones.count))]
        let years = try RandomYears(seed: seed, zone: try #require(ZoneFiles.zone(name)))
        try years.live(steps: 500)
        try years.change(currency: "USD")
        try years.live(steps: 250)
        try years.change(currency: "EUR")
        let requests = requests(years)
        // Each thanatologist gets their own numbers, and nobody else's.
        let all = requests.flatMap { request in [request] + years.thanatologists.map { asked(request, $0) } }
        let counted = try SecondCount.reports(all, of: years.clinic.database, zone: name, today: "\(years.today)")
        try #require(counted.count == all.count)
        let each = 1 + years.thanatologists.count
        let expected = stride(from: 0, to: counted.count, by: each).map { counted[$0] }
        #expect(expected.joined().count { $0.hasSuffix("| 0.0") } * 2 < expected.joined().count, "most has numbers")
        let clinic = years.clinic
        for (place, request) in requests.enumerated() {
            for caller in [clinic.root, clinic.as(years.support)] {
                #expect(try lines(request, caller) == expected[place], "seed \(seed), \(request)")
            }
            for (number, thanatologist) in years.thanatologists.enumerated() {
                let own = asked(request, nil)
                #expect(
                    try lines(own, clinic.as(thanatologist)) == counted[place * each + 1 + number],
                    "seed \(seed), \(thanatologist), \(own)")
            }
        }
        #expect(try years.clinic.writer.storage.store().areTalliesRight())
    }

    /// Every kind by every period: of all, of each, and of one.
    private func requests(_ years: RandomYears) -> [Reports.Get] {
        var requests: [Reports.Get] = []
        for kind in Reports.Kind.allCases {
            for (period, unit) in [(Reports.Get.Period.week, Time.Period.Unit.week), (.month, .month), (.year, .year)] {
                for scope in ["all", "each", years.thanatologists.randomElement(using: &years.dice) ?? ""] {
                    let back = Int.random(in: 0...500, using: &years.dice)
                    requests.append(
                        Reports.Get(
                            kind: kind, period: period,
                            until: back < 250 ? nil : Time.Period(unit, with: years.today - back).description,
                            count: Int.random(in: 1...30, using: &years.dice),
                            thanatologist: scope.hasPrefix("p") ? scope : nil, each: scope == "each"))
                }
            }
        }
        return requests
    }

    private func asked(_ request: Reports.Get, _ thanatologist: String?) -> Reports.Get {
        var request = request
        request.thanatologist = thanatologist
        return request
    }

    private func lines(_ request: Reports.Get, _ caller: Clinic.TestCaller) throws -> [String] {
        try caller.call(request).series.map { series in
            let values = series.values.indices.map { place in
                series.missing?.contains(place) == true ? "-" : "\(series.values[place])"
            }
            let total = series.totalMissing == true ? "-" : "\(series.total)"
            return "\(series.name): \(values.joined(separator: " ")) | \(total)"
        }
    }

    /// The day begins up to a day away from UTC's, may be skipped, or come twice.
    @Test func `in every zone whose clocks turn about the end of a week, an instant is in the right period`() throws {
        let (first, last) = isThorough ? (1971, 2037) : (2024, 2027)
        let lines = try SecondCount.zones(from: first, to: last)
        #expect(lines.count > 1_000)
        var zones: [Substring: Zone] = [:]
        for line in lines {
            let words = line.split(separator: " ")
            // A zone that this machine has only for Python is none of a practice's.
            guard let zone = zones[words[0]] ?? ZoneFiles.zone(String(words[0])) else { continue }
            zones[words[0]] = zone
            let instant = Instant(microseconds: Int64(try #require(Int(words[1]))) * 1_000_000)
            let today = zone.day(at: instant)
            var spans: [String] = []
            for unit in [Time.Period.Unit.week, .month, .year] {
                var faults = Faults()
                let span = try #require(ReportSpan(unit, until: nil, count: 2, today: today, &faults))
                spans.append(span.periods[1].description)
                let waiting = Waits.rows([Wait(began: instant, answered: nil)], over: span, in: zone)[2]
                #expect(waiting.figures.map(\.basis) == [0, 1], "\(line)")
            }
            #expect(spans.map { Substring($0) } == Array(words[2...]), "\(line)")
        }
        #expect(zones.count > 100)
    }
}
