import PracticeInterfaces
import PracticeRules
import PracticeStore
import Varlink

extension Chat.ListRooms: Handled {
    static let right = Right.chat
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let name = try context.form { faults in faults.check("query", query ?? "", Field.query) }
        guard let caller = context.caller?.id else { return Reply(rooms: []) }
        let found = try context.store.rooms(
            for: caller, joinable: joinable ?? false, named: name, limit: ChatRules.listed + 1)
        return Reply(
            rooms: try found.prefix(ChatRules.listed).map { try context.view(of: $0.room, $0.membership) },
            more: found.count > ChatRules.listed ? true : nil)
    }
}

extension Chat.GetRoom: Handled {
    static let right = Right.chat
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let (room, membership) = try context.room(room)
        let typing = context.state.typing[room.id] ?? []
        let members = try context.store.members(of: room.id).map { person, seen in
            let isOnline = context.state.listening.contains(person.id)
            return Chat.Member(
                person: person.id.description, name: person.name, online: isOnline,
                lastSeen: isOnline ? nil : seen.map(context.spelled), typing: typing.contains(person.id))
        }
        return Reply(room: try context.view(of: room, membership), members: members)
    }
}

extension Chat.OpenDirect: Handled {
    static let right = Right.chat

    func answer(in context: CallContext) throws -> Reply {
        let (caller, other) = (try context.talker(), ID<Person>(person))
        let known = try context.store.directRoom(of: caller.id, with: other)
        func isIn(_ person: ID<Person>) throws -> Bool {
            try known.flatMap { try context.store.room($0, for: person) }?.membership != nil
        }
        if let known, try isIn(caller.id), try isIn(other) || !context.mayWrite(to: other) {
            return Reply(room: try context.view(of: known))
        }
        guard try context.mayWrite(to: other), let person = try context.store.person(other) else {
            throw Chat.MayNotWrite(person: person)
        }
        let room = try known ?? context.store.makeDirectRoom(of: caller.id, with: other, at: context.now)
        for member in [caller, Correspondent(id: other, name: person.name)] where try !isIn(member.id) {
            try context.join(room, member)
        }
        return Reply(room: try context.view(of: room))
    }
}

extension Chat.CreateRoom: Handled {
    static let right = Right.keepRooms

    func answer(in context: CallContext) throws -> Reply {
        let caller = try context.talker()
        let made: ID<Room> = try context.once(key) {
            let checked = try context.form { faults in faults.check("name", name, ChatRules.roomName) }
            guard try context.store.roomCount(madeBy: caller.id) < ChatRules.rooms else {
                throw Chat.TooMany(what: "rooms", limit: ChatRules.rooms)
            }
            guard members?.count ?? 0 < ChatRules.members else {
                throw Chat.TooMany(what: "members", limit: ChatRules.members)
            }
            let room = try context.store.makeRoom(
                open == true ? .open : .closed, checked, by: caller.id, at: context.now)
            try context.join(room, caller)
            var seen = [caller.id]
            for id in members ?? [] where !seen.contains(ID(id)) {
                seen.append(ID(id))
                try context.join(room, try context.correspondent(id))
            }
            return room
        }
        // An earlier call may have made it: since then the caller may have left, or lost, the room.
        let (room, membership) = try context.room(made.description)
        return Reply(room: try context.view(of: room, membership))
    }
}

extension Chat.RenameRoom: Handled {
    static let right = Right.keepRooms

    func answer(in context: CallContext) throws -> Reply {
        let room = try context.keptRoom(room)
        let checked = try context.form { faults in faults.check("name", name, ChatRules.roomName) }
        if checked != room.name {
            context.tell(try context.store.rename(room.id, to: checked, by: context.keeper, at: context.now))
        }
        return Reply(room: try context.view(of: room.id))
    }
}

extension Chat.DeleteRoom: Handled {
    static let right = Right.keepRooms

