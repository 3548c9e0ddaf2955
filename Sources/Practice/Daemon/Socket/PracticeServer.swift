import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Systemd
import Time
import Unix
import Varlink
import VarlinkService
import Workers

/// Passes calls from the socket to the threads that carry them out, and sends news to the watchers.
final class PracticeServer {
    let server: VarlinkServer
    /// Carries out the calls that write, and those whose order among them matters.
    let writer: Worker<Order, Answer>
    /// Carries out the calls that only read.
    private let reader: Worker<Order, Answer>
    /// Carries out the calls that read the whole database.
    private let copier: Worker<Order, Answer>
    var lines = CallLines()
    private let makeRunner: @Sendable (CallThread) -> CallRunner
    /// The calls that went on after the threads had ended.
    private var leftOver: [Job] = []
    private let now: () -> Instant
    private let spell: (Instant) -> String
    /// The unanswered calls, by their numbers.
    var requests: [Int: Request] = [:]
    private var lastNumber = 0
    /// The writer's answers after a failure of the storage, in order, with the number of the order for which each waits; nil
    /// for those that wait for the ones before them only.
    private var held: [(order: Int?, outcomes: [Outcome])] = []
    private var hasReaderEnded = false
    private var hasCopierEnded = false
    private var hasWriterEnded = false
    var callLimiter: CallLimiter
    var watchers: [Watcher] = []
    private(set) var liveQueries: LiveQueries?
    private(set) var chatListeners: ChatListeners?
    /// Nil if this daemon alone serves the practice.
    var notices: NoticeStream?
    var pulse: WakeTimer?
    /// Calls that came before the server's notices were heard. They are carried out again.
    var early: [Int] = []
    var keyResponder: KeyResponder?
    /// Returns freed memory to the machine after an import.
    private var tidying: DeferredSource?
    /// The unanswered calls of the daemon itself, by their numbers.
    private var own: [Int: (Reply) -> Void] = [:]
    /// The other daemons do not know whom this one serves.
    var isUnknown = false
    /// A beat was ordered, and has not ended.
    var isBeating = false
    /// The daemon's state; the counts are added when a caller asks for it.
    var state: ServerState
    let report: (JournalLine) -> Void
    /// Called when the status may have changed.
    var onChange: () -> Void = {}
    /// Called when surveys may open or close at other instants than before.
    var onSurveys: () -> Void = {}
    /// Called when a backup could not be made, or could not be renewed after an erasure.
    var onBackupFailed: () -> Void = {}

    final class Watcher {
        let request: Request
        let person: ID<Person>
        /// The number of the last news that was sent.
        var cursor: Int

        init(_ request: Request, _ watch: Outcome.Watch) {
            (self.request, person, cursor) = (request, watch.person, watch.cursor)
        }
    }

