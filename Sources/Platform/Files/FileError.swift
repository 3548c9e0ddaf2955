import Glibc

/// A failure to use a file or folder, with its path and the reason.
public struct FileError: Error, Equatable, CustomStringConvertible {
    public let path: String
    /// A sentence for a person, without its full stop.
    public let description: String
    /// The cause alone, without the failed operation and the path.
    public var reason: String { number.map { String(cString: strerror($0)) } ?? description }
    /// The errno of the call that failed; nil if the file is not as it must be.
    public let number: CInt?

    /// The file is not in the required form.
    public init(_ path: String, _ sentence: String) {
        self.path = path
        description = sentence
        number = nil
    }

    /// The error of a call that set errno: `failed("open", path)`.
    public static func failed(_ deed: String, _ path: String) -> FileError {
        FileError(
            path: path, description: "Could not \(deed) \(path): \(String(cString: strerror(errno)))", number: errno)
    }

    private init(path: String, description: String, number: CInt?) {
        self.path = path
        self.description = description
        self.number = number
    }
}
