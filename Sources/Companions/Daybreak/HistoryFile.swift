import Companion
import Files
import Glibc

/// Moves files with a whole history from the daemon's folder to the client's.
enum HistoryFile {
    /// Copies the source into a new file, and removes the source even if that fails: the daemon made it for this program
    /// alone.
    static func move(
        _ source: String, to path: String, replacing: Bool = false, orSaying isThere: String? = nil
    ) throws(Failure) {
        let input = try take(source)
        try PrivateFile.write(to: path, replacing: replacing, orSaying: isThere) { file throws(Failure) in
            try each(of: input, named: source) { bytes throws(Failure) in try file.append(bytes) }
        }
    }

    /// Prints the file, and removes it.
    static func print(moving source: String) throws(Failure) {
        let input = try take(source)
        try each(of: input, named: source) { bytes throws(Failure) in Streams.output(Array(bytes)) }
    }

    /// Prints lines of JSON, and removes the file.
    static func print(movingJSON source: String) throws(Failure) {
        let input = try take(source)
        var rest: [UInt8] = []
        try each(of: input, named: source) { bytes throws(Failure) in
            rest += bytes
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
            Streams.output(jsonLines: Array(rest[...end]))
            rest.removeSubrange(...end)
        }
        Streams.output(jsonLines: rest)
    }

    /// An erasure may come at any moment: the file is whole, or there is an error.
    private static func take(_ path: String) throws(Failure) -> TakenFile {
        do { return try TakenFile(path) } catch {
            throw .refused("Unreadable", saying: "No copy was made. \(Wording.sentence(error.description))")
        }
    }

    private static func each(
        of input: TakenFile, named path: String, _ body: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        while let bytes = try next(of: input.descriptor, named: path) { try body(bytes) }
    }

    private static func next(of input: Int32, named path: String) throws(Failure) -> ArraySlice<UInt8>? {
        do { return try File.read(from: input, named: path) } catch { throw unreadable(path, error.number ?? EIO) }
    }

    private static func unreadable(_ path: String, _ error: Int32) -> Failure {
        .refused("Unreadable", saying: "\(path.shown) cannot be read: \(systemError(error)).")
    }
}

extension DaemonConnection {
    /// Throws for another user's daemon, before a file that it names is opened, written or removed. This user is root then,
    /// and the daemon could name any file.
    func checkNamesOwnFiles(in verb: String) throws(Failure) {
        guard !isOurs else { return }
        let user = peer ?? uid_t.max
        let name = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
        throw .refused(
            "NotYours",
            saying: "The daemon at \(path.shown) is \(name.shown)'s, and could name any file: nothing that it names is "
                + "touched. As \(name.shown) it is done: "
                + "`DAYBREAK_SOCKET=\(File.quoted(path.shown)) runuser -u \(name.shown) -- daybreak \(verb)`.")
    }
}
