import Glibc
import Systemd
import Time
import Unix
import UnixTestSupport
import Varlink

@testable import VarlinkService

let echo = """
    # A service for tests.
    interface org.example.Echo

    # Answers at once.
    method Ping() -> (alive: bool)

    # Counts one more.
    method Count() -> (count: int)

    # Tells the count, and each change of it.
    method Watch() -> (count: int, padding: string)

    # A long answer, which takes long.
    method List() -> (text: string)

    # Is answered when the test says so.
    method Later(name: string) -> (name: string)

    # Takes a long text.
    method Import(text: string) -> (length: int)

    # From now on the connection's calls are another person's.
    method Enter(person: string) -> ()

    # The caller.
    method WhoAmI() -> (person: string)

    # The errors before the end.
    error Unread (bytes: int)
    error Unfinished (seconds: int)
    error TooMany (limit: int, user: ?int)

    """

enum Echo {
    struct Alive: Codable, Equatable { var alive = true }
    struct Counted: Codable, Equatable { var count: Int }
    struct Watched: Codable, Equatable {
        var count: Int
        var padding = String(repeating: ".", count: 600)
    }
    struct Listed: Codable, Equatable { var text = String(repeating: "x", count: 3_000) }
    struct Named: Codable, Equatable { var name: String }
    struct Length: Codable, Equatable { var length: Int }
    struct Person: Codable, Equatable { var person: String }
    struct Unread: ErrorReply {
        static let name = "org.example.Echo.Unread"
        var bytes: Int
    }
    struct Unfinished: ErrorReply {
        static let name = "org.example.Echo.Unfinished"
        var seconds: Int
    }
    struct TooMany: ErrorReply {
        static let name = "org.example.Echo.TooMany"
        var limit: Int
        var user: Int?
    }
    struct Import: Method {
        typealias Reply = Length
        static let name = "org.example.Echo.Import"
        var text: String
    }
    struct Later: Method {
        typealias Reply = Named
        static let name = "org.example.Echo.Later"
        var name: String
    }
    struct Enter: Method {
        typealias Reply = Nothing
        static let name = "org.example.Echo.Enter"
        var person: String
    }
}

/// A server on a real socket, in a loop that the test turns, with a small service behind it.
final class EchoServer: ServerInLoop {
    let folder = Folder()
    let loop: EventLoop
    let server: VarlinkServer
    private(set) var count = 0
    /// The lines that the server logged.
    private(set) var said: [String] = []
    /// How many requests each turn had.
    private(set) var turns: [Int] = []
    private(set) var cancelled = 0
    /// The requests that wait for an answer, by their names.
    private(set) var later: [(name: String, request: Request)] = []
    private var watchers: [Request] = []
    private let clock: Clock

    private final class Clock { var steady = SteadyInstant(microseconds: 365 * 86_400_000_000) }

    var path: String { folder["control"] }

    /// By default a year ahead of the loop's clock, so that no timer rings unless a test sets it.
    var steady: SteadyInstant {
        get { clock.steady }
        set { clock.steady = newValue }
    }

    init(users: [UInt32] = [geteuid(), 0], tellsTooMany: Bool = false, _ change: (inout Limits) -> Void = { _ in })
        throws
    {
        loop = try EventLoop()
        var limits = Limits()
        limits.longCalls = [Echo.Import.name: 32 * 1_024 * 1_024]
        change(&limits)
        let lines = Lines()
        let clock = Clock()
        self.clock = clock
        self.lines = lines
        server = try VarlinkServer(
            loop: loop,
            introspection: Introspection(
                vendor: "v", product: "p", version: "1", url: "", interfaces: [try Interface(parsing: echo)]),
            limits: limits,
            errors: DisconnectErrors(
                repliesUnread: { Echo.Unread(bytes: $0) }, callUnfinished: { Echo.Unfinished(seconds: $0) },
                tooManyConnections: tellsTooMany ? { Echo.TooMany(limit: $0) } : nil,
                tooManyOfUser: tellsTooMany ? { Echo.TooMany(limit: $0, user: Int($1)) } : nil),
            now: { clock.steady }, say: { lines.all.append("\($0): \($1)") },
            admit: { users.contains($0) ? Caller(user: $0, rights: []) : nil })
        server.carryOut = { [unowned self] in carryOut($0) }
        server.takesLong = { $0.method.hasSuffix(".List") && !$0.isOneway }
        try server.listen(on: LocalSocket.listen(at: path))
    }

    private final class Lines { var all: [String] = [] }
    private let lines: Lines
    var log: [String] { lines.all }

    private func carryOut(_ turn: VarlinkServer.Turn) {
        turns.append(turn.requests.count)
        cancelled += turn.cancelled.count
        watchers.removeAll { watcher in turn.cancelled.contains { $0 === watcher } }
        for request in turn.requests { answer(request) }
    }

    private func answer(_ request: Request) {
        let call = request.call
        switch call.method.split(separator: ".").last {
        case "Count":
            count += 1
            request.reply(Echo.Counted(count: count))
        case "Watch" where call.wantsMore:
            watchers.append(request)
            request.continue(frame: watched)
        case "List": request.reply(Echo.Listed())
        case "Import": request.reply(Echo.Length(length: (try? call.decode(Echo.Import.self).text.utf8.count) ?? -1))
        case "Later": later.append(((try? call.decode(Echo.Later.self).name) ?? "", request))
        case "Enter":
            let person = try? call.decode(Echo.Enter.self).person
            request.enter(
                as: Caller(
                    user: request.caller.user, entrance: .gate(key: "k", from: "192.0.2.7"), person: person, rights: [])
            )
            request.reply(Nothing())
        case "WhoAmI": request.reply(Echo.Person(person: request.caller.person ?? "nobody"))
        default: request.reply(Echo.Alive())
        }
    }

    private var watched: [UInt8] { Reply.frame(Echo.Watched(count: count), continues: true) }

    /// Changes the count and notifies every watcher.
    func change() {
        count += 1
        for watcher in watchers { watcher.continue(frame: watched) }
    }

    /// Ends every watch.
    func endWatches() {
        for watcher in watchers { watcher.reply(Echo.Counted(count: count)) }
        watchers = []
    }

    /// Answers the waiting requests of these names, in this order.
    func answer(_ names: String...) {
        for name in names {
            guard let index = later.firstIndex(where: { $0.name == name }) else { continue }
            later.remove(at: index).request.reply(Echo.Named(name: name))
        }
    }
}

/// An encoded call: `call("Ping")`, with its parameters as JSON.
func call(_ method: String, _ parameters: String = "", more: Bool = false, oneway: Bool = false) -> String {
    encodedCall("org.example.Echo.\(method)", parameters, more: more, oneway: oneway)
}

func error(_ name: String, _ parameters: String = "{}") -> String { encodedError(name, parameters) }

let alive = #"{"parameters":{"alive":true}}"#
