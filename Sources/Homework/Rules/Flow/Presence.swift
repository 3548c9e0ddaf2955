import Text
public import Time

/// The last report of the provider's presence, and how long it is believed.
public struct Presence: Hashable, Sendable {
    public let online: Bool
    /// The provider's name, if reported. Only the client's own screen shows it.
    public let name: String?
    public let since: Instant
    public let until: Instant

    /// The longest time for which a report is believed.
    public static let longest = Duration.seconds(24 * 3_600)
    /// Bytes of UTF-8: 120 letters of any script, as many as a practice takes.
    public static let nameByteLimit = 480

    /// How often the client is reminded of a provider who comes and goes, at most, while one task awaits them.
    static let reminderInterval = Duration.seconds(10 * 60)

    /// The name without the space around it; nil if nothing is left. Throws if it is too long or has a hidden character,
    /// because it stands on one line of the screen.
    public static func checked(name: String) throws(NameFault) -> String? {
        guard name.utf8.count <= nameByteLimit else { throw .tooLong }
        let kept = name.drop { $0.isWhitespace }
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        let word = String(kept[...last])
        if let hidden = word.firstHidden { throw .hiddenCharacter(hidden) }
        return word
    }

    /// The reason why a text cannot be the provider's name.
    public enum NameFault: Error, Hashable, Sendable {
        case tooLong
        case hiddenCharacter(Unicode.Scalar)
    }

    public init(online: Bool, name: String?, since: Instant, until: Instant) {
        self.online = online
        self.name = name
        self.since = since
        self.until = until
    }

    /// False before `since` as well, because a clock that was set back makes the presence unknown.
    public func isOnline(at instant: Instant) -> Bool {
        online && since <= instant && instant < until
    }

    /// When `isOnline` changes next; nil if it does not.
    func changes(after instant: Instant) -> Instant? {
        guard online, since < until else { return nil }
        return [since, until].first { $0 > instant }
    }
}

extension Decision {
    var isProviderOnline: Bool { plan.presence?.isOnline(at: moment.instant) ?? false }

    mutating func tellPresence(_ online: Bool, _ name: String?, _ lasts: Duration) {
        let wasOnline = isProviderOnline
        let until = moment.instant + min(max(lasts, .zero), Presence.longest)
        happen(.presenceTold(Presence(online: online, name: name, since: moment.instant, until: until)))
        guard isProviderOnline, !wasOnline, let assignment = awaitingProvider else { return }
        remind(.providerAvailable, named: "\(nextNumber(of: .providerAvailable))", about: assignment)
    }

    /// The assignment whose session could begin now if the provider came.
    private var awaitingProvider: Assignment? { plan.awaitingProvider(by: settings) }

    /// Reminds of a provider who came back too soon after the last reminder, and is still there.
    mutating func giveHeldReminderOfProvider() {
        guard let held = plan.held.first(where: { $0.kind == .providerAvailable }),
            plan.reminderOfProviderWaits(of: held.assignment, at: moment) == nil, isProviderOnline,
            awaitingProvider?.id == held.assignment
        else { return }
        happen(.reminded(held))
    }
}

extension Plan {
    mutating func take(_ new: Presence) {
        let wasOnline = presence?.isOnline(at: new.since) ?? false
        if !wasOnline || !new.online { held.removeAll { $0.kind == .providerAvailable } }
        if new.online, !wasOnline { isProviderAnnounced = true }
        presence = new
    }

    /// A task that is started then goes straight into the session.
    func startsWithSession(at instant: Instant) -> Bool {
        isProviderAnnounced && presence?.isOnline(at: instant) == true
    }

    /// The assignment whose session could begin now if the provider came.
    fileprivate func awaitingProvider(by settings: Settings) -> Assignment? {
        guard let flow else { return eligible(by: settings) }
        return flow.stage == .exercise || flow.stage == .waiting ? agenda[flow.assignment] : nil
    }

    /// No reminder of the provider's coming is given until then, because one about the same task was given a short while ago.
    func reminderOfProviderWaits(of id: AssignmentID?, at moment: Moment) -> Instant? {
        guard let last = lastReminders.last(where: { $0.reminder.kind == .providerAvailable }),
            last.reminder.assignment == id, last.at <= moment.instant
        else { return nil }
        let end = last.at + Presence.reminderInterval
        return moment.instant < end ? end : nil
    }

    /// When the held reminder of the provider's coming is given, if the provider stays until then.
    func reminderOfProviderComes(at moment: Moment, by settings: Settings) -> Instant? {
        guard let held = held.first(where: { $0.kind == .providerAvailable }),
            let end = reminderOfProviderWaits(of: held.assignment, at: moment), presence?.isOnline(at: end) == true,
            awaitingProvider(by: settings)?.id == held.assignment
        else { return nil }
        return end
    }
}