    func answer(in context: CallContext) throws -> Reply {
        let (room, _) = try context.room(room)
        guard room.kind != .direct else { throw Chat.DirectRoom(room: room.id.description) }
        if room.maker != context.caller?.id { try context.demand(.moderateChat) }
        for (member, _) in try context.store.members(of: room.id) { try context.tell(member.id, .chat, nil) }
        context.tell(try context.store.delete(room.id, by: context.keeper, at: context.now))
        return Reply()
    }
}

// MARK: Members

extension Chat.JoinRoom: Handled {
    static let right = Right.chat

    func answer(in context: CallContext) throws -> Reply {
        let caller = try context.talker()
        let (room, membership) = try context.room(room)
        if membership == nil {
            // An administrator sees closed rooms, too, and adds themselves to one: its members see by whom.
            guard room.kind == .open else { throw Chat.NotAMember(room: room.id.description) }
            try context.join(room.id, caller)
        }
        return Reply(room: try context.view(of: room.id))
    }
}

extension Chat.LeaveRoom: Handled {
    static let right = Right.chat

    func answer(in context: CallContext) throws -> Reply {
        let caller = try context.talker()
        let (room, _) = try context.ownRoom(room)
        guard room.kind != .direct else { throw Chat.DirectRoom(room: room.id.description) }
        try context.leave(room.id, caller)
        return Reply()
    }
}

extension Chat.AddMember: Handled {
    static let right = Right.keepRooms

    func answer(in context: CallContext) throws -> Reply {
        let room = try context.keptRoom(room)
        let added = ID(person) == context.caller?.id ? try context.talker() : try context.correspondent(person)
        if try context.store.room(room.id, for: added.id)?.membership == nil { try context.join(room.id, added) }
        return Reply(room: try context.view(of: room.id))
    }
}

extension Chat.RemoveMember: Handled {
    static let right = Right.keepRooms

    func answer(in context: CallContext) throws -> Reply {
        let room = try context.keptRoom(room)
        if try context.store.room(room.id, for: ID(person))?.membership != nil,
            let member = try context.store.person(ID(person))
        {
            try context.leave(room.id, Correspondent(id: member.id, name: member.name))
        }
        return Reply(room: try context.view(of: room.id))
    }
}

extension Chat.Mute: Handled {
    static let right = Right.chat

    func answer(in context: CallContext) throws -> Reply {
        let caller = try context.talker()
        let (room, membership) = try context.ownRoom(room)
        if membership.isMuted != muted {
            try context.store.mute(muted, room.id, for: caller.id)
            context.answersAnew(caller.id)
        }
        return Reply(room: try context.view(of: room.id))
    }
}

// MARK: Rooms in a call

extension CallContext {
    /// The caller, as others see them. Root is nobody whom others could see.
    func talker() throws -> Correspondent {
        guard let caller else { throw Practice.NotFound(kind: "person", id: "root") }
        return Correspondent(id: caller.id, name: caller.name)
    }

    /// The caller, or the practice itself for root.
    var keeper: Correspondent {
        caller.map { Correspondent(id: $0.id, name: $0.name) } ?? Correspondent(id: ID(0), name: settings.name)
    }

    /// A room of which the caller may know: one that they are in, an open one, or, for an administrator, any that is not
    /// direct.
    func room(_ id: String) throws -> (room: Room, membership: Membership?) {
        guard let found = try store.room(ID(id), for: caller?.id ?? ID(0)), !found.room.isGone else {
            throw Practice.NotFound(kind: "room", id: id)
        }
        let isSeen =
            switch found.room.kind {
            case .direct: found.membership != nil
            case .closed: found.membership != nil || has(.moderateChat)
            case .open: true
            }
        guard isSeen else { throw Practice.NotFound(kind: "room", id: id) }
        return found
    }

    /// A room that the caller is in.
    func ownRoom(_ id: String) throws -> (room: Room, membership: Membership) {
        let found = try room(id)
        guard let membership = found.membership else { throw Chat.NotAMember(room: id) }
        return (found.room, membership)
    }

