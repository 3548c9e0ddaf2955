import DaybreakInterfaces
import DiskSupport
import Foundation
import Glibc
import HomeworkRules
import TestSupport
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// Several clients that send commands at once, all day. The provider comes and goes and sends schedules; the client walks
/// through tasks, breathes, takes notes and snoozes. Now and then the machine is linked with a practice, which sends news and
/// schedules, and hears of what is shared.
///
/// It outlives its daemons, and never sends the same mark twice.
final class Workload {
    let folder = Folder()
    let zone = Noon.zone
    /// A clock that goes on from daemon to daemon, so that a new one never finds it set back.
    private(set) lazy var clock = MovedClock(in: folder)
    private let today = Noon.today
    private let noon = Noon.instant
    private var number = 0
    /// Whether the provider is available; nil while the provider comes and goes.
    private var online: Bool?
    /// False while the machine is not to be linked with a practice.
    private var mayLink = true

    init() {
        for name in ["config", "config/daybreak", "state", "state/daybreak"] { must(mkdir(folder[name], 0o700)) }
        write("[\(entry("base"))]", to: folder["config/daybreak/tasks.json"])
        // A moved clock would pass a reminder's time again and again.
        write("[reminders]\nat = []\n", to: folder["config/daybreak/daybreak.toml"])
    }

    var state: String { folder["state/daybreak"] }

    var yesterday: String { "\(today - 1)" }

    /// A task that stays open until it is done or withdrawn, with one breath of the shortest length.
    private func entry(_ id: String, due day: String? = nil) -> String {
        """
        {"breaths": 1, "moods": ["\(id)-at-first", "\(id)-corrected"], "due": "\(day ?? yesterday)", "id": "\(id)", \
        "pattern": "1-0-1-0"}
        """
    }

