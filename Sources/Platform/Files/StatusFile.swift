import Glibc

/// The status file: one JSON object, replaced atomically, mode 0600.
///
/// Its folder is opened each time, and everything is done inside the opened folder: a link put in the place of the folder or
/// of the file leads nowhere else.
public struct StatusFile {
    private let path: String

    public init(path: String) { self.path = path }

    private var folder: String { Folder.parent(of: path) }
    private var name: String { File.name(in: path) }

    /// A reader sees the old text or the new one, never a part. The folder must exist.
    ///
    /// Throws if the new text cannot be written. Then the old one is removed, because it is not true any more.
    public func write(_ text: [UInt8]) throws(FileError) {
        do throws(FileError) { try replace(with: text) } catch {
            try? remove()  // If that fails, too, the first error says why.
            throw error
        }
    }

    private func replace(with text: [UInt8]) throws(FileError) {
        let folder = try openFolder()
        defer { close(folder) }
        let draft = name + ".new"
        // Left by a crash in between, or put there by another program: it is never written through.
        guard unlinkat(folder, draft, 0) == 0 || errno == ENOENT else { throw .failed("remove", path + ".new") }
        let file = openat(folder, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed("make", path + ".new") }
        defer { close(file) }
        guard File.write(text, to: file) else { throw .failed("write", path + ".new") }
        guard renameat(folder, draft, folder, name) == 0 else { throw .failed("replace", path) }
    }

    /// Removes the file, if it is there.
    public func remove() throws(FileError) {
        let folder = try openFolder()
        defer { close(folder) }
        guard unlinkat(folder, name, 0) == 0 || errno == ENOENT else { throw .failed("remove", path) }
    }

    private func openFolder() throws(FileError) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed("open the folder", folder) }
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_uid == geteuid(), found.st_mode & 0o022 == 0 else {
            close(descriptor)
            throw FileError(folder, "\(folder) must be a folder of this user's that nobody else may write in")
        }
        return descriptor
    }
}
