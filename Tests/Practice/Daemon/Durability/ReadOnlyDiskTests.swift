import Foundation
import Glibc
import PracticeInterfaces
import Testing
import Time
import UnixTestSupport
import Varlink
import VarlinkService

@testable import PracticeDaemon

/// `CLONE_NEWNS`.
private let newMountNamespace: CInt = 0x0002_0000

// Glibc has these functions, and Swift does not import them: man 2 unshare, man 2 mount.
@_silgen_name("unshare") private func unshare(_ flags: CInt) -> CInt
@_silgen_name("mount")
private func mount(
    _ source: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>, _ type: UnsafePointer<CChar>, _ flags: UInt,
    _ options: UnsafePointer<CChar>?
) -> CInt

@Suite(.ofFile) struct `A disk that is read-only for a while` {
    private static let isMountable = geteuid() == 0

    /// SQLite keeps one map of the log for all connections of a process, as the first of them could open it.
    @Test(.enabled(if: isMountable, "only who may mount can make a disk read-only"))
    func `is written again once it can be, even if the database was read in between`() async {
        await #expect(processExitsWith: .success) {
            precondition(unshare(newMountNamespace) == 0, "may not unshare")
            precondition(mount("none", "/", "none", UInt(MS_REC | MS_PRIVATE), nil) == 0, "not private")
            let disk = FileManager.default.temporaryDirectory.appending(path: "read-only-\(getpid())").path
            precondition(mkdir(disk, 0o700) == 0 && mount("tmpfs", disk, "tmpfs", 0, "mode=700") == 0, "no disk")
            defer {
                umount2(disk, CInt(MNT_DETACH))
                rmdir(disk)
            }

            // A killed daemon leaves a log beside the database.
            let clinic = try Clinic()
            try clinic.root.call(Practice.AddTerm(vocabulary: .tools, word: "Letter"))
            for suffix in ["", "-wal", "-shm"] {
                try FileManager.default.copyItem(
                    atPath: clinic.database + suffix, toPath: disk + "/practice.db" + suffix)
            }
            #expect(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
            let open = try OpenClinic(at: disk + "/practice.db")
            let client = try open.connect(clinic.root)
            #expect(try open.ask(Practice.ListTerms(vocabulary: .tools), client).contains("Letter"))
            let add = Practice.AddTerm(vocabulary: .tools, word: "Box")
            #expect(try open.ask(add, client).contains(Practice.StorageUnavailable.name))

            #expect(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT), nil) == 0)
            #expect(try open.ask(add, client).contains("Box"))
        }
    }
}
