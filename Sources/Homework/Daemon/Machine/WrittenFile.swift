import Files
import Glibc

/// A file that a person wrote for the daemon, as bytes: the settings, the schedule.
enum WrittenFile {
    /// Why it is none.
    enum Unread: Error, Equatable {
        /// By the machine, with its errno.
        case denied(Int32)
        /// Something else is in its place: a sentence.
        case noFile(String)
        /// To where nothing is seen, which under systemd may be for the sandbox.
        case link
    }

    /// Nil where there is no such file. One byte more than `limit` is read at least, so that too long a file is seen as such.
    static func contents(of path: String, limit: Int) throws(Unread) -> [UInt8]? {
        // Not blocking: a named pipe would have us wait for whoever writes to it.
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

    /// Whether `path` is a link to a place where this process sees no file. Under systemd the sandbox may hide the file.
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
