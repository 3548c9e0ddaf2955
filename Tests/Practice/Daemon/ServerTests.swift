import Glibc
import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Synchronization
import Systemd
import Testing
import Time
import Unix
import UnixTestSupport
import Varlink
import VarlinkService

@testable import PracticeDaemon

/// A practice behind its real socket, in a loop that the test turns.
final class OpenClinic: ServerInLoop {
    let clinic: Clinic
    let loop: EventLoop
    let server: PracticeServer
    private let folder = Folder()
    private let conditions: Conditions
    private let lines: Lines
    var path: String { folder["control"] }

    private final class Lines { var all: [String] = [] }

    /// The caller of the next connection; without one, a stranger.
    private final class Conditions {
        var next: Caller?
        /// A year ahead of the loop's clock, so that no timer rings unless a test sets it.
        var steady = SteadyInstant(microseconds: 365 * 86_400_000_000)
    }

    /// - Parameter database: the path of a database other than the clinic's.
    init(_ settings: PracticeSettings = Clinic.settings, at database: String? = nil) throws {
        clinic = try Clinic(settings)
        let lines = Lines()
        self.lines = lines
        loop = try EventLoop()
        let conditions = Conditions()
        self.conditions = conditions
        let clock = clinic.clock
        server = try PracticeServer(
            loop: loop, settings: settings, place: database.map { .file($0) } ?? clinic.place, state: ServerState(),
            now: { clock.now },
            steady: { conditions.steady }, say: { lines.all.append("\($0): \($1)") }, report: { _ in },
            admit: { conditions.next ?? Caller(user: $0 == geteuid() ? 4_000 : $0, account: "nobody", rights: []) })
        try server.listen(on: LocalSocket.listen(at: folder["control"], mode: 0o666))
        must(chmod(folder.path, 0o755))
    }

    /// Puts the clock behind the loop's, so that a call's time is over at once.
    func letTimePass(_ length: Duration) { conditions.steady = conditions.steady + length }

    func letTimeBeOver() { conditions.steady = SteadyInstant(microseconds: -1_000_000_000) }

    /// Handles everything that is ready, and waits for the calls that are being carried out.
    func settle() throws {
        repeat {
            while try loop.step(timeoutMicroseconds: 0) {}
            if server.requests.isEmpty { return }
        } while try loop.step(timeoutMicroseconds: patience)
    }

    /// The lines that were logged.
    var said: [String] { lines.all }

    /// A caller's connection, which is accepted at the loop's next turn.
    func knock(_ caller: Clinic.TestCaller) -> Client {
        conditions.next = caller.caller
        return Client(to: path)
    }

    /// A caller's connection.
    func connect(_ caller: Clinic.TestCaller) throws -> Client {
        let client = knock(caller)
        defer { conditions.next = nil }
        // This connection is accepted before the next caller is set.
        try send(Practice.WhoAmI(), client)
        _ = try hear(client)
        return client
    }

    func send(_ method: some Method, more: Bool = false, _ client: Client) throws {
        client.send(bytes: Call.frame(method, more: more))
    }

    /// The next message, or `cut` once the connection is cut.
    func hear(_ client: Client) throws -> String {
        repeat {
            if let message = client.message() { return message }
            if client.isCutOff { return "cut" }
        } while try loop.step(timeoutMicroseconds: 20_000_000)
        return client.becomesCutOff() ? "cut" : "nothing for 20 seconds"
    }

    func ask(_ method: some Method, _ client: Client) throws -> String {
        try send(method, client)
        return try hear(client)
    }

}

@Suite struct `The practice's socket` {
    private func news(_ cursor: Int, _ what: String) -> String {
        #"{"continues":true,"parameters":{"at":"2027-03-05T09:00:00+01:00","cursor":"\#(cursor)","kind":"record","#
            + #""what":"\#(what)"}}"#
    }

