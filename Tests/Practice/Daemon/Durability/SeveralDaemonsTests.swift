import Foundation
import Glibc
import PostgreSQL
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Storage
import Systemd
import TestSupport
import Testing
import TestingSupport
import Time
import UnixTestSupport
import Varlink

@testable import PracticeDaemon
@testable import PracticeStore

/// Daemons that serve one practice, each with a socket and folders of its own.
private final class Daemons {
    let clinic: Clinic
    let chat: ChatClinic
    private let folders: [UnixTestSupport.Folder]
    private var listening: [Int32] = []
    private(set) var running: [PracticeProcess] = []

    init(_ count: Int) throws {
        clinic = try Clinic.longAgo()
        chat = try ChatClinic(clinic)
        folders = (0..<count).map { _ in UnixTestSupport.Folder() }
    }

    /// Starts them. The rooms and people that they are to have are made before.
    func begin() throws {
        let store = try clinic.writer.storage.store()
        try store.transaction { try store.state(.madeUp, "1") }
        guard case .server(let address) = clinic.place else { return }
        for (place, folder) in folders.enumerated() {
            for name in ["state", "run"] { mkdir(folder[name], 0o700) }
            try "[storage]\nurl = \"\(address)\"\n".write(
                toFile: folder["practice.toml"], atomically: true, encoding: .utf8)
            listening.append(try PracticeProcess.listeningSocket(folder["control"]))
            running.append(try start(place))
        }
    }

    deinit { for socket in listening { close(socket) } }

    func start(_ place: Int) throws -> PracticeProcess {
        let folder = folders[place]
        return try PracticeProcess(
            in: folder, listening: listening[place], ["--demo"], config: folder["practice.toml"])
    }

    func kill(_ place: Int) throws {
        running[place].end(SIGKILL)
        running[place] = try start(place)
    }

    func voice(_ place: Int, _ person: String) -> Voice { Voice(folders[place]["control"], person) }

    /// The next reply.
    func hear<M: Method>(_ method: M.Type, _ voice: Voice) throws -> M.Reply {
        while true {
            if let reply = voice.reply() { return try reply.decode(M.Reply.self) }
            try #require(!voice.client.isCutOff)
            try #require(voice.waits())
        }
    }

    /// A call that is answered again and again, and its first answer.
    func follow<M: Method>(_ method: M, _ place: Int, _ person: String) throws -> (Voice, M.Reply) {
        let voice = voice(place, person)
        voice.client.send(bytes: Call.frame(method, more: true))
        return (voice, try hear(M.self, voice))
    }
}

extension Voice {
    /// The error that a call is refused with.
    fileprivate func refusal<M: Method, E: ErrorReply>(_ method: M, _ error: E.Type) throws -> E {
        client.send(bytes: Call.frame(method))
        while true {
            if let reply = reply() { return try #require(reply.decodeError(error), "\(reply)") }
            try #require(!client.isCutOff)
            try #require(waits())
        }
    }

    /// Waits until something comes; false if nothing does.
    fileprivate func waits() -> Bool {
        var waits = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waits, 1, 300_000) > 0
    }
}

extension OpenClinic {
    /// Waits for the end of the daemon's beat.
    fileprivate func awaitBeat() throws {
        while server.isBeating { _ = try loop.step(timeoutMicroseconds: patience) }
    }
}

@Suite(.ofServer, .hangGuard) struct `Several daemons over one database` {
    @Test func `only a call that is told of changes may be carried out again`() throws {
        let chat = try ChatClinic()
        let room = try chat.direct(chat.ana, chat.cleo)
        let ana = chat.clinic.as(chat.ana)
        #expect(try ana.outcome(Chat.Send(room: room, text: "At ten?"), more: true).position == nil)
        #expect(try ana.outcome(Chat.Listen(), more: true).position != nil)
    }