    init(
        loop: EventLoop, settings: PracticeSettings, place: StoragePlace, socket: String = PracticePaths.usualSocket,
        state: ServerState,
        now: @escaping @Sendable () -> Instant,
        steady: @escaping () -> SteadyInstant, say: @escaping (Severity, String) -> Void,
        report: @escaping (JournalLine) -> Void,
        admit: @escaping (UInt32) -> Caller? = { Caller(user: $0, account: Account.name(of: $0), rights: []) }
    ) throws(SystemdError) {
        self.state = state
        self.now = now
        self.report = report
        let limits = Self.limits(settings)
        callLimiter = CallLimiter(limit: settings.callsOfPerson, carriers: limits.carriers, say: say)
        spell = { DateTime($0, offset: .seconds(settings.zone.offset(at: $0))).description }
        server = try VarlinkServer(
            loop: loop,
            introspection: Introspection(
                vendor: Product.vendor, product: Product.name, version: Product.version, url: Product.url,
                interfaces: PracticeCatalog.all),
            limits: limits,
            errors: DisconnectErrors(
                repliesUnread: { Practice.RepliesUnread(bytes: $0) },
                callUnfinished: { Practice.CallUnfinished(seconds: $0) },
                tooManyConnections: { Practice.TooManyConnections(limit: $0) },
                tooManyOfUser: { Practice.TooManyConnections(limit: $0, user: Int($1)) },
                tooManyOfPerson: { Practice.TooManyConnections(limit: $0, person: $1) }),
            now: steady, say: say, admit: admit)
        let link = Link()
        if case .server(let address) = place {
            notices = try NoticeStream(loop, address) {
                link.server?.take($0)
            } onBegin: {
                link.server?.begin(with: $0)
            } onLoss: {
                link.server?.cutOff()
            }
        }
        let daemon = notices?.daemon ?? ""
        let makeRunner = { @Sendable (thread: CallThread) in
            let access: PracticeStorage.Access = thread == .writing ? .writing : .reading
            return CallRunner(place, access, settings: settings, daemon: daemon, now: now)
        }
        self.makeRunner = makeRunner
        func worker(_ thread: CallThread) throws(SystemdError) -> Worker<Order, Answer> {
            try Worker(loop) {
                let runner = makeRunner(thread)
                return { orders in
                    // A connection that stays open would keep its view of the log.
                    defer { if thread == .copying { runner.storage.letGo() } }
                    return runner.follow(orders)
                }
            } deliver: {
                switch thread {
                case .writing: link.server?.takeAnswersOfWriter($0)
                case .reading: link.server?.takeAnswersOfReader($0)
                case .copying: link.server?.deliver($0.compactMap(\.outcome))
                }
            }
        }
        writer = try worker(.writing)
        reader = try worker(.reading)
        copier = try worker(.copying)
        link.server = self
        server.carryOut = { [unowned self] in carryOut($0) }
        server.onConnections = { [unowned self] in onChange() }
        let keyResponder = KeyResponder(settings.gate, socket: socket, now: now) { [unowned self] in
            ask(Upkeep.Keys(), then: $0)
        }
        self.keyResponder = keyResponder
        liveQueries = try LiveQueries(loop, now: now, steady: steady, say: say) { [unowned self] in
            tell($0, unread: $1)
        } ask: { [unowned self] job in
            lastNumber += 1
            carryOut([
                Job(
                    number: lastNumber, call: job.call, caller: job.caller, state: counted, isAgain: true,
                    seenRevision: job.seenRevision)
            ])
            return lastNumber
        }
        chatListeners = try ChatListeners(loop, steady: steady, now: now, spell: spell, say: say) {
            [unowned self] change in
            take(change)
        }
        liveQueries?.onPresence = { [unowned self] client, thanatologist, isOnline in
            share([Notice(isOnline ? .online : .offline, client, thanatologist.description)])
        }
        if notices != nil {
            pulse = try WakeTimer(loop, .steady) { [unowned self] in beat() }
            beat()
        }
        tidying = try loop.deferred(priority: .max) { Memory.giveBack() }
        keyResponder.refresh()
    }

    /// Lets the workers' closures reach the server, which is not complete when they are made.
    private final class Link {
        unowned(unsafe) var server: PracticeServer?
    }

    /// The calls of one connection are carried out one by one, so each sees the changes of those before it.
    private static func limits(_ settings: PracticeSettings) -> Limits {
        var limits = Limits()
        limits.connections = settings.connections
        limits.connectionsOfOneUser = settings.connectionsOfPerson
        limits.callsInTurn = 1
        // All connections over SSH come from this user.
        limits.carriers = Account.user(settings.gate.account).map { [$0] } ?? []
        limits.longCalls = [
            // A picture of 1 MiB in base64.
            Practice.AddService.name: 2 * 1_024 * 1_024, Practice.EditService.name: 2 * 1_024 * 1_024,
            // A session's notes, each character escaped.
            Records.AddSession.name: 2 * 1_024 * 1_024,
            // A thousand tasks, with each character of their moods escaped.
            Care.Assign.name: 512 * 1_024,
            // A month's backlog.
            Care.Report.name: 1_024 * 1_024,
            // A letter of 1 MiB, each character escaped.
            Mail.Send.name: 2 * 1_024 * 1_024 + 64 * 1_024, Mail.SaveDraft.name: 2 * 1_024 * 1_024 + 64 * 1_024,
            // A message of 16 KiB, each character escaped.
            Chat.Send.name: 128 * 1_024,
            // A programme's folder, some of its characters escaped.
            Programmes.ImportProgramme.name: 2 * ProgrammeLimits.bytes,
            // The answers to a survey, each character escaped.
            Programmes.Answer.name: 512 * 1_024,
            // A piece of a backup in base64.
            Upkeep.UploadRestore.name: 2 * PracticeStorage.piece,
            // A spreadsheet with years of sessions.
            Upkeep.Import.name: 32 * 1_024 * 1_024,
        ]
        return limits
    }

