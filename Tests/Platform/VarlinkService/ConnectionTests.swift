import Glibc
import Testing
import UnixTestSupport
import Varlink

@testable import VarlinkService

@Suite struct ConnectionTests {
    private let limits = Limits()

    private func serve(_ descriptor: Int32) -> Connection {
        Connection(
            descriptor: descriptor, caller: Caller(user: 0, rights: []), limits: limits,
            errors: DisconnectErrors(
                repliesUnread: { Echo.Unread(bytes: $0) }, callUnfinished: { Echo.Unfinished(seconds: $0) }))
    }

    private func reply(_ connection: Connection, _ frame: [UInt8]) {
        do { connection.begin(try Call(frame: Array(call("Ping").utf8))).reply(frame: frame) } catch {
            Issue.record(error)
        }
    }

    @Test func `the last error follows the end of the reply that is being sent`() {
        var pair: [Int32] = [-1, -1]
        must(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair))
        var size: Int32 = 16 * 1_024
        must(setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout.size(ofValue: size))))
        let client = Client(descriptor: pair[1])
        let connection = serve(pair[0])
        let long = String(repeating: "x", count: 50_000)
        // The buffer has room for the beginning of the first reply only.
        for text in [long, "never"] { reply(connection, Array(text.utf8) + [0]) }
        connection.cut(Echo.Unfinished(seconds: 30))
        #expect(
            [client.message(), client.message(), client.message()] == [
                long, #"{"error":"org.example.Echo.Unfinished","parameters":{"seconds":30}}"#, nil,
            ])
        #expect(client.becomesCutOff())
    }
    @Test func `a client may leave one long reply unread, but not two`() {
        var pair: [Int32] = [-1, -1]
        must(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair))
        let client = Client(descriptor: pair[1])
        let connection = serve(pair[0])
        reply(connection, [UInt8](repeating: UInt8(ascii: "x"), count: limits.backlogBytes))
        #expect(!connection.isClosed)
        reply(connection, [UInt8](repeating: UInt8(ascii: "x"), count: 1_024 * 1_024))
        #expect(connection.isClosed)
        #expect(client.message() == nil)
        #expect(client.becomesCutOff())
    }

    @Test func `an ended connection is not reported again, even if another process has a copy of it`() async {
        await #expect(processExitsWith: .success) {
            let station = try EchoServer()
            var pair: [Int32] = [-1, -1]
            must(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair))
            must(dup(pair[0]))
            station.server.serve(pair[0])
            must(close(pair[1]))
            try station.settle()
            #expect(station.server.connectionCount == 0)
            // The loop would report the copy by now.
            #expect(try station.ask(call("Ping")) == alive)
        }
    }
}