    @Test func `a listener at one hears each message of two in order, once, while both are killed in turn`() throws {
        let daemons = try Daemons(2)
        let chat = daemons.chat
        let room = try chat.room(chat.ana, "One", chat.ben, chat.sofia)
        try daemons.begin()
        var dice = SplitMix64(seed: testSeed)
        let writers = [chat.ana, chat.sofia]
        var (acknowledged, heard, cursor) = ([String](), [String](), "0")
        func listen() throws -> Voice {
            let voice = daemons.voice(0, chat.ben)
            voice.client.send(bytes: Call.frame(Chat.Listen(room: room, since: cursor), more: true))
            return voice
        }
        var listener = try listen()
        func hearAll() throws {
            while let reply = listener.reply() {
                guard let happening = try? reply.decode(Chat.Listen.Reply.self).happening else { continue }
                cursor = happening.cursor
                if let message = happening.message { heard.append(message.text) }
            }
            if listener.client.isCutOff { listener = try listen() }
        }
        let rounds = isThorough ? 100 : 10
        var number = 0
        for round in 0..<rounds {
            for (place, person) in writers.enumerated() {
                var voice = daemons.voice(place, person)
                for _ in 0..<Int.random(in: 1...20, using: &dice) {
                    number += 1
                    let call = Chat.Send(room: room, text: "\(number)", key: "k\(number)")
                    // The same key again, at a daemon that was killed meanwhile, makes no second message.
                    if Int.random(in: 0..<10, using: &dice) == 0 {
                        voice.client.send(bytes: Call.frame(call))
                        try daemons.kill(place)
                        voice = daemons.voice(place, person)
                    }
                    acknowledged.append(try voice.ask(call).message.text)
                    try hearAll()
                }
            }
            if round % 3 == 2 { try daemons.kill(0) }
        }
        while heard.count < acknowledged.count {
            try hearAll()
            let wake = Voice.wait(for: [listener], or: daemons.running[0])
            guard wake == .something else { break }
        }
        #expect(heard == acknowledged)
    }

    @Test func `news, availability, typing and presence cross from one to the other`() throws {
        let daemons = try Daemons(2)
        let chat = daemons.chat
        let room = try chat.room(chat.ana, "One", chat.ben)
        try daemons.begin()
        let (ben, first) = try daemons.follow(Chat.Listen(room: room), 0, chat.ben)
        #expect(first.happening.what == .online)
        // Ana hears nothing of Ben's coming if her daemon knows of it before she listens.
        while try !daemons.voice(1, chat.ana).ask(Chat.GetRoom(room: room)).members.contains(where: \.online) {}
        let (ana, _) = try daemons.follow(Chat.Listen(room: room), 1, chat.ana)
        func next(_ voice: Voice) throws -> String {
            let happening = try daemons.hear(Chat.Listen.self, voice).happening
            return "\(happening.what.rawValue) \(happening.name ?? "")"
        }
        #expect(try next(ben) == "online Ana")
        let hand = daemons.voice(1, chat.ana)
        _ = try hand.ask(Chat.Typing(room: room))
        #expect(try next(ben) == "typing Ana")
        _ = try hand.ask(Chat.Send(room: room, text: "Here."))
        #expect(try next(ben) == "message Ana")
        #expect(try next(ana) == "message Ana")
        #expect(try daemons.voice(0, chat.ben).ask(Chat.GetRoom(room: room)).members.map(\.online) == [true, true])
        // The other daemon dies, and with it Ana's connection.
        daemons.running[1].end(SIGKILL)
        #expect(try next(ben) == "offline Ana")
    }

    @Test func `a watcher at one hears of what is done at the other, and who is signed out there is cut here`() throws {
        let daemons = try Daemons(2)
        let chat = daemons.chat
        try daemons.begin()
        let (watcher, start) = try daemons.follow(Practice.Watch(), 0, chat.ana)
        let there = daemons.voice(1, chat.ana)
        let dora = try there.ask(Records.AddClient(name: "Dora")).client.id
        let news = try daemons.hear(Practice.Watch.self, watcher)
        #expect((news.kind, news.what) == ("record", dora))
        #expect(Int(news.cursor) == Int(start.cursor).map { $0 + 1 })
        let ben = daemons.voice(0, chat.ben)
        _ = try ben.ask(Practice.WhoAmI())
        _ = try daemons.voice(1, chat.ada).ask(
            Practice.RetireStaff(person: chat.ben, revision: 1, successor: chat.ana))
        #expect(ben.waits())
        #expect(ben.reply()?.error == Practice.SignedOut.name)
    }

