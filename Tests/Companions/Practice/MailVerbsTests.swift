import Foundation
import Testing

@testable import Companion
@testable import PracticeCompanion

/// Letters on the command line, from the real practice. The times are the machine's own, so they are left out.
@Suite struct `Letters on the command line` {
    /// Ana, a therapist, who calls; her client Cleo; Sofia of support.
    private func practice() throws -> RealPractice {
        let practice = try RealPractice("[mail]\nurgent_note = \"In an emergency call 112.\"")
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo Vidal")
        return practice
    }

    private func withoutTime(_ text: String) -> String {
        text.replacing(#/ *\b[0-9]{2}:[0-9]{2}\b/#, with: "").replacing(#/When     [^\n]*/#, with: "When")
            .replacing(#/On [A-Z][^\n]* at,/#, with: "On …,")
    }

    @Test func `a name that a closed record has, too, is nobody's until its number says whose`() throws {
        let practice = try practice()
        try practice.says("client", "add", "--name", "cleo vidal", "--namesake")
        try practice.says("client", "close", "1", "--reason", "moved")
        for verb in [["mail", "write", "Cleo Vidal"], ["chat", "send", "Cleo Vidal", "At ten?"]] {
            let run = try practice.run(verb + ["--json"], input: "At ten?\n")
            #expect(run.status == 1 && (run.output + run.error).contains("client No. 1, closed"), "\(run)")
        }
        try practice.says("client", "edit", "2", "--name", "Clea Vidal")
        for verb in [["mail", "write", "Cleo Vidal"], ["chat", "send", "Cleo Vidal", "At ten?"]] {
            let run = try practice.run(verb, input: "At ten?\n")
            #expect(
                run.error == "The record of Cleo Vidal (No. 1) is closed, so nobody writes to them.\n", "\(run)")
        }
        #expect(try practice.says("mail", "write", "p4", "--subject", "x", input: "y\n") == "Sent to Clea Vidal.\n")
    }

    @Test func `a letter is written from standard input, listed, read and moved`() throws {
        let practice = try practice()
        #expect(
            try practice.says("mail", "write", "Cleo Vidal", "--subject", "Friday", input: "Dear Cleo,\n\nat ten?\n")
                == "Sent to Cleo Vidal.\n")
        #expect(
            withoutTime(try practice.says("mail", "--folder", "sent")) == """
                  Sent · 1 letter

                  No.  To          Subject                      When
                    1  Cleo Vidal  Friday – Dear Cleo, at ten?

                  `practice mail read N` reads one.

                """)
        #expect(
            withoutTime(try practice.says("mail", "read", "1")) == """
                  From     Ana Ruiz
                  To       Cleo Vidal (No. 1)
                  When
                  Subject  Friday
                  Folder   Sent

                  Dear Cleo,

                  at ten?

                """)
        try practice.says("mail", "folders", "add", "Kept")
        try practice.says("mail", "folders", "add", "2027", "--in", "Kept")
        #expect(try practice.says("mail", "move", "1", "--to", "kept/2027") == "1 letter moved to Kept/2027.\n")
        #expect(
            try practice.says("mail", "folders", "--plain") == """
                  Folder     Letters
                  Inbox            0
                  Sent             0
                  Drafts           0
                  Bin              0
                  Kept             0
                  Kept/2027        1

                """)
        #expect(try practice.says("mail", "folders", "rename", "kept/2027", "2028") == "Kept/2027 is 2028 now.\n")
        #expect(
            try practice.says("mail", "folders", "remove", "Kept")
                == "Kept is removed; any letters in it are in the bin now.\n")
        #expect(
            try practice.run("mail", "delete", "1", "99")
                == .init(error: "There is no letter “99” of yours (any more). `practice mail` lists them.\n", status: 1)
        )
        #expect(
            try practice.says("mail", "search", "dear") == """
                  Letters found · 0 letters

                  No letter has these words.

                """)
        #expect(
            try practice.run("mail", "search", "%", "-")
                == .init(error: "“% -” has no word to look for.\n", status: 64))
        #expect(try practice.says("mail", "delete", "1") == "1 letter deleted for good.\n")
        #expect(try practice.run("mail", "read", "1").status == 1)
    }

    @Test func `a letter that cannot be sent is kept as a draft, which goes on later`() throws {
        let practice = try practice()
        #expect(
            try practice.run("mail", "write", "Dora", input: "x\n")
                == .init(
                    error: "There is no person to whom you may write with the name “Dora”. "
                        + "`mail people` lists those to whom you may.\n", status: 1))
        #expect(
            try practice.says("mail", "write", "Cleo Vidal", "--draft-only", "--subject", "Friday", input: "At ten?\n")
                == "Kept as draft 1: `practice mail write --draft 1` goes on with it.\n")
        try practice.says("client", "close", "1", "--reason", "All is said.")
        let refused = try practice.run("mail", "write", "--draft", "1", input: "At eleven?\n")
        #expect(refused.status == 1 && refused.output == "")
        #expect(refused.error.hasPrefix("You cannot write to Cleo Vidal. Clients write to"), "\(refused.error)")
        #expect(
            refused.error.hasSuffix("What was written is kept as draft 3, without recipients.\n"), "\(refused.error)")
        #expect(try practice.says("mail", "read", "1").contains("At ten?"))
        #expect(try practice.says("mail", "read", "3").contains("At eleven?"))
        #expect(try practice.says("mail", "drafts", "--json").contains(#""total":2"#))
    }

    @Test func `an urgent letter says first what to do in an emergency`() throws {
        let practice = try practice()
        #expect(
            try practice.run("mail", "write", "Cleo Vidal", "--urgent", "--subject", "Now", input: "Call me.\n")
                == .init(output: "Sent to Cleo Vidal.\n", error: "In an emergency call 112.\n", status: 0))
    }

    @Test func `two people of one name are told apart by their identifiers`() throws {
        let practice = try practice()
        try practice.says("client", "add", "--name", "Cleo Vidal", "--namesake")
        #expect(
            try practice.run("mail", "write", "Cleo", "--subject", "Friday", input: "At ten?\n")
                == .init(
                    error: """
                        “Cleo” may be any of these people; say which, by what stands before the name:
                          p3  Cleo Vidal, client No. 1
                          p4  Cleo Vidal, client No. 2

                        """, status: 1))
        try practice.says("mail", "write", "p4", "--subject", "Friday", input: "At ten?\n")
        #expect(
            try practice.says("mail", "read", "1", "--json").contains(
                #""to":[{"name":"Cleo Vidal","number":2,"person":"p4"}]"#))
    }

    @Test func `an answer is quoted, and stands in the thread of its letter`() throws {
        let practice = try practice()
        try practice.says("mail", "write", "Cleo Vidal", "--subject", "Friday", input: "At ten?\n")
        // Nothing comes from a pipe whose first program failed.
        #expect(
            try practice.run("mail", "reply", "1", input: "")
                == .init(error: "Nothing was written, and nothing was sent.\n", status: 1))
        #expect(try practice.says("mail", "reply", "1", input: "At eleven.\n") == "Sent to Cleo Vidal.\n")
        #expect(
            withoutTime(try practice.says("mail", "read", "3")) == """
                  From     Ana Ruiz
                  To       Cleo Vidal (No. 1)
                  When
                  Subject  Re: Friday
                  Folder   Sent

                  At eleven.

                  On …, Ana Ruiz wrote:
                  > At ten?

                  older: 1

                """)
        #expect(try practice.says("mail", "read", "3", "--json").contains(#""replyTo":"l1""#))
    }

    @Test func `those to whom one may write are listed, with the names by which they are told apart`() throws {
        let practice = try practice()
        try practice.says("client", "add", "--name", "Cleo Vidal", "--namesake")
        #expect(
            try practice.says("mail", "people") == """
                      Name
                  p3  Cleo Vidal  client No. 1
                  p4  Cleo Vidal  client No. 2
                  p1  Olga        administrator

                """)
        #expect(
            try practice.says("mail", "people", "--json") == """
                {"people":[{"name":"Cleo Vidal","number":1,"person":"p3","role":"client"},\
                {"name":"Cleo Vidal","number":2,"person":"p4","role":"client"},\
                {"name":"Olga","person":"p1","role":"administrator"}]}

                """)
        practice.plays("p3")
        #expect(
            try practice.says("mail", "people") == """
                      Name
                  p2  Ana Ruiz  therapist

                """)
    }

    @Test func `read without a number opens the oldest new letter, one after the other`() throws {
        let practice = try practice()
        for subject in ["One", "Two"] {
            try practice.says("mail", "write", "Cleo Vidal", "--subject", subject, input: "Letter \(subject).\n")
        }
        practice.plays("p3")
        for subject in ["One", "Two"] {
            let read = try practice.says("mail", "read")
            #expect(
                withoutTime(read).hasPrefix(
                    "  From     Ana Ruiz\n  To       Cleo Vidal\n  When\n  Subject  \(subject)\n  Folder   Inbox\n\n"
                        + "  Letter \(subject).\n"), "\(read)")
        }
        let none = ProgramTests.Run(error: "There is no new letter. `practice mail` lists all.\n", status: 1)
        #expect(try practice.run("mail", "read") == none)
        try practice.says("mail", "mark", "2", "--new")
        #expect(try practice.says("mail", "read").contains("Letter One."))
        #expect(try practice.run("mail", "read") == none)
    }

    @Test func `announcements are made, changed, shown on the first page, dismissed and ended`() throws {
        let practice = try RealPractice()
        #expect(
            try practice.says("announce", "Closed on Monday.", "--important", "--until", "2100-01-01")
                == "Announced to everybody, as b1, until the end of Friday 1 January 2100.\n")
        #expect(
            try practice.says("announce", "Read this.", "--fixed", "--until", "") == "Announced to everybody, as b2.\n")
        #expect(
            try practice.says("announce", "--edit", "b1", "Closed on Tuesday.", "--until", "")
                == "Changed, and shown again to those who dismissed it, as b1.\n")
        #expect(
            try practice.run("announce", "--end", "b9").error.hasPrefix("There is no announcement “b9” (any more)."))
        for both in [
            "--end b1 Closed", "--end b1 --edit b2", "--edit b1 --from monday", "--edit b1 Closed --to staff",
            "--end b1 --to staff",
        ] {
            let words = both.split(separator: " ").map(String.init)
            #expect(try practice.run(["announce"] + words, input: nil).status == 64, "\(both)")
        }
        try practice.begin()
        func shown() throws -> [Substring] { try practice.says().split(separator: "\n").filter { $0.contains("•") } }
        #expect(try shown() == ["  • Read this.", "  • Important: Closed on Tuesday."])
        #expect(
            try practice.run("announcements", "dismiss", "b2")
                == .init(error: "The practice keeps this announcement on show until it ends.\n", status: 1))
        #expect(
            try practice.says("announcements", "dismiss", "b1") == "The announcement is shown to you no more.\n")
        #expect(try shown() == ["  • Read this."])
    }

    @Test func `letters without a subject, without a text, and with a number that is none are refused`() throws {
        let practice = try practice()
        #expect(
            try practice.run("mail", "write", "Cleo Vidal", input: "\n")
                == .init(error: "Nothing was written, and nothing was sent.\n", status: 1))
        #expect(
            try practice.run("mail", "read", "x")
                == .init(
                    error: "“x” is no letter: name it by the number that the list shows.\n",
                    status: Failure.misusedStatus))
        #expect(
            try practice.run("mail", "read")
                == .init(error: "There is no new letter. `practice mail` lists all.\n", status: 1))
    }

    @Test func `a text with escape sequences is not taken, and is kept where it was written`() throws {
        let practice = try practice()
        let refused = try practice.run("mail", "write", "Cleo Vidal", input: "Red \u{1B}[31malert")
        let file = practice.folder + "/practice-drafts/" + (try practice.drafts()[0])
        #expect(
            refused
                == .init(
                    error: """
                        Nothing was written:
                          body must not have U+001B (control character): it cannot be seen.
                        What was written is kept in \(file) until you log out or switch this machine off, and is offered again \
                        the next time.

                        """, status: 1))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "Red \u{1B}[31malert\n")
    }
}

