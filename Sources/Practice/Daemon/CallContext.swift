import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink
import VarlinkService

/// The context in which a handler answers one call: the caller, the time, and the open transaction.
final class CallContext {
    let store: Store
    let settings: PracticeSettings
    let now: Instant
    /// The counts of the day. They outlive the call, also a refused one.
    let limits: SharedLimits
    /// The zones of clients that calls of the same transaction have read.
    let zones: ClientZones
    /// Nil for a visitor, and for root.
    let caller: Person?
    /// The call within which this one is carried out in the caller's place: who made that one did this.
    private let outer: CallContext?
    /// Nil for a visitor. Root is an administrator.
    let role: Role?
    /// The caller's entrance, as the audit names it.
    private(set) var through: String
    /// True if the caller is the gate's program, which calls for other people.
    let isGate: Bool
    /// The call's method without its interface.
    let deed: String
    /// The method's name with that of its interface: two have a Send.
    private let keyedMethod: String
    let wantsMore: Bool
    /// The call is carried out again because something changed. It writes nothing.
    let isAgain: Bool
    /// The revision of the schedule that an earlier answer to this call had.
    let seenRevision: Int?
    /// The state of the daemon: the connected devices, and those who listen and type.
    let state: ServerState

    /// The news for watchers, sent once the transaction is committed.
    private(set) var news: [News] = []
    /// The journal's messages, written once the transaction is committed.
    var journalLines: [JournalLine] = []
    /// True if the call changed nothing: an earlier call had the same key, or this one only checks.
    var isWithoutEffect = false
    /// True if the call only said what it would do. The audit says so: nobody is to take it for the deed.
    var isDryRun = false { didSet { isWithoutEffect = isWithoutEffect || isDryRun } }
    /// The clients whose records the call read or changed: the audit has an entry for each.
    private(set) var concerned: [ID<Person>] = []
    /// The identifier or the count of the things that the call read or changed, for the audit. Never a name, nor a person's
    /// words.
    var what: String?
    /// The person who watches, and the cursor after which their news begin. Nil unless the call is `Watch`.
    var watchFrom: (person: ID<Person>, cursor: Int)?
    /// Set if the call is to be answered again after every change.
    var liveQuery: LiveQuery?
    /// The thanatologists whose availability changed.
    private(set) var presenceChanges: [ID<Person>] = []
    /// Another set of broadcasts is shown from now on.
    private(set) var changesBroadcasts = false
    /// The rooms' happenings, sent to the listeners after the commit.
    private(set) var happenings: [RoomHappening] = []
    /// The people whose unread messages were counted anew.
    private(set) var readers: Set<ID<Person>> = []
    /// Set if the caller listens to their rooms from now on.
    var listening: Listening?
    /// Set if the caller types.
    var typing: Typing?
    /// True if surveys may open or close at other instants than before.
    var changesSurveys = false
    /// True if the call erased data, which the database's log and the backups must lose as well.
    var erases = false
    /// The person to whom the connection belongs from now on.
    var entered: Entered?
    /// The person who redeemed an invitation.
    var redeemer: ID<Person>?
    /// True if the call added or removed an SSH key.
    var changesKeys = false
    /// People whose connections are cut once the transaction is committed.
    private(set) var signedOut: [SignedOut] = []

    init(
        store: Store, settings: PracticeSettings, now: Instant, caller: Person?, role: Role?, through: String,
        isGate: Bool = false, call: Call, isAgain: Bool = false, seenRevision: Int? = nil,
        state: ServerState = ServerState(), limits: SharedLimits = SharedLimits(), zones: ClientZones,
        within outer: CallContext? = nil
    ) {
        self.store = store
        self.zones = zones
        self.limits = limits
        self.outer = outer
        self.settings = settings
        self.now = now
        self.caller = caller
        self.role = role
        self.through = through
        self.isGate = isGate
        deed = String(call.method.dropFirst(call.interface.count + 1))
        keyedMethod = call.method.split(separator: ".").suffix(2).joined(separator: ".")
        wantsMore = call.wantsMore
        self.isAgain = isAgain
        self.seenRevision = seenRevision
        self.state = state
    }

