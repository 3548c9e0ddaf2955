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

/// A control server on a real socket, in a loop that the test turns, with a machine of the test.
final class ControlServerFixture: ServerInLoop {
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
            sources: CallContext.Sources(
                clock: { [unowned machine] in (machine.clock.moment, LocalClock()) },
                configuration: { [unowned machine] in machine.daemon.configuration }),
            say: { [unowned machine] in machine.said.append("\($0): \($1)") },
            admit: { Caller($0, owner: user, root: root).map { Caller(user: $0.user, rights: rights) } })
        try server.listen(on: LocalSocket.listen(at: path))
    }

    /// Moves the clock, and rings the timer.
    func pass(_ length: Duration) throws {
        machine.ring(after: length)
        try settle()
    }
}

/// An encoded call: `call("Homework.Pause")`, with its parameters as JSON.
func call(_ method: String, _ parameters: String = "", more: Bool = false, oneway: Bool = false) -> String {
    encodedCall("org.daybreak.\(method)", parameters, more: more, oneway: oneway)
}

func error(_ name: String, _ parameters: String = "{}") -> String { encodedError(name, parameters) }
