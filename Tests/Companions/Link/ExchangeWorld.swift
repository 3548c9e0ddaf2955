import DaybreakInterfaces
import Foundation
import HomeworkRules
import PracticeInterfaces
import TestSupport
import Time
import UnixTestSupport
import Varlink

@testable import DaybreakLink
@testable import HomeworkDaemon
@testable import HomeworkDaemonTests

/// The daemons of a client and of a practice, each with its files on a disk, and the link between them. Everything can go
/// wrong.
final class ExchangeWorld {
    private let machine = Machine.withSample()
    private var station: ControlServerFixture?
    let practice: PracticeSide
    private var historyCopies: [String] = []
    /// False if nothing goes wrong unless the test brings it about.
    private let isRough: Bool
    private var link = LinkMachine(seed: 1)
    private var random: SplitMix64
    private var now: Int64 = 1
    private var wakeAt = Int64.max
    var isOnline = true
    /// The calls on their way to the practice, and its answers on their way back.
    private var calls: [LinkMachine.Line: [LinkMachine.PracticeCall]] = [:]
    private var answers: [LinkMachine.Input] = []
    /// Calls of dropped connections, and repetitions, that arrive in any order.
    private var stragglers: [LinkMachine.PracticeCall] = []
    private var isFollowing = false
    /// The next answer to a report is lost; the report is kept in ``lostReport``.
    var losesNextAnswer = false
    /// The next report does not arrive; it is kept in ``lostReport``.
    var losesNextReport = false
    private(set) var lostReport: LinkMachine.PracticeCall?
    private var inputs: [LinkMachine.Input] = []
    private var isTurning = false
    private var kills = 0
    /// The ids of happenings of which the practice must never hear: they were not shared when they happened.
    private(set) var notShared: Set<String> = []
    /// The ids of happenings of which the practice need not hear any more, because the client withdrew the share. An older
    /// history that is restored may have it still.
    private var withdrawn: Set<String> = []
    private(set) var faults: [String] = []
    private(set) var figures: [String: Int] = [:]

    /// - Parameter shares: nil for some by chance.
    init(seed: UInt64, shares: Set<String>? = nil, isRough: Bool = true) throws {
        random = SplitMix64(seed: seed)
        self.isRough = isRough
        practice = try PracticeSide()
        station = try ControlServerFixture(machine)
        let shares = shares ?? someShares()
        try tell(.setShares(shares.sorted()))
        _ = call(Link.Begin(practice: "practice@clinic", shares: shares.sorted().compactMap(Link.Share.init)))
        frame()
    }

    private func count(_ what: String) { figures[what, default: 0] += 1 }

    private func chance(_ one: Int, in many: Int) -> Bool { Int.random(in: 0..<many, using: &random) < one }

    /// One of so many messages has bad luck.
    private func fate(in many: Int, _ what: String) -> Bool {
        guard isRough, chance(1, in: many) else { return false }
        count(what)
        return true
    }

    private func someShares() -> Set<String> {
        Set(Link.Share.allCases.map(\.rawValue).filter { _ in chance(4, in: 5) })
    }

    /// Notes an error as a fault of the world.
    @discardableResult
    private func attempt<Value>(_ deed: () throws -> Value) -> Value? {
        do { return try deed() } catch {
            faults.append("\(error)")
            return nil
        }
    }

    // MARK: The daemon

    private func call(_ method: some Method) -> Reply? {
        guard let station else { return nil }
        return attempt {
            let frame = String(decoding: Call.frame(method).dropLast(), as: UTF8.self)
            return try Reply(frame: Array((try station.ask(frame) ?? "").utf8))
        }
    }

    func happenings() -> Link.Happenings.Reply? {
        do { return try call(Link.Happenings())?.decode(Link.Happenings.Reply.self) } catch { return nil }
    }

    private var events: [Event] { attempt { try machine.history?.events() ?? [] } ?? [] }

