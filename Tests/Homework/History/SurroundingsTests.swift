import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// `CLONE_NEWNS`.
private let newMountNamespace: CInt = 0x0002_0000

// Glibc has these functions, and Swift does not import them: man 2 unshare, man 2 mount.
@_silgen_name("unshare") private func unshare(_ flags: CInt) -> CInt
@_silgen_name("mount")
private func mount(
    _ source: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>, _ type: UnsafePointer<CChar>, _ flags: UInt,
    _ options: UnsafePointer<CChar>?
) -> CInt
@_silgen_name("umount") private func unmount(_ target: UnsafePointer<CChar>) -> CInt

/// A full disk, a read-only folder, a lock, a removed history: the history is refused meanwhile, and works afterwards.
struct SurroundingsTests {
    let place = TemporaryHistory()
    private static let isMountable = run("unshare", "--mount", "true") == 0

    @Test func `recording fails while another program holds the lock, and works afterwards`() throws {
        let history = try place.open()
        try place.beside { database in
            try database.execute("BEGIN EXCLUSIVE")
            expectRefusal("Another program keeps the history \(place.path) locked: close it") {
                try history.record(OneOfEach.events)
            }
            expectRefusal("Another program keeps the history \(place.path) locked: close it") { _ = try history.plan() }
            try database.execute("ROLLBACK")
        }
        try history.record(OneOfEach.events)
        #expect(try history.events() == OneOfEach.events)
    }

    @Test func `a reader does not keep the daemon from recording`() throws {
        let history = try place.open()
        try place.beside { database in
            try database.execute("BEGIN; SELECT * FROM event")
            try history.record(OneOfEach.events)
            #expect(try history.plan() == Plan(replaying: OneOfEach.events))
            try database.execute("ROLLBACK")
        }
    }

    @Test func `recording fails while the history is moved away, and works when it is back`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        rename(place.path, place.path + ".elsewhere")
        let said = "The history \(place.path) has vanished: bring it back"
        expectRefusal(said) { try history.record(OneOfEach.events) }
        expectRefusal(said) { try history.record(OneOfEach.events) }
        rename(place.path + ".elsewhere", place.path)
        #expect(try history.events() == OneOfEach.events)
    }

    @Test func `recording fails if another history is in its place`() throws {
        let history = try place.open()
        try history.record(OneOfEach.events)
        run("cp", place.path, place.path + ".copy")
        rename(place.path + ".copy", place.path)
        let said =
            "The history \(place.path) was replaced by another file: bring the former one back, or give the other one to "
            + "`daybreak restore`"
        expectRefusal(said) { try history.record(OneOfEach.events) }
        expectRefusal(said) { _ = try history.plan() }
    }

    @Test(.enabled(if: isMountable, "only who may mount can make a small disk"))
    func `recording fails on a full disk, and works when there is room`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryHistory()
            try Self.onItsOwnDisk(place) {
                let history = try place.open()
                try history.record(OneOfEach.events)
                let filler = place.folder + "/filler"
                write([UInt8](repeating: 1, count: 2_000_000), to: filler)
                let said = "The disk is full, and the history \(place.path) cannot be written: make room"
                let many = Array(repeating: OneOfEach.events, count: 50).flatMap { $0 }
                expectRefusal(said) { try history.record(many) }
                expectRefusal(said) { try history.record(many) }
                unlink(filler)
                #expect(try history.events() == OneOfEach.events)
                try history.record(OneOfEach.events)
                #expect(try history.events() == OneOfEach.events + OneOfEach.events)
            }
        }
    }

    @Test(.enabled(if: isMountable, "only who may mount can make a small disk"))
    func `a first start on a full disk leaves no files`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryHistory()
            try Self.onItsOwnDisk(place) {
                let filler = place.folder + "/filler"
                write([UInt8](repeating: 1, count: 2_000_000), to: filler)
                expectRefusal("The disk is full, and the history \(place.path).new cannot be written: make room") {
                    _ = try place.open()
                }
                #expect(place.bytes == [:])
                unlink(filler)
                let events = try place.open().events()
                #expect(events == [])
            }
        }
    }

    @Test(.enabled(if: isMountable, "only who may mount can make a disk read-only"))
    func `opening fails on a read-only disk, and works when it can be written`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryHistory()
            try Self.onItsOwnDisk(place) {
                try place.record(OneOfEach.events)
                #expect(mount("tmpfs", place.folder, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
                let said = "Could not open \(place.path).lock: Read-only file system"
                expectRefusal(said) { _ = try place.open() }
                #expect(mount("tmpfs", place.folder, "tmpfs", UInt(MS_REMOUNT), nil) == 0)
                #expect(try place.open().events() == OneOfEach.events)
            }
        }
    }

    @Test func `opening fails in a read-only folder, and works when it can be written`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryHistory()
            try place.record(OneOfEach.events)
            if geteuid() == 0 {
                run("chown", "-R", "65534", place.folder)
                precondition(setuid(65_534) == 0)
            }
            chmod(place.folder, 0o500)
            expectRefusal("The history \(place.path) is read-only: make it and its folder writable") {
                _ = try place.open()
            }
            chmod(place.folder, 0o700)
            #expect(try place.open().events() == OneOfEach.events)
        }
    }
}

extension SurroundingsTests {
    /// Runs `body` on a disk of 1 MB that only this thread sees.
    private static func onItsOwnDisk(_ place: TemporaryHistory, _ body: () throws -> Void) throws {
        precondition(unshare(newMountNamespace) == 0, "may not unshare")
        precondition(mount("none", "/", "none", UInt(MS_REC | MS_PRIVATE), nil) == 0, "not private")
        precondition(mount("tmpfs", place.folder, "tmpfs", 0, "size=1m,mode=700") == 0, "may not mount")
        defer { _ = unmount(place.folder) }
        try body()
    }
}
