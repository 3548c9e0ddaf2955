import Foundation
import Glibc
public import TestSupport
import UnixTestSupport

/// A disk that promises no more than POSIX does. A file's bytes are durable once the file was synced, its name once its
/// folder was. Any part of the rest may be there after a power cut, in any order, torn at sectors.
///
/// Of two changes of different names the later may be durable without the earlier. As on every file system that Linux is
/// installed on, a rename is whole or absent, and the changes of one name keep their order.
public struct ForgetfulDisk {
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
        case rename(String, String, Int)
        case unlink(String)
        case folder(String)

        /// The folder whose sync makes it durable. A rename from one folder to another is one change, as in the journals of
        /// file systems.
        var folder: String {
            switch self {
            case .link(let name, _), .rename(_, let name, _), .unlink(let name), .folder(let name):
                (name as NSString).deletingLastPathComponent
            }
        }

        var names: Set<String> {
            switch self {
            case .link(let name, _), .unlink(let name), .folder(let name): [name]
            case .rename(let old, let new, _): [old, new]
            }
        }
    }

    /// The files by their names, and the folders.
    private struct Tree {
        var files: [String: Int] = [:]
        var folders: Set<String> = []

        mutating func apply(_ change: NameChange) {
            switch change {
            case .link(let name, let file): files[name] = file
            case .rename(let old, let new, let file):
                files[new] = file
                files[old] = nil
            case .unlink(let name): files[name] = nil
            case .folder(let name): folders.insert(name)
            }
        }
    }

    private var files: [File] = []
    private var numbers: [UInt32: Int] = [:]
    private var names = Tree()
    private var durableNames = Tree()
    private var pendingNames: [NameChange] = []
    public var dice: SplitMix64

    private static let sector = 512

    /// Begins with the content of that folder. All of it is durable.
    public init(_ folder: String, seed: UInt64) throws {
        dice = SplitMix64(seed: seed)
        durableNames.folders = [folder]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let path = "\(folder)/\(name)"
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            if isFolder.boolValue {
                durableNames.folders.insert(path)
            } else {
                durableNames.files[path] = files.count
                files.append(File(durable: try [UInt8](Data(contentsOf: URL(filePath: path)))))
            }
        }
        names = durableNames
    }

    public mutating func play(_ records: ArraySlice<DiskLog.Record>) {
        for record in records { play(record) }
    }

    private mutating func play(_ record: DiskLog.Record) {
        switch record.kind {
        case .created:
            let file = files.count
            files.append(File())
            numbers[record.file] = file
            if !record.text.isEmpty { change(.link(record.text, file)) }
        case .opened: numbers[record.file] = names.files[record.text]!
        case .wrote: files[numbers[record.file]!].pending.append(.bytes(at: record.offset, record.bytes))
        case .truncated: files[numbers[record.file]!].pending.append(.size(record.offset))
        case .synced: settle(numbers[record.file]!) { _ in true }
        case .syncFailed:
            // The kernel drops bytes that it could not write, and does not try again.
            var dice = self.dice
            settle(numbers[record.file]!) { _ in dice.flip() }
            self.dice = dice
        case .folderSynced:
            settleNames { $0.folder == record.text }
        case .renamed:
            let parts = record.text.split(separator: "\n").map(String.init)
            change(.rename(parts[0], parts[1], names.files[parts[0]]!))
        case .linked where record.file != 0: change(.link(record.text, numbers[record.file]!))
        case .linked:
            let parts = record.text.split(separator: "\n").map(String.init)
            change(.link(parts[1], names.files[parts[0]]!))
        case .unlinked: change(.unlink(record.text))
        case .folderMade: change(.folder(record.text))
        case .accepted, .sent: break
        }
    }

    private mutating func change(_ change: NameChange) {
        names.apply(change)
        pendingNames.append(change)
    }

    /// Makes those changes of names durable that `keeps` selects, and earlier changes of the same names.
    private mutating func settleNames(_ keeps: (NameChange) -> Bool) {
        var (needed, reaches) = (Set<String>(), Set<Int>())
        for (index, change) in pendingNames.enumerated().reversed() {
            guard !needed.isDisjoint(with: change.names) || keeps(change) else { continue }
            needed.formUnion(change.names)
            reaches.insert(index)
        }
        for index in reaches.sorted() { durableNames.apply(pendingNames[index]) }
        pendingNames = pendingNames.enumerated().filter { !reaches.contains($0.offset) }.map(\.element)
    }

    /// Makes those pieces of the pending bytes durable that `keeps` selects, in their order.
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

    /// A power cut: writes into the folder what the disk may hold now.
    public mutating func cut(into folder: String) throws {
        var dice = self.dice
        // Often all but one or two changes, or only one or two: these show whether the order matters.
        let odds = Int.random(in: 0...8, using: &dice)
        settleNames { _ in Int.random(in: 0..<8, using: &dice) < odds }
        self.dice = dice
        for file in Set(durableNames.files.values).sorted() {
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
        }
        try lay(durableNames, into: folder)
    }

    /// A kill: the machine goes on, and the folder gets every change.
    public mutating func kill(into folder: String) throws {
        for file in files.indices { settle(file) { _ in true } }
        try lay(names, into: folder)
    }

    /// Writes the tree into the folder. A file in a folder that is not durable is lost.
    private func lay(_ tree: Tree, into folder: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        let root = tree.folders.min { $0.utf8.count < $1.utf8.count }!
        func place(of path: String) -> String { folder + path.dropFirst(root.utf8.count) }
        for path in tree.folders.subtracting([root]).sorted() { must(mkdir(place(of: path), 0o700)) }
        for (path, file) in tree.files where tree.folders.contains((path as NSString).deletingLastPathComponent) {
            try Data(files[file].durable).write(to: URL(filePath: place(of: path)))
            must(chmod(place(of: path), 0o600))
        }
    }
}
