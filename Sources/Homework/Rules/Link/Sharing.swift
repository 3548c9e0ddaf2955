/// One subject of which the client may let their practice hear.
public enum Share: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Tasks that were started, completed, missed, cancelled or set aside.
    case completed
    /// The word for a mood.
    case moods
    /// The breaths that were drawn.
    case breaths
    /// Notes that were written for the next session. A note that is kept with a task is never shared.
    case notes
    /// The client sits in the wait room, or in the session.
    case waiting

    /// In the order of the declaration.
    public static func < (left: Self, right: Self) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// The link with a practice: its address, this device's name there, and what the client shares.
public struct PracticeLink: Hashable, Sendable {
    /// The practice's address, as `ssh` takes it.
    public let practice: String
    /// The number of the event that began the link.
    public let linkedAt: Int
    /// Names this history to the practice. A new one is made if the history was replaced.
    public internal(set) var device: String
    /// Each share, with the number of the event that began it. Only later events are shared.
    public internal(set) var shares: [Share: Int] = [:]
    /// Shares that ended because the practice has them no longer, and not by the client on this machine. The client has not
    /// seen to them yet.
    public internal(set) var endedElsewhere: Set<Share> = []
    /// False while the practice has not heard of the present shares.
    public internal(set) var isPracticeTold = false
    /// The number of the last event that the practice has heard of; 0 if it has heard of none.
    public internal(set) var reported = 0
    /// The revision of the practice's schedule that was taken in last; nil if there was none.
    public internal(set) var revision: Int?
    /// The counts that the practice told last.
    public internal(set) var news = NewsCounts()
    /// How much the practice had recorded on the present day.
    var today = PracticeDay()
    /// The count of each kind of which the client was reminded last.
    var remindedOf: [Reminder.Kind: Int] = [:]
    /// The openings and last words of surveys that reminders told, the newest last: `opens:v17`.
    var saidOfSurveys: [String] = []

    public init(practice: String, device: String, linkedAt: Int = 0) {
        self.practice = practice
        self.device = device
        self.linkedAt = linkedAt
    }

