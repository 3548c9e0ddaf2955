import Foundation

/// A client in a box of their own, with Daybreak installed by `systemd/install`.
///
/// It is about noon in the box, so that no day begins during a test that does not ask for it.
struct Client {
    let box: Box
    /// The midnight that was asked for.
    private(set) var midnight: Midnight?

    struct Midnight {
        /// The day that ends, and the day that begins.
        let (today, tomorrow): (String, String)
        /// When it begins, in microseconds since 1970.
        let begins: Int
    }

    static let install = "\(Box.clone)/systemd/install --from \(Box.shown)"
    static let reloads = "systemctl --user reload daybreakd"
    static let process = "systemctl --user show --property MainPID --value daybreakd"
    /// Breaths of the shortest length.
    static let fastBreaths = "[breathing]\npattern = \"1-0-1-0\""
    /// One task, for today.
    static let oneTask = #"[[2, ["calm", "tired"], "$today"]]"#

    /// - Parameters:
    ///   - schedule: the text of tasks.json, in which `$yesterday`, `$today` and `$tomorrow` stand for days.
    ///   - midnight: seconds until tomorrow begins; more where the machine needs them to start the daemon before.
    init(_ schedule: String = oneTask, settings: String = fastBreaths, midnight: Int? = nil) async throws {
        box = try await Box()
        try await box.run("mkdir --parents ~/.config/daybreak")
        try await save(settings, as: "daybreak.toml")
        try await save(midnight == nil ? schedule : "[]", as: "tasks.json")
        try await box.run(Self.install)
        guard var seconds = midnight else { return }
        // Installing may take longer than the rest of the day, so the daemon starts again with an empty history.
        while true {
            let midnight = try await begin(schedule, midnight: seconds)
            self.midnight = midnight
            if try await today() == midnight.today { return }
            seconds *= 3
        }
    }

    /// Starts the daemon with an empty history, so many seconds before a midnight.
    private func begin(_ schedule: String, midnight seconds: Int) async throws -> Midnight {
        let units = "daybreakd.socket daybreakd.service"
        try await box.run("systemctl --user stop \(units) && rm --force ~/.local/state/daybreak/history.db*")
        // The journal of an earlier attempt tells of other days.
        try await box.run(
            "journalctl --quiet --rotate && journalctl --quiet --vacuum-time=1us && rm -rf /home/client/.local/state/daybreak/backups",
            as: .root)
        try await box.bringMidnight(in: seconds)
        let line = "day=$(date +%F); echo $day $(date -d \"$day + 1 day\" '+%F %s')"
        let words = try await box.run(line).split(separator: " ").map(String.init)
        guard words.count == 3, let begins = Int(words[2]) else { throw Box.Failure(words: [line], said: "\(words)") }
        try await save(schedule, as: "tasks.json")
        try await box.run("systemctl --user start \(units)")
        return Midnight(today: words[0], tomorrow: words[1], begins: begins * 1_000_000)
    }

    /// Writes a file in `~/.config/daybreak`, in place.
    func save(_ text: String, as name: String) async throws {
        try await box.run("\(Self.days)\ncat >~/.config/daybreak/\(name) <<END\n\(text)\nEND")
    }

    private static let days = "today=$(date +%F) yesterday=$(date -d yesterday +%F) tomorrow=$(date -d tomorrow +%F)"

    func today() async throws -> String { try await box.run("date +%F") }

    /// The output of a verb, which must succeed.
    @discardableResult
    func daybreak(_ words: String) async throws -> String { try await box.run("~/.local/bin/daybreak \(words)") }

    func attempt(_ words: String) async throws -> Box.CommandOutput {
        try await box.attempt("~/.local/bin/daybreak \(words)")
    }

    /// The JSON output of a verb.
    @discardableResult
    func answer(_ words: String) async throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(try await daybreak("\(words) --json").utf8))
    }

    /// The stage of the flow; nil if there is none.
    func stage() async throws -> String? { try await answer("status").status?.flow?.stage }

    /// The daemon's log lines, from the first on, as they come.
    func followJournal() throws -> Box.Following {
        try box.follow("journalctl --user --follow --lines all --output cat --identifier daybreakd")
    }

    /// The log lines so far of the daemon, or of another program.
    func journal(of program: String = "daybreakd") async throws -> [String] {
        try await sync()
        let lines = try await box.run("journalctl --user --quiet --output cat --identifier \(program)")
        return lines.split(separator: "\n").map(String.init)
    }

    /// Waits until the journal has every entry that was sent to it.
    private func sync() async throws { try await box.run("journalctl --sync", as: .root) }

    /// The reminders in the client's journal, of one kind or of all: the fields that the daemon wrote, and under `at` the
    /// time, in microseconds since 1970.
    func reminders(_ kind: String? = nil) async throws -> [[String: String]] {
        try await sync()
        let match = kind.map { "DAYBREAK_KIND=\($0)" } ?? "--identifier daybreakd"
        let lines = try await box.run("journalctl --user --quiet --output json \(match)").split(separator: "\n")
        return try lines.map { line in
            let all = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
            var own = all.filter { !$0.key.hasPrefix("_") }
            own["at"] = all["__REALTIME_TIMESTAMP"]
            return own
        }.filter { $0["DAYBREAK_KIND"] != nil }
    }
}

/// The parts of the daemon's answers that these tests read.
struct Answer: Decodable {
    var status: Status?
    var flow: Flow?
    var assignment: Assignment?
    var assignments: [Assignment]?

    struct Status: Decodable {
        var today: String
        var timeZone: String
        var asOf: String
        var providerOnline: Bool
        var flow: Flow?
        var eligible: Assignment?
        var snoozedUntil: String?
    }

    struct Flow: Decodable, Equatable {
        var stage: String
        var since: String
        var exercise: Exercise?
    }

    struct Exercise: Decodable, Equatable {
        var breath: Int
        var breaths: Int
        var paused: Bool
        var guided: Bool
    }

    struct Assignment: Decodable, Equatable {
        var id: String
        var due: String
        var state: String
        var reason: String
        var mood: String?
    }
}
