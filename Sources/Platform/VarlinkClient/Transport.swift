public import Glibc
public import Unix

/// A stream socket to a service: a local socket, or a child process that carries the bytes elsewhere (`ssh`).
public struct Transport: ~Copyable {
    /// Open while the transport exists.
    public let descriptor: Int32
    /// The process that carries the bytes; nil for a socket.
    public let child: pid_t?

    /// Takes over a connected stream socket.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
        child = nil
    }

    private init(descriptor: Int32, child: pid_t) {
        self.descriptor = descriptor
        self.child = child
    }

    /// Closes the socket, which ends a child's input, and waits for the child.
    deinit {
        close(descriptor)
        guard let child else { return }
        while waitpid(child, nil, 0) < 0, errno == EINTR {}
    }

    /// Connects to a local socket.
    public static func socket(at path: String) throws(SocketError) -> Transport {
        Transport(descriptor: try LocalSocket.connect(to: path))
    }

    /// Starts a program, found by PATH. Its standard input and output are the conversation. It has the usual signals, also
    /// where this process blocks some.
    /// - Parameter errors: its standard error; nil for this process's own.
    public static func program(_ words: [String], errors: Int32? = nil) throws(SocketError) -> Transport {
        precondition(!words.isEmpty, "a program has a name")
        let (ours, theirs) = try LocalSocket.pair()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, theirs, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, theirs, STDOUT_FILENO)
        if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0) } + [nil]
        var child: pid_t = 0
        let failure = posix_spawnp(&child, words[0], &actions, &attributes, arguments, environ)
        for argument in arguments { free(argument) }
        posix_spawn_file_actions_destroy(&actions)
        close(theirs)
        guard failure == 0 else {
            close(ours)
            throw SocketError(path: words[0], errno: failure)
        }
        return Transport(descriptor: ours, child: child)
    }
}
