import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Testing
import Time
import UnixTestSupport
import Varlink

@testable import PracticeDaemon

@Suite struct `A client's Daybreak follows` {
    /// Ana, her client Cleo, and their connections.
    private struct Day {
        let open: OpenClinic
        let (ana, cleo): (String, String)
        let connection: Client

        init() throws {
            open = try OpenClinic()
            ana = try open.clinic.staff("Ana", .thanatologist)
            cleo = try open.clinic.client("Cleo", of: ana)
            try open.clinic.as(cleo).call(Care.SetShares(shares: ["completed", "waiting"]))
            connection = try open.connect(open.clinic.as(ana))
        }

        func follow(_ device: String = "laptop", revision: Int? = nil) throws -> Client {
            let client = try open.connect(open.clinic.as(cleo))
            try open.send(Care.Follow(device: device, revision: revision), more: true, client)
            return client
        }

        func news(_ client: Client) throws -> Care.News {
            let message = try open.hear(client)
            let reply = try Reply(frame: Array(message.utf8))
            try #require(reply.error == nil && reply.continues, "\(message)")
            return try reply.decode(Care.Follow.Reply.self).news
        }

        func waiting(_ client: Client) throws -> [String] {
            let reply = try Reply(frame: Array(try open.hear(client).utf8)).decode(Care.Waiting.Reply.self)
            return reply.clients.map { "\($0.name) \($0.stage.rawValue) \($0.since)" }
        }

        func answer(_ call: some Method, _ client: Client) throws {
            try #require(try open.ask(call, client) == #"{"parameters":{}}"#)
        }

        func report(_ sequence: Int, _ what: String, _ client: Client) throws {
            let told = Care.Happening(
                sequence: sequence, id: "e\(sequence)", at: "2027-03-05T09:00:00+01:00", day: "2027-03-05", what: what,
                task: "t")
            let heard = try open.ask(Care.Report(device: "laptop", happenings: [told]), client)
            try #require(heard == #"{"parameters":{"heard":\#(sequence),"heardID":"e\#(sequence)"}}"#)
        }
    }

    private func news(
        revision: Int = 0, schedule: String? = nil, available: Bool = false, until: String? = nil, link: String? = nil,
        points: [Care.News.TalkingPoints] = [], mail: Int = 0, urgent: Int = 0, announcements: [Care.Announcement] = []
    ) -> Care.News {
        Care.News(
            revision: revision, schedule: schedule, available: available, availableUntil: until, provider: "Ana",
            link: link, talkingPoints: points, unreadMail: mail, urgentMail: urgent, unreadChat: 0, surveysDue: 0,
            broadcasts: announcements.count, shares: ["completed", "waiting"], announcements: announcements)
    }

