@testable import History

/// A history's file, of which the second page is the root of the table.
enum PagesFuzz {
    static func run(_ bytes: [UInt8]) throws {
        var reads = 0
        do {
            let pages = try TablePages(length: bytes.count) { room, offset in
                reads += 1
                guard offset >= 0, offset + room.count <= bytes.count else { return false }
                room.copyBytes(from: bytes[offset..<offset + room.count])
                return true
            }
            var row = PageRow()
            try pages.each(from: 2) { number, record in
                try row.stand(on: record, numbered: number)
                try promise("a row keeps its number", row.sequence == Int(number))
                for column in Column.allCases { try hold(row, column) }
            }
        } catch is TablePages.Unreadable {}
        try promise("no more is read than there is", reads <= 1 + bytes.count / 512 * 2)
    }

    private static func hold(_ row: PageRow, _ column: Column) throws {
        let text = row.bytes(column)
        try promise("a column has one kind of value", text == nil || column.isText && !row.isNull(column))
        // Each of the bytes is there to be read.
        _ = text?.reduce(0) { $0 &+ Int($1) }
        if !column.isText { _ = row.integer(column) }
    }
}
