import Glibc
import Testing

@testable import HomeworkDaemon

@Suite struct PathsTests {
    struct Surroundings: Codable, Sendable {
        var home: String? = "/home/c"
        var configuration: String?
        var state: String?
        var runtime: String?
    }

    static let surroundings: [(Surroundings, Paths)] = [
        (
            Surroundings(runtime: "/run/user/7"),
            Paths(
                configuration: "/home/c/.config/daybreak", state: "/home/c/.local/state/daybreak",
                runtime: "/run/user/7/daybreak")
        ),
        (
            Surroundings(configuration: "/c", state: "/s", runtime: "/r"),
            Paths(configuration: "/c/daybreak", state: "/s/daybreak", runtime: "/r/daybreak")
        ),
        // Relative paths and empty texts are ignored, as the XDG specification has it.
        (
            Surroundings(configuration: "c", state: "", runtime: "/r"),
            Paths(
                configuration: "/home/c/.config/daybreak", state: "/home/c/.local/state/daybreak",
                runtime: "/r/daybreak")
        ),
    ]

    @Test(arguments: surroundings) func `folders are where the XDG variables say`(
        around: Surroundings, expected: Paths
    ) async {
        let wanted: [String] = [expected.configuration, expected.state, expected.runtime]
        await #expect(processExitsWith: .success) { [around, wanted = wanted as [String]] in
            live(around)
            let paths = Paths.ofThisUser()
            #expect([paths.configuration, paths.state, paths.runtime] == wanted)
        }
    }

    @Test func `what the system's manager laid out comes before the XDG variables`() async {
        await #expect(processExitsWith: .success) {
            live(PathsTests.Surroundings(configuration: "/c", state: "/s", runtime: "/r"))
            let folders = ["CONFIGURATION": "/etc/d/c", "STATE": "/var/lib/d/c", "RUNTIME": "/run/d/c"]
            for (name, path) in folders { setenv(name + "_DIRECTORY", path, 1) }
            #expect(
                Paths.ofThisUser() == Paths(configuration: "/etc/d/c", state: "/var/lib/d/c", runtime: "/run/d/c"))
        }
    }

    @Test func `the files have their names`() {
        let paths = Paths(configuration: "/c", state: "/s", runtime: "/r")
        #expect(paths.configurationFile == "/c/daybreak.toml")
        #expect(paths.scheduleFile == "/c/tasks.json")
        #expect(paths.history == "/s/history.db")
        #expect(paths.statusFile == "/r/status.json")
        #expect(paths.socket == "/r/control")
    }

    @Test func `without a login session there is a folder for the same purpose`() async {
        await #expect(processExitsWith: .success) {
            live(PathsTests.Surroundings(runtime: "relative"))
            let usual = "/run/user/\(geteuid())"
            let isThere = exists(usual)
            #expect(Paths.ofThisUser().runtime == (isThere ? "\(usual)/daybreak" : "/tmp/daybreak-\(geteuid())"))
        }
    }

    @Test func `without HOME the user's entry counts`() async {
        await #expect(processExitsWith: .success) {
            live(PathsTests.Surroundings(home: nil, runtime: "/r"))
            let home = String(cString: getpwuid(geteuid()).pointee.pw_dir)
            #expect(Paths.ofThisUser().configuration == "\(home)/.config/daybreak")
        }
    }
}

private func live(_ around: PathsTests.Surroundings) {
    let values = [
        "HOME": around.home, "XDG_CONFIG_HOME": around.configuration, "XDG_STATE_HOME": around.state,
        "XDG_RUNTIME_DIR": around.runtime,
    ]
    for (name, value) in values {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
}

@Suite struct PrivateFolderTests {
    private let folder = Folder()

    private func failure(_ path: String) -> PathError? {
        #expect(throws: PathError.self) { try makePrivateFolder(path) }
    }

    @Test func `a folder is made private, with those above it`() throws {
        try makePrivateFolder(folder["a/b/c"])
        #expect(["a", "a/b", "a/b/c"].map { mode(of: folder[$0]) } == [0o700, 0o700, 0o700])
    }

    @Test func `a folder that is there is made private, and those above it are left alone`() throws {
        must(mkdir(folder["a"], 0o755))
        must(mkdir(folder["a/b"], 0o755))
        try makePrivateFolder(folder["a/b"])
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
