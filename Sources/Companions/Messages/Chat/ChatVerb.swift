public import ArgumentParser
import Companion
import PracticeInterfaces
import Varlink

/// Rooms to talk in: `chat` and its verbs, the same in both companions.
public struct ChatVerb<Options: PracticeOptions>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "chat", abstract: "Talk to each other at once, one to one or in rooms.",
            subcommands: [
                ChatOpen<Options>.self, ChatList<Options>.self, ChatSend<Options>.self, ChatHistory<Options>.self,
                ChatListen<Options>.self,
                ChatMembers<Options>.self, ChatUnsend<Options>.self, ChatMute<Options>.self, ChatUnmute<Options>.self,
                ChatJoin<Options>.self, ChatLeave<Options>.self, ChatCreate<Options>.self, ChatAdd<Options>.self,
                ChatRemove<Options>.self, ChatRename<Options>.self, ChatDelete<Options>.self,
            ], defaultSubcommand: ChatOpen<Options>.self)
    }

    public init() {}
}

/// `chat` with no more words, or with a name: the screen to talk on. Without a terminal, the list or the history.
struct ChatOpen<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "open", abstract: "Talk on a screen; Ctrl-G shows its keys.",
            discussion: "With --plain, in lines: what you type is sent, and what others write is printed as it comes.")
    }

    @Argument(help: ArgumentHelp(RoomName.help + " Your rooms unless given.", valueName: "name")) var room: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let caller = try connection.call(Practice.WhoAmI())
        let room = try room.map { text throws(Failure) in try RoomName.one(text, over: connection) }
        let isPlain = output.plain || ChatReader.isDumb
        guard !daemon.json, ChatReader.hasTerminal, room != nil || !isPlain else {
            guard let room else {
                return try RoomLister(output: output).run(over: connection, daemon, today: caller.today)
            }
            return try HistoryPrinter(room: room, output: output).run(over: connection, daemon, today: caller.today)
        }
        try ChatReader(
            screen: ChatScreen(today: caller.today, me: caller.person?.id, room: room), isPlain: isPlain,
            writer: LongText.Writer(caller, over: connection), connect: { try daemon.practice() }
        ).run()
    }
}

struct ChatList<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("list", abstract: "List your rooms, the one with the newest message first.")
    }

    @Flag(help: "Those that you could join.") var joinable = false
    @Option(help: ArgumentHelp("Only those with this in their name.", valueName: "text")) var query: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let today = try connection.call(Practice.WhoAmI()).today
        try RoomLister(isJoinable: joinable, query: query, output: output).run(over: connection, daemon, today: today)
    }
}

/// Fetches and prints a list of rooms.
private struct RoomLister {
    var isJoinable = false
    var query: String?
    let output: OutputOptions

    func run<Options: PracticeOptions>(over connection: DaemonConnection, _ daemon: Options, today: String) throws {
        let reply = try connection.call(Chat.ListRooms(joinable: isJoinable ? true : nil, query: query))
        guard !daemon.json else { return Streams.output(object: reply) }
        guard !reply.rooms.isEmpty else {
            return output.print(
                isJoinable
                    ? "  There is no room that you could join.\n"
                    : "  You are in no room yet. `\(Options.companion) chat send NAME TEXT` begins one.\n")
        }
        let list = RoomList(
            rooms: reply.rooms, today: today, columns: output.columns, ink: output.ink, isPlain: output.plain)
        let more = reply.more == true ? "  " + output.ink.faint("There are more; --query finds them.") + "\n" : ""
        let advice = isJoinable ? "chat join NAME` takes you in." : "chat history NAME` shows what was said."
        output.print(list.text + "\n" + more + "  " + output.ink.faint("`\(Options.companion) \(advice)") + "\n")
    }
}

struct ChatSend<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "send", abstract: "Send a message to somebody, or to a room.",
            discussion: """
                \(Options.companion) chat send Ana At ten?
                echo "At ten?" | \(Options.companion) chat send "Ana Ruiz" -
                """)
    }

    @Argument(help: ArgumentHelp(RoomName.wholeHelp, valueName: "name")) var room: String
    @Argument(help: "What you say; - reads it from standard input.") var text: [String]
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let named = self.room
        let reader = daemon.json ? nil : LineReader(isPlain: false)
        let room = try RoomName.one(named, over: connection) { name, mark throws(Failure) in
            try NameMatch.settle(
                named, means: name, mark, question: "Send to \(name.shown.singleLine)?", asking: reader)
        }
        let unsent = LongText.chat(in: room.id, by: try LongText.Writer(over: connection))
        // Last, so that only the sending can fail once it is typed.
        let text =
            try text == ["-"]
            ? TextInput.text(of: "-", limit: LongText.limit).withoutEnd : self.text.joined(separator: " ")
        let call = Chat.Send(room: room.id, text: text, key: CallKey.new())
        do {
            let reply = try reply(to: call, over: connection)
            if let refusal = MessageRefusal.refusal(reply, names: room.names, companion: Options.companion) {
                throw refusal
            }
            try daemon.answer(reply, of: Chat.Send.self, over: connection) { _ in
                "Sent to \(room.name.shown.singleLine).\n"
            }
        } catch let failure as Failure {
            guard !text.allSatisfy(\.isWhitespace) else { throw failure }
            let path: String
            do { path = try unsent.keep(adding: text) } catch { throw failure.adding(error.sentence) }
            // A room that is gone has no line.
            let line =
                failure.name == Practice.NotFound.name
                ? "" : ", and stands in the line of `\(Options.companion) chat \(room.id.shown)`"
            throw failure.adding("What was written is kept in \(path)\(line).")
        }
        try unsent.forget(sent: text)
    }

    private func reply(to call: Chat.Send, over connection: DaemonConnection) throws -> Reply {
        try daemon.reply(
            to: call, over: connection, doubt: "It is not known whether the message was sent: `chat history` shows it.")
    }
}

