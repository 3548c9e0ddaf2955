internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Messages
import PracticeInterfaces

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

extension DaemonOptions: PracticeOptions {
    static let companion = "daybreak"

    /// Over the link.
    func practice() throws -> DaemonConnection {
        let practice = try LinkVerb.checkLinked(try connection())
        return try LinkFolder.ofThisUser().connection(to: practice)
    }

    /// Over the link, with the client's day as the practice has it. An earlier practice tells its own day alone.
    func practiceToday() throws -> (connection: DaemonConnection, today: String) {
        let connection = try practice()
        let caller = try connection.call(Practice.WhoAmI())
        return (connection, caller.clientToday ?? caller.today)
    }

    /// The daemon would show it until the link's next look at the practice.
    func noteDismissed(_ announcement: String) {
        // A daemon that knows nothing of it shows nothing of it.
        _ = try? connection().reply(to: Link.Dismiss(announcement: announcement))
    }
}
