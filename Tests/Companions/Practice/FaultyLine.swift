import Foundation
import PracticeInterfaces
import Testing

@testable import Companion

/// A real practice, to which both companions come over a line that fails as it is told to: Ana (p2), a therapist, with
/// `practice`, and her client Cleo (p3) with `daybreak`. Sofia (p4) is of the support, and Olga (p1) an administrator.
final class FaultyLine {
    /// A companion, and the person who uses it.
    enum Side: CaseIterable {
        case practice, daybreak

        var person: String { self == .practice ? "p2" : "p3" }
        var other: (id: String, name: String) { self == .practice ? ("p3", "Cleo Vidal") : ("p2", "Ana Ruiz") }
        var companion: String { self == .practice ? "practice" : "daybreak" }
    }

    let practice: RealPractice
    private let stage: PracticeStage

    init() throws {
        practice = try RealPractice()
        try practice.begin(isMadeUp: true)
        try practice.says("client", "add", "--name", "Cleo Vidal")
        _ = try practice.connection(as: "p1").call(Practice.AddStaff(name: "Sofia Vega", role: "support"))
        stage = try PracticeStage()
        _ = try stage.setUp("none")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "line.py").path()
        try FileManager.default.createDirectory(
            atPath: practice.folder + "/bin", withIntermediateDirectories: true)
        for (folder, person) in [(practice.folder, "-"), (stage.folder, "p3")] {
            let program = "#!/bin/sh\nexec python3 '\(script)' '\(practice.path)' '\(practice.folder)' \(person)\n"
            try program.write(toFile: folder + "/bin/ssh", atomically: true, encoding: .utf8)
            chmod(folder + "/bin/ssh", 0o755)
        }
        practice.also["PATH"] = practice.folder + "/bin:/usr/bin:/bin"
    }

    func run(_ side: Side, _ words: String..., input: String? = nil) throws -> ProgramTests.Run {
        switch side {
        case .practice: try practice.run(words + ["--at", "practice@clinic.example"], input: input)
        case .daybreak:
            try ProgramTests.run(words, socket: stage.daemon.path, input: input, environment: stage.environment)
        }
    }

    /// Runs a companion in a real terminal. Its editor writes a line before the text that it finds.
    func pane(_ side: Side, _ words: String, columns: Int = 40, rows: Int = 12) throws -> TmuxPane {
        let editor = practice.folder + "/editor"
        try #"echo "At ten?" > "$1.new"; cat "$1" >> "$1.new"; cat "$1.new" > "$1"; rm "$1.new""#.write(
            toFile: editor, atomically: true, encoding: .utf8)
        let isPractice = side == .practice
        var environment = isPractice ? practice.surroundings : stage.environment
        (environment["TERM"], environment["EDITOR"]) = (nil, "sh \(editor)")
        let at = isPractice ? " --at practice@clinic.example --as p2" : ""
        // A server of tmux takes its client's PATH.
        let folder = (isPractice ? practice.folder : stage.folder) + "/bin"
        return try TmuxPane(
            columns: columns, rows: rows,
            environment: environment.merging(isPractice ? [:] : ["DAYBREAK_SOCKET": stage.daemon.path]) { $1 },
            "PATH=\(folder):$PATH; \(side.companion) \(words)\(at); echo \"= $?\"; read -r _")
    }

    func connection(_ person: String) throws -> DaemonConnection { try practice.connection(as: person) }

    // MARK: Faults

    /// - Parameter method: such as `Mail.Send`.
    func fail(_ how: String, at method: String, times: Int = 1, _ more: [String: Any] = [:]) throws {
        let fault: [String: Any] = ["how": how, "method": method, "times": times].merging(more) { $1 }
        try JSONSerialization.data(withJSONObject: fault).write(to: URL(filePath: practice.folder + "/fault"))
    }

    /// Something that another connection does just before the call arrives.
    func meanwhile(at method: String, _ person: String, _ call: String, _ parameters: [String: Any]) throws {
        try fail("meanwhile", at: method, ["as": person, "call": ["method": call, "parameters": parameters]])
    }

    /// How the line carries what is said.
    enum Speed {
        case quick
        /// Nothing gets through.
        case held
        /// Replies arrive in pieces of so many bytes, a thousandth of a second apart.
        case pieces(Int)
    }

    func carries(_ speed: Speed) throws {
        let file = practice.folder + "/slow"
        switch speed {
        case .quick: try FileManager.default.removeItem(atPath: file)
        case .held: try #"{"hold": true}"#.write(toFile: file, atomically: true, encoding: .utf8)
        case .pieces(let bytes):
            try #"{"piece": \#(bytes), "pause": 0.001}"#.write(toFile: file, atomically: true, encoding: .utf8)
        }
    }

    // MARK: The mailboxes

    /// The subjects in a folder of a person's.
    func letters(_ person: String, _ folder: String) throws -> [String] {
        try connection(person).call(Mail.List(folder: folder, limit: 200)).letters.map(\.subject)
    }

    /// The texts of the room that Ana and Cleo have.
    func texts() throws -> [String] {
        let connection = try connection("p2")
        let room = try connection.call(Chat.OpenDirect(person: "p3")).room.id
        return try connection.call(Chat.Messages(room: room)).messages.map(\.text)
    }

    /// The texts that the person on that side has in private files.
    func kept(_ side: Side) throws -> [(path: String, text: String)] {
        let runtime = side == .practice ? practice.folder : stage.daemon.surroundings["XDG_RUNTIME_DIR"] ?? ""
        let folder = runtime + "/practice-drafts"
        return try
            (FileManager.default.fileExists(atPath: folder)
            ? FileManager.default.contentsOfDirectory(atPath: folder) : [])
            .map { ("\(folder)/\($0)", try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
    }
}
