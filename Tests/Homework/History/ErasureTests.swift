import Files
import Glibc
import HomeworkRules
import Storage
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

    /// A history whose indexes do not list its newest note, and the pages of before.
    private func withDamagedIndexes(_ note: Happening) throws {
        try place.record([
            OneOfEach.event(.unlocked("1")), OneOfEach.event(.noteWritten("1", Note(recorded: "Wombat"))),
        ])
        let pages = try place.beside { database in
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return try database.rows("SELECT rootpage FROM sqlite_schema WHERE type = 'index'") { $0.int(0) ?? 0 }
        }
        let earlier = EarlierPages(pages, of: place.path)
        try place.record([OneOfEach.event(note)])
        earlier.putBack()
    }

    private func tells(_ path: String) throws -> Bool {
        let all = try #require(contents(path))
        return all.indices.contains { all[$0...].starts(with: Self.word) }
    }

    @Test(arguments: [
        Happening.noteWritten("1", Note(recorded: "Quokkanote")), .noteWritten(nil, Note(recorded: "Quokkanote")),
    ])
    func `a task's words are erased although a damaged index does not list them`(note: Happening) throws {
        try withDamagedIndexes(note)
        let history = try place.open()
        #expect(try !History.areIndexesSound(at: place.path))
        try history.erase("1", isOpen: true, noting: Self.erased)
        try history.close()
        #expect(try !tells(place.path))
        #expect(try History.areIndexesSound(at: place.path))
    }

    @Test func `a copy whose index is damaged is kept without the task's words, and can be restored`() throws {
        try withDamagedIndexes(.noteWritten("1", Note(recorded: "Quokkanote")))
        let copy = try Backups(of: place.path).path("replaced-2027-03-05-1.db")
        try place.open().backUp(to: copy)
        #expect(try History.erase("1", fromCopiesOf: place.path, noting: Self.erased) == [])
        #expect(try !tells(copy) && notes(copy) == ["", ""])
        let draft = place.folder + "/restore-1"
        try place.open().backUp(to: draft)
        #expect(try History.prepare(draft).eventCount == 3)
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

    @Test func `a task is erased from no copy that is a second name of the history, and the copy is removed`() throws {
        try place.record([OneOfEach.event(.noteWritten("1", Note(recorded: "Quokkanote")))])
        let before = try place.open().events()
        let copy = try Backups(of: place.path).path("replaced-2027-03-05-1.db")
        #expect(link(place.path, copy) == 0)
        #expect(try History.erase("1", fromCopiesOf: place.path, noting: Self.erased) == [])
        #expect(mode(copy) == "nothing")
        #expect(try place.open().events() == before)
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

    @Test func `the talking points that wait are erased by themselves`() throws {
        let history = try place.open()
        func note(_ id: AssignmentID?, _ text: String) -> Happening { .noteWritten(id, Note(recorded: text)) }
        let events = [note(nil, "brought"), .left("1"), note("1", "kept"), note(nil, "waiting"), note(nil, "also")]
        try history.record(events.map { OneOfEach.event($0) })
        try history.eraseTalkingPoints(noting: OneOfEach.event(.talkingPointsErased))
        let texts = try history.events().compactMap { event in
            if case .noteWritten(_, let note) = event.what { note.text } else { nil }
        }
        #expect(texts == ["brought", "kept", "", ""])
        #expect(try history.events().last?.what == .talkingPointsErased)
        #expect(try history.reader.talkingPoints(for: nil).map(\.what) == [note(nil, ""), note(nil, "")])
    }

    /// A night from before a session was restored: in the replaced history the talking points were for that session.
    @Test func `talking points that wait are erased in copies in which a session came after them`() throws {
        let history = try place.open()
        try history.record([OneOfEach.event(.noteWritten(nil, Note(recorded: "Quokkanote")))])
        let copy = try Backups(of: place.path).path("replaced-2027-03-05-1.db")
        try history.backUp(to: copy)
        try History(at: copy).record([OneOfEach.event(.left("1"))])
        let event = OneOfEach.event(.talkingPointsErased)
        try history.eraseTalkingPoints(noting: event)
        #expect(try History.eraseTalkingPoints(fromCopiesOf: place.path, noting: event) == [])
        #expect(try notes(copy) == [""])
    }

    /// A backup from before the task was unlocked was restored, and then the task was.
    @Test func `the notes for a task's session are erased in copies in which it was not unlocked`() throws {
        let history = try place.open()
        try history.record([OneOfEach.event(.noteWritten(nil, Note(recorded: "Quokkanote")))])
        let copy = try Backups(of: place.path).path("replaced-2027-03-05-1.db")
        try history.backUp(to: copy)
        try history.erase("1", isOpen: true, noting: Self.erased)
        #expect(try History.erase("1", fromCopiesOf: place.path, noting: Self.erased) == [])
        #expect(try notes(copy) == [""])
    }

    private static let erased = OneOfEach.event(.erased("1"))

    /// A copy of a history with two notes, one of which is erased with the task 1.
    private func writeCopy(_ name: String) throws -> String {
        let history = try place.open()
        if history.eventCount == 0 {
            let notes: [Happening] = [
                .noteWritten("1", Note(recorded: "Quokkanote")), .noteWritten("2", Note(recorded: "Wombat")),
            ]
            try history.record(notes.map { OneOfEach.event($0) })
        }
        let copy = try Backups(of: place.path).path(name)
        try history.backUp(to: copy)
        return copy
    }

    private func notes(_ path: String) throws -> [String] {
        try History.readCopy(path, isChecked: true) { database, _ in
            var notes: [String] = []
            try database.eachEvent(ofHistory: path) { event in
                if case .noteWritten(_, let note) = event.what { notes.append(note.text) }
            }
            return notes
        } ?? []
    }

    /// Only the nights of the present history hold nothing that it does not hold as well.
    @Test func `erasing a task keeps the copies of other histories without its words`() throws {
        let night = try writeCopy("night-2027-03-05.db")
        let others = try [
            "replaced-2027-03-05-1.db", "replaced-night-2027-03-05.db", "replaced-night-2027-03-05-2.db",
            "before-version-2.db",
        ].map { try writeCopy($0) }
        let held = ([night] + others).map { Held($0) }
        #expect(try History.erase("1", fromCopiesOf: place.path, noting: Self.erased) == [])
        #expect(mode(night) == "nothing")
        for copy in others { #expect(try notes(copy) == ["", "Wombat"], "\(copy)") }
        #expect(held.map { $0.tells } == held.map { _ in false })
    }

    @Test func `a copy of another history that has no word of the task stays as it is`() throws {
        let copy = try writeCopy("replaced-night-2027-03-05.db")
        let before = contents(copy)
        #expect(try History.erase("3", fromCopiesOf: place.path, noting: Self.erased) == [])
        #expect(contents(copy) == before)
    }

    @Test func `a damaged night of another history is removed and named`() throws {
        let copy = try writeCopy("replaced-night-2027-03-05.db")
        write(Array(Self.word), to: copy)
        let held = Held(copy)
        #expect(try History.erase("1", fromCopiesOf: place.path, noting: Self.erased) == [copy])
        #expect(mode(copy) == "nothing" && !held.tells)
    }

    @Test func `a person's own files in the folder of the copies are not touched`() throws {
        let backups = Backups(of: place.path)
        let folder = try backups.make()
        let own = [
            "letter.txt", "history.db", "my.new.db", "nights.txt", "night-before-the-holiday.db",
            "night-2027-03-05.txt",
            "night-2027-03-5.db", "night-2027-03-05.db.txt", "replaced-why.txt", "replaced-why.db",
            "replaced-2027-03-05.db",
            "replaced-night-x.db", "replaced-night-2027-03-05-x.db", "restore-howto.txt", "restore-1.txt",
            "restore-.db",
            "asked-the-doctor.txt", "asked-1.txt", "asked-.db", "before-version-2.txt", "before-version-x.db",
        ].map { folder + "/" + $0 }
        for path in own { write(Self.word, to: path) }
        #expect(symlink("/nowhere", folder + "/link") == 0)
        let copies = [
            "asked-1.db", "asked-2.jsonl", "asked--3.db.new", "before-version-2.db", "night-2027-03-05.db",
            "night-2027-03-06.db.new", "night-2027-03-06.db.new-journal", "replaced-2027-03-05--1.db",
            "replaced-2027-03-05-1.db", "replaced-2027-03-05-1.db-wal", "replaced-night-2027-03-05-2.db",
            "replaced-night-2027-03-05.db", "restore-1", "restore-1-shm", "restore-1.db", "restore-1.db.lock",
            "restore-1.wal",
        ]
        #expect(!backups.areLeft)
        for name in copies { write(Self.word, to: "\(folder)/\(name)") }
        #expect(backups.nights == [folder + "/night-2027-03-05.db"])
        #expect(try backups.removeAll() == copies.sorted())
        for name in copies { write(Self.word, to: "\(folder)/\(name)") }
        for day in 1...9 { write(Self.word, to: folder + "/night-2027-02-0\(day).db") }
        backups.removeOld(on: "2027-03-05", at: .max)
        backups.removeDrafts()
        #expect(backups.nights.count == Backups.kept)
        for path in own { #expect(contents(path) == Self.word, "\(path)") }
    }

    /// A replaced history with its log, of two events and a note. Each is a commit of its own.
    private func writeCopyWithLog() throws -> String {
        let copy = try Backups(of: place.path).path("replaced-2027-03-05-1.db")
        let history = try place.open()
        let note = OneOfEach.event(.noteWritten("1", Note(recorded: "Quokkanote")))
        for event in OneOfEach.events.prefix(2) + [note] { try history.record([event]) }
        for suffix in ["", "-wal"] { write(try #require(contents(place.path + suffix)), to: copy + suffix) }
        try history.close()
        return copy
    }

    /// Flips a bit in the log of the copy.
    private func flip(_ copy: String, at offset: (_ length: Int) -> Int) throws {
        var log = try #require(contents(copy + "-wal"))
        log[offset(log.count)] ^= 1
        write(log, to: copy + "-wal")
    }

    /// SQLite takes the damaged frame for the log's end, and finds none of the words behind it.
    @Test func `a copy whose log has lost commits is removed with its log, and named`() throws {
        let copy = try writeCopyWithLog()
        try flip(copy) { _ in 1_000 }
        let held = Held(copy + "-wal")
        #expect(held.tells)
        #expect(try History.erase("1", fromCopiesOf: place.path, noting: Self.erased) == [copy])
        #expect(!held.tells && mode(copy) == "nothing" && mode(copy + "-wal") == "nothing")
    }

    /// A power cut leaves this. Nobody was told that the note was stored.
    @Test func `words in the damaged last commit of a copy's log are erased, and the copy is kept`() throws {
        let copy = try writeCopyWithLog()
        try flip(copy) { $0 - 1 }
        let held = Held(copy + "-wal")
        #expect(held.tells)
        #expect(try History.erase("1", fromCopiesOf: place.path, noting: Self.erased) == [])
        #expect(try notes(copy) == [])
        #expect(!held.tells && mode(copy + "-wal") == "nothing")
    }

    /// As a copy of a folder has it, or a machine that lost its power.
    @Test(arguments: ["replaced-2027-03-05-1.db", "replaced-night-2027-03-05.db"])
    func `a task is erased from a copy with a log that has no index`(name: String) throws {
        let copy = try Backups(of: place.path).path(name)
        let history = try place.open()
        try history.record([OneOfEach.event(.noteWritten("1", Note(recorded: "Quokkanote")))])
        for suffix in ["", "-wal"] { write(try #require(contents(place.path + suffix)), to: copy + suffix) }
        try history.close()
        let held = Held(copy + "-wal")
        #expect(held.tells)
        for _ in 1...2 { #expect(try History.erase("1", fromCopiesOf: place.path, noting: Self.erased) == []) }
        #expect(try notes(copy) == [""])
        #expect(!held.tells && mode(copy + "-wal") == "nothing")
    }
}
