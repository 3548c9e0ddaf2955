internal import ArgumentParser
import Companion
import DaybreakInterfaces

extension LinkVerb {
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "status",
            abstract: "Show how the link goes: when it last heard, what waits, and what is wrong.")

        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let today = try connection.call(Homework.GetStatus()).status.today
            try daemon.ask(Link.Get(), over: connection) { Self.text($0, today: today) }
        }

        static func text(_ link: Link.Get.Reply, today: String?) -> String {
            guard let practice = link.practice else {
                return "This machine is linked with no practice. `daybreak link set-up` links it, with an invitation.\n"
            }
            func time(_ text: String) -> String { Wording.time(text, today: today) }
            var lines = ["Linked with \(practice.shown)."]
            lines.append(condition(link))
            lines.append(
                link.lastHeard.map { "The practice was last heard \(time($0))." } ?? "The practice was not heard yet.")
            if let trouble = link.sentence { lines.append("The last trouble: \(Wording.sentence(trouble.shown))") }
            if let next = link.nextTry, link.condition != .connected {
                lines.append("It is asked again \(time(next)).")
            }
            if let waiting = link.waiting, waiting > 0, let oldest = link.oldest {
                lines.append("\(Wording.counted(waiting, "happening")) to be told, the oldest of \(time(oldest)).")
            } else {
                lines.append("Nothing waits to be told.")
            }
            lines.append(ShareOptions.sentence((link.shares ?? []).map(\.share)))
            if let ended = link.ended { lines.append(ShareOptions.sentence(ended: ended)) }
            lines.append(
                link.scheduleFrom == .practice
                    ? "The practice's schedule counts; tasks.json is not read."
                    : "The settings let tasks.json count, not the practice's schedule.")
            return lines.map { $0 + "\n" }.joined()
        }

        private static func condition(_ link: Link.Get.Reply) -> String {
            switch link.condition {
            case .connected: "It is connected."
            case .resting: "It rests, and looks every few minutes."
            case .failing: "The practice cannot be reached."
            case .stopped: "It has stopped, until you do something: `daybreak link now` tries again."
            case nil: "The link's program starts, or does not run; `systemctl --user start daybreak-link` starts it."
            }
        }
    }
}