    /// The daemon's stream brings its state.
    private func frame() { if let frame = happenings() { take(.frame(frame)) } }

    /// The machine is elsewhere, without a network. The client lives through every day.
    func travel(days: Int) {
        count("journeys")
        isOnline = false
        for _ in 1...days {
            count("days offline")
            let before = events.count
            // It wakes up once before the midnight or after it, at any hour.
            machine.ring(after: .seconds(Int.random(in: 1...86_399, using: &random)))
            machine.ring(after: .seconds(86_400 - Int.random(in: 1...3_600, using: &random)))
            noteUnshared(from: before)
            for _ in 0..<Int.random(in: 0...3, using: &random) { live() }
            frame()
            deliver()
            pass(86_400 * 1_000_000)
        }
        isOnline = true
        frame()
    }

    /// Ends the daemon as a kill does, and starts it again from its files, or from a copy of its history.
    private func restartDaemon(with copy: String? = nil) {
        if copy == nil { count("daemon kills") }
        take(.daemonGone)
        station = nil
        unlink(machine.folder["control"])
        let (file, log) = (copy ?? machine.databaseFile, copy == nil ? machine.databaseFile + "-wal" : "")
        let left = [file, log].map { FileManager.default.contents(atPath: $0) ?? Data() }
        machine.restart {
            for (suffix, bytes) in zip(["", "-wal"], left) {
                let isWritten = FileManager.default.createFile(atPath: machine.databaseFile + suffix, contents: bytes)
                if !isWritten { faults.append("no history") }
            }
            unlink(machine.databaseFile + "-shm")
        }
        station = attempt { try ControlServerFixture(machine) }
    }

    /// Puts an older copy in the history's place, as a backup of the whole home does. A client has ten devices a month, so it
    /// happens no more often.
    func restoreHistory() {
        guard figures["renewed devices"] ?? 0 < 8, let copy = historyCopies.randomElement(using: &random) else {
            return
        }
        count("restored histories")
        // No two events of different histories happen in the same microsecond: an event's id is made of it.
        machine.clock.advance(by: .seconds(1))
        restartDaemon(with: copy)
    }

    func backUpHistory() {
        let copy = machine.folder["copy-\(historyCopies.count).db"]
        guard historyCopies.count < 3, let history = machine.history else { return }
        attempt { try history.backUp(to: copy) }
        historyCopies.append(copy)
    }

    // MARK: The client

    private func live() {
        machine.clock.advance(by: .seconds(1))
        let before = events.count
        switch Int.random(in: 0..<12, using: &random) {
        case 0: machine.ask(.start(nil))
        case 1:
            machine.ask(.start(nil), .breathe)
            machine.ring(after: .seconds(30))
        case 2: machine.ring(after: .seconds(60))
        case 3: machine.ask(.online(), .join)
        case 4: machine.ask(.leave)
        case 5: machine.ask(.logMood("calm"))
        case 6: machine.ask(.cancel)
        case 7, 8: machine.ask(.addNote(Note(recorded: "Note \(now)"), .nextSession))
        case 9, 10: doTask()
        default: machine.ring(after: .seconds(86_400))
        }
        noteUnshared(from: before)
    }

    /// Notes which of the new events are not shared.
    private func noteUnshared(from count: Int) {
        let all = events
        guard let link = machine.daemon.plan.link, count < all.count else { return }
        let since = Sharing(link).since
        for index in count..<all.count {
            guard let happening = Link.Happening(all[index], index + 1, .utc), happening.what != "scheduleTaken",
                since[happening.what] == nil
            else { continue }
            notShared.insert(happening.id)
        }
    }

    /// As `daybreak link share` does it.
    private func changeShares() {
        guard let present = happenings() else { return }
        count("changes of shares")
        let old = Set(present.shares.map(\.rawValue))
        let wanted = someShares()
        let rest = old.intersection(wanted)
        if rest != old { set(rest, isTold: false) }
        guard isOnline, chance(4, in: 5) else { return }
        attempt { try tell(.setShares(wanted.sorted())) }
        guard chance(9, in: 10) else { return }  // It was killed.
        set(wanted, isTold: true)
    }

