import Companion
import Glibc

/// Shows a walk on a full screen, in one loop over keys, signals and the daemon.
final class GuidedScreen {
    /// Seconds between pictures.
    private static let frame = 1.0 / 32
    private static let retryDelay = 0.5

    private let conversation: Conversation
    private var walk: Walk
    private let palette: Palette
    private let screen = FullScreen()
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
        guard screen.take() else { return "" }
        defer { screen.giveBack() }
        perform(walk.firstActions)
        while ending == nil {
            show()
            try turn()
        }
        return ending.map { Wording.Guided.ending($0, of: walk) } ?? ""
    }

    private func turn() throws {
        let (keys, readable) = screen.wait(for: conversation.descriptors, within: patience) {
            // The exercise pauses while the program is stopped.
            conversation.close()
            take(.gone)
        }
        if screen.isGone { return end(.left) }
        for key in keys { take(.key(key)) }
        for input in try conversation.inputs(readable: readable) { take(input) }
        if walk.isConnected && !conversation.isOpen { take(.gone) }
        if !walk.isConnected && conversation.reopen() { take(.back) }
    }

    /// Seconds until the screen has to be drawn again; nil if only an input changes it.
    private var patience: Double? {
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
        screen.show(Scene.draw(walk, at: now, size: screen.size, palette: palette))
        if let phase = cue?.next(walk.isBreathing ? walk.breathing(at: now) : nil) {
            cue?.sound(phase) { screen.write("\u{07}") }
        }
        if screen.isGone { end(.left) }
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

    private func end(_ ending: Walk.Ending) { self.ending = self.ending ?? ending }
}
