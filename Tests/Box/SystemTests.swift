import Foundation
import Testing

/// `systemd/install --system`: a daemon for a client who never logs in.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct SystemTests {
    private let install = "\(Box.clone)/systemd/install --system quiet --from \(Box.shown)"
    private let uninstall = "\(Box.clone)/systemd/install --system quiet --uninstall"

    @Test func `root installs Daybreak for a client, and the system's manager runs it`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home quiet", as: .root)
        let parts = try await box.run(install, as: .root).split(separator: "\n\n", maxSplits: 1).map(String.init)
        #expect(
            parts.first == """
                Daybreak, for quiet
                Settings: /etc/daybreak/quiet/daybreak.toml
                A sample schedule, laid out around today: /etc/daybreak/quiet/tasks.json
                The daemon runs: systemctl status daybreakd@quiet
                """)
        let states = "systemctl is-active daybreakd@quiet; systemctl is-enabled daybreakd@quiet"
        #expect(try await box.run(states, as: .root) == "active\nenabled")
        #expect(try await box.run("ps --no-headers --format user --pid $(pgrep daybreakd)", as: .root) == "quiet")
        #expect(try await box.run("systemctl reload daybreakd@quiet", as: .root) == "")
        let said = try await box.run("systemd-analyze verify --man=no daybreakd@quiet.service 2>&1 || true", as: .root)
        #expect(said == "")
    }

    @Test func `the daemon answers the client and root, and no other user`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home quiet && \(install) >/dev/null", as: .root)
        let socket = "DAYBREAK_SOCKET=/run/daybreak/quiet/control"
        let own = try await box.run("daybreak list --json", as: .bare("quiet"))
        #expect(try JSONDecoder().decode(Answer.self, from: Data(own.utf8)).assignments?.isEmpty == false)
        #expect(try await box.run("\(socket) daybreak list --json", as: .root) == own)
        #expect(try await box.attempt("\(socket) daybreak list --json").status == 69)
        #expect(try await box.attempt("daybreak list --json").status == 69)
        let asking = StrangerTests.asking("/run/daybreak/quiet/control")
        #expect(try await box.run(asking) == "PermissionError")
        try await box.run("chmod go+rwx /run/daybreak/quiet{,/control}", as: .root)
        #expect(try await box.run(asking) == "heard nothing")
        #expect(try await box.run(asking, as: .bare("quiet")).hasPrefix(#"{"parameters":{"status":{"#))
    }

    @Test func `while the daemon is stopped, its client's verbs and its program keep to its folders`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home quiet && \(install) >/dev/null", as: .root)
        let quiet = Box.CommandUser.bare("quiet")
        try await box.run("daybreak note --next before; daybreak backup b.db; daybreak note --next after", as: quiet)
        let check = """
            /etc/daybreak/quiet/daybreak.toml: sound
            /etc/daybreak/quiet/tasks.json: sound, 12 entries
            """
        #expect(try await box.run("daybreakd --check", as: quiet) == check)
        let verified = try await box.run("daybreakd --verify", as: quiet)
        #expect(verified.hasPrefix("/var/lib/daybreak/quiet/history.db: sound, "))
        let settings = "/etc/daybreak/quiet/daybreak.toml"
        _ = try await box.attempt(
            """
            systemctl stop daybreakd@quiet; printf '[dya]\n' >\(settings); systemctl start daybreakd@quiet
            """, as: .root)
        let fault = "\(settings):1: There is no table [dya]; did you mean [day]?"
        #expect(try await box.attempt("daybreakd --check", as: quiet).errors == fault)
        #expect(try await box.run("daybreakd --verify", as: quiet) == verified)

        let refused = try await box.attempt("daybreak restore b.db", as: quiet)
        #expect(refused.status == 69)
        #expect(
            refused.errors == """
                daybreakd cannot be reached at /run/daybreak/quiet/control: No such file or directory.
                Start it with `systemctl restart daybreakd@quiet`. `daybreak doctor` tells what is wrong if it does not start.
                """)
        #expect(try await box.run("daybreakd --verify", as: quiet) == verified)
        #expect(try await box.attempt("daybreak simulate", as: quiet).errors == fault)
        #expect(try await box.run("ls -A ~/.local ~/.config 2>/dev/null || true", as: quiet) == "")

        let said = try await box.attempt("daybreak doctor --json", as: quiet).output
        let report = try JSONDecoder().decode(Report.self, from: Data(said.utf8))
        let wrong = report.findings.filter { $0.state == "wrong" && $0.check != "clock" }
        #expect(wrong.map(\.check) == ["daemon", "unit", "configuration"])
        #expect(wrong.map(\.finding).dropFirst() == ["daybreakd@quiet.service is failed.", fault])
        #expect(wrong.first?.advice?.hasPrefix("`systemctl restart daybreakd@quiet` starts it") == true)
    }

    private struct Report: Decodable {
        struct Finding: Decodable {
            var check: String
            var state: String
            var finding: String
            var advice: String?
        }

        var findings: [Finding]
    }

    @Test func `only the client can read their files, and their group can read root's settings`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home quiet && \(install) >/dev/null", as: .root)
        #expect(
            try await box.run(
                """
                stat --format '%a %U:%G %n' /etc/daybreak/quiet{,/*} /var/lib/daybreak{,/quiet{,/history.db}} \
                    /run/daybreak{,/quiet{,/*}}
                """, as: .root) == """
                    750 root:quiet /etc/daybreak/quiet
                    640 root:quiet /etc/daybreak/quiet/daybreak.toml
                    640 root:quiet /etc/daybreak/quiet/tasks.json
                    755 root:root /var/lib/daybreak
                    700 quiet:quiet /var/lib/daybreak/quiet
                    600 quiet:quiet /var/lib/daybreak/quiet/history.db
                    755 root:root /run/daybreak
                    700 quiet:quiet /run/daybreak/quiet
                    600 quiet:quiet /run/daybreak/quiet/control
                    600 quiet:quiet /run/daybreak/quiet/status.json
                    """)
    }

    @Test func `uninstalling for the last client keeps only the history`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home quiet && useradd --create-home other", as: .root)
        let forOther = install.replacing("quiet", with: "other")
        try await box.run("\(install) >/dev/null && \(forOther) >/dev/null", as: .root)
        #expect(
            try await box.run(uninstall, as: .root) == """
                Kept: the history, in /var/lib/daybreak/quiet
                    (--purge removes it)
                Daybreak is gone.
                """)
        #expect(try await box.run("systemctl is-active daybreakd@other", as: .root) == "active")
        #expect(
            try await box.run("\(uninstall.replacing("quiet", with: "other")) --purge", as: .root)
                == "Daybreak is gone, and with it the settings and the history of other.")
        let left = try await box.run("find /etc/daybreak /usr/local -name '*daybreak*' 2>/dev/null || true", as: .root)
        #expect(left == "")
        #expect(try await box.run("find /var/lib/daybreak -type f", as: .root) == "/var/lib/daybreak/quiet/history.db")
    }

    @Test func `directives of later versions are used if this systemd knows them`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home quiet && useradd --create-home other", as: .root)
        let unit = "/usr/local/lib/systemd/system/daybreakd@.service"
        let dropIn = "cat \(unit).d/installed.conf 2>/dev/null || echo none"
        try await box.run(install, as: .root)
        let version = try await box.run("systemctl --version | head -n 1 | cut -d ' ' -f 2")
        if version == "252" { #expect(try await box.run(dropIn) == "none") }
        // A script plays a systemd that knows all of them. Only the lines are compared.
        try await box.run("mkdir /root/played && ln -s /bin/true /root/played/systemd-run", as: .root)
        let playing = "PATH=/root/played:$PATH"
        _ = try await box.attempt("\(playing) \(install)", as: .root)
        #expect(try await box.run(dropIn) == InstallTests.laterDirectives)
        _ = try await box.attempt("\(playing) \(install.replacing("quiet", with: "other"))", as: .root)
        try await box.run("\(uninstall) && \(uninstall.replacing("quiet", with: "other"))", as: .root)
        #expect(try await box.run("ls -d \(unit)* 2>/dev/null || echo gone") == "gone")
    }

    /// The same probe under the system's unit: it reaches only its own folders, and no other process.
    @Test func `a process in the system's sandbox reaches less than one in the user's`() async throws {
        let box = try await Box()
        try await box.run(
            """
            \(Probe.neighbourhood)
            useradd --create-home quiet
            systemd-run --quiet --uid quiet --service-type exec sleep infinity
            \(install) >/dev/null
            install -D --owner quiet /bin/true /var/lib/daybreak/quiet/program
            """, as: .root)
        #expect(try await Self.probe(box) == Probe.inSystemsService)
        for (without, opens) in Self.parts {
            let opened = zip(Probe.inSystemsService, try await Self.probe(box, without: without)).filter { $0 != $1 }
            #expect(opened.map(\.1).joined(separator: "\n") == opens, "without \(without)")
        }
    }

    /// The attempts that succeed without a directive that the user's service does not have, or has and cannot lose.
    private static let parts: [(without: String, opens: String)] = [
        (
            "TemporaryFileSystem=",
            "write the status file's folder: EACCES\nwrite in the runtime folder: EACCES\nreach the system's bus: done"
        ),
        ("ProcSubset=all", "see how the machine is: done"),
        (
            "ProtectProc=default",
            """
            attach to another process: EPERM
            read another process's memory: EPERM
            write another process's memory: EACCES
            read another process's environment: EACCES
            look through another process's root: EACCES
            see what others run: done
            """
        ),
        (
            "PrivateUsers=no",
            """
            attach to another process: EPERM
            read another process's memory: done
            write another process's memory: done
            read another process's environment: done
            look through another process's root: done
            """
        ),
    ]

    private static func probe(_ box: Box, without lines: String = "") async throws -> [String] {
        try await Probe.answers(
            """
            mkdir --parents /etc/systemd/system/daybreakd@.service.d
            cat >/etc/systemd/system/daybreakd@.service.d/probe.conf <<END
            [Service]
            Type=oneshot
            Restart=no
            WatchdogSec=0
            ExecStart=
            ExecStart=/usr/bin/python3 \(Box.clone)/Tests/Box/probe.py /home/%i /run /home/neighbour /var/lib/daybreak/%i
            ExecPaths=/usr/bin/python3 $(\(Probe.libraries))
            StandardOutput=truncate:/tmp/said
            \(lines)
            END
            systemctl daemon-reload && systemctl restart daybreakd@quiet && cat /tmp/said
            """, in: box, as: .root)
    }
}
