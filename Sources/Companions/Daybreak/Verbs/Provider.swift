internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time

struct ProviderVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "provider", abstract: "Show whether the provider is available, or tell Daybreak that they are.")

    enum Presence: String, ExpressibleByArgument, CaseIterable {
        case online, offline
    }

    @Argument(help: "online or offline; left out: show it.") var presence: Presence?
    @Option(help: "Who it is; - reads it from standard input.") var name: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long this is good for: 90s, 5m or 1h30m, up to 24h; left out: the setting provider.hold_for, 15m.",
            valueName: "length"))
    var length: String?
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if presence != .online, name != nil || length != nil {
            let option = name == nil ? "--for" : "--name"
            throw ValidationError("\(option) goes with online: `daybreak provider online \(option) …`.")
        }
        guard let length, Length.seconds(typed: length) == nil else { return }
        throw ValidationError(Wording.noLength(length))
    }

    func run() throws {
        guard let presence else { return try show() }
        let online = presence == .online
        let method = Provider.SetPresence(
            online: online, name: try name.map(TextInput.word), forSeconds: length.flatMap { Length.seconds(typed: $0) }
        )
        try daemon.ask(method) { _ in
            online
                ? "The provider is shown as available; `daybreak provider` says until when.\n"
                : "The provider is shown as not available.\n"
        }
    }

    private func show() throws {
        let connection = try daemon.connection()
        let today = try connection.call(Homework.GetStatus()).status.today
        try daemon.ask(Provider.Presence(), over: connection) { Self.text($0, today: today) + "\n" + Self.session($0) }
    }

    /// The meeting's address, and the talking points.
    static func session(_ reply: Provider.Presence.Reply) -> String {
        let link = reply.link.map { "Meet here: \($0.shown)\n" } ?? ""
        let points = (reply.talkingPoints ?? []).map { "  \($0.text.shown)\n" }
        return link + (points.isEmpty ? "" : "To speak of in the next session:\n") + points.joined()
    }

    static func text(_ reply: Provider.Presence.Reply, today: String? = nil) -> String {
        let who = reply.name?.shown ?? "The provider"
        guard reply.online else { return "\(who) is not available now." }
        let until = reply.until.map { ", until \(clock($0, today)) unless renewed" } ?? ""
        return "\(who) is available\(until)."
    }

    private static func clock(_ until: String, _ today: String?) -> String {
        guard let today else { return Wording.clock(until, today: nil) }
        return Wording.clock(until, today: today, dayEnds: nil)
    }
}
