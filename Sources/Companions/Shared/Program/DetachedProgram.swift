import Glibc
import Unix

/// A program that runs beside this one, such as one that shows a link, and that writes only if it fails. It outlives this one and
/// its terminal.
public final class DetachedProgram {
    /// Readable once the program has written or ended.
    public let descriptor: Int32

    /// Starts it without input and error output. Nil if it cannot be started.
    public init?(_ words: [String]) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        descriptor = ends[0]
        defer { close(ends[1]) }
        signal(SIGCHLD, SIG_IGN)  // The kernel reaps it.
        do {
            _ = try Child.start(
                words, input: .none, output: .descriptor(ends[1]), errors: .none, signals: [SIGCHLD], isDetached: true)
        } catch {
            close(ends[0])
            return nil
        }
    }

    deinit { close(descriptor) }

    /// False if it ended and has written nothing. Waits until ``descriptor`` is readable.
    public var hasWritten: Bool {
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) > 0
    }
}
