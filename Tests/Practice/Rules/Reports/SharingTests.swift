import PracticeRules
import TestSupport
import Testing

@Suite struct `A shared report` {
    private func row(_ name: String, key: String? = nil, _ counts: Int..., total: Int? = nil) -> ReportRow {
        ReportRow(name, key: key, counts: counts, total: total ?? counts.reduce(0, +))
    }

    /// The numbers as they are shown, and the total.
    private func shown(_ rows: [ReportRow], parts: [[ReportRow]] = [], _ kind: ReportKind) -> [String] {
        Sharing.shared(rows, parts: parts, kind).map { row in
            "\(row.name): "
                + (row.figures + [row.total]).map { figure in
                    figure.isSuppressed ? "*" : figure.value.map { "\(Int($0))" } ?? "-"
                }.joined(separator: " ")
        }
    }

    @Test func `numbers from 1 to 10 are suppressed, and 0 is not`() {
        #expect(shown([row("Loss", 0, 11, 0)], .motives) == ["Loss: 0 11 0 11"])
        #expect(shown([row("Loss", 1, 10, 11)], .motives) == ["Loss: * * 11 *"])
    }

    @Test func `a total from which a number follows is suppressed`() {
        #expect(shown([row("Loss", 20, 3, 30)], .motives) == ["Loss: 20 * 30 *"])
    }

    @Test func `attended is suppressed where the caseload tells one number`() {
        let parts = [[row("Clients", 20, 20, total: 30)], [row("Clients", 3, 20, total: 22)]]
        #expect(shown([row("Clients", 23, 40, total: 50)], parts: parts, .attended) == ["Clients: * 40 *"])
    }

    @Test func `two suppressed numbers of which the sum says too much are not told by it`() {
        func attended(_ first: Int, _ second: Int) -> String {
            let parts = [[row("Clients", 20)], [row("Clients", first)], [row("Clients", second)]]
            return shown([row("Clients", 20 + first + second)], parts: parts, .caseload)[0]
        }
        #expect(attended(1, 1) == "Clients: * *")
        #expect(attended(10, 10) == "Clients: * *")
        #expect(attended(4, 6) == "Clients: * *")
        // Each of them may be anything from 1 to 10.
        #expect(attended(5, 6) == "Clients: 31 31")
    }

    @Test func `series of one name are compared each with its own`() {
        func talks(_ first: Int, _ second: Int) -> [ReportRow] {
            [row("Talk", key: "1", first), row("Talk", key: "2", second)]
        }
        // Each part has its greatest total first.
        let parts = [talks(25, 3), Array(talks(5, 37).reversed())]
        #expect(shown(talks(30, 40), parts: parts, .services) == ["Talk: * *", "Talk: * *"])
        // Motives count at most the sessions, of which at most one number of each service is hidden.
        let all = Sharing.shared(
            [row("Loss", 82)], .motives, services: talks(35, 47),
            parts: [(rows: [], services: talks(25, 10)), (rows: [], services: talks(10, 37))])
        #expect(all.map { $0.figures[0].isSuppressed } == [true])
    }

    @Test func `amounts that ten or fewer gave are suppressed, and the sum that tells them`() {
        func fees(_ amounts: (Double, Int)...) -> ReportRow {
            ReportRow(
                "EUR", unit: "EUR", figures: amounts.map { Figure($0.0, of: $0.1) },
                total: Figure(amounts.reduce(0) { $0 + $1.0 }, of: amounts.reduce(0) { $0 + $1.1 }))
        }
        #expect(shown([fees((500, 11), (450, 9))], .fees) == ["EUR: 500 * *"])
        let parts = [[fees((500, 11), (500, 12))], [fees((450, 9), (600, 12))]]
        #expect(shown([fees((950, 20), (1_100, 24))], parts: parts, .fees) == ["EUR: * 1100 *"])
    }

