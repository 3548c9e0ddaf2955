import JSON
import Storage

/// Rows that one statement takes in: a statement for each row would take as long again for each. It reads them
/// `FROM {rows of $1} r`, and their columns, which are texts or NULL, as `r.value ->> 0`, `r.value ->> 1` and so on.
struct ManyRows: Bindable {
    private let rows: [[String?]]

    init(_ rows: [[String?]]) { self.rows = rows }

    /// An array of arrays.
    var databaseValue: Value {
        var text: [UInt8] = []
        for row in rows {
            text.append(UInt8(ascii: text.isEmpty ? "[" : ","))
            for (place, column) in row.enumerated() {
                text.append(UInt8(ascii: place == 0 ? "[" : ","))
                if let column { text.appendJSON(column) } else { text += "null".utf8 }
            }
            text.append(UInt8(ascii: "]"))
        }
        text += (rows.isEmpty ? "[]" : "]").utf8
        return .text(String(decoding: text, as: UTF8.self))
    }
}
