import Glibc

/// Files that hold a whole history, as the daemon leaves them for its client and finds them from it.
enum KeptFile {
    private static let chunk = 64 * 1024

    /// Into a new file: nothing is ever written over.
    static func copy(_ source: String, to path: String) throws(Failure) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw unreadable(source) }
        defer { close(input) }
        try PrivateFile.write(to: path, orSaying: Wording.isThere(path)) { file throws(Failure) in
            try each(of: input, named: source) { bytes throws(Failure) in try file.append(bytes) }
        }
    }

    static func print(_ path: String) throws(Failure) {
        let input = open(path, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw unreadable(path) }
        defer { close(input) }
        try each(of: input, named: path) { bytes throws(Failure) in Standard.output(Array(bytes)) }
    }

    static func remove(_ path: String) { unlink(path) }

    private static func each(
        of input: Int32, named path: String, _ body: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        var bytes = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = read(input, &bytes, chunk)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            if count == 0 { return }
            try body(bytes[..<count])
        }
    }

    private static func unreadable(_ path: String) -> Failure {
        .refused("Unreadable", saying: Wording.unreadable(path, why: DaemonConnection.reason(errno)))
    }
}
