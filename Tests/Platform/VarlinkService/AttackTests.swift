import Foundation
import Glibc
import Systemd
import Testing
import UnixTestSupport

@testable import VarlinkService

/// Runs in a process of its own, in which descriptors and memory can be counted.
@Suite struct AttackTests {
    @Test func `after each attack the next client is served, and no descriptor or memory is lost`() async {
        await #expect(processExitsWith: .success) {
            Memory.keepNothingLarge()  // As the program does.
            allowDescriptors(4_096)
            let station = try Station()
            separateDescriptors()
            // Each attack runs once before the count, so that lasting allocations are made.
            for attack in Attack.all { try attack.run(against: station) }
            let (open, memory) = (try descriptors(), try pages())
            for attack in Attack.all {
                try attack.run(against: station)
                #expect(
                    try station.ask(call("Ping")) == alive, "\(attack.name)")
                try station.settle()
                #expect(station.server.connectionCount == 0, "\(attack.name)")
                #expect(try descriptors() == open, "\(attack.name)")
            }
            // Two megabytes in pages of 4 KiB.
            #expect(try pages() - memory < 512)
        }
    }
}

/// How many pages of memory this process has in use (man 5 proc, statm).
private func pages() throws -> Int {
    let numbers = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(Int(numbers[1]))
}

/// Allows so many descriptors, because this process holds both ends of every connection.
private func allowDescriptors(_ number: rlim_t) {
    var limit = rlimit()
    must(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
    limit.rlim_cur = min(number, limit.rlim_max)
    must(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
}

/// The behaviour of a clumsy or hostile client.
private struct Attack {
    let name: String
    var clients = 1
    var bytes: [UInt8] = []
    var act: (Client) -> Void = { _ in }

    /// Runs the attack, closes its clients and lets the server handle that.
    func run(against station: Station) throws {
        do {
            let crowd = (1...clients).map { _ in station.client() }
            for client in crowd {
                try station.send(bytes: bytes[...], over: client)
                act(client)
            }
            try station.settle()
            withExtendedLifetime(crowd) {}
        }
        try station.settle()
    }

    init(_ name: String, clients: Int = 1, _ bytes: [UInt8], act: @escaping (Client) -> Void = { _ in }) {
        self.name = name
        self.clients = clients
        self.bytes = bytes
        self.act = act
    }

    init(_ name: String, clients: Int = 1, _ text: String, act: @escaping (Client) -> Void = { _ in }) {
        self.init(name, clients: clients, Array(text.utf8), act: act)
    }

    private static let ask = call("Ping") + "\0"
    private static let list = call("List") + "\0"
    private static let watch = call("Watch", more: true) + "\0"

    static var all: [Attack] {
        spellings + [
            Attack("a thousand asks, and none of the answers read", String(repeating: ask, count: 1_000)),
            Attack(
                "calls that want no reply", String(repeating: call("Ping", oneway: true) + "\0", count: 5_000)
            ),
            Attack("watchers who go on asking", clients: 50, String(repeating: watch, count: 20)),
            Attack("long calls, and gone", String(repeating: list, count: 800)) { $0.leave() },
            Attack("nothing at all", clients: 1_000, ""),
            Attack("opened and left", clients: 1_000, "") { $0.leave() },
            Attack("half-closed", clients: 50, "") { $0.endSending() },
            Attack("half-closed while watching", clients: 50, watch) { $0.endSending() },
            Attack("gone at once", clients: 50, ask) { $0.leave() },
            Attack("gone in the middle of a call", clients: 50, String(ask.prefix(20))) { $0.leave() },
            Attack("descriptors along", "") { client in
                for _ in 1...20 { client.send(call("Ping"), along: STDERR_FILENO) }
            },
        ]
    }

    private static var spellings: [Attack] {
        [
            Attack("no UTF-8", Array("{\"method\":\"".utf8) + [0xFF, 0xFE] + Array("\"}\0".utf8)),
            Attack("no JSON", "GET / HTTP/1.1\r\n\r\n\0"),
            Attack("no object", "[1,2,3]\0"),
            Attack("a key twice", "{\"method\":\"a.b\",\"method\":\"a.b\"}\0"),
            Attack(
                "a deep nest", call("Later", "{\"name\":" + String(repeating: "[", count: 60_000)) + "\0"),
            Attack("many keys", "{" + (1...5_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}\0"),
            Attack("a call without end", String(repeating: "x", count: 1_000_000)),
            Attack("a call too long", String(repeating: " ", count: Limits().callBytes) + ask),
            Attack(
                "a long call that is too long",
                "{\"method\":\"org.example.Echo.Import\",\"parameters\":{\"text\":\""
                    + String(repeating: " ", count: 32 * 1_024 * 1_024)),
            Attack("ten thousand empty calls", Array(repeating: 0, count: 10_000)),
            Attack("half a call", String(ask.prefix(20))),
        ]
    }
}
