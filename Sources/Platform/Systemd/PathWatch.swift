import Files
import Glibc

/// Notices that the file at a path was replaced, edited, removed or created, also if the path is a link.
///
/// A link may lead to another one, as `/etc/localtime` often does. So every name on the way is watched, from the path to the
/// file at its end, each by its folder, because a rename over a watched file would end a watch on the file. If a folder
/// is missing, the nearest one above it is watched until the folder is made. One change may call the handler several times.
public final class PathWatch {
    private let loop: EventLoop
    private let path: String
    private let handler: () -> Void
    private var watches: [FileWatch] = []

    /// - Precondition: `path` is absolute.
    public init(
        _ loop: EventLoop, path: String, _ handler: @escaping () -> Void
    ) throws(SystemdError) {
        precondition(path.hasPrefix("/"), "the path is absolute")
        self.loop = loop
        self.path = path
        self.handler = handler
        watches = try follow()
    }

    private func follow() throws(SystemdError) -> [FileWatch] {
        var watches: [FileWatch] = []
        var next: String? = path
        while let path = next, watches.count < PathWatch.maximumLinks {
            watches.append(try watch(path))  // Before the link is read, so that no change slips in between.
            next = target(of: path)
        }
        return watches
    }

    private func changed() {
        do {
            // The old watches end after the new ones begin, so that sd-event keeps watching each folder.
            watches = try follow()
        } catch {
            // Out of watches or descriptors: the old watches stay, and the handler looks at the file as it is now.
        }
        handler()
    }

    /// Watches the name at the end of `path`, or the first of its folders that is missing.
    private func watch(_ path: String) throws(SystemdError) -> FileWatch {
        var entry = Entry(path)
        while true {
            do throws(SystemdError) {
                let watch = try watch(entry)
                // If the folder was made since it was found missing, it is watched itself.
                guard entry.path != path, isFolder(entry.path) else { return watch }
                entry = Entry(path)
            } catch {
                guard error.errno == ENOENT || error.errno == ENOTDIR, entry.folder != "/" else { throw error }
                entry = Entry(entry.folder)
            }
        }
    }

    private func watch(_ entry: Entry) throws(SystemdError) -> FileWatch {
        try FileWatch(loop, directory: entry.folder, priority: PathWatch.priority) { [weak self] name in
            if name == nil || name == entry.name { self?.changed() }
        }
    }

    /// Before other sources, so that a call that comes after the change finds the file as it is.
    private static let priority: Int64 = -10

    /// The most links that Linux follows on one path (man 7 path_resolution). More are a loop of links.
    private static let maximumLinks = 40
}

/// A name, and its folder.
private struct Entry {
    let folder: String
    let name: String

    init(_ path: String) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        name = String(path[slash...].dropFirst())
        folder = slash == path.startIndex ? "/" : String(path[..<slash])
    }

    var path: String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }
}

/// The path to which the symbolic link at `path` leads; nil if it is no link.
private func target(of path: String) -> String? {
    guard let target = File.linkTarget(path) else { return nil }
    return target.hasPrefix("/") ? target : "\(Entry(path).folder)/\(target)"
}

private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}