    private func set(_ shares: Set<String>, isTold: Bool) {
        _ = call(Link.SetShares(shares: shares.sorted().compactMap(Link.Share.init), practiceTold: isTold))
        noteWithdrawn()
    }

    private func noteWithdrawn() {
        let all = events.enumerated().compactMap { Link.Happening($1, $0 + 1, .utc)?.id }
        withdrawn.formUnion(Set(all).subtracting(owed))
    }

    private func assign() {
        count("assignments")
        let today = machine.clock.moment.wall.day
        let entries = (1...Int.random(in: 1...3, using: &random)).map {
            "[\($0 + 1),[\"calm\"],\"\(today + Int.random(in: 0..<10, using: &random))\"]"
        }
        assign("[\(entries.joined(separator: ","))]")
    }

    func assign(_ schedule: String) {
        setPracticesClock()
        attempt { try practice.assign(schedule) }
        hearNews()
    }

    // MARK: The link

    private func take(_ input: LinkMachine.Input) {
        inputs.append(input)
        guard !isTurning else { return }
        isTurning = true
        defer { isTurning = false }
        while !inputs.isEmpty {
            let kills = self.kills
            for action in link.take(inputs.removeFirst(), at: now) where kills == self.kills { perform(action) }
        }
    }

    private func perform(_ action: LinkMachine.Action) {
        switch action {
        case .ask(let line, let call): calls[line, default: []].append(call)
        case .close(let line): close(line)
        case .say: break
        case .wake(let at): wakeAt = at
        case .daemon(let call): carryOut(call)
        }
    }

    private func close(_ line: LinkMachine.Line) {
        // Sent messages may still arrive, at any time.
        for call in calls[line] ?? [] where fate(in: 2, "late messages") { stragglers.append(call) }
        calls[line] = nil
        if line == .follow {
            isFollowing = false
            practice.unfollow()
        }
        answers.removeAll {
            switch $0 {
            case .news, .ended: line == .follow
            case .practiceAnswered: line == .exchange
            default: false
            }
        }
    }

    private func carryOut(_ call: LinkMachine.DaemonCall) {
        // Time alone may bring events.
        machine.ring()
        let before = clientsEvents
        if fate(in: 60, "link kills") { return killLink() }
        let wall = machine.clock.instant
        let reply = self.call(call.method { spelled(wall + .seconds($0)) })
        switch call {
        case .renewDevice: count("renewed devices")
        case .setShares: noteWithdrawn()
        default: break
        }
        // A practice that knows of a task which a restored history does not know as done tells that it was done elsewhere.
        if case .takeSchedule = call {
        } else if case .takeNews(let news) = call, news.done?.isEmpty == false {
        } else if before != clientsEvents {
            faults.append("\(call) changed the client's history")
        }
        if fate(in: 60, "link kills") { return killLink() }
        let answer = reply.flatMap { reply in attempt { try call.answer(reply) } }
        take(.answered(call, answer ?? .refused("NoDaemon"), call.changesFrame ? happenings() : nil))
    }

    private func spelled(_ instant: Instant) -> String { DateTime(instant, offset: .zero).description }

    /// The client's own events, without those that the link recorded.
    var clientsEvents: [Happening] {
        events.map(\.what).filter {
            switch $0 {
            case .linked, .sharesChanged, .reported, .deviceRenewed, .newsHeard, .unlinked, .reminderSent,
                .presenceTold:
                false
            default: true
            }
        }
    }

    private func killLink() {
        for line in [LinkMachine.Line.follow, .exchange] { close(line) }
        link = LinkMachine(seed: UInt64.random(in: .min ... .max, using: &random))
        (inputs, kills) = ([], kills + 1)
    }

    // MARK: The network

    /// The clocks of the two machines differ by some hours.
    private func setPracticesClock() { practice.setClock(machine.clock.instant + .seconds(-5 * 3_600)) }

