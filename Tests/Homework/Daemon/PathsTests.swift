import Files
import Glibc
import Testing
import UnixTestSupport

@testable import HomeworkDaemon

@Suite struct PathsTests {
    struct PathVariables: Codable, Sendable {
        var home: String? = "/home/c"
        var configuration: String?
        var state: String?
        var runtime: String?
    }

    static let variables: [(PathVariables, Paths)] = [
        (
            PathVariables(runtime: "/run/user/7"),
            Paths(
                configuration: "/home/c/.config/daybreak", state: "/home/c/.local/state/daybreak",
                runtime: "/run/user/7/daybreak")
        ),
        (
            PathVariables(configuration: "/c", state: "/s", runtime: "/r"),
            Paths(configuration: "/c/daybreak", state: "/s/daybreak", runtime: "/r/daybreak")
        ),
        // Relative paths and empty texts are ignored (XDG Base Directory Specification).
        (
            PathVariables(configuration: "c", state: "", runtime: "/r"),
            Paths(
                configuration: "/home/c/.config/daybreak", state: "/home/c/.local/state/daybreak",
                runtime: "/r/daybreak")
        ),
    ]

    @Test(arguments: variables) func `folders follow the XDG variables`(
        around: PathVariables, expected: Paths
    ) async {
        let wanted: [String] = [expected.configuration, expected.state, expected.runtime]
        await #expect(processExitsWith: .success) { [around, wanted = wanted as [String]] in
            live(around)
            let paths = try Paths.ofThisUser()
            #expect([paths.configuration, paths.state, paths.runtime] == wanted)
        }
    }

    @Test func `folders of the system manager come before the XDG variables`() async {
        await #expect(processExitsWith: .success) {
            live(PathsTests.PathVariables(configuration: "/c", state: "/s", runtime: "/r"))
            let folders = ["CONFIGURATION": "/etc/d/c", "STATE": "/var/lib/d/c", "RUNTIME": "/run/d/c"]
            for (name, path) in folders { setenv(name + "_DIRECTORY", path, 1) }
            let paths = try Paths.ofThisUser()
            #expect(paths == Paths(configuration: "/etc/d/c", state: "/var/lib/d/c", runtime: "/run/d/c"))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root's record of an installation counts"))
    func `a user for whom root installed the service has its folders, unless they have a daemon of their own`() async {
        let folder = Folder()
        let (root, user) = (folder.path, String(cString: getpwuid(geteuid()).pointee.pw_name))
        for name in ["var", "var/lib", "var/lib/daybreak", "runtime"] { must(mkdir(folder[name], 0o755)) }
        write("", to: folder["var/lib/daybreak/.\(user).installed"])
        await #expect(processExitsWith: .success) { [root = root as String, user = user as String] in
            live(PathsTests.PathVariables(configuration: "/c", state: "/s", runtime: "\(root)/runtime"))
            let folders = ["/etc/daybreak/", "/var/lib/daybreak/", "/run/daybreak/"].map { root + $0 + user }
            let paths = try Paths.ofThisUser(under: root)
            #expect([paths.configuration, paths.state, paths.runtime] == folders)
            let own = ["/c/daybreak", "/s/daybreak", "\(root)/runtime/daybreak"]
            mkdir(own[2], 0o700)
            let theirs = try Paths.ofThisUser(under: root)
            #expect([theirs.configuration, theirs.state, theirs.runtime] == own)
            rmdir(own[2])
            chown("\(root)/var/lib/daybreak/.\(user).installed", 1, 1)
            let last = try Paths.ofThisUser(under: root)
            #expect(last.state == own[1])
        }
    }

    @Test(arguments: ["CONFIGURATION_DIRECTORY", "STATE_DIRECTORY", "RUNTIME_DIRECTORY"])
    func `a relative folder is refused, because other folders would be used without a word`(name: String) async {
        await #expect(processExitsWith: .success) { [name] in
            live(PathsTests.PathVariables(runtime: "/r"))
            for path in ["state", "./state"] {
                setenv(name, path, 1)
                let error = #expect(throws: FileError.self) { try Paths.ofThisUser() }
                #expect(error?.description == "\(name) is \(path), and must name a folder from / on")
            }
            setenv(name, "", 1)
            #expect(throws: Never.self) { try Paths.ofThisUser() }
        }
    }

    @Test func `the files have their documented names`() {
        let paths = Paths(configuration: "/c", state: "/s", runtime: "/r")
        #expect(paths.configurationFile == "/c/daybreak.toml")
        #expect(paths.scheduleFile == "/c/tasks.json")
        #expect(paths.history == "/s/history.db")
        #expect(paths.statusFile == "/r/status.json")
        #expect(paths.socket == "/r/control")
    }

    @Test func `without a login session another private folder is used`() async {
        await #expect(processExitsWith: .success) {
            live(PathsTests.PathVariables(runtime: "relative"))
            let usual = "/run/user/\(geteuid())"
            let isThere = exists(usual)
            let paths = try Paths.ofThisUser()
            #expect(paths.runtime == (isThere ? "\(usual)/daybreak" : "/tmp/daybreak-\(geteuid())"))
        }
    }

    @Test func `without HOME the user's entry in the user database is used`() async {
        await #expect(processExitsWith: .success) {
            live(PathsTests.PathVariables(home: nil, runtime: "/r"))
            let home = String(cString: getpwuid(geteuid()).pointee.pw_dir)
            let paths = try Paths.ofThisUser()
            #expect(paths.configuration == "\(home)/.config/daybreak")
        }
    }
}

private func live(_ around: PathsTests.PathVariables) {
    let values = [
        "HOME": around.home, "XDG_CONFIG_HOME": around.configuration, "XDG_STATE_HOME": around.state,
        "XDG_RUNTIME_DIR": around.runtime,
    ]
    for (name, value) in values {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
}
