/// A file, folder or socket could not be made or used as it must be.
public struct PathError: Error, Equatable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// `reason` in the kernel's words (man 3 errno).
    public init(path: String, errno: Int32) { self.init(path: path, reason: describe(errno: errno)) }

    public var description: String { "\(path): \(reason)" }
}
