import Companion
import DaybreakInterfaces
import Glibc
import Varlink

/// The replies of a call with `more`, across restarts of the daemon.
struct ReplyStream<M: Method> {
    typealias Update = (reply: M.Reply, frame: Reply)

    let path: String
    /// The call, anew for each connection.
    let method: () -> M

    /// Seconds between attempts to connect. A restart of the daemon takes less time than the first ``quietPauses`` of these.
    private var pauses: [Double] { [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 2.0, 5.0] }
    private var quietPauses: Int { 5 }

    /// Hands each reply to `say`, and nil once the daemon has not answered for a while. Returns after a last reply.
    /// - Parameter isPatient: waits for a daemon before the first reply, too.
    func follow(isPatient: Bool, say: (Update?) throws -> Void) throws {
        var failures = 0
        var wasHeard = isPatient
        while true {
            do {
                let connection = try DaemonConnection(to: path)
                try connection.send(method(), more: true)
                var patience: Double? = DaemonConnection.patience
                while true {
                    if !waitForReader(orReadable: connection.descriptor, within: patience) { try say(nil) }
                    patience = nil
                    for reply in try connection.repliesSoFar() {
                        try say((connection.decode(M.self, from: reply), reply))
                        (failures, wasHeard) = (0, true)
                        if !reply.continues { return }
                    }
                }
            } catch let failure as Failure where failure.status == Failure.noDaemonStatus && wasHeard {
                if failures == quietPauses { try say(nil) }
                waitForReader(within: pauses[min(failures, pauses.count - 1)])
                failures += 1
            }
        }
    }

    /// Ends the program when the reader of standard output has gone. The next write, which would fail, may be a day away.
    /// - Returns: false if nothing came within the time.
    @discardableResult private func waitForReader(
        orReadable descriptor: Int32? = nil, within seconds: Double?
    ) -> Bool {
        let readable = [descriptor].compactMap { $0 }
        let found = Wait.until(readable: readable, orGone: STDOUT_FILENO, within: seconds)
        if found.contains(STDOUT_FILENO) { Glibc.exit(EXIT_SUCCESS) }
        return !found.isEmpty
    }
}
