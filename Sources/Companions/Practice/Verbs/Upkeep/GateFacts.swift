import Companion
import Files
import Glibc
import PracticeInterfaces
import StaffInterfaces

// The facts about access over SSH, from this machine.
extension GateFacts {
    private static let server = "/usr/sbin/sshd"

    /// - Parameter found: what the daemon knows of its host key and address; nil without the right to ask.
    static func ofMachine(_ found: Upkeep.Diagnose.Reply? = nil) -> GateFacts {
        func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
        var facts = GateFacts()
        facts.hasServer = exists(server)
        guard facts.hasServer else { return facts }
        facts.hasOptionsFile = exists(optionsFile)
        facts.hasKeygen = exists(keygen)
        facts.isRunning = isServerRunning
        facts.options = options
        facts.missingAccounts = accounts.filter { getpwnam($0) == nil }
        facts.programPath = checkedPaths(to: program)
        facts.hostKeyFault = found?.hostKey
        facts.address = found?.address ?? ""
        facts.isAddressNamed = found?.addressNamed ?? true
        return facts
    }

    /// True if one of its units is active, or if it runs by itself with its usual file.
    private static var isServerRunning: Bool {
        let units = ["ssh.service", "sshd.service", "ssh.socket", "sshd.socket"]
        // systemctl ends with 0 if one of them is active. It fails where no systemd runs.
        if (try? ChildProcess.output(of: "systemctl", ["--quiet", "is-active"] + units)) != nil { return true }
        // Without the file, sshd does not run.
        let bytes = try? File.prefix(32, of: "/run/sshd.pid")
        guard let bytes,
            let process = Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        else { return false }
        return access("/proc/\(process)", F_OK) == 0
    }

    private static var options: Options {
        guard geteuid() == 0 else { return .unasked }
        do {
            let asked = ["-T", "-C", "user=\(accounts[0]),host=localhost,addr=127.0.0.1"]
            return .text(String(decoding: try ChildProcess.output(of: server, asked), as: UTF8.self))
        } catch {
            return .refused(error.sentence)
        }
    }

    /// A file and the folders above it, with their owners and modes, as sshd looks at them; empty if there is no such file.
    static func checkedPaths(to path: String) -> [CheckedPath] {
        guard let real = realpath(path, nil) else { return [] }
        defer { free(real) }
        var (place, paths) = (String(cString: real), [CheckedPath]())
        while true {
            var found = stat()
            guard stat(place, &found) == 0 else { return paths }
            paths.append(
                CheckedPath(path: place, owner: found.st_uid, group: found.st_gid, mode: found.st_mode & 0o7777))
            if place == "/" { return paths }
            place = Folder.parent(of: place)
        }
    }
}
