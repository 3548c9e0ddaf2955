import Control
import Foundation
import Testing
import Varlink

@testable import daybreak

/// What `daybreak` keeps to itself, and what it does not do for others.
@Suite struct PrivacyTests {
    private static let nobody: uid_t = 65_534
    private static let become = ["/usr/bin/setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"]

    /// The kernel has who listens from the last call of listen(2), whoever made the socket.
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
            ("backup FILE", Reply.frame(ServiceInterface.FileReply(file: "BAIT"))),
            ("export", Reply.frame(ServiceInterface.FileReply(file: "BAIT"))),
            ("restore FILE", Reply.frame(ServiceInterface.StorageReply(folder: "FOLDER"))),
        ])
    func `root touches no file that another user's daemon names`(verb: String, answer: [UInt8]) throws {
        let listener = Listener()
        try Self.listenAsNobody(listener)
        let (bait, file) = (listener.folder + "/bait", listener.folder + "/file")
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
    }
}
