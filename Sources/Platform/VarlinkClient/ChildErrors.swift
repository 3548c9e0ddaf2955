import Glibc
public import Unix

/// The standard error of a child such as `ssh`. A hostile machine may have written it: its last bytes alone are kept, and they
/// are not for a terminal as they are.
public final class ChildErrors {
    /// For poll(2).
    public let descriptor: Int32
    /// The last bytes, so far.
    public private(set) var said: [UInt8] = []
    private var writing: Int32

    /// Bytes that are kept.
    public static let limit = 4_096
    /// How many bytes have come.
    public private(set) var receivedBytes = 0

    /// The child, and whoever had its standard error from it, have closed it. It is readable for ever.
    public private(set) var hasEnded = false

    /// How often a child that ends is waited for to say why, and for how many milliseconds.
    private static let waits = 10
    private static let patience: Int32 = 100

    public init() throws(SocketError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SocketError(path: "a pipe", errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        if writing >= 0 { close(writing) }
    }

    /// Lends the child's end while it is started, and closes it.
    func lend<Result>(_ start: (Int32) -> Result) -> Result {
        let result = start(writing)
        close(writing)
        writing = -1
        return result
    }

    /// Reads all that has come. Call it now and then: the child waits at a full pipe.
    public func read() { _ = readSome() }

    /// Reads to the end, for a child that is about to end. It waits a second at most.
    public func readToEnd() {
        for _ in 0..<Self.waits {
            guard readSome() else { return }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, Self.patience)
        }
    }

    /// False at the end, and where more comes than a machine says that means well.
    private func readSome() -> Bool {
        var chunk = [UInt8](repeating: 0, count: Self.limit)
        for _ in 0..<Self.mostChunks {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            guard count > 0 else {
                hasEnded = true
                return false
            }
            receivedBytes += count
            said = Array((said + chunk[..<count]).suffix(Self.limit))
        }
        return false
    }

    /// A pipe holds as much.
    private static let mostChunks = 64
}
