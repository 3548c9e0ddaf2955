import Foundation

/// How many transactions a database's write-ahead log has ("Database File Format", section 4).
func transactions(inLogOf database: String) throws -> Int {
    let log = try Array(Data(contentsOf: URL(filePath: database + "-wal")))
    guard log.count >= 32 else { return 0 }
    func number(_ offset: Int) -> Int { log[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    let frame = 24 + number(8)
    return stride(from: 32, through: log.count - frame, by: frame).count { offset in
        // A frame of this log, not of an earlier one, and the last of its transaction.
        log[offset + 8..<offset + 16] == log[16..<24] && number(offset + 4) != 0
    }
}
