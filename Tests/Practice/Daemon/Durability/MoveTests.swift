import Foundation
import Glibc
import PostgreSQL
import PracticeInterfaces
import Storage
import TestSupport
import Testing
import TestingSupport
import Time
import UnixTestSupport

@testable import PracticeDaemon
@testable import PracticeStore

/// A practice that is moved from a file to a server, and back.
@Suite(.ofServer, .hangGuard) struct `A move of a practice` {
    private let server = TestServer.shared!

    /// A file in which people did everything that can be done.
    private func lived(_ day: Workload, replies: Int = 600) throws {
        let listening = try PracticeProcess.listeningSocket(day.folder["control"])
        defer {
            close(listening)
            unlink(day.folder["control"])
        }
        let daemon = try day.daemon(listening: listening)
        day.mostOf[.feedback, default: 0] += 8
        let callers = day.callers()
        day.work(callers, for: daemon, until: replies)
        try day.hearAll(callers)
        try day.settle(callers, "lived")
        #expect(daemon.end(SIGTERM) == 0)
    }

    /// All rows of all tables, and the last numbers that were given.
    private func content(_ place: StoragePlace) throws -> [String: [[Value]]] {
        let store =
            switch place {
            case .file(let path): try Store(reading: path)
            case .server: try Store(readingServer: server.address(of: place, as: TestServer.owner))
            }
        return try store.transaction {
            try TableShape.all().reduce(into: [:]) { found, table in
                found[table.name] = try store.page(of: table, after: nil, limit: .max)
                if table.isNumbered {
                    found[table.name]?.append([.integer(Int64(try store.lastNumber(of: table)))])
                }
            }
        }
    }

    private func toMove(_ place: StoragePlace) -> Move.Place {
        switch place {
        case .file(let path): .file(path)
        case .server(let address): .server(address, migration: server.address(of: place, as: TestServer.owner))
        }
    }

    private func move(
        _ from: StoragePlace, _ to: StoragePlace, onProgress: @escaping (Int, Int) -> Void = { _, _ in }
    ) throws {
        _ = try Move(from: toMove(from), to: toMove(to), onProgress: onProgress).run()
    }

    @Test func `all rows are the same on a server and back in a file, and what was begun goes on at each`() throws {
        let own = try OwnServer()
        let day = try Workload()
        try lived(day)
        let first = try content(day.place)
        try day.move(to: .server(own.address()))
        try lived(day)
        unlink(day.database)
        try day.move(to: .file(day.database))
        try lived(day)
        let listening = try PracticeProcess.listeningSocket(day.folder["control"])
        defer { close(listening) }
        let daemon = try day.daemon(listening: listening)
        try day.askAgain()
        #expect(daemon.end(SIGTERM) == 0)
        try day.settle([], "the end")
        day.expectSound(ofAll: true)
        // Nothing that was there before the first move was changed by the moves.
        let last = try content(day.place)
        for table in Tables.onlyAddedTo {
            let rows = Set(last[table] ?? [])
            #expect((first[table]?.dropLast() ?? []).allSatisfy { rows.contains($0) }, "\(table)")
        }
    }

    @Test func `each table with everything in it is the same after both ways, the numbers to come included`() throws {
        let clinic = try Clinic.eventful()
        let (there, folder) = (try server.makeBarePlace(), UnixTestSupport.Folder())
        defer { server.remove(there) }
        let file = StoragePlace.file(folder["practice.db"])
        let before = try content(clinic.place)
        try move(clinic.place, file)
        #expect(try content(file) == before)
        try move(file, there)
        #expect(try content(there) == before)
        guard case .server(let address) = there else { return }
        #expect(try Store(server: address).faultsOfRole() == [])
        // A client who comes now has a number that nobody had.
        let last = before["person"]?.last?.first
        let store = try Store(server: address)
        let next = try store.transaction {
            try store.database.first(
                """
                INSERT INTO person (role, name, sort_key, folded, active, since, revision)
                VALUES ('support', 'New', '', '', 1, '2027-03-05', 1) RETURNING id
                """
            ) { $0.value(0) }
        }
        guard case .integer(let number)? = last else { return }
        #expect(next == .integer(number + 1))
    }

    @Test func `a file of which an index is damaged is not moved, because rows would be left out`() throws {
        let day = try Workload()
        try lived(day, replies: 60)
        let pages = try SQLiteDatabase(day.database, .reading).rows(
            "SELECT rootpage FROM sqlite_schema WHERE type = 'index'"
        ) { $0.int(0) ?? 0 }
        let earlier = EarlierPages(pages, of: day.database)
        try lived(day, replies: 60)
        earlier.putBack()
        let there = try server.makeBarePlace()
        defer { server.remove(there) }
        #expect(throws: MoveError.damagedIndex) { try move(day.place, there) }
    }

