import Foundation
import Testing

/// A client's Daybreak and a practice, with a real sshd between them.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd"), "there is no OpenSSH server"), .boxed
)
struct LinkTests {
    /// A practice with Ana, a thanatologist, and her client Cleo, who is the box's client.
    private struct Place {
        let box: Box
        let address: String

        init() async throws {
            box = try await Box()
            try await box.run(
                "\(Box.clone)/systemd/install --practice --from \(Box.shown) && useradd --create-home ana", as: .root)
            try await box.run("practice staff add --plain --role administrator --name Vera </dev/null", as: .root)
            try await box.run(
                "practice staff add --plain --role thanatologist --name Ana --account ana </dev/null", as: .root)
            try await box.run("practice client add --plain --name Cleo --therapist p2 </dev/null", as: .root)
            // The boxes share the machine's network.
            let port = try await box.run(
                "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); print(s.getsockname()[1])'",
                as: .root)
            try await box.run("/usr/sbin/sshd -o Port=\(port) -o ListenAddress=127.0.0.1", as: .root)
            address = "practice@127.0.0.1:\(port)"
            try await Self.install(in: box)
        }

        private static func install(in box: Box) async throws {
            try await box.run(
                "mkdir -p ~/.config/daybreak && printf '[link]\\nhold = true\\n' >~/.config/daybreak/daybreak.toml")
            try await box.run("echo '[]' >~/.config/daybreak/tasks.json && \(Client.install)")
        }

        func setUp(_ shares: String) async throws -> String { try await link(box, "--share \(shares)") }

        private func link(_ machine: Box, _ options: String) async throws -> String {
            let text = try await box.run("practice client invite Cleo", as: .root)
            try await machine.run("cat >/tmp/invitation <<'X'\n\(text)\nX")
            return try await machine.run(
                "~/.local/bin/daybreak link set-up \(address) --invitation /tmp/invitation \(options)")
        }

        /// Another machine of Cleo's, linked as well.
        func secondMachine(_ shares: String) async throws -> Box {
            let second = try await Box()
            try await Self.install(in: second)
            _ = try await link(second, "--share \(shares)")
            return second
        }

        @discardableResult func daybreak(_ words: String) async throws -> String {
            try await box.run("~/.local/bin/daybreak \(words)")
        }

        /// The answer of `practiced` to Ana.
        @discardableResult func ana(_ method: String, _ parameters: String) async throws -> String {
            try await box.run(
                "python3 \(Box.clone)/Tests/Box/ask.py /run/practice/control Care.\(method) '\(parameters)'",
                as: .bare("ana"))
        }

        func until(_ command: String, as someone: Box.CommandUser = .client) async throws {
            try await box.run("for i in $(seq 600); do \(command) && exit 0; sleep 0.05; done; exit 1", as: someone)
        }
    }

    @Test func `homework is assigned, done at home, and what is shared comes back`() async throws {
        let place = try await Place()
        let said = try await place.setUp("completed,moods,waiting")
        #expect(said.hasPrefix("This machine is linked: Cleo, client "))
        #expect(try await place.box.run("systemctl --user is-active daybreak-link") == "active")
        try await place.until("~/.local/bin/daybreak link status | grep -q 'It is connected.'")
        let today = try await place.box.run("date +%F")
        let schedule = #"[[2,[\"calm\",\"tired\"],\"\#(today)\"]]"#
        try await place.ana("Assign", "{\"client\":\"p3\",\"schedule\":\"\(schedule)\"}")
        try await place.until("~/.local/bin/daybreak list | grep -q '2 breaths'")
        try await place.ana("SetAvailable", #"{"available":true,"forSeconds":600,"link":"https://meet.example/7"}"#)
        try await place.until("~/.local/bin/daybreak provider | grep -q 'https://meet.example/7'")
        try await place.daybreak("start --json")
        try await place.daybreak("leave")
        try await place.daybreak("mood calm")
        try await place.until("~/.local/bin/daybreak link status | grep -q 'Nothing waits to be told.'")
        let homework = try await place.ana("Homework", #"{"client":"p3"}"#)
        #expect(homework.contains(#""state":"completed""#) && homework.contains(#""mood":"calm""#), "\(homework)")
        #expect(homework.contains(#""takenIn":1"#))
        // Proportional memory of the link and its ssh.
        let memory = try await place.box.run(
            "for p in $(pgrep -x daybreak-link) $(pgrep -x ssh); do grep '^Pss:' /proc/$p/smaps_rollup; done | awk '{s += $2} END {print s}'",
            as: .root)
        print("link: \(memory) KB of proportional memory")
        #expect(Int(memory) ?? .max <= 12 * 1_024)
        // Nothing of the practice's words is in the journal.
        let journal = try await place.box.run("journalctl --user --output cat")
        #expect(!journal.contains("calm") && !journal.contains("meet.example"))
    }

    @Test func `a task that is done on one of the client's machines is asked for on none`() async throws {
        let place = try await Place()
        let shares = "completed,moods"
        _ = try await place.setUp(shares)
        let second = try await place.secondMachine(shares)
        let today = try await place.box.run("date +%F")
        let schedule = #"[[2,[\"calm\",\"tired\"],\"\#(today)\"],[3,[\"calm\",\"tired\"],\"2099-01-01\"]]"#
        try await place.ana("Assign", "{\"client\":\"p3\",\"schedule\":\"\(schedule)\"}")
        try await place.ana("SetAvailable", #"{"available":true,"forSeconds":600,"link":"https://meet.example/7"}"#)
        try await place.until("~/.local/bin/daybreak provider | grep -q 'https://meet.example/7'")
        let isOpen = "~/.local/bin/daybreak | grep -q 'open now'"
        for machine in [place.box, second] {
            try await machine.run("for i in $(seq 600); do \(isOpen) && exit 0; sleep 0.05; done; exit 1")
        }
        try await place.daybreak("start --json")
        try await place.daybreak("leave")
        try await place.daybreak("mood calm")
        try await second.run("for i in $(seq 600); do \(isOpen) || exit 0; sleep 0.05; done; exit 1")
        let shown = try await second.run("~/.local/bin/daybreak show \(today)")
        #expect(shown.contains("Completed on another of your machines."), "\(shown)")
        let refused = try await second.attempt("~/.local/bin/daybreak start --json")
        #expect(refused.status == 1, "\(refused)")
        let homework = try await place.ana("Homework", #"{"client":"p3"}"#)
        #expect(homework.components(separatedBy: #""state":"completed""#).count == 2, "\(homework)")
    }

    @Test func `a machine with another host key is left alone, and a removed key says so`() async throws {
        let place = try await Place()
        _ = try await place.setUp("none")
        try await place.until("~/.local/bin/daybreak link status | grep -q 'It is connected.'")
        let key = try await place.box.run("ssh-keygen -lf ~/.config/daybreak/link/key.pub | cut -d' ' -f2")
        try await place.box.run("practice key remove \(key) --of Cleo", as: .root)
        try await place.until("~/.local/bin/daybreak link status | grep -q 'does not take this machine'")
        try await place.box.run(
            "sed -i 's/AAAA[^ ]*$/AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/' ~/.config/daybreak/link/known_hosts"
        )
        try await place.daybreak("link now")
        try await place.until("~/.local/bin/daybreak link status | grep -q 'shows another key'")
    }
}