    /// The practice carries out a call that is not `follow`.
    @discardableResult
    private func tell(_ call: LinkMachine.PracticeCall) throws -> LinkMachine.PracticeAnswer {
        setPracticesClock()
        return try practice.answer(call)
    }

    /// The practice's news for the connection that follows.
    private func hearNews() { if isFollowing { answers += attempt { try practice.news() } ?? [] } }

    /// The call arrives, and its answer is on its way.
    private func hear(_ call: LinkMachine.PracticeCall) {
        if fate(in: 12, "repeated messages") { stragglers.append(call) }
        guard case .follow = call else {
            guard let answer = attempt({ try tell(call) }) else { return }
            answers.append(.practiceAnswered(answer))
            if fate(in: 20, "repeated answers") { answers.append(.practiceAnswered(answer)) }
            return hearNews()
        }
        setPracticesClock()
        isFollowing = true
        answers += attempt { try practice.follow(call) } ?? []
    }

    /// A message of a dropped connection, or a repeated one, arrives. Nobody hears its answer.
    private func hearStraggler() {
        guard let index = stragglers.indices.randomElement(using: &random) else { return }
        let call = stragglers.remove(at: index)
        if case .follow = call {
            setPracticesClock()
            attempt { try practice.followInVain(call) }
        } else {
            attempt { try tell(call) }
        }
        hearNews()
    }

    private func killPractice() {
        attempt { try practice.kill() }
        for line in [LinkMachine.Line.exchange, .follow] { drop(line) }
    }

    /// One call arrives, or one answer.
    private func deliver() {
        if chance(1, in: 10) { hearStraggler() }
        if !isOnline {
            for line in [LinkMachine.Line.follow, .exchange]
            where calls[line]?.isEmpty == false || line == .follow && isFollowing {
                drop(line)
            }
            return
        }
        let waiting = calls.filter { !$0.value.isEmpty }.keys.sorted { "\($0)" < "\($1)" }
        if let line = waiting.randomElement(using: &random), answers.isEmpty || chance(1, in: 2) {
            guard let call = calls[line]?.removeFirst() else { return }
            if fate(in: 40, "practice kills") { return killPractice() }
            if case .report(_, let told) = call, losesNextReport, !told.isEmpty {
                (losesNextReport, lostReport) = (false, call)
                return drop(line)
            }
            hear(call)
            // The practice has carried it out, and the answer is lost.
            if case .report(_, let told) = call, losesNextAnswer, !told.isEmpty {
                (losesNextAnswer, lostReport) = (false, call)
                return drop(line)
            }
            if fate(in: 10, "lost answers") { return drop(line) }
            if fate(in: 40, "practice kills") { return killPractice() }
            return
        }
        if !answers.isEmpty { take(answers.removeFirst()) }
    }

    private func drop(_ line: LinkMachine.Line) {
        count("dropped connections")
        close(line)
        take(.ended(line, LinkMachine.Trouble(kind: .passing, sentence: "It dropped.")))
    }

    private func pass(_ length: Int64) {
        now += length
        if now >= wakeAt {
            wakeAt = .max
            take(.time)
        }
    }

    // MARK: Living

    func step() {
        switch Int.random(in: 0..<101, using: &random) {
        case 100: if chance(1, in: 2) { travel(days: .random(in: 1...40, using: &random)) }
        case 0..<30: for _ in 0..<3 { live() }
        case 30..<62: for _ in 0..<Int.random(in: 1...6, using: &random) { deliver() }
        case 62..<74: frame()
        case 74..<82: pass(Int64.random(in: 1...400, using: &random) * 1_000_000)
        case 82..<84: changeShares()
        case 84..<88: assign()
        case 88..<92: isOnline.toggle()
        case 92:
            count("link kills")
            killLink()
        case 93: restartDaemon()
        case 94: backUpHistory()
        case 95: restoreHistory()
        case 96: take(.networkChanged(isResume: chance(1, in: 2)))
        case 97: attempt { try practice.backUp() }
        case 98: if chance(1, in: 3) { restorePractice() }
        case 99: killPractice()
        default: take(.daemonGone)
        }
    }

