import Files
import Glibc

/// The size of a terminal.
public struct ScreenSize: Equatable {
    public var columns: Int
    public var rows: Int
    /// The height of a cell divided by its width.
    public var aspect = 2.0

    public init(columns: Int, rows: Int, aspect: Double = 2) {
        self.columns = columns
        self.rows = rows
        self.aspect = aspect
    }
}

/// The terminal, which a full screen takes over and restores.
public final class Terminal {
    /// Alternate screen, cleared, cursor hidden, no wrapping at the right edge (xterm's control sequences).
    private static let enter = "\u{1B}[?1049h\u{1B}[2J\u{1B}[?25l\u{1B}[?7l"
    /// Has the terminal mark what is pasted (xterm's bracketed paste mode). One that does not know it ignores it.
    private static let markPastes = "\u{1B}[?2004h"
    /// Undoes ``enter`` and ``markPastes``, and ends an interrupted synchronized update. The screen is cleared first, because tmux, once
    /// resized, would keep lines of it on the restored screen.
    fileprivate static let leave =
        "\u{1B}[?2004l\u{1B}[?2026l\u{1B}[0m\u{1B}[H\u{1B}[2J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    public init() {}

    private(set) var isTaken = false
    private var pastes = false
    private var found = termios()

    deinit { giveBack() }

    /// False if standard input is no terminal.
    ///
    /// - Parameter pastes: what is pasted comes as one key, ``Key/pasted(_:)``.
    public func take(pastes: Bool = false) -> Bool {
        guard tcgetattr(STDIN_FILENO, &found) == 0 else { return false }
        CrashGuard.arm()
        isTaken = true
        self.pastes = pastes
        return takeAgain()
    }

    /// Takes the terminal again after a stop, during which the shell may have changed it.
    @discardableResult public func takeAgain() -> Bool {
        var raw = found
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
        return write(pastes ? Self.enter + Self.markPastes : Self.enter)
    }

    public func giveBack() {
        guard isTaken else { return }
        isTaken = false
        _ = write(Self.leave)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &found)
        CrashGuard.disarm()
    }

    /// False when the terminal has gone away.
    public func write(_ text: String) -> Bool { File.write(Array(text.utf8), to: STDOUT_FILENO) }

    /// The bytes that were typed; nil when the terminal has gone away.
    public func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0 && errno == EINTR { return [] }
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// The most columns and rows that are drawn: more than the largest screens show. A terminal may claim 65,535 of both.
    private static let largest = 1_000

    /// The terminal's size, by default 80 by 24, and the shape of its cells if it is known (man 2 TIOCGWINSZ).
    public var size: ScreenSize {
        var window = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 ? Self.size(of: window) : Self.size(of: winsize())
    }

    static func size(of window: winsize) -> ScreenSize {
        guard window.ws_col > 0, window.ws_row > 0 else { return ScreenSize(columns: 80, rows: 24) }
        var size = ScreenSize(
            columns: min(largest, Int(window.ws_col)), rows: min(largest, Int(window.ws_row)))
        if window.ws_xpixel > 0, window.ws_ypixel > 0 {
            let across = Double(window.ws_xpixel) / Double(window.ws_col)
            let down = Double(window.ws_ypixel) / Double(window.ws_row)
            if (1.2...3.5).contains(down / across) { size.aspect = down / across }
        }
        return size
    }
}

/// Restores the terminal even if the program crashes.
private enum CrashGuard {
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
    /// The terminal's settings as the program found them. These and ``farewell`` are made before the handlers are set,
    /// because a handler may not allocate (man 7 signal-safety).
    private static let found = {
        var found = termios()
        tcgetattr(STDIN_FILENO, &found)
        return found
    }()
    private static let farewell = Array(Terminal.leave.utf8)

    static func arm() {
        _ = (found, farewell)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            CrashGuard.giveBack()
            raise(number)
        }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | Int32(SA_NODEFER)
        var mine = sigset_t()
        sigemptyset(&mine)
        for number in signals {
            sigaction(number, &action, nil)
            sigaddset(&mine, number)
        }
        // The parent process may have blocked them.
        sigprocmask(SIG_UNBLOCK, &mine, nil)
    }

    static func disarm() {
        for number in signals { signal(number, SIG_DFL) }
    }

    private static func giveBack() {
        _ = farewell.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        var found = found
        tcsetattr(STDIN_FILENO, TCSANOW, &found)
    }
}
