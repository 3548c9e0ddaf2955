import DaybreakInterfaces
import PracticeInterfaces
import Testing
import Text

@testable import DaybreakLink

/// When the link tries again, and what it says.
@Suite struct LinkMachineTests {
    private static let second: Int64 = 1_000_000
    private static let hour = 3_600 * second

    private static func frame(
        hold: Bool = false, told: Bool = true, wishes: Int = 0, shares: [Link.Share] = [], revision: Int? = nil,
        happenings: [Link.Happening] = [], reported: Int = 0, dismissed: [String]? = nil
    ) -> LinkMachine.Frame {
        LinkMachine.Frame(
            practice: "practice@clinic", device: "d", shares: shares, practiceTold: told, revision: revision,
            takesSchedule: true, hold: hold, reported: reported, happenings: happenings, waiting: happenings.count,
            wishes: wishes, dismissed: dismissed)
    }

    private static func news(revision: Int = 0, schedule: String? = nil, link: String? = nil) -> Care.News {
        Care.News(
            revision: revision, schedule: schedule, available: false, link: link, talkingPoints: [], unreadMail: 0,
            urgentMail: 0, unreadChat: 0, surveysDue: 0, broadcasts: 0, shares: [])
    }

    private static func trouble(_ kind: LinkMachine.Trouble.Kind = .passing) -> LinkMachine.Trouble {
        LinkMachine.Trouble(kind: kind, sentence: "No.")
    }

    private static func wake(_ actions: [LinkMachine.Action]) -> Int64? {
        actions.lazy.compactMap { if case .wake(let at) = $0 { at } else { nil } }.last
    }

    private static func isAsking(_ actions: [LinkMachine.Action]) -> Bool {
        actions.contains { if case .ask(.follow, _) = $0 { true } else { false } }
    }

    private static func settled(_ actions: [LinkMachine.Action], _ machine: inout LinkMachine, at now: Int64)
        -> [LinkMachine.Action]
    {
        var all = actions
        for case .daemon(let call) in actions {
            all += settled(machine.take(.answered(call, .done, nil), at: now), &machine, at: now)
        }
        return all
    }

