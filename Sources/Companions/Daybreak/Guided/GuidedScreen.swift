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
    /// The link that is being opened.
    private var link: MeetingLink?
    /// When lines were pasted into the field of a note, by a terminal that does not mark what is pasted.
    private var pasted = -Double.infinity
    private let unsent: UnsentNote

    init(_ conversation: Conversation, _ walk: Walk, palette: Palette, cue: Cue?) {
        self.cue = cue
        self.conversation = conversation
        self.walk = walk
        self.palette = palette
        unsent = UnsentNote(at: conversation.path)
        self.walk.unsentNote = unsent.text
    }

    /// Runs until the walk ends, and returns its last words.
    func run() throws -> String {
        guard screen.take(pastes: true) else { return "" }
        screen.beforeEnd = { [unowned self] in keepNote() }
        defer { screen.giveBack() }
        perform(walk.firstActions)
        while ending == nil {
            show()
            try turn()
        }
        return ending.map { Wording.Guided.ending($0, of: walk) } ?? ""
    }

    private func turn() throws {
        let seconds = [patience, conversation.untilSilent].compactMap(\.self).min()
        let (keys, readable) = screen.wait(
            for: conversation.descriptors + [link?.descriptor].compactMap(\.self), within: seconds
        ) {
            // The exercise pauses while the program is stopped.
            conversation.close()
            take(.gone)
        }
        screen.endIfGone()
        take(keys)
        for input in try conversation.inputs(readable: readable) { take(input) }
        if let opened = link, opened.descriptor.map(readable.contains) ?? true {
            link = nil
            if opened.hasFailed { take(.notOpened(opened.link)) }
        }
        if let silence = conversation.silence() { take(silence) }
        if walk.isConnected && !conversation.isOpen { take(.gone) }
        if !walk.isConnected && conversation.reopen() { take(.back) }
    }

    /// Keys that came together. In the field of a note, an Enter with more behind it was pasted: no person types so fast.
    private func take(_ keys: [Key]) {
        for (place, key) in keys.enumerated() {
            if walk.noteInField?.state == .written, let text = Key.text(of: keys[place...]) {
                let now = Monotonic.now()
                if text.dropLast().contains("\n") || text.count > 1 && now - pasted < Self.pause {
                    pasted = now
                    return take(.key(.pasted(text)))
                }
            }
            take(.key(key))
        }
    }

    /// Seconds between two parts of a pasted text, at most.
    private static let pause = 0.1

    /// Seconds until the screen has to be drawn again; nil if only an input changes it.
    private var patience: Double? {
        if let link, link.descriptor == nil { return 0 }
        if walk.isConnected, !conversation.isOpen { return 0 }  // A call has closed it.
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
        screen.endIfGone()
    }

    private func take(_ input: Walk.Input) {
        let before = walk.unsentNote
        let actions = walk.take(input)
        if let before, walk.unsentNote == nil { forget(before) }
        perform(actions)
    }

    private func forget(_ note: String) {
        do throws(Failure) { try unsent.forget(note) } catch { walk.notice = error.sentence }
    }

    /// The program ends without another key: the note in its field is there again the next time.
    private func keepNote() {
        guard let note = walk.noteInField?.note, !note.isEmpty else { return }
        do throws(Failure) {
            let path = try unsent.keep(note, replacing: walk.unsentNote)
            Streams.error("\(path.map(Wording.Guided.noteIsKept) ?? Wording.Guided.noteComesAgain)\n")
        } catch {
            Streams.error("\(error.sentence)\n\(Wording.Guided.unkept(walk) ?? "")\n")
        }
    }

    private func perform(_ actions: [Walk.Action]) {
        for action in actions {
            switch action {
            case .end(let ending): end(ending)
            case .breatheAlong: take(.breathingAlong(since: Monotonic.now()))
            case .open(let link): self.link = MeetingLink(link)
            case .visit(let visit): make(visit)
            case .call, .breathe, .stopBreathing:
                if let refusal = conversation.perform(action) { take(refusal) }
            }
        }
    }

    /// Runs a verb, which has the terminal meanwhile. Its words stay until Enter.
    private func make(_ visit: Walk.Visit) {
        screen.giveBack()
        defer { _ = screen.take(pastes: true) }
        _ = ChildProcess.runVerbInTerminal([visit.rawValue, "--socket", conversation.path])
        Streams.output("\n\(Wording.Guided.goesBack)\n")
        // Byte by byte, so that the keys behind the line are left.
        var byte: UInt8 = 0
        while byte != UInt8(ascii: "\n") {
            let readable = Wait.until(readable: screen.descriptors + [STDIN_FILENO], within: nil)
            screen.heed(readable.subtracting([STDIN_FILENO]))  // It would read the line as keys.
            if readable.contains(STDIN_FILENO), read(STDIN_FILENO, &byte, 1) != 1 { return }
        }
    }

    private func end(_ ending: Walk.Ending) { self.ending = self.ending ?? ending }
}