    func restorePractice() {
        for line in [LinkMachine.Line.exchange, .follow] { drop(line) }
        // A report of before would leave a gap before it that the practice cannot see.
        stragglers = []
        let isRestored = attempt { try practice.restore { $0.randomElement(using: &random) } }
        if isRestored == true { count("restored practices") }
    }

    // MARK: Steps of a test

    /// Nothing goes wrong in it by itself.
    static func quiet(shares: Set<String>) throws -> ExchangeWorld {
        try ExchangeWorld(seed: 1, shares: shares, isRough: false)
    }

    var today: CalendarDay { machine.clock.moment.wall.day }

    /// The client's notes for the next session.
    var notes: [String] {
        events.compactMap { if case .noteWritten(nil, let note) = $0.what { note.text } else { nil } }
    }

    /// Assigns until the schedule has a number that the client never had. A restored practice counts from a lower one.
    func assignAnew() {
        var day = today + 100
        repeat {
            assign("[[1, \"calm\", \"\(day)\"]]")
            day = day + 1
        } while (attempt { try practice.homework().revision } ?? .max) <= happenings()?.revision ?? 0
    }

    func nextDay() { machine.ring(after: .seconds(86_400)) }

    func note(_ text: String, _ place: NotePlace = .nextSession) {
        machine.clock.advance(by: .seconds(1))
        machine.ask(.addNote(Note(recorded: text), place))
    }

    /// As `daybreak link share` does it.
    func share(_ wanted: Set<String>) {
        let old = Set((happenings()?.shares ?? []).map(\.rawValue))
        if !old.isSubset(of: wanted) { set(old.intersection(wanted), isTold: false) }
        attempt { try tell(.setShares(wanted.sorted())) }
        set(wanted, isTold: true)
    }

    /// The client does the task of the day, with a breath and a session.
    func doTask() {
        machine.ask(.start(nil), .breathe)
        machine.ring(after: .seconds(60))
        machine.ask(.online(), .join)
        machine.ask(.leave)
        machine.ask(.logMood("calm"))
    }

    /// The link tries at once to do what it has to, until no message is on its way.
    func lookNow() {
        frame()
        for _ in 0..<100 where !isSilent { deliver() }
    }

    /// The link sees the daemon's state, and tries to do what it has to.
    func look() {
        frame()
        deliver()
        pass(86_400 * 1_000_000)
    }

    /// No message is on its way.
    private var isSilent: Bool { calls.allSatisfy(\.value.isEmpty) && answers.isEmpty && stragglers.isEmpty }

    /// Lets everything come to rest, with a network that works. False if it does not. A practice that came back without any
    /// schedule sends none.
    func rest() -> Bool {
        isOnline = true
        for _ in 0..<400 {
            pass(400 * 1_000_000)
            frame()
            for _ in 0..<100 where !isSilent { deliver() }
            guard isSilent else { continue }
            guard let state = happenings(), let homework = attempt({ try practice.homework() }) else { continue }
            let isEqual = [state.revision ?? 0, 0].contains(homework.revision)
            if state.waiting == 0, state.practiceTold, isEqual { return true }
        }
        return false
    }

    /// The happenings that the practice has to know by now, in their order.
    var owed: [String] {
        guard let link = machine.daemon.plan.link else { return [] }
        let sharing = Sharing(link)
        return events.enumerated().compactMap { index, event -> String? in
            guard let happening = Link.Happening(event, index + 1, .utc) else { return nil }
            let since = happening.what == "scheduleTaken" ? sharing.sinceLinked : sharing.since[happening.what]
            guard let since, index + 1 > since, !withdrawn.contains(happening.id) else { return nil }
            return happening.id
        }
    }
}
