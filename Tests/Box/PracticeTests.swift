import Foundation
import Testing

/// `systemd/install --practice`: a clinic's daemon, and accounts that call it.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct PracticeTests {
    private static let script = "\(Box.clone)/systemd/install --practice"
    private let install = "\(script) --from \(Box.shown)"
    private let socket = "/run/practice/control"

    private func ask(_ method: String, _ parameters: String = "{}", at socket: String? = nil) -> String {
        "python3 \(Box.clone)/Tests/Box/ask.py \(socket ?? self.socket) \(method) '\(parameters)'"
    }

    private let first = #"{"name":"Vera","role":"administrator","account":"vera"}"#

    @Test func `root installs it, and reads how to add the first administrator`() async throws {
        let box = try await Box()
        #expect(
            try await box.run(install, as: .root) == """
                Daybreak, a practice
                Settings: /etc/practice/practice.toml
                The daemon runs: systemctl status practiced

                Nobody works here yet. Add the first administrator, by their account on this machine, as root:
                    practice staff add --role administrator --name NAME --account ACCOUNT
                """)
        let units = "practiced.socket practiced.service"
        #expect(try await box.run("systemctl is-active \(units)", as: .root) == "active\nactive")
        #expect(try await box.run("systemctl is-enabled \(units)", as: .root) == "enabled\nenabled")
        #expect(try await box.run("ps --no-headers --format user --pid $(pgrep practiced)", as: .root) == "practiced")
        let said = try await box.run("systemd-analyze verify --man=no \(units) 2>&1 || true", as: .root)
        #expect(said == "")
        #expect(
            try await box.run(
                """
                stat --format '%a %U:%G %n' /etc/practice{,/practice.toml} /var/lib/practice{,/practice.db} \
                    /run/practice{,/control,/status.json}
                """, as: .root) == """
                    750 root:practiced /etc/practice
                    640 root:practiced /etc/practice/practice.toml
                    700 practiced:practiced /var/lib/practice
                    600 practiced:practiced /var/lib/practice/practice.db
                    755 practiced:practiced /run/practice
                    666 practiced:practiced /run/practice/control
                    600 practiced:practiced /run/practice/status.json
                    """)
        let health = try await box.run("cat /run/practice/status.json", as: .root)
        #expect(
            health.replacing(#/"(since|version)":"[^"]*"/#) { "\"\($0.1)\":…" }
                .replacing(#/"databaseBytes":[0-9]+/#, with: "\"databaseBytes\":…")
                == #"{"closedClients":0,"connections":0,"databaseBytes":…,"madeUp":false,"openClients":0,"sessions":0,"#
                + #""since":…,"staff":0,"version":…,"watchers":0}"#)
    }

    @Test func `an account is its person, root is an administrator, and every other account is a visitor`() async throws
    {
        let box = try await Box()
        try await box.run("useradd --create-home vera && useradd --create-home guest && \(install)", as: .root)
        #expect(try await box.run(ask("Practice.AddStaff", first), as: .root).contains(#""id":"p1""#))
        #expect(try await box.run(ask("Practice.WhoAmI"), as: .bare("vera")).contains(#""name":"Vera""#))
        let visitor = try await box.run(ask("Practice.WhoAmI"), as: .bare("guest"))
        #expect(visitor.contains(#""rights":["seeServices","ask"]"#) && !visitor.contains(#""person""#))
        #expect(
            try await box.run(ask("Practice.AddStaff", first), as: .bare("guest"))
                == #"{"error":"org.daybreak.Practice.NotAllowed","parameters":{"right":"editStaff"}}"#)
        #expect(
            try await box.run(ask("Upkeep.PlayAs", #"{"who":"Vera"}"#), as: .bare("guest"))
                == #"{"error":"org.daybreak.Upkeep.NotMadeUp","parameters":{}}"#)
        #expect(try await box.attempt("cat /var/lib/practice/practice.db", as: .bare("vera")).status == 1)
    }

    @Test func `nobody takes the daemon's own account`() async throws {
        let box = try await Box()
        try await box.run(install, as: .root)
        let call = ask("Practice.AddStaff", #"{"name":"Ana","role":"thanatologist","account":"practiced"}"#)
        #expect(try await box.run(call, as: .root).contains("must be one person's: practiced is the daemon's."))
    }

    @Test func `a call starts the daemon, and calls wait while it is restarted`() async throws {
        let box = try await Box()
        try await box.run(install, as: .root)
        try await box.run("systemctl stop practiced.service", as: .root)
        #expect(try await box.run("systemctl is-active practiced.service || true", as: .root) == "inactive")
        #expect(try await box.run(ask("Practice.WhoAmI"), as: .root).hasPrefix(#"{"parameters":"#))
        #expect(try await box.run("systemctl is-active practiced.service", as: .root) == "active")
    }

    @Test func `installing it again upgrades it, and keeps records and settings`() async throws {
        let box = try await Box()
        try await box.run("useradd --create-home vera && \(install)", as: .root)
        try await box.run(ask("Practice.AddStaff", first), as: .root)
        try await box.run(
            #"sed -i 's/^#name = .*/name = "Clinic at the Park"/' /etc/practice/practice.toml"#, as: .root)
        #expect(
            try await box.run(install, as: .root) == """
                Daybreak, a practice
                The daemon runs: systemctl status practiced
                """)
        let me = try await box.run(ask("Practice.WhoAmI"), as: .bare("vera"))
        #expect(me.contains(#""practice":"Clinic at the Park""#) && me.contains(#""name":"Vera""#))
    }

    @Test func `a folder of reports is off until its timer is enabled, private, and public if it is shared`()
        async throws
    {
        let box = try await Box()
        try await box.run("useradd --create-home guest && \(install)", as: .root)
        let unit = "practice-reports"
        #expect(try await box.run("systemctl is-enabled \(unit).timer || true", as: .root) == "disabled")
        #expect(
            try await box.run("systemd-analyze verify --man=no \(unit).service \(unit).timer 2>&1 || true", as: .root)
                == "")
        try await box.run("systemctl enable --now \(unit).timer && systemctl start \(unit).service", as: .root)
        #expect(try await box.run("systemctl is-active \(unit).timer", as: .root) == "active")
        let folder = "/var/lib/practice-reports"
        let modes = "stat --format '%a %U %n' \(folder){,/index.html,/fees.svg,/reports.csv}"
        #expect(
            try await box.run(modes, as: .root) == """
                700 practiced \(folder)
                600 practiced \(folder)/index.html
                600 practiced \(folder)/fees.svg
                600 practiced \(folder)/reports.csv
                """)
        #expect(try await box.attempt("cat \(folder)/index.html", as: .bare("guest")).status == 1)
        let said = "journalctl --no-pager --output cat --unit \(unit).service --identifier practice"
        #expect(try await box.run(said, as: .root) == "12 files in \(folder) changed.")
        let shared =
            "[Service]\\nStateDirectoryMode=0755\\nExecStart=\\nExecStart=/usr/local/bin/practice report --watch"
        let drop = "/etc/systemd/system/\(unit).service.d"
        try await box.run(
            """
            mkdir -p \(drop) && printf '\(shared) \(folder) --once --share\\n' >\(drop)/shared.conf
            systemctl daemon-reload && systemctl start \(unit).service
            """, as: .root)
        #expect(
            try await box.run(modes, as: .root) == """
                755 practiced \(folder)
                644 practiced \(folder)/index.html
                644 practiced \(folder)/fees.svg
                644 practiced \(folder)/reports.csv
                """)
        #expect(try await box.attempt("ls \(folder)/weeks.html", as: .root).status == 2)
        #expect(try await box.run("head --lines 1 \(folder)/index.html", as: .bare("guest")) == "<!DOCTYPE html>")
        try await box.run("rm -r \(drop) && \(Self.script) --uninstall --purge", as: .root)
        #expect(try await box.run("ls -d \(folder) 2>/dev/null || true", as: .root) == "")
    }

    @Test func `settings with a fault are refused before the running service is changed`() async throws {
        let box = try await Box()
        try await box.run(install, as: .root)
        try await box.run("echo 'colour = 1' >>/etc/practice/practice.toml", as: .root)
        let process = "systemctl show --property MainPID practiced.service"
        let before = try await box.run(process, as: .root)
        #expect(try await box.attempt(install, as: .root).status == 1)
        #expect(try await box.run(process, as: .root) == before)
    }

    @Test func `uninstalling keeps the records, and purging nothing`() async throws {
        let box = try await Box()
        try await box.run(install, as: .root)
        #expect(
            try await box.run("\(Self.script) --uninstall", as: .root) == """
                Kept: the records, in /var/lib/practice
                    (--purge removes it)
                The practice is gone.
                """)
        #expect(try await box.run("ls /var/lib/practice", as: .root) == "practice.db")
        try await box.run(install, as: .root)
        // The nightly copies may be elsewhere, beside other files.
        let nights = "/srv/practice/night-2027-03-05.db"
        try await box.run(
            """
            mkdir -p /srv/practice && touch /srv/practice/other \(nights)
            echo 'backups = "/srv/practice"' >>/etc/practice/practice.toml
            """, as: .root)
        #expect(
            try await box.run("\(Self.script) --uninstall --purge", as: .root) == """
                Look into /srv/practice: copies of all records were kept there
                    (nothing else in it was removed, and nothing from a disk that is away)
                The practice is gone, and with it the settings and all records.
                """)
        #expect(try await box.run("ls /srv/practice", as: .root) == "other")
        let left =
            "find /etc /run /usr/local /var/lib -name '*practice*' -not -path '*/doc/*'; getent passwd practiced practice practice-keys || true"
        #expect(try await box.run(left, as: .root) == "")
    }

    /// Also while the file of before the move is still there.
    @Test(arguments: ["[storage]\\nurl = \"%s\"", "[storage]\\nurl='%s' # moved", "storage.url = '%s'"])
    func `uninstalling says that a server of PostgreSQL keeps the records, purging too`(setting: String) async throws {
        let box = try await Box()
        try await box.run(install, as: .root)
        let address = "postgresql://daybreak:secret@db.clinic.example/practice"
        let line = setting.replacing("%s", with: address + "?sslmode=require").replacing("'", with: "'\\''")
        try await box.run("printf '\(line)\\n' >/etc/practice/practice.toml", as: .root)
        #expect(
            try await box.run("cp /etc/practice/practice.toml /root/ && \(Self.script) --uninstall", as: .root) == """
                Kept: /etc/practice/practice.toml, which you changed
                    (--purge removes it)
                Kept: the records, on the server of PostgreSQL, postgresql://db.clinic.example/practice
                Kept: what the daemon had beside them, in /var/lib/practice
                    (--purge removes it)
                The practice is gone.
                """)
        try await box.run(
            "rm -f /etc/practice/practice.toml && \(install) && cp /root/practice.toml /etc/practice/", as: .root)
        #expect(
            try await box.run("\(Self.script) --uninstall --purge", as: .root) == """
                Kept: all records, on the server of PostgreSQL, postgresql://db.clinic.example/practice
                    (nothing here removes them: drop that database there)
                The practice is gone from this machine, and with it the settings.
                """)
        #expect(try await box.attempt("ls /var/lib/practice", as: .root).status == 2)
    }

    @Test func `an ordinary user reads how to try a made-up practice`() async throws {
        let box = try await Box()
        let said = try await box.attempt(install)
        #expect(said.status == 1)
        #expect(
            said.errors
                == "Only root can install a practice. To try one that is made up: systemd/install --practice --demo")
    }

    @Test func `a user acts as any person of their own made-up practice, and uninstalling removes it`() async throws {
        let box = try await Box()
        let said = try await box.run("\(install) --demo")
        #expect(
            said.hasPrefix("A made-up practice, for client\nThe daemon runs: systemctl --user status practice-demo\n"))
        let own = "$XDG_RUNTIME_DIR/practice-demo/control"
        let health = try await box.run(ask("Upkeep.Status", at: own))
        // All connections wait before the first is accepted.
        #expect(health.contains(#""madeUp":true"#) && health.contains(#""staff":6"#))
        #expect(try await box.run("~/.local/bin/practice staff | head --lines 1") == "  Who works here · 6")
        // How many clients she has depends on the day: the three years end today.
        let clients = try await box.run("~/.local/bin/practice clients --as Ana | head --lines 1")
        #expect(clients.wholeMatch(of: /\ {2}My clients · [1-9][0-9]* open/) != nil, "\(clients)")
        #expect(
            try await box.run("~/.local/bin/practiced --check --config /none 2>&1 || true").hasSuffix(
                "practiced: /none cannot be read: there is no such file"))
        #expect(try await box.run("\(Self.script) --demo --uninstall") == "The made-up practice is gone.")
        #expect(try await box.run("find ~ $XDG_RUNTIME_DIR -maxdepth 5 -name '*practice*' 2>/dev/null || true") == "")
    }
}
