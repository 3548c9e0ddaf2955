import PracticeStore
import Time

/// An order to a thread.
enum Order: Sendable {
    case carryOut(Job)
    /// Lets go of the database until the next call.
    case letGo(number: Int)
    /// Keeps the instant at which these people last listened to their rooms.
    case noteSeen([ID<Person>], at: Instant)
    /// Tells the other daemons.
    case tell([Notice])
    /// Tells them of all who are here, and that nobody else is.
    case tellAnew([Notice])
    /// Tells the other daemons that this one is alive.
    case beat
    /// Tells the other daemons that this one ends.
    case leave
}

/// The result of an order.
enum Answer: Sendable {
    case outcome(Outcome)
    case letGo(number: Int)
    /// The notices were written, or the beat was, and the daemon was known to the others.
    case told
    /// The other daemons do not know whom this one serves.
    case unknown
    /// A beat has ended, whether or not it was written.
    case beaten

    var outcome: Outcome? {
        if case .outcome(let outcome) = self { outcome } else { nil }
    }
}
