import DaybreakInterfaces
import Foundation
import TestSupport
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// The privacy of `daybreak`, and the daemons that it refuses.
@Suite struct PrivacyTests {
    private static let nobody: uid_t = 65_534
    private static let become = ["/usr/bin/setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"]

    /// The kernel takes the listener's user from the last call of listen(2), whoever made the socket.
    private static func listenAsNobody(_ listener: Listener) throws {
        let process = Process()
        process.executableURL = URL(filePath: become[0])
        process.arguments =
            become[1...] + ["/usr/bin/python3", "-c", "import socket; socket.socket(fileno=0).listen(8)"]
        process.standardInput = FileHandle(fileDescriptor: listener.descriptor)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root hears what daemons of others name"),
        arguments: [
            ("backup FILE", Reply.frame(Service.Backup.Reply(file: "BAIT"))),
            ("export", Reply.frame(Service.Backup.Reply(file: "BAIT"))),
            ("restore FILE", Reply.frame(Service.GetStorage.Reply(folder: "FOLDER"))),
        ])
    func `root writes and reads no file that another user's daemon names`(verb: String, answer: [UInt8]) throws {
        let listener = Listener()
        try Self.listenAsNobody(listener)
        // A file beside the socket is refused before the daemon is asked.
        let (bait, file) = (listener.folder + "/bait", NSTemporaryDirectory() + "file-\(UUID())")
        defer { for path in [bait, file] { unlink(path) } }
        try "root's own".write(toFile: bait, atomically: false, encoding: .utf8)
        if verb == "restore FILE" { try "a backup".write(toFile: file, atomically: false, encoding: .utf8) }
        let before = try FileManager.default.contentsOfDirectory(atPath: listener.folder).sorted()
        let words = verb.split(separator: " ").map { $0 == "FILE" ? file : String($0) }
        let run = try ProgramTests.run(words, socket: listener.path) {
            let peer = listener.accept()
            guard peer.call() != "" else { return }
            let reply = String(decoding: answer, as: UTF8.self)
            peer.send(Array(reply.replacing("BAIT", with: bait).replacing("FOLDER", with: listener.folder).utf8))
            _ = peer.call()
        }
        let sentence =
            "The daemon at \(listener.path) is nobody's, and could name any file: nothing that it names is touched. "
            + "As nobody it is done: `DAYBREAK_SOCKET=\(listener.path) runuser -u nobody -- daybreak \(verb)`.\n"
        #expect(run == ProgramTests.Run(error: sentence, status: 1))
        #expect(try String(contentsOfFile: bait, encoding: .utf8) == "root's own")
        #expect(try FileManager.default.contentsOfDirectory(atPath: listener.folder).sorted() == before)
        #expect(FileManager.default.fileExists(atPath: file) == (verb == "restore FILE"))
    }

    /// The kernel makes root the owner of such a process's files in /proc.
    @Test(arguments: ["$(ulimit -H -c)", "0"])
    func `only root can read the memory of a program that reads a note, and it leaves no core dump`(limit: String)
        throws
    {
        let listener = Listener()
        let isRoot = geteuid() == 0
        if isRoot { for path in [listener.folder, listener.path] { chown(path, Self.nobody, Self.nobody) } }
        let program = Programs.path(of: "daybreak")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", "ulimit -c \(limit) && exec \"$@\"", "sh"] + (isRoot ? Self.become : []) + [program, "note", "-"]
        process.environment = ["DAYBREAK_SOCKET": listener.path, "LLVM_PROFILE_FILE": "/dev/null"]
        let typed = Pipe()
        process.standardInput = typed
        process.standardError = FileHandle.nullDevice
        try process.run()
        let peer = listener.accept()
        var found = stat()
        #expect(stat("/proc/\(process.processIdentifier)/environ", &found) == 0)
        #expect(found.st_uid == 0)
        let limits = try String(contentsOfFile: "/proc/\(process.processIdentifier)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        var own = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &own) == 0)
        let most = limit == "0" ? "0" : "\(min(1, own.rlim_max))"
        #expect(core?.split(separator: " ").dropFirst(4).map(String.init) == [most, most, "bytes"])
        try typed.fileHandleForWriting.close()
        peer.hangUp()
        process.waitUntilExit()
        #expect(process.terminationStatus == 69)
    }
}
