import DaybreakInterfaces
import Glibc
import HomeworkRules
import Systemd
import TestSupport
import Time
import Unix
import UnixTestSupport
import Varlink
import VarlinkService

@testable import HomeworkDaemon

/// Microseconds, longer than any of these tests takes: only a failing test waits so long.
let patience: UInt64 = 60_000_000

/// A control server on a real socket, in a loop that the test turns, with a machine of the test.
final class Station {
    let machine: Machine
    let loop: EventLoop
    let server: ControlServer
    let path: String

    init(
        _ machine: Machine = .withSample(), user: UInt32 = geteuid(), root: UInt32? = nil, rights: Rights = .all
    ) throws {
        self.machine = machine
        loop = try EventLoop()
        // A year ahead of the loop's clock, so that no timer rings unless a test sets it.
        machine.clock.steady = machine.clock.steady + .seconds(365 * 86_400)
        path = machine.folder["control"]
        server = try ControlServer(
            loop: loop, daemon: machine.daemon,
            sources: Desk.Sources(
                clock: { [unowned machine] in (machine.clock.moment, LocalClock()) },
                configuration: { [unowned machine] in machine.daemon.configuration }),
            say: { [unowned machine] in machine.said.append("\($0): \($1)") },
            admit: { Caller($0, owner: user, root: root).map { Caller(user: $0.user, rights: rights) } })
        try server.listen(on: LocalSocket.listen(at: path))
    }

    func client() -> Client { Client(to: path) }

    /// Waits for the next message; nil if the connection was closed instead.
    func message(for client: Client) throws -> String? {
        while true {
            if let message = client.message() { return message }
            guard !client.isCutOff, try loop.step(timeoutMicroseconds: patience) else { return nil }
        }
    }

    /// Makes one call and returns its reply.
    func ask(_ client: Client, _ call: String) throws -> String? {
        client.send(call)
        return try message(for: client)
    }

    /// Does the same over a connection of its own.
    func ask(_ call: String) throws -> String? { try ask(client(), call) }

    /// Sends more bytes than the socket holds at once.
    func send(bytes: ArraySlice<UInt8>, over client: Client) throws {
        var rest = bytes
        while !rest.isEmpty, !client.isCutOff {
            let count = client.send(bytes: Array(rest))
            rest = rest.dropFirst(count)
            if count == 0, try !loop.step(timeoutMicroseconds: 0) { return }
        }
    }

    /// Sends a message that is longer than the socket holds at once.
    func send(_ message: String, over client: Client) throws {
        try send(bytes: (Array(message.utf8) + [0])[...], over: client)
    }

    /// Handles everything that is ready.
    func settle() throws { while try loop.step(timeoutMicroseconds: 0) {} }

    /// Moves the clock, and rings the timer.
    func pass(_ length: Duration) throws {
        machine.ring(after: length)
        try settle()
    }
}

/// An encoded call: `call("Homework.Pause")`, with its parameters as JSON.
func call(_ method: String, _ parameters: String = "", more: Bool = false, oneway: Bool = false) -> String {
    let flags = (more ? ",\"more\":true" : "") + (oneway ? ",\"oneway\":true" : "")
    let rest = parameters.isEmpty ? "" : ",\"parameters\":\(parameters)"
    return "{\"method\":\"org.daybreak.\(method)\"\(flags)\(rest)}"
}

/// An encoded error.
func error(_ name: String, _ parameters: String = "{}") -> String {
    "{\"error\":\"\(name)\",\"parameters\":\(parameters)}"
}
