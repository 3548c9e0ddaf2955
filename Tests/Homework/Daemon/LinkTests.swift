import DaybreakInterfaces
import Glibc
import HomeworkRules
import Storage
import TestSupport
import Testing
import Time
import UnixTestSupport
import Varlink

@testable import HomeworkDaemon

/// The interface of the link's own process, over the wire.
@Suite struct LinkTests {
    private let station: ControlServerFixture
    private var machine: Machine { station.machine }

    init() throws { station = try ControlServerFixture() }

    private func expect(_ call: String, _ reply: String, _ location: SourceLocation = #_sourceLocation) throws {
        let found = try station.ask(call)
        #expect(found == reply, sourceLocation: location)
    }

    private func reply<M: Method>(_ method: M) throws -> M.Reply {
        let frame = String(decoding: Call.frame(method).dropLast(), as: UTF8.self)
        return try Reply(frame: Array(#require(try station.ask(frame)).utf8)).decode(M.Reply.self)
    }

    @discardableResult private func begin(_ shares: Link.Share...) throws -> String {
        try reply(Link.Begin(practice: "practice@clinic", shares: shares)).device
    }

    /// The sample from its start to its completion, with a note for the session and one for the client alone.
    private func live() {
        machine.ask(.addNote(Note(recorded: "Mine"), .assignment("1")), .start(nil), .breathe)
        machine.ring(after: .seconds(50))
        machine.ask(.addNote(Note(recorded: "For the session"), .nextSession), .online(), .join, .leave)
        machine.ask(.logMood("calm"))
    }

    private var whats: [String] {
        get throws { try reply(Link.Happenings()).happenings.map(\.what) }
    }

    @Test func `without a link, Get and Happenings say so, and nothing else is done`() throws {
        try expect(call("Link.Get"), #"{"parameters":{"scheduleFrom":"file"}}"#)
        try expect(
            call("Link.Happenings"),
            #"{"parameters":{"happenings":[],"hold":false,"practiceTold":true,"reported":0,"shares":[],"takesSchedule":false,"#
                + #""waiting":0,"wishes":0}}"#)
        let refused = error("org.daybreak.Link.NotLinked")
        try expect(call("Link.SetShares", #"{"shares":["moods"]}"#), refused)
        try expect(call("Link.Reported", #"{"device":"d","through":0}"#), refused)
        try expect(call("Link.RenewDevice", #"{"device":"d"}"#), refused)
        try expect(call("Link.TakeSchedule", #"{"revision":1,"schedule":"[]"}"#), refused)
        let counts = #"{"broadcasts":0,"surveysDue":0,"unreadChat":0,"unreadMail":0,"urgentMail":0}"#
        try expect(call("Link.TakeNews", "{\"available\":true,\"talkingPoints\":[],\"news\":\(counts)}"), refused)
        try expect(call("Provider.Presence"), #"{"parameters":{"online":false}}"#)
    }

    @Test func `Begin makes a device, and keeps it when it is repeated`() throws {
        let device = try begin(.moods)
        #expect(device.count == 16)
        #expect(try begin(.moods, .waiting) == device)
        try expect(
            call("Link.Begin", #"{"practice":"practice@other","shares":[]}"#),
            error("org.daybreak.Link.LinkedAlready", #"{"practice":"practice@clinic"}"#))
        try expect(
            call("Link.Begin", #"{"practice":"-oProxyCommand=x","shares":[]}"#),
            error("org.varlink.service.InvalidParameter", #"{"parameter":"practice"}"#))
    }

    @Test func `Get tells the whole state of the link`() throws {
        let device = try begin(.moods)
        let schedule = #""revision":3,"schedule":"[]""#
        _ = try station.ask(call("Link.TakeSchedule", "{\(schedule)}"))
        _ = try station.ask(
            call("Link.Tell", #"{"condition":"failing","sentence":"No.","nextTry":"2027-03-05T02:00:00+01:00"}"#))
        try expect(
            call("Link.Get"),
            #"{"parameters":{"condition":"failing","device":"\#(device)","#
                + #""news":{"broadcasts":0,"surveysDue":0,"unreadChat":0,"unreadMail":0,"urgentMail":0},"#
                + #""nextTry":"2027-03-05T01:00:00+00:00","oldest":"2027-03-05T00:00:00+00:00","practice":"practice@clinic","#
                + #""reported":0,"revision":3,"scheduleFrom":"practice","sentence":"No.","#
                + #""shares":[{"share":"moods","since":"2027-03-05T00:00:00+00:00"}],"waiting":1}}"#)
    }

    @Test(arguments: [
        ([Link.Share.completed], ["started", "completed"]), ([.moods], ["moodLogged"]), ([.breaths], ["breathed"]),
        ([.notes], ["noteWritten"]), ([.waiting], ["started", "exerciseFinished", "joined", "left"]), ([], []),
        (
            [.waiting, .notes, .breaths, .moods, .completed],
            [
                "started", "breathed", "exerciseFinished", "noteWritten", "joined", "left", "moodLogged", "completed",
            ]
        ),
    ]) func `only what is shared is told, in order`(shares: [Link.Share], told: [String]) throws {
        _ = try reply(Link.Begin(practice: "practice@clinic", shares: shares))
        live()
        #expect(try whats == told)
    }

    @Test func `a happening has its facts, and notes that are kept with a task are not among them`() throws {
        try begin(.moods, .notes, .breaths, .completed)
        live()
        let all = try reply(Link.Happenings()).happenings
        let texts = all.map { [$0.what, $0.task, $0.mood, $0.text, $0.breaths.map(String.init)].map { $0 ?? "-" } }
        #expect(
            texts.map { $0.joined(separator: " ") } == [
                "started 1 - - -", "breathed 1 - - 5", "noteWritten - - For the session -", "moodLogged 1 calm - -",
                "completed 1 - - -",
            ])
        #expect(all.map(\.sequence) == all.map(\.sequence).sorted())
        let events = try #require(try machine.history?.events())
        #expect(
            all.map(\.id) == all.map { "\(events[$0.sequence - 1].moment.instant.microseconds)-\($0.sequence)" })
    }

    @Test func `erased words are not told any more`() throws {
        try begin(.moods, .completed)
        live()
        machine.hasThread = false
        try expect(
            call("Service.Erase", #"{"assignment":"1"}"#), #"{"parameters":{"practice":"practice@clinic"}}"#)
        #expect(try whats == ["started", "completed"])
    }

    @Test func `shares are replaced only if they are still the ones that the link's process saw`() throws {
        try begin(.moods)
        let late = Link.SetShares(shares: [], practiceTold: true, from: [.moods])
        _ = try reply(Link.SetShares(shares: [.completed, .breaths], practiceTold: true))
        let frame = String(decoding: Call.frame(late).dropLast(), as: UTF8.self)
        try expect(frame, error("org.daybreak.Link.SharesChanged"))
        #expect(try reply(Link.Get()).shares?.map(\.share) == [.completed, .breaths])
        _ = try reply(Link.SetShares(shares: [.breaths], practiceTold: true, from: [.breaths, .completed]))
        #expect(try reply(Link.Get()).shares?.map(\.share) == [.breaths])
    }

    @Test func `an event that was withdrawn before the report is never reported, even if it is shared again`() throws {
        try begin(.moods)
        live()
        _ = try reply(Link.SetShares(shares: []))
        #expect(try whats == [])
        #expect(try !reply(Link.Happenings()).practiceTold)
        _ = try reply(Link.SetShares(shares: [.moods], practiceTold: true))
        #expect(try whats == [])
        machine.ask(.correctMood("tired", of: nil))
        #expect(try whats == ["moodCorrected"])
    }

    @Test func `Reported takes a happening's own id, and another history's is found`() throws {
        let device = try begin(.completed)
        live()
        let first = try #require(try reply(Link.Happenings()).happenings.first)
        let replaced = error("org.daybreak.Link.HistoryReplaced")
        func reported(_ through: Int, _ id: String?, _ device: String) -> String {
            let id = id.map { ",\"id\":\"\($0)\"" } ?? ""
            return call("Link.Reported", "{\"device\":\"\(device)\",\"through\":\(through)\(id)}")
        }
        try expect(reported(first.sequence, "1-1", device), replaced)
        try expect(reported(first.sequence, nil, device), replaced)
        try expect(reported(99_999, first.id, device), replaced)
        try expect(
            reported(first.sequence, first.id, "x"),
            error("org.daybreak.Link.OtherDevice", "{\"device\":\"\(device)\"}"))
        try expect(
            reported(-1, nil, device), error("org.varlink.service.InvalidParameter", #"{"parameter":"through"}"#))
        #expect(try whats == ["started", "completed"])
        try expect(reported(first.sequence, first.id, device), #"{"parameters":{}}"#)
        #expect(try whats == ["completed"])
        // The practice lost it, so it is reported again.
        try expect(reported(0, nil, device), #"{"parameters":{}}"#)
        #expect(try whats == ["started", "completed"])
        let renewed = try reply(Link.RenewDevice(device: device)).device
        #expect(renewed != device)
        #expect(try reply(Link.RenewDevice(device: device)).device == renewed)
    }

    @Test func `a reply has at most 200 happenings, and not too much text, and says how many wait`() throws {
        try begin(.completed)
        for _ in 1...150 { machine.ask(.start(nil), .cancel) }
        let many = try reply(Link.Happenings())
        #expect(many.happenings.count == 200 && many.waiting == 300)
        _ = try reply(Link.SetShares(shares: [.notes]))
        for _ in 1...20 {
            machine.ask(.addNote(Note(recorded: String(repeating: "a", count: 4_096)), .nextSession))
        }
        let long = try reply(Link.Happenings())
        #expect(long.happenings.count == 8 && long.waiting == 20)
    }

    @Test func `the connection is held for urgent letters in quiet hours, if the settings ask for them`() throws {
        try begin(.completed)
        let client = station.client()
        client.send(call("Link.Happenings", more: true))
        func isHeld() throws -> Bool {
            try Reply(frame: Array(#require(try station.message(for: client)).utf8)).decode(
                Link.Happenings.Reply.self
            ).hold
        }
        #expect(try !isHeld())
        var configuration = Configuration()
        configuration.settings.tellsUrgentInQuietHours = true
        machine.fresh = .success(configuration)
        _ = machine.reload()
        #expect(try isHeld())
        machine.fresh = .success(Configuration())
        _ = machine.reload()
        #expect(try !isHeld())
    }

    @Test func `a watcher of Happenings hears each change, and no other`() throws {
        let device = try begin(.completed)
        let client = station.client()
        client.send(call("Link.Happenings", more: true))
        func next() throws -> Link.Happenings.Reply {
            try Reply(frame: Array(#require(try station.message(for: client)).utf8)).decode(
                Link.Happenings.Reply.self)
        }
        #expect(try next().happenings == [])
        machine.ask(.addNote(Note(recorded: "Mine"), .assignment("1")))
        machine.ask(.start(nil))
        var reply = try next()
        #expect(reply.hold && reply.happenings.map(\.what) == ["started"])
        let told = try #require(reply.happenings.first)
        _ = try self.reply(Link.Reported(device: device, through: told.sequence, id: told.id))
        reply = try next()
        #expect(reply.hold && reply.happenings == [] && reply.waiting == 0)
        _ = try self.reply(Link.LookNow())
        #expect(try next().wishes == 1)
        _ = try self.reply(Link.End())
        #expect(try next().device == nil)
    }

    @Test func `TakeSchedule answers as an import, takes a revision once, and reads strictly`() throws {
        try begin(.completed)
        let text = #"[[5,[\"calm\"],\"2027-03-06\"]]"#
        try expect(
            call("Link.TakeSchedule", "{\"revision\":2,\"schedule\":\"\(text)\"}"),
            #"{"parameters":{"added":1,"changed":0,"kept":0,"unchanged":0,"withdrawn":1}}"#)
        try expect(
            call("Link.TakeSchedule", "{\"revision\":2,\"schedule\":\"[]\"}"),
            #"{"parameters":{"added":0,"changed":0,"kept":0,"unchanged":0,"withdrawn":0}}"#)
        try expect(
            call("Link.TakeSchedule", #"{"revision":3,"schedule":"[\n  [0, \"calm\", \"2027-03-05\"]]"}"#),
            error(
                "org.daybreak.Homework.InvalidSchedule",
                #"{"column":4,"entry":1,"line":2,"reason":"The breath count must be at least 1."}"#))
        let told = try reply(Link.Happenings()).happenings
        #expect(told.map(\.what) == ["scheduleTaken"] && told.first?.revision == 2)
    }

    @Test func `while the practice's schedule counts, the file is not read; it is after the link`() throws {
        try begin()
        machine.schedule = .sound(.of(.sample("9", due: "2027-03-09")), Fingerprint("other"))
        machine.daemon.scheduleFileChanged()
        #expect(try reply(Homework.List(all: true)).assignments.map(\.id) == ["1"])
        machine.schedule = .faulty("tasks.json:1:1: No.", Fingerprint("faulty"))
        machine.daemon.scheduleFileChanged()
        #expect(machine.status?.problem == nil)
        machine.schedule = .sound(.of(.sample("9", due: "2027-03-09")), Fingerprint("other"))
        _ = try reply(Link.End())
        machine.ring()
        #expect(try reply(Homework.List(all: true)).assignments.map(\.id) == ["9"])
    }

    @Test func `the settings can let the file count, or the practice without a link`() throws {
        let file = Machine()
        file.configuration.scheduleFrom = .file
        let station = try ControlServerFixture(file)
        _ = try station.ask(call("Link.Begin", #"{"practice":"practice@clinic","shares":[]}"#))
        #expect(
            try station.ask(call("Link.TakeSchedule", #"{"revision":1,"schedule":"[]"}"#))
                == error("org.daybreak.Link.ScheduleFromFile"))
        file.schedule = .sound(.of(.sample("9")), Fingerprint("other"))
        file.daemon.scheduleFileChanged()
        #expect(file.status?.eligible?.id == "9")
        let practice = Machine()
        practice.configuration.scheduleFrom = .practice
        practice.schedule = .sound(.of(.sample("9")), Fingerprint("other"))
        practice.ring()
        #expect(practice.status?.eligible == nil)
    }

    @Test func `once the practice's schedule counts again, a revision of before is taken again`() throws {
        try begin()
        let taking = call("Link.TakeSchedule", #"{"revision":1,"schedule":"[[5,[\"calm\"],\"2027-03-05\"]]"}"#)
        _ = try station.ask(taking)
        #expect(try reply(Link.Happenings()).revision == 1)
        var configuration = Configuration()
        configuration.scheduleFrom = .file
        machine.fresh = .success(configuration)
        machine.schedule = .sound(.of(.sample("9")), Fingerprint("other"))
        _ = machine.reload()
        #expect(machine.status?.eligible?.id == "9")
        #expect(try reply(Link.Happenings()).revision == nil)
        machine.fresh = .success(Configuration())
        _ = machine.reload()
        _ = try station.ask(taking)
        #expect(machine.status?.eligible.map { $0.id == "9" } == false)
        #expect(try reply(Link.Happenings()).revision == 1)
    }

    @Test func `after everything is erased, nothing is left of what the practice told`() throws {
        machine.hasThread = false
        let told = #"""
            {"available":true,"news":\#(Self.counts),"link":"https://meet.example.org/vera",
            "talkingPoints":[{"at":"2027-03-05T00:00:00+01:00","text":"Sleep"}]}
            """#
        try begin()
        #expect(try station.ask(call("Link.TakeNews", told))?.contains("error") == false)
        #expect(try reply(Provider.Presence()).link == "https://meet.example.org/vera")
        #expect(try reply(Service.EraseEverything()).practice == "practice@clinic")
        try expect(call("Provider.Presence"), #"{"parameters":{"online":false}}"#)
        try begin()
        try expect(call("Provider.Presence"), #"{"parameters":{"online":false,"talkingPoints":[]}}"#)
    }

    @Test func `an import is refused while the practice's schedule counts, and a check is not`() throws {
        try begin()
        let text = #"[[1,["calm"],"2027-03-05"]]"#
        let refused = Call.frame(Homework.Import(schedule: text)).dropLast()
        #expect(
            try station.ask(String(decoding: refused, as: UTF8.self))
                == error("org.daybreak.Homework.ScheduleFromPractice"))
        #expect(try reply(Homework.List(all: true)).fromPractice == true)
        let change = try reply(Homework.Import(schedule: text, dryRun: true))
        #expect(change.added + change.changed == 1)
        _ = try reply(Link.End())
        let done = try reply(Homework.Import(schedule: text))
        #expect(done.added + done.changed == 1)
        #expect(try reply(Homework.List(all: true)).fromPractice == nil)
    }

    @Test func `with shared notes, an added one says whether the practice hears of it`() throws {
        try begin()
        func isShared(_ shares: [Link.Share], nextSession: Bool?) throws -> Bool? {
            _ = try reply(Link.SetShares(shares: shares, practiceTold: true))
            let task = nextSession == nil ? "1" : nil
            return try reply(Homework.AddNote(text: "sleep", assignment: task, nextSession: nextSession)).shared
        }
        #expect(try isShared([.notes], nextSession: true) == true)
        #expect(try isShared([.notes], nextSession: nil) == false)
        #expect(try isShared([.moods], nextSession: true) == nil)
    }

    private static let counts = #"{"broadcasts":1,"surveysDue":0,"unreadChat":2,"unreadMail":0,"urgentMail":0}"#

    @Test func `TakeNews shows who is there, where to meet and what to speak of, at once`() throws {
        try begin()
        let client = station.client()
        client.send(call("Provider.Presence", more: true))
        #expect(
            try station.message(for: client)
                == #"{"continues":true,"parameters":{"online":false,"talkingPoints":[]}}"#)
        let news =
            #"{"available":true,"provider":" Ana ","link":"https://meet.example/1","#
            + #""talkingPoints":[{"at":"2027-03-05T08:00:00Z","text":"The letter"}],"news":\#(Self.counts)}"#
        try expect(call("Link.TakeNews", news), #"{"parameters":{}}"#)
        #expect(
            try station.message(for: client)
                == #"{"continues":true,"parameters":{"link":"https://meet.example/1","name":"Ana","online":true,"#
                + #""talkingPoints":[{"at":"2027-03-05T08:00:00Z","text":"The letter"}],"#
                + #""until":"2027-03-05T00:15:00+00:00"}}"#)
        let reminders = try reply(Homework.Reminders()).reminders.map(\.message)
        #expect(
            reminders.suffix(2) == ["2 messages of your practice are unread.", "Your practice has an announcement."])
        // Neither points nor link are kept.
        let kept = try machine.history?.events().map { "\($0.what)" }.joined() ?? ""
        #expect(!kept.contains("The letter") && !kept.contains("meet.example"))
        machine.restart()
        #expect(machine.status?.providerOnline == true)
    }

    private func announcement(
        _ id: String, _ text: String, revision: Int = 1, until: String? = nil, dismissable: Bool = true,
        important: Bool = false
    ) -> Link.Announcement {
        Link.Announcement(
            id: id, revision: revision, text: text, until: until, dismissable: dismissable, important: important)
    }

    private func tell(_ announcements: [Link.Announcement]?, more: Int = 0) throws {
        let count = (announcements?.count ?? 0) + more
        _ = try reply(
            Link.TakeNews(
                available: false, talkingPoints: [],
                news: Link.News(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: 0, broadcasts: count),
                announcements: announcements))
    }

    private var announced: [String]? {
        get throws { try reply(Link.Announcements()).announcements?.map { "\($0.id) \($0.text)" } }
    }

    @Test func `announcements are shown with their texts, which are in memory alone`() throws {
        try begin()
        #expect(try reply(Link.Announcements()) == .init())
        let client = station.client()
        client.send(call("Link.Announcements", more: true))
        #expect(try station.message(for: client) == #"{"continues":true,"parameters":{}}"#)
        let closed = announcement("b1", "Closed on Monday.\n\tAll day.", important: true)
        try tell([closed], more: 2)
        #expect(
            try station.message(for: client)
                == #"{"continues":true,"parameters":{"announcements":[{"dismissable":true,"id":"b1","important":true,"#
                + #""revision":1,"text":"Closed on Monday.\n    All day."}],"more":2}}"#)
        let kept = try machine.history?.events().map { "\($0.what)" }.joined() ?? ""
        #expect(!kept.contains("Closed"))
        for method in ["Homework.GetStatus", "Homework.List", "Homework.Reminders", "Link.Get", "Link.Happenings"] {
            #expect(try station.ask(call(method))?.contains("Closed") == false, "\(method)")
        }
        try tell(nil)
        #expect(try announced == nil)
        try tell([closed])
        _ = try reply(Link.End())
        #expect(try announced == nil)
    }

    @Test func `an announcement that was dismissed is shown no more, until the practice changes it`() throws {
        try begin()
        let (closed, fixed) = (announcement("b1", "Closed."), announcement("b2", "Read this.", dismissable: false))
        try tell([closed, fixed])
        try expect(call("Link.Dismiss", #"{"announcement":"b1"}"#), #"{"parameters":{}}"#)
        #expect(try announced == ["b2 Read this."])
        #expect(try reply(Link.Announcements()).more == nil)
        #expect(try reply(Link.Happenings()).dismissed == ["b1"])
        // The practice has not heard of it yet.
        try tell([closed, fixed])
        #expect(try announced == ["b2 Read this."])
        for id in ["b1", "b9"] {
            try expect(
                call("Link.Dismiss", "{\"announcement\":\"\(id)\"}"),
                error("org.daybreak.Link.NoAnnouncement", "{\"announcement\":\"\(id)\"}"))
        }
        try expect(
            call("Link.Dismiss", #"{"announcement":"b2"}"#),
            error("org.daybreak.Link.AnnouncementStays", #"{"announcement":"b2"}"#))
        try tell([announcement("b1", "Closed on Tuesday.", revision: 2), fixed])
        #expect(try announced == ["b1 Closed on Tuesday.", "b2 Read this."])
        #expect(try reply(Link.Happenings()).dismissed == nil)
        try expect(call("Link.Dismiss", #"{"announcement":"b1"}"#), #"{"parameters":{}}"#)
        try tell([fixed])
        #expect(try reply(Link.Happenings()).dismissed == nil)
    }

    @Test func `an announcement ends by the clock, also while the practice is out of reach`() throws {
        try begin()
        try tell([announcement("b1", "Closed.", until: "2027-03-05T00:01:00Z")])
        #expect(try announced == ["b1 Closed."])
        machine.ring(after: .seconds(60))
        #expect(try announced == [])
    }

    @Test func `announcements that no practice should send are left out`() throws {
        try begin()
        let long = String(repeating: "a", count: 4_097)
        try tell(
            [
                announcement("b1", "\u{1B}[2J"), announcement("b2", " \n"), announcement("b3", long),
                announcement("", "x"), announcement("b 5", "x"), announcement("b6", "x", until: "soon"),
                announcement("b7", "Sound."),
            ])
        #expect(try announced == ["b7 Sound."])
        try tell((1...12).map { announcement("b\($0)", "x") })
        #expect(try announced?.count == 10)
        #expect(try reply(Link.Announcements()).more == 2)
    }

    /// A hostile practice can send anything.
    @Test(arguments: [
        ("provider", #""provider":"A\u001b[2J""#),
        ("provider", #""provider":"\#(String(repeating: "a", count: 481))""#),
        ("link", #""link":"http://meet.example/1""#), ("link", #""link":"javascript:alert(1)""#),
        ("link", #""link":"https://user@evil.example/""#), ("link", #""link":"https://meet.example:x@evil.example/""#),
        ("link", #""link":"https://a b""#), ("link", #""link":"https://-\#(String(repeating: "a", count: 2_000))""#),
        ("availableUntil", #""availableUntil":"soon""#),
        ("news", #""news":{"broadcasts":-1,"surveysDue":0,"unreadChat":2,"unreadMail":0,"urgentMail":0}"#),
        ("news", #""news":{"broadcasts":100001,"surveysDue":0,"unreadChat":2,"unreadMail":0,"urgentMail":0}"#),
    ]) func `news that no practice should send are refused`(parameter: String, text: String) throws {
        try begin()
        let recorded = try machine.recorded
        var fields = [#""available":true"#, text]
        fields.append(#""talkingPoints":[]"#)
        if parameter != "news" { fields.append("\"news\":\(Self.counts)") }
        try expect(
            call("Link.TakeNews", "{\(fields.joined(separator: ","))}"),
            error("org.varlink.service.InvalidParameter", "{\"parameter\":\"\(parameter)\"}"))
        #expect(try machine.recorded == recorded)
    }

    @Test func `a schedule of more tasks or bytes than a practice assigns is refused`() throws {
        try begin()
        func refused(_ entries: [String]) throws -> String? {
            let call = Call.frame(Link.TakeSchedule(revision: 7, schedule: "[\(entries.joined(separator: ","))]"))
            let frame = String(decoding: call.dropLast(), as: UTF8.self)
            let reply = try Reply(frame: Array(#require(try station.ask(frame)).utf8))
            return reply.decodeError(Homework.InvalidSchedule.self)?.reason
        }
        let task = #"[5,["calm"],"2027-03-06"]"#
        #expect(try refused(Array(repeating: task, count: 1_001)) == "The schedule has more than 1000 tasks.")
        let long = "[5,[\"\(String(repeating: "a", count: 100))\"],\"2027-03-06\"]"
        #expect(try refused(Array(repeating: long, count: 1_200)) == "The schedule has more than 131072 bytes.")
        #expect(try refused(Array(repeating: task, count: 1_000)) == nil)
    }

    @Test func `tasks that were done on another machine come with the schedule and with the news`() throws {
        try begin()
        func ask<M: Method>(_ method: M) throws -> M.Reply {
            let frame = String(decoding: Call.frame(method).dropLast(), as: UTF8.self)
            return try Reply(frame: Array(#require(try station.ask(frame)).utf8)).decode(M.Reply.self)
        }
        func done() throws -> [Happening] {
            try machine.recorded.filter { if case .completedElsewhere = $0 { true } else { false } }
        }
        let tasks = ["a", "b"].map { #"{"id":"\#($0)","breaths":5,"moods":["calm"],"due":"2027-04-01"}"# }
        _ = try ask(
            Link.TakeSchedule(
                revision: 7, schedule: "[\(tasks.joined(separator: ","))]",
                done: [.init(task: "a", day: "2027-03-01"), .init(task: "b", day: "x")]))
        #expect(try done() == [.completedElsewhere("a", on: "2027-03-01")])
        _ = try ask(
            Link.TakeNews(
                available: false, talkingPoints: [],
                news: Link.News(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: 0, broadcasts: 0),
                done: [.init(task: "/", day: "2027-03-01"), .init(task: "b", day: "2027-03-01")]))
        #expect(try done().last == .completedElsewhere("b", on: "2027-03-01"))
    }

    /// The history keeps all events for ever, so a practice that writes without end would fill the disk.
    @Test(arguments: [false, true])
    func `a hostile practice adds less than two megabytes to the history in a day, whatever is restarted`(
        byManyTasks: Bool
    ) throws {
        let machine = Machine()
        var station: ControlServerFixture? = try ControlServerFixture(machine)
        _ = try station?.ask(call("Link.Begin", #"{"practice":"practice@clinic","shares":[]}"#))
        func isTaken<M: Method>(_ method: M) throws -> Bool {
            let frame = String(decoding: Call.frame(method).dropLast(), as: UTF8.self)
            let reply = try Reply(frame: Array(#require(try station?.ask(frame)).utf8))
            #expect(reply.error == nil || reply.error == Link.TooMuchToday.name)
            return reply.error == nil
        }
        func schedule(_ number: Int) -> Link.TakeSchedule {
            let tasks = (0..<1_000).map {
                #"{"id":"\#(number % 2)-\#($0)","breaths":5,"moods":["a","b"],"due":"2027-04-01"}"#
            }
            return Link.TakeSchedule(revision: number, schedule: "[\(tasks.joined(separator: ","))]")
        }
        func choices(_ number: Int) -> Link.TakeSchedule {
            let word = String(repeating: "a", count: 97)
            let moods = (10..<60).map { "\"\(word)\($0 + number % 2)\"" }.joined(separator: ",")
            let tasks = (0..<25).map { #"{"id":"x-\#($0)","breaths":5,"moods":[\#(moods)],"due":"2027-04-01"}"# }
            return Link.TakeSchedule(revision: number, schedule: "[\(tasks.joined(separator: ","))]")
        }
        func news(_ number: Int) -> Link.TakeNews {
            let some = number % 2
            return Link.TakeNews(
                available: some == 0, provider: String(repeating: "é", count: 200 + some), talkingPoints: [],
                news: Link.News(
                    unreadMail: some, urgentMail: some, unreadChat: some, surveysDue: some, broadcasts: some))
        }
        func size() throws -> Int {
            let database = try SQLiteDatabase(machine.databaseFile, .reading)
            return try (database.number("PRAGMA page_count") ?? 0) * (database.number("PRAGMA page_size") ?? 0)
        }
        var revision = 0
        func attack() throws {
            var taken = 0
            repeat {
                revision += 1
                taken += 1
            } while try isTaken(byManyTasks ? schedule(revision) : choices(revision)) && taken < 1_000
            #expect(taken < 20)
            var told = 0
            repeat { told += 1 } while try isTaken(news(told)) && told < 10_000
            #expect(told < 2_002)
        }
        let before = try size()
        try attack()
        station = nil
        unlink(machine.folder["control"])
        machine.restart()
        station = try ControlServerFixture(machine)
        try attack()
        #expect(try size() - before < 2_000_000)
        // Each later day it may do as much again.
        machine.ring(after: .seconds(86_400))
        revision += 1
        #expect(try isTaken(choices(revision)) && isTaken(news(1)))
    }

    @Test func `shares that the practice ended are told in the status, until the client chooses again`() throws {
        try begin(.moods, .waiting)
        _ = try reply(Link.SetShares(shares: [.waiting], practiceTold: true, from: [.moods, .waiting]))
        #expect(try reply(Link.Get()).ended == [.moods])
        let sentence =
            "Your practice hears less than you agreed to here: `daybreak link share` shows it, and --change settles it."
        #expect(machine.status?.problem == sentence)
        _ = try reply(Link.SetShares(shares: [.waiting], practiceTold: true))
        #expect(try reply(Link.Get()).ended == nil && machine.status?.problem == nil)
    }

    private func points(_ points: [(at: String, text: String)]) throws -> (shown: [String], leftOut: Int?) {
        let leftOut = try reply(
            Link.TakeNews(
                available: false, talkingPoints: points.map { .init(at: $0.at, text: $0.text) },
                news: Link.News(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: 0, broadcasts: 0))
        ).leftOut
        return (try reply(Provider.Presence()).talkingPoints?.map(\.text) ?? [], leftOut)
    }

    @Test func `a talking point that is not fit is left out by itself, and a tab becomes four blanks`() throws {
        try begin()
        let at = "2027-03-05T08:00:00Z"
        let long = String(repeating: "é", count: Note.byteLimit / 2)
        let some = try points([
            (at, "first\tpoint\r\nof two"), (at, "\u{1B}]0;x"), ("now", "x"), (at, " \t"), (at, long + "a"), (at, long),
            (at, "second"),
        ])
        #expect(some.shown == ["first    point\nof two", long, "second"])
        #expect(some.leftOut == 4)
        #expect(try points([(at, "again")]).leftOut == nil)
        let many = try points((1...21).map { (at, "\($0)") })
        #expect(many.shown == (1...20).map { "\($0)" } && many.leftOut == 1)
    }

    @Test func `no condition of the link is shown once its process has ended`() throws {
        try begin()
        let process = station.client()
        process.send(call("Link.Happenings", more: true))
        _ = try station.message(for: process)
        try expect(
            call("Link.Tell", #"{"condition":"connected","nextTry":"2027-03-05T02:00:00+01:00"}"#),
            #"{"parameters":{}}"#)
        #expect(try reply(Link.Get()).condition == .connected)
        process.leave()
        try station.settle()
        let state = try reply(Link.Get())
        #expect(state.condition == nil && state.nextTry == nil)
    }

    @Test func `a report that was heard is a sign of the practice`() throws {
        let device = try begin()
        #expect(try reply(Link.Get()).lastHeard == nil)
        _ = try reply(Link.Reported(device: device, through: 0))
        #expect(try reply(Link.Get()).lastHeard == "2027-03-05T00:00:00+00:00")
    }

    @Test func `the link's own report is remembered while the history is away`() throws {
        try begin()
        machine.hideHistory()
        try expect(call("Link.Tell", #"{"condition":"resting"}"#), #"{"parameters":{}}"#)
        machine.bringHistoryBack()
        #expect(try reply(Link.Get()).condition == .resting)
        try expect(
            call("Link.Tell", #"{"condition":"failing","sentence":"\u001b[2J"}"#),
            error("org.varlink.service.InvalidParameter", #"{"parameter":"sentence"}"#))
    }
}
