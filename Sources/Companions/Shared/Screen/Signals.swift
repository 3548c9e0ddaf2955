import Glibc

/// The signals that concern a walk, read from a descriptor like everything else: a handler writes each into a pipe.
public final class Signals {
    public static let ofScreen = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT]
    /// Lines leave nothing to be put back, but the client is to know how to come back.
    public static let ofLines = [SIGINT, SIGTSTP]
    /// A pipe that is there from the first full screen on; a handler can be handed nothing, so it is the type's own.
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

    /// Can be read when signals came.
    public let descriptor = ends.exit

    private let taken: [Int32]

    public init(_ taken: [Int32]) {
        self.taken = taken
        taken.forEach(Self.heed)
        // Whoever started this program may have held them back.
        var mine = sigset_t()
        sigemptyset(&mine)
        for number in taken { sigaddset(&mine, number) }
        sigprocmask(SIG_UNBLOCK, &mine, nil)
    }

    deinit {
        for number in taken { signal(number, SIG_DFL) }
    }

    /// Those that came.
    public func read() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count > 0 ? bytes[..<count].map(Int32.init) : []
    }

    /// Does what the signal does to a program that does not look at it: ends, or stops until it is continued.
    public static func suffer(_ number: Int32) {
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
