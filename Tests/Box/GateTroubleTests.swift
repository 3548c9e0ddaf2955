import Foundation
import Testing

/// The gate under trouble: odd logins, a daemon that does not answer, bridges that die, and a daemon that dies under bridges.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd"), "there is no OpenSSH server"), .boxed
)
struct GateTroubleTests {
    private static let whoAmI = #"printf '{"method":"org.daybreak.Practice.WhoAmI"}\0'"#

    /// True if the command, at Vera's home, is a login in which the practice knows her. On a machine so slow that a key's line does
    /// not come in its three seconds, sshd refuses the key, and the next login is as good.
    private func isVera(_ fixture: GateFixture, _ ssh: String) async throws -> Bool {
        for _ in 1...20 {
            let said = try await fixture.at("vera", "\(Self.whoAmI) | \(ssh)")
            if said.contains(#""name":"Vera""#) && said.hasSuffix("= 0") { return true }
            guard said.contains("Permission denied (publickey)") else { return false }
        }
        return false
    }

    @Test func `of seven keys the last one may be the right one`() async throws {
        let fixture = try await GateFixture()
        try await fixture.box.run(
            "cd; for i in 1 2 3 4 5 6; do ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/wrong$i; done", as: .bare("vera"))
        let keys = (1...6).map { "-i ~/.ssh/wrong\($0)" }.joined(separator: " ")
        let ssh = "ssh -o IdentitiesOnly=yes \(keys) -i ~/.ssh/id_ed25519 -T clinic varlink"
        #expect(try await isVera(fixture, ssh))
        try await fixture.box.run(
            "sed -i 's/MaxAuthTries 12/MaxAuthTries 6/' /etc/ssh/sshd_config.d/practice.conf && \(GateFixture.reload)",
            as: .root)
        #expect(try await fixture.at("vera", ssh).hasSuffix("Too many authentication failures\n= 255"))
    }

    @Test func `nothing that a login sends along is run, forwarded or believed`() async throws {
        let fixture = try await GateFixture()
        // The port on which this machine's sshd listens.
        let port = try await fixture.box.run("sed -n 's/^ *Port //p' ~/.ssh/config", as: .bare("vera"))
        let inward = try await fixture.at("vera", "ssh -W 127.0.0.1:\(port) clinic")
        #expect(inward.hasSuffix("stdio forwarding failed\n= 255"), "\(inward)")
        let outward = try await fixture.at(
            "vera", "ssh -o ExitOnForwardFailure=yes -R 127.0.0.1:0:127.0.0.1:1 -T clinic varlink")
        #expect(outward.hasSuffix("remote port forwarding failed for listen port 0\n= 255"), "\(outward)")

        let refused = "Nothing is run here but Daybreak's own: use `practice --at` or `daybreak`.\n= 1"
        for odd in [#"$'varlink\e[2J'"#, #"$'varlink\n/usr/bin/id'"#, #"$'\x01\x7fvarlink'"#, #"$'varlink\\0id'"#] {
            #expect(try await fixture.at("vera", "ssh -T clinic \(odd)") == refused, "\(odd)")
        }
        // A command of 100,000 bytes is refused as any other. One of a megabyte does not fit into a message of SSH.
        let word = #"$(head --bytes 100000 /dev/zero | tr '\0' x)"#
        #expect(try await fixture.at("vera", "ssh -T clinic varlink \(word)") == refused)
        let large = Array(repeating: word, count: 10).joined(separator: " ")
        #expect(try await fixture.at("vera", "ssh -T clinic varlink \(large)").hasSuffix("= 255"))

        let named = #"LC_ALL=$'C\nSSH_ORIGINAL_COMMAND=id' LC_NAME=$'x\nSSH_CONNECTION=10.0.0.1 1 10.0.0.2 22'"#
        #expect(
            try await isVera(fixture, "\(named) ssh -o SendEnv=LC_ALL -o SendEnv=LC_NAME -T clinic varlink"))
        let audit = try await fixture.at("vera", "practice --at clinic audit --json")
        #expect(audit.contains(#""through":"ssh from 127.0.0.1""#) && !audit.contains("10.0.0.1"))
    }

    @Test func `sshd gets its answer while practiced is stopped, and the next login works`() async throws {
        let fixture = try await GateFixture()
        let ask =
            "runuser -u practice-keys -- practice-gate keys $(cut -d' ' -f1,2 ~vera/.ssh/id_ed25519.pub); echo \"= $?\""
        try await fixture.box.run("kill -STOP $(pgrep -x practiced)", as: .root)
        #expect(try await fixture.box.run(ask, as: .root) == "= 0")
        #expect(
            try await fixture.at("vera", "ssh -T clinic varlink").hasSuffix("Permission denied (publickey).\n= 255"))
        try await fixture.box.run("kill -CONT $(pgrep -x practiced)", as: .root)
        #expect(
            try await fixture.box.run(ask, as: .root).hasPrefix(
                #"restrict,command="/usr/local/bin/practice-gate enter SHA256:"#))
        #expect(try await isVera(fixture, "ssh -T clinic varlink"))
    }

