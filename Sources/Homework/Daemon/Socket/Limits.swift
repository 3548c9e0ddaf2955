import HomeworkRules
import Time

/// What a client may ask of the control socket, each bound with its reason.
enum Limits {
    /// A call fits many times; what is longer is a mistake.
    static let frame = 64 * 1_024
    /// What is asked again and again is short; no connection keeps more of a call once it is answered.
    static let keptFrame = 256
    /// A schedule of 16 MiB, spelled as a JSON string: each of its quotes takes a backslash more.
    static let importFrame = 32 * 1_024 * 1_024
    /// From the first byte of a call to its end. Programs write a call in one go; whoever types one has this long.
    static let callTime = Duration.seconds(30)
    /// Every program of one person's desktop has room.
    static let connections = 256
    /// Two users are heard, the client and root: whatever the programs of one do, there is room for the other's.
    static let connectionsOfOneUser = 192
    /// Calls of one connection in one turn: the others have theirs, too.
    static let waitingCalls = 1_024
    /// What a client may leave unread before its next call is taken: a hundred statuses.
    static let unread = 64 * 1_024
    /// What it may leave unread in all, which is at the most one long list. Beyond it the connection is cut.
    static let backlog = 64 * 1_024 * 1_024
    /// The same for a watcher, whom nobody waits for.
    static let watcherBacklog = 256 * 1_024
    /// A year of reminders, a few a day, in one reply.
    static let reminders = 2_000
}