    /// A schedule with one open task and `count` later ones.
    func importing(_ count: Int) -> String {
        let later = (0..<count).map { entry("later\($0)", due: "\(today + 1)") }
        let text = "[\(([entry("base")] + later).joined(separator: ", "))]"
        return call("Homework.Import", "{\"schedule\":\"\(text.replacing("\"", with: "\\\""))\"}")
    }

    /// An instant of the afternoon, this many seconds after the first.
    func later(_ seconds: Int) -> String { spell(noon + 7_200 + Int64(seconds)) }

    /// One sender of each kind, except a guide. They connect in this order.
    func senders(
        to daemon: DaemonProcess, _ kinds: [Sender.Kind] = Sender.Kind.allCases.filter { $0 != .guide }
    ) -> [Sender] {
        kinds.map { sender($0, daemon.client()) }
    }

    /// The senders of `senders(to:)`, and a guide that has begun the breath of a task of its own. The commands before that
    /// are answered.
    func sendersWithGuide(to daemon: DaemonProcess) -> [Sender] {
        let all = senders(to: daemon, Sender.Kind.allCases)
        func ask(_ kind: Sender.Kind) {
            all.first { $0.kind == kind }?.ask(1, expecting: kind == .flow ? nil : .done)
            daemon.forgetNotifications()
        }
        func has(_ word: String) -> Bool {
            all.first { $0.kind == .flow }?.lastReply?.contains("\"\(word)\":{") ?? true
        }
        mayLink = false
        // Without a link, it looks again and again.
        for _ in 1...3 { ask(.link) }
        // All open tasks are completed first, so that no breath was counted for the next one.
        online = true
        ask(.presence)
        repeat { ask(.flow) } while has("flow") || has("eligible") || !has("status")
        online = false
        ask(.presence)
        ask(.schedule)
        repeat { ask(.flow) } while !has("flow")
        (online, mayLink) = (nil, true)
        return all
    }

    private func sender(_ kind: Sender.Kind, _ client: Client) -> Sender {
        Sender(kind, client) { [unowned self] reply in
            number += 1
            switch kind {
            case .presence:
                let isThere = online ?? (number / 40).isMultiple(of: 2)
                let name = "p\(number)"
                let parameters = #"{"online":\#(isThere),"name":"\#(name)"}"#
                return .init(call: call("Provider.SetPresence", parameters), mark: name)
            case .schedule:
                let text = "[\(entry("base")), \(entry("k\(number)"))]".replacing("\"", with: "\\\"")
                return .init(call: call("Homework.Import", "{\"schedule\":\"\(text)\"}"), mark: "k\(number)")
            case .snooze:
                let until = noon + 3_600 + Int64(number) % 32_000
                return .init(call: call("Homework.Snooze", "{\"until\":\"\(spell(until))\"}"), mark: "until \(until)")
            case .notes:
                let isForNext = number.isMultiple(of: 2)
                let parameters = #"{"text":"n\#(number)","nextSession":\#(isForNext)}"#
                return .init(call: call("Homework.AddNote", parameters), mark: "n\(number)")
            case .flow: return Self.step(after: reply, number)
            case .looks: return .init(call: call(["Homework.GetStatus", "Homework.List"][number % 2]))
            case .link: return linkStep(after: reply)
            case .guide: return .init(call: call("Homework.Breathe", more: true), mark: "breathing")
            }
        }
    }

    private struct Reply: Decodable {
        struct Parameters: Decodable {
            var status: Status?
            var flow: Flow?
            var assignment: Assignment?
        }
        struct Status: Decodable {
            var flow: Flow?
            var eligible: Assignment?
        }
        struct Flow: Decodable {
            var assignment: String
            var stage: String
            var mayJoin: Bool
            var moodLogged: Bool
        }
        struct Assignment: Decodable {
            var id: String
            var state: String
            var mood: String?
        }
        var parameters: Parameters
    }

    /// The next command of a client on the way, by its last reply. Now and then it restarts or cancels.
    private static func step(after reply: String?, _ number: Int) -> Sender.Request {
        let reply = try? JSONDecoder().decode(Reply.self, from: Data((reply ?? "").utf8))  // Nil if refused.
        let seen = reply?.parameters
        func go(_ method: String, _ id: String, _ parameters: String = "") -> Sender.Request {
            .init(call: call("Homework.\(method)", parameters), mark: "\(method) \(id)")
        }
        if let flow = seen?.flow ?? seen?.status?.flow {
            let id = flow.assignment
            switch flow.stage {
            case "session": return go("Leave", id)
            case "mood", "waiting":
                if !flow.moodLogged { return go("LogMood", id, "{\"mood\":\"\(id)-at-first\"}") }
                return go(flow.mayJoin ? "Join" : "Cancel", id)
            default: return go(number % 5 == 0 ? "Cancel" : flow.mayJoin ? "Join" : "Restart", id)
            }
        }
        if let open = seen?.status?.eligible { return go("Start", open.id, "{\"assignment\":\"\(open.id)\"}") }
        if let done = seen?.assignment, done.state == "completed", done.mood?.hasSuffix("-at-first") == true {
            return go("CorrectMood", done.id, "{\"mood\":\"\(done.id)-corrected\"}")
        }
        return .init(call: call("Homework.GetStatus"))
    }

    private struct Frame: Decodable {
        struct Happening: Decodable {
            var sequence: Int
            var id: String
        }
        struct Parameters: Decodable {
            var device: String?
            var shares: [String]
            var practiceTold: Bool
            var happenings: [Happening]
        }
        var parameters: Parameters
    }

    /// The next call of the link's process, by the frame that it looked at just now.
    private func linkStep(after reply: String?) -> Sender.Request {
        // Nil after each other call.
        guard let frame = (try? JSONDecoder().decode(Frame.self, from: Data((reply ?? "").utf8)))?.parameters else {
            return .init(call: call("Link.Happenings"))
        }
        guard let device = frame.device else {
            guard mayLink else { return .init(call: call("Link.Happenings")) }
            return .init(call: call("Link.Begin", #"{"practice":"practice@clinic","shares":[]}"#), mark: "linked")
        }
        guard mayLink, !number.isMultiple(of: 31) else { return .init(call: call("Link.End"), mark: "unlinked") }
        switch number % 7 {
        case 0: return .init(call: call("Link.RenewDevice", #"{"device":"\#(device)"}"#), mark: "renewed")
        case 1, 2:
            // One of the two changes.
            let isTold = !frame.practiceTold
            let isNone = isTold ? frame.shares.isEmpty : !frame.shares.isEmpty
            let shares = isNone ? "" : #""completed","moods","notes""#
            return .init(
                call: call("Link.SetShares", #"{"shares":[\#(shares)],"practiceTold":\#(isTold)}"#),
                mark: "shares \(isNone ? 0 : 3) \(isTold)")
        case 3:
            let text = "[\(entry("base")), \(entry("r\(number)"))]".replacing("\"", with: "\\\"")
            return .init(
                call: call("Link.TakeSchedule", "{\"revision\":\(number),\"schedule\":\"\(text)\"}"),
                mark: "revision \(number)")
        case 4:
            let news = #""unreadMail":\#(number % 100_000),"urgentMail":0,"unreadChat":0,"surveysDue":0,"broadcasts":0"#
            return .init(
                call: call("Link.TakeNews", #"{"available":false,"talkingPoints":[],"news":{\#(news)}}"#),
                mark: "news \(number % 100_000)")
        default:
            guard let first = frame.happenings.first else { return .init(call: call("Link.Get")) }
            let parameters = #"{"device":"\#(device)","through":\#(first.sequence),"id":"\#(first.id)"}"#
            return .init(call: call("Link.Reported", parameters), mark: "reported \(first.sequence)")
        }
    }

    private func spell(_ second: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = [second / 3_600 % 24, second / 60 % 60, second % 60].map(two).joined(separator: ":")
        return "\(CalendarDay(ordinal: Int32(second / 86_400)))T\(time)Z"
    }
}

extension Workload {
    /// The kinds and marks of the commands behind those events, in their order.
    static func marks(of events: some Sequence<Event>) -> [(kind: Sender.Kind, mark: String)] {
        var last: Event?
        return events.compactMap { event in
            defer { last = event }
            // A start after the provider came joins as well, at the same moment.
            if case .joined(let id) = event.what, case .started(id, _)? = last?.what, event.moment == last?.moment {
                return nil
            }
            // A link begins with its shares.
            if case .sharesChanged = event.what, case .linked? = last?.what, event.moment == last?.moment { return nil }
            return mark(of: event.what)
        }
    }

    private static func mark(of what: Happening) -> (kind: Sender.Kind, mark: String)? {
        switch what {
        case .presenceTold(let presence) where presence.name != nil: (.presence, presence.name ?? "")
        case .assigned(let assignment) where assignment.id.text.hasPrefix("k"): (.schedule, assignment.id.text)
        case .snoozed(let until): (.snooze, "until \(until.microseconds / 1_000_000)")
        case .noteWritten(_, let note): (.notes, note.text)
        case .started(let id, _): (.flow, "Start \(id.text)")
        case .exerciseRestarted(let id): (.flow, "Restart \(id.text)")
        case .joined(let id): (.flow, "Join \(id.text)")
        case .left(let id): (.flow, "Leave \(id.text)")
        case .moodLogged(let id, _): (.flow, "LogMood \(id.text)")
        case .moodCorrected(let id, _): (.flow, "CorrectMood \(id.text)")
        case .cancelled(let id): (.flow, "Cancel \(id.text)")
        case .linked: (.link, "linked")
        case .unlinked: (.link, "unlinked")
        case .sharesChanged(let shares, let isTold): (.link, "shares \(shares.count) \(isTold)")
        case .reported(let through, _): (.link, "reported \(through)")
        case .deviceRenewed: (.link, "renewed")
        case .newsHeard(let counts): (.link, "news \(counts.unreadMail)")
        case .scheduleTaken(_, _, let revision?): (.link, "revision \(revision)")
        case .breathingBegan: (.guide, "breathing")
        case .breathed: (.guide, "whole breathing")
        default: nil
        }
    }
}

extension DiskFaults {
    /// Applies to the files of the history, or of that folder.
    convenience init(_ household: Workload, folder: String? = nil) {
        self.init(in: household.folder, below: folder ?? household.state)
    }
}
