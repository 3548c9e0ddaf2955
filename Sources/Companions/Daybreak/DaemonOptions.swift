internal import ArgumentParser
import Companion

/// The options of every verb that speaks to daybreakd.
struct DaemonOptions: ConnectionOptions {
    static let socketHelp = ArgumentHelp(
        "The control socket to speak to (default: DAYBREAK_SOCKET, else the one of this user).", valueName: "path")

    @Flag(help: "Print what daybreakd answers, as one line of JSON.") var json = false
    @Option(help: socketHelp) var socket: String?

    var path: String {
        get throws { try DaemonSocket.path(explicit: socket, environment: Environment.variables) }
    }

    func connection() throws -> DaemonConnection { try DaemonConnection(to: path) }
}
