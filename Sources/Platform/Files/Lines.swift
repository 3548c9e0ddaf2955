import Glibc

/// Reads a text file line by line.
public final class Lines {
    /// A line of the file is longer than the limit.
    public struct TooLong: Error {}

    private let path: String
    private let limit: Int
    private let descriptor: CInt
    private var bytes: [UInt8] = []
    private var begin = 0

    /// - Parameter limit: bytes of one line.
    public init(of path: String, limit: Int) throws(FileError) {
        self.path = path
        self.limit = limit
        descriptor = try File.openToRead(path)
    }

    deinit { close(descriptor) }

    /// The next line, without its line feed; nil at the end of the file.
    public func next() throws -> String? {
        var end = begin
        while true {
            if let newline = bytes[end...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { begin = newline + 1 }
                return String(decoding: bytes[begin..<newline], as: UTF8.self)
            }
            guard bytes.count - begin <= limit else { throw TooLong() }
            bytes.removeFirst(begin)
            (begin, end) = (0, bytes.count)
            guard let more = try File.read(from: descriptor, named: path) else {
                guard !bytes.isEmpty else { return nil }
                defer { bytes = [] }
                return String(decoding: bytes, as: UTF8.self)
            }
            bytes += more
        }
    }
}
