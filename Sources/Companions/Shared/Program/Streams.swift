import Files
import Glibc
import JSON
import Text
import Varlink

/// Standard output and error.
public enum Streams {
    private static let encoding = TerminalEncoding(environment: Environment.variables)
    /// True if output goes to a terminal or a file without UTF-8: text is written in ASCII.
    public static var isASCII: Bool { encoding == .ascii }
    public static let ink = Ink(terminal: isatty(STDOUT_FILENO) == 1, environment: Environment.variables)

    /// Writes the text, fitted to the terminal. If it cannot be written, the program ends: silently if the reader is gone,
    /// else with a sentence on standard error.
    /// - Parameter daemon: the daemon whose answer it is, because it has carried out the call by then.
    public static func output(_ text: String, of daemon: Daemon? = nil) {
        output(encoded(fitted(text, to: STDOUT_FILENO)), of: daemon)
    }

    /// Writes the text to standard error. The program goes on if it cannot be written: its exit status still tells the outcome.
    public static func error(_ text: String) {
        _ = File.write(encoded(fitted(text, to: STDERR_FILENO)), to: STDERR_FILENO)
    }

    /// Writes a text as it is: for programs, or laid out already.
    public static func output(verbatim text: String) { output(encoded(text)) }

    private static func fitted(_ text: String, to descriptor: Int32) -> String {
        columns(of: descriptor).map { text.fitted(to: $0) } ?? text
    }

    /// The width of the terminal; nil if the descriptor is no terminal.
    public static func columns(of descriptor: Int32) -> Int? {
        let columns = window(of: descriptor).ws_col
        return columns > 0 ? Int(columns) : nil
    }

    /// All zero if the descriptor is no terminal.
    static func window(of descriptor: Int32) -> winsize {
        var window = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 ? window : winsize()
    }

    /// Writes one line of JSON.
    public static func output(object: some Encodable) { output(json: JSONObject.text(of: object)) }

    /// Writes JSON as a line of its own. A hidden character is written as its escape: a terminal obeys some of them.
    public static func output(json: [UInt8], of daemon: Daemon? = nil) {
        output(harmless(json) + [UInt8(ascii: "\n")], of: daemon)
    }

    /// Writes whole lines of JSON, in the same way.
    public static func output(jsonLines bytes: [UInt8]) { output(harmless(bytes)) }

    private static func harmless(_ json: [UInt8]) -> [UInt8] {
        guard !json.allSatisfy({ $0 < 0x7F }) else { return json }
        // JSON has such characters in its strings alone.
        var text: [UInt8] = []
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            guard scalar.isHidden, scalar.value >= 0x7F else {
                text += String(scalar).utf8
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            }
        }
        return text
    }

    public static func output(_ bytes: [UInt8], of daemon: Daemon? = nil) {
        if !File.write(bytes, to: STDOUT_FILENO) { end(errno, daemon) }
    }

    private static func encoded(_ text: String) -> [UInt8] { Array((encoding == .utf8 ? text : text.ascii).utf8) }

    private static func end(_ reason: Int32, _ daemon: Daemon?) -> Never {
        if reason == EPIPE { exit(EXIT_SUCCESS) }
        let what = daemon.map { "\($0.name) carried this out; only its answer" } ?? "Standard output"
        end(by: .refused("Unwritable", saying: "\(what) cannot be written: \(systemError(reason))."))
    }

    /// Tells a failure on standard error, as JSON with `--json`.
    public static func error(_ failure: Failure) {
        if CommandLine.arguments.contains("--json") {
            _ = File.write(harmless(Array(failure.json.utf8)) + [UInt8(ascii: "\n")], to: STDERR_FILENO)
        } else {
            error(failure.sentence + "\n")
        }
    }

    /// Ends the program with a failure, which standard error tells.
    public static func end(by failure: Failure) -> Never {
        error(failure)
        exit(failure.status)
    }
}

/// The environment of this program.
public enum Environment {
    public static let variables = read()

    private static func read() -> [String: String] {
        var read: [(String, String)] = []
        var entry = environ
        while let pointer = entry.pointee {
            let parts = String(cString: pointer).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { read.append((String(parts[0]), String(parts[1]))) }
            entry += 1
        }
        return Dictionary(read) { _, last in last }
    }
}
