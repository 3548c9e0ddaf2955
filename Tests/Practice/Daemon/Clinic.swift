import Foundation
import JSON
import PostgreSQL
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Storage
import Synchronization
import Time
import Varlink
import VarlinkService

@testable import PracticeDaemon

/// A practice for tests: real tables of its own, in SQLite or where `DAYBREAK_POSTGRESQL` says in PostgreSQL, and calls that are carried out as the daemon carries them out.
///
/// ```swift
/// let clinic = try Clinic()
/// let ana = try clinic.staff("Ana", .thanatologist)
/// let cleo = try clinic.client("Cleo", of: ana)
/// try clinic.as(ana).call(Records.GetClient(client: cleo))
/// ```
final class Clinic {
    let folder: URL
    let place: StoragePlace
    private(set) var writer: CallRunner
    private(set) var reader: CallRunner
    private let settings: PracticeSettings
    /// The daemon's own state.
    var state = ServerState()
    /// The clock's instant.
    let clock: TestClock

    /// 2027-03-05 09:00 in Madrid, a Friday.
    static let morning = Instant(microseconds: 1_804_233_600_000_000)

    /// - Parameters:
    ///   - template: a clinic whose content is copied.
    ///   - hostKey: the host's public key, if the host has one.
    init(
        _ settings: PracticeSettings = Clinic.settings, copyOf template: Clinic? = nil, hostKey: String? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "clinic-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "practice.db").path
        try template?.close()
        var settings = settings
        if let server = TestServer.shared {
            place = try server.makePlace(copyOf: template?.place)
            settings.migrationServer = server.address(of: place, as: TestServer.owner)
        } else {
            place = .file(path)
            if let template {
                try FileManager.default.copyItem(atPath: template.database, toPath: path)
            } else {
                _ = FileManager.default.createFile(atPath: path, contents: nil)
            }
        }
        if let hostKey {
            let file = folder.appending(path: "host.pub")
            try hostKey.write(to: file, atomically: true, encoding: .utf8)
            settings.gate.hostKey = file.path
        }
        clock = TestClock(Self.morning)
        self.settings = settings
        (writer, reader) = try Self.start(place, settings, clock)
    }

    private static func start(
        _ place: StoragePlace, _ settings: PracticeSettings, _ clock: TestClock
    ) throws -> (writer: CallRunner, reader: CallRunner) {
        let collation = Collation(locale: settings.locale)
        switch place {
        case .file(let path): try Store(path, collation: collation).close()
        case .server(let address):
            _ = try Store(server: address, migration: settings.migrationServer, collation: collation)
        }
        return (
            CallRunner(place, .writing, settings: settings, now: { clock.now }),
            CallRunner(place, .reading, settings: settings, now: { clock.now })
        )
    }

    deinit {
        try? close()
        try? FileManager.default.removeItem(at: folder)
        TestServer.shared?.remove(place)
    }

    /// Where a move finds it.
    var placeToMove: Move.Place {
        switch place {
        case .file(let path): .file(path)
        case .server(let address): .server(address, migration: settings.migrationServer)
        }
    }

    /// The file of SQLite.
    var database: String { folder.appending(path: "practice.db").path }

    /// A connection besides the daemon's, to look at what is kept.
    func look() throws -> any Database {
        switch place {
        case .file(let path): try SQLiteDatabase(path, .reading)
        case .server(let address): try PostgreSQL(address, .reading, program: "test")
        }
    }

    func tables() throws -> [String] {
        let sql =
            switch place {
            case .file: "SELECT name FROM sqlite_master WHERE type = 'table'"
            case .server: "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
            }
        return try look().rows(sql) { $0.text(0) ?? "" }
    }

    static var settings: PracticeSettings {
        var settings = PracticeSettings()
        settings.name = "Clinic at the Park"
        settings.zone = ZoneFiles.zone("Europe/Madrid") ?? .utc
        return settings
    }

