import Files
import Glibc

/// The bytes of a file that a person wrote for the daemon: the settings or the schedule.
enum WrittenFile {
    /// The reason why the file could not be read.
    enum ReadError: Error, Equatable {
        /// The machine refused, with this errno.
        case denied(Int32)
        /// The path is no regular file: a sentence.
        case noFile(String)
        /// The path is a link to a place where this process sees no file. The sandbox may hide the file.
        case link
    }

    /// Nil if there is no such file. Of a longer file, at least one byte more than `limit` is returned.
    static func contents(of path: String, limit: Int) throws(ReadError) -> [UInt8]? {
        // O_NONBLOCK, because opening a named pipe waits for its writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            switch errno {
            case ENOENT:
                if isBrokenLink(path) { throw .link }
                return nil
            case ELOOP: throw .noFile(String(cString: strerror(ELOOP)) + ".")
            default: throw .denied(errno)
            }
        }
        defer { close(file) }
        var found = stat()
        guard fstat(file, &found) == 0 else { throw .denied(errno) }
        guard found.st_mode & S_IFMT == S_IFREG else {
            throw .noFile("It is \(kind(of: found)), where a file must be.")
        }
        var bytes: [UInt8] = []
        do throws(FileError) {
            while bytes.count <= limit, let more = try File.read(from: file, named: path) { bytes += more }
        } catch {
            throw .denied(error.number ?? EIO)
        }
        return bytes
    }

    /// True if `path` is a link to a place where this process sees no file.
    static func isBrokenLink(_ path: String) -> Bool {
        var found = stat()
        return lstat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFLNK && stat(path, &found) != 0
            && errno == ENOENT
    }

    /// Follows the path of a broken link in a sentence.
    static let isBroken = "is a link to where daybreakd sees no file (`daybreak doctor` says more)"

    private static func kind(of found: stat) -> String {
        switch found.st_mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        default: "a device"
        }
    }
}
