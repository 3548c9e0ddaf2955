import Foundation
import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

/// Each in a process of its own, where the descriptors can be counted.
@Suite struct DescriptorTests {
    @Test func `descriptors that are sent along are closed`() async {
        await #expect(processExitsWith: .success) {
            let station = try Station()
            let client = station.client()
            _ = try station.ask(client, call("Provider.Presence"))
            let before = try descriptors()
            for _ in 1...50 {
                client.send(call("Provider.Presence"), along: STDERR_FILENO)
                #expect(try station.message(for: client) == #"{"parameters":{"online":false}}"#)
            }
            #expect(try descriptors() == before)
        }
    }

    @Test func `nothing is left over from those who came and went`() async {
        await #expect(processExitsWith: .success) {
            let station = try Station()
            _ = try station.ask(call("Provider.Presence"))
            try station.settle()
            let before = try descriptors()
            for round in 1...60 {
                let client = station.client()
                client.send(round % 3 == 0 ? "no call" : call("Homework.GetStatus", more: round % 2 == 0))
                _ = try station.message(for: client)
            }
            do {
                let crowd = (1...300).map { _ in station.client() }
                try withExtendedLifetime(crowd) {
                    try station.settle()
                    #expect(station.server.connectionCount == 192)
                }
            }
            try station.settle()
            #expect(station.server.connectionCount == 0)
            #expect(try descriptors() == before)
        }
    }

    @Test func `without a free descriptor clients are sent away, and served again later`() async {
        await #expect(processExitsWith: .success) {
            let station = try Station()
            let inside = station.client()
            _ = try station.ask(inside, call("Provider.Presence"))
            let outside = (1...5).map { _ in station.client() }
            limitDescriptors(to: lowestFree())
            var steps = 0
            while try station.loop.step(timeoutMicroseconds: 0), steps < 1_000 { steps += 1 }
            #expect(steps == outside.count)
            for client in outside { #expect(try station.message(for: client) == nil) }
            #expect(station.machine.said == ["warning: Clients are sent away: no descriptor is free, carrying on"])
            #expect(try station.ask(inside, call("Provider.Presence")) == #"{"parameters":{"online":false}}"#)
            limitDescriptors(to: 1_024)
            #expect(try station.ask(call("Provider.Presence")) == #"{"parameters":{"online":false}}"#)
        }
    }
}

extension DescriptorTests {
    @Test func `where clients cannot even be sent away the loop rests`() async {
        await #expect(processExitsWith: .success) {
            let station = try Station()
            let client = station.client()
            limitDescriptors(to: 3)
            var steps = 0
            while try station.loop.step(timeoutMicroseconds: 0), steps < 100 { steps += 1 }
            #expect(steps == 1)
            #expect(client.message() == nil && !client.isCutOff)
        }
    }

    @Test func `after its rest the loop lets in who has waited`() async {
        await #expect(processExitsWith: .success) {
            let station = try Station()
            // Of this machine's clock, the rest is over already.
            station.machine.clock.steady = SteadyInstant(microseconds: -1_000_000)
            let client = station.client()
            client.send(call("Provider.Presence"))
            limitDescriptors(to: 3)
            _ = try station.loop.step(timeoutMicroseconds: 0)
            limitDescriptors(to: 1_024)
            #expect(try station.message(for: client) == #"{"parameters":{"online":false}}"#)
        }
    }
}

/// How many this process has open.
func descriptors() throws -> Int {
    // The listing's own is gone by the time it is read.
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { exists("/proc/self/fd/\($0)") }
}

/// The number that the next one to be opened gets.
private func lowestFree() -> Int32 {
    let free = dup(STDERR_FILENO)
    must(close(free))
    return free
}

private func limitDescriptors(to number: Int32) {
    var limit = rlimit(rlim_cur: rlim_t(number), rlim_max: 1_024)
    must(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
}

extension Client {
    /// A message with a descriptor of this process (SCM_RIGHTS, man 7 unix).
    func send(_ message: String, along sent: Int32) {
        var bytes = Array(message.utf8) + [0]
        // A header of 16 bytes, and an int with its padding (man 3 cmsg).
        var control: [UInt8] = []
        withUnsafeBytes(of: 20) { control += $0 }
        withUnsafeBytes(of: SOL_SOCKET) { control += $0 }
        withUnsafeBytes(of: Int32(1)) { control += $0 }
        withUnsafeBytes(of: Int(sent)) { control += $0 }
        bytes.withUnsafeMutableBytes { bytes in
            var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            withUnsafeMutablePointer(to: &vector) { vector in
                control.withUnsafeMutableBytes { control in
                    var header = msghdr()
                    header.msg_iov = vector
                    header.msg_iovlen = 1
                    header.msg_control = control.baseAddress
                    header.msg_controllen = control.count
                    precondition(sendmsg(descriptor, &header, 0) == bytes.count)
                }
            }
        }
    }
}
