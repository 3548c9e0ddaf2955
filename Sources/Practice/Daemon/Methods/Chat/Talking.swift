import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink

extension Chat.Messages: Handled {
    static let right = Right.chat
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let (_, membership) = try context.ownRoom(room)
        let page: (before: Int, limit: Int) = try context.form { faults in
            let limit = faults.check("limit", limit ?? ChatRules.page) { rows throws(FieldError) in
                try Field.number(rows, in: 1...ChatRules.longestPage)
            }
            let number = before.map { Int(ID<Message>($0).number) } ?? .max
            if number == 0 { faults.add("before", "must be the identifier of a message.") }
            return limit.map { (number, $0) }
        }
        let found = try context.store.messages(in: membership, before: page.before, limit: page.limit + 1)
        return Reply(
            messages: found.prefix(page.limit).reversed().map { Chat.Message($0, context.spelled) },
            earlier: found.count > page.limit)
    }
}

extension Chat.Send: Handled {
    static let right = Right.chat

    func answer(in context: CallContext) throws -> Reply {
        let caller = try context.talker()
        var message: Message?
        let sent: ID<Message> = try context.once(key) {
            let (room, _) = try context.ownRoom(room)
            if room.kind == .direct { try context.demandTalk(in: room.id) }
            let checked = try context.form { faults in faults.check("text", text, ChatRules.text) }
            let happening = try context.store.addMessage(checked, to: room.id, from: caller, at: context.now)
            context.tell(happening)
            message = happening.message
            return ID(Int64(happening.number))
        }
        // A call that is repeated with its key gets the message of the first.
        guard let message = try message ?? context.store.message(sent) else {
            throw Practice.NotFound(kind: "message", id: sent.description)
        }
        return Reply(message: Chat.Message(message, context.spelled))
    }
}

extension Chat.DeleteMessage: Handled {
    static let right = Right.chat

    func answer(in context: CallContext) throws -> Reply {
        let found = try context.message(message)
        if found.from.id != context.caller?.id {
            try context.demand(.moderateChat)
            // Administrators are in rooms of two as anybody is.
            guard try context.room(found.room.description).room.kind != .direct else {
                throw Practice.NotAllowed(right: Right.moderateChat.rawValue)
            }
        }
        guard !found.isDeleted else { return Reply(message: Chat.Message(found, context.spelled)) }
        let deletion = try context.store.delete(found, by: context.keeper, at: context.now)
        context.tell(deletion)
        return Reply(message: Chat.Message(deletion.message ?? found, context.spelled))
    }
}

extension Chat.MarkRead: Handled {
    static let right = Right.chat

    func answer(in context: CallContext) throws -> Reply {
        let caller = try context.talker()
        let (room, membership) = try context.ownRoom(room)
        let found = try context.message(message)
        guard found.room == room.id, found.id.number > membership.since else {
            throw Practice.NotFound(kind: "message", id: message)
        }
        try context.store.markRead(upTo: found.id, in: room.id, for: caller.id)
        context.answersAnew(caller.id)
        let (_, after) = try context.ownRoom(self.room)
        return Reply(unread: try context.store.unread(in: after, of: caller.id))
    }
}

extension Chat.Typing: Handled {
    static let right = Right.chat
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let caller = try context.talker()
        let (room, _) = try context.ownRoom(room)
        if room.kind == .direct { try context.demandTalk(in: room.id) }
        context.typing = PracticeDaemon.Typing(room: room.id, person: caller)
        return Reply()
    }
}

// MARK: Listening

extension Chat.Listen: Handled {
    static let right = Right.chat
    // Carried out by the writing thread, which knows the last happening before the first reply.
    static let onlyReads = false

    /// The most missed happenings in one call, and the most bytes of their frames: a listener that leaves twice as much
    /// unread is disconnected.
    static let missedLimit = 500
    static let missedBytes = 128 * 1_024

