import Files
import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// What is erased is gone from the files themselves, also for who had them open before.
struct ErasureTests {
    private let place = TemporaryHistory()
    private static let word = Array("Quokkanote".utf8)

    /// A file that is held open, so that it can be read when it has no name any more.
    private final class Held {
        private let descriptor: CInt

        init(_ path: String) {
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            precondition(descriptor >= 0, path)
        }

        deinit { close(descriptor) }

        var bytes: [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 1 << 17)
            let count = pread(descriptor, &bytes, bytes.count, 0)
            return Array(bytes.prefix(count))
        }

        var tells: Bool {
            let all = bytes
            return all.indices.contains { all[$0...].starts(with: word) }
        }
    }

    /// A history with that word in it, a log beside it, a copy of each kind, and one more name that its user gave to a copy.
    private func lived() throws -> (files: [Held], own: Held) {
        let note = OneOfEach.event(.noteWritten(nil, Note(recorded: "Quokkanote")))
        let history = try place.open()
        try history.record([note])
        let backups = Backups(of: place.path)
        let copies = try ["night-2027-03-05.db", "replaced-2027-03-05-1.db", "before-version-2.db", "own.db"]
            .map { try backups.path($0) }
        for copy in copies { try history.backUp(to: copy) }
        try history.close()
        write(Self.word, to: place.path + "-wal")
        #expect(link(copies[3], place.folder + "/own.db") == 0)
        let files = ([place.path, place.path + "-wal"] + copies[..<3]).map { Held($0) }
        let own = Held(place.folder + "/own.db")
        try #require((files + [own]).allSatisfy { $0.tells })
        return (files, own)
    }

    @Test func `of everything nothing is left in any file that there was, but for a user's own`() throws {
        let (files, own) = try lived()
        let erased = OneOfEach.event(.erased(nil))
        try History.beginAnew(at: place.path, noting: erased)
        #expect(files.map { $0.tells } == files.map { _ in false })
        #expect(own.tells)
        #expect(try place.open().events() == [erased])
    }

    @Test func `the copies that are erased are written over, but for a user's own`() throws {
        let (files, own) = try lived()
        try Backups(of: place.path).removeAll()
        #expect(files.map { $0.tells } == [true, true, false, false, false])
        #expect(own.tells)
    }

    /// As one that a crash left in the middle of a restore: the history itself has the name of a copy, too.
    @Test func `a copy that is the history itself only loses its name`() throws {
        try place.record(OneOfEach.events)
        let copy = try Backups(of: place.path).path("replaced-2027-03-05-1.db")
        #expect(link(place.path, copy) == 0)
        try Backups(of: place.path).removeAll()
        #expect(mode(copy) == "nothing")
        #expect(try place.open().events() == OneOfEach.events)
    }

    /// Root reads everything.
    @Test(.enabled(if: geteuid() == 0, "only root can be another user"))
    func `where the copies cannot be looked for it is not said that there are none`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryHistory()
            let nobody: uid_t = 65_534
            let copies = place.folder + "/backups"
            mkdir(copies, 0o300)
            for path in [place.folder, copies] { chown(path, nobody, nobody) }
            #expect(seteuid(nobody) == 0)
            expectRefusal("Could not read the folder \(copies): Permission denied") {
                try Backups(of: place.path).removeAll()
            }
            seteuid(0)
        }
    }

    @Test func `a link among the copies is not followed, and one that is read-only goes as well`() throws {
        let (victim, link) = (place.folder + "/victim", try Backups(of: place.path).path("night-2027-03-05.db"))
        write(Self.word, to: victim)
        #expect(symlink(victim, link) == 0)
        let closed = try Backups(of: place.path).path("night-2027-03-06.db")
        write(Self.word, to: closed)
        #expect(chmod(closed, 0o400) == 0)
        try Backups(of: place.path).removeAll()
        #expect(contents(victim) == Self.word)
        #expect(mode(link) == "nothing" && mode(closed) == "nothing")
    }
}
