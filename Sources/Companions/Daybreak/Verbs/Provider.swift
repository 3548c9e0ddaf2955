internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Time

struct ProviderVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider", abstract: "Show whether the provider is available, or tell Daybreak that they are.")

    enum Presence: String, ExpressibleByArgument, CaseIterable {
        case online, offline
    }

    @Argument(help: "online or offline; left out: show it.") var presence: Presence?
    @Option(help: "Who it is; - reads it from standard input.") var name: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long this is good for: seconds (90), or a length such as 5m.", valueName: "length"))
    var length: String?
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard let length, Self.seconds(length) == nil else { return }
        throw ValidationError(
            "“\(length.shown)” is not a length from 1s to 24h; write seconds (90) or a length such as 5m or 1h 30m.")
    }

    func run() throws {
        guard let presence else { return try show() }
        let online = presence == .online
        let method = Provider.SetPresence(
            online: online, name: try name.map(TextInput.word), forSeconds: length.flatMap(Self.seconds))
        try daemon.ask(method) { _ in "The provider is shown as \(online ? "available" : "not available").\n" }
    }

    /// The seconds of `90`, `5m` or `1h 30m`; nil if the text is no length from a second to a day.
    static func seconds(_ text: String) -> Int? {
        let seconds = Int(text) ?? Length(text).map { Int($0.duration.components.seconds) }
        return seconds.flatMap { (1...86_400).contains($0) ? $0 : nil }
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
        let until = reply.until.map { ", until \(Wording.clock($0, today: today)) unless renewed" } ?? ""
        return "\(who) is available\(until)."
    }
}
