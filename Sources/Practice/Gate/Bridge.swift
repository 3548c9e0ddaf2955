import Glibc

/// Carries bytes between standard input and output and a socket, both ways at once, until one side is gone.
final class Bridge {
    private var inward: Lane
    private var outward: Lane

    /// - Parameter socket: stays the caller's.
    init(_ socket: Int32) {
        inward = Lane(from: STDIN_FILENO, to: socket)
        outward = Lane(from: socket, to: STDOUT_FILENO)
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, socket] {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
    }

    func carry() {
        // Once the client has said all, what practiced still answers is carried out.
        while !outward.isDone, !inward.isBroken {
            var waits = [
                inward.source, inward.target, outward.source, outward.target,
            ]
            guard poll(&waits, nfds_t(waits.count), -1) >= 0 || errno == EINTR else { return }
            // Nobody is left to read, also where nothing is to be written.
            if waits[3].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return }
            inward.move()
            outward.move()
            if inward.isDone { inward.shutDown() }
        }
    }
}

/// One direction. What was read waits in a small buffer until it can be written.
private struct Lane {
    private let from: Int32
    private let to: Int32
    private var buffer = [UInt8](repeating: 0, count: 32 * 1_024)
    private var held = 0..<0
    private var hasEnded = false
    private(set) var isBroken = false
    private var isShut = false

    init(from: Int32, to: Int32) { (self.from, self.to) = (from, to) }

    /// Everything that came was handed on, and no more comes.
    var isDone: Bool { isBroken || (hasEnded && held.isEmpty) }

    /// A negative descriptor is passed over (man 2 poll).
    var source: pollfd { pollfd(fd: held.isEmpty && !hasEnded ? from : -1, events: Int16(POLLIN), revents: 0) }
    var target: pollfd { pollfd(fd: to, events: held.isEmpty ? 0 : Int16(POLLOUT), revents: 0) }

    mutating func move() {
        if held.isEmpty, !hasEnded {
            let count = read(from, &buffer, buffer.count)
            if count > 0 { held = 0..<count }
            if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { hasEnded = true }
        }
        guard !held.isEmpty else { return }
        let count = buffer[held].withUnsafeBytes { write(to, $0.baseAddress, $0.count) }
        if count > 0 { held = held.lowerBound + count..<held.upperBound }
        if count < 0, errno != EAGAIN, errno != EINTR { isBroken = true }
    }

    /// The other side reads an end.
    mutating func shutDown() {
        guard !isShut else { return }
        isShut = true
        shutdown(to, Int32(SHUT_WR))
    }
}
