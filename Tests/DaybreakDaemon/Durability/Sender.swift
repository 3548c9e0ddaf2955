import Control
import Glibc
import Homework
import Testing

@testable import DaybreakDaemon

/// A client that sends one command after the other, each of which leaves a mark in the history that tells it from all
/// others.
final class Sender {
    enum Outcome: Equatable { case unanswered, done, refused, unknown }

    struct Sent {
        let mark: String?
        var outcome = Outcome.unanswered
    }

    enum Kind: CaseIterable { case presence, schedule, snooze, flow, looks }

    let kind: Kind
    private(set) var sent: [Sent] = []
    private(set) var answered = 0
    private let client: Client
    private let next: (_ lastReply: String?) -> (call: String, mark: String?)
    private(set) var lastReply: String?

    init(_ kind: Kind, _ client: Client, next: @escaping (String?) -> (call: String, mark: String?)) {
        self.kind = kind
        self.client = client
        self.next = next
    }

    var descriptor: Int32 { client.descriptor }
    var isCutOff: Bool { client.isCutOff }

    /// How many commands it has on the way: a person waits for an answer, a program need not.
    private var window: Int { kind == .flow ? 1 : 8 }

    /// Takes the answers that came, and sends on.
    func go(mayAsk: Bool = true) {
        while let reply = client.message() {
            lastReply = reply
            sent[answered].outcome = Self.outcome(of: reply)
            answered += 1
        }
        guard mayAsk, !client.isCutOff else { return }
        while sent.count - answered < window {
            let (call, mark) = next(lastReply)
            sent.append(Sent(mark: mark))
            client.send(call)
        }
    }

    /// Sends that many, one after the other, and waits for each answer.
    func ask(_ count: Int, expecting outcome: Outcome?) {
        for _ in 0..<count {
            let (call, mark) = next(lastReply)
            sent.append(Sent(mark: mark))
            lastReply = client.ask(call)
            sent[answered].outcome = lastReply.map(Self.outcome) ?? .unanswered
            answered += 1
            if let outcome, sent[answered - 1].outcome != outcome { Issue.record("\(lastReply ?? "no reply")") }
        }
    }

    /// As if it had been given no more answers than these.
    func heard(only replies: [String]) {
        for index in sent.indices {
            sent[index].outcome = index < replies.count ? Self.outcome(of: replies[index]) : .unanswered
        }
    }

    static func outcome(of reply: String) -> Outcome {
        guard reply.hasPrefix("{\"error\"") else { return .done }
        return reply.contains("\"inDoubt\":true") ? .unknown : .refused
    }
}

/// What a household does all day, by several clients at once.
///
/// It outlives the daemons that it talks to, and says nothing twice.
final class Household {
    let folder = Folder()
    /// Where it is noon now, so that no midnight comes between.
    let zone: String
    private let today: CalendarDay
    private let noon: Int64
    private var number = 0

    init() {
        let now = Int64(time(nil))
        let east = 12 - now / 3_600 % 24
        zone = "<TST>\(-east)"
        today = CalendarDay(ordinal: Int32((now + east * 3_600) / 86_400))
        noon = Int64(today.ordinal) * 86_400 - east * 3_600 + 12 * 3_600
        for name in ["config", "config/daybreak", "state", "state/daybreak"] { must(mkdir(folder[name], 0o700)) }
        write("[\(base)]", to: folder["config/daybreak/tasks.json"])
    }

    var state: String { folder["state/daybreak"] }

    var yesterday: String { "\(today - 1)" }

    private var base: String { #"{"breaths": 3, "moods": ["calm"], "due": "\#(today - 1)", "id": "base"}"# }

    /// One of each kind. They connect in this order.
    func senders(to daemon: DaemonProcess, _ kinds: [Sender.Kind] = Sender.Kind.allCases) -> [Sender] {
        kinds.map { sender($0, daemon.client()) }
    }

    private func sender(_ kind: Sender.Kind, _ client: Client) -> Sender {
        var hasFlow: Bool?
        var step = 0
        return Sender(kind, client) { [unowned self] reply in
            number += 1
            switch kind {
            case .presence:
                let name = "p\(number)"
                return (call("Provider.SetPresence", #"{"online":false,"name":"\#(name)"}"#), name)
            case .schedule:
                let entry = #"{"breaths": 3, "moods": ["calm"], "due": "2099-01-01", "id": "k\#(number)"}"#
                let text = "[\(base), \(entry)]".replacing("\"", with: "\\\"")
                return (call("Homework.Import", "{\"schedule\":\"\(text)\"}"), "k\(number)")
            case .snooze:
                let until = noon + 3_600 + Int64(number) % 32_000
                return (call("Homework.Snooze", "{\"until\":\"\(spell(until))\"}"), "until \(until)")
            case .flow:
                step += 1
                guard let had = hasFlow ?? reply.map({ $0.contains("\"flow\":{") }) else {
                    return (call("Homework.GetStatus"), nil)
                }
                let isLast = had && step % 3 == 0
                hasFlow = !isLast
                let method = had ? isLast ? "Cancel" : "Restart" : "Start"
                return (call("Homework.\(method)"), method)
            case .looks: return (call(["Homework.GetStatus", "Homework.List"][number % 2]), nil)
            }
        }
    }

    private func spell(_ second: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = [second / 3_600 % 24, second / 60 % 60, second % 60].map(two).joined(separator: ":")
        return "\(CalendarDay(ordinal: Int32(second / 86_400)))T\(time)Z"
    }

    /// Whose command an event is, and its mark.
    static func mark(of what: Happening) -> (kind: Sender.Kind, mark: String)? {
        switch what {
        case .presenceTold(let presence): (.presence, presence.name ?? "nobody")
        case .assigned(let assignment) where assignment.id != "base": (.schedule, assignment.id.text)
        case .snoozed(let until): (.snooze, "until \(until.microseconds / 1_000_000)")
        case .started: (.flow, "Start")
        case .exerciseRestarted: (.flow, "Restart")
        case .cancelled: (.flow, "Cancel")
        default: nil
        }
    }
}

/// Lets them send until the daemon is gone.
func sendUntilItEnds(_ senders: [Sender], _ daemon: DaemonProcess) {
    for sender in senders { sender.go() }
    while true {
        var waited = senders.filter { !$0.isCutOff }.map {
            pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        guard !waited.isEmpty, poll(&waited, nfds_t(waited.count), Int32(patience / 1_000)) > 0 else { return }
        daemon.forgetNotifications()
        for sender in senders { sender.go() }
    }
}