    @Test func `failures are tried again after 1 s, doubling to five minutes, and after a day each hour`() throws {
        var machine = LinkMachine(seed: 7)
        var now: Int64 = 1
        #expect(Self.isAsking(machine.take(.frame(Self.frame()), at: now)))
        var pauses: [Int64] = []
        var said = 0
        while now < 26 * Self.hour {
            let actions = Self.settled(machine.take(.ended(.follow, Self.trouble()), at: now), &machine, at: now)
            said += actions.count { if case .say = $0 { true } else { false } }
            let at = try #require(Self.wake(actions))
            pauses.append(at - now)
            now = at
            #expect(Self.isAsking(machine.take(.time, at: now)))
        }
        for (index, pause) in pauses.enumerated() {
            let middle = Double(index < 9 ? Self.second << Int64(index) : 300 * Self.second)
            guard Double(pause) < 1_000_000 * 1_000 else { break }
            #expect((middle * 0.79...middle * 1.21).contains(Double(pause)), "pause \(index)")
        }
        #expect(
            pauses.last.map { (Int64(Double(Self.hour) * 0.8)...Int64(Double(Self.hour) * 1.2)).contains($0) } == true)
        // Once, and then every four hours.
        #expect((6...8).contains(said))
    }

    @Test func `a removed key and a closed practice are told in sentences`() {
        #expect(
            LinkMachine.Trouble(refusal: Practice.SignedOut.name).sentence
                == "The practice does not take this machine's key any more. Ask the practice for an invitation.")
        for passing in [
            Practice.StorageUnavailable.name, Practice.TooManyConnections.name, Practice.TooManyCalls.name,
            Practice.CallUnfinished.name, Practice.RepliesUnread.name,
        ] { #expect(LinkMachine.Trouble(refusal: passing).kind == .passing) }
        let denied = Trouble.of(Array("practice@clinic.example: Permission denied (publickey).\r\n".utf8))
        #expect(denied.kind == .passing)
        #expect(denied.sentence.hasPrefix("The practice does not take this machine's key now."))
        #expect(
            LinkMachine.Trouble(refusal: "org.example.Other").sentence == "The practice refuses: org.example.Other.")
    }

    @Test func `a final trouble stops it, and a wish begins again`() {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame()), at: 1)
        let stopped = Self.settled(machine.take(.ended(.follow, Self.trouble(.final)), at: 2), &machine, at: 2)
        #expect(Self.wake(stopped) == .max)
        #expect(!Self.isAsking(machine.take(.time, at: 100 * Self.hour)))
        #expect(Self.isAsking(machine.take(.frame(Self.frame(wishes: 1)), at: 100 * Self.hour)))
    }

    @Test func `a link that was stopped begins again in another network`() {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame()), at: 1)
        _ = Self.settled(machine.take(.ended(.follow, Self.trouble(.final)), at: 2), &machine, at: 2)
        #expect(Self.isAsking(machine.take(.networkChanged(isResume: false), at: 3)))
    }

    @Test func `after a resume or a change of the network it tries at once`() {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame()), at: 1)
        for _ in 1...8 {
            _ = Self.settled(machine.take(.ended(.follow, Self.trouble()), at: 2), &machine, at: 2)
            _ = machine.take(.time, at: 1_000 * Self.second)
        }
        _ = Self.settled(machine.take(.ended(.follow, Self.trouble()), at: 3), &machine, at: 3)
        #expect(Self.isAsking(machine.take(.networkChanged(isResume: false), at: 4)))
        let resumed = machine.take(.networkChanged(isResume: true), at: 5)
        #expect(resumed.first == .close(.follow) && Self.isAsking(resumed))
    }

    @Test func `after a change of the network an open connection is made anew`() {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true)), at: 1)
        _ = Self.settled(machine.take(.news(Self.news()), at: 2), &machine, at: 2)
        let changed = machine.take(.networkChanged(isResume: false), at: 3)
        #expect(changed.first == .close(.follow) && Self.isAsking(changed))
    }

    @Test func `an urgent letter on a held line is handed over at once, and one on a line that rests at the next look`()
    {
        var letter = Self.news()
        (letter.unreadMail, letter.urgentMail) = (1, 1)
        for isHeld in [true, false] {
            var machine = LinkMachine(seed: 7)
            _ = machine.take(.frame(Self.frame(hold: isHeld)), at: 1)
            let rests = Self.settled(machine.take(.news(Self.news()), at: 2), &machine, at: 2)
            #expect(rests.contains(.close(.follow)) != isHeld)
            let now = Self.second
            var heard = machine.take(.news(letter), at: now)
            #expect(heard.contains(.daemon(.takeNews(letter))) == isHeld)
            guard !isHeld else { continue }
            let next = Self.wake(rests) ?? 0
            #expect((Self.second * 240...Self.second * 360).contains(next))
            #expect(Self.isAsking(machine.take(.time, at: next)))
            heard = machine.take(.news(letter), at: next)
            #expect(heard.contains(.daemon(.takeNews(letter))))
        }
    }

    @Test func `after a change of the network a link that rests goes on resting`() {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame()), at: 1)
        _ = Self.settled(machine.take(.news(Self.news()), at: 2), &machine, at: 2)
        #expect(!Self.isAsking(machine.take(.networkChanged(isResume: false), at: 3)))
    }

    @Test func `the next look is told after each failure, and when the clock is set`() {
        func isTelling(_ actions: [LinkMachine.Action]) -> Bool {
            actions.contains { if case .daemon(.tell) = $0 { true } else { false } }
        }
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame()), at: 1)
        for now in [2, 50 * Self.second, 100 * Self.second] {
            let failed = machine.take(.ended(.follow, Self.trouble()), at: now)
            #expect(isTelling(failed))
            _ = Self.settled(failed, &machine, at: now)
            #expect(Self.isAsking(machine.take(.networkChanged(isResume: true), at: now)))
        }
        let rest = Self.settled(machine.take(.ended(.follow, Self.trouble()), at: Self.hour), &machine, at: Self.hour)
        #expect(Self.wake(rest) != nil && !isTelling(machine.take(.time, at: Self.hour)))
        #expect(isTelling(machine.take(.clockSet, at: Self.hour)))
    }

    @Test func `troubles that come in turn are logged once each, and no more than twenty`() {
        var machine = LinkMachine(seed: 7)
        var now: Int64 = 1
        _ = machine.take(.frame(Self.frame()), at: now)
        var said: [String] = []
        for number in 0..<60 {
            let trouble = LinkMachine.Trouble(kind: .passing, sentence: number < 10 ? "\(number % 2)" : "\(number)")
            let actions = Self.settled(machine.take(.ended(.follow, trouble), at: now), &machine, at: now)
            for case .say(let sentence) in actions { said.append(sentence) }
            now += 400 * Self.second
            _ = machine.take(.time, at: now)
        }
        #expect(said.prefix(3) == ["0", "1", "10"] && said.filter { ["0", "1"].contains($0) }.count == 2)
        #expect(said.count == LinkMachine.mostSentences)
    }

    @Test func `a report that fails after each news is tried again in longer and longer pauses`() throws {
        let happening = Link.Happening(sequence: 9, id: "1-9", at: "", day: "", what: "started")
        let frame = Self.frame(hold: true, shares: [.completed], happenings: [happening])
        var news = Self.news()
        news.shares = ["completed"]
        var machine = LinkMachine(seed: 7)
        var now: Int64 = 1
        _ = machine.take(.frame(frame), at: now)
        var pauses: [Int64] = []
        for _ in 0..<9 {
            _ = Self.settled(machine.take(.news(news), at: now), &machine, at: now)
            let refused = machine.take(.practiceAnswered(.refused(Practice.StorageUnavailable.name)), at: now)
            let at = try #require(Self.wake(Self.settled(refused, &machine, at: now)))
            pauses.append((at - now) / Self.second)
            now = at
            #expect(Self.isAsking(machine.take(.time, at: now)))
        }
        #expect(try #require(pauses.last) > 200, "\(pauses)")
        // Once it is reported, the trouble is over.
        _ = Self.settled(machine.take(.news(news), at: now), &machine, at: now)
        var told = frame
        (told.reported, told.happenings) = (9, [])
        let reported = LinkMachine.DaemonCall.reported(device: "d", through: 9, id: "1-9")
        #expect(machine.take(.practiceAnswered(.heard(9, id: "1-9")), at: now).contains(.daemon(reported)))
        let over = machine.take(.answered(reported, .done, told), at: now)
        #expect(over.contains(.close(.exchange)))
        #expect(machine.take(.frame(told), at: now).contains(.say("The practice is heard again.")))
    }

    // MARK: Changes by the client

    /// Another program told the practice, whose news of that may come after the daemon's frame.
    @Test func `a share that was just agreed to is not taken for one that the practice refuses`() {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true, shares: [.moods])), at: 1)
        var news = Self.news()
        news.shares = ["moods"]
        _ = Self.settled(machine.take(.news(news), at: 2), &machine, at: 2)
        let asked = machine.take(.frame(Self.frame(hold: true, shares: [.moods, .completed])), at: 3)
        #expect(asked.contains(.ask(.exchange, .profile)))
        // The news of before may come in between.
        let between = Self.settled(machine.take(.news(news), at: 3), &machine, at: 3)
        let answered = machine.take(.practiceAnswered(.profile(shares: ["completed", "moods"])), at: 4)
        for case .daemon(.setShares) in asked + between + answered { Issue.record("\(asked + between + answered)") }
    }

    @Test func `once the practice's schedule counts again, it is asked for anew`() {
        var machine = LinkMachine(seed: 7)
        var frame = Self.frame(hold: true)
        frame.takesSchedule = false
        _ = machine.take(.frame(frame), at: 1)
        _ = Self.settled(machine.take(.news(Self.news(revision: 1, schedule: "[]")), at: 2), &machine, at: 2)
        let again = machine.take(.frame(Self.frame(hold: true)), at: 3)
        #expect(again.contains(.close(.follow)) && Self.isAsking(again))
    }

    // MARK: A hostile practice

    @Test(arguments: [-5, -1, Int.min]) func `a practice that has heard less than nothing is not understood`(heard: Int)
    {
        let happening = Link.Happening(sequence: 9, id: "1-9", at: "", day: "", what: "started")
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true, shares: [.completed], happenings: [happening])), at: 1)
        var news = Self.news()
        news.shares = ["completed"]
        let asked = Self.settled(machine.take(.news(news), at: 2), &machine, at: 2)
        #expect(asked.contains(.ask(.exchange, .report(device: "d", []))))
        let actions = machine.take(.practiceAnswered(.heard(heard, id: nil)), at: 3)
        #expect(actions.contains(.say("The practice's answer is not understood: it may be of another version.")))
        #expect(actions.contains(.close(.exchange)))
    }

    /// The calls to the daemon of which a flood of news is the cause, with the times, over one hour.
    private static func flood(_ machine: inout LinkMachine, _ news: (Int) -> Care.News) -> [LinkMachine.DaemonCall] {
        var calls: [LinkMachine.DaemonCall] = []
        _ = machine.take(.frame(frame(hold: true)), at: 1)
        // Five in a second, less than what ends the connection.
        for number in 0..<(5 * 3_600) {
            let now = 1 + Int64(number) * second / 5
            let actions = settled(machine.take(.news(news(number)), at: now), &machine, at: now)
            for case .daemon(let call) in actions { calls.append(call) }
        }
        return calls
    }

    @Test func `news without end become no more than one event in ten seconds, and the last ones are taken`() throws {
        var machine = LinkMachine(seed: 7)
        let calls = Self.flood(&machine) { number in
            var news = Self.news()
            news.available = number.isMultiple(of: 2)
            return news
        }.filter { if case .takeNews = $0 { true } else { false } }
        #expect(calls.count == 60 + 359)
        let last = Self.settled(machine.take(.time, at: 3_700 * Self.second), &machine, at: 3_700 * Self.second)
        var news = Self.news()
        news.available = false
        #expect(last.contains(.daemon(.takeNews(news))))
    }

    @Test func `revisions that go to and fro bring no more than ten schedules, and one in ten minutes`() {
        var machine = LinkMachine(seed: 7)
        let calls = Self.flood(&machine) { Self.news(revision: 1 + $0 % 2, schedule: "[]") }
        #expect(calls.count { if case .takeSchedule = $0 { true } else { false } } == 10 + 5)
    }

    @Test func `a practice that sends hundreds of messages a second is left alone for an hour`() throws {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true)), at: 1)
        var sent = 0
        var actions: [LinkMachine.Action] = []
        repeat {
            sent += 1
            actions = Self.settled(machine.take(.news(Self.news()), at: 2), &machine, at: 2)
        } while !actions.contains(.close(.follow)) && sent < 10_000
        #expect(sent == 1_001)
        #expect(actions.contains(.say("The practice sends too much.")))
        #expect(try #require(Self.wake(actions)) >= Int64(Double(Self.hour) * 0.8))
    }

    @Test func `a practice that sends more bytes than it may is left alone for an hour, and the status says so`() throws
    {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true)), at: 1)
        _ = Self.settled(machine.take(.news(Self.news()), at: 2), &machine, at: 2)
        let chunk = 64 * 1_024
        func receive(at now: Int64) -> [LinkMachine.Action] {
            Self.settled(machine.take(.received(.follow, bytes: chunk), at: now), &machine, at: now)
        }
        var received = 0
        var actions: [LinkMachine.Action] = []
        repeat {
            received += chunk
            actions = receive(at: 3)
        } while !actions.contains(.close(.follow)) && received < 100 * LinkMachine.bytesAnHour
        #expect(received == LinkMachine.bytesAnHour + chunk)
        #expect(actions.contains(.say("The practice sends too much.")))
        let tells = actions.compactMap { action -> String? in
            if case .daemon(.tell(.failing, let sentence, _)) = action { sentence } else { nil }
        }
        #expect(tells == ["The practice sends too much."])
        let next = try #require(Self.wake(actions))
        #expect(next >= Int64(Double(Self.hour) * 0.8))
        // An hour later it may send as much again, and the sentence is not logged twice.
        #expect(Self.isAsking(machine.take(.time, at: next)))
        #expect(!receive(at: next).contains(.close(.follow)))
        let said = (0..<(2 * LinkMachine.bytesAnHour / chunk)).flatMap { _ in receive(at: next) }
        #expect(said.contains(.close(.follow)) && !said.contains(.say("The practice sends too much.")))
    }

    private static let keptForLater = [
        (Link.TooMuchToday.name, "The practice changes the schedule too often: the rest is taken tomorrow."),
        (
            Homework.StorageUnavailable.name,
            "The history cannot be written now: the practice's schedule is taken later."
        ),
    ]

    @Test(arguments: keptForLater)
    func `a schedule that is too much for today, or that cannot be written, is kept for later, and the status says so`(
        refusal: String, sentence: String
    ) {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true)), at: 1)
        let call = LinkMachine.DaemonCall.takeSchedule(revision: 1, schedule: "[]")
        func tells(_ actions: [LinkMachine.Action]) -> [String?] {
            actions.compactMap { action -> String?? in
                if case .daemon(.tell(.connected, let sentence, _)) = action { sentence } else { nil }
            }
        }
        _ = Self.settled(machine.take(.news(Self.news()), at: 2), &machine, at: 2)
        let offered = machine.take(.news(Self.news(revision: 1, schedule: "[]")), at: 3)
        #expect(offered.contains(.daemon(call)))
        _ = Self.settled(offered.filter { $0 != .daemon(call) }, &machine, at: 3)
        let refused = machine.take(.answered(call, .refused(refusal), nil), at: 3)
        #expect(refused.contains(.say(sentence)) && !refused.contains(.daemon(call)))
        #expect(tells(refused) == [sentence])
        _ = Self.settled(refused, &machine, at: 3)
        let later = 4 + 600 * Self.second
        let again = machine.take(.time, at: later)
        #expect(again.contains(.daemon(call)))
        let taken = Self.settled(again, &machine, at: later)
        #expect(tells(taken) == [nil])
    }

    @Test func `news that are too much for today, and talking points that are left out, are told in the status`() {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true)), at: 1)
        _ = Self.settled(machine.take(.news(Self.news()), at: 2), &machine, at: 2)
        func sentences(_ answer: LinkMachine.DaemonAnswer, at now: Int64) -> [String?] {
            let call = LinkMachine.DaemonCall.takeNews(Self.news())
            _ = machine.take(.news(Self.news()), at: now)
            let actions = machine.take(.answered(call, answer, nil), at: now)
            _ = Self.settled(actions, &machine, at: now)
            return actions.compactMap { action -> String?? in
                if case .daemon(.tell(.connected, let sentence, _)) = action { sentence } else { nil }
            }
        }
        let tooMuch = "The practice changes its news too often: the rest is taken tomorrow."
        let leftOut = "Talking points of the practice are left out: they are too long, too many or not readable."
        #expect(sentences(.refused(Link.TooMuchToday.name), at: 3) == [tooMuch])
        #expect(sentences(.refused(Link.TooMuchToday.name), at: 4) == [])
        #expect(sentences(.taken(leftOut: 2), at: 5) == [nil, leftOut])
        #expect(sentences(.taken(leftOut: 0), at: 6) == [nil])
    }

    @Test(arguments: [2, .min]) func `a dismissed announcement is told to the practice at once, and once`(told: Int) {
        var machine = LinkMachine(seed: 7)
        var news = Self.news()
        news.broadcasts = told
        news.announcements = ["b1", "b2"].map {
            .init(id: $0, revision: 1, text: "Closed.", dismissable: true, level: "notice")
        }
        _ = machine.take(.frame(Self.frame()), at: 1)
        _ = Self.settled(machine.take(.news(news), at: 2), &machine, at: 2)
        func asked(_ actions: [LinkMachine.Action]) -> [String] {
            actions.compactMap { if case .ask(_, .dismiss(let id)) = $0 { id } else { nil } }
        }
        let frame = LinkMachine.Input.frame(Self.frame(dismissed: ["b1", "b9"]))
        #expect(Self.isAsking(machine.take(frame, at: 3)))
        var actions = Self.settled(machine.take(.news(news), at: 3), &machine, at: 3)
        #expect(asked(actions) == ["b1"])
        actions = machine.take(.practiceAnswered(.dismissed), at: 4)
        var less = news
        less.broadcasts = told == 2 ? 1 : .max
        less.announcements?.removeFirst()
        #expect(actions.contains(.daemon(.takeNews(less))))
        actions = Self.settled(actions, &machine, at: 4)
        #expect(asked(actions) == ["b9"])
        // The practice knows it no more.
        actions = Self.settled(
            machine.take(.practiceAnswered(.refused(Practice.NotFound.name)), at: 5), &machine, at: 5)
        #expect(asked(actions + Self.settled(machine.take(frame, at: 6), &machine, at: 6)) == [])
        #expect(!actions.contains { if case .say = $0 { true } else { false } })
    }

    @Test func `a practice that hangs up after each news is tried again in longer and longer pauses, and logged once`()
        throws
    {
        var machine = LinkMachine(seed: 7)
        var now: Int64 = 1
        var said: [String] = []
        var pauses: [Int64] = []
        _ = machine.take(.frame(Self.frame(hold: true)), at: now)
        for _ in 0..<10 {
            var actions = Self.settled(machine.take(.news(Self.news()), at: now), &machine, at: now)
            actions += Self.settled(machine.take(.ended(.follow, Self.trouble()), at: now), &machine, at: now)
            for case .say(let sentence) in actions { said.append(sentence) }
            let at = try #require(Self.wake(actions))
            pauses.append((at - now) / Self.second)
            now = at
            _ = machine.take(.time, at: now)
        }
        #expect(said == ["No.", "The practice is heard again."])
        #expect(try #require(pauses.last) >= 240, "\(pauses)")
        // After a quarter of an hour without trouble it begins anew.
        _ = Self.settled(machine.take(.news(Self.news()), at: now), &machine, at: now)
        now += LinkMachine.calm
        let later = Self.settled(machine.take(.ended(.follow, Self.trouble()), at: now), &machine, at: now)
        let soon = try #require(Self.wake(later))
        #expect(later.contains(.say("No.")) && soon - now < 2 * Self.second)
    }

    @Test
    func `a practice that invents ever new troubles fills the journal with no more than some dozens of lines a day`()
        throws
    {
        var machine = LinkMachine(seed: 7)
        var (now, said): (Int64, Int) = (1, 0)
        _ = machine.take(.frame(Self.frame(hold: true)), at: now)
        for round in 0..<2_000 {
            var actions = Self.settled(machine.take(.news(Self.news()), at: now), &machine, at: now)
            let trouble = LinkMachine.Trouble(kind: .passing, sentence: "No \(round).")
            actions += Self.settled(machine.take(.ended(.follow, trouble), at: now), &machine, at: now)
            for case .say in actions { said += 1 }
            now += round % 10 == 9 ? LinkMachine.calm : 30 * Self.second
            _ = machine.take(.time, at: now)
        }
        let days = Int(now / (24 * LinkMachine.hour)) + 1
        #expect((20...60 * days).contains(said), "\(said) in \(days) days")
    }

    @Test func `words of a hostile machine become one short line without escape sequences`() {
        let evil = "A\u{1B}]0;x\u{7}\nB\u{202E}\u{2028}C" + String(repeating: "e\u{301}", count: 5_000)
        for trouble in [
            LinkMachine.Trouble(refusal: evil), LinkMachine.Trouble(kind: .passing, sentence: evil),
            Trouble.of(Array(evil.utf8)),
        ] {
            #expect(trouble.sentence.firstHidden == nil && trouble.sentence.utf8.count <= 1_600)
        }
    }

    @Test func `a practice that does not answer is given up after a minute`() {
        var machine = LinkMachine(seed: 7)
        let asked = machine.take(.frame(Self.frame()), at: 1)
        #expect(Self.wake(asked) == 1 + LinkMachine.patience)
        let over = machine.take(.time, at: 1 + LinkMachine.patience)
        #expect(over.first == .close(.follow) && over.contains(.say("The practice does not answer.")))
    }

    @Test func `it looks every five minutes, and holds the connection while it is to be held`() throws {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame()), at: 1)
        let heard = Self.settled(machine.take(.news(Self.news()), at: 2), &machine, at: 2)
        #expect(heard.contains(.close(.follow)))
        let at = try #require(Self.wake(heard))
        #expect((239...361).contains(at / Self.second))
        #expect(Self.isAsking(machine.take(.frame(Self.frame(hold: true)), at: 3)))
        #expect(!Self.settled(machine.take(.news(Self.news()), at: 4), &machine, at: 4).contains(.close(.follow)))
        #expect(Self.settled(machine.take(.frame(Self.frame()), at: 5), &machine, at: 5).contains(.close(.follow)))
    }

    @Test func `a schedule is offered with the tasks that are done elsewhere, so that none is asked for again`() {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true)), at: 1)
        var news = Self.news(revision: 2, schedule: "[]")
        news.done = [Care.Done(task: "a", day: "2027-03-05")]
        let actions = machine.take(.news(news), at: 2)
        #expect(actions.contains(.daemon(.takeSchedule(revision: 2, schedule: "[]", done: news.done ?? []))))
        news.schedule = nil
        #expect(actions.contains(.daemon(.takeNews(news))))
    }

    @Test func `a schedule is offered once, also if it is refused, and a refused part of the news is left out`() {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true)), at: 1)
        let news = Self.news(revision: 2, schedule: "[", link: "http://x")
        let first = machine.take(.news(news), at: 2)
        #expect(first.contains(.daemon(.takeSchedule(revision: 2, schedule: "["))))
        let refused = machine.take(
            .answered(
                .takeSchedule(revision: 2, schedule: "["), .refused("org.daybreak.Homework.InvalidSchedule"), nil),
            at: 3)
        #expect(refused.contains { if case .say = $0 { true } else { false } })
        var bare = news
        bare.schedule = nil
        let less = machine.take(
            .answered(.takeNews(bare), .refused("org.varlink.service.InvalidParameter", parameter: "link"), nil), at: 4)
        bare.link = nil
        #expect(less.contains(.daemon(.takeNews(bare))))
        let second = machine.take(.news(news), at: 5)
        #expect(!second.contains(.daemon(.takeSchedule(revision: 2, schedule: "["))))
    }

    @Test func `the client is told that a part of the news was refused, until there is none`() {
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true)), at: 1)
        func told(_ actions: [LinkMachine.Action]) -> [String?] {
            actions.compactMap { if case .daemon(.tell(_, let sentence, _)) = $0 { .some(sentence) } else { nil } }
        }
        let news = Self.news(link: "http://x")
        _ = machine.take(.news(news), at: 2)
        let less = machine.take(
            .answered(.takeNews(news), .refused("org.varlink.service.InvalidParameter", parameter: "link"), nil), at: 3)
        #expect(told(less) == ["The practice's news was refused in part: link."])
        var bare = news
        bare.link = nil
        #expect(told(machine.take(.answered(.takeNews(bare), .taken(leftOut: 0), nil), at: 4)) == [])
        _ = machine.take(.news(bare), at: 5)
        #expect(told(machine.take(.answered(.takeNews(bare), .taken(leftOut: 0), nil), at: 6)) == [nil])
    }

    @Test func `breaths alone wait for the next look`() {
        let breath = Link.Happening(sequence: 9, id: "1-9", at: "", day: "", what: "breathed")
        var machine = LinkMachine(seed: 7)
        _ = machine.take(.frame(Self.frame(hold: true, shares: [.breaths])), at: 1)
        var news = Self.news()
        news.shares = ["breaths"]
        _ = Self.settled(machine.take(.news(news), at: 2), &machine, at: 2)
        let quiet = machine.take(.frame(Self.frame(hold: true, shares: [.breaths], happenings: [breath])), at: 3)
        #expect(!quiet.contains { if case .ask(.exchange, _) = $0 { true } else { false } })
        let over = machine.take(.frame(Self.frame(shares: [.breaths], happenings: [breath])), at: 4)
        #expect(over.contains(.ask(.exchange, .report(device: "d", []))))
    }
}
