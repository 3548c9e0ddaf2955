import TestSupport
import Testing

/// How fast and how large the link is, with a real sshd between two machines.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .enabled(if: TwoHouses.hasServer, "there is no OpenSSH server"), .boxed
)
struct LinkFiguresTests {
    @Test func `homework and presence arrive, and the link is small on both sides`() async throws {
        let houses = try await TwoHouses()
        try await houses.link()
        try await houses.untilConnected()
        let assigned = try await Self.milliseconds(
            houses, from: "practice assign Cleo --every day --from today --times 1 --breaths 1 --moods calm --yes",
            to: "daybreak list | grep --quiet '1 breath'")
        print("link: assigned, and on the client's machine: \(assigned) ms")
        try await houses.client("daybreak start --json && daybreak breathe")
        let available = try await Self.milliseconds(
            houses, from: "practice available --link https://meet.example/ana",
            to: "daybreak provider | grep --quiet meet.example")
        print("link: available, and seen in the wait room: \(available) ms")

        try await houses.untilTold()
        try await houses.until("[ $(pgrep -x --count ssh) = 1 ]")
        let home = try await Self.memory(of: "$(pgrep -x daybreak-link) $(pgrep -x ssh)", in: houses.home)
        print("link: on the client's side \(home) KB of proportional memory, ssh included")
        #expect(home <= 12 * 1_024)
        let clinic = try await Self.memory(of: Self.ofLinks, in: houses.clinic)
        // One link alone pays for the pages that many would share, so it has no bound.
        print("link: on the practice's side \(clinic) KB of proportional memory for a single link, sshd included")
    }

    @Test func `five hundred links at one practice hear of their therapist`() async throws {
        let houses = try await TwoHouses()
        let clinic = houses.clinic
        let daemonBefore = try await Self.memory(of: "$(pgrep -x practiced)", in: clinic)
        // Links over SSH, from the other machine.
        try await clinic.run(
            "for i in $(seq \(Self.real)); do practice client add --name \"Far $i\" --therapist p2 >/dev/null; done",
            as: .root)
        for number in 1...Self.real {
            let key = try await houses.client(
                "mkdir -p ~/far && ssh-keygen -q -t ed25519 -N '' -f ~/far/\(number) && cat ~/far/\(number).pub")
            try await clinic.run("echo '\(key)' | practice key add --for p\(number + 3) -", as: .root)
        }
        let follow = #"{"method":"org.daybreak.Care.Follow","parameters":{"device":"d"},"more":true}"#
        try await houses.client(
            """
            cat >~/far/follow <<'END'
            (printf '\(follow)\\0'; exec sleep 3600) | ssh -o StrictHostKeyChecking=no -i ~/far/$1 \(TwoHouses.address) varlink |
                while IFS= read -r -d '' news; do
                    case $news in *'"available":true'*) date +%s%N >~/far/$1.seen ;; *) : >~/far/$1.ready ;; esac
                done
            END
            for i in $(seq \(Self.real)); do
                systemd-run --user --quiet bash ~/far/follow $i
                until [ -e ~/far/$i.ready ]; do sleep 0.02; done
            done
            """)
        let memory = try await Self.memory(of: Self.ofLinks, in: clinic) / Self.real
        // The others speak to the daemon as the gate does: as its account, after Enter.
        try await clinic.run(
            """
            cd /tmp && python3 \(Box.clone)/Tests/Box/crowd.py enrol \(500 - Self.real) p2 >keys
            systemd-run --quiet --unit crowd --uid practice python3 \(Box.clone)/Tests/Box/crowd.py follow /tmp/keys /tmp/seen
            until grep --quiet ready seen 2>/dev/null; do sleep 0.1; systemctl is-active --quiet crowd; done
            """, as: .root)
        let daemon = try await Self.memory(of: "$(pgrep -x practiced)", in: clinic)
        let begin = try await Self.nanoseconds(houses.ana("date +%s%N; practice available >/dev/null"))
        try await clinic.run("until [ $(wc --lines </tmp/seen) = 2 ]; do sleep 0.05; done", as: .root)
        let last = try await clinic.run("tail --lines 1 /tmp/seen | cut --delimiter ' ' --fields 2", as: .root)
        let far = try await houses.client(
            "until [ $(ls ~/far/*.seen | wc --lines) = \(Self.real) ]; do sleep 0.05; done; sort ~/far/*.seen | tail --lines 1"
        )
        let (near, overSSH) = try (
            (Self.nanoseconds(last) - begin) / 1_000_000, (Self.nanoseconds(far) - begin) / 1_000_000
        )
        print(
            "500 links, \(Self.real) of them over ssh: the last of the others heard after \(near) ms, the last over ssh after \(overSSH) ms"
        )
        print(
            "500 links: \(memory) KB of sshd and the gate for each link over ssh; practiced \(daemonBefore) KB before, \(daemon) KB with 500"
        )
        #expect(memory + (daemon - daemonBefore) / 500 <= 6 * 1_024)
    }

    /// How many of the 500 links come over SSH.
    private static let real = isThorough ? 480 : 20
    /// The processes that each link has at the practice.
    private static let ofLinks = "$(pgrep --full '^sshd: practice') $(pgrep -x practice-gate)"

    /// The time from before one command of Ana's until a command at home succeeds.
    private static func milliseconds(_ houses: TwoHouses, from line: String, to seen: String) async throws -> Int {
        async let end = houses.client("until \(seen); do :; done; date +%s%N")
        let begin = try await nanoseconds(houses.ana("sleep 0.3; date +%s%N; \(line) >/dev/null"))
        return try await (nanoseconds(end) - begin) / 1_000_000
    }

    private static func nanoseconds(_ text: String) throws -> Int { try #require(Int(text)) }

    private static func memory(of processes: String, in box: Box) async throws -> Int {
        let kilobytes = try await box.run(
            "for p in \(processes); do grep '^Pss:' /proc/$p/smaps_rollup; done | awk '{s += $2} END {print s}'",
            as: .root)
        return try #require(Int(kilobytes))
    }
}
