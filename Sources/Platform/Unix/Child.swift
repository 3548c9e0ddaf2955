public import Glibc

/// Other programs, run by this one. They have no signal blocked and get SIGPIPE as usual, independent of this process's
/// signals.
public enum Child {
    /// A standard stream of a child.
    public enum Stream {
        /// This process's own.
        case inherited
        /// /dev/null.
        case none
        case descriptor(Int32)
    }

    /// The program could not be started.
    public struct NotStarted: Error {
        public let errno: Int32
    }

    /// Starts a program, found by PATH unless its name has a slash. Of this process's descriptors it has those without
    /// FD_CLOEXEC.
    ///
    /// - Parameters:
    ///   - words: the program's name and arguments.
    ///   - file: the program, if it is not the first word.
    ///   - variables: `NAME=VALUE`; nil for this process's own environment.
    ///   - signals: further signals that the program gets as usual, though this process ignores them.
    ///   - isDetached: it is in a session of its own, so that the end of this process's terminal does not end it.
    public static func start(
        _ words: [String], file: String? = nil, input: Stream = .inherited, output: Stream = .inherited,
        errors: Stream = .inherited, variables: [String]? = nil, signals: [Int32] = [], isDetached: Bool = false
    ) throws(NotStarted) -> pid_t {
        precondition(!words.isEmpty, "a program has a name")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (stream, own) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            switch stream {
            case .inherited: break
            case .none: posix_spawn_file_actions_addopen(&actions, own, "/dev/null", O_RDWR, 0)
            case .descriptor(let given): posix_spawn_file_actions_adddup2(&actions, given, own)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, usual) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&usual)
        for signal in [SIGPIPE] + signals { sigaddset(&usual, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        let session = isDetached ? ownSession : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session))
        var child: pid_t = 0
        let file = file ?? words[0]
        let failure = withPointers(to: words) { arguments in
            guard let variables else { return posix_spawnp(&child, file, &actions, &attributes, arguments, environ) }
            return withPointers(to: variables) { posix_spawnp(&child, file, &actions, &attributes, arguments, $0) }
        }
        guard failure == 0 else { throw NotStarted(errno: failure) }
        return child
    }

    /// POSIX_SPAWN_SETSID (man 3 posix_spawnattr_setflags), which Swift does not import.
    private static let ownSession: Int32 = 0x80

    /// Waits for the child's end. Returns its exit status; nil if a signal ended it.
    @discardableResult public static func wait(for child: pid_t) -> Int32? {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? status >> 8 & 0xff : nil
    }

    /// Waits for the end of a child that has no input any more. One that goes on for seconds is ended by SIGTERM, and one that
    /// goes on after that by SIGKILL. Returns its exit status; nil if a signal ended it.
    @discardableResult public static func end(_ child: pid_t) -> Int32? {
        for signal in [SIGTERM, SIGKILL] {
            var pause: UInt32 = 500
            var waited: UInt32 = 0
            while waited < patience {
                var status: Int32 = 0
                let found = waitpid(child, &status, WNOHANG)
                if found == child { return status & 0x7f == 0 ? status >> 8 & 0xff : nil }
                if found < 0, errno != EINTR { return nil }
                usleep(pause)
                waited += pause
                pause = min(pause * 2, 50_000)
            }
            kill(child, signal)
        }
        return wait(for: child)
    }

    /// Microseconds.
    private static let patience: UInt32 = 3_000_000

    /// Lends the strings as a C array of pointers, the last one null.
    public static func withPointers<Result>(
        to words: [String], _ use: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return use(pointers)
    }
}
