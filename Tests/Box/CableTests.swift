import Foundation
import Testing

/// The cable between a client's machine and the practice is pulled, or nothing on it is answered.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .enabled(if: TwoHouses.hasServer, "there is no OpenSSH server"), .boxed
)
struct CableTests {
    private struct Status: Decodable {
        var condition: String?
        var lastHeard: String?
        var nextTry: String?
        var oldest: String?
        var waiting: Int?
        var reported: Int?
        var sentence: String?
    }

    private func status(_ houses: TwoHouses) async throws -> Status {
        try JSONDecoder().decode(
            Status.self, from: Data(try await houses.client("daybreak link status --json").utf8))
    }

    private static func assign(_ houses: TwoHouses) async throws {
        try await houses.ana("practice assign Cleo --every day --from today --times 1 --breaths 1 --moods calm --yes")
        try await houses.until("daybreak list | grep --quiet 'open now'")
    }

    /// The happenings that the practice has: how many, how many different ones, and how many of each kind.
    private static func kept(_ houses: TwoHouses) async throws -> String {
        let ask = """
            SELECT count(*), count(DISTINCT name), sum(what = 'started'), sum(what = 'cancelled'), sum(what = 'scheduleTaken')
            FROM happening
            """.replacing("\n", with: " ")
        return try await houses.clinic.run(
            #"python3 -c "import sqlite3; print(*sqlite3.connect('/var/lib/practice/practice.db').execute(\"\#(ask)\").fetchone())""#,
            as: .root)
    }

    @Test func `a cable that is pulled again and again during a report loses nothing, and doubles nothing`()
        async throws
    {
        let houses = try await TwoHouses()
        try await houses.link()
        try await Self.assign(houses)
        try await houses.untilTold()
        try await beginReport(houses)
        var reported: [Int] = []
        for turn in 1...12 {
            let before = try await Self.sent(houses)
            try await houses.plugIn()
            try await Self.wait(houses, until: before + turn * 12_000)
            if turn.isMultiple(of: 3) {
                try await houses.goSilent()
                try await houses.client("daybreak link now")
                try await houses.endSilence()
            }
            try await houses.pullCable()
            reported.append(try await status(houses).waiting ?? -1)
        }
        print("cable: what waited after each pull: \(reported)")
        try await houses.plugIn()
        try await houses.untilTold()
        #expect(try await Self.kept(houses) == "2001 2001 1000 1000 1")
    }

    /// Lives through 2,000 happenings without a cable. The line is slow from then on, so that their report takes seconds; where
    /// the kernel has no queue for it, it is fast.
    private func beginReport(_ houses: TwoHouses) async throws {
        try await houses.pullCable()
        try await houses.client(
            """
            begun="Homework.Start {} Homework.Cancel {} "
            python3 \(Box.clone)/Tests/Box/ask.py $XDG_RUNTIME_DIR/daybreak/control \
                $(for i in $(seq 1000); do echo $begun; done) >/dev/null
            """)
        #expect(try await status(houses).waiting == 2_000)
        if SlowLine.isPossible { try await SlowLine.lay(in: houses.home, "4mbit", burst: "4kb", latency: "400ms") }
    }

    private static let countOfSent = "cat /sys/class/net/cable/statistics/tx_bytes"

    /// The bytes that the client's machine has sent.
    private static func sent(_ houses: TwoHouses) async throws -> Int {
        try #require(Int(try await houses.home.run(countOfSent, as: .root)))
    }

    /// Waits until so many bytes were sent, or for two seconds if there were fewer.
    private static func wait(_ houses: TwoHouses, until bytes: Int) async throws {
        try await houses.home.run(
            """
            end=$(($(date +%s) + 2))
            until [ $(\(countOfSent)) -gt \(bytes) ] || [ $(date +%s) -gt $end ]; do :; done
            """, as: .root)
    }

