import Foundation
import Testing

@testable import Companion
@testable import PracticeCompanion

@Suite struct `Records by options` {
    private func practice() throws -> RealPractice {
        let practice = try RealPractice()
        try practice.begin()
        return practice
    }

    @Test func `a client sees the practice's own fields of themselves, by their labels`() throws {
        let practice = try RealPractice("[[client.field]]\nname = \"insurance\"\nlabel = \"Insured at\"")
        try practice.begin(isMadeUp: true)
        try practice.says("client", "add", "--name", "Cleo", "--field", "insurance=Mutual")
        practice.plays("p3")
        #expect(try practice.says("client", "show", "me").contains("\n  Insured at  Mutual\n"))
    }

    @Test func `a whole name is that client's, though it is a part of another's`() throws {
        let practice = try practice()
        for name in ["Anna Alpha-Beta", "Anna Alpha", "Zoe Anna Alpha"] {
            try practice.says("client", "add", "--name", name)
        }
        for typed in ["Anna Alpha", "anna alpha"] {
            #expect(try practice.says("client", "show", typed).hasPrefix("  Anna Alpha · No. 2\n"))
        }
    }

    @Test func `a whole name may be typed without accents, which tell two people apart only where they are typed`()
        throws
    {
        let practice = try practice()
        for name in ["Zoe Anna Álvarez", "Anna Álvarez"] { try practice.says("client", "add", "--name", name) }
        for typed in ["anna alvarez", "ANNA ÁLVAREZ"] {
            #expect(try practice.says("client", "show", typed).hasPrefix("  Anna Álvarez · No. 2\n"))
        }
        try practice.says("client", "add", "--name", "Anna Alvarez", "--namesake")
        #expect(try practice.says("client", "show", "anna álvarez").hasPrefix("  Anna Álvarez · No. 2\n"))
        #expect(
            try practice.run("client", "show", "anna alvarez")
                == ProgramTests.Run(
                    error: """
                        “anna alvarez” may be any of these clients; say which, by what stands before the name:
                          3  Anna Alvarez
                          2  Anna Álvarez
                          1  Zoe Anna Álvarez

                        """, status: 1))
    }

    @Test func `a client whose name another has is added only if that is wished`() throws {
        let practice = try practice()
        try practice.says("client", "add", "--name", "Cleo Vidal", "--born", "1980-04-03")
        let there = "“Cleo Vidal” is there already: No. 1"
        #expect(
            try practice.run("client", "add", "--name", "cleo vidal")
                == ProgramTests.Run(
                    error: "\(there)\nNobody was added. If it is somebody else, --namesake adds them all the same.\n",
                    status: 1))
        #expect(
            try practice.says("client", "add", "--name", "Cleo Vidal", "--born", "1991-01-02")
                == "Cleo Vidal is client No. 2. `practice client show 2` shows the record.\n")
        #expect(
            try practice.says("client", "add", "--name", "Cleo Vidal", "--namesake")
                == "Cleo Vidal is client No. 3. `practice client show 3` shows the record.\n")
    }

    @Test func `a client is added, listed and shown`() throws {
        let practice = try practice()
        #expect(
            try practice.says("client", "add", "--name", "-", "--born", "1980-04-03", input: "مريم\n")
                == "\u{200E}مريم\u{200E} is client No. 1. `practice client show 1` shows the record.\n")
        #expect(
            try practice.says("clients") == """
                  My clients · 1 open

                  No.  Name
                    1  \u{200E}مريم\u{200E}

                """)
        let shown = try practice.says("client", "show", "1")
        #expect(shown.hasPrefix("  \u{200E}مريم\u{200E} · No. 1\n\n  Born       3 April 1980, "))
    }

    @Test func `the fields may be a JSON object`() throws {
        let practice = try practice()
        let json = try practice.says(
            "client", "add", "--json", "-", input: #"{"name": "Cleo", "phone": "+34 91 1234"}"#)
        #expect(json.contains(#""phone":"+34911234""#))
        #expect(
            try practice.run("client", "add", "-", input: #"{"name": "Cleo", "fone": "1"}"#)
                == ProgramTests.Run(error: "-: there is no field “fone”.\n", status: 64))
        #expect(
            try practice.run("client", "add", "Cleo Vidal")
                == ProgramTests.Run(
                    error: "Cleo Vidal cannot be read: No such file or directory.\n"
                        + "The fields can be options, too: --help lists them.\n", status: 1))
        #expect(
            try practice.run("client", "add", "-", input: #"{"phone": "1"}"#)
                == ProgramTests.Run(error: "-: “name” is missing.\n", status: 64))
        #expect(
            try practice.run("client", "add", "-", input: #"{"name": 1}"#)
                == ProgramTests.Run(error: "-: “name” is not of its kind.\n", status: 64))
        #expect(try practice.run("client", "add", "-", input: "[").status == 1)
    }

    @Test func `an edit from JSON changes what it names, on the revision that it names`() throws {
        let practice = try practice()
        try practice.says("client", "add", "--name", "Cleo", "--phone", "+34911234")
        func edit(_ json: String) throws -> ProgramTests.Run {
            try practice.run("client", "edit", "1", "-", input: json)
        }
        #expect(try edit(#"{"revision": 1, "email": "c@example.org"}"#).status == 0)
        let stale = try edit(#"{"revision": 1, "phone": "+34911235"}"#)
        #expect(stale.status == 1 && stale.error.contains("changed"), "\(stale)")
        let null =
            "-: “phone” is null, which changes nothing. An empty text empties a field; a field that is left out stays as "
            + "it is.\n"
        #expect(try edit(#"{"phone": null}"#) == ProgramTests.Run(error: null, status: 64))
        #expect(try edit("{}") == ProgramTests.Run(error: "-: There is no field to change.\n", status: 64))
        #expect(
            try edit(#"{"client": "p99", "phone": "+34911235"}"#)
                == ProgramTests.Run(
                    error: "-: “client” is another one than the command line names.\n", status: 64))
        #expect(try practice.says("client", "show", "1").contains("+34911234"))
        #expect(try edit(#"{"phone": ""}"#).status == 0)
        #expect(try !practice.says("client", "show", "1").contains("+34911234"))
    }

    @Test func `all faults are reported together, each with its field`() throws {
        let practice = try practice()
        #expect(
            try practice.run("client", "add", "--born", "1980-02-30", "--email", "x")
                == ProgramTests.Run(
                    error: """
                        Nothing was written:
                          name must be given.
                          born must be a day such as 2027-03-05.
                          email must be an address such as name@example.org.

                        """, status: 1))
    }

    @Test func `for an ambiguous part of a name the choices are listed`() throws {
        let practice = try practice()
        for name in ["Susana", "Ana", "Anabel", "Cleo"] { try practice.says("client", "add", "--name", name) }
        #expect(try practice.says("client", "show", "ANA").hasPrefix("  Ana · No. 2\n"))
        #expect(try practice.says("client", "show", "cle").hasPrefix("  Cleo · No. 4\n"))
        #expect(try practice.says("client", "show", "3").hasPrefix("  Anabel · No. 3\n"))
        #expect(
            try practice.run("client", "show", "an")
                == ProgramTests.Run(
                    error: """
                        “an” may be any of these clients; say which, by what stands before the name:
                          2  Ana
                          3  Anabel
                          1  Susana

                        """, status: 1))
        #expect(
            try practice.run("client", "show", "zo")
                == ProgramTests.Run(
                    error: "There is no client “zo”. `practice clients` lists those that you may see.\n", status: 1))
        #expect(
            try practice.run("client", "show", "p999")
                == ProgramTests.Run(
                    error: "There is no client “p999”. `practice clients` lists those that you may see.\n", status: 1))
    }

    @Test func `a record is closed, and opened again`() throws {
        let practice = try practice()
        try practice.says("client", "add", "--name", "Cleo")
        #expect(
            try practice.run("client", "close", "1")
                == ProgramTests.Run(error: "Nothing was written:\n  reason must be given.\n", status: 1))
        try practice.says("client", "close", "1", "--reason", "Moved.")
        #expect(try practice.says("clients") == "You have no open clients. `practice client add` begins a record.\n")
        #expect(try practice.says("clients", "--closed").hasSuffix("    1  Cleo  closed\n"))
        #expect(try practice.says("client", "show", "1").contains("\n  No session is recorded yet.\n"))
        #expect(
            try practice.run("session", "add", "1", "-", input: "{}").error.hasSuffix(
                "`practice client reopen 1` opens it again.\n"))
        let refused = try practice.run("client", "close", "1", "--reason", "Again.")
        #expect(refused.status == 1)
        #expect(refused.error.hasPrefix("The record of Cleo was closed on "))
        #expect(refused.error.hasSuffix(". `practice client reopen 1` opens it again.\n"))
        #expect(
            try practice.run("client", "reopen", "1")
                == ProgramTests.Run(
                    error: "Nothing was written:\n  --mistake or --return must be given.\n  reason must be given.\n",
                    status: 1))
        #expect(
            try practice.says("client", "reopen", "1", "--return", "--reason", "Came back.")
                == "The record of Cleo is open; a new episode begins.\n")
        #expect(
            try practice.run("client", "reopen", "1", "--mistake", "--reason", "x")
                == ProgramTests.Run(
                    error: "The record of Cleo is open already.\n", status: 1))
    }

    @Test func `a session is named by its client and number; without a number the newest is named`() throws {
        let practice = try RealPractice()
        try practice.says(
            "service", "add", "--category", "Alone", "--name", "Grief session", "--description", "x", "--minutes", "50")
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo")
        #expect(
            try practice.run("session", "show", "cleo")
                == ProgramTests.Run(
                    error:
                        "Say which session of Cleo, by its number: there is none yet; `practice sessions 1` lists them.\n",
                    status: 64))
        #expect(
            try practice.says("session", "add", "cleo", "--on", "today", "--service", "grief", "--minutes", "50")
                == "Session 1 of Cleo is recorded. `practice session show 1 1` shows it.\n")
        #expect(
            try practice.run("session", "void", "1", "2", "--reason", "x")
                == ProgramTests.Run(error: "Cleo has no session 2; `practice sessions 1` lists them.\n", status: 1))
        #expect(
            try practice.run("session", "amend", "1", "--text", "x")
                == ProgramTests.Run(
                    error:
                        "Say which session of Cleo, by its number: the newest is 1; `practice sessions 1` lists them.\n",
                    status: 64))
        // The limit is told of a text that no call would hold.
        let long = try practice.run(
            ["session", "amend", "1", "1", "--text", "-"], input: String(repeating: "a", count: 100_000))
        #expect(long.status == 1 && long.error.contains("must have no more than 16384 bytes."), "\(long)")
        try practice.says("session", "void", "1", "1", "--reason", "By mistake.")
        #expect(
            try practice.run("session", "void", "1", "1", "--reason", "Again.")
                == ProgramTests.Run(error: "Session 1 was voided before.\n", status: 1))
        try practice.says("client", "close", "1", "--reason", "Moved.")
        #expect(
            try practice.run("session", "add", "1", "--service", "grief").error.hasPrefix(
                "The record of Cleo was closed on "))
    }

    @Test func `without services or therapists a form reports what is missing before it asks`() throws {
        let practice = try RealPractice()
        #expect(
            try practice.run("client", "add", "--name", "Cleo")
                == ProgramTests.Run(
                    error: "No therapist works here yet, who would care for the client. "
                        + "`practice staff add --role thanatologist` adds one.\n", status: 1))
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo")
        #expect(
            try practice.run("session", "add", "1")
                == ProgramTests.Run(
                    error: "Nothing is offered yet that a session can be of. An administrator adds a service with "
                        + "`practice service add`.\n", status: 1))
    }

    @Test func `a record is closed as of a day before`() throws {
        let practice = try practice()
        try practice.says("client", "add", "--name", "Cleo", "--since", "2026-01-07")
        #expect(
            try practice.run("client", "close", "1", "--reason", "Moved.", "--on", "2026-01-06").error
                .hasPrefix("Nothing was written:\n  on must "))
        try practice.says("client", "close", "1", "--reason", "Moved.", "--on", "2026-02-01")
        #expect(
            try practice.says("client", "show", "1").contains("closed on 1 February 2026, kept since 7 January 2026\n"))
    }

    @Test func `a value of a field that the settings name no more is shown, hinders nothing, and can be emptied`()
        throws
    {
        let former = "[[client.field]]\nname = \"bb\"\n"
        let practice = try RealPractice("[[client.field]]\nname = \"aa\"\n\(former)")
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo", "--field", "aa=1", "--field", "bb=22")
        try practice.restart(replacing: former, with: "")
        try practice.says("client", "edit", "1", "--field", "aa=33")
        let shown = try practice.says("client", "show", "1")
        #expect(shown.contains(#/aa +33\n/#) && shown.contains(#/bb \(no field any more\) +22\n/#), "\(shown)")
        #expect(
            try practice.run("client", "edit", "1", "--field", "bb=5").error
                == "Nothing was written:\n  --field bb= must be empty: the settings name no such field any more.\n")
        #expect(
            try practice.run("client", "edit", "1", "--field", "cc=5").error
                == "“cc” is no field of the practice's own. They are aa, bb.\n")
        try practice.says("client", "edit", "1", "--field", "bb=")
        #expect(try !practice.says("client", "show", "1").contains("bb"))
    }

    @Test func `two values cannot both come from standard input`() throws {
        let practice = try practice()
        #expect(
            try practice.run("client", "add", "--name", "-", "--address", "-", input: "x")
                == ProgramTests.Run(
                    error: "Only one of --address and --name can come from standard input.\n", status: 64))
    }
}
