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

/// The identity of a file, its size and the time of its last change: one of them differs after another program wrote it.
public struct FileStamp: Equatable, Sendable {
    public let identity: FileIdentity
    private let size: off_t
    private let seconds: time_t
    private let nanoseconds: Int

    /// Nil if there is no file.
    public init?(of path: String) throws(FileError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .failed("look at", path) }
            return nil
        }
        identity = FileIdentity(status)
        (size, seconds, nanoseconds) = (status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}
