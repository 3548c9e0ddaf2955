import Glibc
import Testing
import UnixTestSupport

@testable import VarlinkService

/// How calls and replies follow each other on a connection.
@Suite struct ConversationTests {
    private let station: EchoServer
    private let client: Client

    init() throws {
        station = try EchoServer()
        client = station.client()
    }

    private func next() throws -> String? { try station.message(for: client) }

    private func named(_ name: String) -> String { "{\"parameters\":{\"name\":\"\(name)\"}}" }

    private func later(_ name: String, oneway: Bool = false) -> String {
        call("Later", "{\"name\":\"\(name)\"}", oneway: oneway)
    }

    @Test func `calls that come together are answered in their order`() throws {
        client.send(bytes: Array((call("Ping") + "\0" + call("Count") + "\0").utf8))
        client.send(call("Ping"))
        #expect(try [next(), next(), next()] == [alive, #"{"parameters":{"count":1}}"#, alive])
    }

    @Test func `a call may come in any number of pieces`() throws {
        let bytes = Array(call("Ping").utf8) + [0]
        for end in 1..<bytes.count {
            client.send(bytes: Array(bytes[..<end]))
            try station.settle()
            client.send(bytes: Array(bytes[end...]))
            #expect(try next() == alive)
        }
    }

    @Test func `a oneway call is carried out in its turn, and gets no reply and no error`() throws {
        client.send(call("Count", oneway: true))
        client.send("{\"method\":\"org.nobody.Knows\",\"oneway\":true}")
        client.send(call("Count"))
        #expect(try next() == #"{"parameters":{"count":2}}"#)
    }

    @Test func `closing cancels the calls that wait for an answer, but no oneway call`() throws {
        client.send(call("Count"))
        client.send(call("Count", oneway: true))
        client.leave()
        try station.settle()
        #expect(station.count == 1)
    }

    @Test func `a client that ends its sending still gets its answers`() throws {
        for _ in 1...3 { client.send(call("Ping")) }
        client.endSending()
        #expect(try [next(), next(), next(), next()] == [alive, alive, alive, nil])
        #expect(client.becomesCutOff())
    }

    @Test func `an unfinished call gets no reply when the client ends its sending`() throws {
        client.send(call("Ping"))
        client.send(bytes: Array("{\"method\":".utf8))
        client.endSending()
        #expect(try [next(), next()] == [alive, nil])
    }

