import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Testing
import Time
import UnixTestSupport
import Varlink
import VarlinkService

@testable import PracticeDaemon

/// People who talk over the practice's socket.
struct OpenChat {
    let open: OpenClinic
    let chat: ChatClinic

    init(_ settings: PracticeSettings = Clinic.settings) throws {
        open = try OpenClinic(settings)
        chat = try ChatClinic(open.clinic)
    }

    func connect(_ person: String) throws -> Client { try open.connect(open.clinic.as(person)) }

    /// A person's connection that listens, after its first reply.
    func listen(_ person: String, room: String? = nil, since: String? = nil) throws -> Client {
        let client = try connect(person)
        try open.send(Chat.Listen(room: room, since: since), more: true, client)
        let first = try happening(client)
        try #require(first.what == .online && first.person == person)
        return client
    }

    /// The next happening that a listener is told.
    func happening(_ client: Client, isLast: Bool = false) throws -> Chat.Happening {
        let message = try open.hear(client)
        let reply = try Reply(frame: Array(message.utf8))
        try #require(reply.error == nil && reply.continues != isLast, "\(message)")
        return try reply.decode(Chat.Listen.Reply.self).happening
    }

    func heard(_ client: Client, _ count: Int = 1) throws -> [String] {
        try (0..<count).map { _ in try happening(client).inWords }
    }

    func ask<M: Method>(_ method: M, _ client: Client) throws -> M.Reply {
        let reply = try Reply(frame: Array(try open.ask(method, client).utf8))
        return try reply.decode(M.Reply.self)
    }

    func say(_ text: String, _ room: String, _ client: Client, key: String? = nil) throws {
        _ = try ask(Chat.Send(room: room, text: text, key: key), client)
    }

    /// Nothing more has come for the client: the next thing that it hears is the answer to this call.
    func expectSilence(_ listener: Client, _ room: String, _ client: Client, _ id: String) throws {
        try say("And now?", room, client)
        #expect(try heard(listener) == ["\(id): And now?"])
    }
}

@Suite struct `Somebody who listens` {
    private let open: OpenChat
    private var chat: ChatClinic { open.chat }
    /// Of Ana, Ben and Sofia.
    private let team: String
    /// Of Ana and Cleo.
    private let direct: String
    private let connection: Client

    init() throws {
        open = try OpenChat()
        team = try open.chat.room(open.chat.ana, "Team", open.chat.ben, open.chat.sofia)
        direct = try open.chat.direct(open.chat.ana, open.chat.cleo)
        connection = try open.connect(open.chat.ana)
    }

