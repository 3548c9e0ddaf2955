import Files
import Glibc
import HomeworkRules
import Testing

@testable import HomeworkHistory

/// A file that vanishes while it is used is reported, and no empty one is made in its place.
struct VanishingTests {
    private let place = TemporaryHistory()
    private let event = OneOfEach.event(.erased(nil))

    /// A file that can take the history's place.
    private func prepared() throws -> PreparedHistory {
        let draft = try Backups(of: place.path).path("restore-1")
        let history = try place.open()
        try history.record(OneOfEach.events)
        try history.backUp(to: draft)
        try history.close()
        return try History.prepare(draft)
    }

    @Test(arguments: [nil, [], [UInt8](repeating: 7, count: 9)] as [[UInt8]?])
    func `a prepared file that vanished, or was replaced, takes no history's place`(other: [UInt8]?) throws {
        var prepared = try prepared()
        #expect(rename(prepared.path, prepared.path + ".away") == 0)
        if let other { write(other, to: prepared.path) }
        let aside = try Backups(of: place.path).path("replaced-2027-03-05-1.db")
        let refused = "The file \(prepared.path) has vanished, or another one has its name"
        for events in [[], [event]] { expectRefusal(refused) { try prepared.record(events) } }
        expectRefusal(refused) { _ = try History.replace(place.path, with: prepared, keepingAs: aside) }
        #expect(contents(prepared.path) == other && mode(aside) == "nothing")
        #expect(try place.open().events() == OneOfEach.events)
    }

    @Test func `a file that vanishes between its checks is no empty history`() throws {
        let path = place.folder + "/restore-1"
        expectRefusal("The history \(path) has vanished: bring it back") {
            _ = try History(at: path, mayMake: false)
        }
        #expect(mode(path) == "nothing")
    }

    /// An earlier check finds it first, unless it vanishes a moment later.
    @Test func `the history keeps its log and its nights if there is nothing to take its place`() throws {
        try place.record(OneOfEach.events)
        let backups = Backups(of: place.path)
        let night = try backups.path("night-2027-03-05.db")
        for path in [place.path + "-wal", night] { write([1], to: path) }
        #expect(throws: FileError.self) { try Backups.put(place.path + ".new", inPlaceOf: place.path) }
        #expect(contents(place.path + "-wal") == [1])
        let aside = try backups.path("replaced-2027-03-05-1.db")
        write([2], to: place.path + ".new")
        mkdir(place.path + "-shm", 0o700)  // It cannot be removed as a file can.
        #expect(throws: FileError.self) {
            try backups.replace(place.path, with: place.path + ".new", keepingAs: aside)
        }
        #expect(contents(night) == [1] && contents(place.path + "-wal") == [1] && mode(aside) == "nothing")
    }

    /// The daemon was killed in the middle of a restore, before or after the log lost its name. The log could not be brought into
    /// the history.
    @Test(arguments: [false, true])
    func `a log that an interrupted restore kept beside a copy is the history's again`(hasLostName: Bool) throws {
        let crashed = TemporaryHistory()
        let history = try crashed.open()
        try history.record(OneOfEach.events)
        for suffix in ["", "-wal"] { write(try #require(contents(crashed.path + suffix)), to: place.path + suffix) }
        try history.close()
        let aside = try Backups(of: place.path).path("replaced-2027-03-05-1.db")
        for suffix in ["", "-wal"] { #expect(link(place.path + suffix, aside + suffix) == 0) }
        if hasLostName { unlink(place.path + "-wal") }
        for _ in 1...2 {
            #expect(try place.open().events() == OneOfEach.events)
            #expect(mode(aside + "-wal") == "nothing")
        }
    }

    @Test func `the log of a copy that is no second name of the history stays with the copy`() throws {
        try place.record(OneOfEach.events)
        let aside = try Backups(of: place.path).path("replaced-2027-03-05-1.db")
        for suffix in ["", "-wal"] { write([1], to: aside + suffix) }
        #expect(try place.open().events() == OneOfEach.events)
        #expect(contents(aside) == [1] && contents(aside + "-wal") == [1])
    }

    @Test(arguments: [
        "night-2027-03-05.db", "replaced-2027-03-05-1.db", "replaced-night-2027-03-05.db", "before-version-2.db",
    ])
    func `no history is made where one is missing and a copy is left`(name: String) throws {
        write([1], to: try Backups(of: place.path).path(name))
        expectRefusal("The history \(place.path) is gone, but its backups are left: bring it back") {
            _ = try place.open()
        }
        #expect(mode(place.path) == "nothing")
    }

    @Test func `of a history that vanished, each noted erasure counts as recorded`() throws {
        let unfinished = UnfinishedErasures(of: place.path)
        try unfinished.replace(with: [
            UnfinishedErasure(.erased("1"), number: 7), UnfinishedErasure(.talkingPointsErased, number: 9),
        ])
        #expect(
            try unfinished.recorded() == [UnfinishedErasure(.erased("1")), UnfinishedErasure(.talkingPointsErased)])
    }

    @Test func `a history is made where only a person's own files are left`() throws {
        write([1], to: try Backups(of: place.path).path("letter.txt"))
        #expect(try place.open().events() == [])
    }
}
