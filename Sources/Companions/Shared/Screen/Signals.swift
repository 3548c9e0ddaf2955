import Glibc

/// Signals that can be read from a descriptor: a handler writes each into a pipe.
public final class Signals {
    public static let ofScreen = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT]
    /// The signals of a program that prints lines: it has no screen to restore, but a last line to print.
    public static let ofLines = [SIGINT, SIGTSTP]
    /// The pipe. It is static, because a signal handler has no context.
    private static let ends = {
        var ends: [Int32] = [-1, -1]
        let made = pipe(&ends)
        precondition(made == 0, "a pipe can be made")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (exit: ends[0], entrance: ends[1])
    }()

    /// The descriptor, which is readable after a signal.
    public let descriptor = ends.exit

    private let taken: [Int32]

    public init(_ taken: [Int32]) {
        self.taken = taken
        taken.forEach(Self.heed)
        // The parent process may have blocked them.
        var mine = sigset_t()
        sigemptyset(&mine)
        for number in taken { sigaddset(&mine, number) }
        sigprocmask(SIG_UNBLOCK, &mine, nil)
    }

    deinit {
        for number in taken { signal(number, SIG_DFL) }
    }

    /// The signals that have come since the last call.
    public func read() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count > 0 ? bytes[..<count].map(Int32.init) : []
    }

    /// Gives the signal its default effect: the program ends, or stops until it is continued.
    public static func takeDefaultAction(_ number: Int32) {
        signal(number, SIG_DFL)
        raise(number)
        heed(number)
    }

    private static func heed(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(Signals.ends.entrance, &byte, 1)
            errno = before
        }
        action.sa_flags = Int32(SA_RESTART)
        sigaction(number, &action, nil)
    }
}
