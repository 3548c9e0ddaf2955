import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// The disk fails at each step in turn. Refused events never appear, acknowledged events never vanish, and the history
/// recovers by itself.
struct FailureTests {
    private static let first = Array(OneOfEach.events[0..<3])
    private static let second = Array(OneOfEach.events[3..<6])
    private static let third = Array(OneOfEach.events[6..<9])

    @Test func `after one failed step the history has the acknowledged events and no others`() async {
        await #expect(processExitsWith: .success) {
            FaultyDisk.insert()
            let steps = try Self.steps { try Self.recordAcrossFailure(at: $0, .once) }
            #expect(steps > 3)
        }
    }

    @Test func `after a disk that failed for a while the history has the acknowledged events and no others`() async {
        await #expect(processExitsWith: .success) {
            FaultyDisk.insert()
            let steps = try Self.steps { try Self.recordAcrossFailure(at: $0, .fromThenOn) }
            #expect(steps > 3)
        }
    }

    @Test func `after syncs that failed for a while the history has no refused events`() async {
        await #expect(processExitsWith: .success) {
            FaultyDisk.insert()
            let steps = try Self.steps { try Self.recordAcrossFailure(at: $0, .fromThenOn, onlySyncs: true) }
            #expect(steps >= 1)
        }
    }

    @Test func `a log's index that cannot grow is a full disk's`() {
        let full = HistoryError(SQLiteError(code: SQLiteError.full), path: "/h")
        #expect(full.description == "The disk is full, and the history /h cannot be written: make room")
        let index = SQLiteError(code: SQLiteError.failedToExtendIndex)
        #expect(HistoryError(index, path: "/h").description == full.description)
    }

    @Test func `refused events do not appear if the process dies before the next call`() async {
        await #expect(processExitsWith: .success) {
            FaultyDisk.insert()
            let steps = try Self.steps { step in
                let place = TemporaryHistory()
                let history = try place.open()
                try history.record(Self.first)
                FaultyDisk.fail(at: step, .once)
                let said = refusal { try history.record(Self.second) }
                let hasFailed = FaultyDisk.hasFailed
                FaultyDisk.heal()
                let left = TemporaryHistory()
                for (name, bytes) in place.bytes { write(bytes, to: "\(left.folder)/\(name)") }
                let kept = try left.open().events()
                #expect(kept == Self.first + (said == "nothing" ? Self.second : []), "step \(step)")
                #expect((said == "nothing") != hasFailed, "step \(step)")
            }
            #expect(steps > 1)
        }
    }

    /// As on a full disk, and without the event that was refused.
    @Test func `recorded events can be read while nothing can be written`() async {
        await #expect(processExitsWith: .success) {
            FaultyDisk.insert()
            let steps = try Self.steps { step in
                let place = TemporaryHistory()
                let history = try place.open()
                let kept = OneOfEach.event(.noteWritten(nil, Note(recorded: "kept")))
                try history.record([kept])
                FaultyDisk.fail(at: step, .fromThenOn)
                let refused = OneOfEach.event(.noteWritten(nil, Note(recorded: "refused")))
                let said = refusal { try history.record([refused]) }
                let read = try history.reader.talkingPoints(for: nil)
                #expect(read == [kept] + (said == "nothing" ? [refused] : []), "step \(step)")
                #expect((said == "nothing") != FaultyDisk.hasFailed, "step \(step)")
                #expect(said == "nothing" || refusal { try history.makeReady() } != "nothing", "step \(step)")
                FaultyDisk.heal()
                #expect(try history.events().last == (said == "nothing" ? refused : kept), "step \(step)")
            }
            #expect(steps > 1)
        }
    }

    /// After a failed sync, pages may look written and be in memory only. No durable event may depend on them.
    @Test func `after a failed sync the log is started anew`() async {
        await #expect(processExitsWith: .success) {
            FaultyDisk.insert()
            let place = TemporaryHistory()
            let history = try place.open()
            try history.record(Self.first)
            let one = contents(place.path + "-wal")?.count
            FaultyDisk.fail(at: 1, .once, onlySyncs: true)
            #expect(refusal { try history.record(Self.first) } != "nothing")
            try history.record(Self.first)
            let now = contents(place.path + "-wal")?.count
            #expect(now == one, "\(String(describing: now))")
        }
    }

    @Test func `a first start that failed at any step can be repeated`() async {
        await #expect(processExitsWith: .success) {
            FaultyDisk.insert()
            let steps = try Self.steps { step in
                let place = TemporaryHistory()
                FaultyDisk.fail(at: step, .once)
                let said = refusal { _ = try place.open() }
                FaultyDisk.heal()
                #expect((said == "nothing") != FaultyDisk.hasFailed, "step \(step)")
                let events = try place.open().events()
                #expect(events == [], "step \(step)")
            }
            #expect(steps > 10)
        }
    }

    @Test(arguments: [(false, 778), (true, 1_034)])
    func `the error of a failing disk names the history and SQLite's error`(onlySyncs: Bool, code: Int) async {
        await #expect(processExitsWith: .success) { [onlySyncs, code] in
            FaultyDisk.insert()
            let place = TemporaryHistory()
            let history = try place.open()
            FaultyDisk.fail(at: 1, .fromThenOn, onlySyncs: onlySyncs)
            expectRefusal("The disk refuses to read or write the history \(place.path) (SQLite's error \(code))") {
                try history.record(Self.first)
            }
        }
    }

    /// The process is killed at a step of the later records. The first record is whole, each later one whole or absent.
    @Test(arguments: 1...8)
    func `a process that is killed while it records keeps the acknowledged events`(step: Int) async throws {
        let place = TemporaryHistory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = place.path as String, step] in
            FaultyDisk.insert()
            let history = try History(at: path)
            try history.record(Self.first)
            FaultyDisk.fail(at: step, .death)
            try history.record(Self.second)
            try history.record(Self.third)
            try history.record(Self.third)
        }
        let kept = try place.open().events()
        let all = Self.first + Self.second + Self.third + Self.third
        #expect([3, 6, 9, 12].contains(kept.count))
        #expect(kept == Array(all[..<kept.count]))
        #expect(try place.shell("PRAGMA integrity_check") == "ok")
    }
}