    @Test func `a client that ends its sending can go on watching`() throws {
        client.send(call("Watch", more: true))
        client.endSending()
        #expect(try next()?.contains("\"count\":0") == true)
        station.change()
        #expect(try next()?.contains("\"count\":1") == true)
        client.leave()
        try station.settle()
        #expect(station.server.connectionCount == 0)
        #expect(station.cancelled == 1)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{}", "{\"method\":1}", "{\"method\":\"a.b\",\"method\":\"a.b\"}",
        "{\"method\":\"a.b\",\"nonsense\":1}", "{\"method\":\"a.b\",\"more\":1}",
        "{\"method\":\"a.b\",\"parameters\":[]}", "{\"method\":\"a.b\",\"more\":true,\"oneway\":true}",
        "{\"method\":\"a.b\",\"upgrade\":true}", "{\"method\":\"a.b\"} x", "{\"method\":\"\u{1}\"}",
    ]) func `bytes that are no call close the connection without an error, and earlier calls are answered`(
        text: String
    ) throws {
        client.send(call("Ping"))
        client.send(text)
        client.send(call("Ping"))
        #expect(try [next(), next()] == [alive, nil])
        #expect(client.becomesCutOff())
        #expect(try station.ask(call("Ping")) == alive)
    }

    @Test(arguments: [
        ("org.nobody.Knows", "InterfaceNotFound", "interface", "org.nobody"),
        ("Nonsense", "MethodNotFound", "method", "Nonsense"),
        ("org.example.Echo.Nonsense", "MethodNotFound", "method", "org.example.Echo.Nonsense"),
        ("org.example.Echo.ping", "MethodNotFound", "method", "org.example.Echo.ping"),
    ]) func `a method that does not exist is refused by its name`(
        method: String, name: String, parameter: String, value: String
    ) throws {
        client.send("{\"method\":\"\(method)\"}")
        #expect(try next() == error("org.varlink.service.\(name)", "{\"\(parameter)\":\"\(value)\"}"))
        #expect(try station.ask(client, call("Ping")) == alive)
    }

    @Test func `calls of several clients that are ready together share a turn`() throws {
        let other = station.client()
        try station.settle()
        client.send(call("Ping"))
        other.send(call("Ping"))
        try station.settle()
        #expect(station.turns == [2])
    }

    @Test func `a watcher's further calls wait until its watch ends`() throws {
        client.send(call("Watch", more: true))
        client.send(call("Count"))
        _ = try next()
        try station.settle()
        #expect(client.message() == nil)
        station.endWatches()
        #expect(try [next(), next()] == [#"{"parameters":{"count":0}}"#, #"{"parameters":{"count":1}}"#])
    }

    // Answers that come later.

    @Test func `a request can be answered in a later turn, and other clients are served meanwhile`() throws {
        client.send(later("a"))
        try station.settle()
        #expect(try station.ask(call("Ping")) == alive)
        #expect(client.message() == nil)
        station.answer("a")
        #expect(try next() == named("a"))
    }

    @Test func `answers reach the client in the order of its calls, even if they are given in another`() throws {
        for name in ["a", "b", "c"] { client.send(later(name)) }
        client.send(call("Ping"))
        client.send("{\"method\":\"org.nobody.Knows\"}")
        try station.settle()
        station.answer("c", "b")
        #expect(client.message() == nil)
        station.answer("a")
        let unknown = error("org.varlink.service.InterfaceNotFound", #"{"interface":"org.nobody"}"#)
        #expect(try [next(), next(), next(), next(), next()] == [named("a"), named("b"), named("c"), alive, unknown])
    }

    @Test func `with one call a turn, a call is carried out once the earlier one is answered`() throws {
        let station = try EchoServer { $0.callsInTurn = 1 }
        let client = station.client()
        client.send(later("a", oneway: true))
        client.send(later("b"))
        client.send(call("Count"))
        try station.settle()
        #expect(station.later.map(\.name) == ["a"])
        station.answer("a")
        try station.settle()
        #expect(station.later.map(\.name) == ["b"])
        #expect(station.count == 0)
        station.answer("b")
        #expect(try station.message(for: client) == named("b"))
        #expect(try station.message(for: client) == #"{"parameters":{"count":1}}"#)
    }

    @Test func `nothing more is read from a client while its request is pending`() throws {
        let flood = Array(String(repeating: call("List") + "\0", count: 500).utf8)
        client.send(later("a"))
        try station.settle()
        var sent = 0
        for _ in 1...200 {
            sent += client.send(bytes: flood)
            try station.settle()
        }
        #expect(sent < 2_000_000)
        station.answer("a")
        #expect(try next() == named("a"))
        #expect(try next()?.hasPrefix(#"{"parameters":{"text":"#) == true)
    }

    @Test func `an answer to a client that has disconnected is dropped`() throws {
        client.send(later("a"))
        try station.settle()
        client.leave()
        try station.settle()
        station.answer("a")
        try station.settle()
        #expect(station.server.connectionCount == 0)
        #expect(try station.ask(call("Ping")) == alive)
    }

    // Callers.

    @Test func `a trusted program's connection can become another caller's`() throws {
        client.send(call("WhoAmI"))
        client.send(call("Enter", #"{"person":"cleo"}"#))
        #expect(try [next(), next()] == [#"{"parameters":{"person":"nobody"}}"#, #"{"parameters":{}}"#])
        #expect(try station.ask(client, call("WhoAmI")) == #"{"parameters":{"person":"cleo"}}"#)
        #expect(try station.ask(call("WhoAmI")) == #"{"parameters":{"person":"nobody"}}"#)
    }

    @Test func `a caller's connections can be closed with an error`() throws {
        let other = station.client()
        #expect(try station.ask(client, call("Enter", #"{"person":"cleo"}"#)) == #"{"parameters":{}}"#)
        #expect(try station.ask(other, call("Ping")) == alive)
        station.server.disconnect(with: Echo.Unfinished(seconds: 0)) { $0.person == "cleo" }
        #expect(try [next(), next()] == [error("org.example.Echo.Unfinished", #"{"seconds":0}"#), nil])
        #expect(try station.ask(other, call("Ping")) == alive)
    }

    @Test func `a crowd of one user is told of that user, and logged once until it is half as large`() throws {
        let station = try EchoServer(tellsTooMany: true) { $0.connectionsOfOneUser = 4 }
        var crowd = (0..<4).map { _ in station.client() }
        for one in crowd { #expect(try station.ask(one, call("Ping")) == alive) }
        func turnAway() throws {
            let refusal = error("org.example.Echo.TooMany", "{\"limit\":4,\"user\":\(geteuid())}")
            #expect(try station.message(for: station.client()) == refusal)
        }
        let line =
            "warning: Connections of user \(geteuid()) are refused: there are 4, which is the limit, carrying on"
        for _ in 0..<3 { try turnAway() }
        #expect(station.log == [line])
        crowd.removeLast().leave()
        try station.settle()
        crowd.append(station.client())
        #expect(try station.ask(crowd[3], call("Ping")) == alive)
        try turnAway()
        #expect(station.log == [line])
        for _ in 0..<2 { crowd.removeLast().leave() }
        try station.settle()
        crowd += (0..<2).map { _ in station.client() }
        for one in crowd { #expect(try station.ask(one, call("Ping")) == alive) }
        try turnAway()
        #expect(station.log == [line, line])
    }

    @Test func `a service can tell a client that there are too many connections`() throws {
        let station = try EchoServer(tellsTooMany: true) { $0.connections = 1 }
        let first = station.client()
        #expect(try station.ask(first, call("Ping")) == alive)
        let second = station.client()
        #expect(try station.message(for: second) == error("org.example.Echo.TooMany", #"{"limit":1}"#))
        #expect(try station.message(for: second) == nil)
        #expect(try station.ask(first, call("Ping")) == alive)
        #expect(station.log == ["warning: Connections are refused: there are 1, which is the limit, carrying on"])
    }
}