/// Letters in a terminal, with a real editor's part played by a program.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
struct `Letters in a terminal` {
    private func practice(_ settings: String = "") throws -> (RealPractice, editor: String) {
        let practice = try RealPractice(settings)
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo Vidal")
        let editor = practice.folder + "/editor"
        try """
        echo "At ten?" > "$1.new"; cat "$1" >> "$1.new"; cat "$1.new" > "$1"; rm "$1.new"
        [ -e \(practice.folder)/broken ] || exit 0
        rm \(practice.folder)/broken
        kill -9 $$
        """.write(toFile: editor, atomically: true, encoding: .utf8)
        return (practice, "sh \(editor)")
    }

    @Test func `a letter is written in the editor, and sent after a look`() throws {
        let (practice, editor) = try practice()
        let pane = try practice.pane("mail write Cleo --plain", editor: editor)
        pane.fill([("Subject:", "Friday"), ("Enter sends it", "")])
        pane.waits { pane.ends(with: "= 0") }
        #expect(pane.ends(with: "Sent to Cleo Vidal.\n= 0"), "\(pane.picture())")
        #expect(try practice.says("mail", "read", "1").contains("At ten?"))
    }

    @Test func `recipients are chosen by number or by name from the list of those to whom one may write`() throws {
        let (practice, editor) = try practice()
        try practice.says("client", "add", "--name", "Dora Rey")
        let pane = try practice.pane("mail write --subject Friday --plain", editor: editor)
        pane.fill([("To:", "9"), ("To:", "2, ol"), ("Enter sends it", "")])
        pane.waits { pane.ends(with: "= 0") }
        #expect(
            pane.picture().trimmed == """
                  1  Cleo Vidal, client No. 1
                  2  Dora Rey, client No. 2
                  3  Olga, administrator
                To:  (numbers or names, with commas between) 9
                There is no person to whom you may write with the name “9”. `mail people` lists
                those to whom you may.
                To:  (numbers or names, with commas between) 2, ol

                  To Dora Rey, Olga: Friday, 1 line
                  Enter sends it; d keeps it as a draft; e edits it again:
                Sent to Dora Rey, Olga.
                = 0
                """)
        #expect(
            try practice.says("mail", "read", "1", "--json")
                .contains(#""to":[{"name":"Dora Rey","number":2,"person":"p4"},{"name":"Olga","person":"p1"}]"#))
    }

