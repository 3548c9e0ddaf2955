import Glibc
import PracticeInterfaces
import StaffInterfaces
import Storage
import Testing
import UnixTestSupport
import Varlink

@testable import PracticeDaemon
@testable import PracticeStore

/// The socket is everybody's: a hostile stranger has nothing recorded, and keeps nobody from their work. The service's own
/// `AttackTests` count its descriptors and its memory.
@Suite struct `Attacks on the practice's socket` {
    /// A clinic at work: Ana, who sees Cleo.
    private struct BusyClinic {
        let open: OpenClinic
        let ana: String
        let cleo: String
        let offers: Clinic.ServicesAndTerms
        let connection: UnixTestSupport.Client

        init() throws {
            open = try OpenClinic()
            ana = try open.clinic.staff("Ana", .thanatologist)
            cleo = try open.clinic.client("Cleo", of: ana)
            offers = try open.clinic.offers()
            connection = try open.connect(open.clinic.as(ana))
        }

        /// The whole content, table by table.
        func record() throws -> [String: [[Value]]] {
            let database = try open.clinic.reader.storage.store().database
            // On a server, the daemon says every few seconds that it is alive.
            let tables = try open.clinic.tables().filter { !["daemon", "notice", "present"].contains($0) }
            var record: [String: [[Value]]] = [:]
            for table in tables {
                try database.each("SELECT * FROM \(table)") { row in
                    record[table, default: []].append((0..<row.count).map { row.value($0) })
                }
            }
            return record
        }

        func isAtWork() throws -> Bool {
            try open.ask(
                Records.AddSession(
                    client: cleo, on: "2027-03-05", minutes: 50, service: offers.talk, motives: [], tools: [],
                    notes: "So."), connection
            ).hasPrefix(#"{"parameters":{"session":"#)
        }
    }

    @Test(arguments: Attack.all(on: .practice) + foreign)
    func `an attack changes no record, and does not disturb Ana's calls`(attack: Attack) throws {
        let work = try BusyClinic()
        let before = try work.record()
        #expect(before["client"]?.count == 1)
        try attack.run(against: work.open)
        #expect(try work.record() == before)
        #expect(work.open.server.server.connectionCount == 1)
        #expect(try work.isAtWork())
        #expect(try work.record()["session"]?.count == 1)
    }

    /// Calls that a stranger may not make, with all parameters.
    private static let foreign = [
        #"Practice.AddStaff","parameters":{"name":"Eve","role":"administrator"}"#,
        #"Records.GetClient","parameters":{"client":"p2"}"#,
        #"Records.CloseRecord","parameters":{"client":"p2","reason":"No."}"#,
        #"Records.EraseRecord","parameters":{"client":"p2","number":1,"reason":"No."}"#,
        #"Care.Homework","parameters":{"client":"p2"}"#, #"Care.SetAvailable","parameters":{"available":true}"#,
        #"Care.Assign","parameters":{"client":"p2","schedule":"[]"}"#,
        #"Care.Report","parameters":{"device":"x","happenings":[]}"#,
        #"Care.Follow","parameters":{"device":"x"}"#,
        #"Upkeep.BackUpNight","parameters":{}"#, #"Upkeep.Fill","parameters":{}"#,
        #"Upkeep.PlayAs","parameters":{"who":"Ana"}"#, #"Upkeep.Restore","parameters":{"restore":"restore-1.db"}"#,
    ].map { Attack("of no right: \($0.prefix { $0 != "\"" })", "{\"method\":\"org.daybreak.\($0)}\0") }

    @Test func `a watcher that never reads is disconnected, and another one gets all news`() throws {
        let work = try BusyClinic()
        let (deaf, other) = (
            try work.open.connect(work.open.clinic.as(work.ana)), try work.open.connect(work.open.clinic.as(work.ana))
        )
        for watcher in [deaf, other] { try work.open.send(Practice.Watch(), more: true, watcher) }
        #expect(try work.open.hear(other).contains("watching"))
        let root = try work.open.connect(work.open.clinic.root)
        var heard = 0
        while work.open.server.server.connectionCount == 4, heard < 20_000 {
            let rows = (1...500).map {
                Upkeep.ImportedRow(line: $0, values: ["name": "Person \(heard + $0)", "thanatologist": work.ana])
            }
            try work.open.send(bytes: Array(Call.frame(Upkeep.Import(kind: .clients, rows: rows)))[...], over: root)
            #expect(try work.open.hear(root) == #"{"parameters":{"rows":500}}"#)
            for _ in 1...500 {
                heard += 1
                let news = try work.open.hear(other)
                try #require(news.contains("\"cursor\":\"\(heard + 1)\""), "\(news)")
            }
        }
        #expect(work.open.server.server.connectionCount == 3)
        var last = ""
        while let message = deaf.message() { last = message }
        #expect(deaf.becomesCutOff())
        #expect(last == #"{"error":"org.daybreak.Practice.RepliesUnread","parameters":{"bytes":262144}}"#)
        #expect(try work.isAtWork())
    }

    @Test func `an unfinished call is disconnected after half a minute`() throws {
        let work = try BusyClinic()
        work.open.letTimeBeOver()
        let stranger = work.open.client()
        stranger.send(bytes: Array("{\"method\":".utf8))
        #expect(
            try work.open.hear(stranger)
                == #"{"error":"org.daybreak.Practice.CallUnfinished","parameters":{"seconds":30}}"#)
        #expect(try work.open.hear(stranger) == "cut")
        #expect(try work.isAtWork())
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can call as somebody else."))
    func `two hundred connections of one user do not block other users`() async {
        await #expect(processExitsWith: .success) {
            let work = try BusyClinic()
            try work.open.settle()
            // No call is being carried out, so no thread opens a file as that user.
            must(seteuid(65_534))
            let crowd = (1...200).map { _ in work.open.client() }
            must(seteuid(0))
            var said: [String: Int] = [:]
            for stranger in crowd {
                said[try work.open.ask(Practice.ListTerms(vocabulary: .tools), stranger), default: 0] += 1
            }
            #expect(
                said == [
                    #"{"error":"org.daybreak.Practice.NotAllowed","parameters":{"right":"seeTerms"}}"#: 64,
                    #"{"error":"org.daybreak.Practice.TooManyConnections","parameters":{"limit":64,"user":65534}}"#:
                        136,
                ])
            #expect(try work.isAtWork())
            #expect(try work.open.ask(Practice.WhoAmI(), work.open.connect(work.open.clinic.root)).contains("rights"))
            withExtendedLifetime(crowd) {}
        }
    }
}

extension Attack.Target {
    fileprivate static let practice = Self(
        ask: "org.daybreak.Practice.WhoAmI", list: "org.daybreak.Practice.ListServices",
        change: ("org.daybreak.Practice.AddStaff", #""name":"Eve","role":"administrator""#),
        watch: "org.daybreak.Practice.Watch", text: ("org.daybreak.Records.GetClient", "client"),
        long: ("org.daybreak.Upkeep.Import", "kind", 32 * 1_024 * 1_024))
}
