import Glibc

/// The terminal as a full screen of a program with a loop of its own: its picture, its keys and its signals.
public final class FullScreen {
    /// Seconds within which the rest of an arrow key follows its escape.
    private static let escapeDelay = 0.05

    /// The parts of a text that are read at once.
    private static let mostParts = 64

    private let terminal = Terminal()
    private let signals = Signals(Signals.ofScreen)
    private var keys = KeyReader()
    private var shown: Canvas?
    public private(set) var size = ScreenSize(columns: 80, rows: 24)
    /// The terminal has gone away.
    public private(set) var isGone = false
    private var pastes = false
    /// Keys that were pressed while a call waited.
    private var early: [Key] = []
    /// Runs before a signal or the terminal's end ends the program, with the terminal given back.
    public var beforeEnd: () -> Void = {}

    public init() {}

    /// False if standard input is no terminal.
    ///
    /// - Parameter pastes: pasted text comes as one key, ``Key/pasted(_:)``.
    public func take(pastes: Bool = false) -> Bool {
        self.pastes = pastes
        guard terminal.take(pastes: pastes) else { return false }
        size = terminal.size
        shown = nil
        return true
    }

    public func giveBack() { terminal.giveBack() }

    /// Sends the cells that changed.
    public func show(_ canvas: Canvas) {
        let bytes = CanvasUpdate.bytes(from: shown, to: canvas)
        shown = canvas
        if !bytes.isEmpty { write(bytes) }
    }

    /// The next picture is sent whole: another program may have written on the screen.
    public func forget() { shown = nil }

    public func write(_ text: String) { if !terminal.write(text) { isGone = true } }

    /// Waits at most `seconds` (nil: without limit) for a key, a signal or one of the descriptors. Carries out the signals.
    ///
    /// - Parameter beforeStop: runs before the program is stopped, as by Ctrl-Z.
    public func wait(
        for descriptors: [Int32] = [], within seconds: Double? = nil, beforeStop: () -> Void = {}
    ) -> (keys: [Key], readable: Set<Int32>) {
        let readable = Wait.until(
            readable: [STDIN_FILENO, signals.descriptor] + descriptors,
            within: !early.isEmpty ? 0 : keys.isUndecided ? Self.escapeDelay : seconds)
        if readable.contains(signals.descriptor) {
            for signal in signals.read() { heed(signal, beforeStop) }
        }
        var pressed = early
        early = []
        if readable.contains(STDIN_FILENO) {
            pressed += read()
        } else if readable.isEmpty, keys.isUndecided {
            pressed += keys.flush()
        }
        if pressed.contains(.redraw) { shown = nil }
        if pressed.contains(.suspend) { stop(beforeStop) }
        return (pressed.filter { $0 != .redraw && $0 != .suspend }, readable)
    }

    /// The keys that can be read now.
    private func read() -> [Key] {
        guard let bytes = terminal.read() else {
            isGone = true
            return []
        }
        var pressed = keys.keys(in: bytes)
        // A long pasted text comes in several parts.
        for _ in 0..<Self.mostParts where !Wait.until(readable: [STDIN_FILENO], within: 0).isEmpty {
            guard let more = terminal.read() else { break }
            pressed += keys.keys(in: more)
        }
        return pressed
    }

    private func heed(_ signal: Int32, _ beforeStop: () -> Void) {
        switch signal {
        case SIGWINCH:
            size = terminal.size
            shown = nil
        case SIGTSTP: stop(beforeStop)
        case SIGCONT:
            terminal.takeAgain()
            shown = nil
        default: end(by: signal)
        }
    }

    /// Ends the program as SIGHUP does, if the terminal has gone away: the signal comes later than the end of the keys, or never.
    public func endIfGone() { if isGone { end(by: SIGHUP) } }

    private func end(by signal: Int32) {
        giveBack()
        beforeEnd()
        Signals.takeDefaultAction(signal)
    }

    /// Gives the terminal back, stops the program, and takes the terminal again when the program is continued.
    private func stop(_ beforeStop: () -> Void) {
        beforeStop()
        giveBack()
        Signals.takeDefaultAction(SIGTSTP)
        _ = take(pastes: pastes)
    }
}

extension FullScreen: WaitingScreen {
    public var descriptors: [Int32] {
        terminal.isTaken ? [STDIN_FILENO, signals.descriptor] : [signals.descriptor]
    }

    /// Ctrl-C and the terminal's end end the program, since the call cannot be taken back. Other keys come when it is answered.
    public func heed(_ readable: Set<Int32>) {
        if readable.contains(signals.descriptor) {
            for signal in signals.read() {
                if terminal.isTaken {
                    heed(signal) {}
                } else if ![SIGWINCH, SIGCONT].contains(signal) {
                    Signals.takeDefaultAction(signal)
                }
            }
        }
        guard readable.contains(STDIN_FILENO) else { return }
        for key in read() {
            switch key {
            case .interrupt: end(by: SIGINT)
            case .suspend: stop {}
            default: if early.count < Self.mostEarly { early.append(key) }
            }
        }
        endIfGone()
    }

    private static let mostEarly = 1_000

    public func showSilence() {
        let line = "No answer yet. Ctrl-C leaves."
        guard terminal.isTaken else { return Streams.error("\(line)\n") }
        shown = nil
        write("\u{1B}[\(size.rows);1H\u{1B}[2K\(line.prefix(max(0, size.columns - 1)))")
    }
}
