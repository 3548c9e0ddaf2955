import Foundation

/// A daemon's changes of its disk and its messages on sockets, in order, as `disk.c` recorded them.
public struct DiskLog {
    public enum Kind: UInt32 {
        case created = 1
        case opened, wrote, truncated, synced, syncFailed, folderSynced, renamed, unlinked, accepted, sent, linked
        case folderMade
    }

    public struct Record {
        public let kind: Kind
        public let file: UInt32
        public let offset: Int
        public let bytes: ArraySlice<UInt8>

        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    public private(set) var records: [Record] = []

    public init(_ path: String) throws {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        var place = 0
        while place + 24 <= bytes.count {
            let (kind, file, offset, length) = bytes.withUnsafeBytes { all in
                (
                    all.loadUnaligned(fromByteOffset: place, as: UInt32.self),
                    all.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self),
                    Int(all.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)),
                    Int(all.loadUnaligned(fromByteOffset: place + 16, as: UInt64.self))
                )
            }
            // The kill may have come in the middle of the last record.
            guard place + 24 + length <= bytes.count else { return }
            records.append(
                Record(
                    kind: Kind(rawValue: kind)!, file: file, offset: offset,
                    bytes: bytes[place + 24..<place + 24 + length]))
            place += 24 + length
        }
    }

    /// The messages that each connection was sent before that record, in the order in which they were accepted.
    public func replies(before cut: Int) -> [[String]] {
        var order: [UInt32] = []
        var sent: [UInt32: [UInt8]] = [:]
        for record in records[..<cut] {
            if record.kind == .accepted { order.append(record.file) }
            if record.kind == .sent { sent[record.file, default: []] += record.bytes }
        }
        return order.map { connection in
            let whole = (sent[connection] ?? []).split(separator: 0, omittingEmptySubsequences: false).dropLast()
            return whole.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