    @Test func `a schedule comes once, and again to a device that has another`() throws {
        let day = try Day()
        let laptop = try day.follow()
        #expect(try day.news(laptop) == news())
        let assign = Care.Assign(client: day.cleo, schedule: #"[[5, "calm", "2027-03-05"]]"#)
        _ = try day.open.ask(assign, day.connection)
        let text = #"[{"id":"2027-03-05","due":"2027-03-05","breaths":5,"moods":["calm"]}]"#
        #expect(try day.news(laptop) == news(revision: 1, schedule: text))
        day.open.clinic.clock.advance(by: .seconds(1))
        try day.answer(Care.AddTalkingPoint(client: day.cleo, text: "Sleep?"), day.connection)
        let point = Care.News.TalkingPoints(at: "2027-03-05T09:00:01+01:00", text: "Sleep?")
        #expect(try day.news(laptop) == news(revision: 1, points: [point]))
        #expect(try day.news(day.follow("phone", revision: 1)) == news(revision: 1, points: [point]))
        #expect(try day.news(day.follow("old", revision: 7)) == news(revision: 1, schedule: text, points: [point]))
    }

    @Test func `a client's other device hears at once of a task that one has completed, and that one does not`() throws
    {
        let day = try Day()
        try day.answer(
            Care.SetShares(shares: ["completed", "waiting"]), day.open.connect(day.open.clinic.as(day.cleo)))
        let tasks = #"[{"id":"t","due":"2027-03-05","breaths":5,"moods":["calm"]}]"#
        _ = try day.open.ask(Care.Assign(client: day.cleo, schedule: tasks), day.connection)
        let (laptop, phone) = (try day.follow("laptop", revision: 1), try day.follow("phone", revision: 1))
        #expect(try day.news(laptop).done == nil && day.news(phone).done == nil)
        let client = try day.open.connect(day.open.clinic.as(day.cleo))
        try day.report(1, "started", client)
        try day.report(2, "completed", client)
        let done = [Care.Done(task: "t", day: "2027-03-05")]
        #expect(try day.news(phone).done == done)
        #expect(try day.news(day.follow("tablet")).done == done)
        #expect(try day.news(day.follow("laptop")).done == nil)
        // A task of an earlier schedule is none of the present one's.
        let (ana, cleo) = (day.open.clinic.as(day.ana), day.cleo)
        try ana.call(Care.Assign(client: cleo, schedule: #"[[5, "calm", "2027-03-06"]]"#))
        #expect(try day.news(day.follow("phone")).done == done)
    }

    /// As after a failover to a replica that lags behind.
    @Test func `once the server is reached anew, everybody hears of a practice that is another one than before`() throws
    {
        let day = try Day()
        let laptop = try day.follow()
        #expect(try day.news(laptop) == news())
        // This daemon hears nothing of it.
        let ana = day.open.clinic.as(day.ana)
        try ana.call(Care.AddTalkingPoint(client: day.cleo, text: "Sleep?"))
        day.open.server.liveQueries?.beginAnew(elsewhere: [:])
        let point = Care.News.TalkingPoints(at: "2027-03-05T09:00:00+01:00", text: "Sleep?")
        #expect(try day.news(laptop) == news(points: [point]))
    }

    @Test func `after a restore, a new schedule has a later number than any that a device knows`() throws {
        let day = try Day()
        let laptop = try day.follow(revision: 7)
        #expect(try day.news(laptop) == news())
        // No practice counts as far, so the number is not believed.
        let odd = try day.follow("odd", revision: Happening.numbers.upperBound)
        #expect(try day.news(odd) == news())
        let assign = Care.Assign(client: day.cleo, schedule: #"[[5, "calm", "2027-03-05"]]"#)
        let reply = try Reply(frame: Array(try day.open.ask(assign, day.connection).utf8))
        #expect(try reply.decode(Care.Assign.Reply.self).revision == 8)
        let text = #"[{"id":"2027-03-05","due":"2027-03-05","breaths":5,"moods":["calm"]}]"#
        #expect(try day.news(laptop) == news(revision: 8, schedule: text))
    }

    @Test func `a therapist who comes and goes is seen by every device at once, and a word ends by itself`() throws {
        let day = try Day()
        let (laptop, phone) = (try day.follow(), try day.follow("phone"))
        for device in [laptop, phone] { #expect(try day.news(device) == news()) }
        let link = "https://meet.example/ana"
        try day.answer(Care.SetAvailable(available: true, forSeconds: 3_600, link: link), day.connection)
        let there = news(available: true, until: "2027-03-05T10:00:00+01:00", link: link)
        for device in [laptop, phone] { #expect(try day.news(device) == there) }
        try day.answer(Care.SetAvailable(available: false, client: day.cleo, forSeconds: 60), day.connection)
        for device in [laptop, phone] { #expect(try day.news(device) == news()) }
        // The word for Cleo alone ends first, then the one for all clients.
        for (seconds, expected) in [(60, there), (3_540, news())] {
            day.open.clinic.clock.advance(by: .seconds(seconds))
            day.open.server.liveQueries?.wake()
            for device in [laptop, phone] { #expect(try day.news(device) == expected) }
        }
        try day.answer(Care.SetAvailable(available: true), day.connection)
        let today = news(available: true, until: "2027-03-06T00:00:00+01:00")
        for device in [laptop, phone] { #expect(try day.news(device) == today) }
        try day.answer(Care.SetAvailable(available: false), day.connection)
        for device in [laptop, phone] { #expect(try day.news(device) == news()) }
    }

    @Test func `letters are counted as they arrive, are read and are thrown away`() throws {
        let day = try Day()
        let (laptop, reader) = (try day.follow(), try day.open.connect(day.open.clinic.as(day.cleo)))
        #expect(try day.news(laptop) == news())
        _ = try day.open.ask(Mail.Send(to: [day.cleo], subject: "Friday", body: "At ten?"), day.connection)
        #expect(try day.news(laptop) == news(mail: 1))
        _ = try day.open.ask(Mail.Send(to: [day.cleo], subject: "Now", body: "Call me.", urgent: true), day.connection)
        #expect(try day.news(laptop) == news(mail: 2, urgent: 1))
        let letters = try day.open.clinic.as(day.cleo).call(Mail.List()).letters.map(\.id)
        _ = try day.open.ask(Mail.Get(letter: letters[0]), reader)
        #expect(try day.news(laptop) == news(mail: 1))
        _ = try day.open.ask(Mail.Delete(letters: [letters[1]]), reader)
        #expect(try day.news(laptop) == news())
        _ = try day.open.ask(Mail.Move(letters: [letters[1]], folder: "inbox"), reader)
        #expect(try day.news(laptop) == news(mail: 1))
        _ = try day.open.ask(Mail.Mark(letters: letters, read: true), reader)
        #expect(try day.news(laptop) == news())
    }

    @Test func `broadcasts are counted from their beginning to their end, and again after an edit`() throws {
        let day = try Day()
        let ada = try day.open.connect(day.open.clinic.as(day.open.clinic.staff("Ada", .administrator)))
        let (laptop, reader) = (try day.follow(), try day.open.connect(day.open.clinic.as(day.cleo)))
        #expect(try day.news(laptop) == news())
        _ = try day.open.ask(Mail.Announce(text: "Closed on Monday.", to: "everybody", until: "2027-03-05"), ada)
        let midnight = "2027-03-06T00:00:00+01:00"
        let closed = Care.Announcement(
            id: "b1", revision: 1, text: "Closed on Monday.", until: midnight, dismissable: true, level: "notice")
        #expect(try day.news(laptop) == news(announcements: [closed]))
        try day.answer(Mail.Dismiss(broadcast: "b1"), reader)
        #expect(try day.news(laptop) == news())
        _ = try day.open.ask(Mail.EditBroadcast(broadcast: "b1", revision: 1, text: "Closed on Tuesday."), ada)
        let changed = Care.Announcement(
            id: "b1", revision: 2, text: "Closed on Tuesday.", until: midnight, dismissable: true, level: "notice")
        #expect(try day.news(laptop) == news(announcements: [changed]))
        // Midnight in Madrid; then ten hours later.
        day.open.clinic.clock.advance(by: .seconds(15 * 3_600))
        day.open.server.liveQueries?.wake()
        #expect(try day.news(laptop) == news())
        _ = try day.open.ask(
            Mail.Announce(text: "Open.", to: "clients", from: "2027-03-06T10:00:00+01:00"), ada)
        // The laptop's answer is looked at anew before this one.
        _ = try day.open.ask(Mail.ListBroadcasts(), reader)
        day.open.clinic.clock.advance(by: .seconds(10 * 3_600))
        day.open.server.liveQueries?.wake()
        let open = Care.Announcement(id: "b2", revision: 1, text: "Open.", dismissable: true, level: "notice")
        #expect(try day.news(laptop) == news(announcements: [open]))
        try day.answer(Mail.EndBroadcast(broadcast: "b2"), ada)
        #expect(try day.news(laptop) == news())
    }

    @Test func `the ten newest announcements are told with their texts, and all are counted`() throws {
        let day = try Day()
        let ada = try day.open.clinic.as(day.open.clinic.staff("Ada", .administrator))
        for number in 1...12 { try ada.call(Mail.Announce(text: "\(number)", to: "clients", level: "important")) }
        try ada.call(Mail.Announce(text: "For staff.", to: "staff"))
        let told = try day.news(day.follow())
        #expect(told.broadcasts == 12 && told.announcements?.map(\.text) == (3...12).reversed().map { "\($0)" })
        #expect(told.announcements?.allSatisfy { $0.level == "important" } == true)
    }

    @Test func `a word holds over a restart, because it is kept`() throws {
        let day = try Day()
        try day.answer(Care.SetAvailable(available: true, forSeconds: 60), day.connection)
        try day.open.clinic.close()
        #expect(try day.news(day.follow()) == news(available: true, until: "2027-03-05T09:01:00+01:00"))
        day.open.clinic.clock.advance(by: .seconds(60))
        #expect(try day.news(day.follow()) == news())
    }

    @Test func `other therapists and other clients change nothing for this one`() throws {
        let day = try Day()
        let ben = try day.open.clinic.staff("Ben", .thanatologist)
        let dino = try day.open.clinic.client("Dino", of: ben)
        let laptop = try day.follow()
        #expect(try day.news(laptop) == news())
        let other = try day.open.connect(day.open.clinic.as(ben))
        try day.answer(Care.SetAvailable(available: true), other)
        try day.answer(Care.AddTalkingPoint(client: dino, text: "Sleep?"), other)
        let refused = try day.open.ask(Care.SetAvailable(available: true, client: day.cleo), other)
        #expect(
            refused == #"{"error":"org.daybreak.Practice.NotFound","parameters":{"id":"\#(day.cleo)","kind":"client"}}"#
        )
        try day.answer(Care.SetAvailable(available: false, client: day.cleo, link: "https://x.example"), day.connection)
        try day.answer(Care.SetAvailable(available: true, client: day.cleo, link: "https://x.example"), day.connection)
        // The first news is Ana's.
        var heard = try day.news(laptop)
        if !heard.available { heard = try day.news(laptop) }
        #expect(heard == news(available: true, until: "2027-03-06T00:00:00+01:00", link: "https://x.example"))
    }

    @Test func `the therapist of a closed record is not there`() throws {
        let day = try Day()
        try day.answer(Care.SetAvailable(available: true), day.connection)
        let laptop = try day.follow()
        #expect(try day.news(laptop).available)
        _ = try day.open.ask(Records.CloseRecord(client: day.cleo, reason: "Well."), day.connection)
        // The practice's own letter says so.
        #expect(try day.news(laptop) == news(mail: 1))
    }

    @Test func `a session takes the talking points out`() throws {
        let day = try Day()
        let offers = try day.open.clinic.offers()
        try day.answer(Care.AddTalkingPoint(client: day.cleo, text: "Sleep?"), day.connection)
        let laptop = try day.follow()
        #expect(try day.news(laptop).talkingPoints.map(\.text) == ["Sleep?"])
        day.open.clinic.clock.advance(by: .seconds(1))
        _ = try day.open.ask(
            Records.AddSession(
                client: day.cleo, on: "2027-03-05", minutes: 50, service: offers.talk, motives: [], tools: [], notes: ""
            ),
            day.connection)
        #expect(try day.news(laptop) == news())
    }

    @Test func `the therapist sees who waits, since when, and that they leave`() throws {
        let day = try Day()
        try day.open.send(Care.Waiting(), more: true, day.connection)
        #expect(try day.waiting(day.connection) == [])
        let laptop = try day.follow()
        _ = try day.news(laptop)
        let other = try day.open.connect(day.open.clinic.as(day.cleo))
        for (sequence, what, stage) in [
            (1, "started", "exercise"), (2, "exerciseFinished", "waiting"), (3, "joined", "session"),
            (4, "left", "mood"),
        ] {
            try day.report(sequence, what, other)
            #expect(try day.waiting(day.connection) == ["Cleo \(stage) 2027-03-05T09:00:00+01:00"])
        }
        try day.report(5, "completed", other)
        #expect(try day.waiting(day.connection) == [])
    }

    @Test func `a client who shares no completions has left with the session: nothing tells of the end of the mood`()
        throws
    {
        let day = try Day()
        try day.open.clinic.as(day.cleo).call(Care.SetShares(shares: ["moods", "waiting"]))
        let laptop = try day.follow()
        _ = try day.news(laptop)
        let other = try day.open.connect(day.open.clinic.as(day.cleo))
        try day.report(1, "joined", other)
        try day.open.send(Care.Waiting(), more: true, day.connection)
        #expect(try day.waiting(day.connection) == ["Cleo session 2027-03-05T09:00:00+01:00"])
        try day.report(2, "left", other)
        #expect(try day.waiting(day.connection) == [])
    }

    @Test func `a device whose clock was ahead hides no client who waits`() throws {
        let day = try Clinic.Day()
        let waiting = { try day.clinic.as(day.ana).call(Care.Waiting()).clients.map { "\($0.name) \($0.stage)" } }
        try day.share("waiting", "completed")
        day.clinic.state.online = [ID(day.cleo)]
        // On the laptop it was tomorrow. Its clock was set right before the second happening, and all is told at once.
        let ahead = day.happening(1, "cancelled", at: "2027-03-06T15:00:00+01:00", day: "2027-03-06")
        try day.report(ahead, day.happening(2, "exerciseFinished"))
        #expect(try waiting() == ["Cleo waiting"])
        // The phone, which was out of reach, tells of the morning.
        try day.report(
            day.happening(1, "cancelled", id: "p1", at: "2027-03-05T08:00:00+01:00"), from: "phone")
        #expect(try waiting() == ["Cleo waiting"])
        // A time to come counts as that of the telling, so the laptop's next stage is later.
        try day.report(
            day.happening(2, "cancelled", id: "p2", at: "2027-03-06T15:00:00+01:00", day: "2027-03-06"), from: "phone")
        day.clinic.clock.advance(by: .seconds(60))
        try day.report(day.happening(3, "joined", at: "2027-03-05T09:01:00+01:00"))
        #expect(try waiting() == ["Cleo session"])
    }

    @Test func `a therapist's new name is told at once`() throws {
        let day = try Day()
        let laptop = try day.follow()
        #expect(try day.news(laptop) == news())
        let vera = try day.open.connect(day.open.clinic.as(day.open.clinic.staff("Vera", .administrator)))
        _ = try day.open.ask(Practice.EditStaff(person: day.ana, revision: 1, name: "Anna Sol"), vera)
        #expect(try day.news(laptop).provider == "Anna Sol")
    }

    @Test func `a waiting client is gone half a minute after their last connection, and back with the next`() throws {
        let day = try Day()
        let laptop = try day.follow()
        _ = try day.news(laptop)
        let other = try day.open.connect(day.open.clinic.as(day.cleo))
        try day.report(1, "exerciseFinished", other)
        try day.open.send(Care.Waiting(), more: true, day.connection)
        let waits = ["Cleo waiting 2027-03-05T09:00:00+01:00"]
        #expect(try day.waiting(day.connection) == waits)
        laptop.leave()
        try day.open.settle()
        while day.open.server.server.connectionCount > 2 { _ = try day.open.loop.step(timeoutMicroseconds: patience) }
        day.open.server.liveQueries?.wake()
        #expect(day.open.server.liveQueries?.online == [ID("\(day.cleo)")])
        day.open.letTimePass(.seconds(30))
        day.open.server.liveQueries?.wake()
        #expect(try day.waiting(day.connection) == [])
        _ = try day.news(day.follow())
        #expect(try day.waiting(day.connection) == waits)
        // The waiting ends with the client's day.
        day.open.clinic.clock.advance(by: .seconds(15 * 3_600))
        day.open.server.liveQueries?.wake()
        #expect(try day.waiting(day.connection) == [])
    }

    @Test func `a client who does not share waiting is not seen`() throws {
        let day = try Day()
        let laptop = try day.follow()
        _ = try day.news(laptop)
        let other = try day.open.connect(day.open.clinic.as(day.cleo))
        try day.report(1, "exerciseFinished", other)
        try day.open.send(Care.Waiting(), more: true, day.connection)
        #expect(try day.waiting(day.connection).count == 1)
        try day.answer(Care.SetShares(shares: ["completed"]), other)
        #expect(try day.waiting(day.connection) == [])
        #expect(try day.news(laptop).shares == ["completed"])
    }

    @Test func `staff and root do not follow, and a client must ask for more`() throws {
        let day = try Day()
        for caller in [day.open.clinic.as(day.ana), day.open.clinic.root, day.open.clinic.visitor] {
            let client = try day.open.connect(caller)
            try day.open.send(Care.Follow(device: "laptop"), more: true, client)
            #expect(
                try day.open.hear(client)
                    == #"{"error":"org.daybreak.Practice.NotAllowed","parameters":{"right":"haveHomework"}}"#)
        }
        #expect(throws: ExpectedMore()) { try day.open.clinic.as(day.cleo).call(Care.Follow(device: "laptop")) }
    }

    @Test func `a follower whose record is erased is cut`() throws {
        let day = try Day()
        let laptop = try day.follow()
        _ = try day.news(laptop)
        let root = try day.open.connect(day.open.clinic.root)
        _ = try day.open.ask(Records.CloseRecord(client: day.cleo, reason: "Well."), day.connection)
        _ = try day.open.ask(Records.EraseRecord(client: day.cleo, number: 1, reason: "Asked."), root)
        var heard = ""
        repeat { heard = try day.open.hear(laptop) } while heard.contains("continues")
        #expect(heard == #"{"error":"org.daybreak.Practice.SignedOut","parameters":{"person":"\#(day.cleo)"}}"#)
        #expect(try day.open.hear(laptop) == "cut")
    }

    @Test func `two hundred and fifty devices hear of their therapist`() throws {
        let day = try Day()
        var devices: [Client] = []
        for number in 1...250 {
            let client = try day.open.clinic.client("Client \(number)", of: day.ana)
            let connection = try day.open.connect(day.open.clinic.as(client))
            try day.open.send(Care.Follow(device: "laptop"), more: true, connection)
            _ = try day.news(connection)
            devices.append(connection)
        }
        try day.answer(Care.SetAvailable(available: true), day.connection)
        for device in devices { #expect(try day.news(device).available) }
    }
}
