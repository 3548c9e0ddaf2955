import Foundation
import Glibc
import Testing
import UnixTestSupport

@testable import HomeworkDaemon

/// A client that sends one command after the other. Each command leaves a mark in the history, which is unique among the
/// commands of its kind that are not answered yet.
final class Sender {
    enum Outcome: Equatable { case unanswered, done, refused, unknown }

    struct Sent {
        /// The method's name.
        let what: String
        let mark: String?
        var outcome = Outcome.unanswered
    }

    struct Request {
        let call: String
        var mark: String?
    }

    /// `link` is the link's process. `guide` is led through a breath.
    enum Kind: CaseIterable { case presence, schedule, snooze, notes, flow, looks, link, guide }

    let kind: Kind
    private(set) var sent: [Sent] = []
    private var answered = 0
    private let client: Client
    private let next: (_ lastReply: String?) -> Request
    private(set) var lastReply: String?
    /// True while it only reads replies.
    var isAtRest = false

    init(_ kind: Kind, _ client: Client, next: @escaping (String?) -> Request) {
        self.kind = kind
        self.client = client
        self.next = next
    }

    var descriptor: Int32 { client.descriptor }
    var isCutOff: Bool { client.isCutOff }

    /// How many commands may be unanswered: a person waits for an answer, a program need not.
    private var window: Int { kind == .flow || kind == .link ? 1 : 4 }

    /// Takes the replies that have arrived, and sends further commands.
    func go() {
        while let reply = client.message() { take(reply) }
        guard !isAtRest, !client.isCutOff else { return }
        while kind == .guide ? sent.isEmpty : sent.count - answered < window { send() }
    }

    /// Sends the first command, and waits for its first reply.
    func begin() {
        go()
        if let reply = client.wait() { take(reply) }
    }

    /// Sends so many commands, one after the other, and waits for each answer.
    func ask(_ count: Int, expecting outcome: Outcome?, patience: UInt64 = patience) {
        for _ in 0..<count {
            send()
            if let reply = client.wait(patience) { take(reply) } else { answered += 1 }
            if let outcome, sent[answered - 1].outcome != outcome { Issue.record("\(lastReply ?? "no reply")") }
        }
    }

    private func send() {
        let request = next(lastReply)
        let what = request.call.split(separator: "\"")[3].split(separator: ".")[3]
        sent.append(Sent(what: String(what), mark: request.mark))
        // The beginning of the breath and its end are recorded separately.
        if kind == .guide { sent.append(Sent(what: "breath", mark: request.mark.map { "whole \($0)" })) }
        client.send(request.call)
    }

    private func take(_ reply: String) {
        lastReply = reply
        defer { answered += 1 }
        guard kind == .guide else { return sent[answered].outcome = Self.outcome(of: reply) }
        if answered == 0 { sent[0].outcome = Self.outcome(of: reply) }
        if reply.contains("\"stage\":\"waiting\"") || sent[0].outcome != .done { sent[1].outcome = sent[0].outcome }
    }

    /// Keeps only these replies, as if no others had come.
    func heard(only replies: [String]) {
        for index in sent.indices { sent[index].outcome = .unanswered }
        answered = 0
        for reply in replies.prefix(kind == .guide ? replies.count : sent.count) { take(reply) }
    }

    static func outcome(of reply: String) -> Outcome {
        guard reply.hasPrefix("{\"error\"") else { return .done }
        return reply.contains("\"inDoubt\":true") ? .unknown : .refused
    }
}

/// Lets them send until the daemon has ended, or until `isEnough`.
func sendUntilItEnds(_ senders: [Sender], _ daemon: DaemonProcess, or isEnough: () -> Bool = { false }) {
    for sender in senders { sender.go() }
    while !isEnough() {
        var waited = senders.filter { !$0.isCutOff }.map {
            pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        guard !waited.isEmpty, poll(&waited, nfds_t(waited.count), Int32(patience / 1_000)) > 0 else { return }
        daemon.forgetNotifications()
        for sender in senders { sender.go() }
    }
}

extension Workload {
    /// All senders, and a guide whose breath has begun. It is whole when the daemon's clock says so.
    func leadIntoABreath(_ daemon: DaemonProcess) -> [Sender] {
        let senders = sendersWithGuide(to: daemon)
        // The client on the way would restart the exercise, and the breath with it.
        for sender in senders where sender.kind == .flow { sender.isAtRest = true }
        senders.last?.begin()
        return senders
    }

    /// Moves the clock, so that the daemon's next look finds the breath whole.
    func endBreath() { clock.goOn(seconds: 2) }
}