    func listen(on descriptor: Int32) throws(SystemdError) { try server.listen(on: descriptor) }

    /// Carries out and answers all accepted calls, and ends the threads.
    func end() {
        // Those that wait for their turn are carried out in their order by the one thread that is left.
        hasReaderEnded = true
        reader.end()
        chatListeners?.end()
        hasCopierEnded = true
        copier.end()
        dispatch(lines.endAll())
        if notices != nil { writer.carryOut([.leave]) }
        hasWriterEnded = true
        writer.end()
        if !leftOver.isEmpty { deliver(makeRunner(.copying).carryOut(leftOver)) }
        notices?.end()
    }

    /// Calls a method as root. The answer comes later; nil stands for an error.
    func ask<M: Method>(_ method: M, then hear: @escaping (M.Reply?) -> Void) {
        guard let call = try? Call(frame: Array(Call.frame(method).dropLast())) else { return }  // Just encoded.
        lastNumber += 1
        own[lastNumber] = { hear(try? $0.decode(M.Reply.self)) }  // An error reply has no value.
        carryOut([Job(number: lastNumber, call: call, caller: Caller(user: 0, rights: []), state: counted)])
    }

    var counted: ServerState {
        var counted = state
        (counted.connections, counted.watchers) = (server.connectionCount, watchers.count)
        counted.online = liveQueries?.online ?? []
        (counted.listening, counted.typing) = (chatListeners?.online ?? [], chatListeners?.typing ?? [:])
        return counted
    }

    /// Updates the state of the storage, and writes the outcome's lines to the journal.
    private func note(_ outcome: Outcome) {
        // A failure after a restore is that of the restored database.
        if outcome.isOfRestore, outcome.isOfFailedStorage { (state.damage, state.problem) = (nil, nil) }
        switch outcome.storage {
        case .unknown: break
        // The calls' connections are well, and the one for the notices is not.
        case .written where state.problem == Self.deafness: break
        case .written:
            if state.problem != nil {
                report(JournalLine(kind: .storageBack))
                if notices != nil {
                    notices?.countDeafnessAnew()
                    // They may have been asked for in vain.
                    keyResponder?.refresh()
                    onSurveys()
                }
            }
            state.problem = nil
        case .failed(.unavailable(let reason)), .failed(.inDoubt(let reason)):
            if state.problem == nil { report(JournalLine(kind: .storageUnavailable, reason: reason)) }
            state.problem = reason
        case .failed(.damaged(let reason)):
            if state.damage == nil { report(JournalLine(kind: .storageDamaged, reason: reason)) }
            state.damage = reason
        }
        if outcome.journalLines.contains(where: { $0.kind == .backupFailed }) { onBackupFailed() }
        for line in outcome.journalLines {
            switch line.kind {
            case .backupMade: state.backupProblem = nil
            case .backupFailed where state.backupProblem == line.reason: continue
            case .backupFailed: state.backupProblem = line.reason
            case .storageRestored:
                if !outcome.isOfFailedStorage { (state.damage, state.problem) = (nil, nil) }
                state.restores += 1
            default: break
            }
            report(line)
        }
    }

    private func carryOut(_ turn: VarlinkServer.Turn) {
        for cancelled in turn.cancelled {
            watchers.removeAll { $0.request === cancelled }
            liveQueries?.end(cancelled)
            chatListeners?.end { $0 === cancelled }
        }
        var jobs: [Job] = []
        for request in turn.requests {
            guard !Routes.isFromMemory(request.call.method) else {
                keyResponder?.answer(request)
                continue
            }
            guard callLimiter.admits(request.caller) else {
                request.fail(Practice.TooManyCalls(limit: callLimiter.limit))
                continue
            }
            lastNumber += 1
            requests[lastNumber] = request
            jobs.append(Job(number: lastNumber, call: request.call, caller: request.caller, state: counted))
            // A key that is removed behind a login's back is told once the connection has its person.
            if request.call.wantsMore || request.call.method == Gate.Enter.name { notices?.expects(lastNumber) }
        }
        carryOut(jobs)
    }

