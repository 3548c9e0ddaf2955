import Testing

@testable import Companion

@Suite struct TableTests {
    private func table() -> Table {
        var table = Table([
            .init("No.", isNumber: true, leads: true), .init("Name", leads: true), .init("Sessions", isNumber: true),
            .init("Last"), .init("Unused"),
        ])
        table.rows = [
            ["7", "Ana Ruiz", "14", "yesterday", ""], ["112", "山田 花子", "", "", ""], ["8", "مريم", "3", "today", ""],
        ]
        return table
    }

    @Test func `columns line up, also under wide letters and letters that run from right to left`() {
        #expect(
            table().text(columns: 80, ink: .plain) == """
                  No.  Name       Sessions  Last
                    7  Ana Ruiz         14  yesterday
                  112  山田 花子
                    8  \u{200E}مريم\u{200E}              3  today

                """)
    }

    @Test func `if the columns do not fit, the leading cells are on one line and the others below`() {
        #expect(
            table().text(columns: 30, ink: .plain) == """
                    7  Ana Ruiz
                       sessions 14
                       last yesterday
                  112  山田 花子
                    8  \u{200E}مريم\u{200E}
                       sessions 3 · last today

                """)
    }

    @Test func `a text cannot steer the terminal`() {
        var table = Table([.init("", leads: true)])
        table.rows = [[.init("a\u{1B}[31mb\u{202E}c\nd")]]
        #expect(table.text(columns: nil, ink: .plain) == "  a[31mbcd\n")
    }

    @Test func `facts stand beside their labels, and break at the terminal's edge`() {
        var facts = FactList()
        facts.add("Address", "Park 1\n28001 Madrid, by the small gate")
        facts.add("Nothing", nil)
        facts.add("Born", "1980")
        #expect(
            facts.text(columns: 36, ink: .plain) == """
                  Address  Park 1
                           28001 Madrid, by the
                           small gate
                  Born     1980

                """)
        #expect(
            facts.text(columns: 28, ink: .plain) == """
                  Address
                    Park 1
                    28001 Madrid, by the
                    small gate
                  Born
                    1980

                """)
    }
}
