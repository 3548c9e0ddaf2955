import Foundation
import Testing

/// The way into a practice over SSH: a real sshd, the installed gate, and people with keys.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/sshd"), "there is no OpenSSH server"), .boxed
)
struct GateTests {
    @Test func `the holder of a key can use all verbs of practice as themselves`() async throws {
        let fixture = try await GateFixture()
        #expect(
            try await fixture.at("vera", "practice --at clinic staff") == """
                  Who works here · 2

                  A
                  p2  Ana   thanatologist

                  V
                  p1  Vera  administrator
                = 0
                """)
        #expect(
            try await fixture.at("vera", "practice --at clinic audit --json").contains(
                #""through":"ssh from 127.0.0.1""#))
        let me = try await fixture.at(
            "vera", #"printf '{"method":"org.daybreak.Practice.WhoAmI"}\0' | ssh -T clinic varlink"#)
        #expect(me.contains(#""name":"Vera""#) && me.hasSuffix("= 0"))
        // As `varlinkctl call ssh-exec:clinic:x …` asks.
        let other =
            #"printf '{"method":"org.varlink.service.GetInfo"}\0' | ssh -e none -T clinic env SYSTEMD_VARLINK_LISTEN=- x"#
        #expect(try await fixture.at("vera", other).contains("org.daybreak.Records"))
    }

    private static let varlinkctl = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/varlinkctl" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(.enabled(if: varlinkctl != nil, "This machine has no varlinkctl; it comes with systemd 255."))
    func `systemd's own client calls the practice over SSH`() async throws {
        let fixture = try await GateFixture()
        func said(_ verb: String, _ rest: String) async throws -> String {
            try await fixture.at("vera", "\(Self.varlinkctl ?? "") \(verb) --no-pager ssh-exec:clinic:varlink \(rest)")
        }
        let names = try await said("list-interfaces", "").split(separator: "\n")
            .filter { $0.hasPrefix("org.daybreak.") }
        #expect(names.contains("org.daybreak.Records"))
        for name in names {
            // A warning stands before the definition.
            let definition = try await said("introspect", String(name))
            #expect(definition.hasSuffix("= 0") && !definition.contains("Ignoring"), "\(definition)")
        }
        #expect(try await said("call", "org.daybreak.Practice.WhoAmI '{}'").contains(#""Vera""#))
        let refused = try await said("call", #"org.daybreak.Records.ListSessions '{"client":"p3"}'"#)
        #expect(refused.contains("failed: org.daybreak.Practice.NotAllowed\n"), "\(refused)")
        #expect(refused.hasSuffix("= 1"))
        let stranger = try await fixture.at(
            "cleo", "\(Self.varlinkctl ?? "") list-interfaces --no-pager ssh-exec:clinic:varlink")
        #expect(!stranger.contains("org.daybreak") && !stranger.hasSuffix("= 0"), "\(stranger)")
    }

    @Test func `only Daybreak's programs are run, and nothing is forwarded`() async throws {
        let fixture = try await GateFixture()
        let refused = "Nothing is run here but Daybreak's own: use `practice --at` or `daybreak`.\n= 1"
        for command in ["id", "'varlink; id'", "'varlink '", "/bin/sh", "redeem"] {
            #expect(try await fixture.at("vera", "ssh -T clinic \(command)") == refused, "\(command)")
        }
        #expect(
            try await fixture.at("vera", "ssh -T clinic")
                == "This is the door of a practice, for Daybreak's programs. There is no shell here: use `practice --at` or `daybreak`.\n= 1"
        )
        #expect(try await fixture.at("vera", "ssh -s clinic sftp") == "= 1")
        #expect(
            try await fixture.at("vera", "ssh -tt clinic varlink")
                == "PTY allocation request failed on channel 0\n= 255")
        // The socket would open as the gate's account, which may call for any person.
        let forwarded = """
            timeout 20 ssh -f -N -L ~/forwarded:/run/practice/control clinic >/dev/null 2>&1
            timeout 10 python3 \(Box.clone)/Tests/Box/ask.py ~/forwarded Practice.WhoAmI '{}' 2>&1
            """
        let answer = try await fixture.at("vera", forwarded)
        #expect(!answer.contains("rights"))
        // On the practice's machine the same program is answered.
        let here = "python3 \(Box.clone)/Tests/Box/ask.py /run/practice/control Practice.WhoAmI '{}'"
        #expect(try await fixture.box.run(here, as: .root).contains("rights"))
    }

