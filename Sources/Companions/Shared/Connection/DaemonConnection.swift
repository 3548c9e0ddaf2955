public import Glibc
import Unix
public import Varlink
import VarlinkClient

/// A connection to a daemon's control socket. A call waits for its reply; the replies of a stream can also be taken as they
/// come, by polling ``descriptor``.
public final class DaemonConnection {
    /// A hundred thousand tasks, listed, are some twenty megabytes.
    static let longestReply = 64 * 1024 * 1024

    public let path: String
    public let daemon: Daemon
    private var connection: ClientConnection
    /// Seconds after which a call is given up, whatever has come until then; nil for ``Daemon/longestSilence``.
    public var longestAnswer: Double?
    /// The screen that a person looks at while a call waits; nil if there is none.
    public weak var screen: (any WaitingScreen)?
    /// The words of the program that carries the conversation; nil for a socket.
    private var errors: ChildErrors?
    /// The program in between, with its arguments; nil for a socket.
    private let program: [String]?
    /// How many bytes of them were told; nil before the first reply.
    private var toldErrors: Int?
    /// It was said that no answer comes.
    private var saidSilence = false

    /// Bytes a second.
    private static let slowestLine = 1_024.0

    /// Seconds without an answer after which a person is told.
    public static let patience = 3.0

    public init(to path: String, of daemon: Daemon) throws(Failure) {
        (self.path, self.daemon, program) = (path, daemon, nil)
        (connection, errors) = try Self.connected(to: path, through: nil, daemon)
        try checkTrust()
    }

    /// Through a program such as `ssh`, whose input and output are the conversation, to the daemon at another place.
    public init(through program: [String], at place: String, of daemon: Daemon) throws(Failure) {
        (path, self.daemon, self.program) = (place, daemon, program)
        (connection, errors) = try Self.connected(to: place, through: program, daemon)
    }

    private static func connected(
        to path: String, through program: [String]?, _ daemon: Daemon
    ) throws(Failure) -> (ClientConnection, ChildErrors?) {
        do {
            guard let program else {
                return (ClientConnection(try Transport.socket(at: path), longestReply: longestReply), nil)
            }
            let errors = try ChildErrors()
            let transport = try Transport.program(program, errors: errors)
            return (ClientConnection(transport, longestReply: longestReply), errors)
        } catch {
            throw .noDaemon(daemon, at: path, why: error.reason)
        }
    }

    private func checkTrust() throws(Failure) {
        if program == nil, let peer, !daemon.trusts(peer, path) {
            throw .notOurs(path, advice: daemon.distrustAdvice)
        }
    }

    /// Connects anew if the daemon has hung up since the last answer, as it does when it is restarted. A person may have filled
    /// in a form meanwhile. No call may be under way.
    public func renewIfEnded() throws(Failure) {
        guard connection.hasEnded else { return }
        (connection, errors) = try Self.connected(to: path, through: program, daemon)
        (toldErrors, saidSilence) = (nil, false)
        try checkTrust()
        try onRenewal?(self)
    }

    /// Makes the calls with which a connection begins once more, such as playing a person of a made-up practice.
    public var onRenewal: ((DaemonConnection) throws(Failure) -> Void)?

    /// The socket, for poll(2).
    public var descriptor: Int32 { connection.descriptor }

    /// The user at the other end, by the kernel's record: the daemon's, or systemd's if systemd listens for the daemon.
    public var peer: uid_t? { LocalSocket.peer(of: descriptor) }

    /// The other end is this user, or root.
    public var isOurs: Bool { peer.map { $0 == geteuid() || $0 == 0 } ?? false }

    /// Calls, and waits for the one reply.
    public func call<M: Method>(_ method: M) throws(Failure) -> M.Reply {
        try decode(M.self, from: reply(to: method))
    }

    /// Makes two calls at once: the daemon carries out the second while this program reads the reply of the first.
    public func call<First: Method, Second: Method>(
        _ first: First, _ second: Second
    ) throws(Failure) -> (First.Reply, Second.Reply) {
        try send(first)
        try send(second)
        return (
            try decode(First.self, from: firstReply(to: First.self)),
            try decode(Second.self, from: firstReply(to: Second.self))
        )
    }

