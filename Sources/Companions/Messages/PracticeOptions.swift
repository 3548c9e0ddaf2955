public import Companion

/// The options by which a verb that both companions have finds the practice.
public protocol PracticeOptions: ConnectionOptions {
    /// The companion's own name, such as `daybreak`.
    static var companion: String { get }
    /// A connection to the practice, on which the caller is known.
    func practice() throws -> DaemonConnection
}
