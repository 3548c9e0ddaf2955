import Synchronization
import Testing

/// A small clinic on one machine, from its installation to the evening's backup, by the installed `practice` alone.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct ClinicDayTests {
    @Test func `a day of a clinic`() async throws {
        let clinic = try await ClinicDay()
        try await clinic.isFounded()
        try await clinic.takesOnItsStaff()
        try await clinic.saysWhatItOffers()
        try await clinic.takesInItsClients()
        try await clinic.recordsSessions()
        try await clinic.closesARecord()
        try await clinic.keepsEachOutOfWhatIsNotTheirs()
        try await clinic.handsOverTheClientsOfWhoLeaves()
        try await clinic.showsClientsWhatIsKeptOfThem()
        try await clinic.isAudited()
        try await clinic.isBackedUpAndRestored()
        try await clinic.tellsNoNamesToTheMachine()
    }
}

/// A clinic with two administrators, one of support, two thanatologists, two clients, and a visitor.
private final class ClinicDay {
    private let root: ShellUser
    private let (vera, ines, sofia, angeles, benito): (ShellUser, ShellUser, ShellUser, ShellUser, ShellUser)
    private let (carla, david, visitor): (ShellUser, ShellUser, ShellUser)
    private let typed = WrittenTexts()
    /// The practice's zone, in which it is about noon.
    private let zone: String

    init() async throws {
        let noon = Box.noon
        zone = String(noon.trimmingPrefix("/usr/share/zoneinfo/"))
        let box = try await Box(localtime: noon)
        let accounts = ["vera", "ines", "sofia", "angeles", "benito", "carla", "david", "guest"]
        try await box.run(accounts.map { "useradd --create-home \($0)" }.joined(separator: " && "), as: .root)
        let today = try await box.run("date '+%A %-d %B %Y'", as: .root)
        let typed = typed
        root = ShellUser(box: box, account: .root, today: today, typed: typed)
        let all = accounts.map { ShellUser(box: box, account: .bare($0), today: today, typed: typed) }
        (vera, ines, sofia, angeles, benito) = (all[0], all[1], all[2], all[3], all[4])
        (carla, david, visitor) = (all[5], all[6], all[7])
    }

    // MARK: The morning

    func isFounded() async throws {
        try await root.types(
            "\(Box.clone)/systemd/install --practice --from \(Box.shown)",
            """
            Daybreak, a practice
            Settings: /etc/practice/practice.toml
            The daemon runs: systemctl status practiced

            Nobody works here yet. Add the first administrator, by their account on this machine, as root:
                practice staff add --role administrator --name NAME --account ACCOUNT
            """)
        let settings = "/etc/practice/practice.toml"
        try await root.types(
            #"sed -i 's/^#name = .*/name = "Clinic at the Park"/; s|^#time_zone = .*|time_zone = "\#(zone)"|' \#(settings)"#
        )
        try await root.types("practiced --check && systemctl restart practiced", "\(settings): sound")
        try await root.types(
            "practice staff add --role administrator --name 'Vera Sol' --account vera",
            "Vera Sol works here now, as p1.")
    }

    func takesOnItsStaff() async throws {
        try await vera.types(
            "practice",
            """
              Clinic at the Park · (today)

              The practice is new. This is still to come, in this order:

              ✓  An administrator of its own
              ○  A thanatologist              `practice staff add --role thanatologist`
              ○  What it offers               `practice service add`
              ○  A first client               `practice client add`
            """)
        let people = [
            ("administrator", "Inés Luna", "ines", "p2"), ("support", "Sofía Mar", "sofia", "p3"),
            ("thanatologist", "Ángeles Río", "angeles", "p4"), ("thanatologist", "Benito Paz", "benito", "p5"),
        ]
        for (role, name, account, id) in people {
            try await vera.types(
                "practice staff add --role \(role) --name '\(name)' --account \(account)",
                "\(name) works here now, as \(id).")
        }
        try await sofia.types(
            "practice staff",
            """
              Who works here · 5

              A
              p4  Ángeles Río  thanatologist

              B
              p5  Benito Paz   thanatologist

              I
              p2  Inés Luna    administrator

              S
              p3  Sofía Mar    support

              V
              p1  Vera Sol     administrator
            """)
        try await sofia.mayNot(
            "practice staff add --role support --name 'Eva Gil'", "You may not do this: it is for administrators.")
    }

