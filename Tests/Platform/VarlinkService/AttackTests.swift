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
            let station = try EchoServer()
            separateDescriptors()
            // Each attack runs once before the count, so that lasting allocations are made.
            let attacks = Attack.all(on: .echo)
            for attack in attacks { try attack.run(against: station) }
            let (open, memory) = (try descriptors(), try pages())
            for attack in attacks {
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

extension Attack.Target {
    fileprivate static let echo = Self(
        ask: "org.example.Echo.Ping", list: "org.example.Echo.List",
        change: ("org.example.Echo.Import", "\"text\":\"x\""), watch: "org.example.Echo.Watch",
        text: ("org.example.Echo.Later", "name"),
        long: ("org.example.Echo.Import", "text", 32 * 1_024 * 1_024), callBytes: Limits().callBytes)
}
