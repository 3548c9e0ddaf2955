import Foundation
import Testing

/// The box keeps what the other tests of this folder rely on.
@Suite(.enabled(if: Box.isPossible, Box.whyNot), .boxed)
struct BoxTests {
    @Test func `systemd boots and starts the client's manager`() async throws {
        let box = try await Box()
        #expect(try await box.run("cat /proc/1/comm; systemctl is-system-running") == "systemd\nrunning")
        #expect(try await box.run("systemctl --user is-system-running") == "running")
        #expect(try await box.run("echo $XDG_RUNTIME_DIR") == "/run/user/\(try await box.run("id --user"))")
    }

    @Test func `the client can read its entries in the journal`() async throws {
        let box = try await Box()
        let journal = try box.follow("journalctl --user --follow --lines all --output cat --identifier box-test")
        try await box.run("echo today begins | systemd-cat --identifier box-test")
        #expect(try await journal.line { _ in true } == "today begins")
        let own = "journalctl --user --output cat _UID=$UID SYSLOG_IDENTIFIER=box-test"
        #expect(try await box.run(own) == "today begins")
    }

    @Test func `midnight is as many seconds away as asked for`() async throws {
        let box = try await Box()
        try await box.bringMidnight(in: 30)
        let wall = try await box.run("date +%H:%M:%S")
        #expect(wall > "23:59:29" || wall < "00:00:20")
        #expect(try await box.run("date +%Z", as: .root) == "BOX")
    }

    @Test func `a box has its zone from boot on`() async throws {
        let box = try await Box(localtime: "/usr/share/zoneinfo/Asia/Kathmandu")
        #expect(try await box.run("date +%z") == "+0545")
    }

    @Test func `a user without a session has no runtime folder and no manager`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home visitor", as: .root)
        #expect(try await box.run("pwd; env | grep XDG || echo none", as: .bare("visitor")) == "/home/visitor\nnone")
        #expect(try await box.attempt("systemctl --user is-system-running", as: .bare("visitor")).status != 0)
    }

    @Test func `changes in a box are not visible on the machine or in another box`() async throws {
        let one = try await Box()
        let other = try await Box()
        try await one.run("useradd stranger && touch /{etc,usr,tmp,dev}/stranger", as: .root)
        #expect(try await other.attempt("getent passwd stranger || ls /etc/stranger /tmp/stranger").status != 0)
        for path in ["/etc/stranger", "/usr/stranger", "/tmp/stranger", "/dev/stranger"] {
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        #expect(try String(contentsOfFile: "/etc/passwd", encoding: .utf8).contains("stranger") == false)
    }

    @Test func `a box ends with its last reference`() async throws {
        var box: Box? = try await Box()
        let other = try await Box()
        let marker = try #require(try await box?.run("cat /proc/sys/kernel/random/uuid"))
        let isIt = "grep --quiet --null-data --line-regexp infinity /proc/$!/cmdline"
        let sleep = "exec -a \(marker) sleep infinity & until \(isIt); do :; done; echo ready; wait"
        let sleeper = try box?.follow(sleep, as: .root)
        _ = try await sleeper?.line { $0 == "ready" }
        #expect(Self.isRunning(marker))
        box = nil
        #expect(!Self.isRunning(marker))
        #expect(try await other.run("echo still here") == "still here")
    }

    private static func isRunning(_ marker: String) -> Bool {
        let processes = try? FileManager.default.contentsOfDirectory(atPath: "/proc")
        return (processes ?? []).contains { name in
            let line = try? Data(contentsOf: URL(filePath: "/proc/\(name)/cmdline"))
            return line?.range(of: Data("\(marker)\0infinity\0".utf8)) != nil
        }
    }
}
