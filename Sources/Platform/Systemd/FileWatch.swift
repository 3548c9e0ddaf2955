import CSystemd
import Glibc

/// Watches the names in a folder (man 7 inotify, man 3 sd_event_add_inotify).
///
/// The handler receives the name of each entry that was written and closed, moved in, linked, deleted or moved away;
/// perhaps more than once. A new file is reported when its writer closes it. `nil` means that events were lost, or that the
/// folder itself was removed, moved away or unmounted: all entries must be looked at again. In the second case `isWatching`
/// is false, and the handler is not called any more.
public final class FileWatch {
    private var handle: SourceHandle?
    private let directory: String
    private let handler: (_ name: String?) -> Void

    /// Throws ENOENT or ENOTDIR where there is no such folder. A symbolic link to a folder is followed once, now.
    /// - Parameter priority: smaller numbers are dispatched first.
    public init(
        _ loop: EventLoop, directory: String, priority: Int64 = 0, _ handler: @escaping (_ name: String?) -> Void
    ) throws(SystemdError) {
        self.directory = directory
        self.handler = handler
        let context = Unmanaged.passUnretained(self).toOpaque()
        let handle = try SourceHandle("sd_event_add_inotify") {
            sd_event_add_inotify(loop.pointer, $0, directory, FileWatch.mask, folderChanged, context)
        }
        if priority != 0 { try handle.setPriority(priority) }
        self.handle = consume handle
    }

    /// False after the folder was removed, moved away or unmounted.
    public var isWatching: Bool { handle != nil }

    fileprivate func changed(_ mask: UInt32, _ name: String?) {
        if mask & FileWatch.gone != 0 {
            handle = nil
            handler(nil)
        } else if mask & UInt32(IN_Q_OVERFLOW) != 0 {
            handler(nil)
        } else if let name, !isBeingWritten(mask, name) {
            handler(name)
        }
    }

    /// True for a new file under its first name. Its writer will close it; before that it holds a part of the text.
    private func isBeingWritten(_ mask: UInt32, _ name: String) -> Bool {
        guard mask & UInt32(IN_CREATE) != 0 else { return false }
        var status = stat()
        guard lstat("\(directory)/\(name)", &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }

    private static let gone = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT)
    private static let entries =
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
    private static let mask = entries | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
}

private let folderChanged: sd_event_inotify_handler_t = { _, event, context in
    guard let event else { preconditionFailure("sd-event called back without an inotify event") }
    let watch: FileWatch = owner(context)
    watch.changed(event.pointee.mask, csystemd_inotify_name(event).map { String(cString: $0) })
    return 0
}
