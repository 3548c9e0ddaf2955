import Foundation
import Glibc
import PracticeInterfaces
import StaffInterfaces
import Testing
import Varlink

@testable import Companion
@testable import PracticeCompanion

@Suite struct `Maintenance of a practice` {
    private func practice() throws -> RealPractice {
        let practice = try RealPractice()
        try practice.says("staff", "add", "--name", "Ana", "--role", "thanatologist")
        return practice
    }

    private func file(_ text: String, in practice: RealPractice) throws -> String {
        let file = practice.folder + "/clients.csv"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    @Test func `the report of a dry run says so, also in JSON`() throws {
        let practice = try practice()
        let file = try file("name,thanatologist\nCleo,Ana\n", in: practice)
        #expect(
            try practice.says("import", "clients", file, "--dry-run")
                == "1 client, and no fault. Nothing was taken in.\n")
        #expect(try practice.says("import", "clients", file, "--dry-run", "--json") == "{\"rows\":1}\n")
        #expect(try practice.says("clients").hasPrefix("No client has an open record yet."))
        #expect(try practice.says("import", "clients", file) == "1 client was taken in.\n")
    }

    @Test func `a spreadsheet is not taken in twice unless that is wished`() throws {
        let practice = try practice()
        let file = try file("name,thanatologist\nCleo,Ana\n", in: practice)
        try practice.says("import", "clients", file)
        let there = "\(file):2: “Cleo” is there already: No. 1\n"
        let refused = ProgramTests.Run(
            error: there + "Nothing was taken in. If they are other people, --namesakes takes them in all the same.\n",
            status: 1)
        #expect(try practice.run("import", "clients", file) == refused)
        #expect(try practice.run("import", "clients", file, "--dry-run") == refused)
        #expect(
            try practice.says("import", "clients", file, "--dry-run", "--namesakes")
                == there + "1 client, and no fault. Nothing was taken in.\n")
        #expect(try practice.says("import", "clients", file, "--namesakes") == "1 client was taken in.\n")
    }

    @Test func `a spreadsheet with more rows than one import takes is refused before it is checked`() throws {
        let practice = try practice()
        let rows = (1...20_001).map { "Cleo \($0),Ana\n" }.joined()
        let file = try file("name,thanatologist\n\(rows)", in: practice)
        let refused = ProgramTests.Run(
            error: "\(file) has 20001 rows, and one import takes 20000: split it. Nothing was taken in.\n", status: 1)
        #expect(try practice.run("import", "clients", file, "--dry-run") == refused)
        #expect(try practice.run("import", "clients", file) == refused)
    }

    @Test func `a client who stands twice in a spreadsheet is not taken in unless that is wished`() throws {
        let practice = try practice()
        let file = try file("name,thanatologist\nCleo Ávila,Ana\nDora,Ana\ncleo  avila,Ana\n", in: practice)
        let twice = "\(file):4: “cleo  avila” stands on line 2, too\n"
        let refused = ProgramTests.Run(
            error: twice + "Nothing was taken in. If they are other people, --namesakes takes them in all the same.\n",
            status: 1)
        #expect(try practice.run("import", "clients", file) == refused)
        #expect(try practice.run("import", "clients", file, "--dry-run") == refused)
        #expect(try practice.says("clients").hasPrefix("No client has an open record yet."))
        #expect(try practice.says("import", "clients", file, "--namesakes") == "3 clients were taken in.\n")
    }

    @Test func `a column that the file has not is told once`() throws {
        let practice = try practice()
        let file = try file("Name,born\nCleo,1980-02-03\nDora,1980-02-03\n", in: practice)
        #expect(
            try practice.run("import", "clients", file)
                == ProgramTests.Run(
                    error: "\(file):1: There is no column “name”, “thanatologist”. The file has “Name”, “born”. "
                        + "--map reads a column by another name.\nNothing was taken in.\n", status: 1))
        #expect(
            try practice.run("import", "sessions", file, "--map", "client=Name", "--map", "on=born").error
                == "\(file):1: There is no column “minutes”, “service”. The file has “Name”, “born”. "
                + "--map reads a column by another name.\nNothing was taken in.\n")
    }

    @Test func `a required field of the practice's own is a column that the file must have`() throws {
        let practice = try RealPractice("[[client.field]]\nname = \"insurance\"\nrequired = true")
        let file = try file("name,thanatologist\nCleo,Ana\n", in: practice)
        #expect(
            try practice.run("import", "clients", file).error
                == "\(file):1: There is no column “insurance”. The file has “name”, “thanatologist”. "
                + "--map reads a column by another name.\nNothing was taken in.\n")
    }

    @Test func `a column is mapped to a field that there is`() throws {
        let practice = try practice()
        let file = try file("Name,thanatologist\nCleo,Ana\n", in: practice)
        #expect(
            try practice.run("import", "clients", file, "--map", "nam=Name")
                == ProgramTests.Run(
                    error:
                        "--map has no “nam” for clients. It has name, born, phone, email, address, emergencyContact, "
                        + "referredBy, motive, timeZone, thanatologist, since, account.\n", status: 64))
        #expect(
            try practice.says("import", "clients", file, "--map", "name=Name") == "1 client was taken in.\n")
    }

    @Test func `the list's name before a verb is told with the right one`() throws {
        let practice = try practice()
        let hint =
            "There is no `practice services add`. Did you mean `practice service add`? `practice service --help` lists "
            + "the verbs.\n"
        #expect(try practice.run("services", "add") == ProgramTests.Run(error: hint, status: 64))
    }

    @Test func `the doctor says that the daemon has older settings than the file`() throws {
        let practice = try practice()
        let file = practice.folder + "/practice.toml"
        let before = try String(contentsOfFile: file, encoding: .utf8)
        try "\(before)\n[limits]\npage = 30\n[mail]\nurgent_note = \"Call 112.\"\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        #expect(
            try practice.run("doctor")
                == ProgramTests.Run(
                    output: """
                          ✓ Database
                          ✓ Backups
                          ✗ Settings: The file was changed after the start, and the daemon has the old mail.urgent_note, limits.page.
                            `systemctl restart practiced` puts the file in force.

                        """, status: 1))
        try before.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try practice.says("doctor") == "  ✓ Database\n  ✓ Backups\n  ✓ Settings\n")
    }

    @Test func `of a practice on a server, the doctor and the status advise nothing about backups of ours`() {
        #expect(
            Doctor.text(.init(storage: "The server does not answer.", folder: "")) == """
                  ✗ Database: The server does not answer.
                    Look whether PostgreSQL runs, and what its log says; its own programs restore a backup.
                  ✓ Settings

                """)
        let health = Upkeep.Health(
            version: "1", since: "2027-03-05T09:00:00+01:00", madeUp: false, connections: 1, watchers: 0,
            databaseBytes: 0, onServer: true)
        #expect(
            Status.text(health, today: "2027-03-05", columns: nil, ink: .plain).contains(
                "Last backup  PostgreSQL's own programs make them\n"))
        #expect(!Status.prometheus(health).contains("backup"))
    }

    @Test func `after a restore over a database that could not be read, it is said where to look`() {
        let told = """
            The practice is restored: 3 staff, 2 clients, 2 sessions. The database before is kept as /var/replaced.db.
            Invitations are over: invite anew.

            """
        var reply = Upkeep.Restore.Reply(kept: "/var/replaced.db", staff: 3, clients: 2, sessions: 2)
        #expect(Restore.text(reply) == told)
        reply.unknown = true
        #expect(
            Restore.text(reply) == told + """
                The database before could not be read, or not everywhere: keys that were taken away since the backup, \
                records that were erased and staff who had left may be back. Look at `practice keys --of NAME`, \
                `practice clients` and `practice staff`.

                """)
        reply.kept = ""
        #expect(Restore.text(reply).contains(" 2 sessions. No database was there before.\n"))
    }

    @Test func `a restore that took place before the disk failed is not told as nothing written`() throws {
        func reply(inDoubt: Bool?) throws -> Reply {
            let error = Practice.StorageUnavailable(reason: "The backup is in place.", inDoubt: inDoubt)
            return try Reply(frame: Reply.frame(error: error).dropLast())
        }
        #expect(
            try Restore.doubt(reply(inDoubt: true))?.sentence
                == "The backup is in place. `practice doctor` says more: ask it before you restore again.")
        #expect(try Restore.doubt(reply(inDoubt: nil)) == nil)
    }

    @Test func `the status has one form, and its help has each command on a line`() throws {
        let practice = try practice()
        let refused = try practice.run("status", "--format", "prometheus", "--json")
        #expect(refused.status == 64 && refused.output == "")
        #expect(refused.error.contains("\"--json and --format are two forms of the answer: choose one.\""))
        let help = try practice.says("status", "--help")
        #expect(
            help.contains(
                """
                \n  cd /var/lib/node_exporter
                  practice status --format prometheus >practice.prom.new
                  mv practice.prom.new practice.prom

                """), "\(help)")
    }

    @Test func `the words of a server that cannot be reached stand apart`() throws {
        let practice = try practice()
        practice.also["STATE_DIRECTORY"] = practice.folder + "/state"
        practice.end()
        let moved = try practice.run(
            "move", "--to", "postgresql://127.0.0.1:1/practice", "--config", practice.folder + "/practice.toml")
        #expect(moved.error.contains("Connection refused Is the server running"), "\(moved)")
    }

    @Test func `sessions are not taken in twice unless that is wished`() throws {
        let practice = try practice()
        try practice.says(
            "service", "add", "--name", "Talk", "--category", "Talking", "--description", "An hour.", "--minutes", "50")
        let clients = try file("name,thanatologist,since\nCleo,Ana,2026-01-07\n", in: practice)
        try practice.says("import", "clients", clients)
        let file = try file("client,on,minutes,service\nCleo,2026-02-03,50,Talk\n", in: practice)
        try practice.says("import", "sessions", file)
        let there = "\(file):2: client No. 1 has that already, as session 1\n"
        let isRefused = ProgramTests.Run(
            error: there + "Nothing was taken in. If they are other sessions, --again takes them in all the same.\n",
            status: 1)
        #expect(try practice.run("import", "sessions", file) == isRefused)
        #expect(try practice.run("import", "sessions", file, "--dry-run") == isRefused)
        #expect(try practice.says("import", "sessions", file, "--again") == "1 session was taken in.\n")
        let other = "Cleo,2026-02-04,50,Talk\n"
        let twice = try self.file("client,on,minutes,service\n\(other)\(other)", in: practice)
        let refused = try practice.run("import", "sessions", twice)
        #expect(
            refused.error == "\(twice):3: This session stands on line 2, too\n"
                + "Nothing was taken in. If they are other sessions, --again takes them in all the same.\n")
        #expect(try practice.says("import", "sessions", twice, "--again") == "2 sessions were taken in.\n")
    }

    @Test func `a form takes its fields from a file or from options, and never drops the one for the other`() throws {
        let practice = try RealPractice("[[client.field]]\nname = \"insurance\"")
        try practice.says("staff", "add", "--name", "Ana", "--role", "thanatologist")
        try practice.says(
            "service", "add", "--name", "Talk", "--category", "Talking", "--description", "An hour.", "--minutes", "50")
        let calls: [([String], String)] = [
            (["staff", "add", "-", "--name", "Ben", "--email", "-"], "--name, --email"),
            (
                [
                    "client", "add", "-", "--therapist", "Ana", "--emergency-contact", "Dora", "--field", "insurance=7",
                    "--namesake",
                ],
                "--emergency-contact, --field insurance=, --therapist, --namesake"
            ), (["service", "edit", "Talk", "-", "--no-offered"], "--no-offered"),
        ]
        for (arguments, options) in calls {
            #expect(
                try practice.run(arguments, input: "{}")
                    == ProgramTests.Run(
                        error: "The fields come from -, or from options: leave one of them out (\(options)).\n",
                        status: 64))
        }
    }

    @Test func `a settings file that is not there moves nothing`() throws {
        let practice = try practice()
        practice.also["STATE_DIRECTORY"] = practice.folder + "/state"
        practice.end()
        let (file, settings) = (practice.folder + "/moved.db", practice.folder + "/practise.toml")
        #expect(
            try practice.run("move", "--to", file, "--config", settings)
                == ProgramTests.Run(
                    error: "practiced: \(settings) cannot be read: there is no such file\n", status: 1))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `a practice is moved once its daemon has ended, to where there is nothing`() throws {
        let practice = try practice()
        practice.also["STATE_DIRECTORY"] = practice.folder + "/state"
        let (file, settings) = (practice.folder + "/moved.db", practice.folder + "/practice.toml")
        func move() throws -> ProgramTests.Run {
            var run = try practice.run("move", "--to", file, "--config", settings)
            run.error = run.error.replacing(#/\(process \d+\)/#, with: "(process 1)")
            return run
        }
        let refused = "practiced: nothing was moved."
        #expect(
            try move()
                == ProgramTests.Run(
                    error:
                        "\(refused) A practiced runs here: stop it first, with `systemctl stop practiced.socket practiced` (process 1).\n",
                    status: 1))
        practice.end()
        #expect(
            try move()
                == ProgramTests.Run(
                    output: """
                        Moved: 1 staff, 0 clients, 0 sessions. Each row is the same in both.
                        Let it become \(practice.folder)/state/practice.db, and write url = "" under [storage] in \(settings), \
                        before practiced is started again: until then it uses the old one, which is as it was.

                        """))
        #expect(
            try move()
                == ProgramTests.Run(
                    error: "\(refused) The target is not empty: a practice is moved only to where there is nothing.\n",
                    status: 1))
    }

    @Test func `a category in which nothing is offered is refused, with those that there are`() throws {
        let practice = try practice()
        #expect(try practice.run("services", "none").error == "Nothing is offered in “none”.\n")
        try practice.says(
            "service", "add", "--name", "One to one", "--category", "Talking", "--description", "An hour.", "--minutes",
            "50", "--fee", "45")
        #expect(
            try practice.run("services", "none")
                == ProgramTests.Run(
                    error: "Nothing is offered in “none”. The categories are “Talking”.\n", status: 1))
    }

    @Test(arguments: ["0", "-1", "\(Int.min)", "\(Int.max)"])
    func `audit --limit accepts 1 to its maximum`(limit: String) throws {
        #expect(
            try practice().run("audit", "--limit=\(limit)")
                == ProgramTests.Run(error: "--limit takes a number from 1 to 100000.\n", status: 64))
    }

    @Test func `audit refuses days between which nothing lies`() throws {
        #expect(
            try practice().run("audit", "--since", "2026-11-28", "--until", "2026-11-01")
                == ProgramTests.Run(error: "--since is after --until: nothing lies between.\n", status: 64))
    }

    @Test func `each fault of an import has its line, also in JSON`() throws {
        let practice = try practice()
        let file = try file("name,born,thanatologist\nCleo,1980-02-30,Ana\n,,Ana\n", in: practice)
        let reasons = ["must be a day such as 2027-03-05.", "must not be empty."]
        #expect(
            try practice.run("import", "clients", file)
                == ProgramTests.Run(
                    error: "\(file):2: born \(reasons[0])\n\(file):3: name \(reasons[1])\nNothing was taken in.\n",
                    status: 1))
        #expect(
            try practice.run("import", "clients", file, "--dry-run", "--json")
                == ProgramTests.Run(
                    error: #"{"error":"org.daybreak.Upkeep.Faulty","parameters":{"faults":["#
                        + #"{"field":"born","line":2,"reason":"\#(reasons[0])"},"#
                        + #"{"field":"name","line":3,"reason":"\#(reasons[1])"}]}}"# + "\n", status: 1))
    }

    @Test func `a person who left is found by name if no active person has the name`() throws {
        let practice = try practice()
        try practice.says("staff", "add", "--name", "Anabel", "--role", "support")
        #expect(
            try practice.says("staff", "retire", "anabel", "--successor", "Ana")
                == "Anabel works here no longer; what they did stays.\n")
        #expect(
            try practice.run("staff", "retire", "anabel", "--successor", "Ana")
                == ProgramTests.Run(error: "Anabel left before: nothing was done.\n", status: 1))
        #expect(try practice.says("staff", "show", "an").hasPrefix("  Ana · p1\n"))
        let left = try practice.says("staff", "show", "anab")
        #expect(left.hasPrefix("  Anabel · p2\n"))
        #expect(left.hasSuffix("  State  left\n"))
        #expect(try practice.says("staff", "--all").hasPrefix("  Who works here · 1, 1 left\n"))
    }

    @Test(arguments: [("Ben Roth", "Ruben Rother"), ("Íris Gil", "Iris Gil")])
    func `a retirement that is given twice retires nobody whose name is nearly the same`(name: String, other: String)
        throws
    {
        let practice = try practice()
        for one in [name, other] { try practice.says("staff", "add", "--name", one, "--role", "support") }
        #expect(try practice.says("staff", "retire", name) == "\(name) works here no longer; what they did stays.\n")
        #expect(
            try practice.run("staff", "retire", name)
                == ProgramTests.Run(error: "\(name) left before: nothing was done.\n", status: 1))
        let stay = try DaemonConnection(to: practice.path).call(Practice.ListStaff()).people
        #expect(stay.map(\.name) == ["Ana", other])
    }

    @Test func `nobody is retired by a part of a name where nobody is asked`() throws {
        let practice = try practice()
        try practice.says("staff", "add", "--name", "Ruben Rother", "--role", "support")
        #expect(
            try practice.run("staff", "retire", "Ben Roth")
                == ProgramTests.Run(
                    error: "“Ben Roth” is only a part of “Ruben Rother”. Say the whole name, or p2.\n", status: 1))
        #expect(
            try practice.says("staff", "retire", "p2") == "Ruben Rother works here no longer; what they did stays.\n")
        #expect(
            try practice.run("staff", "retire", "Ben Roth")
                == ProgramTests.Run(error: "Ruben Rother left before: nothing was done.\n", status: 1))
    }

    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
    func `in a terminal a retirement by a part of a name is asked about`() throws {
        let practice = try practice()
        try practice.says("staff", "add", "--name", "Ruben Rother", "--role", "support")
        let question = "Retire Ruben Rother? Enter does; anything else does not:"
        let pane = try practice.pane("staff retire ruben")
        pane.fill([(question, "no")])
        pane.waits { pane.ends(with: "= 1") }
        #expect(
            pane.picture().trimmed
                == "\(question) no\nNothing was done. Say the whole name, or p2 for Ruben Rother.\n= 1")
        let again = try practice.pane("staff retire ruben")
        again.fill([(question, "")])
        again.waits { again.ends(with: "= 0") }
        #expect(
            again.picture().trimmed
                == "\(question)\nRuben Rother works here no longer; what they did stays.\n= 0")
    }

    @Test func `the choices for an ambiguous name are aligned`() {
        let names = ["9": "Ana", "140": "Anabel"]
        let failure = #expect(throws: Failure.self) {
            try NameMatch.one(
                "an", among: ["9", "140"], kind: "client", plural: "clients", name: { _ in "" }, mark: \.self,
                choice: { names[$0] ?? "" }, advice: "")
        }
        #expect(
            failure?.sentence == """
                “an” may be any of these clients; say which, by what stands before the name:
                    9  Ana
                  140  Anabel
                """)
    }

    @Test func `the length, the fee and the picture of a service can be removed`() throws {
        let practice = try practice()
        let picture = practice.folder + "/a.png"
        let bytes = Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
        try #require(bytes).write(to: URL(filePath: picture))
        try practice.says(
            "service", "add", "--category", "Alone", "--name", "Walk", "--description", "x", "--minutes", "90", "--fee",
            "60", "--picture", picture)
        #expect(
            try practice.says("service", "show", "walk")
                == "  Walk · v1\n    90 min · 60.00 EUR\n    x\n    (with a picture)\n")
        #expect(
            try practice.says("service", "edit", "walk", "--minutes", "", "--fee", "", "--picture", "")
                == "“Walk” is changed.\n")
        #expect(try practice.says("service", "show", "walk") == "  Walk · v1\n    x\n")
        #expect(try practice.says("service", "edit", "walk", "--no-offered") == "“Walk” is offered no longer.\n")
        #expect(try practice.says("service", "edit", "walk", "--offered") == "“Walk” is offered again.\n")
    }

    @Test func `exported and erased records are listed, newest first`() throws {
        let practice = try practice()
        #expect(try practice.says("disposals") == "No record was exported or erased yet.\n")
        #expect(try practice.says("disposals", "--json") == "{\"disposals\":[]}\n")
        let connection = try DaemonConnection(to: practice.path)
        let table = try Disposals.table(
            [
                .init(
                    at: "2027-03-05T10:00:00+01:00", what: .erased, client: "p9", number: 12, by: "p1",
                    reason: "Ten years have passed."),
                .init(
                    at: "2027-03-04T09:30:00+01:00", what: .exported, client: "p9", number: 12, by: "root",
                    reason: "The client asked for it."),
            ], `The pages of practice`.caller(.administrator), NameCache(connection))
        #expect(
            table.text(columns: 80, ink: .plain) == """
                  No.  When                          Who   Why
                   12  today at 10:00      erased    Ana   Ten years have passed.
                   12  yesterday at 09:30  exported  root  The client asked for it.

                """)
        #expect(
            table.text(columns: 40, ink: .plain) == """
                  12  today at 10:00
                      erased · who Ana
                      why Ten years have passed.
                  12  yesterday at 09:30
                      exported · who root
                      why The client asked for it.

                """)
    }

    /// A therapist closes, and an administrator erases: root plays both.
    @Test(.enabled(if: geteuid() == 0, "only root may erase a record"))
    func `a record is exported and erased, and the list says by whom and why`()
        throws
    {
        let practice = try RealPractice()
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo")
        let file = practice.folder + "/file.json"
        #expect(try practice.says("client", "file", "1", "--to", file, "--json") == "{\"file\":\"\(file)\"}\n")
        #expect(try practice.run("client", "file", "1", "--html", "--json").status == 64)
        try practice.says("client", "close", "1", "--reason", "Moved.")
        practice.plays("Olga")
        // A record whose file cannot be written is not noted as exported.
        let nowhere = practice.folder + "/none/1.json"
        #expect(
            try practice.run("client", "export", "1", "--to", nowhere, "--reason", "Asked for.")
                == ProgramTests.Run(error: "\(nowhere) cannot be written: No such file or directory.\n", status: 1))
        let copy = practice.folder + "/1.json"
        #expect(
            try practice.says("client", "export", "1", "--to", copy, "--reason", "Asked for.", "--json")
                == "{\"file\":\"\(copy)\"}\n")
        let printed = try practice.says("client", "export", "1", "--to", "-", "--reason", "By post.")
        #expect(printed.hasPrefix("{") && printed.contains("\"Cleo\""))
        #expect(
            try practice.run("client", "erase", "1", "--number", "2", "--reason", "Over.")
                == ProgramTests.Run(
                    error:
                        "Nothing was written:\n  number must be the record's own, to say that it is the right one.\n",
                    status: 1))
        let night = "\(practice.folder)/state/backups/night-\(try practice.today()).db"
        #expect(
            try practice.says("client", "erase", "1", "--number", "1", "--reason", "Over.")
                == """
                Record No. 1 is erased. The audit keeps that it was there, and `practice disposals` why it is gone.
                Their letters are gone from every mailbox, with all answers to them; letters to them and others have … in the \
                place of the name. What others wrote of them elsewhere, or in chat, stays: search for the name.
                This night's was made anew, without it: \(night).
                Backups that were made elsewhere still hold it: destroy them.
                Texts that others have begun and not sent stay on their machines until they log out or, with lingering, \
                until the machine is switched off: in the folder practice-drafts of their runtime folder, or in \
                /tmp/practice-drafts-UID.

                """)
        let lines = try practice.says("disposals").split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[1].hasSuffix("  erased    Olga  Over."))
        #expect(lines[2].hasSuffix("  exported  Olga  By post."))
        #expect(lines[3].hasSuffix("  exported  Olga  Asked for."))
        #expect(try practice.says("backup", "-").hasPrefix("SQLite format 3"))
    }
}
