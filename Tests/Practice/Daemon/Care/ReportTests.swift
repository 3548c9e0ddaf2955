import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Storage
import Testing
import Varlink

@testable import PracticeDaemon
@testable import PracticeStore

extension Clinic.Day {
    static let schedule = """
        [[5, "calm,tired", "2027-03-05"], [5, "calm,tired", "2027-03-06"]]
        """

    /// The client's own Daybreak.
    var device: Clinic.TestCaller { clinic.as(cleo) }

    func share(_ shares: String...) throws { try device.call(Care.SetShares(shares: shares)) }

    func happening(
        _ sequence: Int, _ what: String, id: String? = nil, at: String = "2027-03-05T09:00:00+01:00",
        day: String = "2027-03-05", task: String? = "2027-03-05", breaths: Int? = nil, mood: String? = nil,
        text: String? = nil, revision: Int? = nil
    ) -> Care.Happening {
        Care.Happening(
            sequence: sequence, id: id ?? "e\(sequence)", at: at, day: day, what: what, task: task, breaths: breaths,
            mood: mood, text: text, revision: revision)
    }

    @discardableResult
    func report(_ happenings: Care.Happening..., from device: String = "laptop") throws -> Care.Report.Reply {
        try self.device.call(Care.Report(device: device, happenings: happenings))
    }

    /// The kept happenings, in the order in which they were heard.
    func heard() throws -> [String] {
        try clinic.writer.storage.store().database.rows(
            "SELECT device, sequence, name, what FROM happening ORDER BY id"
        ) {
            "\($0.text(0) ?? "") \($0.int(1) ?? 0) \($0.text(2) ?? "") \($0.text(3) ?? "")"
        }
    }
}

@Suite struct `A device's happening is taken once` {
    private func day() throws -> Clinic.Day {
        let day = try Clinic.Day()
        try day.share("completed", "moods", "breaths", "notes", "waiting")
        return day
    }

    @Test func `an answer that was lost after the commit is given again, and nothing is there twice`() throws {
        let day = try day()
        let told = [day.happening(1, "started"), day.happening(2, "completed", mood: "calm")]
        for _ in 1...3 {
            #expect(try day.report(told[0], told[1]) == .init(heard: 2, heardID: "e2"))
        }
        #expect(try day.heard() == ["laptop 1 e1 started", "laptop 2 e2 completed"])
        #expect(try day.report() == .init(heard: 2, heardID: "e2"))
        #expect(try day.report(from: "phone") == .init(heard: 0))
    }

    @Test func `a happening that can never be taken is named, and the others go on without it`() throws {
        let day = try day()
        let poison = day.happening(2, "completed", mood: "calm\u{1B}")
        let fault = Care.UnfitHappening(
            sequence: 2, field: "mood", reason: "must be a word of up to 100 bytes that can be seen.")
        #expect(throws: fault) { try day.report(day.happening(1, "started"), poison, day.happening(3, "left")) }
        #expect(try day.heard() == [])
        #expect(try day.report(day.happening(1, "started"), day.happening(3, "left")).heard == 3)
        #expect(try day.heard() == ["laptop 1 e1 started", "laptop 3 e3 left"])
    }

    @Test func `one call tells of many, also one of them twice, in their order`() throws {
        let day = try day()
        let many = (1...30).map { day.happening($0, "started") }
        let twice = [many[0], many[1], many[1]] + many[2...]
        let call = Care.Report(device: "laptop", happenings: twice)
        #expect(try day.device.call(call) == .init(heard: 30, heardID: "e30"))
        #expect(try day.heard() == (1...30).map { "laptop \($0) e\($0) started" })
        let bad = Care.Happening(
            sequence: 31, id: "a\u{0}b", at: many[0].at, day: many[0].day, what: "started", task: many[0].task)
        let fault = Care.UnfitHappening(
            sequence: 31, field: "id", reason: "must be 1 to 64 letters, digits, dots, underscores or hyphens.")
        #expect(throws: fault) { try day.report(bad) }
    }

    @Test func `a device whose clock was years ahead is heard, and its time counts as that of the telling`() throws {
        let day = try day()
        let ahead = day.happening(1, "completed", at: "2036-01-01T09:00:00+01:00", day: "2036-01-01")
        #expect(try day.report(ahead) == .init(heard: 1, heardID: "e1"))
        // The answer was lost.
        day.clinic.clock.advance(by: .seconds(60))
        #expect(try day.report(ahead, day.happening(2, "left")) == .init(heard: 2, heardID: "e2"))
        #expect(try day.heard() == ["laptop 1 e1 completed", "laptop 2 e2 left"])
        let days = try day.clinic.look().rows("SELECT on_day FROM happening ORDER BY sequence") { $0.text(0) ?? "" }
        #expect(days == ["2027-03-05", "2027-03-05"])
    }