    /// A room that the caller may change: staff who are in it, and administrators.
    fileprivate func keptRoom(_ id: String) throws -> Room {
        let (room, membership) = try room(id)
        guard room.kind != .direct else { throw Chat.DirectRoom(room: id) }
        guard membership != nil || has(.moderateChat) else { throw Chat.NotAMember(room: id) }
        return room
    }

    /// Somebody to whom the caller may write.
    fileprivate func correspondent(_ id: String) throws -> Correspondent {
        guard try mayWrite(to: ID(id)) || caller == nil, let person = try store.person(ID(id)), person.isActive else {
            throw Chat.MayNotWrite(person: id)
        }
        return Correspondent(id: person.id, name: person.name)
    }

    /// Lets somebody into a room, and tells them and its members.
    fileprivate func join(_ room: ID<Room>, _ person: Correspondent) throws {
        guard try store.memberCount(of: room) < ChatRules.members else {
            throw Chat.TooMany(what: "members", limit: ChatRules.members)
        }
        tell(try store.join(room, person, at: now))
        try tell(person.id, .chat, room.description)
    }

    fileprivate func leave(_ room: ID<Room>, _ person: Correspondent, isErased: Bool = false) throws {
        var left = try store.leave(room, person, at: now)
        left.isErased = isErased
        tell(left)
        try tell(person.id, .chat, nil)
    }

    /// Takes a thanatologist out of the rooms with a client who is theirs no more, the direct one and those without another
    /// client: they would go on seeing the client's name, and when the client is there. The client keeps what was said.
    func leaveRooms(_ thanatologist: ID<Person>, with client: ID<Person>) throws {
        guard let person = try store.person(thanatologist) else { return }
        var rooms = try store.closedRooms(of: thanatologist, withoutOtherClientsThan: client)
        if let direct = try store.directRoom(of: thanatologist, with: client),
            try store.room(direct, for: thanatologist)?.membership != nil
        {
            rooms.append(direct)
        }
        for room in rooms { try leave(room, Correspondent(id: person.id, name: person.name)) }
    }

    /// Takes somebody whose role changed out of the rooms with clients, but for the open ones, which everybody sees.
    func leaveRoomsWithClients(_ person: Person) throws {
        for room in try store.roomsWithClients(of: person.id) {
            try leave(room, Correspondent(id: person.id, name: person.name))
        }
    }

    /// Takes somebody who leaves the practice out of their rooms. Direct rooms stay for the other person, unless the client
    /// is erased.
    func leaveRooms(_ person: Person, isErased: Bool = false) throws {
        for id in try store.roomSizes(of: person.id).keys.sorted(by: { $0.number < $1.number }) {
            guard let (room, _) = try store.room(id, for: person.id) else { continue }
            if room.kind != .direct {
                try leave(id, Correspondent(id: person.id, name: person.name), isErased: isErased)
            } else if isErased {
                var gone = try store.delete(id, by: keeper, at: now)
                gone.isErased = true
                tell(gone)
            }
        }
    }

    fileprivate func view(of id: ID<Room>) throws -> Chat.Room {
        guard let found = try store.room(id, for: caller?.id ?? ID(0)), !found.room.isGone else {
            throw Practice.NotFound(kind: "room", id: id.description)
        }
        return try view(of: found.room, found.membership)
    }

    fileprivate func view(of room: Room, _ membership: Membership?) throws -> Chat.Room {
        let view = try store.view(of: room, membership, for: caller?.id ?? ID(0))
        let kind: Chat.Room.Kind =
            switch room.kind {
            case .direct: .direct
            case .open: .open
            case .closed: .closed
            }
        let others = caller.map { state.listening.subtracting([$0.id]) } ?? state.listening
        let online = try store.count(of: others, in: room.id)
        return Chat.Room(
            id: room.id.description, name: view.other?.name ?? room.name, kind: kind,
            createdBy: room.maker.description, members: view.members, joined: membership != nil,
            muted: membership?.isMuted ?? false, unread: view.unread,
            last: view.last.map { Chat.Message($0, spelled) }, person: view.other?.id.description,
            online: online > 0 ? online : nil, number: view.other?.number)
    }
}
