import Glibc
import Testing

@testable import Companion
@testable import PracticeCompanion

@Suite struct PracticeSocketTests {
    @Test func `the socket is the named one, else that of the environment, else the machine's`() {
        let named = ["PRACTICE_SOCKET": "/a", "XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(PracticeSocket.path(explicit: "/b", environment: named) == "/b")
        #expect(PracticeSocket.path(explicit: nil, environment: named) == "/a")
        #expect(PracticeSocket.path(explicit: nil, environment: [:]) == "/run/practice/control")
    }

    @Test func `a made-up practice of the user is found if the machine has none`() throws {
        let listener = Listener()
        let folder = listener.folder + "/practice-demo"
        mkdir(folder, 0o700)
        defer { for made in [folder + "/control", folder] { remove(made) } }
        let own = folder + "/control"
        func path(_ machine: String) -> String {
            PracticeSocket.path(
                explicit: nil, environment: ["XDG_RUNTIME_DIR": listener.folder], ofMachine: machine)
        }
        #expect(path("/nowhere/control") == "/nowhere/control")
        close(open(own, O_CREAT | O_RDWR, 0o600))
        #expect(path("/nowhere/control") == own)
        #expect(path(listener.path) == listener.path)
        #expect(
            PracticeSocket.path(
                explicit: nil, environment: ["XDG_RUNTIME_DIR": listener.folder], isPlay: true, ofMachine: listener.path
            )
                == own)
    }

    @Test func `root and the user are trusted, and another user only in a folder that root keeps for them`() {
        let stranger = uid_t(65_534)
        #expect(PracticeSocket.isTrusted(0, at: "/tmp/control", by: 1_000))
        #expect(PracticeSocket.isTrusted(1_000, at: "/tmp/control", by: 1_000))
        #expect(PracticeSocket.isTrusted(stranger, at: "/etc/control", by: 1_000))
        #expect(!PracticeSocket.isTrusted(stranger, at: "/tmp/control", by: 1_000))
        #expect(!PracticeSocket.isTrusted(stranger, at: "/nowhere/control", by: 1_000))
        // Root, too, tells no other user's daemon a client's data.
        #expect(!PracticeSocket.isTrusted(stranger, at: "/tmp/control", by: 0))
    }

    @Test func `a folder of the user's own among other people's is not trusted`() throws {
        let listener = Listener()
        #expect(!PracticeSocket.isTrusted(65_534, at: listener.path, by: 1_000))
    }
}
