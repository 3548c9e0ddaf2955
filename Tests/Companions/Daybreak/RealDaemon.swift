import Foundation
import Glibc
import TestSupport
import Testing

/// The real `daybreakd`, in folders of its own. Its time is noon.
final class RealDaemon {
    private let folder: String
    private let programs: URL
    private let readiness: Readiness
    private var process = Process()
    private var isDead = true
    /// The present day of the daemon, as a schedule spells it.
    let today = "\(Noon.today)"
    let path: String
    /// The environment of its clients.
    let surroundings: [String: String]

    /// - Parameter schedule: TODAY stands for the present day.
    init(settings: String = "", schedule: String = #"[[5, ["calm", "tired", "hopeful"], "TODAY"]]"#) throws {
        programs = URL(filePath: Programs.folder)
        var template = Array("/tmp/daybreak-real-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template))
        for path in ["config/daybreak", "state", "run"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(path)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        path = "\(folder)/run/daybreak/control"
        surroundings = [
            "XDG_CONFIG_HOME": "\(folder)/config", "XDG_STATE_HOME": "\(folder)/state",
            "XDG_RUNTIME_DIR": "\(folder)/run", "TZ": Noon.zone,
        ]
        readiness = Readiness(in: folder)
        try settings.write(toFile: "\(folder)/config/daybreak/daybreak.toml", atomically: true, encoding: .utf8)
        try schedule.replacing("TODAY", with: today)
            .write(toFile: "\(folder)/config/daybreak/tasks.json", atomically: true, encoding: .utf8)
        try begin()
    }

    deinit {
        die()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts it, or starts it again, and waits until it reports that it is ready.
    func begin() throws {
        process = Process()
        process.executableURL = programs.appending(path: "daybreakd")
        process.environment = surroundings.merging([
            "HOME": folder, "NOTIFY_SOCKET": readiness.path, "LLVM_PROFILE_FILE": "/dev/null",
        ]) { $1 }
        for stream in [\Process.standardInput, \.standardOutput, \.standardError] {
            process[keyPath: stream] = FileHandle.nullDevice
        }
        try process.run()
        isDead = false
        try readiness.wait()
    }

    /// True if a file in its folders has that text.
    func filesHold(_ text: String) -> Bool {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return files.contains {
            FileManager.default.contents(atPath: "\(folder)/\($0)")?.range(of: Data(text.utf8)) != nil
        }
    }

    /// Stops it, as a debugger does: it listens, and does not answer.
    func stop() { kill(process.processIdentifier, SIGSTOP) }
    func goOn() { kill(process.processIdentifier, SIGCONT) }

    /// Kills it, as the kernel does when memory runs out.
    func die() {
        guard !isDead else { return }
        isDead = true
        if !process.isRunning { Issue.record("the daemon ended by itself, with \(process.terminationStatus)") }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// Where a daemon says that it is ready (man 3 sd_notify).
final class Readiness {
    let path: String
    private let descriptor: Int32

    init(in folder: String) {
        path = folder + "/notify"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        precondition(bound == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    func wait() throws {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&wanted, 1, 20_000) == 1, case let count = recv(descriptor, &bytes, bytes.count, 0), count > 0 {
            if String(decoding: bytes[..<count], as: UTF8.self).hasPrefix("READY=1\n") { return }
        }
        throw CocoaError(.executableLoad)
    }
}