    /// Calls, and waits for the one reply, which may be an error.
    public func reply<M: Method>(to method: M) throws(Failure) -> Reply {
        try send(method)
        return try firstReply(to: M.self)
    }

    /// Waits for the first reply to a call that was sent. If nothing comes, that is said once, and the call is given up after
    /// ``Daemon/longestSilence``.
    public func firstReply<M: Method>(to _: M.Type) throws(Failure) -> Reply {
        do {
            return try firstReply(within: daemon.longestSilence(M.name))
        } catch {
            guard error.name == Failure.noDaemonName else { throw error }
            // A program of which nothing came has reached nobody: its own words say so.
            throw errors == nil || connection.receivedBytes > 0 ? .inDoubt(daemon, at: path) : error
        }
    }

    private func firstReply(within longest: Double?) throws(Failure) -> Reply {
        if let longestAnswer {
            guard let reply = try reply(within: longestAnswer, inAll: true) else {
                throw .noAnswer(daemon, at: path, within: longestAnswer)
            }
            return reply
        }
        guard longest != nil || screen != nil else { return try nextReply() }
        let patience = min(Self.patience, longest ?? .infinity)
        if let reply = try reply(within: patience) { return reply }
        screen?.showSilence()
        guard let longest else { return try nextReply() }
        if patience < longest {
            if screen == nil, !saidSilence, toldErrors == nil {
                // After a first reply by way of a program, it would stand in the middle of a screen.
                Streams.error("\(daemon.name) does not answer yet. \(daemon.silenceAdvice(path))\n")
            }
            saidSilence = true
            if let reply = try reply(within: longest - patience) { return reply }
        }
        throw .noAnswer(daemon, at: path, within: longest)
    }

    /// Waits for the next reply; nil once so many seconds have passed in all, or without a byte. A byte gives no more time than
    /// a slow line takes for it, since a hostile practice may send one each second.
    private func reply(within seconds: Double?, inAll: Bool = false) throws(Failure) -> Reply? {
        do {
            guard errors != nil || screen != nil else {
                guard let seconds else { return try connection.nextReply() }
                return try connection.nextReply(silentFor: seconds)
            }
            let reply = try reply(within: seconds, inAll: inAll, minding: errors)
            if reply != nil { tellFirstErrors() }
            return reply
        } catch { throw failure(error) }
    }

    /// The program in between must not wait at a full pipe of its errors, nor a person at a screen that heeds no key.
    private func reply(
        within seconds: Double?, inAll: Bool, minding errors: ChildErrors?
    ) throws(ConversationError) -> Reply? {
        var begin = Monotonic.now()
        while true {
            let left = seconds.map { begin + $0 - Monotonic.now() }
            if let left, left <= 0 { return nil }
            errors?.read()
            let before = connection.receivedBytes
            if let reply = try connection.replySoFar(waiting: 0) { return reply }
            let received = connection.receivedBytes - before
            if received > 0 {
                if !inAll { begin = min(Monotonic.now(), begin + Double(received) / Self.slowestLine) }
                continue
            }
            let untilAdvice = saidSilence || screen != nil ? nil : begin + Self.patience - Monotonic.now()
            if let untilAdvice, untilAdvice <= 0 {
                adviseOnSilence()
                continue
            }
            let ofProgram = errors.map { $0.hasEnded ? [] : [$0.descriptor] } ?? []
            let ofScreen = screen?.descriptors ?? []
            let readable = Wait.until(
                readable: [descriptor] + ofProgram + ofScreen, within: [left, untilAdvice].compactMap { $0 }.min())
            if !readable.isDisjoint(with: ofScreen) { screen?.heed(readable) }
        }
    }

    /// `ssh` asks for the touch of a security key only where its own standard error is a terminal.
    private func adviseOnSilence() {
        saidSilence = true
        let advice = daemon.silenceAdvice(path)
        guard toldErrors == nil, !advice.isEmpty, isatty(STDERR_FILENO) == 1 else { return }
        Streams.error("\(path.shown) does not answer yet. \(advice)\n")
    }

