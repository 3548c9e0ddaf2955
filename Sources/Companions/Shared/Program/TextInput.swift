import Files
import Glibc

/// Text from a file or, for `-`, from standard input.
public enum TextInput {
    /// In bytes: more than a daemon accepts in a note or a name, so that the daemon's refusal states its limit.
    public static let wordLimit = 48 * 1024
    public static let typeHere = "Type it here."

    /// - Parameters:
    ///   - limit: in bytes.
    ///   - request: what a person at a terminal is told, who types the text.
    public static func text(
        of file: String, limit: Int, asking request: String = typeHere
    ) throws(Failure) -> String {
        let bytes = try bytes(of: file, limit: limit, asking: request)
        // Some editors put a byte order mark before a text.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let written = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        guard let text = String(validating: written, as: UTF8.self) else {
            let (line, column) = place(ofFaultIn: bytes)
            throw .refused("NotText", saying: "\(name(of: file)):\(line):\(column): This is not UTF-8 text.")
        }
        return text
    }

    /// - Parameters:
    ///   - file: - is standard input.
    ///   - limit: in bytes.
    ///   - request: what a person at a terminal is told, who types the bytes.
    public static func bytes(
        of file: String, limit: Int, asking request: String = typeHere
    ) throws(Failure) -> [UInt8] {
        if file == "-", isatty(STDIN_FILENO) == 1 {
            Streams.error("\(request) Ctrl-D on a line of its own ends it.\n")
        }
        let descriptor = file == "-" ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(file, errno) }
        defer { close(descriptor) }
        return try all(of: descriptor, named: file, limit)
    }

    /// The word, or for `-` the text of standard input without the space at its end. Other users see the words of a command
    /// line in the list of processes, but not standard input.
    public static func word(_ given: String) throws(Failure) -> String { try word(given, asking: typeHere) }

    /// - Parameter request: what a person at a terminal is told, who types the text.
    public static func word(_ given: String, asking request: String) throws(Failure) -> String {
        guard given == "-" else { return given }
        let text = try text(of: "-", limit: wordLimit, asking: request)
        return text.lastIndex { !$0.isWhitespace }.map { String(text[...$0]) } ?? ""
    }

    /// Line and column, from 1, of the first byte that is not UTF-8; the column in characters (Unicode scalars).
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
        while let more = try next(of: descriptor, named: file) {
            bytes += more
            guard bytes.count <= limit else {
                // The rest of a pipe may have no end.
                let lost = file == "-" ? " Nothing of it is kept." : ""
                throw .refused(
                    "TooLarge", saying: "\(name(of: file)) is too long: at most \(limit / 1024) KB are taken.\(lost)")
            }
        }
        return bytes
    }

    private static func next(of descriptor: Int32, named file: String) throws(Failure) -> ArraySlice<UInt8>? {
        do { return try File.read(from: descriptor, named: file) } catch { throw unreadable(file, error.number ?? EIO) }
    }

    private static func unreadable(_ file: String, _ error: Int32) -> Failure {
        .refused("Unreadable", saying: "\(name(of: file)) cannot be read: \(systemError(error)).")
    }

    private static func name(of file: String) -> String { file == "-" ? "Standard input" : file.shown }
}
