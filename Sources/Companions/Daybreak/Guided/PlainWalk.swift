import Companion
import Glibc

/// Shows a walk as lines: for screen readers, for scripts, and without a terminal.
final class PlainWalk {
    private static let retryDelay = 0.5
    /// How long the last page waits for the status to tell what comes next.
    private static let lastWait = 2.0

    private let conversation: Conversation
    private var walk: Walk
    private let signals = Signals(Signals.ofLines)
    private var speaker: Speaker
    private var cue: Cue?
    private var typed: [UInt8] = []
    /// The lines that were typed and not taken yet.
    private var lines: [String] = []
    private var hasInput = true
    /// The link that is being opened.
    private var link: MeetingLink?
    private(set) var ending: Walk.Ending?
    /// When the last page is said at the latest.
    private var lastPageAt: Double?

    init(_ conversation: Conversation, _ walk: Walk, cue: Cue?) {
        speaker = Speaker(countsDown: walk.presentation.countsDown)
        self.cue = cue
        self.conversation = conversation
        self.walk = walk
    }

    /// Runs until the walk ends, and returns its last words.
    func run() throws -> String {
        perform(walk.firstActions)
        while ending == nil {
            let now = Monotonic.now()
            walk.wall = .onTheWall
            if isLastPageEarly(at: now) {
                try turn()
                continue
            }
            Streams.output(speaker.say(walk, at: now))
            if let phase = cue?.next(walk.isBreathing ? walk.breathing(at: now) : nil) {
                cue?.sound(phase) { Streams.output("\u{07}") }
            }
            if walk.page == .completed { return "" }
            try turn()
        }
        return ending.map { "\n" + Wording.Guided.ending($0, of: walk) } ?? ""
    }

    private func isLastPageEarly(at now: Double) -> Bool {
        guard walk.isStatusBehind, conversation.isOpen else { return false }
        let latest = lastPageAt ?? now + Self.lastWait
        lastPageAt = latest
        return now < latest
    }

    private func turn() throws {
        if walk.page != .completed, heedLine() { return }
        // Standard input has ended: the walk goes on until it needs an answer.
        if !hasInput && lines.isEmpty && !walk.isUnderWay && walk.page != .completed { return ending = ending ?? .left }
        let watched =
            [signals.descriptor] + (hasInput ? [STDIN_FILENO] : []) + conversation.descriptors
            + [link?.descriptor].compactMap(\.self)
        let seconds = [patience, conversation.untilSilent].compactMap(\.self).min()
        let readable = Wait.until(readable: watched, within: seconds)
        if readable.contains(signals.descriptor) { signals.read().forEach(heed) }
        for input in try conversation.inputs(readable: readable) { take(input) }
        if let opened = link, opened.descriptor.map(readable.contains) ?? true {
            link = nil
            if opened.hasFailed { take(.notOpened(opened.link)) }
        }
        if let silence = conversation.silence() { take(silence) }
        if readable.contains(STDIN_FILENO) { read() }
        if walk.isConnected && !conversation.isOpen { take(.gone) }
        if !walk.isConnected && conversation.reopen() { take(.back) }
    }

    private var patience: Double? {
        if let link, link.descriptor == nil { return 0 }
        if walk.isConnected, !conversation.isOpen { return 0 }  // A call has closed it.
        if let lastPageAt { return max(0, lastPageAt - Monotonic.now()) }
        if !walk.isConnected { return Self.retryDelay }
        return walk.isBreathing ? walk.breathing(at: Monotonic.now())?.untilNextNumber : nil
    }

    /// Ctrl-C leaves. Ctrl-Z disconnects, so that the exercise pauses, and stops.
    private func heed(_ signal: Int32) {
        guard signal == SIGTSTP else { return take(.key(.interrupt)) }
        conversation.close()
        take(.gone)
        Signals.takeDefaultAction(signal)
    }

    /// Takes one line in a turn: its meaning depends on the effect of the line before.
    private func heedLine() -> Bool {
        guard let line = lines.first, isAwaited(line) else { return false }
        lines.removeFirst()
        for input in TypedLine.inputs(for: line, in: walk) { take(input) }
        return true
    }

    /// An Enter that was typed during the exercise is kept for the page after it.
    private func isAwaited(_ line: String) -> Bool {
        !walk.isAsking && !walk.isLookingForNote && !(line.isEmpty && walk.isUnderWay)
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else {
            hasInput = count < 0 && errno == EINTR
            if !hasInput && !typed.isEmpty { lines.append(String(decoding: typed, as: UTF8.self)) }
            return
        }
        typed += bytes[..<count]
        while let end = typed.firstIndex(of: 0x0A) {
            lines.append(String(decoding: typed[..<end], as: UTF8.self))
            typed.removeFirst(end + 1)
        }
    }

    private func take(_ input: Walk.Input) {
        if case .answered(.turn, _, _) = input {
            speaker.repeatHints()
            // Typed lines, read or not, were meant for the task before.
            (lines, typed) = ([], [])
            tcflush(STDIN_FILENO, TCIFLUSH)
        }
        perform(walk.take(input))
    }

    private func make(_ visit: Walk.Visit) {
        _ = ChildProcess.runVerbInTerminal([visit.rawValue, "--socket", conversation.path])
        speaker.repeatHints()
    }

    private func perform(_ actions: [Walk.Action]) {
        for action in actions {
            switch action {
            case .end(let ending): self.ending = self.ending ?? ending
            case .breatheAlong: take(.breathingAlong(since: Monotonic.now()))
            case .open(let link): self.link = MeetingLink(link)
            case .visit(let visit): make(visit)
            case .call, .breathe, .stopBreathing:
                if let refusal = conversation.perform(action) { take(refusal) }
            }
        }
    }
}