    func saysWhatItOffers() async throws {
        try await vera.types(#"base64 --decode >candle.png <<<'\#(Self.candle)'"#)
        try await vera.types(
            """
            practice service add --category 'Grief' --name 'First talk' --description 'An hour to begin with.' \
                --minutes 60 --fee 40 --link https://example.org/first --picture candle.png
            """, "“First talk” is offered now; `practice services` shows it to everybody.")
        try await ines.types(
            "practice service add --category 'In a group' --name 'Circle' --description 'Six people.' --minutes 90",
            "“Circle” is offered now; `practice services` shows it to everybody.")
        try await vera.types(
            "practice term add motives 'Loss of a parent'",
            "“Loss of a parent” is offered now (t1); `practice terms` lists the words.")
        try await vera.types(
            "practice term add tools 'Unsent letter'",
            "“Unsent letter” is offered now (t2); `practice terms` lists the words.")
        try await visitor.types(
            "practice services",
            """
              Clinic at the Park

              Grief

              First talk
                60 min · 40.00 EUR
                An hour to begin with.
                https://example.org/first
                (with a picture)

              In a group

              Circle
                90 min
                Six people.
            """)
        try await visitor.types(
            "practice services --html - | grep --count --fixed-strings '\(Self.candle)'", "1")
    }

    /// A picture of one pixel.
    private static let candle =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

    func takesInItsClients() async throws {
        try await sofia.types(
            "practice client add --name 'Carla Nube' --account carla --therapist Ángeles --phone '+34 600 333 444'",
            "Carla Nube is client No. 1. `practice client show 1` shows the record.")
        try await sofia.types(
            "practice client add --name - --account david --therapist Ángeles <<<'David Roca'",
            "David Roca is client No. 2. `practice client show 2` shows the record.")
        try await ines.types(
            "practice client transfer 2 Benito --reason 'He asked for a man.'", "David Roca is Benito Paz's client now."
        )
        try await angeles.types(
            "practice clients",
            """
              My clients · 1 open

              No.  Name
                1  Carla Nube
            """)
    }

    // MARK: The day's work

    func recordsSessions() async throws {
        try await angeles.types(
            """
            practice session add Carla --on today --minutes 50 --service 'First talk' --motive 'Loss of a parent' \
                --tool 'Unsent letter' --fee 40 --notes - <<<'She slept little.'
            """, "Session 1 of Carla Nube is recorded. `practice session show 1 1` shows it.")
        try await angeles.types(
            "practice session add 1 --on today --minutes 20 --service 'Circle' --notes 'He spoke of the war.'",
            "Session 2 of Carla Nube is recorded. `practice session show 1 2` shows it.")
        try await angeles.types(
            "practice session void 1 2 --reason 'That was another person.'",
            "Session 2 counts no more, and stays to be seen.")
        try await angeles.types(
            "practice session amend 1 1 --text 'Her brother came along.'", "The addendum stands under session 1.")
        try await angeles.types(
            "practice session show 1 1",
            """
              Session 1 · (day) · s1

              Length         50 min
              Service        First talk
              Motives        Loss of a parent
              Tools          Unsent letter
              Recovery fee   40.00 EUR
              Thanatologist  Ángeles Río
              Recorded       (now)

              She slept little.

              Addendum · (now) · Ángeles Río
              Her brother came along.
            """)
        try await angeles.types(
            "practice sessions 1",
            """
              Sessions · 1

              No.  Day    Length  Service     Motives                 Fee
                2  (day)  20 min  Circle                                   voided
                1  (day)  50 min  First talk  Loss of a parent  40.00 EUR  1 addendum
            """)
    }

    func closesARecord() async throws {
        let closed = "The record of Carla Nube is closed. `practice client reopen 1` opens it again."
        try await angeles.types("practice client close 1 --reason 'All is said.'", closed)
        try await angeles.mayNot(
            "practice session add 1 --on today --minutes 50 --service 'First talk' --notes 'One more.'",
            "The record of Carla Nube was closed on (day). `practice client reopen 1` opens it again."
        )
        try await angeles.types(
            "practice client reopen 1 --mistake --reason 'The wrong Carla.'",
            "The record of Carla Nube is open, as if it had not been closed.")
        try await angeles.types("practice client close 1 --reason 'She moved away.'", closed)
        try await angeles.types(
            "practice client reopen 1 --return --reason 'She is back.'",
            "The record of Carla Nube is open; a new episode begins.")
    }

    func keepsEachOutOfWhatIsNotTheirs() async throws {
        // A colleague's client is not found.
        for (client, session) in [("p6", "s1"), ("p99", "s99")] {
            let nobody = "There is no client “\(client)”. `practice clients` lists those that you may see."
            for command in [
                "client show \(client)", "sessions \(client)", "client file \(client)",
                "client edit \(client) --name 'Not mine.'", "client close \(client) --reason 'Not mine.'",
                "client reopen \(client) --return --reason 'Not mine.'",
                "session add \(client) --on today --minutes 5 --service 'Circle' --notes 'Not mine.'",
            ] {
                try await benito.mayNot("practice \(command)", nobody)
            }
            let noSession = "There is no session “\(session)”. `practice sessions CLIENT` lists a client's."
            for command in [
                "show \(session)", "amend \(session) --text 'Not mine.'", "void \(session) --reason 'Not mine.'",
            ] {
                try await benito.mayNot("practice session \(command)", noSession)
            }
            try await benito.types("practice audit --client \(client)", "Nothing of that is recorded.")
        }
        try await benito.mayNot(
            "practice client show Carla",
            "There is no client “Carla”. `practice clients` lists those that you may see.")

        // Support staff can neither read nor write sessions.
        for office in [vera, ines, sofia] {
            for command in [
                "sessions 1", "session show s1", "session amend s1 --text 'Not mine.'",
                "client close 1 --reason 'Not mine.'",
                "session add 1 --on today --minutes 5 --service 'Circle' --notes 'Not mine.'",
            ] {
                try await office.mayNot("practice \(command)", "You may not do this: it is for thanatologists.")
            }
            try await office.mayNot(
                "practice client file 1", "You may not do this: it is for thanatologists and clients.")
        }
        for command in [
            "client transfer 1 Benito --reason 'Not mine.'", "staff retire Benito",
            "service edit Circle --no-offered", "term add tools 'Box'",
        ] {
            try await sofia.mayNot("practice \(command)", "You may not do this: it is for administrators.")
        }
        try await sofia.mayNot(
            "practice audit", "You may not do this: it is for administrators, thanatologists and clients.")

        // Clients see their own data, and visitors the services.
        try await david.mayNot(
            "practice client file p6", "There is no client “p6”. `practice clients` lists those that you may see.")
        try await david.types("practice audit --client p6", "Nothing of that is recorded.")
        for command in ["sessions p6", "session show s1", "session amend s1 --text 'Not mine.'"] {
            try await david.mayNot("practice \(command)", "You may not do this: it is for thanatologists.")
        }
        let staff = "You may not do this: it is for administrators, support and thanatologists."
        for command in ["clients", "terms", "status"] {
            for outsider in [carla, visitor] { try await outsider.mayNot("practice \(command)", staff) }
        }
        let known = "You may not do this: it is for administrators, support, thanatologists and clients."
        for command in ["client show p6", "watch"] { try await visitor.mayNot("practice \(command)", known) }
        try await visitor.mayNot(
            "practice staff", "You may not do this: it is for administrators and support.")
        try await visitor.mayNot(
            "practice audit", "You may not do this: it is for administrators, thanatologists and clients.")
        for outsider in [visitor, david, benito, sofia] {
            try await outsider.mayNot("practice backup mine.db", "You may not do this: it is for administrators.")
            try await outsider.mayNot(
                "practice --as Vera clients",
                "Nobody can be played here: this practice is a real one. "
                    + "`systemd/install --practice --demo` makes one up.")
        }
    }

    func handsOverTheClientsOfWhoLeaves() async throws {
        try await vera.mayNot(
            "practice staff retire 'Ángeles Río'",
            "Nothing was written:\n  successor must be named: 1 record is this person's.")
        try await vera.types(
            "practice staff retire 'Ángeles Río' --successor Benito",
            "Ángeles Río works here no longer; what they did stays. Their clients are Benito Paz's now.")
        try await angeles.mayNot(
            "practice clients", "You may not do this: it is for administrators, support and thanatologists.")
        try await benito.types(
            "practice client show Carla",
            """
              Carla Nube · No. 1

              Telephone      +34600333444
              Account        carla
              Time zone      \(zone)
              Thanatologist  Benito Paz
              Record         open since (day)

              Sessions · 1

              No.  Day    Length  Service     Motives                 Fee
                2  (day)  20 min  Circle                                   voided
                1  (day)  50 min  First talk  Loss of a parent  40.00 EUR  1 addendum

              The record

              (day)  opened               by Sofía Mar
              (day)  closed               by Ángeles Río  All is said.
              (day)  reopened: a mistake  by Ángeles Río  The wrong Carla.
              (day)  closed               by Ángeles Río  She moved away.
              (day)  reopened: a return   by Ángeles Río  She is back.
              (day)  transferred          by Vera Sol     The thanatologist left the practice.
            """)
        try await vera.types(
            "practice staff retire 'Inés Luna'", "Inés Luna works here no longer; what they did stays.")
        let last =
            "This is the last administrator, so nothing was written: make somebody else an administrator first, with "
            + "`practice staff add` or `practice staff edit`."
        try await vera.mayNot("practice staff retire 'Vera Sol'", last)
        try await vera.mayNot("practice staff edit Vera --role support", last)
    }

    // MARK: The evening

    func showsClientsWhatIsKeptOfThem() async throws {
        try await carla.types(
            "practice client show me",
            """
              Carla Nube · No. 1

              Telephone      +34600333444
              Account        carla
              Time zone      \(zone)
              Thanatologist  Benito Paz
              Record         open since (day)
            """)
        try await carla.types(
            "practice client file me --html --to file.html", "Written to file.html; only you can read it.")
        for text in ["She slept little.", "Her brother came along.", "He spoke of the war.", "The wrong Carla."] {
            try await carla.types("grep --count '\(text)' file.html", "1")
        }
        try await david.types(
            "practice audit",
            """
              When   Who        Did        Client      What  Through
              (now)  Inés Luna  Transfer   David Roca  p5    socket
              (now)  Inés Luna  GetClient  David Roca        socket
              (now)  Sofía Mar  AddClient  David Roca  p7    socket
            """)
    }

    func isAudited() async throws {
        // The audit has no refused calls. It has Sofía's look-up of client No. 1.
        try await vera.types(
            "practice audit --client Carla --by Sofía",
            """
              When   Who        Did        Client      What  Through
              (now)  Sofía Mar  GetClient  Carla Nube        socket
              (now)  Sofía Mar  GetClient  Carla Nube        socket
              (now)  Sofía Mar  AddClient  Carla Nube  p6    socket
            """)
        try await vera.types(
            "practice audit --by Benito --since today --limit 3",
            """
              When   Who         Did           Client      What  Through
              (now)  Benito Paz  ListTurns     Carla Nube  6     socket
              (now)  Benito Paz  ListSessions  Carla Nube  2     socket
              (now)  Benito Paz  GetClient     Carla Nube        socket
              There is more: --limit 30 shows more of it.
            """)
    }

    func isBackedUpAndRestored() async throws {
        try await vera.types(
            "practice backup evening.db",
            "All of the practice is in evening.db, readable by you alone. `practice restore` brings it back.")
        try await vera.types("stat --format %a evening.db", "600")
        try await vera.types(
            "practice staff add --role support --name 'By mistake'",
            "By mistake works here now, as p8. Without an account they cannot use `practice` yet: `practice staff edit p8`."
        )
        try await vera.types(
            "practice restore evening.db",
            """
            The practice is restored: 3 staff, 2 clients, 2 sessions. \
            The database before is kept as /var/lib/practice/backups/replaced-(number).db.
            Invitations are over: invite anew.
            """)
        try await vera.types("practice staff mistake", "Nobody who works here has “mistake” in their name.")
        try await vera.types(
            "practice backup",
            "The backup of this night is made. The daemon does so by itself, and keeps the last 7.")
        try await vera.types("practice doctor | head --lines 3", "  ✓ Database\n  ✓ Backups\n  ✓ Settings")
    }

    func tellsNoNamesToTheMachine() async throws {
        try await vera.types(
            "practice status --format prometheus | grep --extended-regexp \"^practice_(staff|open|closed|sess|.*_ok)\"",
            """
            practice_staff 3
            practice_open_clients 2
            practice_closed_clients 0
            practice_sessions 2
            practice_storage_ok 1
            practice_backup_ok 1
            """)
        let journal = "journalctl --no-pager _COMM=practiced --output"
        try await root.types(
            "\(journal) cat",
            """
            A person joined the staff: p1.
            A person joined the staff: p2.
            A person joined the staff: p3.
            A person joined the staff: p4.
            A person joined the staff: p5.
            A record was opened: p6.
            A record was opened: p7.
            A record was transferred: p7.
            A record was closed: p6.
            A record was opened again: p6.
            A record was closed: p6.
            A record was opened again: p6.
            A record was transferred: p6.
            A person left the staff: p4.
            A person left the staff: p2.
            A person joined the staff: p8.
            A backup was restored: replaced-(number).db.
            A backup was made.
            """)
        // Each line has a MESSAGE_ID, and the installed catalog explains each kind.
        let kinds = #"\#(journal) json | sed 's/.*"MESSAGE_ID":"\([0-9a-f]*\)".*/\1/' | sort --unique"#
        try await root.types(
            "journalctl --list-catalog $(\(kinds)) | cut --delimiter ' ' --fields 2- | sort",
            """
            Daybreak: A backup was made
            Daybreak: A backup was restored
            Daybreak: A person joined the staff
            Daybreak: A person left the staff
            Daybreak: A record was closed
            Daybreak: A record was opened
            Daybreak: A record was opened again
            Daybreak: A record was transferred
            """)
        let texts = "<(cat <<'END'\n\(typed.written.joined(separator: "\n"))\nEND\n)"
        let search = "grep --count --text --fixed-strings --file \(texts)"
        let shown = "<(journalctl --no-pager --output export) /run/practice/status.json <(practice status)"
        try await root.types("cat \(shown) | \(search) || true", "0")
        // The search does find them where they are kept.
        try await root.types("cat /var/lib/practice/practice.db* | \(search) >/dev/null")
        #expect(typed.written.count > 30)
    }
}

/// A user with an account on the clinic's machine, who types commands.
private struct ShellUser: Sendable {
    let box: Box
    let account: Box.CommandUser
    let today: String
    let typed: WrittenTexts

