import PracticeInterfaces
import PracticeRules
import StaffInterfaces

@testable import PracticeDaemon

/// A clinic with two thanatologists, three services' words, and sessions whose numbers are easy to add.
struct ReportClinic {
    let clinic: Clinic
    let (ada, sofia, ana, ben): (String, String, String, String)
    let offers: Clinic.ServicesAndTerms

    init(_ settings: PracticeSettings = Clinic.settings) throws {
        clinic = try Clinic(settings)
        ada = try clinic.staff("Ada", .administrator)
        sofia = try clinic.staff("Sofia", .support)
        ana = try clinic.staff("Ana", .thanatologist)
        ben = try clinic.staff("Ben", .thanatologist)
        offers = try clinic.offers()
    }

    func client(_ name: String, of thanatologist: String, since: String = "2026-01-01") throws -> String {
        try clinic.as(thanatologist).call(Records.AddClient(name: name, since: since)).client.id
    }

    @discardableResult
    func session(
        _ client: String, by thanatologist: String, on: String, motives: [String]? = nil, tools: [String]? = nil,
        fee: Int? = nil
    ) throws -> String {
        try clinic.as(thanatologist).call(
            Records.AddSession(
                client: client, on: on, minutes: 50, service: offers.talk, motives: motives ?? [offers.loss],
                tools: tools ?? [], fee: fee, notes: "")
        ).session.id
    }

    /// The series of a report: the numbers and the total. A suppressed one is `*`, a missing one `-`.
    func lines(_ report: Reports.Get, as caller: Clinic.TestCaller? = nil) throws -> [String] {
        try (caller ?? clinic.root).call(report).series.map { series in
            let numbers = series.values.indices.map { place in
                if series.suppressed?.contains(place) == true { return "*" }
                return series.missing?.contains(place) == true ? "-" : "\(series.values[place])"
            }
            let total =
                series.totalSuppressed == true ? "*" : series.totalMissing == true ? "-" : "\(series.total)"
            return "\(series.name): \(numbers.joined(separator: " ")) | \(total)"
        }
    }
}
