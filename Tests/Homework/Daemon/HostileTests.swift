import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

/// Clients that are clumsy, or mean harm: none of them hurts another.
@Suite struct HostileTests {
    private let station: Station
    private let client: Client
    private var machine: Machine { station.machine }

    init() throws {
        station = try Station()
        client = station.client()
    }

    private static let presence = #"{"parameters":{"online":false}}"#

    /// Somebody else is served, and soon.
    private func expectServed(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(try station.ask(call("Provider.Presence")) == Self.presence, sourceLocation: location)
    }

    @Test func `a call of 64 KiB is taken, a longer one closes the connection`() throws {
        let frame = call("Provider.Presence")
        let longest = frame + String(repeating: " ", count: Limits.frame - frame.utf8.count)
        try station.send(longest, over: client)
        #expect(try station.message(for: client) == Self.presence)
        try station.send(longest + " ", over: client)
        #expect(try station.message(for: client) == nil)
        #expect(client.isCutOff)
        try expectServed()
    }

    @Test func `a call without an end closes the connection`() throws {
        try station.send(String(repeating: "x", count: 10 * Limits.frame), over: client)
        #expect(try station.message(for: client) == nil)
        try expectServed()
    }

    /// One entry, after so much white space.
    private func importing(after length: Int, dryRun: Bool = false) -> String {
        let schedule = String(repeating: " ", count: length) + #"[[3,[\"well\"],\"2027-03-06\"]]"#
        return call("Homework.Import", "{\"schedule\":\"\(schedule)\",\"dryRun\":\(dryRun)}")
    }

    private static let imported =
        #"{"parameters":{"added":1,"changed":0,"fileDiffers":true,"kept":0,"unchanged":0,"withdrawn":1}}"#
    private static let toBeImported = #"{"parameters":{"added":1,"changed":0,"kept":0,"unchanged":0,"withdrawn":1}}"#

    @Test(arguments: [0, 1, 10, 40, 1_000, 65_535, 65_536, 65_537])
    func `a schedule of some megabytes is taken, however it is cut`(first: Int) throws {
        let bytes = Array(importing(after: 3_000_000, dryRun: true).utf8) + [0]
        client.send(bytes: Array(bytes[..<first]))
        try station.settle()
        try station.send(bytes: bytes[first...], over: client)
        #expect(try station.message(for: client) == Self.toBeImported)
        // What follows has the usual bounds again.
        try station.send(call("Provider.Presence") + String(repeating: " ", count: Limits.frame), over: client)
        #expect(try station.message(for: client) == nil)
    }

    @Test func `a long schedule may follow other calls at once`() throws {
        let calls = [call("Provider.Presence"), importing(after: 1_000_000), call("Provider.Presence")]
        try station.send(calls.joined(separator: "\0"), over: client)
        let replies = try [station.message(for: client), station.message(for: client), station.message(for: client)]
        #expect(replies == [Self.presence, Self.imported, Self.presence])
    }

