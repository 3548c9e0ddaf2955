import Glibc
import Testing
import Unix
import UnixTestSupport

@Suite struct PrivateFolderTests {
    private let folder = Folder()

    private func failure(_ path: String) -> PathError? {
        #expect(throws: PathError.self) { try PrivateFolder.make(path) }
    }

    @Test func `a folder is made private, with those above it`() throws {
        try PrivateFolder.make(folder["a/b/c"])
        #expect(["a", "a/b", "a/b/c"].map { mode(of: folder[$0]) } == [0o700, 0o700, 0o700])
    }

    @Test func `a folder that is there is made private, and those above it are left alone`() throws {
        must(mkdir(folder["a"], 0o755))
        must(mkdir(folder["a/b"], 0o755))
        try PrivateFolder.make(folder["a/b"])
        #expect(["a", "a/b"].map { mode(of: folder[$0]) } == [0o755, 0o700])
    }

    private func refusal(_ path: String) -> PathError {
        PathError(path: path, reason: "It must be a folder of this user's, and no link.")
    }

    @Test func `a link to a folder is refused`() throws {
        must(mkdir(folder["elsewhere"], 0o700))
        must(symlink(folder["elsewhere"], folder["a"]))
        #expect(failure(folder["a"]) == refusal(folder["a"]))
    }

    @Test func `a file is refused`() {
        write("", to: folder["a"])
        #expect(failure(folder["a"]) == refusal(folder["a"]))
        #expect(failure(folder["a/b"]) == PathError(path: folder["a/b"], reason: "Not a directory"))
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can make a folder of somebody else's."))
    func `somebody else's folder is refused`() {
        must(mkdir(folder["a"], 0o777))
        must(chown(folder["a"], 65_534, 65_534))
        #expect(failure(folder["a"]) == refusal(folder["a"]))
    }

    /// Whoever owns it could put another folder in ours's place.
    @Test(.enabled(if: geteuid() == 0, "Only root can make a folder of somebody else's."))
    func `a folder in somebody else's is refused`() {
        must(mkdir(folder["a"], 0o777))
        must(chown(folder["a"], 65_534, 65_534))
        #expect(failure(folder["a/daybreak"]) == PathError(path: folder["a"], reason: "It belongs to user 65534."))
    }
}