    /// Types a line. It prints this and nothing else.
    func types(
        _ line: String, _ expected: String = "", _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await expect(line, output: expected, errors: "", status: 0, location)
    }

    /// Types a line, which is refused with this sentence.
    func mayNot(_ line: String, _ sentence: String, _ location: SourceLocation = #_sourceLocation) async throws {
        let advice = sentence.hasPrefix("You may not do this") ? " `practice rights` shows who may do what." : ""
        try await expect(line, output: "", errors: sentence + advice, status: 1, location)
    }

    private func expect(
        _ line: String, output: String, errors: String, status: Int32, _ location: SourceLocation
    ) async throws {
        typed.take(line)
        let said = try await box.attempt(line, as: account)
        #expect(even(said.output) == even(output), "\(line)", sourceLocation: location)
        #expect(even(said.errors) == even(errors), "\(line)", sourceLocation: location)
        #expect(said.status == status, "\(line)", sourceLocation: location)
    }

    /// The text with words for the day and for the time. Columns are as wide as the day's name, and count for nothing.
    private func even(_ text: String) -> String {
        text.replacing(today, with: "(today)")
            .replacing(today.drop { $0 != " " }.dropFirst(), with: "(day)")
            .replacing(#/today at \d\d:\d\d/#, with: "(now)")
            .replacing(#/replaced-[-0-9]+\.db/#, with: "replaced-(number).db")
            .replacing(#/(\S) {2,}/#) { "\($0.1)  " }
    }
}

/// The names and texts of this day: those between single quotes on the command lines of `practice`.
private final class WrittenTexts: Sendable {
    private let texts = Mutex<Set<String>>([])

    func take(_ line: String) {
        guard line.hasPrefix("practice ") else { return }
        texts.withLock { $0.formUnion(line.matches(of: #/'([^']+)'/#).map { String($0.1) }) }
    }

    var written: [String] { texts.withLock { $0.sorted() } }
}