    /// The day in the practice's zone.
    var today: CalendarDay { settings.zone.day(at: now) }

    var rights: Set<Right> { RightsTable.rights(of: role).union(isGate ? [.openGate] : []) }
    var reach: Reach { RightsTable.reach(of: role) }

    func has(_ right: Right) -> Bool { RightsTable.rights(of: role).contains(right) || isGate && right == .openGate }

    /// The person whom the audit's entry names. Nil for root, and for a stranger at the gate.
    var doer: ID<Person>? {
        if let outer { return outer.doer }
        return entered?.person ?? redeemer ?? caller?.id
    }

    func demand(_ right: Right) throws {
        guard has(right) else { throw Practice.NotAllowed(right: right.rawValue) }
    }

    /// Adds news for a person. They are sent after the commit.
    func tell(_ person: ID<Person>?, _ kind: News.Kind, _ what: String?) throws {
        guard let person else { return }
        news.append(try store.addNews(for: person, kind, what, at: now))
    }

    /// Adds news for many people. They are sent after the commit.
    func tell(_ kind: News.Kind, _ told: [(person: ID<Person>, what: String?)]) throws {
        news += try store.addNews(kind, told, at: now)
    }

    /// Has the machines of this thanatologist's clients answered again, after the commit.
    func changesPresence(of thanatologist: ID<Person>) { presenceChanges.append(thanatologist) }

    /// Answers everybody anew who follows from a client's machine, once all is committed. A broadcast is no news of a single
    /// person's.
    func tellOfBroadcasts() { changesBroadcasts = true }

    /// Sends a room's happening to its members after the commit.
    func tell(_ happening: RoomHappening) { happenings.append(happening) }

    /// Answers anew, after the commit, what the person's own machines follow.
    func answersAnew(_ person: ID<Person>) { readers.insert(person) }

    /// Adds the news of a call that was made within this one.
    func tell(newsOf other: CallContext) { news += other.news }

    /// The news of what was taken back are sent to nobody.
    func forgetNews() { news = [] }

    /// Adds this client to the audit of the call.
    func note(_ client: ID<Person>) { if !concerned.contains(client) { concerned.append(client) } }

    /// Cuts a person's connections after the commit. Their keys no longer work.
    func signOut(_ person: Person) {
        signedOut.append(SignedOut(person: person.id, by: .anything(account: person.account)))
        changesKeys = true
    }

    /// Cuts the connections that used a key, after the commit.
    func signOut(_ key: KeptKey) {
        signedOut.append(SignedOut(person: key.person, by: .key(key.fingerprint)))
        changesKeys = true
    }

    /// The caller stands at the gate, from this address, and is nobody yet.
    func comes(from address: String) { through = "ssh from \(address)" }

    /// From now on the connection belongs to the person, who has proved to sshd that they hold the key.
    func enter(_ person: Person, _ key: KeptKey, from address: String) {
        let entered = Entered(person: person.id, entrance: .gate(key: key.fingerprint, from: address))
        (self.entered, through) = (entered, "ssh from \(address)")
    }

    /// Makes an object once. If an earlier call had the same key, returns the identifier of that call's object.
    ///
    /// - Parameters:
    ///   - person: the owner of the key; the caller unless given.
    ///   - instant: the time of the call; now unless given.
    ///   - make: makes the object, and returns its identifier.
    func once<Kind>(
        _ key: String?, as person: ID<Person>? = nil, at instant: Instant? = nil, _ make: () throws -> ID<Kind>
    ) throws -> ID<Kind> {
        guard let key else { return try make() }
        guard (1...100).contains(key.utf8.count) else {
            throw Practice.Invalid(faults: [.init(field: "key", reason: "must have 1 to 100 bytes.")])
        }
        let person = person ?? caller?.id ?? ID(0)
        if let earlier = try store.made(by: person, key: key) {
            // A key that an earlier version kept names no interface.
            guard [keyedMethod, deed].contains(earlier.method) else {
                throw Practice.Invalid(
                    faults: [.init(field: "key", reason: "was used for \(earlier.method) before: take a new one.")])
            }
            isWithoutEffect = true
            return ID(earlier.made)
        }
        let made = try make()
        try store.remember(key, of: person, keyedMethod, made: made.description, at: instant ?? now)
        return made
    }