    @Test func `the therapist at one sees who waits at the other, and that they are gone`() throws {
        let daemons = try Daemons(2)
        let chat = daemons.chat
        try daemons.begin()
        let device = daemons.voice(1, chat.cleo)
        _ = try device.ask(Care.SetShares(shares: ["waiting"]))
        let (watcher, _) = try daemons.follow(Care.Waiting(), 0, chat.ana)
        let (link, _) = try daemons.follow(Care.Follow(device: "laptop"), 1, chat.cleo)
        let now = SystemClock.now()
        let begun = Care.Happening(
            sequence: 1, id: "e1", at: DateTime(now, offset: .seconds(0)).description,
            day: "\(Clinic.settings.zone.day(at: now))", what: "started", task: "t")
        _ = try device.ask(Care.Report(device: "laptop", happenings: [begun]))
        #expect(try daemons.hear(Care.Waiting.self, watcher).clients.map(\.name) == ["Cleo"])
        #expect(!link.client.isCutOff)
        daemons.running[1].end(SIGTERM)
        #expect(try daemons.hear(Care.Waiting.self, watcher).clients.map(\.name) == [])
    }

    @Test func `a daemon that is stopped for a while and wakes tells its callers what happened meanwhile, once`() throws
    {
        let daemons = try Daemons(2)
        let chat = daemons.chat
        let room = try chat.room(chat.ana, "One", chat.ben)
        try daemons.begin()
        let (ben, _) = try daemons.follow(Chat.Listen(room: room), 0, chat.ben)
        kill(daemons.running[0].process, SIGSTOP)
        let hand = daemons.voice(1, chat.ana)
        for number in 1...50 { _ = try hand.ask(Chat.Send(room: room, text: "\(number)")) }
        kill(daemons.running[0].process, SIGCONT)
        let heard = try (1...50).map { _ in try daemons.hear(Chat.Listen.self, ben).happening.message?.text }
        #expect(heard == (1...50).map { "\($0)" })
    }

