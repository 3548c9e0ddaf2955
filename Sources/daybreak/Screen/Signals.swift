import Glibc

/// The signals that concern a full screen, read from a descriptor like everything else: a handler writes each into a pipe.
final class Signals {
    private static let taken = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT]
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
    let descriptor = ends.exit

    init() {
        Self.taken.forEach(Self.heed)
        signal(SIGCHLD, SIG_IGN)  // What opens a link is not waited for.
    }

    deinit {
        for number in Self.taken { signal(number, SIG_DFL) }
    }

    /// Those that came.
    func read() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count > 0 ? bytes[..<count].map(Int32.init) : []
    }

    /// Does what the signal does to a program that does not look at it: ends, or stops until it is continued.
    static func suffer(_ number: Int32) {
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