    @Test func `a move that is interrupted leaves nothing, and is begun again`() throws {
        let clinic = try Clinic.eventful()
        let (there, folder) = (try server.makeBarePlace(), UnixTestSupport.Folder())
        defer { server.remove(there) }
        let before = try content(clinic.place)
        let admin = try PostgreSQL(server.address(of: there, as: nil), .writing, program: "test")
        let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        // In the middle of the copy, and of the comparison.
        for part in [0.25, 0.75] {
            var isCut = false
            #expect(throws: PostgreSQLError.self) {
                try move(clinic.place, there) { done, all in
                    guard !isCut, Double(done) > part * Double(all) else { return }
                    isCut = true
                    try? admin.execute(
                        "SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                            + "AND datname = current_database()")
                }
            }
            #expect(try admin.number(tables) == 0)
        }
        try move(clinic.place, there)
        #expect(try content(there) == before)
        let file = StoragePlace.file(folder["practice.db"])
        // As a kill leaves it.
        for suffix in ["", "-wal"] { write("left", to: folder["practice.db.new" + suffix]) }
        try move(there, file) { _, _ in #expect(!exists(folder["practice.db"])) }
        #expect(try content(file) == before)
        #expect(try folder.names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") } == ["practice.db"])
    }

    @Test func `a row that is another one on the target is found, and nothing is moved`() throws {
        let clinic = try Clinic.eventful()
        let there = try server.makePlace()
        defer { server.remove(there) }
        let owner = try PostgreSQL(server.address(of: there, as: TestServer.owner), .writing, program: "test")
        try owner.execute(
            """
            CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.role = 'client' THEN NEW.name := NEW.name || ' '; END IF; RETURN NEW; END $$;
            CREATE TRIGGER change BEFORE INSERT ON person FOR EACH ROW EXECUTE FUNCTION change()
            """)
        #expect(throws: MoveError.differs("person")) { try move(clinic.place, there) }
        #expect(try owner.number("SELECT count(*) FROM person") == 0)
    }

    @Test func `a practice is moved neither onto another nor away from a daemon`() throws {
        let (clinic, other, empty) = (try Clinic(), try Clinic(), try Clinic())
        for clinic in [clinic, other] { _ = try clinic.staff("Ana", .thanatologist) }
        #expect(throws: MoveError.notEmpty) { try move(clinic.place, other.place) }
        #expect(throws: MoveError.served) { try move(clinic.place, clinic.place) }
        let folder = UnixTestSupport.Folder()
        write("something", to: folder["practice.db"])
        #expect(throws: MoveError.notEmpty) { try move(clinic.place, .file(folder["practice.db"])) }
        #expect(throws: MoveError.noPractice) { try move(.file(folder["none.db"]), empty.place) }
        let store = try clinic.writer.storage.store()
        try store.transaction {
            _ = try store.beat(of: "daemon")
            // The moves may take a while.
            try store.database.run("UPDATE daemon SET heard = heard + $1", Duration.seconds(3_600).microseconds)
        }
        for (from, to) in [(clinic.place, empty.place), (other.place, clinic.place)] {
            #expect(throws: MoveError.served) { try move(from, to) }
        }
        try store.transaction { try store.remove(daemon: "daemon") }
        try move(clinic.place, empty.place)
        #expect(try content(empty.place) == content(clinic.place))
    }

    @Test func `the program moves what the settings name, and not while a daemon runs`() throws {
        let day = try Workload()
        let there = try server.makeBarePlace()
        defer { server.remove(there) }
        guard case .server(let address) = there else { return }
        let settings = try #require(text(of: day.folder["practice.toml"]))
        write(
            settings.replacing(
                "url =", with: "migration_url = \"\(server.address(of: there, as: TestServer.owner))\"\nurl ="),
            to: day.folder["practice.toml"])
        func run() throws -> (status: Int32, said: String) {
            let program = Process()
            program.executableURL = URL(filePath: PracticeProcess.program)
            program.arguments = ["--config", day.folder["practice.toml"], "--move-to", address]
            program.environment = ["STATE_DIRECTORY": day.state, "LLVM_PROFILE_FILE": "/dev/null"]
            return try program.runToEnd()
        }
        let listening = try PracticeProcess.listeningSocket(day.folder["control"])
        defer { close(listening) }
        let daemon = try day.daemon(listening: listening)
        day.work(day.callers([.staff]), for: daemon, until: 1)
        let refused = try run()
        #expect(
            refused.said.contains(
                "practiced: nothing was moved. A practiced runs here: stop it first, with `systemctl stop practiced.socket practiced`"
            ), "\(refused.said)")
        #expect(refused.status == 1)
        #expect(daemon.end(SIGTERM) == 0)
        let before = try content(day.place)
        let moved = try run()
        #expect(moved.status == 0)
        let counts = try Store(reading: day.database).counts()
        let file = day.folder["practice.toml"]
        #expect(
            moved.said.hasSuffix(
                """
                \n100 %
                Moved: \(counts.staff) staff, 2 clients, 1 session. Each row is the same in both.
                Write it as `url` under [storage] in \(file) before practiced is started again: until then it uses the old one, \
                which is as it was.
                Remove \(day.database) and its backups once the new one is in use: what is erased there stays in them.

                """), "\(moved.said)")
        #expect(try content(there) == before)
        #expect(try content(day.place) == before)
    }
}
