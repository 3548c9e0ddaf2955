import Files
import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// Erased text is gone from the files themselves, also for a program that had them open.
struct ErasureTests {
    private let place = TemporaryHistory()
    private static let word = Array("Quokkanote".utf8)

    /// A file that is held open, so that it can be read after it was removed.
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

    /// A history that contains the word, its log, a copy of each kind, and another name that the user gave to a copy.
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

    @Test func `erasing everything overwrites every old file except the user's own copy`() throws {
        let (files, own) = try lived()
        let erased = OneOfEach.event(.erased(nil))
        try History.prepareAnew(at: place.path, noting: erased)
        try History.beginAnew(at: place.path)
        #expect(files.map { $0.tells } == files.map { _ in false })
        #expect(own.tells)
        #expect(try place.open().events() == [erased])
    }

    @Test func `removing the copies overwrites them, except the user's own copy`() throws {
        let (files, own) = try lived()
        try Backups(of: place.path).removeAll()
        #expect(files.map { $0.tells } == [true, true, false, false, false])
        #expect(own.tells)
    }

    /// A crash in the middle of a restore leaves this: the history has the name of a copy as well.
    @Test func `a copy that is a second name of the history is removed without being overwritten`() throws {
        try place.record(OneOfEach.events)
        let copy = try Backups(of: place.path).path("replaced-2027-03-05-1.db")
        #expect(link(place.path, copy) == 0)
        try Backups(of: place.path).removeAll()
        #expect(mode(copy) == "nothing")
        #expect(try place.open().events() == OneOfEach.events)
    }

    /// Root can read every folder, so the test needs another user.
    @Test(.enabled(if: geteuid() == 0, "only root can be another user"))
    func `a folder of copies that cannot be read is an error, not an empty folder`() async {
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

    @Test func `a copy that is a link is reported, and nothing is removed`() throws {
        let (victim, link) = (place.folder + "/victim", try Backups(of: place.path).path("night-2027-03-05.db"))
        write(Self.word, to: victim)
        let copy = try Backups(of: place.path).path("night-2027-03-04.db")
        write(Self.word, to: copy)
        #expect(symlink(victim, link) == 0)
        expectRefusal("\(link) is a link, or no file, and its content would be left: remove it yourself") {
            try Backups(of: place.path).removeAll()
        }
        #expect(contents(victim) == Self.word && contents(copy) == Self.word)
        #expect(mode(link) != "nothing")
    }

    /// Root may write to every file, so the test needs another user.
    @Test(.enabled(if: geteuid() == 0, "only root can be another user"))
    func `a copy that its owner made read-only is overwritten, too`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryHistory()
            let nobody: uid_t = 65_534
            chown(place.folder, nobody, nobody)
            #expect(seteuid(nobody) == 0)
            let closed = try Backups(of: place.path).path("night-2027-03-06.db")
            write(ErasureTests.word, to: closed)
            let held = Held(closed)
            #expect(chmod(closed, 0o400) == 0)
            try Backups(of: place.path).removeAll()
            #expect(!held.tells && mode(closed) == "nothing")
            seteuid(0)
        }
    }

    @Test(arguments: ["", "-wal"]) func `a history that is a link is not said to be erased`(suffix: String) throws {
        try place.record(OneOfEach.events)
        let vault = place.folder + "/vault"
        if suffix.isEmpty { #expect(rename(place.path, vault) == 0) } else { write(Self.word, to: vault) }
        #expect(symlink(vault, place.path + suffix) == 0)
        let before = contents(vault)
        expectRefusal(
            "\(place.path + suffix) is a link, or no file, and its content would be left: remove it yourself"
        ) { try History.prepareAnew(at: place.path, noting: OneOfEach.event(.erased(nil))) }
        #expect(contents(vault) == before && mode(place.path + suffix) == "777")
    }

    /// Of three tasks' sessions, the second one's is erased.
    @Test func `with a task, the notes for its session are erased`() throws {
        let history = try place.open()
        func note(_ text: String) -> Happening { .noteWritten(nil, Note(recorded: text)) }
        let events: [Happening] = [
            note("first"), .left("1"), note("second"), .noteWritten("2", Note(recorded: "kept with it")), .left("2"),
            note("third"), .left("3"), note("waiting"),
        ]
        try history.record(events.map { OneOfEach.event($0) })
        func notes() throws -> [String] {
            try history.events().compactMap {
                guard case .noteWritten(_, let note) = $0.what, !note.text.isEmpty else { return nil }
                return note.text
            }
        }
        try history.erase("2", isOpen: false, noting: OneOfEach.event(.erased("2")))
        #expect(try notes() == ["first", "third", "waiting"])
        try history.erase("4", isOpen: false, noting: OneOfEach.event(.erased("4")))
        #expect(try notes() == ["first", "third", "waiting"])
        try history.erase("4", isOpen: true, noting: OneOfEach.event(.erased("4")))
        #expect(try notes() == ["first", "third"])
    }
}
