import Foundation
import Glibc
import JSON
import TestSupport
import Testing
import Varlink

/// The things that `Tests/run` prepares for these tests: the installed programs, and clients that others wrote.
enum Given {
    private static let environment = ProcessInfo.processInfo.environment
    static let programs = environment["DAYBREAK_BIN"]
    static let python = environment["DAYBREAK_PYTHON"]

    static let isComplete = programs != nil && python != nil
    static let why: Comment = "DAYBREAK_BIN and DAYBREAK_PYTHON do not say where the programs and the clients are"

    static let varlinkctl = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/varlinkctl" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The clone.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path(percentEncoded: false)
}

/// A client with a daemon of their own: one open task, with one breath of two seconds.
final class ClientFixture {
    let folder: String
    private let daemon: Program
    private let socket: String

    /// The daemon gets the socket, so that an early call is answered once the daemon runs.
    init(configuration: String = "", schedule: String? = nil) throws {
        var template = Array("/tmp/daybreak-strangers-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template)!)
        socket = "\(folder)/run/daybreak/control"
        for path in ["config/daybreak", "run/daybreak", "state"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(path)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let settings = "[breathing]\npattern = \"1-0-1-0\"\n\(configuration)"
        try settings.write(toFile: "\(folder)/config/daybreak/daybreak.toml", atomically: true, encoding: .utf8)
        let tasks = schedule ?? "[[1, [\"calm\", \"tired\"], \"\(Noon.yesterday)\"]]"
        try tasks.write(toFile: "\(folder)/config/daybreak/tasks.json", atomically: true, encoding: .utf8)
        let listener = try Line.listen(at: socket)
        defer { close(listener) }
        var environment = Self.environment(of: folder)
        environment["LISTEN_FDS"] = "1"
        environment["LISTEN_FDNAMES"] = "varlink"
        // Only the shell that becomes the program knows the number for LISTEN_PID.
        let words = ["/bin/sh", "-c", #"LISTEN_PID=$$ exec "$0""#, "\(Given.programs!)/daybreakd"]
        daemon = Program(words, environment, passing: listener)
    }

    deinit {
        daemon.stop()  // Otherwise it could still write a file.
        try? FileManager.default.removeItem(atPath: folder)  // Files left in /tmp fail no test.
    }

    private static func environment(of folder: String) -> [String: String] {
        [
            "HOME": folder, "XDG_CONFIG_HOME": "\(folder)/config", "XDG_STATE_HOME": "\(folder)/state",
            "XDG_RUNTIME_DIR": "\(folder)/run", "TZ": Noon.zone, "PATH": path,
            "PYTHONUNBUFFERED": "1", "LC_ALL": "C.UTF-8",
        ]
    }

    /// The clients' `python3` comes first, then Daybreak's programs.
    private static var path: String {
        let clients = URL(filePath: Given.python ?? "").deletingLastPathComponent().path(percentEncoded: false)
        return "\(clients):\(Given.programs ?? ""):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    }

    /// The address as varlink spells it.
    var address: String { "unix:\(socket)" }
    var status: String { "\(folder)/run/daybreak/status.json" }

    /// Starts a program as the client, with the same folders.
    func start(_ words: [String]) -> Program { Program(words, Self.environment(of: folder)) }

    func run(_ words: [String]) -> Program.CommandOutput { start(words).end() }

    /// Runs a Python text, which can use the clients.
    func python(_ text: String, _ arguments: [String] = []) -> Program.CommandOutput {
        run([Given.python!, "-c", text] + arguments)
    }

    func line() throws -> Line { try Line(to: socket) }

    /// A call's reply, over a connection of its own.
    @discardableResult func ask(_ method: String, _ parameters: String = "{}") throws -> Reply {
        let line = try line()
        line.send(Array("{\"method\":\"org.daybreak.\(method)\",\"parameters\":\(parameters)}\0".utf8))
        return try #require(try line.reply())
    }
}

/// A connection on a Unix socket, read with the tested module. It waits.
final class Line {
    private let descriptor: Int32
    private var reader = FrameReader(limit: 1 << 20)

    init(descriptor: Int32) {
        self.descriptor = descriptor
        // Longer than any of these tests takes.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    convenience init(to path: String) throws {
        self.init(descriptor: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        try #require(Self.withAddress(path) { connect(descriptor, $0, $1) } == 0, "\(path): \(errno)")
    }

    deinit { close(descriptor) }

    static func listen(at path: String) throws -> Int32 {
        let listener = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(withAddress(path) { bind(listener, $0, $1) } == 0, "\(path): \(errno)")
        try #require(Glibc.listen(listener, 16) == 0)
        return listener
    }

    static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafeBytes(of: &address) { bytes in
            body(bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(bytes.count))
        }
    }

    func send(_ frame: [UInt8]) {
        var sent = 0
        while sent < frame.count {
            let count = frame[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Waits for the next frame; nil if the connection ends instead.
    func frame() throws -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        while true {
            if let frame = reader.next() { return frame }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            try chunk[..<count].withUnsafeBytes { try reader.append($0) }
        }
    }

    func reply() throws -> Reply? { try frame().map { try Reply(frame: $0) } }
}

/// JSON with its keys in order, for whole comparisons.
func sorted(_ json: some Collection<UInt8>) throws -> String {
    let value = try JSONSerialization.jsonObject(with: Data(json))
    return String(decoding: try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]), as: UTF8.self)
}
