public import Glibc

/// The device and inode of a file: they differ from those of another file that has taken its name.
public struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    public init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }

    /// Nil if there is no file.
    public init?(of path: String) throws(FileError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .failed("look at", path) }
            return nil
        }
        self.init(status)
    }
}
