internal import ArgumentParser
import Companion
import PracticeInterfaces
import Time

struct Available: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "available", abstract: "Tell my clients, or one of them, that I am there.",
        discussion: "It ends by itself: after --for, otherwise with the day. `practice away` ends it earlier.")

    @Argument(help: ArgumentHelp(ClientName.help + " Left out: all of mine.")) var client: String?
    @Option(name: .customLong("for"), help: ArgumentHelp("For how long: 45min, 1h, 1h30min.", valueName: "length"))
    var length: String?
    @Option(help: ArgumentHelp("Where to meet: an address that begins with https.", valueName: "address")) var link:
        String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let seconds = try length.map { text throws(Failure) in
            guard let seconds = Length.seconds(typed: text) else { throw .misused(Wording.noLength(text)) }
            return seconds
        }
        let connection = try daemon.connection()
        let client = try client.map { try ClientName($0).identifier(over: connection) }
        let call = Care.SetAvailable(available: true, client: client, forSeconds: seconds, link: link)
        try daemon.ask(call, over: connection) { _ in
            let whom = client == nil ? "Your clients see" : "The client sees"
            let until = length.map { " for \($0.shown)" } ?? " until the end of the day"
            return "\(whom) that you are there\(until). `practice away` ends it.\n"
        }
    }
}

struct Away: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "away", abstract: "Tell my clients, or one of them, that I am not there.")

    @Argument(help: ArgumentHelp(ClientName.help + " Left out: all of mine.")) var client: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let client = try client.map { try ClientName($0).identifier(over: connection) }
        try daemon.ask(Care.SetAvailable(available: false, client: client), over: connection) { _ in
            "\(client == nil ? "Your clients see" : "The client sees") that you are away.\n"
        }
    }
}

struct Waiting: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "waiting", abstract: "Show who is on the way through a task, from the exercise to the mood, the longest first.")

    @Flag(help: "Go on until Ctrl-C, and print the list again after each change.") var follow = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        guard follow else { return try daemon.ask(Care.Waiting(), over: connection, say: text) }
        try daemon.follow(Care.Waiting(), over: connection) { text($0) + "\n" }
    }

    private func text(_ reply: Care.Waiting.Reply) -> String {
        Self.text(reply, columns: output.columns, ink: output.ink)
    }

    static func text(_ reply: Care.Waiting.Reply, columns: Int?, ink: Ink) -> String {
        guard !reply.clients.isEmpty else { return "  Nobody waits.\n" }
        var table = Table([.init("Client", leads: true), .init("Where"), .init("Since")])
        table.rows = reply.clients.map { client in
            let place =
                switch client.stage {
                case .exercise: "at the exercise"
                case .waiting: "in the wait room"
                case .session: "in the session"
                case .mood: "choosing a mood"
                }
            return [
                .init(client.name.shown.singleLine, .strong), .init(place, client.stage == .waiting ? .good : .plain),
                .init(Wording.clock(client.since, today: reply.today), .faint),
            ]
        }
        return table.text(columns: columns, ink: ink)
    }
}