extension FailureTests {
    /// Runs `body` with a failure at step 1, 2, … until nothing fails any more. Returns the number of failures.
    private static func steps(_ body: (Int) throws -> Void) throws -> Int {
        for step in 1... {
            try body(step)
            guard FaultyDisk.hasFailed else { return step - 1 }
        }
        return 0
    }

    /// Exactly the acknowledged events are there: at once, after the disk has recovered, and after a restart.
    private static func recordAcrossFailure(at step: Int, _ fault: FaultyDisk.Fault, onlySyncs: Bool = false) throws {
        let place = TemporaryHistory()
        let acknowledged = try failInTheMiddle(of: place, at: step, fault, onlySyncs: onlySyncs)
        #expect(try place.open().events() == acknowledged, "step \(step)")
    }

    private static func failInTheMiddle(
        of place: TemporaryHistory, at step: Int, _ fault: FaultyDisk.Fault, onlySyncs: Bool
    ) throws -> [Event] {
        let history = try place.open()
        var acknowledged: [Event] = []
        func record(_ events: [Event]) {
            if refusal({ try history.record(events) }) == "nothing" { acknowledged += events }
        }
        record(first)
        FaultyDisk.fail(at: step, fault, onlySyncs: onlySyncs)
        record(second)
        record(third)
        FaultyDisk.heal()
        #expect(try history.events() == acknowledged, "step \(step)")
        record(first)
        #expect(acknowledged.suffix(first.count) == first[...], "step \(step)")
        #expect(try history.plan() == Plan(replaying: acknowledged), "step \(step)")
        return acknowledged
    }
}
