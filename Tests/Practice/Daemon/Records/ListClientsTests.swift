import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing

@testable import PracticeDaemon

@Suite struct `Lists of clients` {
    @Test func `a row has the facts about a client, and voided sessions do not count`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        day.clinic.clock.advance(by: .seconds(86_400))
        try ana.call(Records.AddSession(day, on: "2027-03-05"))
        let last = try ana.call(Records.AddSession(day, on: "2027-03-06")).session.id
        try ana.call(Records.AddSession(day, on: "2027-03-06"))
        let row = Records.Row(
            id: day.cleo, number: 1, name: "Cleo", thanatologist: day.ana, open: true, sessions: 3,
            lastSession: "2027-03-06", late: 0, waiting: false, unread: 0)
        #expect(try ana.call(Records.ListClients()) == .init(clients: [row], total: 1))
        try ana.call(Records.VoidSession(session: last, reason: "Twice."))
        var voided = row
        voided.sessions = 2
        #expect(try ana.call(Records.ListClients()).clients == [voided])
        try ana.call(Records.VoidSession(session: "s3", reason: "Another client's."))
        (voided.sessions, voided.lastSession) = (1, "2027-03-05")
        #expect(try ana.call(Records.ListClients()).clients == [voided])
    }

    @Test func `unread letters and messages of the room of two are counted together, until they are read`() throws {
        let chat = try ChatClinic()
        let (ana, cleo) = (chat.clinic.as(chat.ana), chat.clinic.as(chat.cleo))
        func unread() throws -> [Int] { try ana.call(Records.ListClients()).clients.map(\.unread) }
        let room = try chat.direct(chat.cleo, chat.ana)
        let group = try chat.room(chat.ana, "Garden", chat.ben)
        try chat.send(chat.ben, group)
        try chat.send(chat.ana, room)
        #expect(try unread() == [0])
        try chat.send(chat.cleo, room)
        let gone = try chat.send(chat.cleo, room)
        let last = try chat.send(chat.cleo, room)
        try cleo.call(Mail.Send(to: [chat.ana], subject: "Tomorrow", body: "At ten?"))
        #expect(try unread() == [4])
        try cleo.call(Chat.DeleteMessage(message: gone))
        #expect(try unread() == [3])
        try ana.call(Chat.Mute(room: room, muted: true))
        #expect(try unread() == [3])
        try ana.call(Chat.MarkRead(room: room, message: last))
        #expect(try unread() == [1])
    }

    /// Five clients of two thanatologists; one record is closed.
    private func clinic() throws -> (clinic: Clinic, ana: String, ben: String) {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let ben = try clinic.staff("Ben", .thanatologist)
        for name in ["Ángeles Muñoz", "Zoé Martin", "angela 100% Smith"] { _ = try clinic.client(name, of: ana) }
        _ = try clinic.client("Ole_g", of: ben)
        let closed = try clinic.client("Björn Ångström", of: ben)
        try clinic.as(ben).call(Records.CloseRecord(client: closed, reason: "Well again."))
        return (clinic, ana, ben)
    }

    @Test func `thanatologists see their own clients sorted by name, administrators see all`() throws {
        let (clinic, ana, ben) = try clinic()
        func names(_ caller: Clinic.TestCaller, _ call: Records.ListClients) throws -> [String] {
            let reply = try caller.call(call)
            #expect(reply.total == reply.clients.count)
            return reply.clients.map(\.name)
        }
        let own = ["angela 100% Smith", "Ángeles Muñoz", "Zoé Martin"]
        #expect(try names(clinic.as(ana), .init()) == own)
        #expect(try names(clinic.as(ana), .init(thanatologist: ana)) == own)
        #expect(try names(clinic.as(ana), .init(thanatologist: ben)) == [])
        #expect(try names(clinic.as(ben), .init(open: false)) == ["Björn Ångström"])
        #expect(try names(clinic.as(ben), .init(open: true)) == ["Ole_g"])
        let all = ["angela 100% Smith", "Ángeles Muñoz", "Björn Ångström", "Ole_g", "Zoé Martin"]
        #expect(try names(clinic.root, .init()) == all)
        #expect(try names(clinic.root, .init(open: false)) == ["Björn Ångström"])
        #expect(try names(clinic.root, .init(open: true, thanatologist: ben)) == ["Ole_g"])
        #expect(try names(clinic.root, .init(thanatologist: "no-such")) == [])
    }

    @Test(arguments: [
        ("ANGELES", ["Ángeles Muñoz"]), ("munoz", ["Ángeles Muñoz"]), ("ang mu", ["Ángeles Muñoz"]),
        ("ang", ["angela 100% Smith", "Ángeles Muñoz", "Björn Ångström"]),
        ("ZOE", ["Zoé Martin"]),
        ("%", ["angela 100% Smith"]), ("_", ["Ole_g"]), ("\\", []), ("4", ["Ole_g"]), ("04", ["Ole_g"]), ("99", []),
        ("99999999999999999999", []), ("-4", []),
        ("", ["angela 100% Smith", "Ángeles Muñoz", "Björn Ångström", "Ole_g", "Zoé Martin"]),
        ("'; DROP TABLE client; --", []),
    ])
    func `a client is found by a part of the name, whatever its accents, or by the number`(
        query: String, names: [String]
    ) throws {
        let (clinic, _, _) = try clinic()
        let reply = try clinic.root.call(Records.ListClients(query: query))
        #expect(reply.clients.map(\.name) == names)
        #expect(reply.total == names.count)
    }

    @Test func `a search for a number does not find a colleague's client`() throws {
        let (clinic, ana, _) = try clinic()
        #expect(try clinic.as(ana).call(Records.ListClients(query: "4")) == .init(clients: [], total: 0))
    }

    @Test func `pages end with the list, and an added client moves no row`() throws {
        let (clinic, _, ben) = try clinic()
        let first = try clinic.root.call(Records.ListClients(limit: 2))
        #expect(first.clients.map(\.name) == ["angela 100% Smith", "Ángeles Muñoz"])
        #expect(first.total == 5)
        _ = try clinic.client("Aaron", of: ben)
        _ = try clinic.client("Olga", of: ben)
        let second = try clinic.root.call(Records.ListClients(after: first.next, limit: 2))
        #expect(second.clients.map(\.name) == ["Björn Ångström", "Ole_g"])
        let third = try clinic.root.call(Records.ListClients(after: second.next, limit: 2))
        #expect(third.clients.map(\.name) == ["Olga", "Zoé Martin"])
        #expect(third.next == nil)
    }

    @Test func `clients of one name stand in the order of their numbers, over pages too`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        for _ in 1...5 { _ = try clinic.client("Cleo", of: ana) }
        var (numbers, after) = ([Int](), String?.none)
        repeat {
            let page = try clinic.as(ana).call(Records.ListClients(after: after, limit: 2))
            numbers += page.clients.map(\.number)
            after = page.next
        } while after != nil
        #expect(numbers == [1, 2, 3, 4, 5])
    }
}

extension Records.AddSession {
    /// A session of the day's client.
    init(_ day: Clinic.Day, on: String = "2027-03-05", notes: String = "", key: String? = nil) {
        self.init(
            client: day.cleo, on: on, minutes: 50, service: day.offers.talk, motives: [], tools: [], notes: notes,
            key: key)
    }
}
