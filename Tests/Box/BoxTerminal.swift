import Foundation
import Testing

/// A terminal of tmux's in which one user of a box types.
struct BoxTerminal {
    let box: Box
    let user: Box.CommandUser

    static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")
    static let whyNot: Comment = "there is no tmux here"

    private func tmux(_ words: String) async throws -> String {
        try await box.run("\(Self.closing) cd; tmux -L tests \(words)", as: user)
    }

    /// The server outlives the command that starts it. With this process's descriptor, by which Foundation sees the end of
    /// its children, that command would never end.
    private static let closing = "for d in /proc/$$/fd/*; do d=${d##*/}; ((d < 3)) || eval \"exec $d>&-\"; done;"

    /// Runs a command. The shell waits after the exit status.
    func open(_ command: String, columns: Int = 40, rows: Int = 12) async throws {
        _ = try await tmux(
            #"start-server \; set -g status off \; new-session -d -s \#(UUID().uuidString) -x \#(columns) -y \#(rows) "#
                + #"'\#(command); echo "= $?"; read -r _'"#)
    }

    /// Closes all windows of the user, and ends what runs in them. A server that goes would take a new window along.
    func close() async throws {
        let server = try await tmux("display-message -p \"#{pid}\"").trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try await tmux("kill-server")
        try await box.run("tail --pid \(server) --follow /dev/null", as: user)
    }

    func type(_ keys: String...) async throws { _ = try await tmux("send-keys \(keys.joined(separator: " "))") }

    /// The text, with one time and one date for all. On a busy machine a daemon may take more than three seconds for an answer:
    /// that this was said is left out.
    func picture() async throws -> String {
        try await tmux("capture-pane -p").split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
            .replacing(#/\b[0-9]{2}:[0-9]{2}\b/#, with: "09:00")
            .replacing(#/\b\w+ \d+ \w+ \d+ at /#, with: "Friday at ")
            .replacing(#/[^\n]+ does not answer yet\.[^.]*\.\n/#, with: "").trimmingCharacters(in: .newlines)
    }

    /// Looks again until the picture is that one. Only a failing test looks so often.
    ///
    /// - Parameter typing: the terminal in which somebody goes on typing meanwhile, and leaves the line as it was.
    func shows(
        _ wanted: String, while typing: BoxTerminal? = nil, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        var seen = ""
        for _ in 0..<200 {
            seen = try await picture()
            if seen == wanted { return }
            try await typing?.type("x", "BSpace")
        }
        try #require(seen == wanted, sourceLocation: location)
    }

    /// Looks again until the picture is as it is to be. Only a failing test looks so often.
    func waits(
        _ location: SourceLocation = #_sourceLocation, until isSo: (String) -> Bool
    ) async throws {
        var seen = ""
        for _ in 0..<400 {
            seen = try await picture()
            if isSo(seen) { return }
        }
        try #require(isSo(seen), "\(seen)", sourceLocation: location)
    }
}
