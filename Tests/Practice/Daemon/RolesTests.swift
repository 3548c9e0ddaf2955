import PostgreSQL
import PracticeInterfaces
import StaffInterfaces
import Storage
import Testing
import Time

@testable import PracticeDaemon
@testable import PracticeStore

/// Two roles on a real server: the tables' owner, and the daemon's. The clinics of all other tests are used with the second.
@Suite(.ofServer) struct `The roles of a practice on a server` {
    private let server = TestServer.shared!

    private func connection(_ place: StoragePlace, as role: String?) throws -> PostgreSQL {
        try PostgreSQL(server.address(of: place, as: role), .writing, program: "test")
    }

    private func faults(_ clinic: Clinic) throws -> [String]? { try clinic.root.call(Upkeep.Diagnose()).role }

    @Test func `the doctor finds no fault in a role that the migration gave its rights`() throws {
        #expect(try faults(Clinic()) == [])
    }

    @Test func `the doctor names each right that the role has too much`() throws {
        let clinic = try Clinic()
        let owner = try connection(clinic.place, as: TestServer.owner)
        let admin = try connection(clinic.place, as: nil)
        for (grant, fault) in [
            ("UPDATE ON audit", "may change what is only added to: audit."),
            ("UPDATE (text) ON chat", "may change what is only added to: chat."),
            ("UPDATE ON erasing", "may change what is only added to: erasing."),
            ("DELETE ON session, turn", "may change what is only added to: session, turn."),
            ("TRUNCATE ON copy", "may empty tables, or give them triggers: copy."),
            ("TRIGGER ON letter", "may empty tables, or give them triggers: letter."),
        ] {
            try owner.execute("GRANT \(grant) TO \(TestServer.daemon)")
            #expect(try faults(clinic) == ["The role \(TestServer.daemon) \(fault)"])
            try owner.execute("REVOKE \(grant) FROM \(TestServer.daemon)")
        }
        try admin.execute("GRANT CREATE ON SCHEMA public TO \(TestServer.daemon)")
        #expect(
            try faults(clinic) == [
                "The role \(TestServer.daemon) may make tables and functions in the practice's schema."
            ])
    }

    @Test func `the doctor names the rights that the role lacks, and the migration gives them`() throws {
        let clinic = try Clinic()
        let owner = try connection(clinic.place, as: TestServer.owner)
        try owner.execute("REVOKE INSERT ON copy, letter, chat, room FROM \(TestServer.daemon)")
        #expect(
            try faults(clinic) == [
                "The role \(TestServer.daemon) lacks rights: INSERT on chat, INSERT on copy, INSERT on letter and 1 more."
            ])
        try clinic.kill()
        #expect(try faults(clinic) == [])
    }

    /// A temporary table is found before the practice's own of that name.
    @Test func `a temporary table of disposals opens no erasure`() throws {
        let clinic = try Clinic()
        let client = try clinic.client("Cleo", of: clinic.staff("Ana", .thanatologist))
        let daemon = try connection(clinic.place, as: TestServer.daemon)
        try daemon.execute(
            "CREATE TEMPORARY TABLE disposal (client BIGINT, kind TEXT); INSERT INTO disposal VALUES (\(client.dropFirst()), 'erased')"
        )
        #expect(throws: PostgreSQLError.self) {
            try daemon.execute("INSERT INTO public.erasing VALUES (\(client.dropFirst()))")
        }
    }

    @Test func `the doctor says so where the daemon uses the owner's role, or a superuser's`() throws {
        let place = try server.makePlace()
        defer { server.remove(place) }
        let name = TestServer.owner
        #expect(
            try Roles(connection(place, as: name)).faults() == [
                "The role \(name) owns tables, or belongs to their owner, and so may alter them: addendum, assignment, audit and \(Tables.onServer.count - 3) more.",
                "The role \(name) may make tables and functions in the practice's schema.",
            ])
        let admin = try Roles(connection(place, as: nil))
        #expect(try admin.faults() == ["The role \(admin.name) is a superuser, who may do anything."])
    }

    @Test func `a role that may not make the tables says which setting is missing`() throws {
        let place = try server.makeBarePlace()
        defer { server.remove(place) }
        let address = server.address(of: place, as: TestServer.daemon)
        #expect(throws: StoreError.notMigrated) { _ = try Store(server: address) }
        let elsewhere = try server.makePlace()
        defer { server.remove(elsewhere) }
        let other = server.address(of: elsewhere, as: TestServer.owner)
        #expect(throws: StoreError.migratedElsewhere) { _ = try Store(server: address, migration: other) }
        let clinic = try Clinic.eventful()
        let move = Move(
            from: .server(server.address(of: clinic.place, as: TestServer.owner), migration: ""),
            to: .server(address, migration: other))
        #expect(throws: StoreError.migratedElsewhere) { _ = try move.run() }
        _ = try Store(server: address, migration: server.address(of: place, as: TestServer.owner))
        // From now on the owner is not asked for.
        _ = try Store(server: address)
    }

    @Test(arguments: 1..<Tables.steps.count)
    func `the owner's role brings tables of an earlier version up to date`(version: Int) throws {
        let place = try server.makeBarePlace()
        defer { server.remove(place) }
        let owner = try connection(place, as: TestServer.owner)
        for step in Tables.steps.prefix(version) { try owner.execute(Dialect.postgreSQL.sql(step)) }
        for change in Tables.guards(after: 0, upTo: version) { try owner.execute(Dialect.postgreSQL.sql(change)) }
        try owner.execute(Store.noticeTables)
        try owner.run("INSERT INTO fact (name, value) VALUES ('tables', $1)", "\(version)")
        let address = server.address(of: place, as: TestServer.daemon)
        #expect(throws: StoreError.notMigrated) { _ = try Store(server: address) }
        // While a daemon of that version uses them, they stay.
        try owner.execute("INSERT INTO daemon (name, heard) VALUES ('other', \(Store.serverTime))")
        let migration = server.address(of: place, as: TestServer.owner)
        #expect(throws: StoreError.servedByEarlier) { _ = try Store(server: address, migration: migration) }
        var settings = Clinic.settings
        settings.migrationServer = migration
        guard case .unreached(let reason) = try DatabasePreparation.prepare(.server(address), settings) else {
            Issue.record("the daemon does not wait for the others' end")
            return
        }
        #expect(reason.hasPrefix("A practiced of an earlier version serves the practice, or did so a moment ago:"))
        try owner.execute("DELETE FROM daemon")
        let store = try Store(server: address, migration: migration)
        #expect(try store.fact(.tables) == "\(Tables.steps.count)")
        #expect(try store.faultsOfRole() == [])
    }

    /// Either brings the sort keys up to date, where the server is asked how long a statement may take.
    @Test(arguments: [true, false])
    func `an upgrade and the sorting anew have a day for each statement, and minutes for a pause between two`(
        isUpgrade: Bool
    )
        throws
    {
        let place = try server.makePlace()
        defer { server.remove(place) }
        let owner = try connection(place, as: TestServer.owner)
        try owner.execute(
            """
            INSERT INTO fact (name, value) VALUES ('collation', 'another');
            CREATE TABLE time_limit (text TEXT);
            CREATE FUNCTION note_limit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
            INSERT INTO time_limit (text) VALUES (current_setting('statement_timeout')),
                (current_setting('idle_in_transaction_session_timeout'));
            RETURN NEW; END $$;
            CREATE TRIGGER note_limit BEFORE UPDATE ON fact FOR EACH ROW
            WHEN (NEW.name = 'collation') EXECUTE FUNCTION note_limit()
            """)
        if isUpgrade { try owner.execute("REVOKE INSERT ON copy FROM \(TestServer.daemon)") }
        let store = try Store(
            server: server.address(of: place, as: TestServer.daemon),
            migration: server.address(of: place, as: TestServer.owner))
        #expect(try owner.rows("SELECT text FROM time_limit") { $0.text(0) ?? "" } == ["1d", "5min"])
        let limit = try store.database.rows("SELECT current_setting('statement_timeout')") { $0.text(0) ?? "" }
        #expect(limit == ["10s"])
    }
}
