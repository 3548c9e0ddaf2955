import Glibc
import Synchronization
import Systemd

/// A queue between two threads: one puts items in, the other takes all that are there.
///
/// Its descriptor is readable while items wait: a pipe with a byte in it.
final class Mailbox<Item: Sendable>: Sendable {
    let descriptor: Int32
    private let wake: Int32
    private let items = Mutex<[Item]>([])

    /// - Parameter blocking: whether `takeAll` waits for an item.
    init(blocking: Bool) throws(SystemdError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemdError(call: "pipe", errno: errno) }
        (descriptor, wake) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        if !blocking { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(descriptor)
        close(wake)
    }

    func put(_ more: [Item]) {
        guard !more.isEmpty else { return }
        let wasEmpty = items.withLock { items in
            defer { items += more }
            return items.isEmpty
        }
        // If items were waiting already, the taker has been woken for them.
        if wasEmpty {
            var byte: UInt8 = 0
            while write(wake, &byte, 1) < 0, errno == EINTR {}
        }
    }

    /// Takes all items. There may be none: a wake-up can come after its items were taken.
    func takeAll() -> [Item] {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            while read(descriptor, bytes.baseAddress, bytes.count) < 0, errno == EINTR {}
        }
        return items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
