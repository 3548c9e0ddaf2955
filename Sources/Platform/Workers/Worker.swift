import Glibc
public import Systemd

/// A thread beside the loop. It takes all waiting jobs at once, in their order, and delivers its answers in the loop.
///
/// The two threads share nothing: a job goes in, an answer comes out. The thread's own objects, such as a database
/// connection, are made on the thread and never leave it.
public final class Worker<Job: Sendable, Answer: Sendable> {
    /// Carries out jobs, and gives the answers in any order.
    public typealias CarryOut = ([Job]) -> [Answer]

    private enum Order: Sendable {
        case carryOut(Job)
        case end
    }

    private let orders: Mailbox<Order>
    private let answers: Mailbox<Answer>
    private let thread: Thread
    private var source: IOSource?
    private let deliver: ([Answer]) -> Void

    /// - Parameters:
    ///   - begin: runs first on the new thread, and makes the thread's own objects.
    ///   - deliver: gets the answers, on the loop's thread.
    public init(
        _ loop: EventLoop, begin: @escaping @Sendable () -> CarryOut, deliver: @escaping ([Answer]) -> Void
    ) throws(SystemdError) {
        self.deliver = deliver
        let orders = try Mailbox<Order>(blocking: true)
        let answers = try Mailbox<Answer>(blocking: false)
        (self.orders, self.answers) = (orders, answers)
        thread = try Thread {
            let carryOut = begin()
            while true {
                var jobs: [Job] = []
                var isEnding = false
                for order in orders.takeAll() {
                    switch order {
                    case .carryOut(let job): jobs.append(job)
                    case .end: isEnding = true
                    }
                }
                if !jobs.isEmpty { answers.put(carryOut(jobs)) }
                if isEnding { return }
            }
        }
        source = try loop.onIO(answers.descriptor, .readable) { [unowned self] _ in
            let ready = self.answers.takeAll()
            if !ready.isEmpty { self.deliver(ready) }
        }
    }

    deinit {
        source?.cancel()
        orders.put([.end])
        thread.join()
    }

    public func carryOut(_ jobs: [Job]) { orders.put(jobs.map(Order.carryOut)) }

    /// Waits until every job is carried out and its answer delivered, and ends the thread.
    public func end() {
        orders.put([.end])
        thread.join()
        let ready = answers.takeAll()
        if !ready.isEmpty { deliver(ready) }
    }
}