    /// The address, if it can be one: `account@host`, of printable ASCII without spaces, and no option of `ssh`.
    public static func isAddress(_ text: String) -> Bool {
        (1...300).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension Decision {
    /// Links with a practice. Repeating it changes nothing but the shares, so that an interrupted set-up can be repeated.
    mutating func link(_ practice: String, _ device: String, _ shares: Set<Share>) throws(Refusal) {
        if let link = plan.link {
            guard link.practice == practice else { throw .linkedAlready(link.practice) }
            let kept = shares.intersection(link.shares.keys)
            if kept.count < link.shares.count { changeShares(to: kept, isPracticeTold: false) }
        } else {
            happen(.linked(practice: practice, device: device))
        }
        changeShares(to: shares, isPracticeTold: true)
    }

    /// - Parameter isByClient: what ends was withdrawn by the client, also if the practice was told together with the rest.
    mutating func setShares(_ shares: Set<Share>, _ isPracticeTold: Bool, _ isByClient: Bool) throws(Refusal) {
        let present = Set(try presentLink().shares.keys)
        if isByClient, isPracticeTold, !present.isSubset(of: shares) {
            changeShares(to: present.intersection(shares), isPracticeTold: false)
        }
        changeShares(to: shares, isPracticeTold: isPracticeTold)
    }

    private mutating func changeShares(to shares: Set<Share>, isPracticeTold: Bool) {
        guard let link = plan.link else { return }
        let isChange = Set(link.shares.keys) != shares || link.isPracticeTold != isPracticeTold
        guard isChange || !link.endedElsewhere.isEmpty else { return }
        happen(.sharesChanged(shares, isPracticeTold: isPracticeTold))
    }

    mutating func unlink() {
        if plan.link != nil { happen(.unlinked) }
    }

    /// Notes how far the practice has heard. It may be less than before: the practice may have lost some of it.
    mutating func noteReported(_ through: Int, of device: String) throws(Refusal) {
        let link = try presentLink()
        guard link.device == device else { throw .otherDevice(link.device) }
        guard through <= plan.eventCount else { throw .historyReplaced }
        guard link.reported != through else { return }
        happen(.reported(through: through, of: device))
        if plan.link?.today.areReportsSpent == true { throw .practiceSaysTooMuch }
    }

    /// Names this history anew, so that everything shared is reported again. Another device than `old` was renewed already.
    mutating func renewDevice(_ old: String, _ new: String) throws(Refusal) {
        guard try presentLink().device == old else { return }
        happen(.deviceRenewed(new))
        if plan.link?.today.areReportsSpent == true { throw .practiceSaysTooMuch }
    }

    func presentLink() throws(Refusal) -> PracticeLink {
        guard let link = plan.link else { throw .notLinked }
        return link
    }
}

extension Plan {
    mutating func link(_ practice: String, _ device: String) {
        link = PracticeLink(practice: practice, device: device, linkedAt: eventCount)
    }

    /// Applies `sharesChanged`: a share that goes on keeps its beginning. A share that the client withdraws ends before the
    /// practice is told, so one that ends with `isPracticeTold` was ended elsewhere.
    mutating func change(_ shares: Set<Share>, _ isPracticeTold: Bool) {
        let before = link?.shares ?? [:]
        let ended = Set(before.keys).subtracting(shares)
        if isPracticeTold, !ended.isEmpty { link?.endedElsewhere.formUnion(ended) } else { link?.endedElsewhere = [] }
        link?.shares = Dictionary(uniqueKeysWithValues: shares.map { ($0, before[$0] ?? eventCount) })
        link?.isPracticeTold = isPracticeTold
    }

    mutating func renewDevice(_ device: String) {
        link?.device = device
        link?.reported = 0
    }

    mutating func unlink() {
        forgetNews()
        link = nil
    }

    /// The link with its shares, and the difference that this makes, if this plan takes the place of another: a backup brings
    /// back words, and no agreement that the client has ended since.
    /// - Parameter present: the plan before; nil if it is unknown. Then nothing is shared.
    public func keepingLink(of present: Plan?) -> (what: [Happening], change: LinkChange?) {
        guard let present else {
            guard let link, !link.shares.isEmpty else { return ([], nil) }
            return ([.sharesChanged([], isPracticeTold: false)], .sharesNothing(link.practice))
        }
        guard let kept = present.link else {
            return link.map { ([.unlinked], .staysEnded($0.practice)) } ?? ([], nil)
        }
        let shares = Set(kept.shares.keys)
        let change = Happening.sharesChanged(shares, isPracticeTold: kept.isPracticeTold)
        guard let link, link.practice == kept.practice, link.device == kept.device else {
            let end: [Happening] = link == nil ? [] : [.unlinked]
            return (
                end + [.linked(practice: kept.practice, device: kept.device), change], .stays(kept.practice, shares)
            )
        }
        guard link.shares != kept.shares || link.isPracticeTold != kept.isPracticeTold else { return ([], nil) }
        // One that has ended meanwhile and began again does not go on: it begins anew, without the words from before.
        let both = Set(kept.shares.filter { link.shares[$0.key] == $0.value }.keys)
        let beginsAnew = shares.contains { link.shares[$0] != nil && !both.contains($0) }
        let end: [Happening] =
            beginsAnew || both.count < link.shares.count && kept.isPracticeTold
            ? [.sharesChanged(both, isPracticeTold: false)] : []
        return (end + [change], link.shares == kept.shares ? nil : .stays(kept.practice, shares))
    }

    /// True if somebody may learn from this device that tasks were missed.
    var sharesCompletion: Bool { link?.shares[.completed] != nil }
}

/// The link after a history took the place of another, with the practice, if it differs from the link of that history.
public enum LinkChange: Hashable, Sendable {
    case stays(String, Set<Share>)
    case staysEnded(String)
    /// The shares before are unknown, so there are none.
    case sharesNothing(String)
}

/// Selects the events that the practice may hear of.
public struct Sharing: Hashable, Sendable {
    /// The shares that an event of each kind belongs to, by the kind's name. One of them is enough.
    ///
    /// Events that end the waiting belong to `waiting` as well: else the therapist would see the client wait for ever.
    public static let kinds: [(kind: String, shares: [Share])] = [
        ("started", [.completed, .waiting]), ("completed", [.completed]), ("missed", [.completed]),
        ("cancelled", [.completed, .waiting]), ("setAside", [.completed, .waiting]), ("moodLogged", [.moods]),
        ("moodCorrected", [.moods]), ("breathed", [.breaths]), ("noteWritten", [.notes]),
        ("exerciseFinished", [.waiting]), ("joined", [.waiting]), ("left", [.waiting]),
    ]

    /// The number of the event after which each kind is shared. A kind that is not shared is missing.
    public let since: [String: Int]
    /// The number after which schedules of the practice are told of: the practice sent them.
    public let sinceLinked: Int

    public init(_ link: PracticeLink) {
        since = Dictionary(
            uniqueKeysWithValues: Self.kinds.compactMap { kind, shares in
                shares.compactMap { link.shares[$0] }.min().map { (kind, $0) }
            })
        sinceLinked = link.linkedAt
    }
}