    /// Tells the words that came before the first reply, such as those of `ssh`: they may be a warning. Later ones would stand
    /// in the middle of a screen, unless the conversation fails.
    private func tellFirstErrors() {
        errors?.read()
        if toldErrors == nil { tellErrors() }
    }

    private func tellErrors() {
        guard let errors else { return }
        Streams.error(Array(errors.said.suffix(errors.receivedBytes - (toldErrors ?? 0))).lines)
        toldErrors = errors.receivedBytes
    }

    public func send<M: Method>(_ method: M, more: Bool = false) throws(Failure) {
        let call = Call.frame(method, more: more)
        let longest = daemon.longestCall(M.name)
        guard call.count <= longest else {
            throw .misused("That is too long: \(daemon.name) takes at most \(longest / 1024) KB at once.")
        }
        do { try connection.send(call) } catch { throw failure(error) }
    }

    /// Waits for the next reply.
    public func nextReply() throws(Failure) -> Reply {
        while true { if let reply = try reply(within: nil) { return reply } }
    }

    /// The replies that have come so far, perhaps none. Throws when the daemon has hung up.
    public func repliesSoFar() throws(Failure) -> [Reply] {
        errors?.read()
        do { return try connection.repliesSoFar() } catch { throw told(error) }
    }

    /// The reply's parameters; throws the failure that an error reply stands for.
    public func decode<M: Method>(_: M.Type, from reply: Reply) throws(Failure) -> M.Reply {
        if reply.error != nil { throw Failure(reply, from: daemon, at: path) }
        do { return try reply.decode(M.Reply.self) } catch { throw .notUnderstood(error.reason, from: daemon) }
    }

    private func failure(_ error: ConversationError) -> Failure {
        errors?.readToEnd()
        tellErrors()
        return told(error)
    }

    private func told(_ error: ConversationError) -> Failure {
        error == .ended
            ? .noDaemon(daemon, at: path, why: "\(error)") : .notUnderstood("\(error)", from: daemon)
    }
}

/// A screen that goes on heeding signals and Ctrl-C while a call waits for its answer.
public protocol WaitingScreen: AnyObject {
    /// Of signals, and of the terminal unless another program has it.
    var descriptors: [Int32] { get }
    /// Some of the descriptors can be read.
    func heed(_ readable: Set<Int32>)
    /// Nothing has come for some seconds.
    func showSilence()
}

extension DaemonConnection {
    /// Pages one after the other without a row of the caller's.
    private static let mostEmptyPages = 1_000
    private static let mostPages = 20_000
    /// In bytes, of all pages.
    private static let longestList = 1 << 30

    /// All rows of a list, from all of its pages. A hostile practice may have pages without an end.
    ///
    /// - Parameter first: the first page, if it was fetched already.
    public func all<M: Method, Row>(
        after first: M.Reply? = nil, _ page: (_ after: String?) -> M, _ rows: (M.Reply) -> ([Row], next: String?)
    ) throws(Failure) -> [Row] {
        let beginning = if let first { first } else { try call(page(nil)) }
        var (all, after) = rows(beginning)
        var (pages, empty) = (1, 0)
        let before = connection.receivedBytes
        while let next = after {
            let (more, later) = rows(try call(page(next)))
            all += more
            after = later
            pages += 1
            empty = more.isEmpty ? empty + 1 : 0
            guard empty < Self.mostEmptyPages, pages < Self.mostPages,
                connection.receivedBytes - before < Self.longestList
            else {
                throw .notUnderstood("a list without an end", from: daemon)
            }
        }
        return all
    }
}

/// The system's words for an error number, such as "No such file or directory".
public func systemError(_ number: Int32) -> String { String(cString: strerror(number)) }

extension [UInt8] {
    /// The lines that another program, perhaps on a hostile machine, wrote for a terminal, without what would steer it.
    var lines: String {
        String(decoding: self, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { String($0).shown }.filter { !$0.isEmpty }.map { $0 + "\n" }.joined()
    }
}