    @Test
    func `while the server takes nobody, calls are refused with the reason, and afterwards all goes on by itself`()
        throws
    {
        let daemons = try Daemons(2)
        let chat = daemons.chat
        let room = try chat.room(chat.ana, "One", chat.ben)
        try daemons.begin()
        let (ben, _) = try daemons.follow(Chat.Listen(room: room), 0, chat.ben)
        let hands = (0...1).map { daemons.voice($0, chat.ana) }
        let server = try #require(TestServer.shared)
        for (place, hand) in hands.enumerated() { _ = try hand.ask(Chat.Send(room: room, text: "\(place)")) }
        try server.takes(false, to: daemons.clinic.place)
        for hand in hands {
            let send = Chat.Send(room: room, text: "away", key: "away")
            let first = try hand.refusal(send, Practice.StorageUnavailable.self)
            #expect(first.reason.hasPrefix("The server of the database does not answer as it should"))
            // Nothing is in doubt, because nothing could begin.
            for refused in [
                try hand.refusal(send, Practice.StorageUnavailable.self),
                try hand.refusal(Chat.ListRooms(), Practice.StorageUnavailable.self),
            ] {
                #expect(
                    refused
                        == Practice.StorageUnavailable(
                            reason:
                                "The server of the database does not answer as it should: see `[storage] url` and its log."
                        ))
            }
        }
        try server.takes(true, to: daemons.clinic.place)
        for (place, hand) in hands.enumerated() { _ = try hand.ask(Chat.Send(room: room, text: "\(place + 2)")) }
        let heard = try (0...3).map { _ in try daemons.hear(Chat.Listen.self, ben).happening.message?.text }
        #expect(heard == ["0", "1", "2", "3"])
    }

    @Test func `a daemon that lost notices forgets who left meanwhile, and its callers ask anew`() throws {
        let daemons = try Daemons(2)
        let chat = daemons.chat
        let room = try chat.room(chat.ana, "One", chat.ben)
        try daemons.begin()
        let (ana, _) = try daemons.follow(Chat.Listen(room: room), 1, chat.ana)
        let (ben, _) = try daemons.follow(Chat.Listen(room: room), 0, chat.ben)
        func online() throws -> [Bool] {
            try daemons.voice(0, chat.ben).ask(Chat.GetRoom(room: room)).members.map(\.online)
        }
        #expect(try online() == [true, true])
        kill(daemons.running[0].process, SIGSTOP)
        daemons.running[1].end(SIGTERM)
        let server = try #require(TestServer.shared)
        let admin = try PostgreSQL(
            server.address(of: daemons.clinic.place, as: nil), .writing, program: "test")
        try admin.execute(
            """
            DELETE FROM notice WHERE number < (SELECT max(number) FROM notice);
            INSERT INTO counter (name, number) SELECT 'removed notices', max(number) FROM notice
            ON CONFLICT (name) DO UPDATE SET number = excluded.number
            """)
        kill(daemons.running[0].process, SIGCONT)
        while !ben.client.isCutOff {
            try #require(ben.waits())
            _ = ben.reply()
        }
        let (again, _) = try daemons.follow(Chat.Listen(room: room), 0, chat.ben)
        #expect(try online() == [false, true])
        withExtendedLifetime((ana, again)) {}
    }

    @Test func `a daemon that lost notices reads the keys anew, and looks which surveys are due`() throws {
        let open = try OpenClinic()
        let ana = try open.clinic.staff("Ana", .thanatologist)
        /// How sshd is answered, by a connection that came once all notices are heard.
        func lines() throws -> [String] {
            let watcher = try open.connect(open.clinic.as(ana))
            try open.send(Practice.Watch(), more: true, watcher)
            #expect(try open.hear(watcher).contains("watching"))
            let words = Keys.ana.split(separator: " ").map(String.init)
            let said = try open.ask(
                Gate.AuthorizedKeys(keyType: words[0], key: words[1]), open.connect(open.clinic.root))
            return try Reply(frame: Array(said.utf8)).decode(Gate.AuthorizedKeys.Reply.self).lines
        }
        #expect(try lines() == [])
        var looks = 0
        open.server.onSurveys = { looks += 1 }
        let listener = try open.connect(open.clinic.root)
        // Another daemon's notice of this key was removed before it was heard.
        let store = try open.clinic.writer.storage.store()
        try store.transaction {
            try store.addKey(PublicKey(Keys.ana), Keys.anas, of: ID(ana), at: Clinic.morning)
        }
        let server = try #require(TestServer.shared)
        let admin = try PostgreSQL(
            server.address(of: open.clinic.place, as: nil), .writing, program: "test")
        try admin.execute(
            """
            INSERT INTO notice (at, daemon, kind) VALUES (0, 'another', 'keys');
            INSERT INTO counter (name, number) SELECT 'removed notices', max(number) FROM notice
            ON CONFLICT (name) DO UPDATE SET number = excluded.number
            """)
        while try open.hear(listener) != "cut" {}
        #expect(try lines().count == 1)
        #expect(looks == 1)
    }

    @Test(
        arguments: [
            "DELETE FROM notice WHERE number = (SELECT max(number) FROM notice)",
            "UPDATE counter SET number = number - 1 WHERE name = 'chat'",
        ]) func `a daemon whose server went back to an older state has its callers ask anew`(change: String) throws
    {
        let open = try OpenClinic()
        let chat = try ChatClinic(open.clinic)
        let room = try chat.direct(chat.ana, chat.ben)
        let watcher = try open.connect(open.clinic.as(chat.ana))
        try open.send(Practice.Watch(), more: true, watcher)
        #expect(try open.hear(watcher).contains("watching"))
        var looks = 0
        open.server.onSurveys = { looks += 1 }
        try chat.send(chat.ben, room)
        let store = try open.clinic.writer.storage.store()
        try store.transaction { try store.add([Notice(.surveys)], by: "another") }
        while looks == 0 { _ = try open.loop.step(timeoutMicroseconds: patience) }
        // Everything was heard.
        let server = try #require(TestServer.shared)
        let admin = try PostgreSQL(
            server.address(of: open.clinic.place, as: nil), .writing, program: "test")
        try admin.execute(change)
        while try open.hear(watcher) != "cut" {}
    }

    @Test func `notices wait until a login is answered, so that a key removed meanwhile is told afterwards`() throws {
        let open = try OpenClinic()
        let ana = try open.clinic.staff("Ana", .thanatologist)
        let watcher = try open.connect(open.clinic.as(ana))
        try open.send(Practice.Watch(), more: true, watcher)
        #expect(try open.hear(watcher).contains("watching"))
        let gate = try open.connect(open.clinic.root)
        try open.awaitBeat()
        let server = try #require(TestServer.shared)
        let address = server.address(of: open.clinic.place, as: nil)
        let admin = try PostgreSQL(address, .writing, program: "test")
        // The login waits for this in vain.
        let holder = try PostgreSQL(address, .writing, program: "test")
        try holder.execute("SELECT pg_advisory_lock(\(0x5052_4143), hashtext(current_schema()))")
        try open.send(Gate.Enter(fingerprint: Keys.anas, through: "192.0.2.7"), gate)
        while open.server.requests.isEmpty { _ = try open.loop.step(timeoutMicroseconds: patience) }
        var wereAnswered: [Bool] = []
        open.server.onSurveys = { [unowned server = open.server] in wereAnswered.append(server.requests.isEmpty) }
        try admin.execute("INSERT INTO notice (at, daemon, kind) VALUES (0, 'another', 'surveys')")
        while wereAnswered.isEmpty { _ = try open.loop.step(timeoutMicroseconds: patience) }
        #expect(wereAnswered == [true])
        withExtendedLifetime(holder) {}
    }

    @Test func `a daemon that hears no notices says so until it hears them again, and its callers ask anew`() throws {
        let open = try OpenClinic()
        let ana = try open.clinic.staff("Ana", .thanatologist)
        let watcher = try open.connect(open.clinic.as(ana))
        try open.send(Practice.Watch(), more: true, watcher)
        #expect(try open.hear(watcher).contains("watching"))
        let server = try #require(TestServer.shared)
        try server.takes(false, to: open.clinic.place)
        while open.server.notices?.deafSince == nil { _ = try open.loop.step(timeoutMicroseconds: patience) }
        open.server.heedDeafness()
        #expect(open.server.counted.problem == nil)
        open.server.heedDeafness(after: .zero)
        #expect(open.server.counted.problem == PracticeServer.deafness)
        while try open.hear(watcher) != "cut" {}
        try server.takes(true, to: open.clinic.place)
        while open.server.counted.problem != nil { _ = try open.loop.step(timeoutMicroseconds: patience) }
        #expect(open.server.notices?.deafSince == nil)
    }

    @Test func `while a daemon hears no notices, those whom it signs out are cut at once`() throws {
        let open = try OpenClinic()
        let (ada, ana) = (try open.clinic.staff("Ada", .administrator), try open.clinic.staff("Ana", .thanatologist))
        let ben = try open.clinic.staff("Ben", .thanatologist)
        let other = try open.connect(open.clinic.as(ben))
        try open.send(Practice.Watch(), more: true, other)
        #expect(try open.hear(other).contains("watching"))
        // Its first call is answered once the keys were read, which they are when the first notices are heard.
        let hand = try open.connect(open.clinic.as(ada))
        let server = try #require(TestServer.shared)
        let admin = try PostgreSQL(
            server.address(of: open.clinic.place, as: nil), .writing, program: "test")
        // The daemon's role gets no new connection. The calls keep theirs.
        try admin.execute(
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 0', current_database()); END $$")
        let start = try #require(try admin.number("SELECT \(Store.serverTime)"))
        // The connection that hears of changes looks every other second; the others are silent, or have just beaten.
        while try admin.number(
            """
            SELECT count(pg_terminate_backend(pid, 600000)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND query = 'COMMIT'
            AND query_start > to_timestamp(\(start) / 1000000.0)
            """) == 0
        { _ = try open.loop.step(timeoutMicroseconds: 100_000) }
        while open.server.notices?.deafSince == nil { _ = try open.loop.step(timeoutMicroseconds: patience) }
        let retired = try open.ask(Practice.RetireStaff(person: ben, revision: 1, successor: ana), hand)
        #expect(retired.hasPrefix(#"{"parameters""#))
        while try open.hear(other) != "cut" {}
    }

    @Test func `a daemon beats no second time before its last beat has ended`() throws {
        let open = try OpenClinic()
        try open.awaitBeat()
        let server = try #require(TestServer.shared)
        let address = server.address(of: open.clinic.place, as: nil)
        let admin = try PostgreSQL(address, .writing, program: "test")
        try admin.execute(
            """
            CREATE TABLE beat (at BIGINT);
            CREATE FUNCTION note_beat() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
            INSERT INTO beat (at) VALUES (NEW.heard); RETURN NEW; END $$;
            CREATE TRIGGER note_beat AFTER UPDATE ON daemon FOR EACH ROW EXECUTE FUNCTION note_beat()
            """)
        // Nobody writes while this lasts.
        var holder: PostgreSQL? = try PostgreSQL(address, .writing, program: "test")
        try holder?.execute("SELECT pg_advisory_lock(\(0x5052_4143), hashtext(current_schema()))")
        for _ in 1...5 { open.server.beat() }
        holder = nil
        try open.awaitBeat()
        #expect(try admin.number("SELECT count(*) FROM beat") == 1)
    }

    @Test func `after a time in which no daemon could beat, none is taken for gone`() throws {
        let clinic = try Clinic()
        let store = try clinic.writer.storage.store()
        func beat() throws -> Bool { try store.transaction { try store.beat(of: "one") } }
        func count() throws -> Int? { try clinic.look().number("SELECT count(*) FROM daemon") }
        try store.transaction { _ = try store.beat(of: "another") }
        #expect(try beat() == false)
        try store.database.run("UPDATE daemon SET heard = heard - 60000000")
        // The other one may be later still.
        for _ in 1...2 { #expect(try beat()) }
        #expect(try count() == 2)
        try store.database.run("UPDATE daemon SET heard = heard - 60000000 WHERE name = 'another'")
        #expect(try beat())
        #expect(try count() == 1)
    }

    /// The clinic's clock is months from the server's.
    @Test func `a daemon whose clock is wrong takes no other for gone, and removes no notice that was just written`()
        throws
    {
        let open = try OpenClinic()
        try open.awaitBeat()
        let store = try open.clinic.writer.storage.store()
        try store.transaction {
            _ = try store.beat(of: "another")
            try store.add([Notice(.listening, ID(1)), Notice(.read, ID(1))], by: "another")
            // The test may take a while.
            try store.database.run("UPDATE daemon SET heard = heard + 3600000000 WHERE name = 'another'")
        }
        let database = try open.clinic.look()
        let notices = try database.number("SELECT count(*) FROM notice")
        for days in [-1_000, 2_000] {
            open.clinic.clock.advance(by: .seconds(days * 86_400))
            open.server.beat()
            try open.awaitBeat()
        }
        #expect(try database.number("SELECT count(*) FROM daemon") == 2)
        #expect(try database.number("SELECT count(*) FROM present") == 1)
        #expect(try database.number("SELECT count(*) FROM notice") == notices)
    }

    @Test func `people who left while nothing could be told are told as gone afterwards, and those who are here stay`()
        throws
    {
        let open = try OpenClinic()
        let (ana, ben) = (try open.clinic.staff("Ana", .thanatologist), try open.clinic.staff("Ben", .thanatologist))
        let cleo = try open.clinic.client("Cleo", of: ana)
        let listener = try open.connect(open.clinic.as(ben))
        try open.send(Chat.Listen(), more: true, listener)
        #expect(try open.hear(listener).contains("online"))
        // Ana and Cleo came, and the notices of their leaving were lost.
        let daemon = try #require(open.server.notices?.daemon)
        let store = try open.clinic.writer.storage.store()
        try store.transaction {
            try store.add([Notice(.listening, ID(ana)), Notice(.online, ID(cleo), ana)], by: daemon)
        }
        open.server.isUnknown = true
        for _ in 1...2 {
            try open.awaitBeat()
            open.server.beat()
        }
        try open.awaitBeat()
        let told = try store.database.rows("SELECT kind, person, detail FROM notice ORDER BY number") {
            Notice(Notice.Kind(rawValue: $0.text(0) ?? "") ?? .read, $0.id(1), $0.text(2))
        }
        #expect(
            told.suffix(3) == [Notice(.silent, ID(ana)), Notice(.offline, ID(cleo), ana), Notice(.listening, ID(ben))])
        let there = try store.database.rows("SELECT person FROM present") { $0.id(0) ?? ID<Person>(0) }
        #expect(there == [ID(ben)])
    }
}
