import DiskSupport
import Foundation
import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import HomeworkDaemon
@testable import HomeworkHistory

/// The nightly copies that the daemon makes, by its own clock.
@Suite(.hangGuard) struct NightTests {
    private let household = Workload()
    private let clock: MovedClock

    init() { clock = MovedClock(in: household.folder) }

    private var nights: [String] {
        get throws { try names.filter { $0.hasPrefix("night-") && $0.hasSuffix(".db") } }
    }

    private var names: [String] {
        get throws {
            guard exists(household.state + "/backups") else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: household.state + "/backups").sorted()
        }
    }

    /// Moves the clock, and calls the daemon until the condition holds.
    private func goOn(
        _ daemon: DaemonProcess, _ seconds: Int64, location: SourceLocation = #_sourceLocation,
        until isSo: () throws -> Bool
    ) throws {
        clock.goOn(seconds: seconds)
        for _ in 1...1_000 where try !isSo() {
            knock(daemon)
            daemon.client().waitForMaintenance()
        }
        let seen = try names
        #expect(try isSo(), "\(seen) \(daemon.errors ?? "")", sourceLocation: location)
    }

    private func knock(_ daemon: DaemonProcess) {
        _ = daemon.client().ask(call("Homework.GetStatus"))
        daemon.forgetNotifications()
    }

    private func day(_ daemon: DaemonProcess) -> String {
        let status = daemon.client().ask(call("Homework.GetStatus")) ?? ""
        return status.split(separator: "\"today\":\"").last.map { String($0.prefix(10)) } ?? status
    }

    @Test func `each night brings a copy, the last seven are kept, and each can be restored`() throws {
        let daemon = try household.started(clock.environment)
        var days: [String] = []
        for night in 0..<9 {
            if night > 0 {
                clock.goOn(seconds: 86_400)
                _ = daemon.client().ask(call("Homework.AddNote", #"{"text":"note \#(night)"}"#))
            }
            days.append(day(daemon))
            // The copy is made only some minutes after midnight, so that the day's reminders come first.
            clock.goOn(seconds: 290)
            for _ in 1...20 { knock(daemon) }
            #expect(try nights == days.dropLast().suffix(7).map { "night-\($0).db" })
            try goOn(daemon, 20) { try nights == days.suffix(7).map { "night-\($0).db" } }
        }
        #expect(days.count == 9 && Set(days).count == 9)
        for name in try nights { #expect(mode(of: household.state + "/backups/" + name) == 0o600) }

        let chosen = try household.state + "/backups/" + nights[2]
        #expect(try daybreak(daemon, "restore", chosen).status == 0)
        let notes = try daybreak(daemon, "notes").output
        #expect(notes.contains("note 4") && !notes.contains("note 5"), "\(notes)")

        // The copies of the replaced history do not belong to the new one. They are kept under another name.
        #expect(try names == names.prefix(1) + days.suffix(7).map { "replaced-night-\($0).db" })
        clock.goOn(seconds: 86_400)
        let next = day(daemon)
        try goOn(daemon, 310) { try nights == ["night-\(next).db"] }
        try goOn(daemon, 86_400) { day(daemon) != next }
        try goOn(daemon, 310) { try nights == ["night-\(next).db", "night-\(day(daemon)).db"] }
        #expect(daemon.errors?.contains("backup") == false, "\(daemon.errors ?? "")")
        #expect(problem(daemon) == nil)
        #expect(try daybreak(daemon, "erase", "--everything", "--yes").status == 0)
        #expect(try names == [])
    }

    @Test func `a damaged index is made anew at night, and the copy is made`() throws {
        let history = household.state + "/history.db"
        #expect(try household.lived().end(SIGTERM) == 0)
        let pages = try SQLiteDatabase(history).rows("SELECT rootpage FROM sqlite_schema WHERE type = 'index'") {
            $0.int(0) ?? 0
        }
        let earlier = EarlierPages(pages, of: history)
        let first = try household.started()
        _ = first.client().ask(call("Homework.AddNote", #"{"text":"qnightq"}"#))
        #expect(first.end(SIGTERM) == 0)
        earlier.putBack()
        #expect(try !History.areIndexesSound(at: history))
        let verified = DaemonProcess(in: household.folder, ["--verify"])
        #expect(verified.end() == 2)
        let count = try #require(try History.verify(at: history))
        let index = "An index of the history \(history) does not list all of its events."
        #expect(verified.log == "\(index) The \(count) events are sound.\n")
        let daemon = try household.started(clock.environment)
        try goOn(daemon, 310) { daemon.errors?.contains("index") == true }
        try goOn(daemon, 310) { try nights.count == 1 }
        #expect(try History.areIndexesSound(at: history))
        #expect(problem(daemon) == nil)
        let said = daemon.errors?.split(separator: "\n").filter { $0.contains("index") } ?? []
        #expect(
            said == ["daybreakd: An index of the history did not list all of its events; it was made anew."], "\(said)")
        #expect(DaemonProcess(in: household.folder, ["--verify"]).end() == 0)
    }

    @Test func `files that an interrupted erasure left are removed at night`() throws {
        #expect(try household.lived().end(SIGTERM) == 0)
        let daemon = try household.started(clock.environment)
        try goOn(daemon, 310) { try nights.count == 1 }
        let (left, kept) = (try household.state + "/backups/" + nights[0], household.folder["kept.db"])
        try FileManager.default.copyItem(atPath: left, toPath: kept)
        #expect(try daybreak(daemon, "erase", "qtaskq", "--yes").status == 0)
        unlink(left)
        try FileManager.default.moveItem(atPath: kept, toPath: left)
        clock.goOn(seconds: 86_400)
        let next = day(daemon)
        try goOn(daemon, 310) { try nights == ["night-\(next).db"] }
        #expect(household.places(of: "qnoteq") == [])
        #expect(problem(daemon) == nil)
    }

    /// A replaced history has them, and no night of this one.
    @Test func `words that an interrupted erasure left are erased as soon as the daemon starts`() throws {
        let first = try household.lived()
        let copy = household.folder["copy.db"]
        #expect(try daybreak(first, "backup", copy).status == 0)
        #expect(try daybreak(first, "erase", "qtaskq", "--yes").status == 0)
        #expect(first.end(SIGTERM) == 0)
        let backups = household.state + "/backups/"
        for name in try names { unlink(backups + name) }
        try FileManager.default.moveItem(atPath: copy, toPath: backups + "replaced-2026-01-01-1.db")
        try UnfinishedErasures(of: household.state + "/history.db").replace(with: [UnfinishedErasure(.erased("qtaskq"))]
        )
        let daemon = try household.started(clock.environment)
        try goOn(daemon, 0) { try nights.count == 1 }
        #expect(household.places(of: "qnoteq") == [])
        #expect(!exists(household.state + "/history.db.erasing"))
    }

    /// The daemon was killed in the middle, and the history is replaced before the next one starts.
    @Test func `an interrupted erasure is finished also if a restore without a daemon comes first`() throws {
        let other = Workload()
        let (before, copy) = (household.folder["before.db"], household.folder["copy.db"])
        let others = try other.started()
        #expect(try daybreak(others, "backup", before).status == 0)
        let first = try household.lived()
        #expect(try daybreak(first, "backup", copy).status == 0)
        #expect(try daybreak(first, "erase", "qtaskq", "--yes").status == 0)
        #expect(first.end(SIGTERM) == 0)
        let (history, backups) = (household.state + "/history.db", household.state + "/backups/")
        for name in try names { unlink(backups + name) }
        try FileManager.default.moveItem(atPath: copy, toPath: backups + "replaced-2026-01-01-1.db")
        let number = try SQLiteDatabase(history, .looking).number("SELECT max(seq) FROM event WHERE kind = 'erased'")
        try UnfinishedErasures(of: history).replace(with: [UnfinishedErasure(.erased("qtaskq"), number: number)])
        let folders = [
            "HOME": household.folder.path, "XDG_STATE_HOME": household.folder["state"],
            "XDG_RUNTIME_DIR": household.folder["runtime"],
        ]
        let restored = try run(DaemonProcess.program, ["--restore", before], folders)
        #expect(restored.status == 0, "\(restored.error)")
        let daemon = try household.started(clock.environment)
        try goOn(daemon, 0) { try nights.count == 1 }
        #expect(household.places(of: "qnoteq") == [])
    }

    /// The daemon was killed after its note, and before the history lost the words.
    @Test func `an erasure that the history never came to takes nothing from its copies`() throws {
        let first = try household.lived()
        let (copy, history) = (household.folder["copy.db"], household.state + "/history.db")
        #expect(try daybreak(first, "backup", copy).status == 0)
        #expect(first.end(SIGTERM) == 0)
        try FileManager.default.moveItem(
            atPath: copy, toPath: household.state + "/backups/replaced-2026-01-01-1.db")
        let unfinished = UnfinishedErasures(of: history)
        let next = try SQLiteDatabase(history, .looking).lastEvent() + 1
        try unfinished.replace(with: [UnfinishedErasure(.erased("qtaskq"), number: next)])
        #expect(try unfinished.all() == [UnfinishedErasure(.erased("qtaskq"), number: next)])
        let daemon = try household.started(clock.environment)
        try goOn(daemon, 0) { try nights.count == 1 }
        #expect(!unfinished.areThere)
        let places = household.places(of: "qnoteq")
        for name in ["history.db", "replaced-"] { #expect(places.contains { $0.contains(name) }, "\(places)") }
    }

    @Test func `a history that lost its log is reported at the start, and the night's copy can be restored`() throws {
        let daemon = try household.started(clock.environment)
        try goOn(daemon, 310) { try nights.count == 1 }
        let (history, night) = (household.state + "/history.db", try household.state + "/backups/" + nights[0])
        _ = daemon.end(SIGKILL)
        unlink(history + "-wal")
        let count = try SQLiteDatabase(night, .looking).lastEvent()
        #expect(count > 0)
        let next = try household.started(clock.environment)
        let reason = "The history \(history) has lost events: it has 0, and its backup \(night) has \(count)"
        #expect(problem(next) == reason)
        let refused = next.client().ask(call("Homework.AddNote", #"{"text":"more"}"#)) ?? ""
        #expect(refused.contains("StorageUnavailable"), "\(refused)")
        #expect(try daybreak(next, "restore", night).status == 0)
        #expect(problem(next) == nil)
        #expect(next.end(SIGKILL) == -SIGKILL)
        let last = try household.started(clock.environment)
        #expect(problem(last) == nil)
        #expect(try History.verify(at: history) ?? 0 >= count)
    }

    @Test func `a history that differs from its last copy is reported, and neither file is changed`() throws {
        let daemon = try household.started(clock.environment)
        try goOn(daemon, 310) { try nights.count == 1 }
        let copy = try household.state + "/backups/" + nights[0]
        try SQLiteDatabase(copy).execute(
            "\(Tables.allowChanges); UPDATE event SET minute = 7 WHERE seq = 2; \(Tables.neverChanged)")
        let before = try Data(contentsOf: URL(filePath: copy))
        clock.goOn(seconds: 86_400)
        knock(daemon)
        try goOn(daemon, 310) { daemon.errors?.contains(copy) == true }
        // Later attempts do not report it again.
        for _ in 1...3 {
            clock.goOn(seconds: 86_400)
            knock(daemon)
            clock.goOn(seconds: 310)
            for _ in 1...20 { knock(daemon) }
        }
        #expect(try nights.count == 1)
        #expect(try Data(contentsOf: URL(filePath: copy)) == before)
        let said = daemon.errors?.split(separator: "\n").filter { $0.contains(copy) } ?? []
        let reason = """
            The history and its backup \(copy) tell two stories of event 2: one of them is damaged, and no backup is made \
            any more. `daybreak restore \(copy)` puts the backup in the history's place; where that is the damaged one, \
            remove it
            """
        #expect(said == ["daybreakd: \(reason)"])
        #expect(problem(daemon) == reason)
        let diagnosis = daemon.client().ask(call("Service.Diagnose")) ?? ""
        #expect(diagnosis.contains(reason.replacing("/", with: #"\/"#)) || diagnosis.contains(reason), "\(diagnosis)")

        unlink(copy)
        try goOn(daemon, 310) { problem(daemon) == nil }
        #expect(try nights.count == 1)
    }
}
