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
        let rows: [(String, String?)] = [
            ("Name", profile.name), ("Number", "\(profile.number)"), ("Born", profile.born),
            ("Telephone", profile.phone),
            ("E-mail", profile.email), ("Address", profile.address), ("In an emergency", profile.emergencyContact),
            ("Time zone", profile.timeZone), ("Therapist", profile.thanatologist), ("Client since", profile.since),
        ]
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { name, value in
            let lines = (value ?? "–").split(separator: "\n").map { String($0).shown }
            return name + String(repeating: " ", count: width - name.count + 2)
                + lines.joined(separator: "\n" + String(repeating: " ", count: width + 2)) + "\n"
        }
        return lines.joined() + ShareOptions.sentence(profile.shares.compactMap(Link.Share.init)) + "\n"
            + "If something is wrong here, ask your practice to correct it.\n"
    }
}

struct Feedback: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "feedback",
        abstract: "Say how your care goes: to the practice's administrators, never to the person it is about.")

    @Argument(
        help: ArgumentHelp("The text; - reads it from standard input, left out, from the terminal.", valueName: "text"))
    var words: [String] = []
    @Option(help: "1 (bad) to 5 (good).") var rating: Int?
    @Flag(help: "Without your name.") var anonymous = false
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if let rating, !(1...5).contains(rating) { throw ValidationError("A rating is a number from 1 to 5.") }
    }

    func run() throws {
        let connection = try daemon.practice()
        let isGuided = words.isEmpty && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        let feedback = Care.GiveFeedback(
            text: try text(), rating: rating ?? (isGuided ? askedRating() : nil),
            anonymous: anonymous || (isGuided && asked("Without your name? [y/N] ")) ? true : nil)
        try daemon.ask(feedback, over: connection) { _ in
            "Thank you. The administrators read it; the person it is about does not.\n"
        }
    }

    private func text() throws -> String {
        guard words.isEmpty || words == ["-"] else { return words.joined(separator: " ") }
        if words.isEmpty, isatty(STDIN_FILENO) == 1 {
            Streams.error("How does your care go? Ctrl-D on a line of its own ends it.\n")
        }
        return try TextInput.word("-")
    }

    /// Asks until it understands: what was typed before is not to be lost.
    private func askedRating() -> Int? {
        Streams.error("A number from 1 (bad) to 5 (good), or Enter for none: ")
        while let line = readLine(), !line.isEmpty {
            if let number = Int(line), (1...5).contains(number) { return number }
            Streams.error("\(line.shown) is none of them. 1 to 5, or Enter for none: ")
        }
        return nil
    }

    private func asked(_ question: String) -> Bool {
        Streams.error(question)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }
}
