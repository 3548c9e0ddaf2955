import Foundation
import Glibc
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// Private files in a folder that other programs change at the same time.
@Suite final class PrivateFileTests {
    private let folder: String
    private var file: String { folder + "/kept" }
    /// The path of the draft, before it gets the file's name.
    private var draft: String { file + ".new-\(getpid())" }

    init() {
        var template = Array("/tmp/daybreak-private-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // Only this test makes it.

    private var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }  // Nil if none.

    private func put(_ text: String, at path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    /// The error's sentence; nil if the file was written.
    private func write(
        replacing: Bool = false, isNamed: Bool = false, meanwhile: () throws(Failure) -> Void = {}
    ) -> String? {
        do throws(Failure) {
            try PrivateFile.write(to: file, replacing, orSaying: "There is one.", false, isNamed: isNamed) {
                kept throws(Failure) in
                try kept.append(Array("new".utf8)[...])
                try meanwhile()
            }
            return nil
        } catch {
            return error.sentence
        }
    }

    /// Its draft would lie in the folder above, which is often another user's.
    @Test func `a folder is no file`() {
        let refused = #expect(throws: Failure.self) { try PrivateFile.write(to: "/proc/self") { _ in } }
        #expect(refused?.sentence == "/proc/self is a folder; name a file in it.")
    }

    @Test(arguments: [("~", "/FILE"), ("~/", "/FILE"), ("~/moods.html", "/moods.html")])
    func `a tilde that the shell has left is no name`(path: String, rest: String) {
        let sentence = "\(path): the shell left the ~ as it is; write \"$HOME\(rest)\"."
        #expect(refusal(of: path, isWritten: false) == sentence)
        #expect(refusal(of: path, isWritten: true) == sentence)
    }

    /// The error's sentence; nil if the path was taken for a name.
    private func refusal(of path: String, isWritten: Bool) -> String? {
        do throws(Failure) {
            guard isWritten else {
                try PrivateFile.checkFree(path)
                return nil
            }
            try PrivateFile.write(to: path, replacing: true) { file throws(Failure) in try file.append([0]) }
            return nil
        } catch {
            return error.sentence
        }
    }

    @Test(arguments: [false, true]) func `a file has mode 0600, and no draft is left`(isNamed: Bool) throws {
        #expect(write(isNamed: isNamed) == nil)
        #expect(text(file) == "new")
        #expect(try names == ["kept"])
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    /// A program that is killed then leaves nothing.
    @Test(arguments: [false, true]) func `a file has no name before it is whole`(replacing: Bool) throws {
        if replacing { try put("old", at: file) }
        let before = try names
        var meanwhile: [String] = []
        #expect(write(replacing: replacing) { meanwhile = try! self.names } == nil)
        #expect(meanwhile == before)
        #expect(text(file) == "new")
        #expect(try names == ["kept"])
    }

    @Test(arguments: [false, true], [false, true])
    func `the file does not exist before it is whole`(replacing: Bool, isNamed: Bool) throws {
        if replacing { try put("old", at: file) }
        let before = text(file)
        let said = write(replacing: replacing, isNamed: isNamed) { () throws(Failure) in
            #expect(self.text(self.file) == before)
            throw .refused("Interrupted", saying: "No more.")
        }
        #expect(said == "No more.")
        #expect(text(file) == before)
        #expect(try names == (replacing ? ["kept"] : []))
    }

    @Test(arguments: [false, true])
    func `an existing file is kept, also one that is made meanwhile`(isNamed: Bool) throws {
        let said = write(isNamed: isNamed) { try! self.put("theirs", at: self.file) }
        #expect(said == "There is one.")
        #expect(text(file) == "theirs")
        #expect(try names == ["kept"])
        #expect(write() == "There is one.")
        #expect(text(file) == "theirs")
        #expect(write(replacing: true) == nil)
        #expect(text(file) == "new")
    }

    /// Another user of the folder could make the link so that a file of the client's is read or overwritten.
    @Test(arguments: [false, true]) func `a link is not followed`(replacing: Bool) throws {
        let other = folder + "/other"
        try put("the client's", at: other)
        #expect(symlink(other, draft) == 0)
        let refused = write(replacing: replacing, isNamed: true)
        #expect(refused == "\(draft) is there already; name a file that is not.")
        if replacing { #expect(write(replacing: true) == refused) }
        #expect(text(other) == "the client's")
        #expect(unlink(draft) == 0)
        #expect(symlink(other, file) == 0)
        #expect(write(replacing: replacing) == (replacing ? nil : "There is one."))
        #expect(text(file) == (replacing ? "new" : "the client's"))
        #expect(text(other) == "the client's")
    }

    @Test func `a draft that already exists is not written to`() throws {
        try put("theirs", at: draft)
        for (replacing, isNamed) in [(false, true), (true, true), (true, false)] {
            let said = write(replacing: replacing, isNamed: isNamed)
            #expect(said == "\(draft) is there already; name a file that is not.")
        }
        #expect(text(draft) == "theirs")
        #expect(try names == ["kept.new-\(getpid())"])
    }

    /// Such as a backup of another year, or the notes on it.
    @Test(arguments: [false, true], [false, true])
    func `a file of the user's own stays, whatever its name`(replacing: Bool, isNamed: Bool) throws {
        let ended = Process()
        ended.executableURL = URL(filePath: "/bin/true")
        try ended.run()
        ended.waitUntilExit()
        let name = "kept.new-\(ended.processIdentifier)"
        let others = [name, name + ".txt", "kept.new-1.db"]
        for name in others { try put("precious", at: "\(folder)/\(name)") }
        #expect(write(replacing: replacing, isNamed: isNamed) == nil)
        #expect(try names == (others + ["kept"]).sorted())
        for name in others { #expect(text("\(folder)/\(name)") == "precious") }
    }

    @Test func `the error of a missing folder names the file`() {
        #expect(rmdir(folder) == 0)
        #expect(write() == "\(file) cannot be written: No such file or directory.")
    }

    @Test func `a file is told to be there although its folder cannot be read, and so not be synced`() async {
        await #expect(processExitsWith: .success) {
            var template = Array("/tmp/daybreak-private-XXXXXX".utf8CString)
            let folder = String(cString: mkdtemp(&template))
            let nobody: uid_t = 65_534
            if geteuid() == 0 { #expect(chown(folder, nobody, nobody) == 0 && seteuid(nobody) == 0) }
            #expect(chmod(folder, 0o300) == 0)
            do throws(Failure) {
                try PrivateFile.write(to: folder + "/kept") { file throws(Failure) in try file.append([0]) }
                Issue.record("the folder was synced")
            } catch {
                #expect(
                    error.sentence == "\(folder)/kept is written, and may be gone after a power cut: its folder cannot "
                        + "be put on disk (Permission denied).")
            }
            #expect(unlink(folder + "/kept") == 0 && rmdir(folder) == 0)
        }
    }

    private func replacing(_ path: String) -> String? {
        do throws(Failure) {
            try PrivateFile.checkFree(path, replacing: true)
        } catch {
            var again: String?
            do throws(Failure) {
                try PrivateFile.write(to: path, replacing: true) { file throws(Failure) in try file.append([0]) }
            } catch { again = error.sentence }
            #expect(again == error.sentence)
            return error.sentence
        }
        return nil
    }

    @Test(arguments: [false, true]) func `nothing but a regular file is replaced`(isLink: Bool) {
        #expect(isLink ? symlink("/dev/zero", file) == 0 : mkfifo(file, 0o600) == 0)
        #expect(replacing(file) == "\(file) is a device, a pipe or a socket, which nothing replaces; name a file.")
        var found = stat()
        #expect(stat(file, &found) == 0 && found.st_mode & S_IFMT != S_IFREG)
    }

    @Test func `a folder is not replaced, and a link that leads nowhere is`() throws {
        #expect(replacing(folder) == "\(folder) is a folder; name a file in it.")
        #expect(symlink("/nowhere", file) == 0)
        #expect(replacing(file) == nil)
        #expect(write(replacing: true) == nil)
        #expect(text(file) == "new")
    }

    @Test(arguments: [
        ("history.db.lock", "history.db"), ("history.db.lock", "history.db-wal"),
        ("history.db.lock", "backups/mine.db"),
        ("practice.db", "practice.db"), ("tasks.json", "tasks.json"), ("daybreak.toml", "daybreak.toml"),
    ]) func `nothing is written among Daybreak's own files`(there: String, name: String) throws {
        #expect(mkdir(folder + "/backups", 0o700) == 0)
        try put("Daybreak's", at: "\(folder)/\(there)")
        let path = "\(folder)/\(name)"
        #expect(
            replacing(path) == "\(path) is one of Daybreak's own files, or would lie among them; name another place.")
        #expect(text("\(folder)/\(there)") == "Daybreak's")
    }

    @Test func `nothing is written beside a daemon's socket`() throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (folder + "/control").utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        try put("{}", at: folder + "/status.json")
        let path = folder + "/status.json"
        #expect(
            replacing(path) == "\(path) is one of Daybreak's own files, or would lie among them; name another place.")
        #expect(text(path) == "{}")
        #expect(
            replacing(folder + "/control")
                == "\(folder)/control is a device, a pipe or a socket, which nothing replaces; name a file.")
    }
}