    @Test func `a cursor brings back nothing of a room in which they are no longer, but how they left`() throws {
        let clinic = open.open.clinic
        try chat.send(chat.cleo, direct, "My words")
        try chat.send(chat.sofia, team, "About a case")
        let other = try chat.room(chat.sofia, "Other", chat.ana)
        try chat.send(chat.sofia, other, "About another")
        try clinic.root.call(Records.Transfer(client: chat.cleo, to: chat.ben, reason: "Leave."))
        try clinic.as(chat.ana).call(Chat.LeaveRoom(room: team))
        try clinic.as(chat.sofia).call(Chat.DeleteRoom(room: other))
        #expect(
            try chat.missed(chat.ana, since: "0") == ["left Ana \(direct)", "left Ana \(team)", "gone Sofia \(other)"])
        // One who comes back begins anew.
        try clinic.as(chat.ben).call(Chat.AddMember(room: team, person: chat.ana))
        try chat.send(chat.ben, team, "Welcome back")
        let since = try chat.missed(chat.ana, since: "0", room: team)
        #expect(since.dropLast() == ["left Ana \(team)", "joined Ana \(team)"])
        #expect(since.last?.hasSuffix("Ben: Welcome back") == true)
    }

    @Test func `the first reply is their own coming online, with the cursor where the listening begins`() throws {
        let client = try open.connect(chat.ben)
        try open.open.send(Chat.Listen(), more: true, client)
        #expect(
            try open.happening(client)
                == Chat.Happening(
                    cursor: "5", at: "2027-03-05T09:00:00+01:00", what: .online, person: chat.ben, name: "Ben"))
    }

    @Test func `a listener hears everything in their rooms, and nothing of the others`() throws {
        let (ben, cleo) = (try open.listen(chat.ben), try open.listen(chat.cleo))
        try open.say("For two", direct, connection)
        try open.say("For the team", team, connection)
        #expect(try open.heard(ben) == ["c7 Ana: For the team"])
        _ = try open.ask(Chat.DeleteMessage(message: "c7"), connection)
        _ = try open.ask(Chat.RenameRoom(room: team, name: "Friends"), connection)
        #expect(try open.heard(cleo) == ["c6 Ana: For two"])
        #expect(try open.heard(ben, 2) == ["deleted c7 Ana: ", "renamed Friends \(team)"])
        try open.expectSilence(cleo, direct, connection, "c10 Ana")
    }

    @Test func `a writer's own listeners hear their messages, too`() throws {
        let ana = try open.listen(chat.ana)
        try open.say("Hello", team, connection)
        let told = try open.happening(ana)
        #expect(
            told
                == Chat.Happening(
                    cursor: "6", at: "2027-03-05T09:00:00+01:00", what: .message, room: team, person: chat.ana,
                    name: "Ana",
                    message: .init(
                        id: "c6", room: team, from: chat.ana, name: "Ana", at: "2027-03-05T09:00:00+01:00",
                        text: "Hello", deleted: false)))
    }

    @Test func `a listener to one room hears nothing of the others, and their call ends when they leave it`() throws {
        let ben = try open.listen(chat.ben, room: team)
        let other = try chat.room(chat.ana, "Other", chat.ben)
        try open.say("Elsewhere", other, connection)
        try open.say("Here", team, connection)
        #expect(try open.heard(ben) == ["c9 Ana: Here"])
        _ = try open.ask(Chat.RemoveMember(room: team, person: chat.ben), connection)
        #expect(try open.happening(ben, isLast: true).inWords == "left Ben \(team)")
        // The connection takes calls again.
        #expect(try open.open.ask(Practice.WhoAmI(), ben).contains("Ben"))
    }

    /// Ana is in both rooms as the listeners know them.
    @Test func `a listener to one room hears no message, and nobody coming online, of another of theirs`() throws {
        let ana = try open.listen(chat.ana, room: team)
        _ = try open.listen(chat.cleo)
        try open.say("For two", direct, connection)
        try open.expectSilence(ana, team, connection, "c7 Ana")
    }

    @Test func `those who come and go are shown to all, and hear of the room while they are in it`() throws {
        let (ben, cleo) = (try open.listen(chat.ben), try open.listen(chat.cleo))
        _ = try open.ask(Chat.AddMember(room: team, person: chat.cleo), connection)
        try open.say("Welcome", team, connection)
        _ = try open.ask(Chat.RemoveMember(room: team, person: chat.cleo), connection)
        try open.say("Without her", team, connection)
        let both = ["joined Cleo \(team)", "c7 Ana: Welcome", "left Cleo \(team)"]
        #expect(try open.heard(cleo, 3) == both)
        #expect(try open.heard(ben, 4) == both + ["c9 Ana: Without her"])
        try open.expectSilence(cleo, direct, connection, "c10 Ana")
    }

    @Test func `a new room is heard of at once, and a deleted one for the last time`() throws {
        let cleo = try open.listen(chat.cleo)
        let sofia = try open.connect(chat.sofia)
        let room = try open.ask(Chat.OpenDirect(person: chat.cleo), sofia).room.id
        try open.say("Hello", room, sofia)
        #expect(try open.heard(cleo, 2) == ["joined Cleo \(room)", "c8 Sofia: Hello"])
        let made = try open.ask(Chat.CreateRoom(name: "New", members: [chat.cleo]), connection).room.id
        _ = try open.ask(Chat.DeleteRoom(room: made), connection)
        #expect(try open.heard(cleo, 2) == ["joined Cleo \(made)", "gone Ana \(made)"])
    }

    @Test func `a client who is erased leaves their rooms, and the rooms of two are gone, while others listen`() throws
    {
        _ = try open.ask(Chat.AddMember(room: team, person: chat.cleo), connection)
        let (ben, ana) = (try open.listen(chat.ben), try open.listen(chat.ana, room: direct))
        _ = try open.ask(Records.CloseRecord(client: chat.cleo, reason: "All is said."), connection)
        let erasure = Records.EraseRecord(client: chat.cleo, number: 1, reason: "Asked.")
        _ = try open.ask(erasure, open.connect(chat.ada))
        // By way of a server's notices, the name is erased with the rest.
        let name = TestServer.shared == nil ? "Cleo" : LetterRules.formerClient
        #expect(try open.heard(ben, 2) == ["online Ana -", "left \(name) \(team)"])
        #expect(try open.happening(ana, isLast: true).inWords == "gone Ada \(direct)")
        try open.expectSilence(ben, team, connection, "c9 Ana")
    }

    // MARK: Cursors

    @Test func `after a lost connection a listener hears each happening once, in order`() throws {
        let first = try open.listen(chat.ben)
        try open.say("1", team, connection)
        let cursor = try open.happening(first).cursor
        first.leave()
        try open.say("2", team, connection)
        try open.say("For two", direct, connection)
        _ = try open.ask(Chat.RemoveMember(room: team, person: chat.ben), connection)
        try open.say("Without him", team, connection)
        _ = try open.ask(Chat.AddMember(room: team, person: chat.ben), connection)
        try open.say("3", team, connection)
        let again = try open.listen(chat.ben, since: cursor)
        // The second message is of the time before he came back, and is no longer his to read.
        #expect(try open.heard(again, 3) == ["left Ben \(team)", "joined Ben \(team)", "c12 Ana: 3"])
        try open.say("4", team, connection)
        #expect(try open.heard(again) == ["c13 Ana: 4"])
    }

    @Test func `happenings of the transaction in which the listening began are heard once`() throws {
        let ben = try open.connect(chat.ben)
        // All are sent before the loop turns, so that they share a turn.
        try open.open.send(Chat.Send(room: team, text: "1"), connection)
        try open.open.send(Chat.Listen(since: "5"), more: true, ben)
        _ = try open.open.hear(connection)
        try open.say("2", team, connection)
        #expect(try open.happening(ben).what == .online)
        #expect(try open.heard(ben, 2) == ["c6 Ana: 1", "c7 Ana: 2"])
    }

    @Test func `much that was missed comes in parts, each with the cursor of the next`() throws {
        let store = try open.open.clinic.writer.storage.store()
        let ana = Correspondent(id: ID(chat.ana), name: "Ana")
        try store.transaction {
            for number in 6..<1_206 {
                _ = try store.addMessage("\(number)", to: ID(team), from: ana, at: Clinic.morning)
            }
        }
        var (cursor, heard, parts): (String, [String], Int) = ("5", [], 0)
        while heard.last != "1205" {
            let ben = try open.connect(chat.ben)
            try open.open.send(Chat.Listen(since: cursor), more: true, ben)
            parts += 1
            _ = try open.happening(ben)
            var reply: Reply
            repeat {
                reply = try Reply(frame: Array(try open.open.hear(ben).utf8))
                let happening = try reply.decode(Chat.Listen.Reply.self).happening
                cursor = happening.cursor
                heard.append(happening.message?.text ?? "-")
            } while reply.continues && heard.last != "1205"
            ben.leave()
        }
        #expect(heard == (6..<1_206).map { "\($0)" })
        #expect(parts == 3)
    }

    @Test func `long messages that were missed come in parts, before the listener is cut`() throws {
        for number in 0..<20 { try chat.send(chat.ana, team, "\(number)" + String(repeating: "\"", count: 16_000)) }
        let ben = try open.connect(chat.ben)
        try open.open.send(Chat.Listen(since: "5"), more: true, ben)
        _ = try open.happening(ben)
        var count = 1
        while try Reply(frame: Array(try open.open.hear(ben).utf8)).continues { count += 1 }
        #expect(count == 5)
    }

    @Test(arguments: [("x", "0"), ("-1", "0"), ("99", "5"), ("3", "3")])
    func `a cursor that was never given is from the beginning, or from now on`(since: String, cursor: String) throws {
        let ben = try open.connect(chat.ben)
        try open.open.send(Chat.Listen(since: since), more: true, ben)
        #expect(try open.happening(ben).cursor == cursor)
    }

    // MARK: Typing

    @Test func `typing is told to the others, every five seconds at most, and ends by itself`() throws {
        let (ben, ana) = (try open.listen(chat.ben), try open.listen(chat.ana))
        #expect(try open.heard(ben) == ["online Ana -"])
        for _ in 0..<3 { _ = try open.ask(Chat.Typing(room: team), connection) }
        #expect(try open.heard(ben) == ["typing Ana \(team)"])
        #expect(try open.ask(Chat.GetRoom(room: team), connection).members.filter(\.typing).map(\.name) == ["Ana"])
        open.open.letTimePass(.seconds(5))
        _ = try open.ask(Chat.Typing(room: team), connection)
        #expect(try open.heard(ben) == ["typing Ana \(team)"])
        open.open.letTimePass(.seconds(14))
        open.open.server.chatListeners?.wake()
        open.open.letTimePass(.seconds(1))
        open.open.server.chatListeners?.wake()
        #expect(try open.heard(ben) == ["stopped Ana \(team)"])
        #expect(try open.ask(Chat.GetRoom(room: team), connection).members.filter(\.typing).map(\.name) == [])
        // Nobody is told of their own.
        try open.expectSilence(ana, team, connection, "c6 Ana")
    }

    @Test func `a message ends the typing, and so does leaving the room`() throws {
        let ben = try open.listen(chat.ben)
        _ = try open.ask(Chat.Typing(room: team), connection)
        try open.say("Hello", team, connection)
        #expect(try open.heard(ben, 2) == ["typing Ana \(team)", "c6 Ana: Hello"])
        open.open.letTimePass(.seconds(15))
        open.open.server.chatListeners?.wake()
        _ = try open.ask(Chat.Typing(room: team), connection)
        _ = try open.ask(Chat.LeaveRoom(room: team), connection)
        #expect(
            try open.heard(ben, 3) == [
                "typing Ana \(team)", "stopped Ana \(team)", "left Ana \(team)",
            ])
    }

    // MARK: Presence

    private func presence(_ room: String) throws -> [String] {
        try open.ask(Chat.GetRoom(room: room), connection).members.map {
            "\($0.name) \($0.online ? "online" : $0.lastSeen ?? "never")"
        }
    }

    @Test func `listeners are online, and offline half a minute after their last connection ended`() throws {
        let cleo = try open.listen(chat.cleo)
        #expect(try presence(direct) == ["Ana never", "Cleo online"])
        let ana = try open.listen(chat.ana)
        #expect(try open.heard(cleo) == ["online Ana -"])
        // Another device changes nothing.
        let second = try open.listen(chat.cleo)
        open.open.clinic.clock.advance(by: .seconds(60))
        for device in [cleo, second] { device.leave() }
        while open.open.server.chatListeners?.isListening(ID(chat.cleo)) == true {
            _ = try open.open.loop.step(timeoutMicroseconds: 20_000_000)
        }
        #expect(try presence(direct) == ["Ana online", "Cleo online"])
        open.open.clinic.clock.advance(by: .seconds(30))
        open.open.letTimePass(.seconds(30))
        open.open.server.chatListeners?.wake()
        #expect(try open.heard(ana) == ["offline Cleo -"])
        // Written by the thread that carries out this call, too.
        try open.say("Are you there?", direct, connection)
        #expect(try presence(direct) == ["Ana online", "Cleo 2027-03-05T09:01:00+01:00"])
        #expect(try open.heard(ana) == ["c6 Ana: Are you there?"])
        _ = try open.listen(chat.cleo)
        #expect(try open.heard(ana) == ["online Cleo -"])
    }

    @Test func `those who share no room hear nothing of each other's presence`() throws {
        let ben = try open.listen(chat.ben)
        let cleo = try open.listen(chat.cleo)
        #expect(try open.open.ask(Practice.WhoAmI(), connection).contains("Ana"))
        try open.say("Hello", direct, connection)
        #expect(try open.heard(cleo) == ["c6 Ana: Hello"])
        try open.expectSilence(ben, team, connection, "c7 Ana")
    }

    @Test func `in a room of more than a hundred, nobody is told who comes online`() throws {
        let store = try open.open.clinic.writer.storage.store()
        try store.transaction {
            for number in 0..<97 {
                let person = try store.addPerson(
                    role: .support, name: "Person \(number)", account: nil, email: nil, phone: nil,
                    since: .init(ordinal: 20_000))
                _ = try store.join(ID(team), Correspondent(id: person.id, name: person.name), at: Clinic.morning)
            }
        }
        let (ana, sofia) = (try open.listen(chat.ana), try open.listen(chat.sofia))
        #expect(try open.heard(ana) == ["online Sofia -"])
        _ = try open.ask(Chat.AddMember(room: team, person: chat.ada), connection)
        #expect(try open.heard(ana) == ["joined Ada \(team)"])
        _ = try open.listen(chat.ben)
        try open.say("Hello", team, connection)
        #expect(try open.heard(ana) == ["c104 Ana: Hello"])
        #expect(try presence(team).filter { $0.hasPrefix("Ben") } == ["Ben online"])
        sofia.leave()
    }

    @Test func `somebody who is signed out is cut, and is offline half a minute later`() throws {
        let (ana, sofia) = (try open.listen(chat.ana), try open.listen(chat.sofia))
        #expect(try open.heard(ana) == ["online Sofia -"])
        _ = try open.ask(
            Practice.RetireStaff(person: chat.sofia, revision: 1), try open.open.connect(open.open.clinic.root))
        #expect(try open.heard(ana) == ["left Sofia \(team)"])
        #expect(try open.heard(sofia) == ["left Sofia \(team)"])
        #expect(
            try open.open.hear(sofia)
                == #"{"error":"org.daybreak.Practice.SignedOut","parameters":{"person":"\#(chat.sofia)"}}"#)
        try open.expectSilence(ana, team, connection, "c7 Ana")
    }

    // MARK: Others

    @Test func `a call without more is refused, and one to a room that the caller is not in`() throws {
        let cleo = try open.connect(chat.cleo)
        #expect(
            try open.open.ask(Chat.Listen(), cleo) == #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#)
        try open.open.send(Chat.Listen(room: team), more: true, cleo)
        #expect(
            try open.open.hear(cleo)
                == #"{"error":"org.daybreak.Practice.NotFound","parameters":{"id":"\#(team)","kind":"room"}}"#)
    }

    @Test func `a listener that reads nothing is cut, and hears the rest with its cursor`() throws {
        let lazy = try open.listen(chat.ben)
        for number in 0..<60 {
            try open.say("\(number) " + String(repeating: "x", count: 16_000), team, connection)
        }
        var (heard, cursor): ([String], String) = ([], "")
        while true {
            let message = try open.open.hear(lazy)
            guard message.hasPrefix("{\"continues\"") else {
                #expect(message == #"{"error":"org.daybreak.Practice.RepliesUnread","parameters":{"bytes":262144}}"#)
                break
            }
            let happening = try Reply(frame: Array(message.utf8)).decode(Chat.Listen.Reply.self).happening
            heard.append(String(happening.message?.text.prefix { $0 != " " } ?? "-"))
            cursor = happening.cursor
        }
        #expect(heard.count < 60)
        while heard.count < 60 {
            let again = try open.connect(chat.ben)
            try open.open.send(Chat.Listen(since: cursor), more: true, again)
            _ = try open.happening(again)
            while heard.count < 60 {
                let reply = try Reply(frame: Array(try open.open.hear(again).utf8))
                let happening = try reply.decode(Chat.Listen.Reply.self).happening
                heard.append(String(happening.message?.text.prefix { $0 != " " } ?? "-"))
                cursor = happening.cursor
                if !reply.continues { break }
            }
        }
        #expect(heard == (0..<60).map { "\($0)" })
    }

    @Test func `a client's Daybreak is told how many messages wait, while nobody listens and unless it is muted`()
        throws
    {
        let laptop = try open.connect(chat.cleo)
        try open.open.send(Care.Follow(device: "laptop"), more: true, laptop)
        func waiting() throws -> Int {
            try Reply(frame: Array(try open.open.hear(laptop).utf8)).decode(Care.Follow.Reply.self).news.unreadChat
        }
        #expect(try waiting() == 0)
        try open.say("1", direct, connection)
        #expect(try waiting() == 1)
        let garden = try open.ask(Chat.CreateRoom(name: "Garden", members: [chat.cleo]), connection).room.id
        try open.say("2", garden, connection)
        #expect(try waiting() == 2)
        let phone = try open.connect(chat.cleo)
        _ = try open.ask(Chat.Mute(room: garden, muted: true), phone)
        #expect(try waiting() == 1)
        _ = try open.ask(Chat.MarkRead(room: direct, message: "c6"), phone)
        #expect(try waiting() == 0)
        try open.say("3", garden, connection)
        let listener = try open.listen(chat.cleo)
        try open.say("4", direct, connection)
        #expect(try open.heard(listener) == ["c11 Ana: 4"])
        listener.leave()
        #expect(try waiting() == 1)
        _ = try open.ask(Chat.DeleteMessage(message: "c11"), connection)
        #expect(try waiting() == 0)
    }

    @Test func `a watcher is told how many messages wait, while they do not listen and unless it is muted`() throws {
        let watcher = try open.connect(chat.ben)
        try open.open.send(Practice.Watch(), more: true, watcher)
        /// The news as JSON, without the time.
        func told() throws -> String {
            try open.open.hear(watcher).replacing(#""at":"2027-03-05T09:00:00+01:00","#, with: "")
        }
        // News of Ben's client and of the room came before.
        func unread(_ count: Int, _ cursor: Int = 2) -> String {
            #"{"continues":true,"parameters":{"cursor":"\#(cursor)","kind":"chat","unread":\#(count)}}"#
        }
        #expect(try told() == #"{"continues":true,"parameters":{"cursor":"2","kind":"watching"}}"#)
        try open.say("One", team, connection)
        #expect(try told() == unread(1))
        // Neither their own messages, nor a number that falls, nor a room that they are not in.
        let phone = try open.connect(chat.ben)
        try open.say("Mine", team, phone)
        _ = try open.ask(Chat.MarkRead(room: team, message: "c6"), phone)
        try open.say("For two", direct, connection)
        try open.say("Two", team, connection)
        #expect(try told() == unread(1))
        _ = try open.ask(Chat.Mute(room: team, muted: true), phone)
        try open.say("Three", team, connection)
        _ = try open.ask(Chat.Mute(room: team, muted: false), phone)
        #expect(try told() == unread(2))
        let listener = try open.listen(chat.ben)
        try open.say("Four", team, connection)
        #expect(try open.heard(listener) == ["c11 Ana: Four"])
        listener.leave()
        #expect(try told() == unread(3))
        // News that are kept come with the next cursor.
        let garden = try open.ask(Chat.CreateRoom(name: "Garden", members: [chat.ben]), connection).room.id
        #expect(
            try told() == #"{"continues":true,"parameters":{"cursor":"3","kind":"chat","what":"\#(garden)"}}"#)
        try open.say("Five", garden, connection)
        #expect(try told() == unread(4, 3))
    }

    @Test func `a watcher is told of a message although the count fell and rose since the last look`() throws {
        let ben = chat.clinic.as(chat.ben)
        func unread() throws -> LiveQuery.Unread {
            try #require(try ben.outcome(Practice.Watch(), more: true).liveQuery?.unread)
        }
        let none = try unread()
        let first = try chat.send(chat.ana, team)
        let before = try unread()
        #expect(before.count == 1 && before.tellsMore(than: none))
        _ = try ben.call(Chat.MarkRead(room: team, message: first))
        #expect(try !unread().tellsMore(than: before))
        let second = try chat.send(chat.ana, team)
        let after = try unread()
        #expect(after.count == 1 && after.tellsMore(than: before))
        _ = try chat.clinic.as(chat.ana).call(Chat.DeleteMessage(message: second))
        #expect(try unread() == none)
    }

    @Test func `everybody who listens is asked to listen again after a restore`() throws {
        let ben = try open.listen(chat.ben)
        open.open.server.chatListeners?.restart(with: Practice.StorageUnavailable.restored)
        #expect(
            try open.open.hear(ben)
                == #"{"error":"org.daybreak.Practice.StorageUnavailable","parameters":{"reason":"A backup was restored: "#
                + #"call again."}}"#)
        try open.open.send(Chat.Listen(since: "99"), more: true, ben)
        #expect(try open.happening(ben).cursor == "5")
        try open.say("Hello", team, connection)
        #expect(try open.heard(ben) == ["c6 Ana: Hello"])
    }
}
