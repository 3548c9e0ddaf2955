internal import ArgumentParser
import DaybreakInterfaces
import Glibc
import JSON
import Varlink

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: Wording.About.status)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case waybar
        case i3StatusRust = "i3status-rust"
        case plain, json
    }

    @Flag(help: ArgumentHelp(Wording.About.follow)) var follow = false
    @Option(help: ArgumentHelp(Wording.About.format)) var format: Format?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard let format = format ?? (daemon.json ? .json : nil) else { return try forPeople() }
        guard follow else { return try once(format) }
        var last = ""
        try StatusStream(path: daemon.path).follow(isPatient: format != .json) { told in
            let line = Self.line(told, format)
            if line != last { Standard.output(line + "\n") }
            last = line
        }
    }

    private func forPeople() throws {
        guard follow else {
            return try daemon.ask(Homework.GetStatus()) { Wording.status($0.status, ink: Standard.ink) }
        }
        var shown = false
        try StatusStream(path: daemon.path).follow(isPatient: false) { told in
            guard let told else { return Standard.output("\n" + Wording.barAway + "\n") }
            Standard.output((shown ? "\n" : "") + Wording.status(told.status, ink: Standard.ink))
            shown = true
        }
    }

    /// Bars and prompts are told by the status alone that nobody answers: they show nothing, and no complaint.
    private func once(_ format: Format) throws {
        do {
            let connection = try daemon.connection()
            let reply = try connection.reply(to: Homework.GetStatus())
            let status = try connection.decode(Homework.GetStatus.self, from: reply).status
            Standard.output(Self.line((status, reply), format) + "\n")
        } catch let failure as Failure where failure.status == Failure.noDaemonStatus && format != .json {
            Standard.output(Self.line(nil, format) + "\n")
            Glibc.exit(failure.status)
        }
    }

    /// One line; `told` is nil while the daemon does not answer.
    static func line(_ told: StatusStream.Told?, _ format: Format) -> String {
        let bar = told.map { Bar($0.status) } ?? .away
        switch format {
        case .waybar: return String(decoding: JSONObject.text(of: bar.waybar), as: UTF8.self)
        case .i3StatusRust: return String(decoding: JSONObject.text(of: bar.i3StatusRust), as: UTF8.self)
        case .plain: return bar.text
        case .json: return told.map { String(decoding: $0.reply.parameters, as: UTF8.self) } ?? #"{"status":null}"#
        }
    }
}
