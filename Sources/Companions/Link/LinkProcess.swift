import DaybreakInterfaces
import Glibc
import PracticeInterfaces
import Streams
import Systemd
import Time
import Varlink
import VarlinkClient

/// The link's process: gives the machine its inputs, and carries out its actions.
final class LinkProcess {
    private let loop: EventLoop
    private let path: String
    private let folder: String
    private let say: (String) -> Void
    private var machine = LinkMachine(seed: UInt64.random(in: .min ... .max))
    /// The inputs that were not taken yet: an action may bring some at once.
    private var inputs: [LinkMachine.Input] = []
    private var isTurning = false
    private var lines: [LinkMachine.Line: PracticeLine] = [:]
    private var asked: LinkMachine.PracticeCall?
    private var calls: ClientConnection?
    private var timer: WakeTimer?
    /// How long the machine was suspended so far.
    private var suspended = Steady.suspended
    private var lastChange = Int64.min
    /// The streams, signals and watches. One that is dropped ends.
    private var sources: [AnyObject] = []

    /// Frames have at most 200 happenings, and 32 KiB of notes with each byte escaped.
    private static var longestFrame: Int { 1_024 * 1_024 }
    /// A change of the network comes as several messages.
    private static let settlingTime: Int64 = 5_000_000

    /// - Parameters:
    ///   - path: the daemon's control socket.
    ///   - folder: of the link's key.
    ///   - say: writes a line for the journal.
    init(_ loop: EventLoop, at path: String, folder: String, say: @escaping (String) -> Void) throws(SystemdError) {
        self.loop = loop
        self.path = path
        self.folder = folder
        self.say = say
        timer = try WakeTimer(loop, .steady) { [unowned self] in take(.time) }
        sources.append(try ClockWatch(loop) { [unowned self] in clockChanged() })
        do { sources.append(try NetworkWatch(loop) { [unowned self] in networkChanged() }) } catch {
            say("Changes of the network cannot be seen: \(error), carrying on")
        }
        sources.append(
            try DaemonStream(
                loop, at: path, Link.Happenings(), longestReply: Self.longestFrame, say: say,
                lose: { [unowned self] in take(.daemonGone) }, hear: { [unowned self] in take(.frame($0)) }))
        for signal in [SIGTERM, SIGINT] { sources.append(try loop.onSignal(signal) { loop.exit(0) }) }
        sources.append(try loop.onSignal(SIGHUP) { [unowned self] in take(.networkChanged(isResume: true)) })
    }

    private func clockChanged() {
        let now = Steady.suspended
        defer { suspended = now }
        take(now - suspended > 1_000_000 ? .networkChanged(isResume: true) : .clockSet)
    }

    private func networkChanged() {
        guard Steady.now >= lastChange &+ Self.settlingTime || lastChange == .min else { return }
        lastChange = Steady.now
        take(.networkChanged(isResume: false))
    }

    private func take(_ input: LinkMachine.Input) {
        inputs.append(input)
        guard !isTurning else { return }
        isTurning = true
        defer { isTurning = false }
        while !inputs.isEmpty {
            for action in machine.take(inputs.removeFirst(), at: Steady.now) { perform(action) }
        }
    }

    private func perform(_ action: LinkMachine.Action) {
        switch action {
        case .ask(let line, let call): ask(line, call)
        case .close(let line): lines[line] = nil
        case .daemon(let call): carryOut(call)
        case .say(let sentence): say(sentence)
        case .wake(let time): wake(at: time)
        }
    }

    private func wake(at time: Int64) {
        do {
            if time == .max {
                try timer?.disarm()
            } else {
                try timer?.arm(afterMicroseconds: UInt64(max(1, time - Steady.now)))
            }
        } catch { preconditionFailure("the timer is refused: \(error)") }
    }
}

// The practice.
extension LinkProcess {
    private func ask(_ line: LinkMachine.Line, _ call: LinkMachine.PracticeCall) {
        do {
            let open = try lines[line] ?? begin(line)
            lines[line] = open
            if line == .exchange { asked = call }
            try open.ask(call.method, more: line == .follow)
        } catch ConversationError.ended {
            // It says why when it is read.
        } catch {
            take(.ended(line, .init(kind: .passing, sentence: "The practice cannot be reached: \(error).")))
        }
    }

    private func begin(_ line: LinkMachine.Line) throws -> PracticeLine {
        let ssh = SSH(folder: folder, place: machine.frame?.practice ?? "")
        return try PracticeLine(
            loop, ssh, count: { [unowned self] in take(.received(line, bytes: $0)) },
            hear: { [unowned self] in hear($0, on: line) },
            end: { [unowned self] in take(.ended(line, $0)) })
    }

    private func hear(_ reply: Reply, on line: LinkMachine.Line) {
        guard lines[line] != nil else { return }
        do {
            switch line {
            case .follow: for input in try LinkMachine.Input.following(reply) { take(input) }
            case .exchange: if let asked { take(.practiceAnswered(try asked.answer(reply))) }
            }
        } catch {
            take(.ended(line, .notUnderstood))
        }
    }
}

// The daemon.
extension LinkProcess {
    private func carryOut(_ call: LinkMachine.DaemonCall) {
        do {
            let reply = try connection().reply(to: call.method(Steady.wall))
            take(.answered(call, try call.answer(reply), try frame(after: call)))
        } catch {
            calls = nil
            take(.answered(call, .refused("NoDaemon"), nil))
        }
    }

    /// The stream brings frames as well; this one is certainly later than the call.
    private func frame(after call: LinkMachine.DaemonCall) throws -> LinkMachine.Frame? {
        guard call.changesFrame else { return nil }
        let reply = try connection().reply(to: Link.Happenings())
        return reply.error == nil ? try reply.decode(LinkMachine.Frame.self) : nil
    }

    private func connection() throws -> ClientConnection {
        if let calls { return calls }
        let new = ClientConnection(try Transport.socket(at: path), longestReply: Self.longestFrame)
        calls = new
        return new
    }
}

/// The clocks, in microseconds.
enum Steady {
    /// Also runs while the machine is suspended.
    static var now: Int64 { read(CLOCK_BOOTTIME) }
    static var suspended: Int64 { now - read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// The wall's time after so many seconds, as RFC 3339.
    static func wall(in seconds: Int) -> String {
        let instant = Instant(microseconds: read(CLOCK_REALTIME) + Int64(seconds) * 1_000_000)
        return DateTime(instant, offset: .zero).description
    }
}
