public import Companion
public import Varlink

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

    /// The reply to a call with a key. After a connection that was lost meanwhile the same call is made again, on a new one: its
    /// key makes it once.
    /// - Parameter doubt: is added to a second failure, after which nobody knows whether the call was carried out.
    public func reply(to call: some Method, over connection: DaemonConnection, doubt: String) throws -> Reply {
        do throws(Failure) {
            return try connection.reply(to: call)
        } catch {
            guard error.status == Failure.noDaemonStatus else { throw error }
            do { return try practice().reply(to: call) } catch let again as Failure { throw again.adding(doubt) }
        }
    }
}