    @Test func `each process on the way is killed in turn during a report, and nothing is lost or doubled`()
        async throws
    {
        let houses = try await TwoHouses()
        try await houses.link()
        try await Self.assign(houses)
        try await houses.untilTold()
        try await beginReport(houses)
        let victims: [(box: Box, processes: String)] = [
            (houses.home, "-x ssh"), (houses.home, "-x daybreak-link"), (houses.home, "-x daybreakd"),
            (houses.clinic, "--full '^sshd: practice'"), (houses.clinic, "-x practice-gate"),
            (houses.clinic, "-x practiced"),
        ]
        try await houses.plugIn()
        var reported: [Int] = []
        for (turn, victim) in (victims + victims).enumerated() {
            let before = try await Self.sent(houses)
            try await houses.client("daybreak link now || true")
            try await Self.wait(houses, until: before + (turn + 1) * 8_000)
            try await houses.kill(victim.processes, in: victim.box)
            // A daemon that was killed is started by the next call.
            try await houses.until("daybreak link status >/dev/null")
            reported.append(try await status(houses).waiting ?? -1)
        }
        print("kills: what waited after each: \(reported)")
        try await houses.client("daybreak link now || true")
        try await houses.untilTold()
        #expect(try await Self.kept(houses) == "2001 2001 1000 1000 1")
    }

    /// While its daemon is away, the practice's sshd refuses each key, as it does with a removed one.
    @Test func `a key that is refused for a while is tried again within seconds`() async throws {
        let houses = try await TwoHouses()
        try await houses.link()
        try await Self.assign(houses)
        try await houses.untilTold()
        try await houses.clinic.run("pkill -STOP -x practiced", as: .root)
        try await houses.kill("-x ssh", in: houses.home)
        try await houses.client("daybreak start --json && daybreak cancel")
        try await houses.until("daybreak link status | grep --quiet 'does not take this machine.s key now'")
        try await houses.clinic.run("pkill -CONT -x practiced", as: .root)
        try await houses.untilTold()
        #expect(try await Self.kept(houses) == "3 3 1 1 1")
    }

