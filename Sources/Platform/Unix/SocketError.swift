import Glibc

/// A socket could not be made or used.
public struct SocketError: Error, Equatable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The reason is the kernel's text for `errno` (man 3 strerror).
    public init(path: String, errno: Int32) { self.init(path: path, reason: String(cString: strerror(errno))) }

    public var description: String { "\(path): \(reason)" }
}