    @Test func `a removed key ends its connections, even with an open master connection`() async throws {
        let fixture = try await GateFixture()
        try await fixture.box.run("cd; ssh -M -f -N clinic >/dev/null 2>&1", as: .bare("vera"))
        let watcher = try fixture.box.followFrames(
            #"printf '{"method":"org.daybreak.Practice.Watch","more":true}\0'"#, as: .bare("vera"))
        _ = try await watcher.line { $0.contains("watching") }
        let begin = try await fixture.box.run(
            "date +%s%N; practice key remove vera@home --of Vera >/dev/null", as: .root)
        // The connection of the watcher ends by itself.
        let end = try await watcher.line { $0.contains("SignedOut") }
        let (from, to) = (try #require(Int(begin)), try #require(Int(end.prefix { $0 != " " })))
        let took = (to - from) / 1_000_000
        print("a key is removed, until its connection ends: \(took) ms")
        #expect(try await fixture.at("vera", "ssh -T clinic varlink") == "This key opens nothing any more.\n= 1")
        try await fixture.box.run("cd; ssh -O exit clinic 2>/dev/null", as: .bare("vera"))
        #expect(
            try await fixture.at("vera", "ssh -T clinic varlink")
                == "practice@127.0.0.1: Permission denied (publickey).\n= 255")
    }

    @Test func `a security key opens as any other, once its button is pressed`() async throws {
        let fixture = try await GateFixture()
        try await fixture.box.run(
            "cc -shared -fPIC -o /usr/local/lib/security-key.so \(Box.clone)/Tests/Box/security-key.c -lcrypto",
            as: .root)
        let key = try await fixture.box.run(
            """
            ssh-keygen -q -t ed25519-sk -w /usr/local/lib/security-key.so -N '' -f ~/.ssh/token -C token
            cat ~/.ssh/token.pub
            """, as: .bare("vera"))
        #expect(key.hasPrefix("sk-ssh-ed25519@openssh.com "))
        let login =
            "ssh -o SecurityKeyProvider=/usr/local/lib/security-key.so -o IdentitiesOnly=yes -i ~/.ssh/token -T clinic"
        let whoAmI = #"printf '{"method":"org.daybreak.Practice.WhoAmI"}\0' |"#
        let denied = "practice@127.0.0.1: Permission denied (publickey).\n= 255"
        // With no other key on offer.
        try await fixture.box.run("mv ~/.ssh/id_ed25519 ~/.ssh/away", as: .bare("vera"))
        #expect(try await fixture.at("vera", "\(whoAmI) \(login) varlink") == denied)
        try await fixture.box.run("echo '\(key)' | practice key add --for p1 -", as: .root)
        #expect(try await fixture.at("vera", "\(whoAmI) \(login) varlink").contains(#""name":"Vera""#))
        #expect(try await fixture.at("vera", "\(whoAmI) NOT_PRESSED=1 \(login) varlink") == denied)
    }

    @Test func `nobody comes in by another's fingerprint`() async throws {
        let fixture = try await GateFixture()
        let key = try await fixture.box.run("cat ~/.ssh/id_ed25519.pub", as: .bare("cleo"))
        try await fixture.box.run("echo '\(key)' | practice key add --for p3 -", as: .root)
        let print = try await fixture.box.run(
            "ssh-keygen -lf ~/.ssh/id_ed25519.pub | cut -d' ' -f2", as: .bare("vera"))
        let enter = #"{"method":"org.daybreak.Gate.Enter","parameters":{"fingerprint":"\#(print)","through":"home"}}\0"#
        let whoAmI = #"{"method":"org.daybreak.Practice.WhoAmI"}\0"#
        let said = try await fixture.at("cleo", "printf '\(enter)\(whoAmI)' | ssh -T clinic varlink")
        #expect(said.contains("NotAllowed") && said.contains(#""name":"Cleo""#) && !said.contains("Vera"), "\(said)")
        #expect(try await fixture.at("cleo", "ssh -T clinic enter \(print)").hasPrefix("Nothing is run here"))
        // Another key of hers, and Vera's public one beside it.
        try await fixture.box.run(
            "cp ~vera/.ssh/id_ed25519.pub ~cleo/.ssh/hers.pub && chown cleo: ~cleo/.ssh/hers.pub", as: .root)
        #expect(
            try await fixture.at(
                "cleo", "cp ~/.ssh/id_ed25519 ~/.ssh/hers; ssh -o IdentitiesOnly=yes -i ~/.ssh/hers -T clinic varlink"
            ).hasSuffix("= 255"))
        // An account of the practice's machine that is not the gate's.
        let here =
            "python3 \(Box.clone)/Tests/Box/ask.py /run/practice/control Gate.Enter "
            + #"'{"fingerprint":"\#(print)","through":"home"}'"#
        #expect(try await fixture.box.attempt(here, as: .bare("cleo")).output.contains("NotAllowed"))
    }

