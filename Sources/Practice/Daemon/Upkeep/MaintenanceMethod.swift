import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink

/// A method about the daemon or the whole database. It is carried out between the transactions of the other calls, and also
/// where the storage is unavailable.
protocol MaintenanceMethod: Method {
    static var right: Right { get }
    /// True if the audit has an entry for the call.
    static var isAudited: Bool { get }

    func answer(in context: MaintenanceContext) throws -> Reply
}

extension MaintenanceMethod {
    static var isAudited: Bool { false }

    static func frame(for call: Call, in context: MaintenanceContext) throws -> [UInt8] {
        Varlink.Reply.frame(try call.decode(Self.self).answer(in: context))
    }
}

/// The surroundings of a maintenance call while it is carried out.
final class MaintenanceContext {
    let storage: PracticeStorage
    let settings: PracticeSettings
    let now: Instant
    let state: ServerState
    /// The journal's messages, written once the maintenance call is done.
    private(set) var journalLines: [JournalLine] = []
    /// A failure of the storage that the answer tells of.
    var found: PracticeStorage.Failure?
    /// The thing that the maintenance call concerned, for the audit: never a name.
    var what: String?

    init(storage: PracticeStorage, settings: PracticeSettings, now: Instant, state: ServerState) {
        self.storage = storage
        self.settings = settings
        self.now = now
        self.state = state
    }

    var today: CalendarDay { settings.zone.day(at: now) }

    func tell(_ kind: PracticeMessage, _ what: String? = nil, because reason: String? = nil) {
        journalLines.append(JournalLine(kind: kind, what: what, reason: reason))
    }

    /// The instant as RFC 3339, in the practice's zone.
    func spelled(_ instant: Instant) -> String {
        DateTime(instant, offset: .seconds(settings.zone.offset(at: instant))).description
    }
}

/// A line for the journal.
struct JournalLine: Equatable, Sendable {
    let kind: PracticeMessage
    /// An identifier or a count. Never a name or a word of anybody's.
    var what: String?
    var reason: String?

    /// For people; the catalog explains it.
    var sentence: String {
        let subject = what.map { "\(kind.title): \($0)." } ?? "\(kind.title)."
        return reason.map { "\(subject) \($0)" } ?? subject
    }
}

/// The daemon's state, as the loop knows it.
struct ServerState: Equatable, Sendable {
    var since = Instant(microseconds: 0)
    var connections = 0
    var watchers = 0
    /// How often a backup was put in the place of the database.
    var restores = 0
    /// Why the database is not used any more, until a backup is put in its place.
    var damage: String?
    /// Why the last write failed.
    var problem: String?
    var backupProblem: String?
    var settingsFile = ""
}