    @Test func `a key command that fails or hangs lets nobody in, and the next login works`() async throws {
        let fixture = try await GateFixture()
        let options = "/etc/ssh/sshd_config.d/practice.conf"
        // It prints the right line in either case.
        try await fixture.box.run(
            """
            cat >/usr/local/bin/odd-keys <<'X'
            #!/bin/sh
            /usr/local/bin/practice-gate keys "$@"
            [ ! -e /run/hangs ] || exec sleep 600
            exit 3
            X
            chmod 755 /usr/local/bin/odd-keys
            sed --in-place=.sound 's|bin/practice-gate keys|bin/odd-keys|' \(options)
            \(GateFixture.reload)
            """, as: .root)
        let login = "ssh -T clinic varlink"
        #expect(try await fixture.at("vera", login).hasSuffix("Permission denied (publickey).\n= 255"))
        let grace = "/etc/ssh/sshd_config.d/a-grace.conf"
        try await fixture.box.run(
            "touch /run/hangs; echo 'LoginGraceTime 3' >\(grace); \(GateFixture.reload)", as: .root)
        #expect(try await fixture.at("vera", login) == "= 255")
        try await fixture.box.run("rm \(grace); \(GateFixture.reload)", as: .root)
        // It hangs on in one login while the next one finds the sound command.
        let waiting = try fixture.box.follow(
            "cd; ssh -T clinic varlink </dev/null & until pgrep -x sleep; do sleep 0.02; done; echo hangs; wait",
            as: .bare("vera"))
        _ = try await waiting.line { $0 == "hangs" }
        try await fixture.box.run("mv \(options).sound \(options) && \(GateFixture.reload)", as: .root)
        #expect(try await isVera(fixture, login))
        withExtendedLifetime(waiting) {}
    }

    @Test func `bridges that are killed while practiced writes leave nothing behind`() async throws {
        let fixture = try await GateFixture()
        let connections = "practice status --json | grep --only-matching '\"connections\":[0-9]*'"
        let before = try await fixture.box.run(connections, as: .root)
        // Each of them asks for more than is read.
        let ask = #"{"method":"org.daybreak.Practice.Audit","parameters":{"limit":200}}"#
        let clients = try fixture.box.follow(
            """
            cd; printf '\(ask)\\0%.0s' $(seq 100) >calls
            for i in 1 2 3 4; do
                (cat calls; exec sleep 600) | ssh -T clinic varlink 2>/dev/null | (head --bytes 1 >heard$i; exec sleep 600) &
            done
            for i in 1 2 3 4; do until [ -s heard$i ]; do sleep 0.02; done; done
            echo ready; wait
            """, as: .bare("vera"))
        _ = try await clients.line { $0 == "ready" }
        try await fixture.box.run(
            """
            [ $(pgrep -x --count practice-gate) = 4 ] && pkill -KILL -x practice-gate
            until [ "$(\(connections))" = '\(before)' ]; do sleep 0.05; done
            """, as: .root)
        #expect(try await isVera(fixture, "ssh -T clinic varlink"))
        #expect(try await fixture.box.run("systemctl show --property NRestarts practiced", as: .root) == "NRestarts=0")
        withExtendedLifetime(clients) {}
    }

    @Test(arguments: ["systemctl restart practiced", "systemctl kill --signal KILL practiced"])
    func `a hundred bridges end with their daemon, and the next one finds the new daemon`(end: String) async throws {
        let fixture = try await GateFixture()
        try await fixture.box.run("cd /tmp && python3 \(Box.clone)/Tests/Box/crowd.py enrol 100 p2 >keys", as: .root)
        let bridges = try fixture.box.follow(
            "exec runuser -u practice -- python3 \(Box.clone)/Tests/Box/bridges.py /tmp/keys", as: .root)
        _ = try await bridges.line { $0 == "ready" }
        try await fixture.box.run(end, as: .root)
        #expect(try await bridges.line { $0.hasPrefix("ended") } == "ended 100 with 0")
        // The service manager waits some seconds before it starts a daemon that was killed.
        try await fixture.box.run("practice status", as: .root)
        #expect(try await isVera(fixture, "ssh -T clinic varlink"))
    }
}