    @Test func `a text is offered again after the editor crashed`() throws {
        let (practice, editor) = try practice()
        _ = FileManager.default.createFile(atPath: practice.folder + "/broken", contents: nil)
        let pane = try practice.pane("mail write Cleo --subject Friday --plain", editor: editor)
        pane.waits { pane.ends(with: "= 1") }
        let kept = practice.folder + "/practice-drafts/" + (try practice.drafts()[0])
        #expect(try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int == 0o600)
        let again = try practice.pane("mail write Cleo --subject Friday --plain", editor: editor)
        again.fill([("Enter sends it", "d")])
        again.waits { again.ends(with: "= 0") }
        #expect(
            again.ends(with: "Kept as draft 1: `practice mail write --draft 1` goes on with it.\n= 0"),
            "\(again.picture())")
        #expect(!FileManager.default.fileExists(atPath: kept))
        #expect(try practice.says("mail", "read", "1").contains("At ten?\n  At ten?"))
    }

    @Test func `in plain lines letters are listed, read and answered by their numbers`() throws {
        let (practice, editor) = try practice()
        try practice.says("mail", "write", "Cleo Vidal", "--subject", "One", input: "The first.\n")
        let pane = try practice.pane("mail --folder sent --plain", editor: editor)
        pane.fill([("Mail:", "1")])
        pane.waits { pane.picture().contains("The first.") }
        pane.fill([("Mail:", "r 1"), ("Urgent?", "n"), ("Enter sends it", ""), ("Mail:", "q")])
        pane.waits { pane.ends(with: "= 0") }
        #expect(pane.picture().contains("Sent to Cleo Vidal."), "\(pane.picture())")
        #expect(try practice.says("mail", "read", "3").contains("Re: One"))
    }

    @Test(arguments: [("TERM", 143), ("HUP", 129)])
    func `in plain lines a signal has its usual effect`(signal: String, status: Int) throws {
        let (practice, _) = try practice()
        var environment = practice.surroundings
        environment["TERM"] = nil
        // The runner's threads block signals, and its children inherit that.
        let begin =
            "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execvp('practice', sys.argv[1:])"
        let words = "practice mail --plain" + (geteuid() == 0 ? " --as p2" : "")
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: environment,
            "/usr/bin/python3 -c \"\(begin)\" \(words); echo \"= $?\"; read -r _")
        pane.waits { pane.lastLine.contains("Mail:") }
        try pane.send(signal: signal, to: "practice")
        pane.waits { pane.picture().contains("= \(status)") }
    }

    @Test func `in plain lines a letter is moved, all are answered, and a draft is finished`() throws {
        let (practice, editor) = try practice()
        try practice.says("mail", "write", "Cleo Vidal", "--subject", "One", input: "The first.\n")
        _ = try practice.run("mail", "write", "Cleo Vidal", "--draft-only", "--subject", "Two", input: "The second.\n")
        let pane = try practice.pane("mail --folder sent --plain", columns: 100, rows: 40, editor: editor)
        pane.fill([("Mail:", "a 1"), ("Urgent?", "n"), ("Enter sends it", ""), ("Mail:", "s 1 Bin")])
        pane.waits { pane.picture().contains("The letter is in Bin now.") }
        pane.fill([("Mail:", "e 3"), ("Urgent?", "n"), ("Enter sends it", ""), ("Mail:", "q")])
        pane.waits { pane.ends(with: "= 0") }
        let sent = try practice.says("mail", "--folder", "sent")
        #expect(sent.contains("Re: One") && sent.contains("Two"), "\(pane.picture())")
    }

    @Test(arguments: [("", true), ("y", true), ("n", false)])
    func `an urgent draft stays urgent unless the answer is no, and the words about emergencies come before it is sent`(
        answer: String, isUrgent: Bool
    ) throws {
        let (practice, editor) = try practice("[mail]\nurgent_note = \"In an emergency call 112.\"")
        _ = try practice.run(
            "mail", "write", "Cleo Vidal", "--draft-only", "--urgent", "--subject", "Now", input: "Call me.\n")
        let pane = try practice.pane("mail --folder drafts", columns: 80, rows: 12, editor: editor)
        pane.waits { pane.picture().contains("Now – Call me.") }
        pane.type("Enter")
        pane.fill([("Urgent?", answer), ("Enter sends it", nil)])
        let said = pane.picture().split(separator: "\n").drop { !$0.hasPrefix("Urgent?") }.dropLast()
        let expected =
            isUrgent
            ? ["In an emergency call 112.", "  To Cleo Vidal: Now, urgent, 2 lines"]
            : ["  To Cleo Vidal: Now, 2 lines"]
        #expect(said.dropFirst().map(String.init) == expected, "\(pane.picture())")
        pane.type("Enter")
        pane.waits { pane.ends(with: "Sent to Cleo Vidal.") }
        #expect(try practice.says("mail", "--folder", "sent", "--json").contains("\"urgent\":\(isUrgent)"))
    }

    @Test func `a text for one person is not offered for another`() throws {
        let (practice, editor) = try practice()
        try practice.says("client", "add", "--name", "Dora Rey")
        _ = FileManager.default.createFile(atPath: practice.folder + "/broken", contents: nil)
        let pane = try practice.pane("mail write Cleo --subject Friday --plain", editor: editor)
        pane.waits { pane.ends(with: "= 1") }
        let other = try practice.pane("mail write Dora --subject Friday --plain", editor: editor)
        other.fill([("Enter sends it", "d")])
        other.waits { other.ends(with: "= 0") }
        #expect(try !practice.says("mail", "read", "1").contains("At ten?\n  At ten?"))
        #expect(try practice.drafts().count == 1)
    }

    @Test func `the screen shows the list and a letter, and takes the keys of mutt`() throws {
        let (practice, editor) = try practice()
        try practice.says("mail", "write", "Cleo Vidal", "--subject", "One", input: "The first.\n")
        try practice.says("mail", "write", "Cleo Vidal", "--subject", "Two", input: "The second.\n")
        let pane = try practice.pane("mail --folder sent", columns: 60, rows: 12, editor: editor)
        // The column is too narrow for the whole preview.
        pane.waits { pane.picture().contains("One – The fir") }
        pane.type("j", "Enter")
        pane.waits { pane.picture().contains("  The first.") }
        pane.type("k")
        pane.waits { pane.picture().contains("  The second.") }
        pane.type("d")
        pane.waits { pane.picture().contains("1 letter moved to the bin.") }
        pane.type("q")
        pane.waits { pane.ends(with: "= 0") }
        #expect(try practice.says("mail", "--folder", "bin", "--json").contains(#""total":1"#))
    }

    @Test func `the screen lists only new or urgent letters if the verb says so, and a limit prints the list`() throws {
        let (practice, editor) = try practice()
        for (subject, more) in [("One", ["--urgent"]), ("Two", []), ("Three", ["--urgent"])] {
            _ = try practice.run(
                ["mail", "write", "Cleo Vidal", "--subject", subject] + more, input: "Dear Cleo.\n")
        }
        let pane = try practice.pane("mail --folder sent --urgent", columns: 60, rows: 5, editor: editor)
        pane.waits { pane.ends(with: "? keys · …") }
        #expect(
            pane.picture().replacing(#/\b[0-9]{2}:[0-9]{2}\b/#, with: "09:00") == """
                 Sent, only urgent · 2 letters
                  !  Cleo Vidal            Three – Dear …  09:00
                  !  Cleo Vidal            One – Dear Cl…  09:00

                Enter reads · m writes · / searches · c folders · ? keys · …
                """)
        pane.type("u")
        pane.waits { pane.picture().hasPrefix(" Sent, only new, only urgent · 0 letters\n") }
        pane.type("!")
        pane.waits { pane.picture().hasPrefix(" Sent, only new · 0 letters\n") }
        pane.type("u")
        pane.waits { pane.picture().hasPrefix(" Sent · 3 letters\n") }
        #expect(pane.picture().contains("Two – Dear Cl…"))
        let list = try practice.pane("mail --folder sent --urgent --limit 1", columns: 60, rows: 9, editor: editor)
        list.waits { list.ends(with: "= 0") }
        #expect(
            list.picture().replacing(#/\b[0-9]{2}:[0-9]{2}\b/#, with: "09:00") == """
                  Sent · 2 letters

                  No.          To          Subject             When
                    5  urgent  Cleo Vidal  Three – Dear Cleo.  09:00

                  1 of 2 are shown; --limit shows more.
                  `practice mail read N` reads one.
                = 0

                """)
    }
}
