import Foundation
import Testing

/// `systemd/install --system`: a daemon for a client who never logs in.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .timeLimit(.minutes(20))
)
struct SystemTests {
    private let install = "\(Box.clone)/systemd/install --system quiet --from \(Box.shown)"
    private let uninstall = "\(Box.clone)/systemd/install --system quiet --uninstall"

    @Test func `root installs it for a client, and it runs under the system's manager`() async throws {
        let box = try await Box(localtime: Box.noon)
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

    @Test func `the client's command line finds it, root's is heard, and a neighbour's is not`() async throws {
        let box = try await Box(localtime: Box.noon)
        try await box.run("useradd --create-home quiet && \(install) >/dev/null", as: .root)
        let socket = "DAYBREAK_SOCKET=/run/daybreak/quiet/control"
        let own = try await box.run("daybreak list --json", as: .bare("quiet"))
        #expect(try JSONDecoder().decode(Answer.self, from: Data(own.utf8)).assignments?.isEmpty == false)
        #expect(try await box.run("\(socket) daybreak list --json", as: .root) == own)
        #expect(try await box.attempt("\(socket) daybreak list --json").status == 69)
        #expect(try await box.attempt("daybreak list --json").status == 69)
    }

    @Test func `everything of the client's is theirs alone, and root's folder is read by them`() async throws {
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

    @Test func `uninstalling for the last client leaves nothing but their history`() async throws {
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

    /// The same probe, under the system's unit: nothing but its own folders, not even the processes of others.
    @Test func `from inside, less can be reached than from a user's service`() async throws {
        let box = try await Box()
        try await box.run(
            """
            useradd --create-home quiet && useradd --create-home neighbour && chmod 0755 /home/neighbour
            echo hello >/home/neighbour/letter && mknod --mode 0666 /dev/box c 1 5 && mkdir --mode 1777 /var/open
            \(install) >/dev/null
            install -D --owner quiet /bin/true /var/lib/daybreak/quiet/program
            mkdir --parents /etc/systemd/system/daybreakd@.service.d
            cat >/etc/systemd/system/daybreakd@.service.d/probe.conf <<'END'
            [Service]
            Type=oneshot
            Restart=no
            WatchdogSec=0
            ExecStart=
            ExecStart=/usr/bin/python3 \(Box.clone)/Tests/Box/probe.py /home/%i /run /home/neighbour /var/lib/daybreak/%i
            ExecPaths=/usr/bin/python3
            StandardOutput=truncate:/tmp/said
            END
            systemctl daemon-reload && systemctl restart daybreakd@quiet
            """, as: .root)
        #expect(
            try await box.run("grep -E ': done$' /tmp/said", as: .root) == "write the history's folder: done")
    }
}
