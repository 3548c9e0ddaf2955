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
        // The umask takes away from the mode above.
        guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else { throw .failed("make", path) }
    }

    /// A file without a name, on the disk of that folder. It is gone with its last reference, also that of a program that is
    /// killed, unless ``link(to:)`` gave it a name. Nil where no such file can be made.
    public init?(unnamedIn folder: String) {
        path = folder
        // O_TMPFILE, a macro that Swift does not take over (man 2 open).
        descriptor = open(folder, 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0, fchmod(descriptor, 0o600) == 0, access(named, F_OK) == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// The file by its descriptor (man 5 proc).
    private var named: String { "/proc/self/fd/\(descriptor)" }

    /// Gives the file a name, or one more. Throws if the name is taken: `FileError.number` is EEXIST.
    public func link(to path: String) throws(FileError) {
        guard linkat(AT_FDCWD, named, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 else { throw .failed("make", path) }
    }

    /// Lets all users read the file.
    public func makePublic() throws(FileError) {
        guard fchmod(descriptor, 0o644) == 0 else { throw .failed("change the mode of", path) }
    }

    public func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
        guard File.write(bytes, to: descriptor) else { throw .failed("write", path) }
    }

    public func write(_ bytes: [UInt8]) throws(FileError) { try write(bytes[...]) }

    /// Makes its bytes durable; ``Folder/sync(of:)`` makes its name durable.
    public func sync() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .failed("write", path) }
    }
}
