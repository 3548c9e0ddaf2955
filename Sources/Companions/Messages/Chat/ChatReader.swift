import Companion
import Glibc
import PracticeInterfaces
import Varlink

/// Runs the screen to talk on, or, in plain lines, a conversation in one room.
///
/// Two connections: one listens, one carries the calls. No call waits for its answer, so the screen goes on while a line is slow.
/// When the practice is out of reach, both are made again, and what was not acknowledged is sent again with its key.
final class ChatReader {
    /// A call that was made and is not answered.
    private enum Asked {
        case rooms, room, mute, delete
        case history(room: String, isOlder: Bool)
        case send(ChatScreen.Outgoing)
        /// The answer changes nothing.
        case other

        var isSend: Bool { if case .send = self { true } else { false } }

        /// The answer tells who is there, and what is unread.
        var isState: Bool {
            switch self {
            case .rooms, .room: true
            case .history, .send, .mute, .delete, .other: false
            }
        }
    }

    private var screen: ChatScreen
    private let writer: LongText.Writer
    private let connect: () throws -> DaemonConnection
    /// Nil in plain lines.
    private let terminal: FullScreen?
    private var calls: DaemonConnection?
    private var listening: DaemonConnection?
    /// In the order of the calls.
    private var asked: [Asked] = []
    /// The practice has answered on the listening connection.
    private var isReached = false
    /// Something came about while the state was asked for: the answer on the other connection may be older.
    private var isOutdated = false
    /// The last cursor that was heard.
    private var cursor: String?
    private var retryAt: Double?
    private var pause = ChatReader.shortestPause
    private var isEnded = false
    /// The files of what was not sent, by their rooms.
    private var files: [String: UnsentText] = [:]
    /// In plain lines: a text of an earlier time, which an empty line sends.
    private var setAside: String?
    /// In plain lines: the signals that end the program.
    private let signals: Signals?
    /// The bytes of a plain line that is not ended.
    private var typed: [UInt8] = []
    /// The messages that were printed in plain lines.
    private var printed: Set<String> = []

    /// Seconds before the practice is looked for again: doubled each time.
    private static let shortestPause = 1.0
    private static let longestPause = 30.0
    /// Seconds for which the end waits until the last messages are acknowledged.
    private static let lastPatience = 3.0

    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// A terminal that cannot move its cursor.
    static var isDumb: Bool { ["dumb", nil].contains(Environment.variables["TERM"]) }

    init(
        screen: ChatScreen, isPlain: Bool, writer: LongText.Writer, connect: @escaping () throws -> DaemonConnection
    ) {
        (self.screen, self.writer, self.connect) = (screen, writer, connect)
        terminal = isPlain ? nil : FullScreen()
        signals = isPlain ? Signals([SIGINT, SIGTERM, SIGHUP]) : nil
    }

    func run() throws {
        try reach()
        if let terminal {
            guard terminal.take(pastes: true) else { return }
        } else {
            Streams.output("What you type is sent to \(roomName). An empty line leaves.\n")
        }
        terminal?.beforeEnd = { [unowned self] in
            for sentence in keep() { Streams.error(sentence) }
        }
        defer {
            terminal?.giveBack()
            awaitAnswers()
            for sentence in keep() { Streams.output(sentence) }
        }
        while !isEnded {
            terminal.map { $0.show(screen.draw(columns: $0.size.columns, rows: $0.size.rows)) }
            try turn()
        }
    }

    private var roomName: String { (screen.open?.room.name ?? "").shown.singleLine }

    private func turn() throws {
        let descriptors = [calls, listening].compactMap { $0?.descriptor }
        let seconds = retryAt.map { max(0, $0 - Monotonic.now()) }
        let readable: Set<Int32>
        if let terminal {
            let input = terminal.wait(for: descriptors, within: seconds) { _ = keep() }
            for key in input.keys where !isEnded { perform(screen.press(key, at: Monotonic.now())) }
            if terminal.isGone { isEnded = true }
            readable = input.readable
        } else {
            let signal = signals.map { [$0.descriptor] } ?? []
            readable = Wait.until(readable: [STDIN_FILENO] + signal + descriptors, within: seconds)
            if let signals, readable.contains(signals.descriptor) { end(by: signals.read().first ?? SIGTERM) }
            if readable.contains(STDIN_FILENO) { try readLines() }
        }
        if let listening, readable.contains(listening.descriptor) { try hear() }
        if let calls, readable.contains(calls.descriptor) { hearAnswers() }
        if let retryAt, retryAt <= Monotonic.now() { try tryAgain() }
    }

    // MARK: The practice

    private func reach() throws {
        let listening = try connect()
        try listening.send(Chat.Listen(since: cursor), more: true)
        (calls, self.listening, asked, retryAt, isReached) = (try connect(), listening, [], nil, false)
    }