    func carryOut(_ jobs: [Job]) { dispatch(jobs.filter { lines.mayBegin($0) }) }

    func dispatch(_ jobs: [Job]) {
        var orders: [CallThread: [Order]] = [:]
        for var job in jobs {
            job.isAlone = hasCopierEnded
            let hasEnded = job.thread == .copying ? hasCopierEnded : job.thread == .reading && hasReaderEnded
            orders[hasEnded ? .writing : job.thread, default: []].append(.carryOut(job))
        }
        reader.carryOut(orders[.reading] ?? [])
        writer.carryOut(orders[.writing] ?? [])
        copier.carryOut(orders[.copying] ?? [])
    }

    /// Passes a call on to the thread of its next step.
    private func goOn(with job: Job) {
        if hasWriterEnded { leftOver.append(job) } else { dispatch([job]) }
    }

    /// Where the storage failed, the reader lets go of it before anybody is answered, and so before the writer tries again.
    /// SQLite keeps one map of the log for all connections of a process: a reader that came upon a read-only disk would keep
    /// it read-only for the writer, too, after the disk is well again.
    private func takeAnswersOfWriter(_ answers: [Answer]) {
        if answers.contains(where: { if case .unknown = $0 { true } else { false } }) { isUnknown = true }
        if answers.contains(where: { if case .beaten = $0 { true } else { false } }) { isBeating = false }
        let outcomes = answers.compactMap(\.outcome)
        guard !hasReaderEnded, outcomes.contains(where: \.isOfFailedStorage) else {
            // Listeners hear of the rooms in the order of the commits, so nothing overtakes the held answers.
            return held.isEmpty ? deliver(outcomes) : held.append((nil, outcomes))
        }
        lastNumber += 1
        held.append((lastNumber, outcomes))
        reader.carryOut([.letGo(number: lastNumber)])
    }

    private func takeAnswersOfReader(_ answers: [Answer]) {
        for case .letGo(let number) in answers {
            for place in held.indices where held[place].order == number { held[place].order = nil }
        }
        while let first = held.first, first.order == nil {
            held.removeFirst()
            deliver(first.outcomes)
        }
        deliver(answers.compactMap(\.outcome))
    }

    private func deliver(_ outcomes: [Outcome]) {
        let isAsked = outcomes.contains { requests[$0.number] != nil }
        for outcome in outcomes {
            if let next = outcome.next {
                note(outcome)
                goOn(with: next)
                continue
            }
            if let notices, let position = outcome.position, requests[outcome.number] != nil,
                !notices.arrives(outcome.number, at: position)
            {
                note(outcome)
                early.append(outcome.number)
                continue
            }
            answer(outcome)
            notices?.isAnswered(outcome.number)
            if notices == nil { chatListeners?.tell(outcome.happenings) }
        }
        // Else the notice does it, after those before it.
        if notices == nil || notices?.deafSince != nil { for gone in outcomes.flatMap(\.signedOut) { signOut(gone) } }
        if outcomes.contains(where: \.isOfRestore) { beginAnew() }
        if outcomes.contains(where: \.hasOtherKeys) { keyResponder?.refresh() }
        if outcomes.contains(where: \.hasOtherSurveys) { onSurveys() }
        if isAsked { onChange() }
        if let notices {
            // They come back in the order of the commits of all daemons.
            if outcomes.contains(where: \.hasNotices) { notices.look() }
            return
        }
        liveQueries?.changed(
            people: Set(outcomes.flatMap(\.news).map(\.person)).union(outcomes.flatMap(\.readers)),
            presence: Set(outcomes.flatMap(\.presenceChanges)),
            followers: outcomes.contains(where: \.changesBroadcasts),
            rooms: Set(outcomes.flatMap(\.happenings).map(\.room)),
            isListening: { [chatListeners] in chatListeners?.isListening($0) ?? false })
        tell(outcomes.flatMap(\.news))
    }

