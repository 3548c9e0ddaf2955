public import ArgumentParser
public import Varlink

/// The options by which a verb finds its daemon and chooses how the reply is printed.
public protocol ConnectionOptions: ParsableArguments {
    /// Prints the reply's parameters as one line of JSON.
    var json: Bool { get }
    func connection() throws -> DaemonConnection
}

extension ConnectionOptions {
    /// Calls, and prints the reply: its parameters with `--json`, else the text that `say` makes of it.
    public func ask<M: Method>(_ method: M, say: (M.Reply) throws -> String) throws {
        try ask(method, over: connection(), say: say)
    }

    public func ask<M: Method>(
        _ method: M, over connection: DaemonConnection, say: (M.Reply) throws -> String
    ) throws {
        try answer(connection.reply(to: method), of: M.self, over: connection, say: say)
    }

    /// Calls with `more`, and prints each reply until the last.
    public func follow<M: Method>(
        _ method: M, over connection: DaemonConnection, say: (M.Reply) throws -> String
    ) throws {
        try connection.send(method, more: true)
        var reply = try connection.firstReply(to: M.self)
        try answer(reply, of: M.self, over: connection, say: say)
        while reply.continues {
            reply = try connection.nextReply()
            try answer(reply, of: M.self, over: connection, say: say)
        }
    }

    /// Prints a reply.
    public func answer<M: Method>(
        _ reply: Reply, of method: M.Type, over connection: DaemonConnection, say: (M.Reply) throws -> String
    ) throws {
        let decoded = try connection.decode(method, from: reply)
        if json {
            Streams.output(json: reply.parameters, of: connection.daemon)
        } else {
            try Streams.output(say(decoded), of: connection.daemon)
        }
    }
}
