internal import ArgumentParser
import Companion
import PracticeInterfaces

// The verbs that change a room, or one's own place in it.

struct ChatMembers<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("members", abstract: "List who is in a room, and who is there now.")
    }

    @Argument(help: ArgumentHelp(RoomName.help, valueName: "name")) var room: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let today = try connection.call(Practice.WhoAmI()).today
        let room = try RoomName.one(room, over: connection, joinable: true)
        let reply = try connection.call(Chat.GetRoom(room: room.id))
        guard !daemon.json else { return Streams.output(object: reply) }
        var table = Table([.init("", leads: true), .init("Name", leads: true), .init("")])
        table.rows = reply.members.map { member in
            let there =
                member.typing
                ? "types" : member.online ? "online" : member.lastSeen.map { "seen \(Wording.time($0, today: today))" }
            return [
                .init(member.person, .faint), .init(member.name, .strong),
                .init(there ?? "", member.online ? .good : .faint),
            ]
        }
        let name = "  " + output.ink.strong(reply.room.name.shown.singleLine)
        let count = output.ink.faint(" · " + Wording.counted(reply.room.members, "member"))
        output.print(name + count + "\n\n" + table.text(columns: output.columns, ink: output.ink))
    }
}

struct ChatUnsend<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "unsend", abstract: "Delete a message of yours.",
            discussion: "Its text is gone for everybody; that something was said stays.")
    }

    @Argument(help: ArgumentHelp(MessageName.help)) var message: String
    @OptionGroup var daemon: Options

    func run() throws {
        try daemon.ask(Chat.DeleteMessage(message: MessageName.identifier(message)), over: daemon.practice()) { _ in
            "The message is deleted.\n"
        }
    }
}

struct ChatMute<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "mute", abstract: "Be told of a room's messages no more.",
            discussion: "They stay unread. `\(Options.companion) chat unmute NAME` ends it.")
    }

    @Argument(help: ArgumentHelp(RoomName.help, valueName: "name")) var room: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let room = try RoomName.one(room, over: connection)
        try daemon.ask(Chat.Mute(room: room.id, muted: true), over: connection) {
            "You are not told of \($0.room.name.shown.singleLine) any more.\n"
        }
    }
}

struct ChatUnmute<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("unmute", abstract: "Be told of a room's messages again.")
    }

    @Argument(help: ArgumentHelp(RoomName.help, valueName: "name")) var room: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let room = try RoomName.one(room, over: connection)
        try daemon.ask(Chat.Mute(room: room.id, muted: false), over: connection) {
            "You are told of \($0.room.name.shown.singleLine) again.\n"
        }
    }
}

struct ChatJoin<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "join", abstract: "Join an open room.",
            discussion:
                "`\(Options.companion) chat list --joinable` lists them. You see what is said from then on, and those who are in it see you."
        )
    }

    @Argument(help: ArgumentHelp(RoomName.help, valueName: "name")) var room: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let room = try RoomName.one(room, over: connection, joinable: true)
        try daemon.ask(Chat.JoinRoom(room: room.id), over: connection) {
            let others = $0.room.members &- 1
            return "You are in \($0.room.name.shown.singleLine), "
                + (others > 0 ? "with \(Wording.counted(others, "other")).\n" : "alone so far.\n")
        }
    }
}

struct ChatLeave<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("leave", abstract: "Leave a room, and what was said in it.")
    }

    @Argument(help: ArgumentHelp(RoomName.help, valueName: "name")) var room: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let room = try RoomName.one(room, over: connection)
        try daemon.ask(Chat.LeaveRoom(room: room.id), over: connection) { _ in
            "You are in \(room.name.shown.singleLine) no longer.\n"
        }
    }
}

// MARK: For those who work here

struct ChatCreate<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "create", abstract: "Make a room, if you work here.",
            discussion: "People are added to a closed room. Anybody of the practice may join an open one, clients too, "
                + "who then see each other's names and words.")
    }

    @Argument(help: "Its name; - reads it from standard input.") var name: String
    @Argument(help: ArgumentHelp("Its first members.", valueName: "person")) var people: [String] = []
    @Flag(help: "Anybody may join, clients too.") var open = false
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let name = try TextInput.word(name)
        let members = try people.map { text throws(Failure) in try Recipients.one(text, over: connection).person }
        try daemon.ask(
            Chat.CreateRoom(name: name, open: open ? true : nil, members: members, key: CallKey.new()), over: connection
        ) {
            "The room \($0.room.name.shown.singleLine) is there, with \(Wording.counted($0.room.members, "member")).\n"
        }
    }
}

struct ChatAdd<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("add", abstract: "Add somebody to a room that you are in.")
    }

    @Argument(help: ArgumentHelp(RoomName.help, valueName: "name")) var room: String
    @Argument(help: ArgumentHelp("Whom.", valueName: "person")) var person: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let room = try RoomName.one(room, over: connection)
        let person = try Recipients.one(person, over: connection)
        try daemon.ask(Chat.AddMember(room: room.id, person: person.person), over: connection) {
            "\(person.name.shown.singleLine) is in \($0.room.name.shown.singleLine).\n"
        }
    }
}

struct ChatRemove<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("remove", abstract: "Take somebody out of a room that you are in.")
    }

    @Argument(help: ArgumentHelp(RoomName.help, valueName: "name")) var room: String
    @Argument(help: ArgumentHelp("Whom.", valueName: "person")) var person: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let room = try RoomName.one(room, over: connection)
        let members = try connection.call(Chat.GetRoom(room: room.id)).members
        let known = members.filter { $0.person == person }
        let member = try NameMatch.one(
            person, among: known.isEmpty ? members.filter { $0.name.holds(person) } : known, kind: "member",
            plural: "members", name: \.name, mark: \.person,
            advice: "`\(connection.daemon.companion) chat members` lists them.")
        try daemon.ask(Chat.RemoveMember(room: room.id, person: member.person), over: connection) {
            "\(member.name.shown.singleLine) is in \($0.room.name.shown.singleLine) no longer.\n"
        }
    }
}

struct ChatRename<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("rename", abstract: "Give a room another name.")
    }

    @Argument(help: ArgumentHelp(RoomName.help, valueName: "name")) var room: String
    @Argument(help: "Its new name; - reads it from standard input.") var new: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let name = try TextInput.word(new)
        let room = try RoomName.one(room, over: connection)
        try daemon.ask(Chat.RenameRoom(room: room.id, name: name), over: connection) {
            "The room is called \($0.room.name.shown.singleLine) now.\n"
        }
    }
}

struct ChatDelete<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "delete", abstract: "Delete a room that you made, with all that was said in it.",
            discussion: "It is gone for everybody who is in it.")
    }

    @Argument(help: ArgumentHelp(RoomName.wholeHelp, valueName: "name")) var room: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let named = self.room
        let reader = daemon.json ? nil : LineReader(isPlain: false)
        let room = try RoomName.one(named, over: connection) { name, mark throws(Failure) in
            try NameMatch.settle(named, means: name, mark, question: "Delete \(name.shown.singleLine)?", asking: reader)
        }
        try daemon.ask(Chat.DeleteRoom(room: room.id), over: connection) { _ in
            "The room \(room.name.shown.singleLine) is gone.\n"
        }
    }
}
