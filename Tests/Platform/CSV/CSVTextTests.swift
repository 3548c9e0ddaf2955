import Testing

@testable import CSV

@Suite struct `Writing spreadsheets` {
    @Test func `fields stand in quotes where RFC 4180 asks for it, and rows end with CR LF`() {
        #expect(
            CSVText.text([["a", "b c", ""], ["x,y", "say \"so\"", "two\r\nlines"], ["\u{301}\"", "-1", "é"]])
                == "a,b c,\r\n\"x,y\",\"say \"\"so\"\"\",\"two\r\nlines\"\r\n\"\u{301}\"\"\",-1,é\r\n")
        #expect(CSVText.text([]) == "")
    }

    @Test func `a written table is read again`() throws {
        let rows = [
            ["name", "a;b\tc", "d"], ["\"", ",", "\n"], ["\r", "\r\n", "\"\""], ["", " ", "\u{FEFF}"],
            ["\"\u{301}", ",\u{338}", "👩‍👩‍👧"],
        ]
        let table = try CSVTable(Array(CSVText.text(rows).utf8), separator: UInt8(ascii: ","))
        #expect(table.header == rows[0])
        #expect(table.rows.map(\.fields) == Array(rows.dropFirst()))
    }
}
