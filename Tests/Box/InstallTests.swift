import Foundation
import Testing

/// `systemd/install`, run as a person does, with the programs of `Tests/run`.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct InstallTests {
    private let install = "\(Box.clone)/systemd/install --from \(Box.shown)"
    private let uninstall = "\(Box.clone)/systemd/install --uninstall"

    @Test func `an ordinary user installs Daybreak, and its units start it at boot`() async throws {
        let box = try await Box()
        let parts = try await box.run(install).split(separator: "\n\n", maxSplits: 1).map(String.init)
        #expect(
            parts.first == """
                Daybreak, for client
                Settings: /home/client/.config/daybreak/daybreak.toml
                A sample schedule, laid out around today: /home/client/.config/daybreak/tasks.json
                The journal's explanations need root to be installed; `daybreak explain` tells the same.
                The daemon runs: systemctl --user status daybreakd
                """)
        let programs = "/home/client/.local/bin"
        #expect(
            parts.last == """
                \(try await box.run("~/.local/bin/daybreak"))

                \(programs) is not on your PATH: log in again, or call \(programs)/daybreak
                """)
        let status = try await box.run("~/.local/bin/daybreak status --json")
        let eligible = try JSONDecoder().decode(Answer.self, from: Data(status.utf8)).status?.eligible
        #expect(eligible?.due == (try await box.run("date +%F")))
        let units = "daybreakd.socket daybreakd.service daybreak-notify.service"
        #expect(try await box.run("systemctl --user is-active \(units)") == "active\nactive\nactive")
        #expect(try await box.run("systemctl --user is-enabled \(units)") == "enabled\nenabled\nenabled")
        #expect(try await box.run("systemctl --user --failed --legend=no") == "")
    }

    @Test func `only the user can read the installed files`() async throws {
        let box = try await Box()
        try await box.run(install)
        #expect(
            try await box.run(
                """
                cd && stat --format '%a %n' .config/daybreak{,/*} .local/state/daybreak{,/installed} .local/bin/*
                cd $XDG_RUNTIME_DIR && stat --format '%a %n' daybreak{,/control}
                """) == """
                    700 .config/daybreak
                    600 .config/daybreak/daybreak.toml
                    600 .config/daybreak/tasks.json
                    700 .local/state/daybreak
                    600 .local/state/daybreak/installed
                    755 .local/bin/daybreak
                    755 .local/bin/daybreak-link
                    755 .local/bin/daybreak-notify
                    755 .local/bin/daybreakd
                    700 daybreak
                    600 daybreak/control
                    """)
    }

    @Test func `the sample schedule has a task for today`() async throws {
        let box = try await Box(localtime: "/usr/share/zoneinfo/Pacific/Kiritimati")
        try await box.run(install)
        #expect(try await box.run("grep --count $(date +%F) ~/.config/daybreak/tasks.json") == "1")
    }

    @Test func `systemd has no complaint about the units`() async throws {
        let box = try await Box()
        try await box.run(install)
        let said = try await box.attempt(
            """
            cd ~/.config/systemd/user &&
            systemd-analyze verify --user --man=no --recursive-errors=yes daybreakd.socket daybreakd.service \
                daybreak-notify.service daybreak-link.service daybreak-start.service
            """)
        #expect(said.status == 0)
        #expect(said.output + said.errors == "")
        #expect(
            try await box.run("journalctl --user --output cat --grep ignoring || true") == "")
    }

    @Test func `installing again replaces the process and keeps the settings`() async throws {
        let box = try await Box()
        try await box.run(install)
        let process = "systemctl --user show --property MainPID --value daybreakd"
        let before = try await box.run(process)
        try await box.run("cd ~/.config/daybreak && echo '# mine' >>daybreak.toml && echo '[]' >tasks.json")
        let settings = try await box.run("cat ~/.config/daybreak/*")
        #expect(
            try await box.run("\(install) | sed '/^$/,$d'") == """
                Daybreak, for client
                The journal's explanations need root to be installed; `daybreak explain` tells the same.
                The daemon runs: systemctl --user status daybreakd
                """)
        #expect(try await box.run(process) != before)
        #expect(try await box.run("cat ~/.config/daybreak/*") == settings)
    }

    @Test func `an upgrade removes units that the new version does not have`() async throws {
        let box = try await Box()
        try await box.run(install)
        // The unit and its record, as the earlier version left them.
        try await box.run(
            """
            cd ~/.config/systemd/user
            printf '[Socket]\\nListenStream=%%t/daybreak/bus\\nAccept=yes\\n' >daybreak-bus.socket
            printf '[Service]\\nExecStart=/bin/cat\\nStandardInput=socket\\n' >daybreak-bus@.service
            for unit in daybreak-bus.socket daybreak-bus@.service; do
                echo "$(sha256sum <$unit | cut -d ' ' -f 1)  $PWD/$unit" >>~/.local/state/daybreak/installed
            done
            systemctl --user daemon-reload && systemctl --user start daybreak-bus.socket
            systemd-run --user --quiet python3 -c 'import os, signal, socket
            peer = socket.socket(socket.AF_UNIX)
            peer.connect(os.environ["XDG_RUNTIME_DIR"] + "/daybreak/bus")
            signal.pause()'
            until systemctl --user --quiet is-active 'daybreak-bus@*.service'; do :; done
            """)
        try await box.run(install)
        #expect(try await box.run("ls ~/.config/systemd/user | grep bus || true") == "")
        #expect(try await box.run("grep bus ~/.local/state/daybreak/installed || true") == "")
        #expect(try await box.run("systemctl --user list-units --all --legend=no 'daybreak-bus*'") == "")
        #expect(
            try await box.run("systemctl --user is-active daybreakd.service daybreak-notify.service")
                == "active\nactive")
    }

    @Test func `uninstalling keeps the user's files and the history`() async throws {
        let box = try await Box()
        try await box.run("\(install) && echo '# mine' >>~/.config/daybreak/daybreak.toml")
        #expect(
            try await box.run(uninstall) == """
                Kept: /home/client/.config/daybreak/daybreak.toml, which you changed
                    (--purge removes it)
                Kept: the history, in /home/client/.local/state/daybreak
                    (--purge removes it)
                Daybreak is gone.
                Lingering stays on. To turn it off: loginctl disable-linger
                """)
        #expect(
            try await box.run("cd && find .config .local .cache -type f -o -type l | sort") == """
                .config/daybreak/daybreak.toml
                .local/state/daybreak/history.db
                """)
        #expect(try await box.run("ls $XDG_RUNTIME_DIR | grep daybreak || true") == "")
        #expect(try await box.run("systemctl --user list-units --all --legend=no 'daybreak*'") == "")
    }

    @Test func `purging removes everything`() async throws {
        let box = try await Box()
        let before = try await box.run("find ~ | sort")
        #expect(
            try await box.run("\(install) >/dev/null && \(uninstall) --purge")
                == """
                Daybreak is gone, and with it the settings and the history.
                Lingering stays on. To turn it off: loginctl disable-linger
                """)
        #expect(try await box.run("find ~ | sort") == before)
    }

    @Test func `purging removes a history behind a link, too`() async throws {
        let box = try await Box()
        try await box.run("mkdir -p ~/disk/daybreak ~/.local/state && chmod 700 ~/disk/daybreak")
        try await box.run("ln -s ~/disk/daybreak ~/.local/state/daybreak && \(install)")
        #expect(try await box.run("ls ~/disk/daybreak/history.db") != "")
        #expect(
            try await box.run("\(uninstall) --purge").hasPrefix(
                "Daybreak is gone, and with it the settings and the history.\n"))
        #expect(try await box.run("find ~/disk ~/.local/state -name '*daybreak*'") == "")
    }

    @Test func `an installation that was cut off is taken away as well`() async throws {
        let box = try await Box()
        // The seventh file is the third program.
        try await box.run(
            """
            mkdir ~/played && cat >~/played/chmod <<'END' && chmod +x ~/played/chmod
            #!/bin/bash
            echo >>~/changed; (($(wc --lines <~/changed) < 7)) || kill -KILL $PPID
            exec /bin/chmod "$@"
            END
            """)
        #expect(try await box.attempt("PATH=$HOME/played:$PATH \(install)").status == 137)
        #expect(try await box.run("ls ~/.local/bin | wc --lines") != "0")
        try await box.run("\(uninstall) --purge")
        #expect(try await box.run("ls -A ~/.local/bin ~/.config/daybreak 2>/dev/null || echo gone") == "gone")
    }

    @Test func `an installation that is not found is not said to be gone`() async throws {
        let box = try await Box()
        let never = try await box.attempt("\(uninstall) --purge")
        #expect(never.status == 1)
        #expect(
            never.errors
                == "No installation of Daybreak was found: there is no record /home/client/.local/state/daybreak/installed."
        )
        try await box.run("\(install) && ~/.local/bin/daybreak note mine")
        let elsewhere = try await box.attempt("XDG_STATE_HOME=~/other XDG_CONFIG_HOME=~/other \(uninstall) --purge")
        #expect(elsewhere.status == 1)
        #expect(elsewhere.errors.contains("is the unit of an installation.\nSet XDG_STATE_HOME"))
        #expect(try await box.run("~/.local/bin/daybreak notes").contains("mine"))
    }

    @Test func `root gets the catalog's explanations, until Daybreak is uninstalled`() async throws {
        let box = try await Box(users: ["client", "root"])
        let listed = "journalctl --list-catalog | grep --count aybreak || true"
        #expect(try await box.run(listed, as: .root) == "0")
        try await box.run(install, as: .user("root"))
        #expect(try await box.run(listed, as: .root) != "0")
        try await box.run(uninstall, as: .user("root"))
        #expect(try await box.run(listed, as: .root) == "0")
        #expect(try await box.run("ls /usr/local/lib/systemd 2>/dev/null || echo gone", as: .root) == "gone")
    }

    @Test func `without a service manager the installer starts the daemon, and an upgrade replaces it`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home visitor", as: .root)
        let visitor = Box.CommandUser.bare("visitor")
        let first = try await box.run("\(install) | sed '/^$/,$d'", as: visitor)
        let process = try await box.run("cat ~/.local/state/daybreak/daybreakd.pid", as: visitor)
        #expect(
            first == """
                Daybreak, for visitor
                Settings: /home/visitor/.config/daybreak/daybreak.toml
                A sample schedule, laid out around today: /home/visitor/.config/daybreak/tasks.json
                The journal's explanations need root to be installed; `daybreak explain` tells the same.
                Lingering was refused: Daybreak runs while you are logged in. An administrator can change that:
                    loginctl enable-linger visitor
                No service manager runs for visitor here, so the daemon is started by itself; nothing starts it after a boot.
                The daemon runs, as process \(process); it writes to /home/visitor/.local/state/daybreak/daybreakd.log
                """)
        try await box.run("\(install) && ~/.local/bin/daybreak status", as: visitor)
        #expect(try await box.attempt("kill -0 \(process)", as: visitor).status == 1)
        try await box.run(uninstall, as: visitor)
        #expect(try await box.attempt("~/.local/bin/daybreak", as: visitor).status == 127)
        #expect(try await box.run("pgrep --count --euid visitor daybreakd || true", as: .root) == "0")
        #expect(try await box.run("ls -d /tmp/daybreak-* 2>/dev/null || echo gone", as: visitor) == "gone")
    }

    @Test func `a daemon started by hand is replaced by an upgrade, and ended by the uninstall`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home visitor", as: .root)
        let visitor = Box.CommandUser.bare("visitor")
        // `run` waits until every inherited descriptor is closed, so the shell closes them before it starts the daemon.
        let closed = "for given in /proc/self/fd/*; do given=${given##*/}; ((given < 3)) || exec {given}>&-; done"
        let byHand = "(\(closed); exec setsid ~/.local/bin/daybreakd) >/dev/null 2>&1 </dev/null &"
        let count = "pgrep --count --euid visitor daybreakd || true"
        let started = "until ~/.local/bin/daybreak status; do [[ $? == 69 ]]; done"
        try await box.run("\(install) && kill $(cat ~/.local/state/daybreak/daybreakd.pid)", as: visitor)
        try await box.run("while pgrep --euid visitor daybreakd; do :; done", as: .root)
        try await box.run("{ \(byHand) } && \(started) >/dev/null 2>&1", as: visitor)
        try await box.run("\(install) && ~/.local/bin/daybreak status", as: visitor)
        #expect(try await box.run(count, as: .root) == "1")
        try await box.run("kill $(cat ~/.local/state/daybreak/daybreakd.pid)", as: visitor)
        try await box.run("while pgrep --euid visitor daybreakd; do :; done", as: .root)
        try await box.run("{ \(byHand) } && \(started) >/dev/null 2>&1 && \(uninstall)", as: visitor)
        #expect(try await box.run(count, as: .root) == "0")
    }

    @Test func `a stranger's daemon whose lock has the same number on another disk is left alone`() async throws {
        let box = try await Box(users: ["client", "stranger"])
        let state = "/home/client/.local/state/daybreak"
        try await box.run(
            """
            mkdir /tmp/strange && mount -t tmpfs -o mode=0700,uid=$(id -u stranger) tmpfs /tmp/strange
            install --directory --owner client --mode 0700 /home/client/.local{,/state}
            mount -t tmpfs -o mode=0700,uid=$(id -u client),gid=$(id -g client) tmpfs /home/client/.local/state
            """, as: .root)
        try await box.run("\(install) && systemctl --user stop daybreakd.socket daybreakd.service")
        let number = try await box.run("stat --format %i \(state)/history.db.lock")
        // It holds such a lock under the daemon's name.
        try await box.run(
            """
            cd /tmp/strange && cp /bin/sleep daybreakd
            for ((name = 0; name < 1000; name++)); do
                touch $name
                if [[ $(stat --format %i $name) == \(number) ]]; then break; fi
            done
            systemd-run --user --quiet flock --no-fork /tmp/strange/$name /tmp/strange/daybreakd infinity
            until grep -q ":\(number) " /proc/locks; do :; done
            """, as: .user("stranger"))
        let held = "pgrep --count --euid stranger daybreakd"
        try await box.run(install)
        #expect(try await box.run("systemctl --user is-active daybreakd.service") == "active")
        #expect(try await box.run(held, as: .root) == "1")
        try await box.run("\(uninstall) --purge")
        #expect(try await box.run(held, as: .root) == "1")
    }

    @Test func `without a manager and a journal, reminders go to the daemon's log and the history`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home visitor && rm /run/systemd/journal/{socket,stdout,dev-log}", as: .root)
        let visitor = Box.CommandUser.bare("visitor")
        try await box.run(
            """
            mkdir -p ~/.config/daybreak && echo "[[1, \\"calm\\", \\"$(date +%F)\\"]]" >~/.config/daybreak/tasks.json
            \(install)
            for verb in 'provider online' start leave 'mood calm'; do ~/.local/bin/daybreak $verb --json; done
            """, as: visitor)
        let reminders = [
            "The schedule was taken in; it has 1 entry.", "A task is open. `daybreak start` begins it.",
            "Your provider is available. `daybreak start` leads to the session.", "The task is completed.",
        ]
        #expect(
            // After the time, `2027-03-05T12:00:00+01:00 `.
            try await box.run("cut -c 27- ~/.local/state/daybreak/daybreakd.log", as: visitor)
                == reminders.map { "daybreakd: \($0)" }.joined(separator: "\n"))
        #expect(
            try await box.run("~/.local/bin/daybreak reminders | tail -n +2 | cut -c 10-", as: visitor)
                == reminders.joined(separator: "\n"))
    }

    @Test func `folders named by XDG variables are visible in the sandbox`() async throws {
        let box = try await Box()
        let elsewhere = "export XDG_CONFIG_HOME=$HOME/etc XDG_STATE_HOME=$HOME/var"
        try await box.run("\(elsewhere) && \(install)")
        #expect(try await box.run("~/.local/bin/daybreak list --json | wc --lines") == "1")
        try await box.run("systemctl --user restart daybreakd.socket daybreakd.service && ~/.local/bin/daybreak list")
        #expect(
            try await box.run("cd && ls etc/daybreak var/daybreak/history.db") == """
                var/daybreak/history.db

                etc/daybreak:
                daybreak.toml
                tasks.json
                """)
        #expect(try await box.run("ls ~/.local/state ~/.config/daybreak 2>/dev/null || true") == "")
        try await box.run("\(elsewhere) && \(uninstall) --purge")
        #expect(try await box.run("ls ~/etc ~/var 2>/dev/null || echo gone") == "gone")
    }

    @Test func `without user namespaces the daemon runs with a smaller sandbox`() async throws {
        let box = try await Box()
        try await box.run("mkdir ~/played && ln -s /bin/false ~/played/systemd-run")
        #expect(
            try await box.run("PATH=$HOME/played:$PATH \(install) | sed -n '/namespaces/,+1p'")
                == """
                This machine grants its users no namespaces: the daemon runs with less of a sandbox.
                `daybreak doctor` says what is missing, and what to do.
                """)
        #expect(try await box.run("systemctl --user is-active daybreakd.service") == "active")
        try await box.run("~/.local/bin/daybreak list && systemctl --user reload daybreakd")
        let doctor = try await box.attempt("~/.local/bin/daybreak doctor")
        #expect(doctor.status == 1)
        #expect(
            doctor.output.contains(
                "  ✗ sandbox        daybreakd runs without its own view of files, devices and network"))
    }

    /// Further directives of the units, where systemd knows all of them.
    static let laterDirectives = """
        [Service]
        PrivatePIDs=yes
        PrivateTmp=disconnected
        ProtectControlGroups=strict
        ProtectHostname=private
        PrivateBPF=yes
        """

    @Test func `directives of later versions are used if this systemd knows them`() async throws {
        let box = try await Box()
        try await box.run(install)
        let dropIn = "cat ~/.config/systemd/user/daybreakd.service.d/installed.conf 2>/dev/null || echo none"
        let version = try await box.run("systemctl --version | head -n 1 | cut -d ' ' -f 2")
        if version == "252" { #expect(try await box.run(dropIn) == "none") }
        // A script plays a systemd that knows all of them. Only the lines are compared.
        try await box.run("mkdir ~/played && ln -s /bin/true ~/played/systemd-run")
        _ = try await box.attempt("PATH=$HOME/played:$PATH \(install)")
        #expect(try await box.run(dropIn) == Self.laterDirectives)
        try await box.run(install)
        if version == "252" { #expect(try await box.run(dropIn) == "none") }
    }

    @Test func `a call starts a stopped service again, because its socket stays open`() async throws {
        let box = try await Box()
        try await box.run("\(install) && systemctl --user stop daybreakd.service")
        #expect(try await box.attempt("systemctl --user is-active daybreakd.service").output == "inactive")
        try await box.run("~/.local/bin/daybreak status")
        #expect(try await box.run("systemctl --user is-active daybreakd.service") == "active")
    }

    @Test func `the daemon writes its history and status, executes nothing and opens no network socket`() async throws {
        let box = try await Box()
        try await box.run(install)
        let process = try await box.run("systemctl --user show --property MainPID --value daybreakd")
        let folders = [
            "/home/client", "/home/client/.config/daybreak", "/home/client/.local/state/daybreak",
            "/run/user/$UID/daybreak", "/usr",
        ]
        let writable = folders.map {
            "findmnt --noheadings --output VFS-OPTIONS --task \(process) --target \($0) | tail -n 1 | cut -d , -f 1"
        }
        #expect(try await box.run(writable.joined(separator: "\n")) == "ro\nro\nrw\nrw\nro")
        let entered = try await box.attempt(
            "nsenter --target \(process) --user --mount --preserve-credentials /bin/true", as: .root)
        #expect(entered.errors == "nsenter: failed to execute /bin/true: Permission denied")
        #expect(
            try await box.run("grep -E '^(NoNewPrivs|Seccomp|CapBnd):' /proc/\(process)/status") == """
                CapBnd:\t0000000000000000
                NoNewPrivs:\t1
                Seccomp:\t2
                """)
    }
}
