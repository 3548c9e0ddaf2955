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

/// A real daemon with its history on a disk, the link, and a practice, with everything between them that can go wrong.
final class ExchangeWorld {
    let machine = Machine.withSample()
    private(set) var station: ControlServerFixture?
    private(set) var practice = PracticeModel()
    private var practiceCopies: [PracticeModel] = []
    private var historyCopies: [String] = []
    private var link = LinkMachine(seed: 1)
    private var random: SplitMix64
    private var now: Int64 = 1
    private var wakeAt = Int64.max
    private var isOnline = true
    /// The calls on their way to the practice, and its answers on their way back.
    private var calls: [LinkMachine.Line: [LinkMachine.PracticeCall]] = [:]
    private var answers: [LinkMachine.Input] = []
    private var isFollowing = false
    private var followedRevision: Int?
    private var inputs: [LinkMachine.Input] = []
    private var isTurning = false
    private var kills = 0
    /// The ids of happenings of which the practice must never hear: they were not shared when they happened.
    private(set) var kept: Set<String> = []
    private(set) var faults: [String] = []
    private(set) var figures: [String: Int] = [:]

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        station = try ControlServerFixture(machine)
        let shares = someShares()
        practice.shares = shares
        let names = shares.sorted().map { "\"\($0)\"" }.joined(separator: ",")
        _ = call("Link.Begin", "{\"practice\":\"practice@clinic\",\"shares\":[\(names)]}")
        frame()
    }

    private func count(_ what: String) { figures[what, default: 0] += 1 }

    private func chance(_ one: Int, in many: Int) -> Bool { Int.random(in: 0..<many, using: &random) < one }

    private func someShares() -> Set<String> {
        Set(Link.Share.allCases.map(\.rawValue).filter { _ in chance(2, in: 3) })
    }

    // MARK: The daemon

    private func call(_ method: String, _ parameters: String = "") -> Reply? {
        guard let station else { return nil }
        do {
            let text = try station.ask(HomeworkDaemonTests.call(method, parameters)) ?? ""
            return try Reply(frame: Array(text.utf8))
        } catch {
            faults.append("\(method): \(error)")
            return nil
        }
    }

    private func call(_ method: some Method) -> Reply? {
        guard let station else { return nil }
        do {
            let frame = String(decoding: Call.frame(method).dropLast(), as: UTF8.self)
            return try Reply(frame: Array((try station.ask(frame) ?? "").utf8))
        } catch {
            faults.append("\(error)")
            return nil
        }
    }

    func happenings() -> Link.Happenings.Reply? {
        do { return try call(Link.Happenings())?.decode(Link.Happenings.Reply.self) } catch { return nil }
    }

    private var events: [Event] {
        do { return try machine.history?.events() ?? [] } catch { return [] }
    }

    /// The daemon's stream brings its state.
    private func frame() { if let frame = happenings() { take(.frame(frame)) } }

    /// The machine is elsewhere for weeks, without a network. The client lives through every day of them.
    private func travel() {
        count("journeys")
        isOnline = false
        for _ in 1...Int.random(in: 1...40, using: &random) {
            count("days offline")
            let before = events.count
            // It wakes up once before the midnight or after it, at any hour.
            machine.ring(after: .seconds(Int.random(in: 1...86_399, using: &random)))
            machine.ring(after: .seconds(86_400 - Int.random(in: 1...3_600, using: &random)))
            keep(from: before)
            for _ in 0..<Int.random(in: 0...3, using: &random) { live() }
            frame()
            deliver()
            pass(86_400 * 1_000_000)
        }
        isOnline = true
        frame()
    }

    private func restartDaemon(with copy: String? = nil) {
        if copy == nil { count("daemon kills") }
        take(.daemonGone)
        station = nil
        unlink(machine.folder["control"])
        machine.restart {
            guard let copy, let bytes = FileManager.default.contents(atPath: copy) else { return }
            for suffix in ["-wal", "-shm"] { unlink(machine.databaseFile + suffix) }
            guard FileManager.default.createFile(atPath: machine.databaseFile, contents: bytes) else {
                return faults.append("no copy")
            }
        }
        do { station = try ControlServerFixture(machine) } catch { faults.append("\(error)") }
    }

    /// Puts an older copy in the history's place, as a backup of the whole home does.
    private func restore() {
        guard let copy = historyCopies.randomElement(using: &random) else { return }
        count("restores")
        restartDaemon(with: copy)
    }

    private func backUp() {
        let copy = machine.folder["copy-\(historyCopies.count).db"]
        guard historyCopies.count < 3, let history = machine.history else { return }
        do {
            try history.backUp(to: copy)
            historyCopies.append(copy)
        } catch { faults.append("\(error)") }
    }

    // MARK: The client

    private func live() {
        let before = events.count
        switch Int.random(in: 0..<9, using: &random) {
        case 0: machine.ask(.start(nil))
        case 1:
            machine.ask(.start(nil), .breathe)
            machine.ring(after: .seconds(30))
        case 2: machine.ring(after: .seconds(60))
        case 3: machine.ask(.online(), .join)
        case 4: machine.ask(.leave)
        case 5: machine.ask(.logMood("calm"))
        case 6: machine.ask(.cancel)
        case 7: machine.ask(.addNote(Note(recorded: "Note \(now)"), .nextSession))
        default: machine.ring(after: .seconds(86_400))
        }
        keep(from: before)
    }

    /// Notes which of the new events are not shared.
    private func keep(from count: Int) {
        let all = events
        guard let link = machine.daemon.plan.link, count < all.count else { return }
        let since = Sharing(link).since
        for index in count..<all.count {
            guard let happening = Link.Happening(all[index], index + 1, .utc), happening.what != "scheduleTaken",
                since[happening.what] == nil
            else { continue }
            kept.insert(happening.id)
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
        practice.shares = wanted
        guard chance(9, in: 10) else { return }  // It was killed.
        set(wanted, isTold: true)
    }

    private func set(_ shares: Set<String>, isTold: Bool) {
        let names = shares.sorted().map { "\"\($0)\"" }.joined(separator: ",")
        _ = call("Link.SetShares", "{\"shares\":[\(names)],\"practiceTold\":\(isTold)}")
    }

    private func assign() {
        count("assignments")
        let today = machine.clock.moment.wall.day
        let entries = (1...Int.random(in: 1...3, using: &random)).map {
            "[\($0 + 1),[\"calm\"],\"\(today + Int.random(in: 5..<20, using: &random))\"]"
        }
        practice.assign("[\(entries.joined(separator: ","))]")
        if isFollowing { answers.append(.news(practice.news(to: followedRevision))) }
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
        // Sent messages may still arrive.
        if isOnline, chance(1, in: 2) { for call in calls[line] ?? [] { hear(call, isAnswered: false) } }
        calls[line] = nil
        if line == .follow { isFollowing = false }
        answers.removeAll {
            switch $0 {
            case .news: line == .follow
            case .practiceAnswered: line == .exchange
            default: false
            }
        }
    }

    private func carryOut(_ call: LinkMachine.DaemonCall) {
        // Time alone may bring events.
        machine.ring()
        let before = clientsEvents
        if chance(1, in: 60) { return killLink() }
        let reply: Reply? =
            switch call {
            case .takeSchedule(let revision, let text): self.call(Link.TakeSchedule(revision: revision, schedule: text))
            case .takeNews, .tell: nil
            case .reported(let device, let through, let id):
                self.call(Link.Reported(device: device, through: through, id: id))
            case .renewDevice(let device): self.call(Link.RenewDevice(device: device))
            case .setShares(let shares, let present):
                self.call(Link.SetShares(shares: shares, practiceTold: true, from: present))
            }
        if case .renewDevice = call { count("renewed devices") }
        if case .takeSchedule = call {
        } else if before != clientsEvents {
            faults.append("\(call) changed the client's history")
        }
        if chance(1, in: 60) { return killLink() }
        take(.answered(call, reply?.error.map { .refused($0) } ?? .done, happenings()))
    }

    private var clientsEvents: [Happening] {
        events.map(\.what).filter {
            switch $0 {
            case .linked, .sharesChanged, .reported, .deviceRenewed, .newsHeard, .unlinked, .reminderSent: false
            default: true
            }
        }
    }

    private func killLink() {
        count("link kills")
        for line in [LinkMachine.Line.follow, .exchange] { close(line) }
        link = LinkMachine(seed: UInt64.random(in: .min ... .max, using: &random))
        (inputs, kills) = ([], kills + 1)
    }

    // MARK: The network

    private func hear(_ call: LinkMachine.PracticeCall, isAnswered: Bool) {
        if case .follow(_, let revision) = call {
            guard isAnswered else { return }
            (isFollowing, followedRevision) = (true, revision)
            return answers.append(.news(practice.news(to: revision)))
        }
        let answer = practice.answer(call)
        if isAnswered { answers.append(.practiceAnswered(answer)) }
    }

    /// One call arrives, or one answer.
    private func deliver() {
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
            // The answer may be lost after the practice has taken the report.
            guard chance(9, in: 10) else {
                count("lost answers")
                hear(call, isAnswered: false)
                return drop(line)
            }
            return hear(call, isAnswered: true)
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
        // No two events of different histories happen in the same microsecond.
        machine.clock.advance(by: .seconds(1))
        switch Int.random(in: 0..<101, using: &random) {
        case 100: travel()
        case 0..<30: live()
        case 30..<62: deliver()
        case 62..<74: frame()
        case 74..<82: pass(Int64.random(in: 1...400, using: &random) * 1_000_000)
        case 82..<85: changeShares()
        case 85..<88: assign()
        case 88..<92: isOnline.toggle()
        case 92: killLink()
        case 93: restartDaemon()
        case 94: backUp()
        case 95: restore()
        case 96: take(.networkChanged(isResume: chance(1, in: 2)))
        case 97: practiceCopies.append(practice)
        case 98:
            // The practice came back from a backup, with the shares of today.
            guard let copy = practiceCopies.randomElement(using: &random), chance(1, in: 3) else { return }
            count("practices restored")
            let shares = practice.shares
            practice = copy
            practice.shares = shares
        default: take(.daemonGone)
        }
    }

    /// Lets everything come to rest, with a network that works. False if it does not. A practice that came back without any
    /// schedule sends none.
    func rest() -> Bool {
        isOnline = true
        for _ in 0..<400 {
            frame()
            for _ in 0..<4 { deliver() }
            pass(400 * 1_000_000)
            if calls.allSatisfy(\.value.isEmpty), answers.isEmpty, let state = happenings(), state.waiting == 0,
                state.practiceTold, [state.revision ?? 0, 0].contains(practice.revision)
            {
                return true
            }
        }
        return false
    }

    /// The happenings that the practice has to know by now.
    var owed: [String] {
        guard let link = machine.daemon.plan.link else { return [] }
        let sharing = Sharing(link)
        return events.enumerated().compactMap { index, event -> String? in
            guard let happening = Link.Happening(event, index + 1, .utc) else { return nil }
            let since = happening.what == "scheduleTaken" ? sharing.sinceLinked : sharing.since[happening.what]
            guard let since, index + 1 > since else { return nil }
            return happening.id
        }
    }
}
