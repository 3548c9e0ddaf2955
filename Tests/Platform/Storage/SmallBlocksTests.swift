import Foundation
import Glibc
import Storage
import TestSupport
import Testing

/// A disk with blocks of 1 KB, as small disks have them.
private final class SmallBlocks {
    let folder: String
    private var image: String { folder + ".image" }

    static let isPossible =
        geteuid() == 0
        && ["/usr/sbin/mkfs.ext4", "/dev/loop-control"].allSatisfy { FileManager.default.fileExists(atPath: $0) }
    static let whyNot: Comment = "only root may make and mount a disk, with mkfs.ext4 and a loop device"

    init() throws {
        folder = NSTemporaryDirectory() + "daybreak-blocks-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try run(
            "truncate -s 6M \(image) && mkfs.ext4 -q -F -m 0 -O ^has_journal -b 1024 \(image) "
                + "&& mount -o loop \(image) \(folder)")
    }

    deinit {
        try? run("umount --lazy \(folder); rm -rf \(folder) \(image)")  // A test that failed has its reason already.
    }

    /// Leaves no room at all.
    func fill() throws { try run("dd if=/dev/zero of=\(folder)/fill bs=1k 2>/dev/null || sync \(folder)/fill") }

    private func run(_ script: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(script)")
    }
}

struct SmallBlocksTests {
    /// SQLite stores into a map of the log's index. Where the map has no room, a store ends the program (SIGBUS).
    @Test(.enabled(if: SmallBlocks.isPossible, SmallBlocks.whyNot))
    func `a disk with small blocks that is full is told as full, and ends no program`() async throws {
        let disk = try SmallBlocks()
        let path = disk.folder + "/test.db"
        try Data().write(to: URL(filePath: path))
        // As after a kill, the log and its index are left.
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let database = try SQLiteDatabase(path)
            #expect(try database.keepLog())
            try database.execute("CREATE TABLE word (text TEXT) STRICT; INSERT INTO word VALUES ('one')")
            kill(getpid(), SIGKILL)
        }
        try disk.fill()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let error = #expect(throws: SQLiteError.self) {
                let database = try SQLiteDatabase(path)
                let word = String(repeating: "a", count: 3_000)
                for _ in 1...8 { try database.run("INSERT INTO word VALUES ($1)", word) }
            }
            #expect(error?.code == SQLiteError.full)
        }
        withExtendedLifetime(disk) {}
    }
}
