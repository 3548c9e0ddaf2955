import Glibc

/// Copies bytes between a socket and standard input and output, in both directions, until one side closes.
final class Bridge {
    private var inward: ByteCopier
    private var outward: ByteCopier

    /// - Parameter socket: is not closed.
    init(_ socket: Int32) {
        // The end of the socket is noticed by reading. While replies wait to be written, poll would report it without a pause.
        inward = ByteCopier(from: STDIN_FILENO, to: socket, noticesHangup: false)
        outward = ByteCopier(from: socket, to: STDOUT_FILENO, noticesHangup: true)
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, socket] {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
    }

    func carry() {
        // After the end of the input, practiced's answers are still copied.
        while !outward.isDone, !inward.isBroken {
            var waits = [
                inward.source, inward.target, outward.source, outward.target,
            ]
            guard poll(&waits, nfds_t(waits.count), -1) >= 0 || errno == EINTR else { return }
            // The reader of the output has closed it.
            if waits[3].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return }
            inward.move()
            outward.move()
            if inward.isDone { inward.shutDown() }
        }
    }
}

/// Copies bytes in one direction, through a small buffer.
private struct ByteCopier {
    private let from: Int32
    private let to: Int32
    /// True if poll reports a hang-up of the target while there is nothing to write.
    private let noticesHangup: Bool
    private var buffer = [UInt8](repeating: 0, count: 32 * 1_024)
    private var held = 0..<0
    private var hasEnded = false
    private(set) var isBroken = false
    private var isShut = false

    init(from: Int32, to: Int32, noticesHangup: Bool) {
        (self.from, self.to, self.noticesHangup) = (from, to, noticesHangup)
    }

    /// True if the source has ended and all bytes are written, or the target is broken.
    var isDone: Bool { isBroken || (hasEnded && held.isEmpty) }

    /// poll(2) ignores a negative descriptor.
    var source: pollfd { pollfd(fd: held.isEmpty && !hasEnded ? from : -1, events: Int16(POLLIN), revents: 0) }
    var target: pollfd {
        pollfd(fd: held.isEmpty && !noticesHangup ? -1 : to, events: held.isEmpty ? 0 : Int16(POLLOUT), revents: 0)
    }

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

    /// Closes the target for writing, so that its reader sees the end.
    mutating func shutDown() {
        guard !isShut else { return }
        isShut = true
        shutdown(to, Int32(SHUT_WR))
    }
}
