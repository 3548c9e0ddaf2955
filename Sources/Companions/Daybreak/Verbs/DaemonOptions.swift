internal import ArgumentParser
import Varlink

/// What every verb that speaks to the daemon takes, and how it asks and answers.
struct DaemonOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(Wording.About.json)) var json = false
    @Option(help: ArgumentHelp(Wording.About.socket, valueName: "path")) var socket: String?

    var path: String {
        get throws { try DaemonSocket.path(explicit: socket, environment: Standard.environment) }
    }

    func connection() throws -> DaemonConnection { try DaemonConnection(to: path) }

    /// Calls, and prints the reply: its parameters with --json, else what `say` makes of it.
    func ask<M: Method>(_ method: M, say: (M.Reply) throws -> String) throws {
        try ask(method, over: connection(), say: say)
    }

    func ask<M: Method>(_ method: M, over connection: DaemonConnection, say: (M.Reply) throws -> String) throws {
        try answer(connection.reply(to: method), of: M.self, over: connection, say: say)
    }

    /// Calls with `more`, and prints each reply until the last.
    func follow<M: Method>(_ method: M, say: (M.Reply) throws -> String) throws {
        let connection = try connection()
        try connection.send(method, more: true)
        var continues = true
        while continues {
            let reply = try connection.nextReply()
            try answer(reply, of: M.self, over: connection, say: say)
            continues = reply.continues
        }
    }

    func answer<M: Method>(
        _ reply: Reply, of method: M.Type, over connection: DaemonConnection, say: (M.Reply) throws -> String
    ) throws {
        let decoded = try connection.decode(method, from: reply)
        if json {
            Standard.output(reply.parameters + [UInt8(ascii: "\n")])
        } else {
            try Standard.output(say(decoded))
        }
    }
}
