import Testing

@testable import CSV

@Suite struct CSVTableTests {
    private func table(_ text: String) throws -> CSVTable { try CSVTable(Array(text.utf8)) }

    private func fault(_ text: String) -> CSVFault? {
        #expect(throws: CSVFault.self) { try table(text) }
    }

    @Test func `rows are read with the lines on which they begin`() throws {
        let read = try table("name,notes\r\nAna,\"two\r\nlines\"\r\nBen,\r\n")
        #expect(read.header == ["name", "notes"])
        #expect(read.rows.map(\.fields) == [["Ana", "two\r\nlines"], ["Ben", ""]])
        #expect(read.rows.map(\.line) == [2, 4])
    }

    @Test func `quotes hold separators, and quotes that are doubled`() throws {
        #expect(try table("a,b\n\"1,2\",\"say \"\"yes\"\"\"").rows.map(\.fields) == [["1,2", "say \"yes\""]])
    }

    @Test(arguments: ["a;b\n1;2\n", "a\tb\n1\t2\n", "\u{FEFF}a,b\n1,2\n"])
    func `spreadsheets separate by commas, semicolons or tabs, and some begin with a mark`(text: String) throws {
        #expect(try table(text) == CSVTable(Array("a,b\n1,2\n".utf8)))
    }

    @Test func `a fault is told with its line`() {
        #expect(fault("") == CSVFault(line: 1, reason: "The file is empty."))
        #expect(fault("a,b\n1\n") == CSVFault(line: 2, reason: "It has 1 fields, and the header has 2."))
        #expect(fault("a,b\n\n") == CSVFault(line: 2, reason: "It has 1 fields, and the header has 2."))
        #expect(fault("a\n\"1\n") == CSVFault(line: 2, reason: "A quote begins a field and none ends it."))
        #expect(
            fault("a\n1\n2\"3\n")
                == CSVFault(
                    line: 3, reason: "A quote stands within a field: put the field in quotes, and double that one."))
        #expect(
            fault("a\n\"1\"2\n")
                == CSVFault(
                    line: 2, reason: "After a quote that ends a field comes the separator or the end of the line."))
        #expect(throws: CSVFault(line: 1, reason: "The file is not UTF-8 text: save it as UTF-8.")) {
            try CSVTable([0x61, 0xFF])
        }
    }
}
