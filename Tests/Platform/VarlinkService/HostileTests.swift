import Glibc
import Testing
import Time
import UnixTestSupport

@testable import VarlinkService

/// Clumsy and hostile clients harm no other client.
@Suite struct HostileTests {
    private let station: EchoServer
    private let client: Client
    private static let limits = Limits()

    init() throws {
        station = try EchoServer()
        client = station.client()
    }

    /// Another client is served.
    private func expectServed(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(try station.ask(call("Ping")) == alive, sourceLocation: location)
    }

    @Test func `a call of 64 KiB is accepted, and a longer one closes the connection`() throws {
        let frame = call("Ping")
        let longest = frame + String(repeating: " ", count: Self.limits.callBytes - frame.utf8.count)
        try station.send(longest, over: client)
        #expect(try station.message(for: client) == alive)
        try station.send(longest + " ", over: client)
        #expect(try station.message(for: client) == nil)
        #expect(client.becomesCutOff())
        try expectServed()
    }

    @Test func `a call without an end closes the connection`() throws {
        try station.send(String(repeating: "x", count: 10 * Self.limits.callBytes), over: client)
        #expect(try station.message(for: client) == nil)
        try expectServed()
    }

    private func importing(_ length: Int) -> String {
        call("Import", "{\"text\":\"\(String(repeating: " ", count: length))\"}")
    }

    private func imported(_ length: Int) -> String { "{\"parameters\":{\"length\":\(length)}}" }

    @Test(arguments: [0, 1, 10, 40, 1_000, 65_535, 65_536, 65_537])
    func `a long call of a method that allows it is accepted, wherever it is cut`(first: Int) throws {
        let bytes = Array(importing(3_000_000).utf8) + [0]
        client.send(bytes: Array(bytes[..<first]))
        try station.settle()
        try station.send(bytes: bytes[first...], over: client)
        #expect(try station.message(for: client) == imported(3_000_000))
        // The next call has the usual limit again.
        try station.send(call("Ping") + String(repeating: " ", count: Self.limits.callBytes), over: client)
        #expect(try station.message(for: client) == nil)
    }

    @Test func `a user has a limit of long calls at a time, and one more closes its connection`() throws {
        let bytes = Array(importing(3_000_000).utf8) + [0]
        let clients = (0..<Self.limits.longCallsOfOneUser).map { _ in station.client() }
        for client in clients {
            try station.send(bytes: bytes[..<100_000], over: client)
            try station.settle()
        }
        try station.send(bytes: bytes[..<100_000], over: client)
        #expect(try station.message(for: client) == nil)
        #expect(client.becomesCutOff())
        // A short call is taken, and another long one once one has ended.
        try expectServed()
        try station.send(bytes: bytes[100_000...], over: clients[0])
        #expect(try station.message(for: clients[0]) == imported(3_000_000))
        clients[1].leave()
        try station.settle()
        for next in [station.client(), station.client()] {
            try station.send(bytes: bytes[...], over: next)
            #expect(try station.message(for: next) == imported(3_000_000))
        }
        for client in clients[2...] {
            try station.send(bytes: bytes[100_000...], over: client)
            #expect(try station.message(for: client) == imported(3_000_000))
        }
    }

    @Test func `a long call may directly follow other calls`() throws {
        let calls = [call("Ping"), importing(1_000_000), call("Ping")]
        try station.send(calls.joined(separator: "\0"), over: client)
        let replies = try [station.message(for: client), station.message(for: client), station.message(for: client)]
        #expect(replies == [alive, imported(1_000_000), alive])
    }

