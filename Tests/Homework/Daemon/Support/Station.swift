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

/// Longer than anything here takes, in microseconds; only a failing test waits for it.
let patience: UInt64 = 60_000_000

/// A control server on a real socket, in a loop that the test turns itself, on a machine of the test's.
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
        // To the loop's own clock that is a year away: no timer rings unless a test wants it.
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

    /// The next message, once it has come; nil where the connection was closed instead.
    func message(for client: Client) throws -> String? {
        while true {
            if let message = client.message() { return message }
            guard !client.isCutOff, try loop.step(timeoutMicroseconds: patience) else { return nil }
        }
    }

    /// One call and its reply.
    func ask(_ client: Client, _ call: String) throws -> String? {
        client.send(call)
        return try message(for: client)
    }

    /// The same over a connection of its own.
    func ask(_ call: String) throws -> String? { try ask(client(), call) }

    /// Sends what does not fit into the socket at once.
    func send(bytes: ArraySlice<UInt8>, over client: Client) throws {
        var rest = bytes
        while !rest.isEmpty, !client.isCutOff {
            let count = client.send(bytes: Array(rest))
            rest = rest.dropFirst(count)
            if count == 0, try !loop.step(timeoutMicroseconds: 0) { return }
        }
    }

    /// A message that does not fit into the socket at once.
    func send(_ message: String, over client: Client) throws {
        try send(bytes: (Array(message.utf8) + [0])[...], over: client)
    }

    /// Everything that is ready is dealt with.
    func settle() throws { while try loop.step(timeoutMicroseconds: 0) {} }

    /// Time passes, and the timer rings.
    func pass(_ length: Duration) throws {
        machine.ring(after: length)
        try settle()
    }
}

/// A call as clients spell it: `call("Homework.Pause")`, with its parameters as JSON.
func call(_ method: String, _ parameters: String = "", more: Bool = false, oneway: Bool = false) -> String {
    let flags = (more ? ",\"more\":true" : "") + (oneway ? ",\"oneway\":true" : "")
    let rest = parameters.isEmpty ? "" : ",\"parameters\":\(parameters)"
    return "{\"method\":\"org.daybreak.\(method)\"\(flags)\(rest)}"
}

/// An error as the daemon spells it.
func error(_ name: String, _ parameters: String = "{}") -> String {
    "{\"error\":\"\(name)\",\"parameters\":\(parameters)}"
}
