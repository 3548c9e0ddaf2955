import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time
import Varlink

/// A method about the daemon or the whole database. It runs between the transactions of other calls, and also while the
/// storage is unavailable.
protocol MaintenanceMethod: Method {
    static var right: Right { get }
    /// The thread on which the call begins.
    static var thread: CallThread { get }
    /// True if the call copies, checks or replaces the database as a whole. One of them is carried out at a time.
    static var isOfWhole: Bool { get }

    func answer(in context: MaintenanceContext) throws -> Reply
}

extension MaintenanceMethod {
    static var thread: CallThread { .writing }
    static var isOfWhole: Bool { true }

    static func frame(for call: Call, in context: MaintenanceContext) throws -> [UInt8] {
        Varlink.Reply.frame(try call.decode(Self.self).answer(in: context))
    }
}

/// The context in which a maintenance call is carried out.
final class MaintenanceContext {
    let storage: PracticeStorage
    let settings: PracticeSettings
    let now: Instant
    let state: ServerState
    /// The step at which the call goes on; nil at its beginning.
    let step: Step?
    private let isAlone: Bool
    /// The journal's messages, written once the maintenance call is done.
    private(set) var journalLines: [JournalLine] = []
    /// A storage failure that the answer reports.
    var found: PracticeStorage.Failure?
    /// The failure of a server that was waited for in vain since the call came: it is not waited for once more.
    var vain: PracticeStorage.Failure?
    /// The failure of the storage without which the answer was made.
    var survived: (any Error)?
    /// Writes the call's audit entry into a store. `what`: the subject of the call. Never a name.
    let audit: (_ what: String, _ store: Store) throws -> Void

    init(
        storage: PracticeStorage, settings: PracticeSettings, now: Instant, state: ServerState, step: Step?,
        isAlone: Bool, audit: @escaping (_ what: String, _ store: Store) throws -> Void
    ) {
        self.storage = storage
        self.settings = settings
        self.now = now
        self.state = state
        self.step = step
        self.isAlone = isAlone
        self.audit = audit
    }

    /// The call has put another database in the place of the one before.
    var hasRestored: Bool { journalLines.tellOfRestore }

    var today: CalendarDay { settings.zone.day(at: now) }

    /// Leaves the rest of the call to the thread that copies. Returns if there is none.
    func copyElsewhere(_ backup: String) throws {
        if !isAlone { throw Step(thread: .copying, backup: backup) }
    }

    func tell(_ kind: PracticeMessage, _ what: String? = nil, because reason: String? = nil) {
        journalLines.append(JournalLine(kind: kind, what: what, reason: reason))
    }

    /// The instant as RFC 3339, in the practice's zone.
    func spelled(_ instant: Instant) -> String {
        DateTime(instant, offset: .seconds(settings.zone.offset(at: instant))).description
    }
}

/// A line that the journal gets.
struct JournalLine: Equatable, Sendable {
    let kind: PracticeMessage
    /// An identifier or a count. Never a name, nor a text that a person wrote.
    var what: String?
    var reason: String?

    /// The line's text. The journal's catalog explains it.
    var sentence: String {
        let subject = what.map { "\(kind.title): \($0)." } ?? "\(kind.title)."
        return reason.map { "\(subject) \($0)" } ?? subject
    }
}

extension [JournalLine] {
    var tellOfRestore: Bool { contains { $0.kind == .storageRestored } }
}

/// The daemon's state, as the loop knows it.
struct ServerState: Equatable, Sendable {
    var since = Instant(microseconds: 0)
    var connections = 0
    var watchers = 0
    /// The number of restores since the start.
    var restores = 0
    /// The database's damage, as a sentence. A restore ends it.
    var damage: String?
    /// The failure of the last write, or to hear of other daemons' changes, as a sentence.
    var problem: String?
    var backupProblem: String?
    var settingsFile = ""
    /// The clients of whom a device is connected, or was within half a minute.
    var online: Set<ID<Person>> = []
    /// The people who listen to their rooms, or did so within the last half minute.
    var listening: Set<ID<Person>> = []
    /// The people who type, by their rooms.
    var typing: [ID<Room>: Set<ID<Person>>] = [:]
}
