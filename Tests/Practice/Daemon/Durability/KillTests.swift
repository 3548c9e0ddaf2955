import Foundation
import Glibc
import Storage
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

/// Nothing that was acknowledged is lost, whenever practiced is killed; and what is sent again with its key is there once.
@Suite(.hangGuard) struct KillTests {
    private let folder = UnixTestSupport.Folder()

    @Test func `killed under a load of calls, it has kept each that it acknowledged, once, and no other`() throws {
        let kills = isThorough ? 500 : 25
        let seed = testSeed
        var dice = SplitMix64(seed: seed)
        var ledger = Ledger()
        let door = try PracticeProcess.door(folder["control"])
        defer { close(door) }
        for round in 0..<kills {
            let daemon = try PracticeProcess(in: folder, door: door)
            let clients = (0..<6).map { _ in Client(to: folder["control"]) }
            let enough = ledger.acknowledged.count + Int.random(in: 1...80, using: &dice)
            for (number, client) in clients.enumerated() { ledger.send("k\(round)-\(number)", over: client) }
            while ledger.acknowledged.count < enough {
                waitForAny(clients)
                ledger.hear(clients, goingOn: true)
            }
            daemon.end(SIGKILL)
            // An answer that had left the daemon is one.
            ledger.hear(clients, goingOn: false)
        }
        let daemon = try PracticeProcess(in: folder, door: door)
        let unanswered = ledger.names.count - ledger.acknowledged.count
        let client = Client(to: folder["control"])
        for name in ledger.names + ledger.names {
            client.send(Ledger.call(name))
            waitForAny([client])
            ledger.take(try #require(client.message()), for: name)
        }
        daemon.end(SIGTERM)
        #expect(ledger.contradictions == [])
        let database = try Database(folder["state/practice.db"])
        let kept = try database.rows("SELECT name, id FROM person ORDER BY id") {
            ($0.text(0) ?? "", "p\($0.int(1) ?? 0)")
        }
        #expect(kept.count == ledger.names.count)
        #expect(Dictionary(kept) { first, _ in first } == ledger.acknowledged)
        #expect(try database.isSound(withIndexes: true))
        print("kills \(kills), calls \(ledger.names.count), of them unanswered \(unanswered) (seed \(seed))")
    }
}

/// Until one of them can be read.
private func waitForAny(_ clients: [Client]) {
    var wanted = clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    _ = poll(&wanted, nfds_t(wanted.count), 30_000)
}

/// What was sent, and what was answered.
private struct Ledger {
    private(set) var names: [String] = []
    /// The identifier that each name was given.
    private(set) var acknowledged: [String: String] = [:]
    /// Names that were answered differently when they were asked for again.
    private(set) var contradictions: [String] = []
    private var asked: [ObjectIdentifier: String] = [:]

    static func call(_ name: String) -> String {
        #"{"method":"org.daybreak.Practice.AddStaff","parameters":{"name":"\#(name)","role":"support","key":"\#(name)"}}"#
    }

    mutating func send(_ prefix: String, over client: Client) {
        let name = "\(prefix)-\(names.count)"
        names.append(name)
        asked[ObjectIdentifier(client)] = name
        client.send(Self.call(name))
    }

    /// Takes the answers that came.
    mutating func hear(_ clients: [Client], goingOn: Bool) {
        for (number, client) in clients.enumerated() {
            guard let name = asked[ObjectIdentifier(client)] else { continue }
            guard let reply = client.message() else {
                if !goingOn { asked[ObjectIdentifier(client)] = nil }
                continue
            }
            take(reply, for: name)
            asked[ObjectIdentifier(client)] = nil
            if goingOn { send("k\(number)", over: client) }
        }
    }

    mutating func take(_ reply: String, for name: String) {
        guard let id = reply.firstMatch(of: #/"id":"(p[0-9]+)"/#).map({ String($0.1) }) else {
            return contradictions.append("\(name): \(reply)")
        }
        if let before = acknowledged[name], before != id { contradictions.append("\(name): \(before) and \(id)") }
        acknowledged[name] = id
    }
}

/// The real program, which is passed its listening socket as a service manager does: the socket outlives it.
final class PracticeProcess {
    private let process: pid_t

    static let program: String = {
        if let folder = ProcessInfo.processInfo.environment["DAYBREAK_BIN"] { return "\(folder)/practiced" }
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "practiced").path()
    }()

    /// A socket that listens.
    static func door(_ path: String) throws -> Int32 {
        let door = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(withAddress(path) { bind(door, $0, $1) } == 0)
        try #require(listen(door, 100) == 0)
        return door
    }

    init(in folder: UnixTestSupport.Folder, door: Int32) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, door, 3)
        posix_spawn_file_actions_addopen(&actions, 2, folder["errors"], O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let words = ["/bin/sh", "-c", #"LISTEN_PID=$$ exec "$0" --config /none"#, Self.program]
        let environment = [
            "LISTEN_FDS=1", "LISTEN_FDNAMES=varlink", "STATE_DIRECTORY=\(folder["state"])",
            "RUNTIME_DIRECTORY=\(folder["run"])", "LLVM_PROFILE_FILE=/dev/null",
        ]
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process = pid_t()
        try #require(posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, &variables) == 0)
        self.process = process
    }

    /// Ends it, and waits until it has ended.
    func end(_ signal: Int32) {
        kill(process, signal)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
