import Foundation
import Glibc
import PostgreSQL
import PracticeInterfaces
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import PracticeDaemon

/// Faults of a real server under a load of calls, with a ledger of those that were acknowledged.
@Suite(.ofServer, .hangGuard) struct `A server that fails` {
    /// Calls until so many replies came in the three parts of a round: before the fault, with it, and after its end. Then each
    /// call has an answer, and the database has what was acknowledged, once.
    private func rounds(
        _ count: Int, _ day: Workload, fault: (_ round: Int) throws -> Void, end: (_ round: Int) throws -> Void
    ) throws {
        var dice = SplitMix64(seed: testSeed)
        let listening = try PracticeProcess.listeningSocket(day.folder["control"])
        defer {
            close(listening)
            unlink(day.folder["control"])
        }
        (day.mostOf[.feedback], day.mostOf[.shares]) = (8, 60)
        let daemon = try day.daemon(listening: listening)
        for round in 0..<count {
            let callers = day.callers()
            func work(_ more: Int) {
                day.work(callers, for: daemon, until: callers.reduce(0) { $0 + $1.replies.count } + more)
            }
            work(.random(in: 20...150, using: &dice))
            try fault(round)
            work(.random(in: 1...60, using: &dice))
            try end(round)
            work(.random(in: 20...80, using: &dice))
            try day.hearAll(callers)
            try day.settle(callers, "round \(round)")
        }
        #expect(daemon.end(SIGTERM) == 0)
        let another = try day.daemon(listening: listening)
        try day.askAgain()
        try day.settle([], "the end")
        #expect(another.end(SIGTERM) == 0)
        print("\(count) rounds, \(day.figures) (seed \(testSeed))")
        day.expectSound(ofAll: count > 2)
    }

    @Test func `a server killed under load and started again loses and doubles no acknowledged call`() throws {
        let server = try OwnServer()
        let day = try Workload(on: server.address())
        try rounds(isThorough ? 60 : 8, day) { round in
            // By turns: without a word, as an operator stops it in a hurry, and as one does it with patience.
            server.kill([SIGKILL, SIGQUIT, SIGINT][round % 3])
        } end: { _ in
            try server.start()
        }
    }

    @Test func `a server that fails over to its replica loses and doubles no acknowledged call`() throws {
        let settings = ["wal_level=replica", "hot_standby=on"]
        var (primary, replica): (OwnServer, OwnServer?) = (try OwnServer(settings), nil)
        let day = try Workload(on: primary.address())
        for _ in 0..<(isThorough ? 10 : 2) {
            let next = try OwnServer(following: primary)
            replica = next
            // From now on each commit waits for the replica.
            try primary.admin().execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try primary.admin().execute("SELECT pg_reload_conf()")
            try day.hasMoved(to: .server(primary.address(or: next)))
            try rounds(1, day) { _ in
                primary.kill()
            } end: { _ in
                // The new one waits for no replica until it has one.
                try next.admin().execute("ALTER SYSTEM RESET synchronous_standby_names")
                try next.promote()
            }
            primary = next
        }
        withExtendedLifetime(replica) {}
    }

    @Test(.enabled(if: geteuid() == 0, "a disk of a few megabytes is mounted by root"))
    func `a server whose disk is full loses and doubles no acknowledged call`() throws {
        let folder = UnixTestSupport.Folder()
        try #require(mount("none", folder[""], "tmpfs", 0, "size=120m") == 0)
        defer { umount2(folder[""], Int32(MNT_DETACH)) }
        let server = try OwnServer(
            at: folder[""], ["min_wal_size=2MB", "max_wal_size=8MB", "shared_buffers=1MB", "checkpoint_timeout=30s"])
        let day = try Workload(on: server.address())
        let filler = folder["filler"]
        try rounds(isThorough ? 20 : 3, day) { _ in
            let file = open(filler, O_WRONLY | O_CREAT, 0o600)
            defer { close(file) }
            let zeros = [UInt8](repeating: 0, count: 4_096)
            while write(file, zeros, zeros.count) > 0 {}
            // The server writes what it has put off, and so needs the disk.
            _ = try? server.admin().execute("CHECKPOINT")
        } end: { _ in
            unlink(filler)
            // A server that cannot write its log ends, in its own time.
            for _ in 1...200 {
                if !server.isRunning { try server.start() }
                if (try? server.admin()) != nil { break }  // Else it is about to end, or to begin.
                usleep(50_000)
            }
        }
    }

    @Test func `while all connections are used up, calls are refused, and afterwards all goes on by itself`() throws {
        let server = try OwnServer()
        let day = try Workload(on: server.address())
        try rounds(3, day) { _ in
            try server.admin().execute("ALTER ROLE practiced CONNECTION LIMIT 0")
            try server.admin().execute(
                "SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE usename = 'practiced'")
        } end: { _ in
            try server.admin().execute("ALTER ROLE practiced CONNECTION LIMIT -1")
        }
    }

    @Test func `while a session holds a table or the writers' lock, calls are refused, and afterwards all goes on`()
        throws
    {
        let server = try OwnServer()
        let day = try Workload(on: server.address())
        var holder: PostgreSQL?
        try rounds(2, day) { round in
            holder = try server.admin("practice")
            try holder?.execute(
                round == 0
                    ? "BEGIN; LOCK TABLE audit IN ACCESS EXCLUSIVE MODE"
                    : "SELECT pg_advisory_lock(\(0x5052_4143), hashtext(current_schema()))")
        } end: { _ in
            holder = nil
        }
    }

    @Test func `sessions that the server ends one by one are made anew`() throws {
        let server = try OwnServer()
        let day = try Workload(on: server.address())
        try rounds(isThorough ? 30 : 6, day) { _ in
            try server.admin().execute(
                """
                SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE usename = 'practiced'
                ORDER BY random() LIMIT 1
                """)
        } end: { _ in
        }
    }

    @Test func `while the line to the server is cut without a word, calls are refused, and afterwards all goes on`()
        throws
    {
        let server = try OwnServer()
        let line = try CutLine(to: server.folder.path)
        defer { line.end() }
        let host = line.folder.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let day = try Workload(on: "postgresql://practiced@/practice?host=\(host)")
        try rounds(2, day) { _ in
            line.isCut = true
        } end: { _ in
            line.isCut = false
        }
    }
}