    @Test func `the place of a series does not tell its suppressed total`() {
        let rows = [row("Loss", 30, 30), row("Work", 20, 6), row("Family", 18, 4), row("Age", 13, 11)]
        #expect(shown(rows, .tools) == ["Loss: 30 30 60", "Age: 13 11 24", "Family: 18 * *", "Work: 20 * *"])
    }

    @Test func `fees tell no suppressed number of a service`() {
        func withheld(_ rows: [ReportRow]) -> [[Bool]] { rows.map { ($0.figures + [$0.total]).map(\.isSuppressed) } }
        let fees = [row("None given", 0, 0, 11), row("Nothing to give", 23, 40, 20)]
        let services = [row("Individual", 20, 40, 20), row("Group", 3, 0, 11)]
        #expect(
            withheld(Sharing.shared(fees: fees, services: services)) == [
                [true, false, false, true], [true, false, false, true],
            ])
        let plenty = [row("Individual", 23, 40, 31)]
        #expect(
            withheld(Sharing.shared(fees: fees, services: plenty)) == [
                [false, false, false, false], [false, false, false, false],
            ])
        // Of everybody, the fees of the others would tell those of one thanatologist.
        let all = Sharing.shared(
            fees: [row("Nothing to give", 63)], services: [row("Individual", 60), row("Group", 33)],
            parts: [
                (fees: [row("Nothing to give", 23)], services: [row("Individual", 20), row("Group", 3)]),
                (fees: [row("Nothing to give", 70)], services: [row("Individual", 40), row("Group", 30)]),
            ])
        #expect(withheld(all) == [[true, true]])
    }

    @Test func `clients, motives and tools do not tell how large the suppressed numbers of services are`() {
        func shown(_ clients: Int, _ services: Int...) -> String {
            let rows = Sharing.shared(
                [row("Clients", clients)], .attended,
                services: services.enumerated().map { row("Service \($0.offset)", $0.element) })
            return rows[0].figures[0].isSuppressed ? "*" : "\(rows[0].figures[0].basis)"
        }
        // Twenty clients had twenty sessions, so that both services had ten.
        #expect(shown(20, 10, 10) == "*")
        #expect(shown(12, 4, 8) == "*")
        #expect(shown(11, 4, 8) == "11")
        #expect(shown(21, 12, 10) == "*")
        #expect(shown(13, 12, 10) == "13")
        #expect(shown(30, 20, 20) == "30")
        #expect(shown(0, 0, 0) == "0")
    }

    @Test func `the numbers of everybody do not tell what is suppressed for a thanatologist's services`() {
        let parts = [
            (rows: [row("Loss", 20)], services: [row("Talk", 10), row("Walk", 10)]),
            (rows: [row("Loss", 30)], services: [row("Talk", 40), row("Walk", 40)]),
        ]
        let all = Sharing.shared(
            [row("Loss", 50)], .motives, services: [row("Talk", 50), row("Walk", 50)], parts: parts)
        #expect(all.map { $0.figures[0].isSuppressed && $0.total.isSuppressed } == [true])
    }

    /// Those of any other month, on another page, and what was opened and closed since would tell a small number.
    @Test func `a shared page has no episodes under way`() {
        let rows = [
            row("Opened", 12, 0), row("Closed", 0, 0), row("Reopened", 0, 0), row("Episodes", 40, 43, total: 43),
        ]
        #expect(shown(rows, .records) == ["Opened: 12 0 12", "Closed: 0 0 0", "Reopened: 0 0 0"])
    }

    @Test func `a median of few answers is suppressed`() {
        let median = ReportRow(
            "Median", figures: [Figure(2, of: 10), Figure(3, of: 11), Figure(nil, of: 0)], total: Figure(3, of: 21))
        #expect(shown([median], .replies) == ["Median: * 3 - *"])
    }

    @Test func `medians do not add up, so a suppressed one of a single thanatologist hides none of all`() {
        func median(_ hours: Double, of count: Int) -> ReportRow {
            ReportRow("Median", figures: [Figure(hours, of: count)], total: Figure(hours, of: count))
        }
        let parts = [[median(2, of: 5)], [median(3, of: 20)]]
        #expect(shown([median(3, of: 25)], parts: parts, .replies) == ["Median: 3 3"])
    }

    @Test func `the sum of many series does not tell one of them that is suppressed`() {
        let rows = (1...101).map { row("Loss \($0)", $0 == 101 ? 3 : 20) }
        let gathered = Sharing.shared(rows, .motives).gathered()
        #expect(gathered.count == 100)
        let rest = gathered[99]
        #expect(rest.name == "2 others" && rest.figures[0].isSuppressed && rest.total.isSuppressed)
        let large = Sharing.shared(rows.dropLast() + [row("Loss", 20)], .motives).gathered()[99]
        #expect(!large.figures[0].isSuppressed && large.total.value == 40)
    }

    @Test func `nobody who knows all that is shown can narrow a number`() {
        var hidden = 0
        for seed in 1...(isThorough ? 20_000 : 2_000) {
            var dice = SplitMix64(seed: UInt64(seed))
            let (people, periods) = (Int.random(in: 1...3, using: &dice), Int.random(in: 1...2, using: &dice))
            let most = [6, 11, 14, 30].randomElement(using: &dice) ?? 3
            let parts = (0..<people).map { _ in
                [ReportRow("Loss", counts: (0..<periods).map { _ in Int.random(in: 0...most, using: &dice) })]
            }
            let sums = (0..<periods).map { place in parts.reduce(0) { $0 + $1[0].figures[place].basis } }
            let attack = Attack(
                each: parts.map { Sharing.shared($0, .motives)[0] },
                all: Sharing.shared([ReportRow("Loss", counts: sums)], parts: parts, .motives)[0])
            guard attack.cells.count <= 3 else { continue }
            hidden += attack.cells.count
            #expect(attack.narrowed == [], "seed \(seed): \(parts.map { $0[0].figures.map(\.basis) })")
        }
        #expect(hidden > 500)
    }

    /// Everything that may be behind the shown numbers of a table.
    private struct Attack {
        let each: [ReportRow]
        let all: ReportRow

        /// The suppressed numbers of single thanatologists.
        var cells: [(row: Int, place: Int)] {
            each.indices.flatMap { row in
                each[row].figures.indices.filter { each[row].figures[$0].isSuppressed }.map { (row, $0) }
            }
        }

        /// The suppressed numbers that cannot be anything from 1 to 10.
        var narrowed: [String] {
            let cells = cells
            var possible = cells.map { _ in Set<Int>() }
            for guess in 0..<cells.reduce(1, { product, _ in product * 10 }) {
                var (rest, values) = (guess, [Int]())
                for _ in cells {
                    values.append(rest % 10 + 1)
                    rest /= 10
                }
                if fits(cells, values) { for place in cells.indices { possible[place].insert(values[place]) } }
            }
            return cells.indices.filter { possible[$0].count < 10 }.map { "\(cells[$0])" }
        }

        /// True if all that is shown would be the same with these numbers.
        private func fits(_ cells: [(row: Int, place: Int)], _ values: [Int]) -> Bool {
            var table = each.map { $0.figures.map(\.basis) }
            for (cell, value) in zip(cells, values) { table[cell.row][cell.place] = value }
            func agrees(_ shown: Figure, _ sum: Int) -> Bool { shown.isSuppressed || shown.basis == sum }
            let sums = all.figures.indices.map { place in table.reduce(0) { $0 + $1[place] } }
            return zip(all.figures, sums).allSatisfy { agrees($0, $1) } && agrees(all.total, sums.reduce(0, +))
                && each.indices.allSatisfy { agrees(each[$0].total, table[$0].reduce(0, +)) }
        }
    }
}