    /// Asks for all that the screen shows, and sends what was not acknowledged. A program such as ssh is there before the
    /// practice is.
    private func begin() {
        if !screen.isConnected, terminal == nil { Streams.output("The practice is there again.\n") }
        (isReached, pause) = (true, Self.shortestPause)
        perform(screen.begin())
        perform(screen.unsent.filter { $0.fault == nil }.map(ChatScreen.Action.send))
    }

    private func lose() {
        (calls, listening, asked) = (nil, nil, [])
        if screen.isConnected, terminal == nil { Streams.output("The practice is out of reach; trying again.\n") }
        screen.lose()
        // ssh may have written its reason on the screen.
        terminal?.forget()
        retryAt = Monotonic.now() + pause
        pause = min(Self.longestPause, pause * 2)
    }

    /// Throws if the practice refuses this person.
    private func tryAgain() throws {
        do { try reach() } catch let failure as Failure { try survive(failure) }
    }

    private func survive(_ failure: Failure) throws(Failure) {
        if [Practice.SignedOut.name, Practice.NotAllowed.name].contains(failure.name) { throw failure }
        lose()
        if failure.status != Failure.noDaemonStatus { screen.notice = Self.oneLine(failure) }
    }

    private static func oneLine(_ failure: Failure) -> String {
        failure.sentence.split(separator: "\n").joined(separator: " ")
    }

    private func perform(_ actions: [ChatScreen.Action]) {
        for action in actions {
            switch action {
            case .rooms: ask(Chat.ListRooms(), .rooms)
            case .room(let room): ask(Chat.GetRoom(room: room), .room)
            case .history(let room, let before):
                if before == nil { recall(room) }
                ask(
                    Chat.Messages(room: room, before: before, limit: before == nil ? 50 : 100),
                    .history(room: room, isOlder: before != nil))
            case .send(let outgoing):
                ask(Chat.Send(room: outgoing.room, text: outgoing.text, key: outgoing.key), .send(outgoing))
            case .typing(let room): ask(Chat.Typing(room: room), .other)
            case .read(let room, let message): ask(Chat.MarkRead(room: room, message: message), .other)
            case .mute(let room, let isMuted): ask(Chat.Mute(room: room, muted: isMuted), .mute)
            case .delete(let message): ask(Chat.DeleteMessage(message: message), .delete)
            case .end: isEnded = true
            }
        }
    }

    private func ask(_ method: some Method, _ what: Asked) {
        guard let calls else { return }
        do throws(Failure) {
            try calls.send(method)
            asked.append(what)
        } catch {
            // A call that is too long never left.
            guard error.status == Failure.noDaemonStatus else { return refuse(what, error) }
            lose()
        }
    }

    private func refuse(_ what: Asked, _ failure: Failure) {
        let sentence = Self.oneLine(failure)
        switch what {
        case .send(let outgoing):
            screen.refuse(outgoing, sentence)
            if terminal == nil { Streams.output("Not sent: \(sentence) An empty line sends it again.\n") }
        case .other: break
        default: screen.notice = sentence
        }
    }

    private func hearAnswers() {
        guard let calls else { return }
        do throws(Failure) {
            for reply in try calls.repliesSoFar() where !asked.isEmpty { take(reply, asked.removeFirst(), calls) }
        } catch { lose() }
        guard isOutdated, !asked.contains(where: \.isState) else { return }
        isOutdated = false
        perform([.rooms] + (screen.open.map { [.room($0.room.id)] } ?? []))
    }

    private func take(_ reply: Reply, _ what: Asked, _ calls: DaemonConnection) {
        do throws(Failure) {
            switch what {
            case .rooms: screen.take(try calls.decode(Chat.ListRooms.self, from: reply))
            case .room: screen.take(try calls.decode(Chat.GetRoom.self, from: reply))
            case .history(let room, let isOlder):
                let found = try calls.decode(Chat.Messages.self, from: reply)
                perform(screen.take(found, of: room, isOlder: isOlder))
                if terminal == nil { found.messages.forEach(say) }
            case .send(let outgoing):
                let companion = calls.daemon.companion
                if let refusal = MessageRefusal.refusal(reply, names: screen.names, companion: companion) {
                    throw refusal
                }
                let sent = try calls.decode(Chat.Send.self, from: reply).message
                perform(screen.take(sent: sent, outgoing))
                leaveInFile(outgoing.room)
            case .mute: screen.take(try calls.decode(Chat.Mute.self, from: reply).room)
            case .delete: screen.open?.take([try calls.decode(Chat.DeleteMessage.self, from: reply).message])
            case .other: break
            }
        } catch { refuse(what, error) }
    }