    @Test func `a client that sends and never reads is left waiting, and nobody else`() throws {
        let flood = Array(String(repeating: call("Homework.List", #"{"all":true}"#) + "\0", count: 500).utf8)
        var sent = 0
        for _ in 1...200 {
            sent += client.send(bytes: flood)
            try station.settle()
        }
        // The socket's buffers, one reading, and no more.
        #expect(sent < 2_000_000)
        try expectServed()
        // It may still read all that it asked for.
        for _ in 1...1_000 { #expect(try station.message(for: client)?.hasPrefix(#"{"parameters":"#) == true) }
    }

    @Test func `a flood of calls lets others through`() throws {
        let flood = Array(String(repeating: call("Provider.Presence", oneway: true) + "\0", count: 1_000).utf8)
        let honest = station.client()
        client.send(bytes: flood)
        honest.send(call("Provider.Presence"))
        var steps = 0
        while honest.message() == nil, steps < 1_000 {
            client.send(bytes: flood)
            _ = try station.loop.step(timeoutMicroseconds: 0)
            steps += 1
        }
        #expect(steps < 20)
    }

    @Test func `of one client's calls a turn takes so many, and the others' come before the rest`() throws {
        _ = try station.ask(client, call("Provider.Presence"))
        let before = try machine.recorded.count
        let steps = ["Homework.Start", "Homework.Cancel"].map { call($0, oneway: true) + "\0" }.joined()
        let flood = Array(String(repeating: steps, count: Limits.waitingCalls / 2 + 50).utf8)
        #expect(client.send(bytes: flood) == flood.count)
        #expect(try station.loop.step(timeoutMicroseconds: 0))
        #expect(try machine.recorded.count == before + Limits.waitingCalls)
        try station.settle()
        #expect(try machine.recorded.count == before + Limits.waitingCalls + 100)
    }

    @Test func `of calls that take long there is one at a time`() throws {
        let honest = station.client()
        for _ in 1...100 { client.send(call("Homework.Show", #"{"assignment":"1"}"#)) }
        honest.send(call("Provider.Presence"))
        #expect(try station.message(for: honest) == Self.presence)
        var answered = 0
        while client.message() != nil { answered += 1 }
        #expect(answered <= 2)
    }

    @Test func `to look for those who do not hear is no work`() throws {
        let list = call("Homework.List", #"{"all":true}"#)
        for _ in 1...1_000 { client.send(list) }
        client.leave()
        let quiet = station.client()
        for _ in 1...1_000 { quiet.send(call("Homework.List", #"{"all":true}"#, oneway: true)) }
        var steps = 0
        while try station.loop.step(timeoutMicroseconds: 0) { steps += 1 }
        #expect(steps < 20)
        try expectServed()
    }

    @Test func `a watcher that does not read is cut off, and nobody else`() throws {
        let other = station.client()
        for watcher in [client, other] { watcher.send(call("Homework.GetStatus", more: true)) }
        for watcher in [client, other] { #expect(try station.message(for: watcher) != nil) }
        for round in 1...3_000 {
            machine.ask(round % 2 == 1 ? .start(nil) : .cancel)
            try station.settle()
            #expect(other.message() != nil)
            if station.server.connectionCount == 1 { break }
        }
        #expect(station.server.connectionCount == 1)
        var heard: [String] = []
        while let message = client.message() { heard.append(message) }
        #expect(client.isCutOff)
        // All that it heard is whole, and the last is why it hears no more.
        #expect(heard.removeLast() == error("org.daybreak.Service.RepliesUnread", #"{"bytes":262144}"#))
        let isWhole = heard.map { $0.hasPrefix(#"{"continues":true,"parameters":{"status":{"#) && $0.hasSuffix("}}}") }
        #expect(!isWhole.contains(false))
    }

    /// By the loop's own clock, what is to happen after a call's time happens at once.
    private func letTimeBeOver() { machine.clock.steady = SteadyInstant(microseconds: -1_000_000_000) }

    @Test func `a call that is begun and not ended in its time closes the connection with a word`() throws {
        letTimeBeOver()
        let idle = station.client()
        let watcher = station.client()
        watcher.send(bytes: Array((call("Homework.GetStatus", more: true) + "\0{").utf8))
        _ = try station.message(for: watcher)
        #expect(try station.ask(idle, call("Provider.Presence")) == Self.presence)
        client.send(bytes: Array("{\"method\":".utf8))
        #expect(try station.message(for: client) == error("org.daybreak.Service.CallUnfinished", #"{"seconds":30}"#))
        #expect(try station.message(for: client) == nil)
        try station.settle()
        // Whoever began none, or waits for the end of what it watches, stays.
        #expect(station.server.connectionCount == 2)
        #expect(try station.ask(idle, call("Provider.Presence")) == Self.presence)
    }

    @Test func `every call has its time from its own first byte on`() throws {
        let text = Array((call("Provider.Presence") + "\0").utf8)
        client.send(bytes: Array(text[..<10]))
        try station.settle()
        for _ in 1...3 {
            // A byte now and then gives no more time.
            machine.clock.advance(by: Limits.callTime - .milliseconds(1))
            client.send(bytes: Array(text[10...] + text[..<10]))
            #expect(try station.message(for: client) == Self.presence)
            // It rings for the call before.
            station.server.cutUnfinished()
            #expect(station.server.connectionCount == 1)
        }
        client.send(bytes: Array(text[10..<12]))
        try station.settle()
        station.server.cutUnfinished()
        #expect(try station.message(for: client) == error("org.daybreak.Service.CallUnfinished", #"{"seconds":30}"#))
    }

    @Test func `ten thousand empty messages are no calls`() throws {
        try station.send(bytes: Array(repeating: 0, count: 10_000)[...], over: client)
        #expect(try station.message(for: client) == nil)
        try expectServed()
    }

    @Test func `a connection too many is closed, and once others have left there is room again`() throws {
        var clients = (1..<Limits.connectionsOfOneUser).map { _ in station.client() }
        for client in clients { #expect(try station.ask(client, call("Provider.Presence")) == Self.presence) }
        #expect(try station.ask(client, call("Provider.Presence")) == Self.presence)
        #expect(try station.ask(call("Provider.Presence")) == nil)
        clients.removeLast(10)
        try station.settle()
        try expectServed()
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can call as somebody else."))
    func `whatever one user opens, there is room for the other, up to the limit of both`() async {
        await #expect(processExitsWith: .success) {
            let station = try Station(.withSample(), user: 65_534)
            must(chmod(station.machine.folder.path, 0o755))
            must(chmod(station.path, 0o666))
            func fill(_ count: Int, served: Int) throws -> [Client] {
                let clients = (1...count).map { _ in station.client() }
                let replies = try clients.map { try station.ask($0, call("Provider.Presence")) }
                #expect(replies == clients.indices.map { $0 < served ? #"{"parameters":{"online":false}}"# : nil })
                return clients
            }
            let roots = try fill(Limits.connectionsOfOneUser + 1, served: Limits.connectionsOfOneUser)
            must(seteuid(65_534))
            let room = Limits.connections - Limits.connectionsOfOneUser
            let others = try fill(room + 1, served: room)
            #expect(station.server.connectionCount == Limits.connections)
            must(seteuid(0))
            withExtendedLifetime((roots, others)) {}
        }
    }

    @Test func `three hundred who come at once and say nothing keep nobody out for longer than they stay`() throws {
        var crowd = (1...300).map { _ in station.client() }
        try station.settle()
        #expect(station.server.connectionCount == Limits.connectionsOfOneUser)
        #expect(crowd.count == 300)
        crowd = []
        try station.settle()
        #expect(station.server.connectionCount == 1)
        try expectServed()
    }

    @Test func `whoever comes right after a crowd has left is let in`() throws {
        for _ in 1...10 {
            var crowd = (2...Limits.connectionsOfOneUser).map { _ in station.client() }
            try station.settle()
            #expect(station.server.connectionCount == Limits.connectionsOfOneUser)
            crowd = []
            try expectServed()
            #expect(crowd.isEmpty)
        }
    }

    @Test func `many who have gone again before they are let in keep nobody out`() throws {
        let inside = (1...Limits.connectionsOfOneUser / 2).map { _ in station.client() }
        try station.settle()
        for _ in 1...1_000 { station.client().leave() }
        try expectServed()
        withExtendedLifetime(inside) {}
    }

    @Test func `a connection that is opened and left costs nothing`() throws {
        for _ in 1...1_000 {
            _ = station.client()
            try station.settle()
        }
        #expect(station.server.connectionCount == 1)
    }

    @Test func `half-closed connections and full ones keep the loop still`() throws {
        let ended = station.client()
        ended.endSending()
        client.send(call("Homework.GetStatus", more: true))
        client.endSending()
        try station.settle()
        var steps = 0
        while try station.loop.step(timeoutMicroseconds: 0), steps < 100 { steps += 1 }
        #expect(steps == 0)
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can call as somebody else."))
    func `another user is refused before a byte is read`() async {
        await #expect(processExitsWith: .success) {
            let station = try Station()
            must(chmod(station.machine.folder.path, 0o755))
            must(chmod(station.path, 0o666))
            must(seteuid(65_534))
            let stranger = station.client()
            must(seteuid(0))
            stranger.send(call("Provider.SetPresence", #"{"online":true}"#, oneway: true))
            #expect(try station.message(for: stranger) == nil)
            #expect(station.machine.status?.providerOnline == false)
            #expect(try station.ask(call("Provider.Presence")) == #"{"parameters":{"online":false}}"#)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can call as root.")) func `root is served as the user is`() throws {
        let station = try Station(.withSample(), user: 65_534)
        #expect(try station.ask(call("Provider.Presence")) == Self.presence)
    }
}
