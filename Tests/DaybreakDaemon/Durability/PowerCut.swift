import Foundation
import Glibc

/// What a daemon did to its disk and said on its sockets, in that order, as `disk.c` wrote it down.
struct DiskLog {
    enum Kind: UInt32 {
        case created = 1
        case opened, wrote, truncated, synced, syncFailed, folderSynced, renamed, unlinked, accepted, sent
    }

    struct Record {
        let kind: Kind
        let file: UInt32
        let offset: Int
        let bytes: ArraySlice<UInt8>

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private(set) var records: [Record] = []

    init(_ path: String) throws {
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
            // The kill may have come in the middle of the last.
            guard place + 24 + length <= bytes.count else { return }
            records.append(
                Record(
                    kind: Kind(rawValue: kind)!, file: file, offset: offset,
                    bytes: bytes[place + 24..<place + 24 + length]))
            place += 24 + length
        }
    }

    /// What each connection had been sent before that record, in the order in which they were accepted.
    func replies(before cut: Int) -> [[String]] {
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

/// A disk that promises no more than POSIX does: what a file holds is durable once it was synced, which name it has once
/// its folder was. Of everything else any part may be there after a power cut, in any order, torn at sectors.
struct ForgetfulDisk {
    private enum Change {
        case bytes(at: Int, ArraySlice<UInt8>)
        case size(Int)
    }

    private struct File {
        var durable: [UInt8] = []
        var pending: [Change] = []
    }

    private enum NameChange {
        case link(String, Int)
        case rename(String, String)
        case unlink(String)
    }

    private var files: [File] = []
    private var numbers: [UInt32: Int] = [:]
    private var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    private var pendingNames: [NameChange] = []
    var dice: Dice

    private static let sector = 512

    /// Beginning with what is in that folder now, all of it durable.
    init(_ folder: String, seed: UInt64) throws {
        dice = Dice(seed: seed)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let path = "\(folder)/\(name)"
            durableNames[path] = files.count
            files.append(File(durable: try [UInt8](Data(contentsOf: URL(filePath: path)))))
        }
        names = durableNames
    }

    mutating func play(_ records: ArraySlice<DiskLog.Record>) {
        for record in records { play(record) }
    }

    private mutating func play(_ record: DiskLog.Record) {
        switch record.kind {
        case .created:
            let file = files.count
            files.append(File())
            numbers[record.file] = file
            change(.link(record.text, file))
        case .opened: numbers[record.file] = names[record.text]!
        case .wrote: files[numbers[record.file]!].pending.append(.bytes(at: record.offset, record.bytes))
        case .truncated: files[numbers[record.file]!].pending.append(.size(record.offset))
        case .synced: settle(numbers[record.file]!) { _ in true }
        case .syncFailed:
            // What the kernel could not write it drops, and will not try again.
            var dice = self.dice
            settle(numbers[record.file]!) { _ in dice.flip() }
            self.dice = dice
        case .folderSynced:
            for change in pendingNames { Self.apply(change, to: &durableNames) }
            pendingNames = []
        case .renamed:
            let parts = record.text.split(separator: "\n").map(String.init)
            change(.rename(parts[0], parts[1]))
        case .unlinked: change(.unlink(record.text))
        case .accepted, .sent: break
        }
    }

    private mutating func change(_ change: NameChange) {
        Self.apply(change, to: &names)
        pendingNames.append(change)
    }

    private static func apply(_ change: NameChange, to names: inout [String: Int]) {
        switch change {
        case .link(let name, let file): names[name] = file
        case .rename(let old, let new):
            names[new] = names[old]
            names[old] = nil
        case .unlink(let name): names[name] = nil
        }
    }

    /// Lets those pieces of what is pending reach the disk that the body says, in their order.
    private mutating func settle(_ file: Int, _ keeps: (_ piece: Int) -> Bool) {
        var piece = 0
        var bytes = files[file].durable
        for change in files[file].pending {
            switch change {
            case .size(let size):
                if keeps(piece) { bytes = Array(bytes.prefix(size)) + zeros(size - bytes.count) }
                piece += 1
            case .bytes(let start, let written):
                for part in Self.sectors(from: start, count: written.count) {
                    if keeps(piece) {
                        bytes += zeros(part.upperBound - bytes.count)
                        let first = written.startIndex + part.lowerBound - start
                        bytes.replaceSubrange(part, with: written[first..<first + part.count])
                    }
                    piece += 1
                }
            }
        }
        files[file].durable = bytes
        files[file].pending = []
    }

    private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: max(0, count)) }

    private static func sectors(from start: Int, count: Int) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var place = start
        while place < start + count {
            let end = min(start + count, (place / sector + 1) * sector)
            parts.append(place..<end)
            place = end
        }
        return parts
    }

    /// The power is gone: puts into the folder what the disk may hold now.
    mutating func cut(into folder: String) throws {
        for change in pendingNames.prefix(.random(in: 0...pendingNames.count, using: &dice)) {
            Self.apply(change, to: &durableNames)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) { must(unlink("\(folder)/\(name)")) }
        for (path, file) in durableNames {
            var dice = self.dice
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: settle(file) { _ in false }
            case 1: settle(file) { _ in true }
            case 2:
                let first = Int.random(in: 0..<64, using: &dice)
                settle(file) { $0 < first }
            default: settle(file) { _ in dice.flip() }
            }
            self.dice = dice
            try Data(files[file].durable).write(to: URL(filePath: path))
            must(chmod(path, 0o600))
        }
    }
}