    /// Throws if the practice lets this person listen no more.
    private func hear() throws {
        guard let listening else { return }
        do throws(Failure) {
            for reply in try listening.repliesSoFar() {
                let happening = try listening.decode(Chat.Listen.self, from: reply).happening
                cursor = happening.cursor
                if asked.contains(where: \.isState) { isOutdated = true }
                if !isReached { begin() }
                perform(screen.take(happening))
                if terminal == nil { say(happening) }
                // Much was missed: the rest comes with the next call.
                if !reply.continues { try listening.send(Chat.Listen(since: cursor), more: true) }
            }
        } catch { try survive(error) }
    }

    // MARK: The end, and the next time

    /// The last messages may still be on their way to the practice.
    private func awaitAnswers() {
        let end = Monotonic.now() + Self.lastPatience
        while let calls, asked.contains(where: \.isSend), Monotonic.now() < end {
            let readable = Wait.until(readable: [calls.descriptor], within: end - Monotonic.now())
            if readable.contains(calls.descriptor) { hearAnswers() }
        }
    }

    /// The texts that were written and not acknowledged.
    private var unfinished: [(room: String, name: String, text: String)] {
        var texts = screen.unfinished
        guard let setAside, let room = screen.open?.room else { return texts }
        if let place = texts.firstIndex(where: { $0.room == room.id }) {
            texts[place].text = setAside + "\n" + texts[place].text
        } else {
            texts.append((room.id, room.name, setAside))
        }
        return texts
    }

    /// Keeps what was written and not sent, in private files, and says so.
    private func keep() -> [String] {
        let texts = unfinished
        // The rest was sent, or taken back.
        for room in files.keys where !texts.contains(where: { $0.room == room }) { leaveInFile(room) }
        return texts.map { room, name, text in
            let name = name.shown.singleLine
            do throws(Failure) {
                let path = try files[room, default: UnsentText(in: room, by: writer)].keep(text)
                guard screen.open?.room.id != room || screen.open?.over == nil else {
                    return
                        "What you wrote to \(name) is not sent, and you are not there any more. It is kept in \(path).\n"
                }
                return "What you wrote to \(name) is not sent. It is kept until you log out or switch this machine "
                    + "off, and is there again the next time.\n"
            } catch {
                return "\(error.sentence)\nThis was not sent to \(name):\n\(Self.lines(text))\n"
            }
        }
    }

    private static func lines(_ text: String) -> String { text.paragraphs(columns: nil).joined(separator: "\n") }

    /// Takes out of the room's file what is not written any more.
    private func leaveInFile(_ room: String) {
        let rest = unfinished.first { $0.room == room }?.text
        do throws(Failure) { try files[room]?.leave(rest) } catch { screen.notice = Self.oneLine(error) }
    }

    private func end(by signal: Int32) {
        for sentence in keep() { Streams.error(sentence) }
        Signals.takeDefaultAction(signal)
    }

    private func recall(_ room: String) {
        guard screen.open?.line.text.isEmpty == true else { return }
        do throws(Failure) {
            guard let text = try files[room, default: UnsentText(in: room, by: writer)].recall() else { return }
            guard terminal == nil else { return screen.recall(text) }
            setAside = text
            Streams.output(
                "You wrote this the last time, and it was not sent; an empty line sends it:\n\(Self.lines(text))\n")
        } catch { screen.notice = Self.oneLine(error) }
    }

    // MARK: Plain lines

    /// The terminal edits the lines itself.
    private func readLines() throws {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR { return }
        guard count > 0 else {
            // A line without an end is not sent, but kept.
            if !typed.isEmpty {
                perform(screen.press(.pasted(String(decoding: typed, as: UTF8.self)), at: Monotonic.now()))
            }
            return isEnded = true
        }
        typed += bytes[..<count]
        while !isEnded, let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: typed[..<end], as: UTF8.self).withoutEnd
            typed.removeFirst(end + 1)
            let earlier = line.isEmpty ? setAside : nil
            if let earlier {
                setAside = nil
                // It may be longer than a line that is typed.
                screen.recall(earlier)
            }
            isEnded = line.isEmpty && earlier == nil && !screen.hasRefused
            if !isEnded {
                perform(screen.press(.pasted(line), at: Monotonic.now()) + screen.press(.enter, at: Monotonic.now()))
            }
        }
    }

    private func say(_ message: Chat.Message) {
        guard printed.insert(message.id).inserted else { return }
        let text = message.deleted ? "deleted" : ChatWords.onOneLine(message.text)
        Streams.output(
            "\(Wording.clock(message.at, today: screen.today)), \(message.name.shown.singleLine): \(text)\n")
    }

    private func say(_ happening: Chat.Happening) {
        guard happening.room == nil || happening.room == screen.open?.room.id else { return }
        switch happening.what {
        case .message: if let message = happening.message { say(message) }
        // A screen reader would say them all the time.
        case .typing, .stopped, .online, .offline: break
        case .deleted, .joined, .left, .renamed, .gone:
            Streams.output(HappeningLine(happening, room: nil, today: screen.today).text)
        }
    }
}