struct ChatHistory<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "history", abstract: "Show what was said in a room, the newest last.",
            discussion: "The newest messages are read with it. --before goes further back.")
    }

    @Argument(help: ArgumentHelp(RoomName.help, valueName: "name")) var room: String
    @Option(help: "At most so many.") var limit = 20
    @Option(help: ArgumentHelp("Those before that message.", valueName: "message")) var before: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit takes a number from 1 to 10000.") }
    }

    func run() throws {
        let connection = try daemon.practice()
        let today = try connection.call(Practice.WhoAmI()).today
        try HistoryPrinter(
            room: RoomName.one(room, over: connection), limit: limit, before: before.map(MessageName.identifier),
            output: output
        ).run(over: connection, daemon, today: today)
    }
}

/// Fetches and prints what was said in a room.
private struct HistoryPrinter {
    let room: Chat.Room
    var limit = 20
    /// A message's identifier.
    var before: String?
    let output: OutputOptions

    func run<Options: PracticeOptions>(over connection: DaemonConnection, _ daemon: Options, today: String) throws {
        var messages: [Chat.Message] = []
        var (first, earlier) = (before, true)
        while earlier, messages.count < limit {
            let page = try connection.call(
                Chat.Messages(room: room.id, before: first, limit: min(200, limit - messages.count)))
            messages = page.messages + messages
            (first, earlier) = (page.messages.first?.id ?? first, page.earlier && !page.messages.isEmpty)
        }
        if before == nil, room.unread > 0, let newest = messages.last {
            _ = try connection.call(Chat.MarkRead(room: room.id, message: newest.id))
        }
        guard !daemon.json else {
            return Streams.output(object: Chat.Messages.Reply(messages: messages, earlier: earlier))
        }
        let page = Conversation(messages: messages, today: today, columns: output.columns, ink: output.ink)
        let more =
            earlier
            ? messages.first.map { "`--before \(MessageName.shown($0.id))` shows what was said before." } : nil
        let head = "  " + output.ink.strong(room.name.shown.singleLine) + "\n"
        let nothing = "\n  " + output.ink.faint("Nothing was said here yet.") + "\n"
        output.print(
            head + (messages.isEmpty ? nothing : page.text)
                + (more.map { "\n  " + output.ink.faint($0) + "\n" } ?? ""))
    }
}

struct ChatListen<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "listen", abstract: "Show what comes about in your rooms, as it does, until Ctrl-C.",
            discussion: """
                With --json each happening is a line, with its cursor: --since goes on after it, so that nothing is \
                missed and nothing comes twice.
                """)
    }

    @Argument(help: ArgumentHelp(RoomName.help + " All rooms unless given.", valueName: "name")) var room: String?
    @Option(help: ArgumentHelp("Go on after that cursor.", valueName: "cursor")) var since: String?
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let today = try connection.call(Practice.WhoAmI()).today
        let only = try room.map { text throws(Failure) in try RoomName.one(text, over: connection) }
        var names = try connection.call(Chat.ListRooms()).rooms.reduce(into: [:]) { $0[$1.id] = $1.name }
        var (cursor, isListening) = (since, true)
        while isListening {
            try connection.send(Chat.Listen(room: only?.id, since: cursor), more: true)
            var continues = true
            while continues {
                let reply = try connection.nextReply()
                let happening = try connection.decode(Chat.Listen.self, from: reply).happening
                (cursor, continues) = (happening.cursor, reply.continues)
                if let room = happening.room, names[room] == nil || happening.what == .renamed {
                    // A room that is gone has the name that it had.
                    if let found = try? name(of: room) { names[room] = found }
                }
                if daemon.json {
                    Streams.output(object: happening)
                } else {
                    Streams.output(
                        HappeningLine(happening, room: happening.room.flatMap { names[$0] }, today: today).text)
                }
                // The one room was left.
                if !continues, only != nil, [.left, .gone].contains(happening.what) { isListening = false }
            }
        }
    }

    /// Over a connection of its own, because the other one listens.
    private func name(of room: String) throws -> String {
        try daemon.practice().call(Chat.GetRoom(room: room)).room.name
    }
}
