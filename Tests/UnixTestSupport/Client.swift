import Glibc

/// A client on a Unix socket. Its calls do not wait.
public final class Client {
    public private(set) var descriptor: Int32
    /// The daemon has closed the connection, and everything that it sent is received.
    public private(set) var isCutOff = false
    private var received: [UInt8] = []

    /// Takes over a connected socket.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    public convenience init(to path: String) {
        self.init(descriptor: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        must(descriptor)
        must(withAddress(path) { connect(descriptor, $0, $1) })
    }

    deinit { leave() }

    /// Closes the connection, also where a child process that another test starts holds a copy of the descriptor for a moment.
    public func leave() {
        guard descriptor >= 0 else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
        must(close(descriptor))
        descriptor = -1
    }

    /// Ends the sending; replies can still come.
    public func endSending() { must(shutdown(descriptor, Int32(SHUT_WR))) }

    /// Sends a message, with a NUL byte at its end.
    public func send(_ message: String) { send(bytes: Array(message.utf8) + [0]) }

    /// Sends bytes. Returns how many were sent: all, unless the socket is full or closed.
    @discardableResult public func send(bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        return sent
    }

    /// The oldest whole message; nil if there is none.
    public func message() -> String? {
        while true {
            if let end = received.firstIndex(of: 0) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard receive() else { return nil }
        }
    }

    /// Whether the daemon closes the connection, which may take a moment in a test that has the daemon in its own process: a
    /// child process that another test starts holds the daemon's end until it runs its program.
    public func becomesCutOff() -> Bool {
        while !isCutOff {
            var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&readable, 1, 20_000) > 0 else { return false }
            _ = receive()
        }
        return true
    }

    private func receive() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count > 0 { received += chunk[..<count] }
        if count == 0 || (count < 0 && errno != EAGAIN) { isCutOff = true }
        return count > 0
    }
}

/// Lends the address of a Unix socket for one call.
public func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafeBytes(of: &address) { bytes in
        body(bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(bytes.count))
    }
}
