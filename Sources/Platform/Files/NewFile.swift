import Glibc

/// A new file of mode 0600, open for writing. It is closed with the last reference to it.
///
/// Bytes are written through the descriptor, so never to another file that takes the path meanwhile.
public final class NewFile {
    public let path: String
    private let descriptor: CInt

    /// Throws if the path exists, also as a link: `FileError.number` is EEXIST.
    public init(at path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .failed("make", path) }
    }

    deinit { close(descriptor) }

    public func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
        guard File.write(bytes, to: descriptor) else { throw .failed("write", path) }
    }

    public func write(_ bytes: [UInt8]) throws(FileError) { try write(bytes[...]) }

    /// Makes its bytes durable; ``Folder/sync(of:)`` makes its name durable.
    public func sync() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .failed("write", path) }
    }
}
