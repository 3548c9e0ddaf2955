import Foundation
import Glibc
import TestSupport
import Testing
import UnixTestSupport

/// The real program, with XDG folders of its own. Its time is noon.
final class DaemonProcess {
    let folder: Folder
    private(set) var process: pid_t = 0
    private let notifications: Mailbox
    static let program = Programs.path(of: "daybreakd")

    /// - Parameters:
    ///   - descriptors: passed from number 3 on, as a service manager does.
    ///   - user: the user of the process, if not the test's own. Only root can choose another.
    init(
        in folder: Folder = Folder(), _ arguments: [String] = [], environment: [String: String] = [:],
        passing descriptors: [Int32] = [], user: uid_t? = nil
    ) {
        self.folder = folder
        unlink(folder["notify"])
        notifications = Mailbox(folder["notify"])
        mkdir(folder["runtime"], 0o700)
        var variables = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder["config"], "XDG_STATE_HOME": folder["state"],
            "XDG_RUNTIME_DIR": folder["runtime"], "NOTIFY_SOCKET": folder["notify"], "TZ": Noon.zone,
            "LLVM_PROFILE_FILE": "/dev/null",
        ]
        if !descriptors.isEmpty {
            variables["LISTEN_FDS"] = "\(descriptors.count)"
            variables["LISTEN_FDNAMES"] = descriptors.map { _ in "varlink" }.joined(separator: ":")
        }
        variables.merge(environment) { $1 }
        // Only the shell that becomes the program knows the number for LISTEN_PID.
        let shell = ["/bin/sh", "-c", #"LISTEN_PID=$$ exec "$0" "$@""#, Self.program]
        let become = user.map { ["/usr/bin/setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
        let command = become + shell + arguments
        process = spawn(command, variables, output: folder["output"], errors: folder["errors"], descriptors)
        notifications.shut(whenEnded: process)
    }

    deinit {
        if process > 0 {
            kill(process, SIGKILL)
            _ = end()
        }
    }

    var runtime: String { folder["runtime/daybreak"] }
    var output: String? { text(of: folder["output"]) }
    /// The lines that it logged, from its file.
    var log: String? { text(of: folder["errors"]) }
    /// The log without the time before each line.
    var errors: String? {
        log?.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let rest = line.dropFirst("2027-03-05T09:00:00+01:00 ".count)
            return rest.hasPrefix("daybreakd: ") ? rest : line
        }.joined(separator: "\n")
    }

    /// True until it ends.
    var isRunning: Bool { text(of: "/proc/\(process)/stat")?.contains(") Z ") == false }

    func client() -> Client { Client(to: runtime + "/control") }

    /// Waits until it reports that it is ready; false if it ends or does not report.
    func isReady() -> Bool {
        while let message = nextNotification() {
            if message.hasPrefix("READY=1\n") { return true }
        }
        return false
    }

    /// The next message to the service manager.
    func nextNotification() -> String? { notifications.next() }

    /// Drops the messages to the service manager, because a socket holds only a few and then makes the sender wait.
    @discardableResult func forgetNotifications() -> [String] { notifications.empty() }

    /// Sends a signal, if any, and waits for the end: the exit status, or the signal that ended it as a negative number.
    func end(_ signal: Int32? = nil) -> Int32 {
        if let signal { must(kill(process, signal)) }
        let latest = ContinuousClock.now + .microseconds(patience)
        while signal == nil, isRunning {
            // One that goes on would hold the tests up for ever.
            if ContinuousClock.now > latest { must(kill(process, SIGKILL)) }
            usleep(1_000)
        }
        var status: Int32 = 0
        must(waitpid(process, &status, 0))
        process = 0
        return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    }
}

private func spawn(
    _ command: [String], _ environment: [String: String], output: String, errors: String, _ descriptors: [Int32]
) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    for (index, descriptor) in descriptors.enumerated() {
        precondition(descriptor >= 3 + descriptors.count, "a descriptor would be written over before it is passed")
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + index))
    }
    closeOthers(in: &actions, from: Int32(3 + descriptors.count))
    var process: pid_t = 0
    let result = withCStrings(command) { command in
        withCStrings(environment.map { "\($0)=\($1)" }) { environment in
            posix_spawn(&process, command[0]!, &actions, nil, command, environment)
        }
    }
    precondition(result == 0, "posix_spawn: \(String(cString: strerror(result)))")
    return process
}

private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}

/// A datagram socket bound to a path, as a service manager holds it.
private final class Mailbox: Sendable {
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

    init(_ path: String) { must(withAddress(path) { bind(descriptor, $0, $1) }) }

    deinit { close(descriptor) }

    func empty() -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
            messages.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
        return messages
    }

    /// Ends the waiting for a datagram once the process has ended and all of its datagrams are read.
    func shut(whenEnded process: pid_t) {
        Thread.detachNewThread { [self] in
            var ended = siginfo_t()
            // WNOWAIT leaves the status for another waiter.
            _ = waitid(P_PID, id_t(process), &ended, WEXITED | WNOWAIT)
            shutdown(descriptor, Int32(SHUT_RD))
        }
    }

    /// Waits for a datagram; nil if none comes any more, or not within the patience.
    func next() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, Int32(patience / 1_000)) == 1 else { return nil }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count <= 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}

extension Client {
    /// Waits for the next message; nil if the connection was closed instead, or after the patience.
    func wait(_ patience: UInt64 = patience) -> String? {
        while true {
            if let message = message() { return message }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard !isCutOff, poll(&wanted, 1, Int32(patience / 1_000)) == 1 else { return nil }
        }
    }

    func ask(_ call: String) -> String? {
        send(call)
        return wait()
    }
}

extension Client {
    /// Returns once the operation under way, such as a night's copy, is done, because those on the history are carried out one at
    /// a time. This one is refused at once.
    func waitForMaintenance() { _ = ask(call("Service.Restore", #"{"file":"none"}"#)) }
}
