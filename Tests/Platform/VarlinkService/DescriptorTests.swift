import Foundation
import Glibc
import Testing
import Time
import UnixTestSupport

@testable import VarlinkService

/// Each test runs in a process and with a descriptor table of its own, in which descriptors can be counted and limited.
@Suite struct DescriptorTests {
    @Test func `descriptors that a client sends along are closed`() async {
        await #expect(processExitsWith: .success) {
            let station = try EchoServer()
            separateDescriptors()
            let client = station.client()
            _ = try station.ask(client, call("Ping"))
            let before = try descriptors()
            for _ in 1...50 {
                client.send(call("Ping"), along: STDERR_FILENO)
                #expect(try station.message(for: client) == alive)
            }
            #expect(try descriptors() == before)
        }
    }

    @Test func `no descriptor is left after clients have disconnected`() async {
        await #expect(processExitsWith: .success) {
            let station = try EchoServer()
            separateDescriptors()
            _ = try station.ask(call("Ping"))
            try station.settle()
            let before = try descriptors()
            for round in 1...60 {
                let client = station.client()
                client.send(round % 3 == 0 ? "no call" : call("Watch", more: round % 2 == 0))
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

    @Test func `without a free descriptor clients are disconnected, and later ones are served`() async {
        await #expect(processExitsWith: .success) {
            let station = try EchoServer()
            separateDescriptors()
            let inside = station.client()
            _ = try station.ask(inside, call("Ping"))
            let outside = (1...5).map { _ in station.client() }
            limitDescriptors(to: lowestFree())
            var steps = 0
            while try station.loop.step(timeoutMicroseconds: 0), steps < 1_000 { steps += 1 }
            #expect(steps == outside.count)
            for client in outside { #expect(try station.message(for: client) == nil) }
            #expect(station.log == ["warning: Clients are disconnected: no descriptor is free, carrying on"])
            #expect(try station.ask(inside, call("Ping")) == alive)
            limitDescriptors(to: 1_024)
            #expect(try station.ask(call("Ping")) == alive)
        }
    }
}

extension DescriptorTests {
    @Test func `the loop rests if clients cannot even be disconnected`() async {
        await #expect(processExitsWith: .success) {
            let station = try EchoServer()
            separateDescriptors()
            let client = station.client()
            limitDescriptors(to: 3)
            var steps = 0
            while try station.loop.step(timeoutMicroseconds: 0), steps < 100 { steps += 1 }
            #expect(steps == 1)
            #expect(client.message() == nil && !client.isCutOff)
        }
    }

    @Test func `after its rest the loop serves the clients that waited`() async {
        await #expect(processExitsWith: .success) {
            let station = try EchoServer()
            separateDescriptors()
            // By the real clock, the rest is already over.
            station.steady = SteadyInstant(microseconds: -1_000_000)
            let client = station.client()
            client.send(call("Ping"))
            limitDescriptors(to: 3)
            _ = try station.loop.step(timeoutMicroseconds: 0)
            limitDescriptors(to: 1_024)
            #expect(try station.message(for: client) == alive)
        }
    }
}
