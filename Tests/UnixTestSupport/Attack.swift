import Glibc

/// The behaviour of a clumsy or hostile client. Each service that is attacked has a test that runs all of them.
public struct Attack: Sendable, CustomStringConvertible {
    public let name: String
    private let clients: Int
    private let bytes: [UInt8]
    private let act: @Sendable (Client) -> Void

    public var description: String { name }

    /// - Parameters:
    ///   - clients: how many do it at once.
    ///   - act: what each does once its bytes are sent.
    public init(
        _ name: String, clients: Int = 1, _ bytes: [UInt8], act: @escaping @Sendable (Client) -> Void = { _ in }
    ) {
        self.name = name
        self.clients = clients
        self.bytes = bytes
        self.act = act
    }

    public init(
        _ name: String, clients: Int = 1, _ text: String, act: @escaping @Sendable (Client) -> Void = { _ in }
    ) {
        self.init(name, clients: clients, Array(text.utf8), act: act)
    }

    /// Runs the attack, closes its clients and lets the server handle that.
    public func run(against station: some ServerInLoop) throws {
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
}

extension Attack {
    /// The calls of one service, as the attacks use them.
    public struct Target: Sendable {
        /// Answered at once.
        public var ask: String
        /// Has a long answer.
        public var list: String
        /// A method that changes something, and its parameters without their braces.
        public var change: (method: String, parameters: String)
        /// A method that is called with `more`.
        public var watch: String
        /// A method, and a parameter of it that is a text.
        public var text: (method: String, parameter: String)
        /// The same, of a method whose calls may be long, and how long.
        public var long: (method: String, parameter: String, bytes: Int)
        /// Bytes of every other call.
        public var callBytes: Int

        public init(
            ask: String, list: String, change: (method: String, parameters: String), watch: String,
            text: (method: String, parameter: String), long: (method: String, parameter: String, bytes: Int),
            callBytes: Int = 64 * 1_024
        ) {
            (self.ask, self.list, self.change, self.watch) = (ask, list, change, watch)
            (self.text, self.long, self.callBytes) = (text, long, callBytes)
        }
    }

    public static func all(on target: Target) -> [Attack] {
        frames(of: target) + spellings(of: target) + crowds(on: target)
    }

    private static func frames(of target: Target) -> [Attack] {
        let ask = encodedCall(target.ask) + "\0"
        let open = "{\"method\":\"\(target.text.method)\",\"parameters\":{\"\(target.text.parameter)\":"
        let long = "{\"method\":\"\(target.long.method)\",\"parameters\":{\"\(target.long.parameter)\":\""
        return [
            Attack("no UTF-8", Array("{\"method\":\"".utf8) + [0xFF, 0xFE] + Array("\"}\0".utf8)),
            Attack("no JSON", "GET / HTTP/1.1\r\n\r\n\0"),
            Attack("no object", "[1,2,3]\0"),
            Attack("a key twice", "{\"method\":\"a.b\",\"method\":\"a.b\"}\0"),
            Attack("a deep nest", open + String(repeating: "[", count: 60_000) + "\0"),
            Attack("many keys", "{" + (1...5_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}\0"),
            Attack("a call without end", String(repeating: "x", count: 1_000_000)),
            Attack("a call too long", String(repeating: " ", count: target.callBytes) + ask),
            Attack("a text too long", open + "\"\(String(repeating: "x", count: target.callBytes))\"}}\0"),
            Attack("a text with NULs", open + "\"a\0b\0c\"}}\0"),
            Attack("a long call that is too long", long + String(repeating: " ", count: target.long.bytes) + "\"}}\0"),
            Attack("ten thousand empty calls", Array(repeating: 0, count: 10_000)),
            Attack("half a call", String(ask.prefix(20))),
            Attack("half a call, and gone", String(ask.prefix(20))) { $0.leave() },
            Attack("a call without its end, and gone", String(ask.dropLast())) { $0.leave() },
            Attack("descriptors along", "") { client in
                for _ in 1...20 { client.send(encodedCall(target.ask), along: STDERR_FILENO) }
            },
        ]
    }

    private static func spellings(of target: Target) -> [Attack] {
        let (method, parameters) = target.change
        let call = encodedCall(method, "{\(parameters)}")
        return [
            Attack("a parameter twice", encodedCall(method, "{\(parameters),\(parameters)}") + "\0"),
            Attack("a parameter too many", encodedCall(method, "{\(parameters),\"at\":\"home\"}") + "\0"),
            Attack("no parameter", encodedCall(method, "{}") + "\0"),
            Attack(
                "another method's name",
                encodedCall(method.dropLast() + method.suffix(1).uppercased(), "{\(parameters)}") + "\0"),
            Attack("more and oneway", call.dropLast() + ",\"more\":true,\"oneway\":true}\0"),
            Attack("an upgrade", call.dropLast() + ",\"upgrade\":true}\0"),
            Attack("text after the call", call + " {}\0"),
        ]
    }

    private static func crowds(on target: Target) -> [Attack] {
        let ask = encodedCall(target.ask) + "\0"
        let watch = encodedCall(target.watch, more: true) + "\0"
        return [
            Attack("a thousand asks, and none of the answers read", String(repeating: ask, count: 1_000)),
            Attack(
                "calls that want no reply",
                String(repeating: encodedCall(target.ask, oneway: true) + "\0", count: 5_000)),
            Attack("watchers who go on asking", clients: 50, String(repeating: watch, count: 20)),
            Attack("long answers, and gone", String(repeating: encodedCall(target.list) + "\0", count: 800)) {
                $0.leave()
            },
            Attack("nothing at all", clients: 1_000, ""),
            Attack("opened and left", clients: 1_000, "") { $0.leave() },
            Attack("half-closed", clients: 50, "") { $0.endSending() },
            Attack("half-closed while watching", clients: 50, watch) { $0.endSending() },
            Attack("gone at once", clients: 50, ask) { $0.leave() },
        ]
    }
}
