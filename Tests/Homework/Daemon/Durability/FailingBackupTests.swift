import DiskSupport
import Foundation
import Glibc
import Storage
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import HomeworkDaemon
@testable import HomeworkHistory

/// A disk that fails at each call in turn, while a history is replaced, erased or copied.
@Suite(.hangGuard) struct FailingBackupTests {
    enum Operation: String, CaseIterable {
        case restoreEarlier, restoreExport, erase, eraseEverything, backup, export

        var call: String {
            switch self {
            case .restoreEarlier, .restoreExport: FailingBackupTests.restore
            case .erase: HomeworkDaemonTests.call("Service.Erase", #"{"assignment":"qtaskq"}"#)
            case .eraseEverything: HomeworkDaemonTests.call("Service.EraseEverything")
            case .backup: HomeworkDaemonTests.call("Service.Backup")
            case .export: HomeworkDaemonTests.call("Service.Export")
            }
        }
    }

    private static let restore = HomeworkDaemonTests.call("Service.Restore", #"{"file":"restore-1"}"#)

    private let household = Workload()

    /// The files to restore: a copy, the same of an earlier version, and an export.
    private func sources() throws -> (copy: String, earlier: String, text: String) {
        let first = try household.lived()
        let (copy, earlier) = (household.folder["copy.db"], household.folder["earlier.db"])
        let text = household.folder["copy.jsonl"]
        #expect(try daybreak(first, "backup", copy).status == 0)
        write(try daybreak(first, "export").output, to: text)
        #expect(first.end(SIGTERM) == 0)
        try Self.makeVersion3(earlier, outOf: copy)
        return (copy, earlier, text)
    }

    /// The same events in a database of version 3.
    private static func makeVersion3(_ path: String, outOf copy: String) throws {
        write("", to: path)
        let database = try SQLiteDatabase(path)
        try database.execute("PRAGMA application_id = \(Tables.applicationID); \(Tables.steps(from: 0, to: 3))")
        let columns = Tables.columnsOfVersion3
        try database.attaching(copy, as: "now") {
            try database.run(
                """
                INSERT INTO main.event (\(Tables.sharedColumns), \(columns.joined(separator: ", ")))
                SELECT \(Tables.sharedColumns), \(columns.map { "json_extract(body, '$.\($0)')" }.joined(separator: ", "))
                FROM now.event
                """)
        }
    }

    private func lay(_ file: String) throws {
        let laid = household.state + "/backups/restore-1"
        unlink(laid)
        try FileManager.default.copyItem(atPath: file, toPath: laid)
    }

    private func ask(_ daemon: DaemonProcess, _ call: String) -> String {
        daemon.forgetNotifications()
        return daemon.client().ask(call) ?? "no reply"
    }

    private func file(_ reply: String) -> String {
        let parts = reply.split(separator: "\"")
        return parts.count > 1 ? String(parts[parts.count - 2]) : reply
    }

    /// All recorded events, as the lines of an export.
    private func lines(_ daemon: DaemonProcess) -> [Substring] {
        let export = file(ask(daemon, call("Service.Export")))
        defer { unlink(export) }
        return lines(of: export)
    }

    /// Without the first line, which has the number of events.
    private func lines(of export: String) -> [Substring] {
        Array((text(of: export)?.split(separator: "\n") ?? []).dropFirst())
    }

    enum Lasting: String, CaseIterable {
        case once, forAWhile, forEver

        func end(from number: Int, _ dice: inout SplitMix64) -> Int? {
            switch self {
            case .once: nil
            case .forAWhile: number + .random(in: 1...30, using: &dice)
            case .forEver: .max
            }
        }
    }

    @Test(arguments: Operation.allCases, Lasting.allCases)
    func `after a failed call the history is the old or the new one, and the answer is true`(
        operation: Operation, lasting: Lasting
    ) throws {
        let sources = try sources()
        let template = lines(of: sources.text)
        try #require(!template.isEmpty)
        let faults = DiskFaults(household)
        let daemon = try household.started(faults.environment)
        let kinds: DiskFaults.Kinds = lasting == .once ? .disk : .disk.subtracting(.locks)
        var dice = SplitMix64(seed: testSeed)
        var (number, tried, refused) = (isThorough ? 1 : Int.random(in: 1...16, using: &dice), 0, 0)
        while true {
            let end = lasting.end(from: number, &dice)
            let note: Comment = "\(operation), calls \(number) to \(end ?? number)"
            try lay(sources.copy)
            var restored = ask(daemon, Self.restore)
            if restored.contains("restore-1: No such file") {
                // An erasure that could not be finished was finished now, and took this copy, too.
                try lay(sources.copy)
                restored = ask(daemon, Self.restore)
            }
            try #require(Sender.outcome(of: restored) == .done, "before \(note): \(restored)")
            _ = ask(daemon, call("Homework.AddNote", #"{"text":"old"}"#))
            let old = lines(daemon)
            #expect(old.starts(with: template) && old.contains { $0.contains(#""note":"old""#) }, note)
            try lay(operation == .restoreExport ? sources.text : sources.earlier)
            faults.fail(kinds, number, through: end, error: EIO)
            let reply = ask(daemon, operation.call)
            let failed = faults.failed
            faults.heal()
            #expect(!reply.contains("Line"), "\(note): \(reply)")
            let outcome = Sender.outcome(of: reply)
            let found = lines(daemon)
            let isOld = found.starts(with: old)
            switch (operation, outcome) {
            case (.backup, .done):
                let verified = try daybreak(daemon, "restore", file(reply))
                #expect(verified.status == 0 && lines(daemon).starts(with: old), note)
            case (.export, .done):
                #expect(lines(of: file(reply)).starts(with: old), note)
            case (.backup, _), (.export, _), (_, .refused): #expect(isOld, "\(note): \(reply)")
            case (_, .done), (_, .unknown): #expect(isOld != isNew(found, operation, template), note)
            default: Issue.record("\(note): \(reply)")
            }
            if outcome == .done, [.erase, .eraseEverything].contains(operation) {
                #expect(household.places(of: "qnoteq") == [], note)
            }
            if outcome == .done, ![.backup, .export].contains(operation) { #expect(!isOld, note) }
            #expect(Sender.outcome(of: ask(daemon, call("Homework.AddNote", #"{"text":"well"}"#))) == .done, note)
            // The first copy after an erasure may have failed. It is made again some minutes later.
            let isLeft = operation == .erase && problem(daemon)?.hasPrefix("No backup could be made: ") == true
            #expect(isLeft || problem(daemon) == nil, note)
            guard failed > 0 else { break }
            tried += 1
            refused += outcome == .done ? 0 : 1
            number += isThorough ? 1 : 16
        }
        print("failing \(operation): \(lasting), \(tried) calls, \(refused) refused")
    }

    /// A list of the copies that could not be read is no empty one: each replaced history would go, and not be named.
    @Test func `an erasure removes no replaced history, whatever cannot be opened for once`() throws {
        let first = try household.lived()
        let (copy, backups) = (household.folder["copy.db"], household.state + "/backups")
        #expect(try daybreak(first, "backup", copy).status == 0)
        #expect(first.end(SIGTERM) == 0)
        let replaced = backups + "/replaced-2026-01-01-1.db"
        try FileManager.default.moveItem(atPath: copy, toPath: replaced)
        let faults = DiskFaults(household)
        let daemon = try household.started(faults.environment)
        var (number, failed) = (0, 1)
        while failed > 0, exists(replaced) {
            number += 1
            faults.fail(.opens, number, error: EMFILE)
            let reply = ask(daemon, Operation.erase.call)
            failed = faults.failed
            faults.heal()
            #expect(exists(replaced), "open \(number): \(reply)")
        }
        #expect(number > 10)
        #expect(household.places(of: "qnoteq") == [])
    }

    /// Whether it is the history that the operation was to make.
    private func isNew(_ found: [Substring], _ operation: Operation, _ template: [Substring]) -> Bool {
        switch operation {
        case .restoreEarlier, .restoreExport:
            found.starts(with: template) && !found.contains { $0.contains(#""note":"old""#) }
        case .erase: found.count > template.count && !found.contains { $0.contains("qnoteq") }
        case .eraseEverything: found.first?.contains(#""kind":"erased""#) == true
        case .backup, .export: false
        }
    }
}