    @Test func `the status of the link is true while the cable is out, and the trouble is logged once`() async throws {
        let houses = try await TwoHouses()
        try await houses.link()
        try await Self.assign(houses)
        try await houses.untilTold()
        let before = try await status(houses)
        #expect(before.condition == "connected" && before.sentence == nil && before.nextTry == nil)
        try await houses.pullCable()
        try await houses.until("daybreak link status | grep --quiet 'cannot be reached.$'")
        try await houses.client("daybreak start --json && daybreak cancel")
        // While it is being asked, no next time is told.
        var said = ""
        for _ in 0..<1_000 where !said.contains("It is asked again") {
            said = try await houses.client("daybreak link status")
        }
        #expect(
            said.replacing(#/\b12:\d\d\b/#, with: "12:00") == """
                Linked with practice@10.9.0.1.
                The practice cannot be reached.
                The practice was last heard today at 12:00.
                The last trouble: The practice cannot be reached: ssh: connect to host 10.9.0.1 port 22: Network is unreachable.
                It is asked again today at 12:00.
                2 happenings to be told, the oldest of today at 12:00.
                Your therapist sees which tasks you began, completed or missed; the words for your moods; how many breaths you drew; \
                the notes that you write for the next session; when you begin a task, wait, are in the session, or give the task up.
                The practice's schedule counts; tasks.json is not read.
                """)
        var tries: Set<String> = []
        for _ in 0..<1_000 where tries.count < 4 {
            if let next = try await status(houses).nextTry { tries.insert(next) }
        }
        #expect(tries.count == 4)
        #expect(try await status(houses).lastHeard == before.lastHeard)
        let journal = try await houses.journal(of: "daybreak-link")
        let trouble =
            "daybreak-link: The practice cannot be reached: ssh: connect to host 10.9.0.1 port 22: Network is unreachable."
        #expect(journal == [trouble])
        try await houses.plugIn()
        try await houses.untilConnected()
        try await houses.untilTold()
        #expect(
            try await houses.journal(of: "daybreak-link") == [trouble, "daybreak-link: The practice is heard again."])
        let after = try await status(houses)
        #expect(after.sentence == nil && after.oldest == nil && after.nextTry == nil)
        #expect(try await Self.kept(houses) == "3 3 1 1 1")
    }

    @Test func `a network that swallows everything is noticed, and its end as well`() async throws {
        let houses = try await TwoHouses()
        try await houses.link()
        try await Self.assign(houses)
        try await houses.untilTold()
        try await houses.goSilent()
        try await houses.client("daybreak start --json && daybreak cancel")
        #expect(try await status(houses).waiting == 2)
        try await houses.until("daybreak link status | grep --quiet 'cannot be reached.$'")
        let sentence = try #require(try await status(houses).sentence)
        #expect(
            sentence.hasPrefix(
                "The practice cannot be reached: ssh: connect to host 10.9.0.1 port 22: Connection timed out"))
        try await houses.endSilence()
        try await houses.client("daybreak link now")
        try await houses.untilTold()
        #expect(try await Self.kept(houses) == "3 3 1 1 1")
    }

    /// A client begins a task and cancels it.
    private static let live = "daybreak start --json && daybreak cancel"

    @Test func `a name that is not found any more is told, and the link goes on when it is found again`() async throws {
        let houses = try await TwoHouses()
        try await houses.home.run("echo '10.9.0.1 clinic.example' >>/etc/hosts", as: .root)
        try await houses.link(with: "practice@clinic.example")
        try await Self.assign(houses)
        try await houses.untilTold()
        try await houses.home.run(
            "grep --invert-match clinic.example /etc/hosts >/tmp/hosts; cat /tmp/hosts >/etc/hosts; pkill -x ssh",
            as: .root)
        try await houses.client(Self.live)
        // The first trouble is the end of the connection.
        try await houses.until("daybreak link status | grep --quiet 'Could not resolve hostname'")
        let sentence = try #require(try await status(houses).sentence)
        let unknown = "The practice cannot be reached: ssh: Could not resolve hostname clinic.example: "
        #expect(sentence.hasPrefix(unknown), "\(sentence)")
        #expect(try await status(houses).waiting == 2)
        try await houses.home.run("echo '10.9.0.1 clinic.example' >>/etc/hosts", as: .root)
        try await houses.client("daybreak link now")
        try await houses.untilTold()
        #expect(try await Self.kept(houses) == "3 3 1 1 1")
    }

    @Test func `a lid that was closed for five minutes is no trouble: all is told, and the schedule is there`()
        async throws
    {
        let houses = try await TwoHouses()
        try await houses.link()
        try await Self.assign(houses)
        try await houses.untilTold()
        try await houses.client(Self.live)
        let processes = "-x 'ssh|daybreak-link|daybreakd'"
        try await houses.home.run("pkill -STOP \(processes)", as: .root)
        try await houses.pullCable()
        try await houses.ana("practice assign Cleo --every day --from today --times 2 --breaths 1 --moods calm --yes")
        try await Box.leap(by: 300, houses.clinic, houses.home)
        try await houses.plugIn()
        try await houses.home.run("pkill -CONT \(processes)", as: .root)
        try await houses.until("[ $(daybreak list --json | grep --only-matching '\"id\"' | wc -l) = 2 ]")
        try await houses.client(Self.live)
        try await houses.untilTold()
        #expect(try await Self.kept(houses) == "6 6 2 2 2")
        #expect(try await status(houses).sentence == nil)
    }

    @Test func `a practice whose clock is two days back takes all, and again once its clock is right`() async throws {
        let houses = try await TwoHouses()
        try await houses.link()
        try await Self.assign(houses)
        try await houses.untilTold()
        try await Box.leap(by: -2 * 86_400, houses.clinic)
        try await houses.client(Self.live)
        try await houses.untilTold()
        #expect(try await Self.kept(houses) == "3 3 1 1 1")
        try await Box.leap(by: 2 * 86_400, houses.clinic)
        try await houses.client(Self.live)
        try await houses.untilTold()
        #expect(try await Self.kept(houses) == "5 5 2 2 1")
        #expect(try await houses.journal(of: "daybreak-link") == [])
    }
}