    func answer(in context: CallContext) throws -> Reply {
        guard context.wantsMore else { throw ExpectedMore() }
        let caller = try context.talker()
        let only = try room.map { try context.ownRoom($0).room.id }
        let newest = try context.store.newestHappening()
        let start = min(max(since.map { Int($0) ?? 0 } ?? newest, 0), newest)
        let missed = try context.missed(since: start, in: only, by: caller.id)
        try context.store.noteSeen([caller.id], at: context.now)
        context.listening = Listening(
            person: caller, room: only, rooms: try context.store.roomSizes(of: caller.id), newest: newest,
            missed: missed.frames, isWhole: missed.isWhole)
        return Reply(
            happening: .init(
                cursor: "\(start)", at: context.spelled(context.now), what: .online, person: caller.id.description,
                name: caller.name))
    }
}

extension CallContext {
    /// The frames of the happenings in a person's rooms since a cursor. If they are not all, the last one ends the call.
    fileprivate func missed(
        since: Int, in room: ID<Room>?, by person: ID<Person>
    ) throws -> (frames: [[UInt8]], isWhole: Bool) {
        let found = try store.happenings(for: person, in: room, after: since, limit: Chat.Listen.missedLimit + 1)
        var (frames, bytes): ([[UInt8]], Int) = ([], 0)
        for (place, happening) in found.enumerated() {
            let reply = Chat.Listen.Reply(happening: Chat.Happening(happening, spelled))
            let frame = Varlink.Reply.frame(reply, continues: true)
            bytes += frame.count
            let isLast =
                place + 1 < found.count
                && (frames.count + 1 == Chat.Listen.missedLimit || bytes > Chat.Listen.missedBytes)
            frames.append(isLast ? Varlink.Reply.frame(reply) : frame)
            if isLast { return (frames, false) }
        }
        return (frames, true)
    }

    /// A message of which the caller may know: their own, one that was sent while they were in its room, or, for an
    /// administrator, any of a room that is not direct.
    fileprivate func message(_ id: String) throws -> Message {
        let message = try store.message(ID(id))
        // Asked for in any case, so that the time of the answer does not tell whether the message exists.
        let place = try room(of: message)
        guard let found = message, let place else { throw Practice.NotFound(kind: "message", id: id) }
        let isSeen =
            found.from.id == caller?.id || place.membership.map { $0.since < found.id.number } ?? false
            || place.room.kind != .direct && has(.moderateChat)
        guard isSeen else { throw Practice.NotFound(kind: "message", id: id) }
        return found
    }

    /// The room of a message; nil if the caller may not know of it, or there is no message.
    private func room(of message: Message?) throws -> (room: Room, membership: Membership?)? {
        do { return try room((message?.room ?? ID(0)).description) } catch is Practice.NotFound { return nil }
    }

    /// Throws unless the two of a direct room may still write to each other.
    fileprivate func demandTalk(in room: ID<Room>) throws {
        guard let caller, let other = try store.other(than: caller.id, in: room) else { return }
        let person = try store.person(other)
        let record = try store.record(caller.role == .client ? caller.id : other, of: nil)
        let isTheirs = record.map { [caller.id, other].contains($0.thanatologist) } ?? false
        guard let person, person.isActive,
            ChatRules.mayTalk(caller.role, with: person.role, isTheirs: isTheirs, isOpen: record?.isOpen ?? true)
        else { throw Chat.MayNotWrite(person: other.description) }
    }
}

extension Chat.Message {
    /// - Parameter spelled: an instant, in the practice's zone.
    init(_ message: Message, _ spelled: (Instant) -> String) {
        self.init(
            id: message.id.description, room: message.room.description, from: message.from.id.description,
            name: message.from.name, at: spelled(message.at), text: message.text, deleted: message.isDeleted)
    }
}

extension Chat.Happening {
    init(_ happening: RoomHappening, _ spelled: (Instant) -> String) {
        let what: What =
            switch happening.kind {
            case .message: .message
            case .deleted: .deleted
            case .joined: .joined
            case .left: .left
            case .renamed: .renamed
            case .gone: .gone
            }
        let person = happening.person
        self.init(
            cursor: "\(happening.number)", at: spelled(happening.at), what: what, room: happening.room.description,
            person: person.id.number == 0 ? nil : person.id.description, name: happening.roomName ?? person.name,
            message: happening.message.map { Chat.Message($0, spelled) })
    }
}
