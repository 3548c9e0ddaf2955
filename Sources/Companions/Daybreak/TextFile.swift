import Glibc

/// A text as it is handed over: read whole, and not looked into. `-` is standard input.
enum TextFile {
    /// As large as the daemon takes a schedule.
    static let scheduleLimit = 16 * 1024 * 1024
    /// More than the daemon takes, so that it is the daemon that says how long a note may be; and no endless input.
    static let noteLimit = 48 * 1024

    static func text(of file: String, limit: Int) throws(Failure) -> String {
        let descriptor = file == "-" ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(file) }
        defer { close(descriptor) }
        let bytes = try all(of: descriptor, named: file, limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let (line, column) = place(ofFaultIn: bytes)
            throw .refused("NotText", saying: Wording.notText(file, line: line, column: column))
        }
        return text
    }

    /// A word on the command line stands in the list of processes; one that is read, for `-`, does not.
    static func word(_ given: String) throws(Failure) -> String {
        guard given == "-" else { return given }
        return String(try text(of: "-", limit: noteLimit).trimmingSuffix { $0.isWhitespace })
    }

    /// Where what is no UTF-8 begins: line and column from 1, the column in characters (Unicode scalars).
    static func place(ofFaultIn bytes: [UInt8]) -> (line: Int, column: Int) {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = (line: 1, column: 1)
        while case .valid(let scalar) = parser.parseScalar(from: &rest) {
            place = Unicode.UTF8.decode(scalar) == "\n" ? (place.line + 1, 1) : (place.line, place.column + 1)
        }
        return place
    }

    private static func all(of descriptor: Int32, named file: String, _ limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(file) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .refused("TooLarge", saying: Wording.tooLarge(file, limit: limit)) }
        }
    }

    private static func unreadable(_ file: String) -> Failure {
        .refused("Unreadable", saying: Wording.unreadable(file, why: DaemonConnection.reason(errno)))
    }
}
