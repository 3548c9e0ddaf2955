import Glibc

/// Files that hold a whole history, as the daemon leaves them for its client and finds them from it.
enum KeptFile {
    private static let chunk = 64 * 1024

    /// Into a new file: nothing is ever written over.
    static func copy(_ source: String, to path: String) throws(Failure) {
        try copy(try open(source), named: source, to: path)
    }

    /// The same of a file that was made for this program: it is gone by then, whatever becomes of the new one.
    static func take(_ source: String, to path: String) throws(Failure) {
        let input = try open(source)
        remove(source)
        try copy(input, named: source, to: path)
    }

    /// The same, to standard output.
    static func print(taking source: String) throws(Failure) {
        let input = try open(source)
        remove(source)
        defer { close(input) }
        try each(of: input, named: source) { bytes throws(Failure) in Standard.output(Array(bytes)) }
    }

    private static func open(_ path: String) throws(Failure) -> Int32 {
        let input = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw unreadable(path) }
        return input
    }

    private static func copy(_ input: Int32, named source: String, to path: String) throws(Failure) {
        defer { close(input) }
        try PrivateFile.write(to: path, orSaying: Wording.isThere(path)) { file throws(Failure) in
            try each(of: input, named: source) { bytes throws(Failure) in try file.append(bytes) }
        }
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
