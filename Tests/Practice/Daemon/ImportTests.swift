import PracticeInterfaces
import PracticeRules
import Testing

@testable import PracticeDaemon

@Suite struct `Taking in a spreadsheet` {
    private let clinic: Clinic
    private let ana: String

    init() throws {
        clinic = try Clinic()
        ana = try clinic.staff("Ana Ruiz", .thanatologist)
    }

    private func row(_ line: Int, _ values: [String: String]) -> Upkeep.ImportedRow {
        .init(line: line, values: values)
    }

    private var rows: [Upkeep.ImportedRow] {
        [
            row(2, ["name": "Cleo", "thanatologist": "ana ruiz", "since": "2026-01-07", "born": ""]),
            row(3, ["name": "Dora", "thanatologist": ana, "phone": "+49 30 1234567", "column of another name": "x"]),
        ]
    }

    private func clients() throws -> [String] { try clinic.as(ana).call(Records.ListClients()).clients.map(\.name) }

    @Test func `all clients are imported, and the journal has their number`() throws {
        let outcome = try clinic.root.outcome(Upkeep.Import(kind: .clients, rows: rows))
        #expect(outcome.journalLines.map(\.sentence) == ["Records were imported: 2 clients."])
        #expect(try clients() == ["Cleo", "Dora"])
    }

    @Test func `a dry run imports nothing and sends no news`() throws {
        let outcome = try clinic.root.outcome(Upkeep.Import(kind: .clients, rows: rows, dryRun: true))
        #expect(outcome.journalLines == [])
        #expect(try clients() == [])
    }

    @Test func `every fault is reported with its line, and one fault refuses all rows`() throws {
        let faulty =
            rows + [
                row(4, ["name": "", "thanatologist": "Nobody"]),
                row(5, ["name": "Emil", "thanatologist": ana, "born": "soon"]),
                row(6, ["name": "", "thanatologist": ana, "email": "no"]),
            ]
        #expect(
            throws: Upkeep.Faulty(faults: [
                .init(line: 4, field: "name", reason: "must not be empty."),
                .init(line: 4, field: "thanatologist", reason: "must be a thanatologist who works here."),
                .init(line: 5, field: "born", reason: "must be a day such as 2027-03-05."),
                .init(line: 6, field: "name", reason: "must not be empty."),
                .init(line: 6, field: "email", reason: "must be an address such as name@example.org."),
            ])
        ) { try clinic.root.call(Upkeep.Import(kind: .clients, rows: faulty)) }
        #expect(try clients() == [])
    }

    @Test func `only callers with the right to maintain may import`() throws {
        for asker in [clinic.as(ana), clinic.as(try clinic.staff("Sol", .support)), clinic.visitor] {
            #expect(throws: Practice.NotAllowed(right: "maintain")) {
                try asker.call(Upkeep.Import(kind: .clients, rows: rows))
            }
        }
    }
}
