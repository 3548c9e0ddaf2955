public import Companion

/// The options by which a verb that both companions have finds the practice.
public protocol PracticeOptions: ConnectionOptions {
    /// The companion's own name, such as `daybreak`.
    static var companion: String { get }
    /// A connection to the practice, on which the caller is known.
    func practice() throws -> DaemonConnection
    /// Called after the practice has taken an announcement off the caller's screen.
    func noteDismissed(_ announcement: String)
}

extension PracticeOptions {
    public func noteDismissed(_ announcement: String) {}
}