    @Test func `a device with an older history takes a new name, and nothing is lost or there twice`() throws {
        let day = try day()
        try day.report(day.happening(1, "started"), day.happening(2, "completed"), day.happening(3, "started"))
        // The device was restored to its first happening, and other events followed.
        let other = [day.happening(2, "cancelled", id: "f2"), day.happening(3, "started", id: "f3")]
        #expect(throws: Care.Reused(device: "laptop", sequence: 2)) { try day.report(other[0], other[1]) }
        #expect(try day.report().heardID == "e3")
        let all = [day.happening(1, "started")] + other
        #expect(try day.report(all[0], all[1], all[2], from: "laptop-2") == .init(heard: 3, heardID: "f3"))
        #expect(
            try day.heard() == [
                "laptop 1 e1 started", "laptop 2 e2 completed", "laptop 3 e3 started", "laptop-2 2 f2 cancelled",
                "laptop-2 3 f3 started",
            ])
    }

    @Test func `a happening below the last one heard is not passed over: the device has to take a new name`() throws {
        let day = try day()
        // The calls arrived in the wrong order.
        try day.report(day.happening(4, "completed"))
        #expect(throws: Care.Reused(device: "laptop", sequence: 1)) { try day.report(day.happening(1, "started")) }
        #expect(throws: Care.Reused(device: "laptop", sequence: 2)) {
            try day.report(day.happening(5, "started"), day.happening(2, "left"))
        }
        #expect(
            try day.report(day.happening(1, "started"), day.happening(4, "completed"), from: "laptop-2")
                == .init(heard: 4, heardID: "e4"))
        #expect(try day.heard() == ["laptop 4 e4 completed", "laptop-2 1 e1 started"])
    }

    @Test func `the same id with other content is refused, and a repetition that says less is heard`() throws {
        let day = try day()
        try day.report(day.happening(1, "completed", breaths: 5, mood: "calm"))
        let fault = Care.UnfitHappening(
            sequence: 1, field: "id", reason: "must be new: it is that of another happening.")
        #expect(throws: fault) { try day.report(day.happening(1, "completed", mood: "tired")) }
        #expect(throws: fault) { try day.report(day.happening(1, "missed"), from: "phone") }
        // The client has withdrawn the share since.
        try day.share("completed")
        #expect(try day.report(day.happening(1, "completed")).heard == 1)
        #expect(try day.heard() == ["laptop 1 e1 completed"])
    }

    @Test func `two devices of one client tell in their own order, late and early`() throws {
        let day = try day()
        try day.report(day.happening(7, "completed", id: "p7"), from: "phone")
        try day.report(day.happening(1, "started", id: "l1", at: "2027-02-05T09:00:00+01:00", day: "2027-02-05"))
        let old = day.happening(8, "missed", id: "p8", at: "2027-01-05T09:00:00+01:00", day: "2027-01-05")
        try day.report(old, from: "phone")
        #expect(try day.report(from: "phone") == .init(heard: 8, heardID: "p8"))
        #expect(try day.report() == .init(heard: 1, heardID: "l1"))
    }

    @Test func `a happening that is not shared has the whole call refused, until it is shared`() throws {
        let day = try day()
        try day.share("completed")
        let told = [day.happening(1, "started"), day.happening(2, "completed", mood: "calm")]
        #expect(throws: Care.NotShared(what: "moods", sequence: 2)) { try day.report(told[0], told[1]) }
        #expect(try day.heard() == [])
        try day.share("completed", "moods")
        #expect(try day.report(told[0], told[1]).heard == 2)
        try day.share()
        #expect(throws: Care.NotShared(what: "completed", sequence: 3)) { try day.report(day.happening(3, "left")) }
        #expect(try day.report(day.happening(4, "scheduleTaken", task: nil, revision: 1)).heard == 4)
        #expect(try day.heard().count == 3)
    }

    @Test func `devices are one client's own, also under another one's name and with another one's ids`() throws {
        let day = try day()
        try day.report(day.happening(1, "completed"))
        let eve = day.clinic.as(try day.clinic.client("Eve", of: day.ana))
        try eve.call(Care.SetShares(shares: ["completed"]))
        let told = Care.Report(device: "laptop", happenings: [day.happening(1, "missed")])
        #expect(try eve.call(Care.Report(device: "laptop", happenings: [])) == .init(heard: 0))
        #expect(try eve.call(told) == .init(heard: 1, heardID: "e1"))
        #expect(try day.report() == .init(heard: 1, heardID: "e1"))
        #expect(try day.heard() == ["laptop 1 e1 completed", "laptop 1 e1 missed"])
        let mine = try day.clinic.as(day.ana).call(Care.Homework(client: day.cleo))
        #expect(mine.lastHeard != nil)
    }

    @Test func `a client has ten devices a month`() throws {
        let day = try day()
        for number in 1...10 { try day.report(from: "d\(number)") }
        #expect(throws: Care.TooManyDevices(limit: 10)) { try day.report(from: "d11") }
        #expect(try day.report(day.happening(1, "started"), from: "d10").heard == 1)
        day.clinic.clock.advance(by: .seconds(31 * 86_400))
        try day.report(from: "d11")
    }

    @Test func `a call has a thousand happenings, and a day ten thousand`() throws {
        let day = try day()
        func batch(_ first: Int, _ count: Int) throws {
            let told = (first..<first + count).map { day.happening($0, "started") }
            _ = try day.device.call(Care.Report(device: "laptop", happenings: told))
        }
        #expect(throws: Practice.Invalid.self) { try batch(1, 1_001) }
        for number in 0..<10 { try batch(number * 1_000 + 1, 1_000) }
        #expect(throws: Care.TooManyHappenings(limit: 10_000)) { try batch(10_001, 1) }
        try batch(1, 1_000)
        #expect(try day.heard().count == 10_000)
        day.clinic.clock.advance(by: .seconds(86_400))
        try batch(10_001, 1)
    }

    @Test func `a month's backlog is taken in with one call`() throws {
        let day = try day()
        let told = (1...1_000).map { day.happening($0, "completed", task: "task-\($0)", breaths: 5, mood: "calm") }
        #expect(try day.device.call(Care.Report(device: "laptop", happenings: told)).heard == 1_000)
    }

    @Test(arguments: ["", "a b", "-x", "../x", "a\n", String(repeating: "x", count: 65)])
    func `a device's name is a word`(name: String) throws {
        let day = try day()
        #expect(throws: Practice.Invalid.self) { try day.report(from: name) }
    }

    @Test func `the therapist is told once for each call, and the journal of a client who begins to wait`() throws {
        let day = try day()
        func told(_ happenings: Care.Happening...) throws -> (news: [String], lines: [String]) {
            let outcome = try day.device.outcome(Care.Report(device: "laptop", happenings: happenings))
            return (
                outcome.news.map { "\($0.person) \($0.kind) \($0.what ?? "")" }, outcome.journalLines.map(\.sentence)
            )
        }
        #expect(try told(day.happening(1, "started")) == (["p1 waiting p2"], []))
        #expect(
            try told(day.happening(2, "breathed", breaths: 5), day.happening(3, "exerciseFinished"))
                == (["p1 waiting p2"], ["A client waits: 1."]))
        #expect(try told(day.happening(3, "exerciseFinished")) == ([], []))
        #expect(try told(day.happening(4, "joined"), day.happening(5, "left")) == (["p1 waiting p2"], []))
        #expect(try told(day.happening(6, "moodCorrected", mood: "calm")) == (["p1 homework p2"], []))
        // Stages of earlier days do not count.
        let late = day.happening(7, "exerciseFinished", at: "2027-03-04T09:00:00+01:00", day: "2027-03-04")
        #expect(try told(late) == (["p1 waiting p2"], []))
    }
}

