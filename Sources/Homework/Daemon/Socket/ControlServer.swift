import DaybreakInterfaces
import HomeworkRules
import Systemd
import Time
import Varlink
import VarlinkService

/// The control socket: hands the calls of each turn to the daemon, and sends the changes to the watchers.
final class ControlServer {
    private let daemon: Daemon
    private let sources: CallContext.Sources
    private let server: VarlinkServer
    private let watchers: Watchers

    /// Gets each turn's result, after the watchers.
    var audience: (Daemon.TurnResult) -> Void = { _ in }

    /// - Parameter admit: returns the caller for a user number; nil if that user may not connect.
    init(
        loop: EventLoop, daemon: Daemon, sources: CallContext.Sources, say: @escaping (Severity, String) -> Void,
        admit: @escaping (_ user: UInt32) -> Caller?
    ) throws(SystemdError) {
        self.daemon = daemon
        self.sources = sources
        watchers = Watchers(reportDamage: { [unowned daemon] in daemon.noteDamage(in: $0) })
        server = try VarlinkServer(
            loop: loop,
            introspection: Introspection(
                vendor: Product.vendor, product: Product.name, version: Product.version, url: Product.url,
                interfaces: Interfaces.all),
            limits: Self.limits,
            errors: DisconnectErrors(
                repliesUnread: { Service.RepliesUnread(bytes: $0) },
                callUnfinished: { Service.CallUnfinished(seconds: $0) },
                tooManyConnections: { Service.TooManyConnections(limit: $0) },
                tooManyOfUser: { Service.TooManyConnections(limit: $0, user: Int($1)) }),
            now: { sources.clock().moment.steady }, say: say, admit: admit)
        server.takesLong = Routes.takesLong
        server.carryOut = { [unowned self] in carryOut($0) }
        daemon.audience = { [unowned self] result in
            watchers.tell(result)
            audience(result)
        }
    }

    /// The server's default limits, except for `Import`: a schedule may have 16 MiB, and twice as much as a JSON string,
    /// where each of its quotes takes a backslash. The link takes no reply of a practice of more than 1 MiB, and hands on
    /// parts of it.
    static var limits: Limits {
        var limits = Limits()
        limits.longCalls = [
            Homework.Import.name: 32 * 1_024 * 1_024, Link.TakeSchedule.name: 2 * 1_024 * 1_024,
            Link.TakeNews.name: 2 * 1_024 * 1_024,
        ]
        return limits
    }

    /// Accepts clients on a listening socket.
    func listen(on descriptor: Int32) throws(SystemdError) { try server.listen(on: descriptor) }

    /// Takes over a connected socket.
    func serve(_ descriptor: Int32) { server.serve(descriptor) }

    var connectionCount: Int { server.connectionCount }

    private func carryOut(_ turn: VarlinkServer.Turn) {
        var jobs: [Job] = []
        let wasLinked = watchers.watch(.happenings)
        if turn.cancelled.filter(watchers.remove).contains(where: watchers.isGuide) {
            watchers.guide = nil
            jobs.append(.byItself(.guideLost, user: daemon.user))
        }
        // The link's own process has ended.
        if wasLinked, !watchers.watch(.happenings) { jobs.append(.forgettingLinksProcess(user: daemon.user)) }
        jobs += turn.requests.compactMap(job)
        if !jobs.isEmpty { daemon.turn(jobs) }
    }

    /// Nil for a oneway call that only reads: its reply is not wanted.
    private func job(for request: Request) -> Job? {
        var job = Routes.job(for: request, sources)
        if request.call.isOneway, job.isLook {
            request.reply(frame: [])
            return nil
        }
        job.isAwaited = { request.isOpen || request.call.isOneway }
        job.deliver = { [watchers, topic = job.topic] answer in
            if case .reply(let frame) = answer, let topic {
                watchers.add(request, topic, frame)
            } else {
                request.reply(frame: answer.frame)
            }
        }
        return job
    }
}