    @Test func `a client that never reads its replies keeps no other client waiting`() throws {
        let flood = Array(String(repeating: call("List") + "\0", count: 500).utf8)
        var sent = 0
        for _ in 1...200 {
            sent += client.send(bytes: flood)
            try station.settle()
        }
        // No more than the socket's buffers and one reading.
        #expect(sent < 2_000_000)
        try expectServed()
        // The client can still read all of its replies.
        for _ in 1...1_000 { #expect(try station.message(for: client)?.hasPrefix(#"{"parameters":"#) == true) }
    }

    @Test func `a flood of calls does not keep out other clients`() throws {
        let flood = Array(String(repeating: call("Ping", oneway: true) + "\0", count: 1_000).utf8)
        let honest = station.client()
        client.send(bytes: flood)
        honest.send(call("Ping"))
        var steps = 0
        while honest.message() == nil, steps < 1_000 {
            client.send(bytes: flood)
            _ = try station.loop.step(timeoutMicroseconds: 0)
            steps += 1
        }
        #expect(steps < 20)
    }

    @Test func `a turn takes a bounded number of calls from one client, and the rest come later`() throws {
        let flood = Array(
            String(repeating: call("Count", oneway: true) + "\0", count: Self.limits.callsInTurn + 100).utf8)
        #expect(client.send(bytes: flood) == flood.count)
        while station.count == 0 { #expect(try station.loop.step(timeoutMicroseconds: 0)) }
        #expect(station.count == Self.limits.callsInTurn)
        try station.settle()
        #expect(station.count == Self.limits.callsInTurn + 100)
    }

    @Test func `calls that take long are carried out one at a time`() throws {
        let honest = station.client()
        for _ in 1...100 { client.send(call("List")) }
        honest.send(call("Ping"))
        #expect(try station.message(for: honest) == alive)
        var answered = 0
        while client.message() != nil { answered += 1 }
        #expect(answered <= 2)
    }

    @Test func `calls whose replies no client reads take few turns of the loop`() throws {
        let list = call("List")
        for _ in 1...1_000 { client.send(list) }
        client.leave()
        let quiet = station.client()
        for _ in 1...1_000 { quiet.send(call("List", oneway: true)) }
        var steps = 0
        while try station.loop.step(timeoutMicroseconds: 0) { steps += 1 }
        #expect(steps < 20)
        try expectServed()
    }

    @Test func `a watcher that does not read is disconnected, and other watchers are not`() throws {
        let other = station.client()
        for watcher in [client, other] { watcher.send(call("Watch", more: true)) }
        for watcher in [client, other] { #expect(try station.message(for: watcher) != nil) }
        for _ in 1...3_000 {
            station.change()
            try station.settle()
            #expect(other.message() != nil)
            if station.server.connectionCount == 1 { break }
        }
        #expect(station.server.connectionCount == 1)
        var heard: [String] = []
        while let message = client.message() { heard.append(message) }
        #expect(client.becomesCutOff())
        // Every earlier message is whole, and the last is the error.
        #expect(heard.removeLast() == error("org.example.Echo.Unread", #"{"bytes":262144}"#))
        let isWhole = heard.map { $0.hasPrefix(#"{"continues":true,"parameters":{"count":"#) && $0.hasSuffix(".\"}}") }
        #expect(!isWhole.contains(false))
    }

    /// Puts the clock behind the loop's, so that a call's time is over at once.
    private func letTimeBeOver() { station.steady = SteadyInstant(microseconds: -1_000_000_000) }

    @Test func `an unfinished call closes the connection with an error after its time`() throws {
        letTimeBeOver()
        let idle = station.client()
        let watcher = station.client()
        watcher.send(bytes: Array((call("Watch", more: true) + "\0{").utf8))
        _ = try station.message(for: watcher)
        #expect(try station.ask(idle, call("Ping")) == alive)
        client.send(bytes: Array("{\"method\":".utf8))
        #expect(try station.message(for: client) == error("org.example.Echo.Unfinished", #"{"seconds":30}"#))
        #expect(try station.message(for: client) == nil)
        try station.settle()
        // A client that has begun no call, and a watcher, stay connected.
        #expect(station.server.connectionCount == 2)
        #expect(try station.ask(idle, call("Ping")) == alive)
    }

    @Test func `each call has its time from its own first byte`() throws {
        let text = Array((call("Ping") + "\0").utf8)
        client.send(bytes: Array(text[..<10]))
        try station.settle()
        for _ in 1...3 {
            // A further byte does not extend the time.
            station.steady = station.steady + (Self.limits.callTime - .milliseconds(1))
            client.send(bytes: Array(text[10...] + text[..<10]))
            #expect(try station.message(for: client) == alive)
            // The timer was set for the earlier call.
            station.server.cutUnfinished()
            #expect(station.server.connectionCount == 1)
        }
        client.send(bytes: Array(text[10..<12]))
        try station.settle()
        station.server.cutUnfinished()
        #expect(try station.message(for: client) == error("org.example.Echo.Unfinished", #"{"seconds":30}"#))
    }

    @Test func `ten thousand empty messages are no calls`() throws {
        try station.send(bytes: Array(repeating: 0, count: 10_000)[...], over: client)
        #expect(try station.message(for: client) == nil)
        try expectServed()
    }

    @Test func `a connection over the limit is closed, and there is room once others have left`() throws {
        var clients = (1..<Self.limits.connectionsOfOneUser).map { _ in station.client() }
        for client in clients { #expect(try station.ask(client, call("Ping")) == alive) }
        #expect(try station.ask(client, call("Ping")) == alive)
        #expect(try station.ask(call("Ping")) == nil)
        clients.removeLast(10)
        try station.settle()
        try expectServed()
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can call as somebody else."))
    func `one user's connections leave room for another user, up to the common limit`() async {
        await #expect(processExitsWith: .success) {
            let station = try EchoServer(users: [65_534, 0])
            must(chmod(station.folder.path, 0o755))
            must(chmod(station.path, 0o666))
            func fill(_ count: Int, served: Int) throws -> [Client] {
                let clients = (1...count).map { _ in station.client() }
                let replies = try clients.map { try station.ask($0, call("Ping")) }
                #expect(replies == clients.indices.map { $0 < served ? alive : nil })
                return clients
            }
            let roots = try fill(Self.limits.connectionsOfOneUser + 1, served: Self.limits.connectionsOfOneUser)
            must(seteuid(65_534))
            let room = Self.limits.connections - Self.limits.connectionsOfOneUser
            let others = try fill(room + 1, served: room)
            #expect(station.server.connectionCount == Self.limits.connections)
            must(seteuid(0))
            withExtendedLifetime((roots, others)) {}
        }
    }

    @Test func `of three hundred silent connections the limit is kept, and all are forgotten when they end`() throws {
        var crowd = (1...300).map { _ in station.client() }
        try station.settle()
        #expect(station.server.connectionCount == Self.limits.connectionsOfOneUser)
        #expect(crowd.count == 300)
        crowd = []
        try station.settle()
        #expect(station.server.connectionCount == 1)
        try expectServed()
    }

    @Test func `a client is admitted directly after a crowd has disconnected`() throws {
        for _ in 1...10 {
            var crowd = (2...Self.limits.connectionsOfOneUser).map { _ in station.client() }
            try station.settle()
            #expect(station.server.connectionCount == Self.limits.connectionsOfOneUser)
            crowd = []
            try expectServed()
            #expect(crowd.isEmpty)
        }
    }

    @Test func `clients that disconnect before they are admitted take no room`() throws {
        let inside = (1...Self.limits.connectionsOfOneUser / 2).map { _ in station.client() }
        try station.settle()
        for _ in 1...1_000 { station.client().leave() }
        try expectServed()
        withExtendedLifetime(inside) {}
    }

    @Test func `a connection that is opened and closed leaves nothing`() throws {
        for _ in 1...1_000 {
            _ = station.client()
            try station.settle()
        }
        #expect(station.server.connectionCount == 1)
    }

    @Test func `half-closed connections and full ones do not wake the loop`() throws {
        let ended = station.client()
        ended.endSending()
        client.send(call("Watch", more: true))
        client.endSending()
        try station.settle()
        var steps = 0
        while try station.loop.step(timeoutMicroseconds: 0), steps < 100 { steps += 1 }
        #expect(steps == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can call as somebody else."))
    func `another user is refused before any byte is read`() async {
        await #expect(processExitsWith: .success) {
            let station = try EchoServer(users: [0])
            must(chmod(station.folder.path, 0o755))
            must(chmod(station.path, 0o666))
            must(seteuid(65_534))
            let stranger = station.client()
            must(seteuid(0))
            stranger.send(call("Count", oneway: true))
            #expect(try station.message(for: stranger) == nil)
            #expect(station.count == 0)
            #expect(try station.ask(call("Ping")) == alive)
        }
    }
}
