import Glibc
import Testing
import Unix
import UnixTestSupport
import Varlink
import VarlinkClient

private struct Ping: Method {
    struct Reply: Codable, Equatable { var alive: Bool }
    static let name = "org.example.Echo.Ping"
}

@Suite struct ClientConnectionTests {
    private func pair() throws -> (server: Client, connection: ClientConnection) {
        let (ours, theirs) = try LocalSocket.pair()
        return (Client(descriptor: theirs), ClientConnection(Transport(descriptor: ours), longestReply: 1_000))
    }

    @Test func `a call waits for its reply`() throws {
        let (server, connection) = try pair()
        server.send(#"{"parameters":{"alive":true}}"#)
        #expect(try connection.reply(to: Ping()).decode(Ping.Reply.self) == Ping.Reply(alive: true))
        #expect(server.message() == #"{"method":"org.example.Echo.Ping","parameters":{}}"#)
    }

    @Test func `the replies of a stream are taken as they come`() throws {
        let (server, connection) = try pair()
        try connection.send(Ping(), more: true)
        #expect(try connection.repliesSoFar() == [])
        server.send(bytes: Array(#"{"continues":true}"#.utf8) + [0] + Array("{\"contin".utf8))
        #expect(try connection.repliesSoFar().map(\.continues) == [true])
        server.send(bytes: Array("ues\":true}".utf8) + [0])
        #expect(try connection.repliesSoFar().map(\.continues) == [true])
        server.leave()
        #expect(throws: ConversationError.ended) { try connection.repliesSoFar() }
    }

    @Test func `the last word of a service that disconnects before the call is its reply`() throws {
        let (server, connection) = try pair()
        server.send(#"{"error":"org.example.Echo.Full"}"#)
        server.leave()
        #expect(try connection.reply(to: Ping()).error == "org.example.Echo.Full")
        #expect(throws: ConversationError.ended) { try connection.reply(to: Ping()) }
    }

    @Test func `bytes that are no reply, and replies over the limit, are errors`() throws {
        var (server, connection) = try pair()
        server.send("no reply")
        #expect(throws: ConversationError.self) { try connection.nextReply() }
        (server, connection) = try pair()
        server.send(String(repeating: " ", count: 2_000))
        #expect(throws: ConversationError.tooLong(limit: 1_000)) { try connection.nextReply() }
    }

    @Test func `a child process carries a conversation`() throws {
        let reply = #"{"parameters":{"alive":true}}"#
        let transport = try Transport.program(["sh", "-c", "head -c 50 >/dev/null; printf '\(reply)\\0'"])
        let connection = ClientConnection(transport)
        #expect(try connection.reply(to: Ping()).decode(Ping.Reply.self) == Ping.Reply(alive: true))
        #expect(throws: ConversationError.ended) { try connection.nextReply() }
    }

    @Test func `a child that goes on without its input is ended`() throws {
        let connection = ClientConnection(
            try Transport.program(["sh", "-c", "trap '' TERM; while :; do sleep 1; done"]))
        let child = try #require(connection.child)
        #expect(kill(child, 0) == 0)
        withExtendedLifetime(connection) {}
        // The connection is dropped here.
        _ = consume connection
        #expect(kill(child, 0) != 0 && errno == ESRCH)
    }

    @Test func `of a child's errors the last bytes are kept, and a trickle of them is not waited for`() throws {
        let errors = try ChildErrors()
        let script =
            "head -c 100000 /dev/zero | tr '\\0' x >&2; echo end >&2; exec 0<&- 1>&-; while :; do sleep 0.1; echo more >&2; done"
        let connection = ClientConnection(try Transport.program(["sh", "-c", script], errors: errors))
        #expect(throws: ConversationError.ended) {
            while true {
                _ = try connection.repliesSoFar()
                errors.read()
            }
        }
        errors.readToEnd()
        #expect(errors.said.count == ChildErrors.limit && errors.receivedBytes > 100_000)
    }

    @Test func `an error names the missing program, or the socket without a listener`() {
        let missing = #expect(throws: SocketError.self) { _ = try Transport.program(["/no/such/program"]) }
        #expect(missing == SocketError(path: "/no/such/program", reason: "No such file or directory"))
        let nowhere = #expect(throws: SocketError.self) { _ = try Transport.socket(at: "/no/such/socket") }
        #expect(nowhere == SocketError(path: "/no/such/socket", reason: "No such file or directory"))
    }
}
