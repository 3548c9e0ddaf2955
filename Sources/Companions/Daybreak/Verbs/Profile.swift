internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Glibc
import PracticeInterfaces

struct Profile: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "profile", abstract: "Show what your practice has in your record.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Care.Profile(), over: daemon.practice(), say: Self.text)
    }

    static func text(_ profile: Care.Profile.Reply) -> String {
        let own = (profile.fields ?? []).map { ($0.label.shown, Optional($0.value)) }
        let rows: [(String, String?)] =
            [
                ("Name", profile.name), ("Number", "\(profile.number)"), ("Born", profile.born),
                ("Telephone", profile.phone), ("E-mail", profile.email), ("Address", profile.address),
                ("In an emergency", profile.emergencyContact), ("Referred by", profile.referredBy),
                ("Came because of", profile.motive),
            ] + own + [
                ("Time zone", profile.timeZone), ("Therapist", profile.thanatologist), ("Client since", profile.since),
            ]
        let width = rows.map { DisplayWidth.of($0.0) }.max() ?? 0
        let lines = rows.map { name, value in
            let lines = (value ?? "–").split(separator: "\n").map { String($0).shown }
            return name.padded(to: width + 2)
                + lines.joined(separator: "\n" + String(repeating: " ", count: width + 2)) + "\n"
        }
        return lines.joined() + ShareOptions.sentence(profile.shares.compactMap(Link.Share.init)) + "\n"
            + "If something is wrong here, ask your practice to correct it.\n"
    }
}
