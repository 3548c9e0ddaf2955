import Glibc
import PracticeRules
import PracticeStore
import Systemd
import Time
import Workers

/// The notices of all daemons that serve the same practice, this one's included, in the order of the commits.
///
/// A thread waits for them on a connection of its own. Where a call is on its way that asks to be told of changes, the notices
/// wait for it: told too early, they would miss it; told before it was answered, they would overtake the answer.
final class NoticeStream {
    /// The name of this daemon among the others: another one at each start.
    let daemon = "\(getpid())-" + String(UInt64.random(in: 0 ... .max), radix: 36)

    private enum Answer: Sendable {
        /// The notices after that number are heard from now on. presence: the people whom other daemons serve.
        case began(Int, presence: [HeardNotice])
        case heard([HeardNotice])
        /// Notices are lost: the server was not reached for too long, or has an older state of the practice than before.
        case lost
        case failed
    }

    /// An order is true if the thread is to begin anew.
    private var worker: Worker<Bool, Answer>?
    /// A byte in it ends the thread's waiting.
    private let (waking, wake): (Int32, Int32)
    /// The number after which notices are heard; nil until the server was reached.
    private(set) var start: Int?
    /// The instant since which the server was not reached; nil while notices are heard.
    private(set) var deafSince: SteadyInstant?
    /// Notices that were heard, and not told yet.
    private var waiting: [HeardNotice] = []
    /// The numbers of the jobs on their way that ask to be told of changes, and of logins.
    private var beginning: Set<Int> = []
    /// The number up to which the last of them has seen the practice.
    private var horizon = 0
    private let tell: ([HeardNotice]) -> Void
    private let onBegin: (_ presence: [HeardNotice]?) -> Void
    private let onLoss: () -> Void

    /// The pause after which the thread looks by itself: a connection can die without a word.
    static let patience = Duration.seconds(2)