    /// Sends news to those who watch for them.
    private func tell(_ news: [News]) {
        guard !news.isEmpty, !watchers.isEmpty else { return }
        let watching = Dictionary(grouping: watchers, by: \.person)
        for news in news {
            for watcher in watching[news.person] ?? [] { tell(watcher, news) }
        }
    }

    /// Takes note that people began or ended to listen to their rooms.
    private func take(_ change: ChatListeners.Change) {
        switch change {
        case .ended(let person): liveQueries?.changed(people: [person], presence: [])
        case .gone(let people, let instant):
            writer.carryOut([.noteSeen(people, at: instant)])
            share(people.map { Notice(.silent, $0) })
        case .began(let person): share([Notice(.listening, person)])
        }
    }

    private func answer(_ outcome: Outcome) {
        note(outcome)
        if let next = lines.end(outcome.number) { dispatch([next]) }
        if let typing = outcome.typing { take(typing) }
        if liveQueries?.deliver(outcome) == true { return }
        if let hear = own.removeValue(forKey: outcome.number) {
            // A frame that the daemon made itself can be parsed.
            if let reply = try? Reply(frame: Array(outcome.frame.dropLast())) { hear(reply) }
            return
        }
        guard let request = requests.removeValue(forKey: outcome.number) else { return }
        if request.call.method == Upkeep.Import.name { tidying?.schedule() }
        callLimiter.finish(request.caller)
        if let entered = outcome.entered {
            let caller = request.caller
            request.enter(
                as: Caller(
                    user: caller.user, entrance: entered.entrance, account: caller.account,
                    person: entered.person.description, rights: []))
        }
        if let liveQuery = outcome.liveQuery, request.isOpen {
            request.continue(frame: outcome.frame)
            liveQueries?.add(request, liveQuery, frame: outcome.frame)
            if let watch = outcome.watchFrom { begin(watch, request) }
            return
        }
        if let listening = outcome.listening {
            if request.isOpen { chatListeners?.add(request, listening, first: outcome.frame) }
            return
        }
        request.reply(frame: outcome.frame)
    }

    private func take(_ typing: Typing) {
        guard notices != nil else { chatListeners?.type(typing); return }
        // Told in the order of the messages, here as well.
        if chatListeners?.mustTell(typing) == true {
            share([Notice(.typing, typing.person.id, typing.room.description)])
        }
    }

    private func begin(_ watch: Outcome.Watch, _ request: Request) {
        let watcher = Watcher(request, watch)
        watchers.append(watcher)
        for news in watch.missed { tell(watcher, news) }
    }

    func tell(_ watcher: Watcher, _ news: News) {
        // News of the transaction in which the watch began were in the first reply.
        guard watcher.request.isOpen, news.number > watcher.cursor else { return }
        watcher.cursor = news.number
        let reply = Practice.Watch.Reply(
            cursor: String(news.number), at: spell(news.at), kind: news.kind.rawValue, what: news.what)
        watcher.request.continue(frame: Reply.frame(reply, continues: true))
    }

    /// The cursor stays: this is no news that is kept.
    private func tell(_ request: Request, unread: Int) {
        guard request.isOpen, let watcher = watchers.first(where: { $0.request === request }) else { return }
        let reply = Practice.Watch.Reply(
            cursor: String(watcher.cursor), at: spell(now()), kind: News.Kind.chat.rawValue, unread: unread)
        request.continue(frame: Reply.frame(reply, continues: true))
    }

    /// Ends all calls that go on, after a backup took the place of the database: the numbers of news may begin again lower.
    /// People who are known by their number alone come in anew: it may be another's.
    private func beginAnew() {
        let error = Practice.StorageUnavailable.restored
        for watcher in watchers where watcher.request.isOpen { watcher.request.fail(error) }
        watchers = []
        liveQueries?.restart(with: error)
        chatListeners?.restart(with: error)
        server.disconnect(with: error) { $0.person != nil }
    }

    /// Cuts the connections of a person who was signed out.
    func signOut(_ gone: SignedOut) {
        watchers.removeAll { gone.concerns($0.request.caller) }
        liveQueries?.end(where: gone.concerns)
        chatListeners?.end { gone.concerns($0.caller) }
        server.disconnect(with: Practice.SignedOut(person: gone.person.description), where: gone.concerns)
    }
}
