import Files
import Glibc
import Text

/// Asks for lines in a terminal, whose settings it restores after each.
public final class LineReader {
    public enum Answer: Equatable, Sendable {
        case line(String)
        /// The arrow up: back to the question before.
        case back
        /// Ctrl-C, or the end of the input.
        case leave
    }

    private let isPlain: Bool
    private var keys = KeyReader()
    private var waiting: [Key] = []
    /// The bytes after the last line, of a terminal that edits lines itself.
    private var rest: [UInt8] = []

    /// Nil unless standard input and output are a terminal.
    /// - Parameter isPlain: the terminal edits the lines itself, and nothing is redrawn. A dumb terminal is always plain.
    public init?(isPlain: Bool, environment: [String: String] = Environment.variables) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        self.isPlain = isPlain || environment["TERM"] == nil || environment["TERM"] == "dumb"
    }

    /// True if nothing is redrawn.
    public var drawsOnce: Bool { isPlain }

    /// - Parameters:
    ///   - prompt: the text before the line; may have colour.
    ///   - hint: shown in place of an empty line.
    ///   - begin: the initial text of the line.
    ///   - settled: replaces the line after it is entered.
    public func ask(
        _ prompt: String, hint: String = "", begin: String = "", ink: Ink = .plain,
        settled: (String) -> String = { $0 }
    ) -> Answer {
        if isPlain { return askPlainly(prompt, hint: hint, begin: begin) }
        var line = EditedLine(begin)
        let width = DisplayWidth.of(prompt.withoutColour)
        let answer: Answer? = asking {
            self.draw(prompt, width, line, hint, ink)
            while let key = self.next() {
                switch key {
                case .enter:
                    self.leave(prompt, width, settled(line.text))
                    return .line(line.text)
                case .up, .interrupt:
                    self.leave(prompt, width, line.text)
                    return key == .up ? .back : .leave
                case .endOfInput:
                    guard line.text.isEmpty else { continue }
                    self.leave(prompt, width, "")
                    return .leave
                case .suspend: self.suspend()
                // A line that was copied whole has its break at its end.
                case .pasted(let text): line.take(.pasted(text.withoutEnd))
                default: line.take(key)
                }
                // Of what is typed or pasted at once, only the last state is drawn.
                if self.waiting.isEmpty { self.draw(prompt, width, line, hint, ink) }
            }
            return nil
        }
        Streams.output("\n")
        return answer ?? .leave
    }

    /// Waits for a key: true for Enter, nil for the arrow up, false for Ctrl-C, Escape, and an n as in no. Other keys are ignored.
    public func confirm(_ prompt: String) -> Bool? {
        if isPlain {
            guard case .line(let text) = askPlainly(prompt, hint: "", begin: "") else { return false }
            return text.isEmpty
        }
        defer { Streams.output("\n") }
        let key: Key? = asking {
            Streams.output(prompt)
            while let key = self.next() {
                if [.enter, .up, .interrupt, .escape, .endOfInput].contains(key) { return key }
                if [.character("n"), .character("N")].contains(key) { return .escape }
                if key == .suspend { self.suspend() }
            }
            return nil
        }
        return key == .up ? nil : key == .enter
    }

    private func draw(_ prompt: String, _ width: Int, _ line: EditedLine, _ hint: String, _ ink: Ink) {
        let columns = max(8, (Pager.columns ?? 80) - width - 1)
        let (text, cursor) = line.window(columns: columns)
        let shown = line.text.isEmpty ? ink.faint(hint.cut(to: columns)) : text
        let right = width + cursor
        Streams.output(verbatim: "\r\(prompt)\(shown)\u{1B}[K\r" + (right > 0 ? "\u{1B}[\(right)C" : ""))
    }

    /// Leaves the start of the line on the screen; an empty line loses its hint.
    private func leave(_ prompt: String, _ width: Int, _ text: String) {
        let columns = max(8, (Pager.columns ?? 80) - width - 1)
        Streams.output(verbatim: "\r\(prompt)\(text.onOneLine.cut(to: columns))\u{1B}[K")
    }

    // MARK: Keys

    private func next() -> Key? {
        while waiting.isEmpty {
            if keys.isUndecided, Wait.until(readable: [STDIN_FILENO], within: 0.05).isEmpty {
                waiting = keys.flush()
                continue
            }
            var bytes = [UInt8](repeating: 0, count: 1_024)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            waiting = keys.keys(in: bytes[..<count])
        }
        return waiting.removeFirst()
    }

    private var found = termios()
    /// The terminal sends each key as it is pressed.
    private var isTaken = false

    /// Runs `body`, which asks one question after the other. A key that is pressed between two of them is the next one's;
    /// the terminal would show it at once, and would act on Ctrl-U itself.
    public func asking<Result, Fault: Error>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
        guard !isPlain, !isTaken else { return try body() }
        tcgetattr(STDIN_FILENO, &found)
        takeKeys()
        defer { giveBack() }
        return try body()
    }

    /// Runs `body`, in which another program uses the terminal, with the terminal's original settings.
    public func lending<Result, Fault: Error>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
        guard isTaken else { return try body() }
        giveBack()
        defer { takeKeys() }
        return try body()
    }

    private func takeKeys() {
        var raw = found
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
        isTaken = true
        // Pasted text comes as one key: its line breaks are no Enter.
        Streams.output(verbatim: "\u{1B}[?2004h")
    }

    private func giveBack() {
        Streams.output(verbatim: "\u{1B}[?2004l")
        tcsetattr(STDIN_FILENO, TCSADRAIN, &found)
        isTaken = false
    }

    private func suspend() {
        lending { _ = raise(SIGTSTP) }
    }

    // MARK: Plain lines

    /// An empty line keeps the present text; a hyphen alone empties it.
    private func askPlainly(_ prompt: String, hint: String, begin: String) -> Answer {
        let said = begin.isEmpty ? hint : "now \(begin); Enter keeps it, - empties it"
        Streams.output(said.isEmpty ? prompt : "\(prompt) (\(said))")
        // A line that is broken to fit loses the blank at its end.
        Streams.output(verbatim: " ")
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeFirst(end + 1)
                return .line(line.isEmpty ? begin : line == "-" ? "" : line)
            }
            var bytes = [UInt8](repeating: 0, count: 1_024)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .leave }
            rest += bytes[..<count]
        }
    }
}

extension String {
    /// Without the control sequences of ``Ink``.
    fileprivate var withoutColour: String {
        parts(around: "\u{1B}[").enumerated().map { place, part in
            place == 0 ? String(part) : String(part.drop { $0 != "m" }.dropFirst())
        }.joined()
    }
}