@Suite struct `Homework is assigned` {
    @Test func `the therapist's schedule gets ids, a revision, and what changed`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        let assign = Care.Assign(client: day.cleo, schedule: Clinic.Day.schedule)
        var dry = assign
        dry.dryRun = true
        #expect(try ana.call(dry) == .init(revision: 1, added: 2, changed: 0, withdrawn: 0))
        #expect(try ana.call(Care.Homework(client: day.cleo)) == .init(revision: 0, shares: [], tasks: [], notes: []))
        #expect(try ana.call(assign) == .init(revision: 1, added: 2, changed: 0, withdrawn: 0))
        #expect(try ana.call(assign) == .init(revision: 1, added: 0, changed: 0, withdrawn: 0))
        let other = Care.Assign(client: day.cleo, schedule: #"[[7, "calm,tired", "2027-03-06"]]"#)
        #expect(
            try ana.call(other)
                == .init(
                    revision: 2, added: 0, changed: 1, withdrawn: 1,
                    withdrawnTasks: [.init(id: "2027-03-05", due: "2027-03-05")]))
        #expect(
            try ana.call(Care.Homework(client: day.cleo))
                == .init(
                    revision: 2, shares: [],
                    tasks: [.init(id: "2027-03-06", due: "2027-03-06", breaths: 7, state: .assigned)], notes: []))
    }

    @Test func `a fault is named with its line, column and entry, and nothing is assigned`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        let fault = Care.InvalidSchedule(
            line: 2, column: 2, entry: 1, reason: "The breath count must be at least 1.")
        #expect(throws: fault) {
            try ana.call(Care.Assign(client: day.cleo, schedule: "[\n[0, \"calm\", \"2027-03-05\"]]"))
        }
        let many = (0..<1_001).map { "[1,\"m\",\"2027-03-05T\($0 % 24 < 10 ? "0" : "")\($0 % 24):00\"]" }
        #expect(
            throws: Care.InvalidSchedule(
                line: 1, column: 1, reason: "The schedule has more than 1000 tasks, which is the limit.")
        ) { try ana.call(Care.Assign(client: day.cleo, schedule: "[" + many.joined(separator: ",") + "]")) }
        let long = String(repeating: "x", count: 90)
        let moods = (0..<20).map { "\"\(long)\($0)\"" }.joined(separator: ",")
        let heavy = (0..<100).map { _ in "[1,[\(moods)],\"2027-03-05\"]" }.joined(separator: ",")
        #expect(throws: Care.InvalidSchedule.self) {
            try ana.call(Care.Assign(client: day.cleo, schedule: "[\(heavy)]"))
        }
        #expect(try ana.call(Care.Homework(client: day.cleo)).revision == 0)
    }

    @Test func `nothing is assigned to a closed record`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Well."))
        let closed = Records.RecordClosed(client: day.cleo, closedOn: "2027-03-05")
        #expect(throws: closed) { try ana.call(Care.Assign(client: day.cleo, schedule: "[]")) }
        #expect(throws: closed) { try ana.call(Care.AddTalkingPoint(client: day.cleo, text: "How?")) }
        #expect(throws: closed) { try ana.call(Care.SetAvailable(available: true, client: day.cleo)) }
        try ana.call(Care.SetAvailable(available: false, client: day.cleo))
    }

    @Test func `talking points are shown beside the homework until a session is recorded`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        #expect(try ana.call(Care.Homework(client: day.cleo)).talkingPoints == nil)
        for text in ["Sleep?", "The letter"] { try ana.call(Care.AddTalkingPoint(client: day.cleo, text: text)) }
        let points = try ana.call(Care.Homework(client: day.cleo)).talkingPoints ?? []
        #expect(points.map(\.text) == ["Sleep?", "The letter"])
        #expect(points.allSatisfy { $0.at == "2027-03-05T09:00:00+01:00" })
        day.clinic.clock.advance(by: .seconds(60))
        try ana.call(
            Records.AddSession(
                client: day.cleo, on: "2027-03-05", minutes: 50, service: day.offers.talk, motives: [], tools: [],
                notes: ""))
        #expect(try ana.call(Care.Homework(client: day.cleo)).talkingPoints == nil)
    }

    @Test func `a session that is recorded later leaves the talking points that came after it`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        func add(_ text: String) throws {
            day.clinic.clock.advance(by: .seconds(24 * 3_600))
            try ana.call(Care.AddTalkingPoint(client: day.cleo, text: text))
        }
        func left(afterSessionOn on: String) throws -> [String] {
            day.clinic.clock.advance(by: .seconds(60))
            try ana.call(
                Records.AddSession(
                    client: day.cleo, on: on, minutes: 50, service: day.offers.talk, motives: [], tools: [], notes: ""))
            return (try ana.call(Care.Homework(client: day.cleo)).talkingPoints ?? []).map(\.text)
        }
        try add("Sleep?")
        try add("The letter")
        #expect(try left(afterSessionOn: "2027-03-05") == ["Sleep?", "The letter"])
        #expect(try left(afterSessionOn: "2027-03-06") == ["The letter"])
        #expect(try left(afterSessionOn: "2027-03-07") == [])
    }

    @Test func `a task's state is shown as far as it is shared, and a completed task stays`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try ana.call(Care.Assign(client: day.cleo, schedule: Clinic.Day.schedule))
        try day.share("completed", "moods", "breaths", "notes")
        try day.report(
            day.happening(1, "scheduleTaken", task: nil, revision: 1), day.happening(2, "started"),
            day.happening(3, "completed", breaths: 5, mood: "tired"), day.happening(4, "moodCorrected", mood: "calm"),
            day.happening(5, "noteWritten", task: nil, text: "Slept."), day.happening(6, "completed", task: "unknown"))
        let done = Care.Task(
            id: "2027-03-05", due: "2027-03-05", breaths: 5, breathsDone: 5, state: .completed,
            completedOn: "2027-03-05", mood: "calm")
        let reply = Care.Homework.Reply(
            revision: 1, takenIn: 1, shares: ["completed", "moods", "breaths", "notes"],
            tasks: [done, .init(id: "2027-03-06", due: "2027-03-06", breaths: 5, state: .assigned)],
            lastHeard: "2027-03-05T09:00:00+01:00", notes: [.init(at: "2027-03-05T09:00:00+01:00", text: "Slept.")])
        for caller in [ana, day.device] { #expect(try caller.call(Care.Homework(client: day.cleo)) == reply) }
        #expect(
            try ana.call(Care.Assign(client: day.cleo, schedule: "[]"))
                == .init(
                    revision: 2, added: 0, changed: 0, withdrawn: 1,
                    withdrawnTasks: [.init(id: "2027-03-06", due: "2027-03-06")]))
        #expect(try ana.call(Care.Homework(client: day.cleo)).tasks == [done])
    }

    @Test func `a task that was withdrawn while its client was doing it, out of reach, is shown`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try ana.call(Care.Assign(client: day.cleo, schedule: Clinic.Day.schedule))
        try day.share("completed", "moods")
        let other = #"[[3, "calm", "2027-03-07"]]"#
        #expect(
            try ana.call(Care.Assign(client: day.cleo, schedule: other))
                == .init(
                    revision: 2, added: 1, changed: 0, withdrawn: 2,
                    withdrawnTasks: [
                        .init(id: "2027-03-05", due: "2027-03-05"), .init(id: "2027-03-06", due: "2027-03-06"),
                    ]))
        try day.report(
            day.happening(1, "started"), day.happening(2, "completed", mood: "calm"),
            day.happening(3, "missed", at: "2027-03-07T01:00:00+01:00", day: "2027-03-07", task: "2027-03-06"))
        #expect(
            try ana.call(Care.Homework(client: day.cleo)).tasks == [
                .init(
                    id: "2027-03-05", due: "2027-03-05", breaths: 5, state: .completed, completedOn: "2027-03-05",
                    mood: "calm"), .init(id: "2027-03-06", due: "2027-03-06", breaths: 5, state: .missed),
                .init(id: "2027-03-07", due: "2027-03-07", breaths: 3, state: .assigned),
            ])
    }

    @Test func `a missed task is not taken away by a new schedule, and can be given another day`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try ana.call(
            Care.Assign(client: day.cleo, schedule: #"[[5, "calm", "2027-02-20"], [5, "calm", "2027-03-09"]]"#))
        try day.share("completed")
        try day.report(
            day.happening(1, "missed", at: "2027-03-04T00:00:00+01:00", day: "2027-03-04", task: "2027-02-20"))
        let missed = Care.Task(id: "2027-02-20", due: "2027-02-20", breaths: 5, state: .missed)
        let next = #"{"due":"2027-03-10","breaths":3,"moods":["calm"]}"#
        let reply = try ana.call(Care.Assign(client: day.cleo, schedule: "[\(next)]"))
        #expect(reply.withdrawnTasks?.map(\.id) == ["2027-03-09"])
        let coming = Care.Task(id: "2027-03-10", due: "2027-03-10", breaths: 3, state: .assigned)
        #expect(try ana.call(Care.Homework(client: day.cleo)).tasks == [missed, coming])
        let anew = #"{"id":"2027-02-20","due":"2027-03-08","breaths":5,"moods":["calm"]}"#
        #expect(try ana.call(Care.Assign(client: day.cleo, schedule: "[\(anew),\(next)]")).changed == 1)
        let again = Care.Task(id: "2027-02-20", due: "2027-03-08", breaths: 5, state: .assigned)
        #expect(try ana.call(Care.Homework(client: day.cleo)).tasks == [again, coming])
        day.clinic.clock.advance(by: .seconds(4 * 86_400))
        try day.report()
        #expect(try ana.call(Records.ListClients()).clients[0].late == 1, "the one that was missed on its former day")
    }

    @Test func `a task of which nothing was heard within its days stays missed under a new schedule`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try ana.call(
            Care.Assign(client: day.cleo, schedule: #"[[5, "calm", "2027-03-06"], [5, "calm", "2027-03-20"]]"#))
        try day.share("completed")
        day.clinic.clock.advance(by: .seconds(9 * 86_400))
        try day.report()
        let missed = Care.Task(id: "2027-03-06", due: "2027-03-06", breaths: 5, state: .missed)
        #expect(try ana.call(Care.Homework(client: day.cleo)).tasks.first == missed)
        let reply = try ana.call(Care.Assign(client: day.cleo, schedule: "[]"))
        #expect(reply.withdrawnTasks?.map(\.id) == ["2027-03-20"])
        #expect(try ana.call(Care.Homework(client: day.cleo)).tasks == [missed])
    }

    @Test func `a task is missed after a week of the client's own days`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        // In Auckland the 13th begins ten hours earlier than in Madrid.
        try ana.call(Records.EditClient(client: day.cleo, revision: 1, timeZone: "Pacific/Auckland"))
        let schedule = #"[[5, "calm", "2027-03-05"], [5, "calm", "2027-03-06"], [5, "calm", "2027-03-07"]]"#
        try ana.call(Care.Assign(client: day.cleo, schedule: schedule))
        try day.share("completed")
        func states() throws -> [Care.Task.State] { try ana.call(Care.Homework(client: day.cleo)).tasks.map(\.state) }
        func heardStates() throws -> [Care.Task.State] {
            try day.report()
            return try states()
        }
        // The 13th, 11:00 in Madrid: 23:00 in Auckland. Two hours later it is the 14th there.
        day.clinic.clock.advance(by: .seconds(8 * 86_400 + 2 * 3_600))
        #expect(try heardStates() == [.assigned, .assigned, .assigned])
        day.clinic.clock.advance(by: .seconds(2 * 3_600))
        #expect(try states() == [.assigned, .assigned, .assigned], "the machine was not heard since")
        // The first task may have been done on the 5th, before the sharing began.
        #expect(try heardStates() == [.assigned, .missed, .assigned])
        // From the 14th on, the client shares anew: between the two, nothing was told.
        try day.share()
        #expect(try heardStates() == [.assigned, .assigned, .assigned])
        try day.share("completed")
        #expect(try heardStates() == [.assigned, .assigned, .assigned])
    }

    @Test func `late tasks are counted for the thanatologist on the client's own days, as far as they are shared`()
        throws
    {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        // In Auckland the 13th begins ten hours earlier than in Madrid.
        try ana.call(Records.EditClient(client: day.cleo, revision: 1, timeZone: "Pacific/Auckland"))
        let week = (5...9).map { #"[5, "calm", "2027-03-0\#($0)"]"# }.joined(separator: ", ")
        try ana.call(Care.Assign(client: day.cleo, schedule: "[\(week)]"))
        func late(isHeard: Bool = true) throws -> Int {
            if isHeard { try day.report() }
            let count = try ana.call(Records.ListClients()).clients[0].late
            #expect(try ana.call(Care.Homework(client: day.cleo)).tasks.count { $0.late == true } == count)
            return count
        }
        // The 9th, 11:00 in Madrid.
        day.clinic.clock.advance(by: .seconds(4 * 86_400 + 2 * 3_600))
        #expect(try late() == 0, "nothing is shared")
        day.clinic.clock.advance(by: .seconds(-4 * 86_400))
        try day.share("moods", "waiting")
        day.clinic.clock.advance(by: .seconds(4 * 86_400))
        #expect(try late() == 0, "the completion is not shared")
        day.clinic.clock.advance(by: .seconds(-4 * 86_400))
        try day.share("completed")
        #expect(try late() == 0, "it is the 5th")
        day.clinic.clock.advance(by: .seconds(4 * 86_400))
        #expect(try late(isHeard: false) == 0, "the machine was not heard since the 5th")
        #expect(try late() == 3, "the 6th to the 8th")
        day.clinic.clock.advance(by: .seconds(2 * 3_600))
        #expect(try late() == 4, "it is the 10th in Auckland")
        try day.report(day.happening(1, "started", task: "2027-03-06"))
        #expect(try late() == 4)
        try day.report(
            day.happening(2, "completed", task: "2027-03-06"),
            day.happening(3, "missed", at: "2027-03-09T00:00:00+13:00", day: "2027-03-09", task: "2027-03-08"))
        #expect(try late() == 2)
        try ana.call(Care.Assign(client: day.cleo, schedule: #"[[5, "calm", "2027-03-07"]]"#))
        #expect(try late() == 1, "the 9th was withdrawn")
        // The 14th, 13:00 in Madrid: the 15th in Auckland.
        day.clinic.clock.advance(by: .seconds(5 * 86_400))
        #expect(try late() == 0, "a week after the 7th it is missed")
        day.clinic.clock.advance(by: .seconds(-3 * 86_400))
        #expect(try late() == 1)
        #expect(try day.clinic.root.call(Records.ListClients()).clients[0].late == 0, "the office sees no homework")
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Well."))
        #expect(try ana.call(Records.ListClients()).clients[0].late == 0, "a closed record has no homework")
    }
}

@Suite struct `What a hostile device cannot do` {
    @Test func `a client makes five thousand calls a day that leave something behind, and others go on`() throws {
        let day = try Clinic.Day()
        for _ in 1...DailyLimits.calls { try day.device.call(Care.Profile()) }
        let tooMany = Practice.TooManyToday(limit: DailyLimits.calls)
        #expect(throws: tooMany) { try day.share("moods") }
        #expect(throws: tooMany) { try day.device.call(Care.Homework(client: day.cleo)) }
        #expect(try day.device.call(Practice.WhoAmI()).person?.id == day.cleo, "reading without a trace is not counted")
        let dino = try day.clinic.client("Dino", of: day.ana)
        try day.clinic.as(dino).call(Care.SetShares(shares: ["moods"]))
        day.clinic.clock.advance(by: .seconds(15 * 3_600))
        try day.share("moods")
    }

    @Test func `a client's long letters count once for each piece`() throws {
        let day = try Clinic.Day()
        let letter = Mail.SaveDraft(subject: "Long", body: String(repeating: "x", count: 500 * 1_024))
        let pieces = 126
        for _ in 1...DailyLimits.calls / pieces { try day.device.call(letter) }
        #expect(throws: Practice.TooManyToday(limit: DailyLimits.calls)) { try day.device.call(letter) }
        try day.device.call(Mail.SaveDraft(subject: "Short", body: "x"))
    }

    @Test func `shares are changed a hundred times a day, and the same ones again have no entry in the audit`() throws {
        let day = try Clinic.Day()
        for number in 1...DailyLimits.shares { try day.share(number > 2 ? "moods" : "completed") }
        #expect(throws: Practice.TooManyToday(limit: DailyLimits.shares)) { try day.share("completed") }
        let entries = try day.device.call(Practice.Audit()).entries.filter { $0.did == "SetShares" }
        #expect(entries.count == 2)
        day.clinic.clock.advance(by: .seconds(15 * 3_600))
        try day.share("completed")
    }

    @Test func `twenty words of feedback a day`() throws {
        let day = try Clinic.Day()
        for number in 1...20 { try day.device.call(Care.GiveFeedback(text: "Word \(number)", anonymous: true)) }
        #expect(throws: Practice.TooManyToday(limit: 20)) { try day.device.call(Care.GiveFeedback(text: "More.")) }
        try day.share("moods")
    }

    @Test func `an export has all feedback, also that about the administrator who takes it out`() throws {
        let day = try Clinic.Day()
        try day.device.call(Care.GiveFeedback(text: "She listens."))
        let ben = try day.clinic.staff("Ben", .thanatologist)
        try day.clinic.root.call(Records.Transfer(client: day.cleo, to: ben, reason: "Their wish."))
        try day.clinic.root.call(Practice.EditStaff(person: day.ana, revision: 1, role: "administrator"))
        try day.clinic.as(ben).call(Records.CloseRecord(client: day.cleo, reason: "All is said."))
        let export = try day.clinic.as(day.ana).call(Records.ExportRecord(client: day.cleo, reason: "Asked for.")).file
        #expect(String(decoding: export.text, as: UTF8.self).contains("She listens."))
    }

    @Test func `the newest notes are read with the homework, and all of them are in the case file`() throws {
        let day = try Clinic.Day()
        try day.share("notes")
        let notes = (1...201).map { day.happening($0, "noteWritten", task: nil, text: "Note \($0).") }
        try day.device.call(Care.Report(device: "laptop", happenings: notes))
        let reply = try day.clinic.as(day.ana).call(Care.Homework(client: day.cleo))
        #expect(reply.notes?.map(\.text) == (2...201).map { "Note \($0)." })
        #expect(reply.moreNotes == true)
        let file = try day.clinic.as(day.ana).call(Records.CaseFile(client: day.cleo)).file
        #expect(String(decoding: file.text, as: UTF8.self).contains("Note 1."))
    }

    @Test func `all notes of a client together have a limit, which other happenings do not reach`() throws {
        let day = try Clinic.Day()
        try day.share("notes", "completed")
        let text = String(repeating: "x", count: Happening.noteLimit)
        let most = Happening.allNotesLimit / Happening.noteLimit
        for begin in stride(from: 1, through: most, by: 500) {
            let notes = (begin...min(begin + 499, most)).map { day.happening($0, "noteWritten", task: nil, text: text) }
            try day.device.call(Care.Report(device: "laptop", happenings: notes))
        }
        #expect(throws: Care.TooManyNotes(limit: Happening.allNotesLimit)) {
            try day.report(day.happening(most + 1, "noteWritten", task: nil, text: text))
        }
        try day.report(day.happening(most + 2, "completed"))
        #expect(
            try day.clinic.as(day.ana).call(Records.CaseFile(client: day.cleo)).file.text.count < 32 * 1_024 * 1_024)
    }
}

@Suite struct `A client's feedback` {
    @Test func `a key that somebody used for other feedback is refused, so that none is taken for done`() throws {
        let day = try Clinic.Day()
        let dino = day.clinic.as(try day.clinic.client("Dino", of: day.ana))
        let said = Care.GiveFeedback(text: "Well.", rating: 4, anonymous: true, key: "1")
        for _ in 1...2 { try day.device.call(said) }
        var other = said
        other.text = "Not well."
        let refused = Practice.Invalid("key", "was used for other feedback: take a new one.")
        #expect(throws: refused) { try dino.call(other) }
        other.key = "2"
        try dino.call(other)
        #expect(try day.clinic.root.call(Care.ListFeedback()).feedback.map(\.text) == ["Well.", "Not well."])
    }

    @Test func `administrators read it, the newest first, and never what is about themselves`() throws {
        let day = try Clinic.Day()
        let (ada, eva) = (
            try day.clinic.staff("Ada", .administrator), try day.clinic.staff("Eva", .administrator)
        )
        for number in 1...3 {
            try day.device.call(Care.GiveFeedback(text: "Word \(number)", rating: number, key: "k\(number)"))
            try day.device.call(Care.GiveFeedback(text: "Word \(number)", rating: number, key: "k\(number)"))
        }
        let first = try day.clinic.as(ada).call(Care.ListFeedback(limit: 2))
        #expect(first.feedback.map(\.text) == ["Word 3", "Word 2"])
        #expect(
            first.feedback.first
                == .init(
                    at: "2027-03-05T09:00:00+01:00", about: day.ana, client: day.cleo, rating: 3, text: "Word 3",
                    aboutName: "Ana", clientName: "Cleo"))
        let last = try day.clinic.as(ada).call(Care.ListFeedback(after: first.next, limit: 2))
        #expect(last.feedback.map(\.text) == ["Word 1"])
        #expect(last.next == nil)
        // Ana becomes an administrator, so her clients are transferred first.
        let ben = try day.clinic.staff("Ben", .thanatologist)
        try day.clinic.as(eva).call(Records.Transfer(client: day.cleo, to: ben, reason: "Ana changes."))
        try day.clinic.as(eva).call(Practice.EditStaff(person: day.ana, revision: 1, role: "administrator"))
        #expect(try day.clinic.as(day.ana).call(Care.ListFeedback()).feedback == [])
        #expect(try day.clinic.as(eva).call(Care.ListFeedback()).feedback.count == 3)
    }

    @Test func `feedback without a name has no place among that of its day, in a list or by its rows`() throws {
        let day = try Clinic.Day()
        try day.device.call(Care.GiveFeedback(text: "Yesterday."))
        day.clinic.clock.advance(by: .seconds(24 * 3_600))
        for (text, isAnonymous) in [("First.", false), ("Between.", true), ("Last.", false), ("Late.", true)] {
            try day.device.call(Care.GiveFeedback(text: text, anonymous: isAnonymous))
            day.clinic.clock.advance(by: .seconds(60))
        }
        for limit in 1...6 {
            var (said, cursors, after): ([String], [String], String?) = ([], [], nil)
            repeat {
                let page = try day.clinic.root.call(Care.ListFeedback(after: after, limit: limit))
                said += page.feedback.map(\.text)
                after = page.next
                if let after { cursors.append(after) }
            } while after != nil
            #expect(said == ["Last.", "First.", "Between.", "Late.", "Yesterday."])
            // The instants are on the page, too.
            let midnight = "1804287600000000"
            if limit == 1 { #expect(cursors.dropFirst(2) == ["1.\(midnight)", "2.\(midnight)"]) }
        }
        let database = try day.clinic.writer.storage.store().database
        let named = try database.rows("SELECT id FROM feedback WHERE client IS NOT NULL ORDER BY id") { $0.int(0) ?? 0 }
        #expect(named == [1, 2, 3])
        for after in ["5", "1.x", "-1.5"] {
            #expect(throws: Practice.Invalid.self) { try day.clinic.root.call(Care.ListFeedback(after: after)) }
        }
    }

    @Test func `without a name, no row of any table leads to the client, nor does the hour`() throws {
        let day = try Clinic.Day()
        let said = Care.GiveFeedback(text: "Not well.", anonymous: true, key: "anonymous-1")
        let database = try day.clinic.writer.storage.store().database
        func rows() throws -> Set<String> {
            let tables = try day.clinic.tables()
            return Set(
                try tables.flatMap { table in
                    try database.rows("SELECT * FROM \(table)") { row in
                        "\(table): " + (0..<row.count).map { row.text($0) ?? "-" }.joined(separator: "|")
                    }
                })
        }
        let before = try rows()
        let outcome = try day.device.outcome(said)
        #expect(outcome.news == [])
        #expect(outcome.journalLines == [])
        try day.device.call(said)
        // 2027-03-05 00:00 in Madrid.
        #expect(
            try rows().subtracting(before).sorted() == [
                "done_once: 0|anonymous-1|Care.GiveFeedback|f-2|1804201200000000",
                "feedback: -2|1804201200000000|1|-|-|Not well.",
            ] + (TestServer.shared == nil ? ["sqlite_sequence: feedback|0"] : []))
        #expect(
            try day.clinic.root.call(Care.ListFeedback()).feedback == [
                .init(at: "2027-03-05T00:00:00+01:00", about: day.ana, text: "Not well.", aboutName: "Ana")
            ])
    }

    @Test(.ofFile) func `without a name, its key has no number that would tell between which other calls it was given`()
        throws
    {
        let day = try Clinic.Day()
        for (key, isAnonymous) in [("c", false), ("b", true), ("a", true)] {
            try day.device.call(Care.GiveFeedback(text: key, anonymous: isAnonymous, key: key))
        }
        let database = try day.clinic.writer.storage.store().database
        let kept = try database.rows("SELECT key FROM done_once NOT INDEXED WHERE method = 'Care.GiveFeedback'") {
            $0.text(0) ?? ""
        }
        #expect(kept == ["a", "b", "c"])
        #expect(throws: SQLiteError.self) { try database.number("SELECT rowid FROM done_once") }
    }

    @Test func `the one whom it is about learns nothing of it, not even that there is any`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try day.device.call(Care.GiveFeedback(text: "Not well."))
        #expect(try !ana.call(Practice.Audit()).entries.contains { $0.did == "GiveFeedback" })
        let file = String(decoding: try ana.call(Records.CaseFile(client: day.cleo)).file.text, as: UTF8.self)
        #expect(!file.contains("feedback") && !file.contains("Not well."))
        let own = String(decoding: try day.device.call(Records.CaseFile(client: day.cleo)).file.text, as: UTF8.self)
        #expect(own.contains("Not well."))
    }

    @Test(arguments: [("", 3), ("Well.", 0), ("Well.", 6)])
    func `it says something, and has one to five stars`(text: String, rating: Int) throws {
        let day = try Clinic.Day()
        #expect(throws: Practice.Invalid.self) { try day.device.call(Care.GiveFeedback(text: text, rating: rating)) }
    }
}