    /// Their number may be another's in the database that was restored.
    @Test(.ofFile) func `after a restore, all who are somebody by their number come in anew, and calls that go on end`()
        throws
    {
        let day = try Day()
        let (open, clinic) = (day.open, day.open.clinic)
        let watcher = try day.watch()
        #expect(try open.hear(watcher) == watching(1))
        let byAccount = try open.connect(clinic.visitor)
        let root = try open.connect(clinic.root)
        func ask<M: Method>(_ method: M) throws -> M.Reply {
            let said = try open.ask(method, root)
            try #require(said.hasPrefix("{"), "\(M.self): \(said)")
            return try Reply(frame: Array(said.utf8)).decode(M.Reply.self)
        }
        let backup = try ask(Upkeep.Backup()).backup
        var (offset, name): (Int?, String?) = (0, nil)
        while let start = offset {
            let read = try ask(Upkeep.ReadBackup(backup: backup, offset: start))
            let bytes = try #require(Base64.decode(read.piece))
            for place in stride(from: 0, to: bytes.count, by: 30_000) {
                let piece = Base64.encode(Array(bytes[place..<min(place + 30_000, bytes.count)]))
                name = try ask(Upkeep.UploadRestore(restore: name, offset: start + place, piece: piece)).restore
            }
            offset = read.next
        }
        #expect(try ask(Upkeep.Restore(restore: name ?? "")).staff == 1)
        let error =
            #"{"error":"org.daybreak.Practice.StorageUnavailable","parameters":{"reason":"A backup was restored: call again."}}"#
        #expect(try open.hear(watcher) == error)
        for client in [watcher, day.connection] {
            var heard = try open.hear(client)
            if heard == error { heard = try open.hear(client) }
            #expect(heard == "cut")
        }
        // Root and a visitor are nobody's number.
        #expect(try ask(Upkeep.Status()).health.staff == 1)
        #expect(try open.ask(Practice.WhoAmI(), byAccount).hasPrefix(#"{"parameters""#))
        #expect(try open.ask(Practice.WhoAmI(), open.connect(clinic.as(day.ana))).contains("Ana"))
    }

    @Test(.ofFile) func `the daemon is to make a backup again after each that failed, also for a person`() throws {
        let folder = Folder()
        let elsewhere = folder["nights"]
        must(mkdir(elsewhere, 0o700))
        var settings = Clinic.settings
        settings.backups = elsewhere
        let open = try OpenClinic(settings)
        var failed = 0
        open.server.onBackupFailed = { failed += 1 }
        let ana = try open.clinic.staff("Ana", .thanatologist)
        let cleo = try open.clinic.client("Cleo", of: ana)
        try open.clinic.as(ana).call(Records.CloseRecord(client: cleo, reason: "All is said."))
        let root = try open.connect(open.clinic.root)
        must(chmod(elsewhere, 0o777))
        for count in 1...2 {
            #expect(try open.ask(Upkeep.BackUpNight(), root).contains("BackupsUnavailable"))
            #expect(failed == count)
        }
        let erased = try open.ask(Records.EraseRecord(client: cleo, number: 1, reason: "Asked for."), root)
        #expect(erased.contains("backupProblem") && failed == 3)
        must(chmod(elsewhere, 0o700))
        #expect(try open.ask(Upkeep.BackUpNight(), root).hasPrefix(#"{"parameters""#))
        #expect(failed == 3)
    }

    private func watching(_ cursor: Int) -> String {
        #"{"continues":true,"parameters":{"at":"2027-03-05T09:00:00+01:00","cursor":"\#(cursor)","kind":"watching"}}"#
    }

    /// A clinic in which the record of Ana's client is closed and reopened. Her first news was its opening.
    private struct Day {
        let open: OpenClinic
        let (ana, cleo): (String, String)
        let connection: Client

        init() throws {
            open = try OpenClinic()
            ana = try open.clinic.staff("Ana", .thanatologist)
            cleo = try open.clinic.client("Cleo", of: ana)
            connection = try open.connect(open.clinic.as(ana))
        }

        func close() throws { try open.send(Records.CloseRecord(client: cleo, reason: "All is said."), connection) }

        func reopen() throws {
            try open.send(Records.ReopenRecord(client: cleo, why: .mistake, reason: "Too soon."), connection)
        }

        func watch(since: String? = nil) throws -> Client {
            let client = try open.connect(open.clinic.as(ana))
            try open.send(Practice.Watch(since: since), more: true, client)
            return client
        }
    }

    @Test func `news arrive in order, even after a lost connection`() throws {
        let day = try Day()
        let screen = try day.watch()
        #expect(try day.open.hear(screen) == watching(1))
        for (number, turn) in [day.close, day.reopen, day.close].enumerated() {
            try turn()
            #expect(try day.open.hear(screen) == news(number + 2, day.cleo))
        }
        screen.leave()
        try day.reopen()
        let again = try day.watch(since: "3")
        let heard = try (0..<3).map { _ in try day.open.hear(again) }
        #expect(heard == [watching(3), news(4, day.cleo), news(5, day.cleo)])
        try day.close()
        #expect(try day.open.hear(again) == news(6, day.cleo))
    }

