import Foundation
import Glibc
import Systemd

/// Microseconds, longer than any of these tests takes: only a failing test waits so long.
let patience: UInt64 = 60_000_000

/// Dispatches everything that is ready now.
func settle(_ loop: EventLoop) throws {
    while try loop.step(timeoutMicroseconds: 0) {}
}

/// The arguments of a handler's calls, in order.
final class Calls<Value> {
    private(set) var values: [Value] = []

    func add(_ value: Value) { values.append(value) }

    func take() -> [Value] {
        defer { values = [] }
        return values
    }
}

/// A folder of the test's own, removed with everything in it.
final class Folder {
    let path: String

    init() {
        var template = Array("/tmp/systemd-tests-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template)!)
    }

    deinit {
        // The test may have moved or removed the folder.
        try? FileManager.default.removeItem(atPath: path)
    }

    subscript(_ name: String) -> String { "\(path)/\(name)" }
}

func must(_ result: Int32, _ call: String = #function) {
    precondition(result != -1, "\(call): \(String(cString: strerror(errno)))")
}

/// Writes a file in place, as a shell's > does.
func write(_ text: String, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    must(descriptor)
    precondition(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
    must(close(descriptor))
}

/// Both ends of a pipe or a socket pair, closed with the object.
final class Ends {
    private(set) var first: Int32
    private(set) var second: Int32

    private init(_ pair: [Int32]) { (first, second) = (pair[0], pair[1]) }

    /// `first` reads what `second` writes.
    static func pipe() -> Ends {
        var pair: [Int32] = [-1, -1]
        must(Glibc.pipe(&pair))
        return Ends(pair)
    }

    static func sockets() -> Ends {
        var pair: [Int32] = [-1, -1]
        must(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair))
        return Ends(pair)
    }

    deinit {
        if first >= 0 { close(first) }
        if second >= 0 { close(second) }
    }

    func send() { precondition(Glibc.write(second, "x", 1) == 1) }

    func receive() {
        var byte: UInt8 = 0
        precondition(read(first, &byte, 1) == 1)
    }

    func closeSecond() {
        must(close(second))
        second = -1
    }
}

/// A datagram socket bound to a path, as a service manager or a journal holds it.
final class Mailbox {
    private let descriptor: Int32

    init(_ path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        bindUnix(descriptor, path)
    }

    deinit { close(descriptor) }

    /// The oldest datagram; nil if there is none.
    func next() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let length = recv(descriptor, &buffer, buffer.count, 0)
        return length < 0 ? nil : Array(buffer.prefix(length))
    }

    func nextText() -> String? { next().map { String(decoding: $0, as: UTF8.self) } }
}

func bindUnix(_ descriptor: Int32, _ path: String) {
    must(descriptor)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    withUnsafeBytes(of: &address) { bytes in
        must(bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(bytes.count)))
    }
}

/// Whether this process holds a capability, by its number in linux/capability.h.
func holds(capability number: Int) -> Bool {
    // Without /proc, no capability is known to be held.
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return false }
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let set = line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
    return set & (1 << UInt64(number)) != 0
}