    @Test func `an invitation registers an unknown key for the invited person, once`() async throws {
        let fixture = try await GateFixture()
        let denied = "practice@127.0.0.1: Permission denied (publickey).\n= 255"
        let early = try await fixture.at("cleo", "ssh -T clinic redeem")
        #expect(early == denied)
        let options = "/etc/ssh/sshd_config.d/practice.conf"
        let unheard = try await fixture.box.run(
            "mv \(options) /tmp/away; practice client invite Cleo 2>&1 >/dev/null; mv /tmp/away \(options)", as: .root)
        #expect(
            unheard == "Nobody comes in with it yet: sshd does not know the practice (\(options) is missing). "
                + "An administrator's `practice doctor` says what to do.")
        let text = try await fixture.box.run("practice client invite Cleo 2>&1", as: .root)
        #expect(!text.contains("Nobody comes in"), "\(text)")
        let host = try await fixture.box.run(
            "ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub | cut -d' ' -f2", as: .root)
        #expect(text.contains("the practice's machine    \(host)"))
        let word = String(text.split(separator: "your word")[1].split(whereSeparator: \.isWhitespace)[0])
        #expect(
            try await fixture.at("cleo", "ssh -T clinic varlink")
                == "This key is nobody's yet. With the word of an invitation: `daybreak link set-up`.\n= 1")
        let over =
            "There is no such invitation: it was used, has expired, or the word has a slip. Ask the practice for another.\n= 1"
        #expect(try await fixture.at("cleo", "echo 0000-0000-0000-0000-0000 | ssh -T clinic redeem") == over)
        #expect(try await fixture.at("cleo", "echo \(word) | ssh -T clinic redeem") == "{\"person\":\"p3\"}\n= 0")
        #expect(try await fixture.at("cleo", "echo \(word) | ssh -T clinic redeem").hasSuffix("= 1"))
        let me = try await fixture.at(
            "cleo", #"printf '{"method":"org.daybreak.Practice.WhoAmI"}\0' | ssh -T clinic varlink"#)
        #expect(me.contains(#""id":"p3""#) && me.contains(#""role":"client""#))
    }

    @Test func `a login that asks for nothing is cut, with a key that is nobody's, too`() async throws {
        let fixture = try await GateFixture()
        try await fixture.box.run("practice client invite Cleo", as: .root)
        try await fixture.box.run(
            "sed -i 's/UnusedConnectionTimeout 60/UnusedConnectionTimeout 1/' /etc/ssh/sshd_config.d/practice.conf && \(GateFixture.reload)",
            as: .root)
        for user in ["cleo", "vera"] {
            // Without the cut, `timeout` ends it with 124.
            #expect(try await fixture.at(user, "timeout 60 ssh -N clinic 2>/dev/null") == "= 255")
        }
    }

    @Test func `a client's Daybreak follows over SSH, and sees the therapist`() async throws {
        let fixture = try await GateFixture()
        let box = fixture.box
        try await box.run(
            "useradd --create-home ana && practice staff edit Ana --plain --account ana </dev/null", as: .root)
        let key = try await box.run("cat ~/.ssh/id_ed25519.pub", as: .bare("cleo"))
        try await box.run("echo '\(key)' | practice key add --for p3 -", as: .root)
        func call(_ method: String, _ parameters: String, more: Bool = false) -> String {
            let tail = more ? #","more":true"# : ""
            return #"printf '{"method":"org.daybreak.Care.\#(method)","parameters":\#(parameters)\#(tail)}\0'"#
        }
        let follower = try box.followFrames(
            call("Follow", #"{"device":"laptop"}"#, more: true), as: .bare("cleo"))
        _ = try await follower.line { $0.contains(#""provider":"Ana""#) }
        let begin = try await box.run(
            "date +%s%N; practice available --for 1h --link https://meet.example/ana >/dev/null", as: .bare("ana"))
        let seen = try await follower.line { $0.contains(#""available":true"#) }
        let (from, to) = (try #require(Int(begin)), try #require(Int(seen.prefix { $0 != " " })))
        let took = (to - from) / 1_000_000
        print("available, seen by a follower over ssh: \(took) ms")
        let now = "$(date +%Y-%m-%dT%H:%M:%SZ -u)"
        let happenings = """
            {"device":"laptop","happenings":[{"sequence":1,"id":"e1","at":"NOW","day":"DAY","what":"exerciseFinished","task":"t"}]}
            """
        let report = call("Report", happenings).replacing("NOW", with: "'\(now)'").replacing(
            "DAY", with: "'$(date +%F)'")
        #expect(
            try await fixture.at(
                "cleo", "(\(call("SetShares", #"{"shares":["waiting"]}"#)); \(report)) | ssh -T clinic varlink")
                == "{\"parameters\":{}}\n{\"parameters\":{\"heard\":1,\"heardID\":\"e1\"}}\n= 0")
        #expect(try await box.run("practice waiting --plain", as: .bare("ana")).contains("Cleo    in the wait room"))
        #expect(
            try await box.run("journalctl -u practiced -o cat --no-pager", as: .root).contains("A client waits: 1."))
    }

    @Test func `sshd uses the options for the practice's account, and no other account's options change`() async throws
    {
        let fixture = try await GateFixture()
        func options(_ user: String) async throws -> String {
            try await fixture.box.run(
                "/usr/sbin/sshd -T -C user=\(user),host=x,addr=192.0.2.1 | grep -E '^(authorizedkeys|disableforwarding|permittty|maxauthtries|unusedconnectiontimeout)' | sort",
                as: .root)
        }
        #expect(
            try await options("practice") == """
                authorizedkeyscommand /usr/local/bin/practice-gate keys %t %k
                authorizedkeyscommanduser practice-keys
                authorizedkeysfile none
                disableforwarding yes
                maxauthtries 12
                permittty no
                unusedconnectiontimeout 60
                """)
        let ofVera = try await options("vera")
        try await fixture.box.run("rm /etc/ssh/sshd_config.d/practice.conf", as: .root)
        #expect(try await options("vera") == ofVera)
        #expect(
            try await fixture.box.attempt("practice doctor", as: .root).output.contains(
                "✗ SSH: sshd does not know the practice (/etc/ssh/sshd_config.d/practice.conf is missing)."))
    }

    @Test func `the doctor tells why sshd lets nobody in`() async throws {
        let fixture = try await GateFixture()
        let box = fixture.box
        func told(_ line: String = "true") async throws -> String {
            try await box.run(line, as: .root)
            return try await box.attempt("practice doctor | tail --lines +4", as: .root).output + "\n"
        }
        let note = """
              · SSH: gate.address is empty, so invitations name practice@\(try await box.run("hostname", as: .root)).
                If clients' machines know this one by another name, set it in /etc/practice/practice.toml.

            """
        #expect(try await told() == "  ✓ SSH: sshd asks the practice for keys.\n" + note)
        let included = """
              ✗ SSH: sshd does not read /etc/ssh/sshd_config.d/practice.conf, so it does not ask the practice for keys.
                Begin /etc/ssh/sshd_config with `Include /etc/ssh/sshd_config.d/*.conf`, then `systemctl reload ssh`.

            """
        #expect(try await told("sed -i '/^Include/d' /etc/ssh/sshd_config") == included + note)
        let writable = """
              ✗ SSH: others than root can write to /usr/local/bin/practice-gate, so sshd does not run the program that it asks for keys.
                `chmod go-w /usr/local/bin/practice-gate`

            """
        #expect(try await told("chmod o+w /usr/local/bin/practice-gate") == writable + included + note)
        #expect(
            try await box.run("practice doctor --json || true", as: .root).contains(
                #"{"advice":"`chmod go-w /usr/local/bin/practice-gate`","fault":true,"#))
        let denied = try await fixture.at("vera", "ssh -T clinic varlink")
        #expect(denied == "practice@127.0.0.1: Permission denied (publickey).\n= 255")
        let stopped = "  ✗ SSH: sshd is not running.\n    `systemctl enable --now ssh` starts it.\n"
        #expect(try await told("kill $(cat /run/sshd.pid); rm -f /run/sshd.pid") == writable + stopped + note)
    }

    @Test func `sshd gets an answer while the database or the daemon is missing`() async throws {
        let fixture = try await GateFixture()
        let ask =
            "runuser -u practice-keys -- practice-gate keys $(cut -d' ' -f1,2 ~vera/.ssh/id_ed25519.pub); echo \"= $?\""
        let line = try await fixture.box.run(ask, as: .root)
        #expect(
            line.hasPrefix(#"restrict,command="/usr/local/bin/practice-gate enter SHA256:"#) && line.hasSuffix("= 0"))
        try await fixture.box.run("mv /var/lib/practice/practice.db /var/lib/practice/away.db", as: .root)
        #expect(try await fixture.box.run(ask, as: .root) == line)
        #expect(try await fixture.at("vera", "ssh -T clinic varlink").hasSuffix("try again later.\n= 1"))
        try await fixture.box.run("mv /var/lib/practice/away.db /var/lib/practice/practice.db", as: .root)
        try await fixture.box.run("systemctl stop practiced.socket practiced.service", as: .root)
        #expect(try await fixture.box.run(ask, as: .root) == "= 0")
        #expect(
            try await fixture.at("vera", "ssh -T clinic varlink").hasSuffix("Permission denied (publickey).\n= 255"))
    }
}

extension Box {
    /// Makes the call over SSH, and follows the replies: a line for each, with the time at which it came.
    fileprivate func followFrames(_ call: String, as someone: CommandUser) throws -> Following {
        try follow(
            """
            cd; (\(call); exec sleep 600) | ssh -T clinic varlink 2>&1 | stdbuf --output L tr '\\0' '\\n' |
                while read -r reply; do echo "$(date +%s%N) $reply"; done
            """, as: someone)
    }
}
