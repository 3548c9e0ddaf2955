import Foundation
import Testing

/// A practice and a client's home: two boxes, each with a network of its own, and one cable between them.
///
/// In the practice, Vera is the administrator (p1), Ana a thanatologist (p2) and Cleo her client (p3), whose home the other box is.
struct TwoHouses {
    let clinic: Box
    let home: Box

    static let address = "practice@10.9.0.1"
    private static let zone = "/usr/share/zoneinfo/Etc/UTC"
    /// The day on which all of it begins, at noon.
    private static let monday = "2030-03-04"
    static let hasServer = FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd")
    /// A connection is held, so that nothing waits for the next look. Breaths take two seconds.
    static let settings = "[link]\nhold = true\n[breathing]\npattern = \"1-0-1-0\""

    init(settings: String = settings) async throws {
        async let booting = Box(localtime: Self.zone, users: ["ana"], isApart: true)
        home = try await Box(localtime: Self.zone, isApart: true)
        clinic = try await booting
        try await clinic.layCable(to: home)
        try await Box.leap(by: 0, clinic, home)
        try await leap(to: "\(Self.monday) 12:00")
        try await clinic.run(
            """
            \(Box.clone)/systemd/install --practice --from \(Box.shown)
            sed -i 's|^#time_zone = .*|time_zone = "Etc/UTC"|' /etc/practice/practice.toml && systemctl restart practiced
            practice staff add --role administrator --name Vera
            practice staff add --role thanatologist --name Ana --account ana
            practice client add --name Cleo --therapist p2
            mkdir --parents /run/sshd && systemd-run --quiet --unit sshd /usr/sbin/sshd -D
            """, as: .root)
        try await home.run(
            """
            mkdir --parents ~/.config/daybreak && echo '[]' >~/.config/daybreak/tasks.json
            printf '\(settings)\n' >~/.config/daybreak/daybreak.toml && \(Client.install)
            """)
    }

    /// Cleo's machine is linked with the practice, by the invitation that the practice prints.
    @discardableResult
    func link(
        with practice: String = address, sharing shares: String = "completed,moods,breaths,notes,waiting"
    ) async throws -> String {
        let invitation = try await clinic.run("practice client invite Cleo", as: .root)
        return try await client(
            "daybreak link set-up \(practice) --invitation - --share \(shares) <<'END'\n\(invitation)\nEND")
    }

    /// Something that Ana types at the practice.
    @discardableResult
    func ana(_ line: String) async throws -> String { try await clinic.run(line, as: .bare("ana")) }

    /// Something that Cleo types at home.
    @discardableResult
    func client(_ line: String) async throws -> String { try await home.run("PATH=~/.local/bin:$PATH\n\(line)") }

    /// Waits until a command at home succeeds.
    func until(_ line: String) async throws { try await client(Self.loop(line)) }

    /// Waits until a command of Ana's succeeds.
    func anaSees(_ line: String) async throws { try await ana(Self.loop(line)) }

    private static func loop(_ line: String) -> String {
        "for i in $(seq 6000); do \(line) && exit 0; sleep 0.05; done; echo 'in vain' >&2; exit 1"
    }

    func untilConnected() async throws { try await until("daybreak link status | grep --quiet 'It is connected'") }

    func untilTold() async throws { try await until("daybreak link status | grep --quiet 'Nothing waits to be told'") }

    /// Kills such a process in either house, as soon as there is one; until then, the link is to try again and again.
    func kill(_ process: String, in box: Box) async throws {
        for _ in 1...1_000 {
            if try await box.attempt("pkill -KILL \(process)", as: .root).status == 0 { return }
            try await client("daybreak link now || true")
        }
        throw Box.Failure(words: [process], said: "there was none to kill")
    }

    // MARK: The cable

    func pullCable() async throws { try await home.run("ip link set cable down", as: .root) }

    func plugIn() async throws { try await home.run("ip link set cable up", as: .root) }

    /// From now on nothing that is sent to the practice is answered, and nothing is refused: a dead router, far away.
    func goSilent() async throws {
        try await home.run(
            "ip neighbour replace 10.9.0.1 lladdr $(cat /sys/class/net/cable/address) nud permanent dev cable",
            as: .root)
    }

    func endSilence() async throws { try await home.run("ip neighbour flush dev cable nud permanent", as: .root) }

    // MARK: The days

    /// The rest of the day passes, as if both machines had slept. The midnight itself is a real one.
    func midnight() async throws {
        try await leap(to: "tomorrow 00:00", before: 2)
        try await home.run("until [ $(date +%H) = 00 ]; do sleep 0.05; done")
    }

    /// It becomes noon of the same day.
    func noon() async throws { try await leap(to: "today 12:00") }

    private func leap(to time: String, before seconds: Int = 0) async throws {
        let rest = try await home.run("echo $(($(date --date '\(time)' +%s) - $(date +%s) - \(seconds)))")
        try await Box.leap(by: #require(Int(rest)), clinic, home)
    }

    /// The journal of one of the client's programs, so far.
    func journal(of program: String) async throws -> [String] {
        try await home.run("journalctl --sync", as: .root)
        return try await home.run("journalctl --user --quiet --output cat --identifier \(program)")
            .split(separator: "\n").map(String.init)
    }
}