    /// The instant as RFC 3339, in the practice's zone.
    func spelled(_ instant: Instant) -> String {
        DateTime(instant, offset: .seconds(settings.zone.offset(at: instant))).description
    }

    /// Fills in a form. Its faults are collected, and refused together.
    func form<Result>(_ fill: (inout Faults) throws -> Result?) throws -> Result {
        var faults = Faults()
        let filled = try fill(&faults)
        guard faults.list.isEmpty, let filled else { throw Practice.Invalid(faults) }
        return filled
    }

    static let noCursor = "must be what \"next\" said on the page before."

    /// The page that a call asks for.
    func page(_ after: String?, _ limit: Int?, _ faults: inout Faults) -> PageRequest? {
        let rows = faults.check("limit", limit ?? settings.page) { rows throws(FieldError) in
            try Field.number(rows, in: 1...settings.longestPage)
        }
        let start = after.map { PageStart($0) }
        if case .some(.none) = start { faults.add("after", Self.noCursor) }
        return rows.map { PageRequest(after: start ?? nil, limit: $0) }
    }
}

/// A call with "more" that is answered again after every change.
struct LiveQuery: Sendable {
    /// The caller: their news may change the answer.
    let person: ID<Person>
    /// True for `Follow`: the client's own Daybreak is connected as long as the call lasts.
    let isFollowing: Bool
    /// The client's thanatologist, or the caller: their availability may change the answer.
    let thanatologist: ID<Person>
    /// The revision of the schedule that the device has after the answer.
    var revision: Int?
    /// The instant at which the answer may change by itself.
    var until: Instant?
    /// The rooms whose messages change the answer.
    var rooms: Set<ID<Room>> = []
    /// For `Watch`: the messages that the caller has not read, in these rooms. The caller is told of more or newer ones, in the
    /// place of an answer.
    var unread: Unread?

    struct Unread: Equatable, Sendable {
        let count: Int
        /// The number of the newest; 0 if there is none. A count that fell and rose between two looks may be the same.
        let newest: Int

        func tellsMore(than before: Unread) -> Bool { count > before.count || newest > before.newest }
    }
}

/// The beginning of a person's listening to their rooms.
struct Listening: Sendable {
    let person: Correspondent
    /// Only this room; nil for all.
    let room: ID<Room>?
    /// The rooms that the person is in, with the number of members of each.
    let rooms: [ID<Room>: Int]
    /// The number of the newest happening of all rooms.
    let newest: Int
    /// The frames of the happenings since the last cursor.
    let missed: [[UInt8]]
    /// False if there is more that was missed: the call ends, and the person calls again.
    let isWhole: Bool
}

/// Somebody who types in a room.
struct Typing: Sendable {
    let room: ID<Room>
    let person: Correspondent
}

/// The person to whom a connection belongs from now on, and their entrance.
struct Entered: Equatable, Sendable {
    let person: ID<Person>
    let entrance: Caller.Entrance
}

/// A person who loses connections.
struct SignedOut: Sendable {
    let person: ID<Person>
    let by: Way

    /// The connections that are cut.
    enum Way: Sendable {
        /// All connections of the person. account: their Unix account on the practice's machine.
        case anything(account: String?)
        case key(String)
    }

    func concerns(_ caller: Caller) -> Bool {
        switch by {
        case .anything(let account):
            caller.person.map { $0 == person.description } ?? (account != nil && caller.account == account)
        case .key(let fingerprint):
            if case .gate(fingerprint, _) = caller.entrance { true } else { false }
        }
    }
}
