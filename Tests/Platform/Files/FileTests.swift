import Files
import Foundation
import Glibc
import Testing

/// Files on a real disk.
struct FileTests {
    private let place = TemporaryFolder()
    private var path: String { place.path + "/file" }

    @Test func `an interrupted replacement leaves the old file, and a finished one the whole new file`() throws {
        struct Interrupted: Error {}
        write("old", to: path)
        #expect(throws: Interrupted.self) {
            try File.replace(path) { draft in
                try NewFile(at: draft).write(Array("ne".utf8))
                throw Interrupted()
            }
        }
        #expect(place.names == ["file"] && text(of: path) == "old")
        try File.replace(path) { try NewFile(at: $0).write(Array("new".utf8)) }
        #expect(place.names == ["file"] && text(of: path) == "new" && mode(path) == 0o600)
    }

    @Test(arguments: [
        ("/home/cleo/.local", "/home/cleo/.local"), ("/home/zażółć", "/home/zażółć"), ("", "''"),
        ("/tmp/x y; touch PWN", "'/tmp/x y; touch PWN'"), ("it's $HOME", #"'it'\''s $HOME'"#), ("~/x", "'~/x'"),
    ]) func `a path in a command is one word of the shell`(path: String, word: String) throws {
        #expect(File.quoted(path) == word)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "printf %s \(word)"]
        let output = Pipe()
        shell.standardOutput = output
        try shell.run()
        #expect(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == path)
        shell.waitUntilExit()
    }

    @Test func `a file without a name is named whole, and vanishes without one`() throws {
        do {
            let file = try #require(NewFile(unnamedIn: place.path))
            try file.write(Array("new".utf8))
            #expect(place.names == [])
        }
        #expect(place.names == [])
        let file = try #require(NewFile(unnamedIn: place.path))
        try file.write(Array("new".utf8))
        try file.link(to: path)
        #expect(place.names == ["file"] && text(of: path) == "new" && mode(path) == 0o600)
        let there = #expect(throws: FileError.self) { try file.link(to: path) }
        #expect(there?.number == EEXIST)
        try file.makePublic()
        #expect(mode(path) == 0o644)
        #expect(NewFile(unnamedIn: path) == nil && NewFile(unnamedIn: "/nowhere") == nil)
    }

    @Test func `a new file is refused where a file or a link already has its name`() throws {
        write("old", to: path)
        let there = #expect(throws: FileError.self) { try NewFile(at: path) }
        #expect(there?.number == EEXIST && there?.description == "Could not make \(path): File exists")
        symlink(path, path + ".link")
        #expect(throws: FileError.self) { try NewFile(at: path + ".link") }
        #expect(text(of: path) == "old")
    }

    @Test func `a copy has every byte of the file, and mode 0600`() throws {
        let long = String(repeating: "zażółć 🌅\n", count: 20_000)
        write(long, to: path)
        chmod(path, 0o644)
        try File.copy(path, to: path + ".copy")
        #expect(text(of: path + ".copy") == long && mode(path + ".copy") == 0o600)
    }

    @Test func `a missing file has size 0 and passes the read check, but cannot be opened`() throws {
        #expect(try File.size(of: path) == 0 && !File.exists(path))
        try File.checkReadable(path)
        try File.link(path, to: path + ".link")
        #expect(throws: FileError.self) { try File.prefix(1, of: path) }
        write("four", to: path)
        #expect(try File.size(of: path) == 4 && File.prefix(9, of: path) == Array("four".utf8))
    }

    @Test func `lines are read with and without a last line feed, and a line over the limit is refused`() throws {
        let lines = ["", "one", String(repeating: "x", count: 100_000), "last"]
        for end in ["", "\n"] {
            write(lines.joined(separator: "\n") + end, to: path)
            let reader = try Lines(of: path, limit: 100_000)
            var read: [String] = []
            while let line = try reader.next() { read.append(line) }
            #expect(read == lines)
        }
        let reader = try Lines(of: path, limit: 1_000)
        #expect(try reader.next() == "" && reader.next() == "one")
        #expect(throws: Lines.TooLong.self) { try reader.next() }
    }

    @Test func `a removed file is overwritten, unless it has another name`() throws {
        for name in ["gone", "kept"] { write("a word", to: place.path + "/" + name) }
        let (gone, kept) = (place.path + "/gone", place.path + "/kept")
        let descriptor = open(gone, O_RDONLY)
        defer { close(descriptor) }
        link(kept, kept + ".own")
        let removed = RemovedFiles()
        for path in [gone, kept, place.path + "/never"] {
            try removed.add(path)
            unlink(path)
        }
        try removed.overwrite()
        var bytes = [UInt8](repeating: 7, count: 6)
        #expect(pread(descriptor, &bytes, 6, 0) == 6 && bytes == [0, 0, 0, 0, 0, 0])
        #expect(text(of: kept + ".own") == "a word")
    }

    /// A client has opened the copy that was made for it, and an erasure removes all copies at the same moment.
    @Test(arguments: [true, false]) func `a file that is being fetched is not overwritten`(isErasedFirst: Bool) throws {
        write("a word", to: path)
        chmod(path, 0o600)
        let removed = RemovedFiles()
        if isErasedFirst { try removed.add(path) }
        let taken = try TakenFile(path)
        if !isErasedFirst { try removed.add(path) }
        try File.remove(path)
        try removed.overwrite()
        #expect(try File.read(from: taken.descriptor, named: path).map { Array($0) } == Array("a word".utf8))
        #expect(place.names == [])
    }

    @Test func `a file that others can open is overwritten, whoever has locked it`() throws {
        write("a word", to: path)
        chmod(path, 0o644)
        let stranger = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(stranger) }
        #expect(flock(stranger, LOCK_SH) == 0)
        let removed = RemovedFiles()
        try removed.add(path)
        try File.remove(path)
        try removed.overwrite()
        var bytes = [UInt8](repeating: 7, count: 6)
        #expect(pread(stranger, &bytes, 6, 0) == 6 && bytes == [0, 0, 0, 0, 0, 0])
    }

    /// True if a thread of this process waits for a lock: the kernel lists it with an arrow.
    private var isSomebodyWaitingForALock: Bool {
        (text(of: "/proc/locks") ?? "").split(separator: "\n").contains { line in
            ["->", "FLOCK", "\(getpid())"].allSatisfy(line.split(separator: " ").map(String.init).contains)
        }
    }

    @Test func `a file that is erased while it is fetched is refused`() throws {
        write("a word", to: path)
        let eraser = open(path, O_WRONLY | O_CLOEXEC)
        #expect(flock(eraser, LOCK_EX) == 0)
        let fetched = Refusal(of: { [path] in _ = try TakenFile(path) })
        while !isSomebodyWaitingForALock { usleep(1_000) }
        #expect(unlink(path) == 0)
        close(eraser)
        #expect(fetched.value == "The file \(path) was erased meanwhile")
    }

    @Test func `a new file is its user's to read and write, also with a umask that forbids it`() async {
        await #expect(processExitsWith: .success) {
            umask(0o777)
            let path = NSTemporaryDirectory() + "daybreak-umask-\(getpid())"
            defer { unlink(path) }
            _ = try NewFile(at: path)
            #expect(mode(path) == 0o600)
        }
    }

    // MARK: Locks

    @Test func `a lock is held by one at a time, and its file is closed to others`() throws {
        write("", to: path)
        chmod(path, 0o666)
        let lock = try FileLock(path, refusal: "Held")
        #expect(mode(path) == 0o600)
        let refused = #expect(throws: FileError.self) { try FileLock(path, refusal: "Held") }
        #expect(refused?.description == "Held (process \(getpid()))")
        withExtendedLifetime(lock) {}
    }

    /// The kernel's list of a hundred locks is longer than a page, and the newest stand first.
    @Test func `the holder of a lock is named among many other locks`() throws {
        let lock = try FileLock(path, refusal: "Held")
        let others = try (1...200).map { try FileLock("\(path)-\($0)", refusal: "Held") }
        let refused = #expect(throws: FileError.self) { try FileLock(path, refusal: "Held") }
        #expect(refused?.description == "Held (process \(getpid()))")
        withExtendedLifetime((lock, others)) {}
    }

    @Test func `a lock that is no plain file is an error, and is not waited for`() throws {
        mkfifo(path, 0o600)
        let refused = #expect(throws: FileError.self) { try FileLock(path, refusal: "Held") }
        #expect(refused?.description == "The lock \(path) is no plain file: remove it")
    }

    /// Only root can be another account.
    @Test(.enabled(if: geteuid() == 0, "only root can be another user"))
    func `a lock that another account took before the file was closed to it keeps nobody out`() async throws {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let path = folder.path + "/lock"
            chmod(folder.path, 0o755)
            write("", to: path)
            chmod(path, 0o666)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/setpriv")
            process.arguments = [
                "--reuid=65533", "--clear-groups", "flock", path, "sh", "-c", "echo held; exec sleep 1000",
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            defer { process.terminate() }
            #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
            let lock = try FileLock(path, refusal: "Held")
            #expect(throws: FileError.self) { try FileLock(path, refusal: "Held") }
            #expect(folder.names == ["lock"] && mode(path) == 0o600)
            withExtendedLifetime(lock) {}
        }
    }

    @Test func `a folder and its missing parents are made with mode 0700`() throws {
        let folder = place.path + "/a/b"
        try Folder.make(folder)
        try Folder.make(folder)
        #expect(mode(place.path + "/a") == 0o700 && mode(folder) == 0o700)
        try Folder.checkPrivate(folder)
        try Folder.checkNoLink(folder)
        chmod(folder, 0o770)
        let shared = #expect(throws: FileError.self) { try Folder.checkPrivate(folder) }
        #expect(shared?.description == "Others may write in the folder \(folder): run chmod go-w \(folder)")
        symlink(folder, folder + ".link")
        #expect(throws: FileError.self) { try Folder.checkNoLink(folder + ".link") }
        #expect(try Set(Folder.names(in: place.path + "/a")) == ["b", "b.link"])
        #expect(try Folder.names(in: place.path + "/none") == [])
    }

    @Test(arguments: [("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b", "a", "b")])
    func `a path is split into its folder and its name`(path: String, folder: String, name: String) {
        #expect(Folder.parent(of: path) == folder && File.name(in: path) == name)
    }

    @Test func `an existing folder is made private, and its parents are left alone`() throws {
        let (above, folder) = (place.path + "/a", place.path + "/a/b")
        for path in [above, folder] { mkdir(path, 0o755) }
        try Folder.makePrivate(folder)
        #expect([above, folder].map(mode) == [0o755, 0o700])
    }

    private func refusal(_ folder: String) -> String? {
        #expect(throws: FileError.self) { try Folder.makePrivate(folder) }?.description
    }

    /// Somebody may name / or /tmp, and nobody else could use them afterwards.
    @Test func `a folder that is open to others is left alone if it holds what is not the caller's`() throws {
        func made(_ folder: String, _ before: mode_t, holding file: String?) throws -> mode_t {
            let path = place.path + "/" + folder
            mkdir(path, 0o700)
            chmod(path, before)
            if let file { write("", to: path + "/" + file) }
            do throws(FileError) { try Folder.makePrivate(path, having: ["control"]) } catch {
                let said = "The folder \(path) is open to others, and what is in it is not Daybreak's"
                #expect(error.description == "\(said): name a folder of its own")
            }
            return mode(path)
        }
        #expect(try made("empty", 0o755, holding: nil) == 0o700)
        #expect(try made("own", 0o755, holding: "control") == 0o700)
        #expect(try made("closed", 0o700, holding: "letters") == 0o700)
        #expect(try made("others", 0o755, holding: "letters") == 0o755)
        #expect(try made("shared", 0o1777, holding: nil) == 0o1777)
    }

    @Test func `a second database that is replaced in one instant is kept beside the first`() throws {
        let backups = Backups(of: place.path + "/history.db")
        mkdir(place.path + "/backups", 0o700)
        for number in 7...9 {
            let path = try backups.replacedPath(on: "2027-03-05", at: 7)
            #expect(path == place.path + "/backups/replaced-2027-03-05-\(number).db")
            write("", to: path)
        }
    }

    @Test func `a link or a file is refused as a private folder`() throws {
        let (elsewhere, file) = (place.path + "/elsewhere", place.path + "/file")
        mkdir(elsewhere, 0o700)
        symlink(elsewhere, path + ".link")
        #expect(refusal(path + ".link") == "\(path).link is a link, or no folder: put a folder in its place")
        write("", to: file)
        #expect(refusal(file) == "\(file) is a link, or no folder: put a folder in its place")
        #expect(refusal(file + "/a") == "Could not look at the folder \(file)/a: Not a directory")
    }

    /// The owner of a folder could replace the private folder in it.
    @Test(.enabled(if: geteuid() == 0, "Only root can make a folder of somebody else's."))
    func `another user's folder, and a folder in it, are refused as private folders`() {
        let folder = place.path + "/a"
        mkdir(folder, 0o777)
        chown(folder, 65_534, 65_534)
        #expect(Folder.owner(of: folder) == 65_534)
        #expect(refusal(folder) == "The folder \(folder) is not user 0's own")
        #expect(refusal(folder + "/b") == "The folder \(folder) belongs to user 65534, not to user 0")
    }

    @Test func `a private folder is made in a folder open to others only if that has the sticky bit`() throws {
        let folder = place.path + "/a"
        mkdir(folder, 0o700)
        chmod(folder, 0o777)
        #expect(refusal(folder + "/b") == "Others may write in the folder \(folder): run chmod go-w \(folder)")
        chmod(folder, 0o1777)
        try Folder.makePrivate(folder + "/b")
    }
}

/// A folder that is removed when the test is over.
private final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/daybreak-files-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no temporary folder: errno \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        // unlink(2) removes a link itself, and fails for a folder.
        guard unlink(path) != 0 else { return }
        for name in (try? Folder.names(in: path)) ?? [] { remove(path + "/" + name) }
        rmdir(path)
    }

    var names: [String] { (try? Folder.names(in: path).sorted()) ?? [] }
}

/// The error of work on a thread of its own, in words.
private final class Refusal: Sendable {
    private nonisolated(unsafe) var found = "nothing"
    private let end = DispatchSemaphore(value: 0)

    init(of work: @escaping @Sendable () throws -> Void) {
        Thread.detachNewThread { [self] in
            do { try work() } catch { found = "\(error)" }
            end.signal()
        }
    }

    var value: String {
        end.wait()
        return found
    }
}

private func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { preconditionFailure("cannot write \(path)") }
    fputs(text, file)
    fclose(file)
}

private func text(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
}
