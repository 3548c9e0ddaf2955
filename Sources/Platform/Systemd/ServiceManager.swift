import CSystemd
import Glibc

/// Messages between a service and the manager that started it (man 7 sd-daemon).
public enum ServiceManager {
    /// A descriptor that the service manager opened for this process, or kept for it.
    public struct Passed: Equatable, Sendable {
        public let descriptor: Int32

        /// FileDescriptorName= of the socket unit, or "unknown".
        public let name: String

        /// A socket to accept connections from; otherwise a connection, or no socket at all.
        public let isListening: Bool

        public init(descriptor: Int32, name: String, isListening: Bool) {
            self.descriptor = descriptor
            self.name = name
            self.isListening = isListening
        }
    }

    /// Sends assignments such as `("STATUS", "Waiting")` in one datagram (man 3 sd_notify).
    /// - Returns: false when no service manager listens (NOTIFY_SOCKET is not set).
    /// - Precondition: no name or value holds a line break, which would begin another assignment.
    @discardableResult
    public static func notify(_ assignments: [(String, String)]) throws(SystemdError) -> Bool {
        let lines = assignments.map { "\($0.0)=\($0.1)" }
        precondition(!lines.contains { $0.utf8.contains(UInt8(ascii: "\n")) }, "a notification is one line")
        return try check("sd_notify", sd_notify(0, lines.joined(separator: "\n"))) > 0
    }

    /// Sets the text that `systemctl status` shows. Returns false and sends nothing if the manager has not read the earlier
    /// messages yet: `sd_notify` would wait for it, and this program's clients with it.
    public static func tell(status: String) throws(SystemdError) -> Bool {
        precondition(!status.utf8.contains(UInt8(ascii: "\n")), "a notification is one line")
        return try send("STATUS=\(status)")
    }

    /// Reports that the service has begun to stop. It never waits.
    @discardableResult
    public static func stopping() throws(SystemdError) -> Bool { try send("STOPPING=1") }

    private static func send(_ line: String) throws(SystemdError) -> Bool {
        guard let path = getenv("NOTIFY_SOCKET").map({ Array(String(cString: $0).utf8) }) else { return true }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: path.prefix(room.count))
            // A leading @ names an abstract socket, which has no file (man 7 unix, "abstract").
            if room[0] == UInt8(ascii: "@") { room[0] = 0 }
            return path.count < room.count
        }
        guard fits else { throw SystemdError(call: "NOTIFY_SOCKET", errno: ENAMETOOLONG) }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try checkErrno("socket", socket)
        defer { close(socket) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let line = Array(line.utf8)
        let sent = withUnsafeBytes(of: &address) { bytes in
            sendto(
                socket, line, line.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL),
                bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, length)
        }
        guard sent < 0 else { return true }
        guard errno == EAGAIN else { throw SystemdError(call: "sendto", errno: errno) }
        return false
    }

    /// Reports that the service has started.
    @discardableResult
    public static func ready(status: String) throws(SystemdError) -> Bool {
        try notify([("READY", "1"), ("STATUS", status)])
    }

    /// The descriptors passed to this process, with FD_CLOEXEC set (man 3 sd_listen_fds_with_names). They become the
    /// caller's: a second call returns none. Empty if none were passed, or if the environment's variables do not fit.
    public static func passedDescriptors() -> [Passed] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        guard count > 0, let names else { return [] }
        defer { free(names) }
        return (0..<count).map { index in
            let name = names[Int(index)]
            defer { free(name) }
            let descriptor = SD_LISTEN_FDS_START + index
            return Passed(
                descriptor: descriptor, name: name.map { String(cString: $0) } ?? "unknown",
                isListening: isListening(descriptor))
        }
    }

    private static func isListening(_ descriptor: Int32) -> Bool {
        var answer: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &answer, &length) == 0 && answer != 0
    }
}