    @Test func `news of the transaction in which the watch began are sent once`() throws {
        let day = try Day()
        let screen = try day.open.connect(day.open.clinic.as(day.ana))
        // Both are sent before the loop turns, so that they share a turn.
        try day.close()
        try day.open.send(Practice.Watch(), more: true, screen)
        _ = try day.open.hear(day.connection)
        try day.reopen()
        var heard: [String] = []
        while heard.last != news(3, day.cleo), heard.count < 4 { heard.append(try day.open.hear(screen)) }
        let (close, reopen) = (news(2, day.cleo), news(3, day.cleo))
        #expect(heard == [watching(2), reopen] || heard == [watching(1), close, reopen])
    }

    @Test(arguments: ["-1", "x", "", "99999999999999999999", "7"])
    func `a cursor that was never sent begins the watch at the first news, or at the next`(since: String) throws {
        let day = try Day()
        try day.close()
        _ = try day.open.hear(day.connection)
        let screen = try day.watch(since: since)
        // The watch begins with the first news; with a cursor in the future, with the next.
        #expect(try day.open.hear(screen) == watching(since == "7" ? 2 : 0))
    }

    @Test func `a watcher gets news of each client of a spreadsheet, in order`() throws {
        let day = try Day()
        let screen = try day.watch()
        #expect(try day.open.hear(screen) == watching(1))
        let root = try day.open.connect(day.open.clinic.root)
        let rows = ["Dino", "Emil"].enumerated().map {
            Upkeep.ImportedRow(line: $0 + 2, values: ["name": $1, "thanatologist": day.ana])
        }
        _ = try day.open.ask(Upkeep.Import(kind: .clients, rows: rows), root)
        #expect(try [day.open.hear(screen), day.open.hear(screen)] == [news(2, "p3"), news(3, "p4")])
        try day.close()
        #expect(try day.open.hear(screen) == news(4, day.cleo))
    }

    @Test func `a person who leaves the practice gets no more news, and is disconnected`() throws {
        let open = try OpenClinic()
        let root = try open.connect(open.clinic.root)
        let ana = try open.clinic.root.call(
            Practice.AddStaff(name: "Ana", role: "thanatologist", account: "daemon")
        ).person.id
        let ben = try open.clinic.staff("Ben", .thanatologist)
        let cleo = try open.clinic.client("Cleo", of: ana)
        let watchers = [try open.connect(open.clinic.as(ana)), try open.connect(open.clinic.account("daemon"))]
        for watcher in watchers {
            try open.send(Practice.Watch(), more: true, watcher)
            #expect(try open.hear(watcher) == watching(1))
        }
        let idle = try open.connect(open.clinic.as(ana))
        let other = try open.connect(open.clinic.as(ben))
        let retired = try open.ask(Practice.RetireStaff(person: ana, revision: 1, successor: ben), root)
        #expect(retired.contains(#""active":false"#))
        let last = #"{"error":"org.daybreak.Practice.SignedOut","parameters":{"person":"\#(ana)"}}"#
        for gone in watchers + [idle] {
            #expect(try open.hear(gone) == last)
            #expect(try open.hear(gone) == "cut")
        }
        #expect(try open.ask(Records.GetClient(client: cleo), other).contains(#""name":"Cleo""#))
    }

    @Test func `a key that is removed cuts its own connections, and the others of its owner hear on`() throws {
        let open = try OpenClinic()
        let ana = try open.clinic.staff("Ana", .thanatologist)
        for key in [Keys.ana, Keys.cleo] { try open.clinic.as(ana).call(Practice.AddKey(publicKey: key)) }
        func watch(_ key: String) throws -> Client {
            let caller = Caller(
                user: 4_000, entrance: .gate(key: key, from: "192.0.2.7"), account: "practice", person: ana, rights: [])
            let client = try open.connect(Clinic.TestCaller(clinic: open.clinic, caller: caller))
            try open.send(Practice.Watch(), more: true, client)
            #expect(try open.hear(client) == watching(0))
            return client
        }
        let (laptop, lost) = (try watch(Keys.anas), try watch(Keys.cleos))
        let connection = try open.connect(open.clinic.as(ana))
        _ = try open.ask(Practice.RemoveKey(fingerprint: Keys.cleos), connection)
        #expect(
            try open.hear(lost) == #"{"error":"org.daybreak.Practice.SignedOut","parameters":{"person":"\#(ana)"}}"#)
        #expect(try open.hear(lost) == "cut")
        _ = try open.ask(Records.AddClient(name: "Cleo"), connection)
        #expect(try open.hear(laptop) == news(1, "p2"))
    }