@Suite struct `Homework is part of the record` {
    @Test func `the case file has all of it, and an erasure takes all of it`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try ana.call(Care.Assign(client: day.cleo, schedule: #"[[5, "calm", "2027-03-05"]]"#))
        try day.share("completed", "moods")
        try day.report(day.happening(1, "completed", mood: "calm"))
        try ana.call(Care.AddTalkingPoint(client: day.cleo, text: "Sleep?"))
        try ana.call(Care.SetAvailable(available: true, client: day.cleo))
        try day.device.call(Care.GiveFeedback(text: "Good.", rating: 5))
        let at = "2027-03-05T09:00:00+01:00"
        let file = String(decoding: try day.device.call(Records.CaseFile(client: day.cleo)).file.text, as: UTF8.self)
        let care = #"""
            "care":{"devices":[{"device":"laptop","heard":1,"lastHeard":"\#(at)","revision":0}],\#
            "feedback":[{"about":"p1","aboutName":"Ana","at":"\#(at)","client":"p2","clientName":"Cleo","rating":5,\#
            "text":"Good."}],\#
            "happenings":[{"device":"laptop","happening":{"at":"\#(at)","day":"2027-03-05","id":"e1","mood":"calm",\#
            "sequence":1,"task":"2027-03-05","what":"completed"},"received":"\#(at)"}],\#
            "schedules":[{"at":"\#(at)","by":"p1","revision":1,\#
            "tasks":[{"id":"2027-03-05","due":"2027-03-05","breaths":5,"moods":["calm"]}]}],\#
            "shares":["completed","moods"],"talkingPoints":[{"at":"\#(at)","by":"p1","text":"Sleep?"}]}
            """#.replacing("\\#\n", with: "")
        #expect(file.contains(care), "\(file)")
        try ana.call(Records.CloseRecord(client: day.cleo, reason: "Well."))
        try day.clinic.root.call(Records.EraseRecord(client: day.cleo, number: 1, reason: "Asked."))
        let database = try day.clinic.writer.storage.store().database
        for table in ["schedule", "device", "happening", "share", "availability", "talking_point", "feedback"] {
            #expect(try database.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
    }

    @Test func `the audit says who assigned, told, shared and looked`() throws {
        let day = try Clinic.Day()
        let ana = day.clinic.as(day.ana)
        try ana.call(Care.Assign(client: day.cleo, schedule: Clinic.Day.schedule))
        try day.share("completed")
        try day.report(day.happening(1, "started"), day.happening(2, "completed"))
        try day.report(day.happening(2, "completed"))
        try ana.call(Care.Homework(client: day.cleo))
        try day.device.call(Care.Profile())
        try ana.call(Care.AddTalkingPoint(client: day.cleo, text: "Sleep?"))
        let entries = try day.device.call(Practice.Audit()).entries.reversed().map {
            "\($0.person ?? "") \($0.did) \($0.what ?? "")"
        }
        #expect(
            Array(entries) == [
                "p1 AddClient p2", "p1 Assign 1", "p2 SetShares 1", "p2 Report 2", "p1 Homework 2", "p2 Profile ",
                "p1 AddTalkingPoint k1",
            ])
    }

    @Test func `a client's profile is what their record has`() throws {
        var settings = Clinic.settings
        settings.clientFields = [.sample("zz"), .sample("aa"), .sample("bb")]
        settings.clientFields[1].label = "Insurance"
        let earlier = try Clinic(settings)
        let ana = try earlier.staff("Ana", .thanatologist)
        let cleo = try earlier.as(ana).call(
            Records.AddClient(
                name: "Cleo", referredBy: "Dr. Vega", motive: "Loss.", extra: ["aa": "1", "bb": "2", "zz": "3"])
        ).client.id
        settings.clientFields.removeLast()
        let clinic = try Clinic(settings, copyOf: earlier)
        #expect(
            try clinic.as(cleo).call(Care.Profile())
                == .init(
                    name: "Cleo", number: 1, timeZone: "Europe/Madrid", thanatologist: "Ana", since: "2027-03-05",
                    shares: [], referredBy: "Dr. Vega", motive: "Loss.",
                    fields: [
                        .init(label: "zz", value: "3"), .init(label: "Insurance", value: "1"),
                        .init(label: "bb", value: "2"),
                    ]))
        let day = try Clinic.Day()
        #expect(try day.device.call(Care.Profile()).fields == nil)
    }
}
