import Foundation
import Glibc
import Testing
import UnixTestSupport

@testable import HomeworkDaemon

/// A client that sends one command after the other, each of which leaves a mark in the history that tells it from all
/// others of its kind that are on the way.
final class Sender {
    enum Outcome: Equatable { case unanswered, done, refused, unknown }

    struct Sent {
        /// What it asks for: the method's name.
        let what: String
        let mark: String?
        var outcome = Outcome.unanswered
    }

    struct Request {
        let call: String
        var mark: String?
    }

    /// `guide` is led through a breath.
    enum Kind: CaseIterable { case presence, schedule, snooze, notes, flow, looks, guide }

    let kind: Kind
    private(set) var sent: [Sent] = []
    private var answered = 0
    private let client: Client
    private let next: (_ lastReply: String?) -> Request
    private(set) var lastReply: String?
    /// Only listens.
    var isAtRest = false

    init(_ kind: Kind, _ client: Client, next: @escaping (String?) -> Request) {
        self.kind = kind
        self.client = client
        self.next = next
    }

    var descriptor: Int32 { client.descriptor }
    var isCutOff: Bool { client.isCutOff }

    /// How many commands it has on the way: a person waits for an answer, a program need not.
    private var window: Int { kind == .flow ? 1 : 4 }

    /// Takes the answers that came, and sends on.
    func go() {
        while let reply = client.message() { take(reply) }
        guard !isAtRest, !client.isCutOff else { return }
        while kind == .guide ? sent.isEmpty : sent.count - answered < window { send() }
    }

    /// Sends the first, and waits for the first answer to it.
    func begin() {
        go()
        if let reply = client.wait() { take(reply) }
    }

    /// Sends that many, one after the other, and waits for each answer.
    func ask(_ count: Int, expecting outcome: Outcome?) {
        for _ in 0..<count {
            send()
            if let reply = client.wait() { take(reply) } else { answered += 1 }
            if let outcome, sent[answered - 1].outcome != outcome { Issue.record("\(lastReply ?? "no reply")") }
        }
    }

    private func send() {
        let request = next(lastReply)
        let what = request.call.split(separator: "\"")[3].split(separator: ".")[3]
        sent.append(Sent(what: String(what), mark: request.mark))
        // That it begins, and that the breath is over, are two things to be told.
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

    /// As if it had been given no more answers than these.
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

/// Lets them send until the daemon is gone, or until that is so.
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

extension Household {
    /// All of them and a guide, whose breath has begun: it is whole when the daemon's clock says so.
    func leadIntoABreath(_ daemon: DaemonProcess) -> [Sender] {
        let senders = sendersWithGuide(to: daemon)
        // Who walks through the task would begin it again, and the breath with it.
        for sender in senders where sender.kind == .flow { sender.isAtRest = true }
        senders.last?.begin()
        return senders
    }

    /// Whatever the daemon does next finds the breath over.
    func endBreath() { clock.goOn(seconds: 2) }
}