    @Test func `a client's former account hears nothing more of them`() throws {
        let open = try OpenClinic()
        let ana = try open.clinic.staff("Ana", .thanatologist)
        let cleo = try open.clinic.as(ana).call(Records.AddClient(name: "Cleo", account: "daemon")).client.id
        let former = try open.connect(open.clinic.account("daemon"))
        try open.send(Practice.Watch(), more: true, former)
        #expect(try open.hear(former) == watching(1))
        let connection = try open.connect(open.clinic.as(ana))
        // A change of another field cuts no connection.
        _ = try open.ask(Records.EditClient(client: cleo, revision: 1, phone: "+34600"), connection)
        #expect(try open.hear(former) == news(2, cleo))
        _ = try open.ask(Records.EditClient(client: cleo, revision: 2, account: "bin"), connection)
        #expect(
            try open.hear(former) == #"{"error":"org.daybreak.Practice.SignedOut","parameters":{"person":"\#(cleo)"}}"#)
        #expect(try open.hear(former) == "cut")
    }

    @Test func `a connection ends when its account is given to another person`() throws {
        let open = try OpenClinic()
        let root = try open.connect(open.clinic.root)
        let ana = try open.clinic.root.call(
            Practice.AddStaff(name: "Ana", role: "support", account: "daemon")
        ).person.id
        let client = try open.connect(open.clinic.account("daemon"))
        _ = try open.ask(Practice.EditStaff(person: ana, revision: 1, account: "bin"), root)
        #expect(
            try open.hear(client) == #"{"error":"org.daybreak.Practice.SignedOut","parameters":{"person":"\#(ana)"}}"#)
        #expect(try open.hear(client) == "cut")
    }

    @Test func `after a change of their own role a person has the new role's rights`() throws {
        let open = try OpenClinic()
        let (ada, _) = (try open.clinic.staff("Ada", .administrator), try open.clinic.staff("Eva", .administrator))
        let client = try open.connect(open.clinic.as(ada))
        _ = try open.ask(Practice.EditStaff(person: ada, revision: 1, role: "support"), client)
        #expect(
            try open.ask(Practice.EditStaff(person: ada, revision: 2, role: "administrator"), client)
                == #"{"error":"org.daybreak.Practice.NotAllowed","parameters":{"right":"editStaff"}}"#)
    }

    @Test func `a connection reads its own changes`() throws {
        let open = try OpenClinic()
        let root = try open.connect(open.clinic.root)
        for number in 1...50 {
            try open.send(Practice.AddStaff(name: "Person \(number)", role: "support"), root)
            try open.send(Practice.ListStaff(limit: 1), root)
        }
        for number in 1...50 {
            _ = try open.hear(root)
            let list = try open.hear(root)
            #expect(list.contains(#""total":\#(number)"#), "\(list)")
        }
    }

    @Test func `reading calls and writing calls do not wait for each other`() throws {
        let open = try OpenClinic()
        let root = try open.connect(open.clinic.root)
        let visitor = try open.connect(open.clinic.visitor)
        // Another program's transaction makes every writer wait.
        let other = try open.clinic.writer.storage.store()
        try other.transaction {
            _ = try other.addPerson(
                role: .support, name: "Half", account: nil, email: nil, phone: nil,
                since: CalendarDay(ordinal: 20_000))
            try open.send(Practice.AddStaff(name: "Ana", role: "support"), root)
            #expect(
                try open.ask(Practice.ListServices(), visitor) == #"{"parameters":{"categories":[],"services":[]}}"#)
        }
        #expect(try open.hear(root).contains(#""name":"Ana""#))
    }

    @Test func `an account is given to one person, even in simultaneous calls`() throws {
        let open = try OpenClinic()
        let clients = try (0..<8).map { _ in try open.connect(open.clinic.root) }
        for (number, client) in clients.enumerated() {
            try open.send(Practice.AddStaff(name: "Person \(number)", role: "support", account: "daemon"), client)
        }
        let replies = try clients.map { try open.hear($0) }
        #expect(replies.filter { $0.contains(#""account":"daemon""#) }.count == 1)
        #expect(replies.filter { $0.contains("must be nobody else's") }.count == 7)
    }
}