    /// - Parameters:
    ///   - address: the server's.
    ///   - tell: gets the notices.
    ///   - onBegin: called once the server was reached, with all who are there at other daemons; and with nil at each time that it
    ///     was not.
    ///   - onLoss: called when notices were lost.
    init(
        _ loop: EventLoop, _ address: String,
        tell: @escaping ([HeardNotice]) -> Void, onBegin: @escaping (_ presence: [HeardNotice]?) -> Void,
        onLoss: @escaping () -> Void
    ) throws(SystemdError) {
        (self.tell, self.onBegin, self.onLoss) = (tell, onBegin, onLoss)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemdError(call: "pipe", errno: errno) }
        (waking, wake) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (daemon, waking) = (daemon, ends[0])
        worker = try Worker(loop) {
            let reader = Reader(address, daemon: daemon, waking: waking)
            return { orders in [reader.listen(anew: orders.contains(true))] }
        } deliver: { [unowned self] in
            for answer in $0 { take(answer) }
        }
        worker?.carryOut([false])
    }

    deinit {
        close(waking)
        close(wake)
    }

    /// Has the thread look at once: this daemon has written notices.
    func look() {
        var byte: UInt8 = 0
        // A full pipe wakes as well.
        _ = write(wake, &byte, 1)
    }

    func end() {
        look()
        worker?.end()
        worker = nil
    }

    /// A call that asks to be told of changes, or a login, is on its way.
    func expects(_ job: Int) { beginning.insert(job) }

    /// True if the call saw the practice at a time from which on all notices are heard. Tells the notices of what it saw.
    ///
    /// - Parameter position: the number of the newest notice that it saw.
    func arrives(_ job: Int, at position: Int) -> Bool {
        guard let start else { return false }
        guard start <= position else {
            // The call saw an older state than the thread has seen.
            forget()
            look()
            return false
        }
        horizon = max(horizon, position)
        release()
        return true
    }

    /// The call was answered.
    func isAnswered(_ job: Int) {
        guard beginning.remove(job) != nil, beginning.isEmpty else { return }
        release()
    }

    /// The calls are carried out again, and the thread has as long to find the server, too.
    func countDeafnessAnew() { if deafSince != nil { deafSince = SystemClock.steady() } }

    /// The notices are heard anew, after those that the server has then.
    func forget() { (start, waiting, horizon) = (nil, [], 0) }

    private func release() {
        let told = beginning.isEmpty ? waiting[...] : waiting.prefix { $0.number <= horizon }
        guard !told.isEmpty else { return }
        waiting.removeFirst(told.count)
        tell(Array(told))
    }

    private func take(_ answer: Answer) {
        if case .failed = answer { deafSince = deafSince ?? SystemClock.steady() } else { deafSince = nil }
        switch answer {
        case .began(let number, let presence):
            start = number
            onBegin(presence)
        case .heard(let notices):
            waiting += notices
            release()
        case .lost:
            forget()
            onLoss()
        case .failed: if start == nil { onBegin(nil) }
        }
        worker?.carryOut([start == nil])
    }

    /// The thread's part.
    private final class Reader {
        private let address: String
        private let daemon: String
        private let waking: Int32
        private var store: Store?
        private var last: (notice: Int, happening: Int)?

        init(_ address: String, daemon: String, waking: Int32) {
            (self.address, self.daemon, self.waking) = (address, daemon, waking)
        }

        /// Waits for notices, at most ``NoticeStream/patience``.
        func listen(anew: Bool) -> Answer {
            do {
                let store = try connect()
                guard last != nil, !anew else {
                    return try store.transaction {
                        guard try !isOlder(store) else {
                            last = nil
                            return .lost
                        }
                        let newest = try store.newestNotice()
                        last = (newest, try store.newestHappening())
                        return .began(newest, presence: try store.presence(besides: daemon))
                    }
                }
                let heard = try look(store)
                if case .heard(let notices) = heard, notices.isEmpty {
                    try store.waitForNotices(or: waking, atMost: NoticeStream.patience)
                    empty()
                    return try look(store)
                }
                return heard
            } catch {
                store = nil
                // So that a server that is away is not asked without end. The end of the daemon cuts it short.
                empty()
                var place = pollfd(fd: waking, events: Int16(POLLIN), revents: 0)
                poll(&place, 1, 1_000)
                return .failed
            }
        }

        private func empty() {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(waking, &bytes, bytes.count) > 0 {}
        }

        private func connect() throws -> Store {
            if let store { return store }
            let new = try Store(readingServer: address)
            // First this, then a look: what is written in between is heard twice rather than never.
            try new.listenForNotices()
            store = new
            return new
        }

        private func look(_ store: Store) throws -> Answer {
            guard let last else { return .failed }
            let found: [HeardNotice]? = try store.transaction {
                try isOlder(store) ? nil : store.notices(after: last.notice, happening: last.happening)
            }
            guard let heard = found else {
                self.last = nil
                return .lost
            }
            if let newest = heard.last {
                let happening = heard.last { !$0.happenings.isEmpty }?.happenings.last?.number
                self.last = (newest.number, happening ?? last.happening)
            }
            return .heard(heard)
        }

        /// The server has an older state of the practice than before, from a backup or a replica: its numbers begin again lower.
        private func isOlder(_ store: Store) throws -> Bool {
            guard let last else { return false }
            return try store.newestNotice() < last.notice || store.newestHappening() < last.happening
        }
    }
}

extension Outcome {
    /// The notices by which other daemons tell their callers of this call. Those of rooms' happenings are made for all calls of a transaction.
    var notices: [Notice] {
        // First these, so that a person who is signed out gets no more news.
        var notices = signedOut.map { gone in
            switch gone.by {
            case .anything(let account): Notice(.signedOut, gone.person, account)
            case .key(let fingerprint): Notice(.keyRemoved, gone.person, fingerprint)
            }
        }
        notices += news.map { Notice(.news, $0.person, "\($0.number)") }
        notices += presenceChanges.map { Notice(.availability, $0) }
        notices += readers.map { Notice(.read, $0) }
        if changesBroadcasts { notices.append(Notice(.broadcasts)) }
        if changesSurveys { notices.append(Notice(.surveys)) }
        if changesKeys { notices.append(Notice(.keys)) }
        return notices
    }
}
