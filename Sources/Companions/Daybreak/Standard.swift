import Glibc
import JSON
import Varlink

/// Standard output and error.
enum Standard {
    static let environment = readEnvironment()
    private static let letters = Letters(environment: environment)
    static let ink = Ink(terminal: isatty(STDOUT_FILENO) == 1, environment: environment)

    /// Writes all of it at once. A reader that has gone away ends the program quietly: it wanted no more. Whatever else stands
    /// in the way is told, and ends it, too.
    static func output(_ text: String) { write(text, to: STDOUT_FILENO) }

    static func error(_ text: String) { write(text, to: STDERR_FILENO) }

    /// As one line of JSON.
    static func output(object: some Encodable) { output(JSONObject.text(of: object) + [UInt8(ascii: "\n")]) }

    static func output(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        write(Array((letters.isUTF8 ? text : text.ascii).utf8), to: descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            guard written >= 0 else { end(errno, descriptor) }
            rest = rest.dropFirst(written)
        }
    }

    private static func end(_ reason: Int32, _ descriptor: Int32) -> Never {
        if reason == EPIPE { exit(EXIT_SUCCESS) }
        // Where standard error itself is the trouble nobody can be told.
        guard descriptor == STDOUT_FILENO else { exit(Failure.ourFaultStatus) }
        let file = Wording.standardOutput
        end(by: .refused("Unwritable", saying: Wording.unwritable(file, why: DaemonConnection.reason(reason))))
    }

    /// Says why nothing more is done.
    static func end(by failure: Failure) -> Never {
        error((CommandLine.arguments.contains("--json") ? failure.json : failure.sentence) + "\n")
        exit(failure.status)
    }

    private static func readEnvironment() -> [String: String] {
        var read: [String: String] = [:]
        var entry = environ
        while let pointer = entry.pointee {
            let parts = String(cString: pointer).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { read[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return read
    }
}
