import Companion
import Glibc

/// Shows a walk on a full screen, in one loop over keys, signals and the daemon.
final class GuidedScreen {
    /// Seconds between pictures.
    private static let frame = 1.0 / 32
    /// Seconds within which the rest of an arrow key follows its escape.
    private static let escapeDelay = 0.05
    private static let retryDelay = 0.5

    private let conversation: Conversation
    private var walk: Walk
    private let palette: Palette
    private let terminal = Terminal()
    private let signals = Signals(Signals.ofScreen)
    private var keys = KeyReader()
    private var shown: Canvas?
    private var size = ScreenSize(columns: 80, rows: 24)
    private(set) var ending: Walk.Ending?
    /// When the last picture was drawn, in seconds of the monotonic clock.
    private var drawn = 0.0
    private var cue: Cue?

    init(_ conversation: Conversation, _ walk: Walk, palette: Palette, cue: Cue?) {
        self.cue = cue
        self.conversation = conversation
        self.walk = walk
        self.palette = palette
    }

    /// Runs until the walk ends, and returns its last words.
    func run() throws -> String {
        guard terminal.take() else { return "" }
        defer { terminal.giveBack() }
        size = terminal.size
        perform(walk.firstActions)
        while ending == nil {
            show()
            try turn()
        }
        return ending.map { Wording.Guided.ending($0, of: walk) } ?? ""
    }

    private func turn() throws {
        let watched = [STDIN_FILENO, signals.descriptor] + conversation.descriptors
        let readable = Wait.until(readable: watched, within: patience)
        if readable.contains(signals.descriptor) { signals.read().forEach(heed) }
        if readable.contains(STDIN_FILENO) {
            guard let bytes = terminal.read() else { return end(.left) }
            keys.keys(in: bytes).forEach(press)
        } else if keys.isUndecided {
            keys.flush().forEach(press)
        }
        for input in try conversation.inputs(readable: readable) { take(input) }
        if walk.isConnected && !conversation.isOpen { take(.gone) }
        if !walk.isConnected && conversation.reopen() { take(.back) }
    }

    /// Seconds until the screen has to be drawn again; nil if only an input changes it.
    private var patience: Double? {
        if keys.isUndecided { return Self.escapeDelay }
        if !walk.isConnected { return Self.retryDelay }
        if case .seen(let since) = walk.arrival { return max(0, since + Walk.recognition - Monotonic.now()) }
        guard walk.isBreathing, let breathing = walk.breathing(at: drawn) else { return nil }
        let next = breathing.untilNextNumber
        guard walk.presentation.moves, breathing.moves else { return next }
        // Measured from the time at which the last picture was due, so that drawing does not slow the motion.
        return max(0, min(drawn + Self.frame - Monotonic.now(), next ?? Self.frame))
    }

    private func show() {
        draw()
        guard walk.arrival != nil else { return }
        take(.shown(at: Monotonic.now()))
        if walk.arrival == nil { draw() }  // The keys work from now on, so they are shown.
    }

    private func draw() {
        let now = Monotonic.now()
        walk.wall = .onTheWall
        drawn = now - drawn < 2 * Self.frame && now - drawn >= Self.frame ? drawn + Self.frame : now
        let canvas = Scene.draw(walk, at: now, size: size, palette: palette)
        let bytes = CanvasUpdate.bytes(from: shown, to: canvas)
        shown = canvas
        if !bytes.isEmpty && !terminal.write(bytes) { end(.left) }
        if let phase = cue?.next(walk.isBreathing ? walk.breathing(at: now) : nil) {
            cue?.sound(phase) { _ = terminal.write("\u{07}") }
        }
    }

    private func take(_ input: Walk.Input) { perform(walk.take(input)) }

    private func perform(_ actions: [Walk.Action]) {
        for action in actions {
            switch action {
            case .end(let ending): end(ending)
            case .breatheAlong: take(.breathingAlong(since: Monotonic.now()))
            case .open(let link): if !MeetingLink.open(link) { walk.notice = Wording.Guided.noOpener }
            case .call, .breathe, .stopBreathing: conversation.perform(action)
            }
        }
    }

    private func press(_ key: Key) {
        switch key {
        case .suspend: stop(SIGTSTP)
        case .redraw: shown = nil
        default: take(.key(key))
        }
    }

    private func heed(_ signal: Int32) {
        switch signal {
        case SIGWINCH:
            size = terminal.size
            shown = nil
        case SIGTSTP: stop(signal)
        case SIGCONT:
            terminal.takeAgain()
            shown = nil
        default:
            terminal.giveBack()
            Signals.takeDefaultAction(signal)
        }
    }

    /// Disconnects, so that the exercise pauses, gives the terminal back, stops, and takes it again when continued.
    private func stop(_ signal: Int32) {
        conversation.close()
        take(.gone)
        terminal.giveBack()
        Signals.takeDefaultAction(signal)
        _ = terminal.take()
        size = terminal.size
        shown = nil
    }

    private func end(_ ending: Walk.Ending) { self.ending = self.ending ?? ending }
}
