import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink

extension Mail.ListBroadcasts: Handled {
    static let right = Right.mail
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let all = all ?? false
        let found = try context.store.broadcasts(notEndedAt: context.now, for: context.caller?.id)
        let shown = found.filter { broadcast in
            if all, context.has(.announce) { return true }
            guard let role = context.role else { return false }
            return broadcast.audience.includes(role) && broadcast.isShown(at: context.now)
                && (all || !broadcast.isDismissed)
        }
        return Reply(broadcasts: shown.map { Mail.Broadcast($0, in: context) })
    }
}

extension Mail.Dismiss: Handled {
    static let right = Right.mail

    func answer(in context: CallContext) throws -> Reply {
        let reader = try context.mailboxOwner()
        guard let found = try context.store.broadcast(ID(broadcast), for: reader), let role = context.role,
            found.audience.includes(role), found.isShown(at: context.now)
        else { throw Practice.NotFound(kind: "broadcast", id: broadcast) }
        guard found.isDismissable else { throw Mail.NotDismissable(broadcast: broadcast) }
        try context.store.dismiss(found, by: reader)
        try context.tell(reader, .mail, found.id.description)
        return Reply()
    }
}

extension Mail.Announce: Handled {
    static let right = Right.announce
    static let isAudited = true

    /// More than anybody reads at once.
    static let limit = 100

    func answer(in context: CallContext) throws -> Reply {
        let added: ID<Broadcast> = try context.once(key) {
            let new = try context.form { faults in
                if try context.store.broadcasts(notEndedAt: context.now, for: nil).count >= Self.limit {
                    faults.add("text", "must wait: \(Self.limit) broadcasts are shown or to come. End one of them.")
                }
                let text = faults.check("text", text, BroadcastForm.text)
                let audience = faults.check("to", to, BroadcastForm.audience)
                let level = faults.check("level", level ?? BroadcastLevel.notice.rawValue, BroadcastForm.level)
                let starts = from.map { context.instant("from", $0, isEnd: false, &faults) } ?? context.now
                let ends = until.map { context.instant("until", $0, isEnd: true, &faults) }
                if let starts, let ends = ends ?? nil, ends <= max(starts, context.now) {
                    faults.add("until", "must be later than the beginning, and than now.")
                }
                guard let text, let audience, let level, let starts else { return nil as Broadcast? }
                return Broadcast(
                    text: text, audience: audience, starts: starts, ends: ends ?? nil,
                    isDismissable: dismissable ?? true, level: level)
            }
            context.tellOfBroadcasts()
            return try context.store.add(new)
        }
        return Reply(broadcast: try context.broadcast(added.description))
    }
}

extension Mail.EditBroadcast: Handled {
    static let right = Right.announce
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        guard var edited = try context.store.broadcast(ID(broadcast), for: nil) else {
            throw Practice.NotFound(kind: "broadcast", id: broadcast)
        }
        guard revision == edited.revision else { throw Practice.Changed(revision: edited.revision) }
        edited = try context.form { faults in
            if let text { edited.text = faults.check("text", text, BroadcastForm.text) ?? "" }
            if let level { edited.level = faults.check("level", level, BroadcastForm.level) ?? edited.level }
            edited.isDismissable = dismissable ?? edited.isDismissable
            if let until {
                edited.ends = until.isEmpty ? nil : context.instant("until", until, isEnd: true, &faults)
                if let ends = edited.ends, ends <= max(edited.starts, context.now) {
                    faults.add("until", "must be later than the beginning, and than now.")
                }
            }
            return edited
        }
        try context.store.update(edited)
        context.tellOfBroadcasts()
        return Reply(broadcast: try context.broadcast(broadcast))
    }
}

extension Mail.EndBroadcast: Handled {
    static let right = Right.announce
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        guard let found = try context.store.broadcast(ID(broadcast), for: nil) else {
            throw Practice.NotFound(kind: "broadcast", id: broadcast)
        }
        context.what = found.id.description
        try context.store.end(found.id, at: context.now)
        context.tellOfBroadcasts()
        return Reply()
    }
}

private enum BroadcastForm {
    static func text(_ text: String) throws(FieldError) -> String { try Field.someText(text) }

    static func audience(_ text: String) throws(FieldError) -> Audience { try oneOf(text) }

    static func level(_ text: String) throws(FieldError) -> BroadcastLevel { try oneOf(text) }

    private static func oneOf<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String
    ) throws(FieldError) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            throw FieldError("must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return choice
    }
}

extension CallContext {
    /// An instant that a call names, or the beginning of a day of the practice's; at an end, that of the day after it.
    fileprivate func instant(_ field: String, _ text: String, isEnd: Bool, _ faults: inout Faults) -> Instant? {
        if let day = CalendarDay(text) {
            return settings.zone.start(of: isEnd ? day + 1 : day)
        }
        if let instant = DateTime(text)?.instant { return instant }
        faults.add(field, "must be a day such as 2027-03-05, or an instant such as 2027-03-05T18:00:00+01:00.")
        return nil
    }

    /// A broadcast as it is now, which the audit names.
    fileprivate func broadcast(_ id: String) throws -> Mail.Broadcast {
        guard let found = try store.broadcast(ID(id), for: caller?.id) else {
            throw Practice.NotFound(kind: "broadcast", id: id)
        }
        what = found.id.description
        return Mail.Broadcast(found, in: self)
    }
}

extension Mail.Broadcast {
    init(_ broadcast: Broadcast, in context: CallContext) {
        self.init(
            id: broadcast.id.description, text: broadcast.text, from: context.spelled(broadcast.starts),
            until: broadcast.ends.map { context.spelled($0) }, dismissable: broadcast.isDismissable,
            level: broadcast.level == .notice ? .notice : .important, to: broadcast.audience.rawValue,
            revision: broadcast.revision, dismissed: broadcast.isDismissed)
    }
}
