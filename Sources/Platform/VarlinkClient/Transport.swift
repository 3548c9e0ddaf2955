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

    /// Closes the socket, which ends a child's input, and waits for the child. One that goes on is ended: the machine at the
    /// other end of `ssh` may keep it for ever.
    deinit {
        close(descriptor)
        if let child { Child.end(child) }
    }

    public static func socket(at path: String) throws(SocketError) -> Transport {
        Transport(descriptor: try LocalSocket.connect(to: path))
    }

    /// Starts a program, found by PATH. Its standard input and output are the conversation. It has the usual signals, also
    /// where this process blocks some.
    /// - Parameter errors: takes its standard error; nil for this process's own.
    public static func program(_ words: [String], errors: ChildErrors? = nil) throws(SocketError) -> Transport {
        let (ours, theirs) = try LocalSocket.pair()
        defer { close(theirs) }
        func start(_ errors: Child.Stream) -> Result<pid_t, Child.NotStarted> {
            Result { () throws(Child.NotStarted) in
                try Child.start(words, input: .descriptor(theirs), output: .descriptor(theirs), errors: errors)
            }
        }
        switch errors?.lend({ start(.descriptor($0)) }) ?? start(.inherited) {
        case .success(let child): return Transport(descriptor: ours, child: child)
        case .failure(let error):
            close(ours)
            throw SocketError(path: words[0], errno: error.errno)
        }
    }
}