    /// Uses the connection that the daemon would use for the call.
    func carryOut(_ job: Job) -> Outcome {
        var job = job
        job.state = state
        let outcome = (job.thread == .reading ? reader : writer).carryOut([job])[0]
        if outcome.journalLines.contains(where: { $0.kind == .storageRestored }) { state.restores += 1 }
        return outcome
    }

    /// Closes the database, as the daemon does at its end.
    func close() throws {
        // The last connection to close brings the log into the file.
        try reader.close()
        try writer.close()
    }

    /// Ends the daemon between two calls, as a kill does: nothing is tidied up. Starts it again from its files.
    func kill() throws {
        // A server has no files of the practice here.
        let files = if case .file(let path) = place { ["", "-wal"].map { path + $0 } } else { [String]() }
        let left = files.map { FileManager.default.contents(atPath: $0) }
        try close()
        for (file, bytes) in zip(files, left) {
            guard FileManager.default.createFile(atPath: file, contents: bytes ?? Data()) else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
        state = ServerState()
        (writer, reader) = try Self.start(place, settings, clock)
    }

    // MARK: Callers

    /// A caller: a person by their identifier, root, or a visitor.
    struct TestCaller {
        let clinic: Clinic
        let caller: Caller

        /// Throws the error reply, as its own type where the test knows it.
        @discardableResult
        func call<M: Method>(_ method: M) throws -> M.Reply {
            try reply(method).decode(M.Reply.self)
        }

        /// The reply, with the news and the journal's lines.
        func outcome<M: Method>(_ method: M, more: Bool = false) throws -> Outcome {
            let call = try Call(frame: Array(Call.frame(method, more: more).dropLast()))
            return clinic.carryOut(Job(number: 1, call: call, caller: caller))
        }

        private func reply<M: Method>(_ method: M) throws -> Reply {
            let reply = try Reply(frame: Array(try outcome(method).frame.dropLast()))
            if reply.error == nil { return reply }
            for known in Clinic.errors { if let error = Clinic.error(known, reply) { throw error } }
            throw Unknown(name: reply.error ?? "", parameters: String(decoding: reply.parameters, as: UTF8.self))
        }
    }

    struct Unknown: Error, Equatable {
        let name: String
        let parameters: String
    }

    static let errors: [any ErrorReply.Type] =
        Practice.errors + Records.errors + Care.errors + Gate.errors + Mail.errors + Chat.errors + Programmes.errors
        + Upkeep.errors + [
            InvalidParameter.self, MethodNotImplemented.self, ExpectedMore.self, PermissionDenied.self,
        ]

    private static func error<E: ErrorReply>(_ type: E.Type, _ reply: Reply) -> E? { reply.decodeError(type) }

    func `as`(_ person: String) -> TestCaller {
        TestCaller(clinic: self, caller: Caller(user: 4_000, account: nil, person: person, rights: []))
    }

    /// A caller with a Unix account.
    func account(_ name: String) -> TestCaller {
        TestCaller(clinic: self, caller: Caller(user: 4_000, account: name, rights: []))
    }

    var root: TestCaller { TestCaller(clinic: self, caller: Caller(user: 0, account: "root", rights: [])) }
    var visitor: TestCaller { TestCaller(clinic: self, caller: Caller(user: 4_000, account: "nobody", rights: [])) }

    // MARK: People

    /// Adds a member of the staff, and returns their identifier.
    func staff(_ name: String, _ role: Role) throws -> String {
        try root.call(Practice.AddStaff(name: name, role: role.rawValue)).person.id
    }

    /// Adds a client of that thanatologist, and returns their identifier.
    func client(_ name: String, of thanatologist: String) throws -> String {
        try `as`(thanatologist).call(Records.AddClient(name: name)).client.id
    }
}

/// A clock that stands until the test sets it.
final class TestClock: Sendable {
    private let instant: Mutex<Instant>

    init(_ instant: Instant) { self.instant = Mutex(instant) }

    var now: Instant { instant.withLock { $0 } }

    func advance(by length: Duration) { instant.withLock { $0 = $0 + length } }

    func set(_ instant: Instant) { self.instant.withLock { $0 = instant } }
}
