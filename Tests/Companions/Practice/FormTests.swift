import ArgumentParser
import Foundation
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing

@testable import Companion
@testable import PracticeCompanion

/// The forms in a real terminal, against a real practiced.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
struct `A form in a terminal` {
    @Test func `the form asks for each field, and shows its fault below it at once`() throws {
        let practice = try RealPractice()
        let pane = try practice.pane("staff add")
        pane.fill([("Name", "Ana Ruiz"), ("a number or a word", "9")])
        pane.waits(forFault: "there is no “9”", thenLine: "             9")
        pane.type("C-u", "ther", "Enter")
        pane.fill([("Account", "daemon"), ("E-mail", "ana@")])
        pane.waits(forFault: "must be an address", thenLine: "  E-mail     ana@")
        pane.type("clinic.example", "Enter")
        pane.fill([("Telephone", ""), ("Enter adds them", "")])
        pane.waits { pane.ends(with: "= 0") }
        #expect(
            pane.picture().trimmed == """

                  Somebody new
                  ↑ goes back · Ctrl-C leaves

                  Name       Ana Ruiz
                  Role       1 administrator · 2 support · 3 therapist
                             9
                             ✗ must be one of these: there is no “9”.
                             therapist
                  Account    daemon
                  E-mail     ana@
                             ✗ must be an address such as name@example.org.
                  E-mail     ana@clinic.example
                  Telephone

                  Enter adds them · ↑ goes back · Ctrl-C leaves
                Ana Ruiz works here now, as p1.
                = 0
                """)
    }

    /// The form for a client whose name another has, at the question whether it is somebody else.
    private func askedOfNamesake() throws -> (RealPractice, TmuxPane) {
        let practice = try RealPractice()
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo Vidal")
        let pane = try practice.pane(
            "client add --phone +493012345 --email a@b.example --address A --emergency-contact B --referred-by C "
                + "--motive D --born 1980-02-03")
        pane.fill([("Name", "Cleo Vidal"), ("Enter adds this client", "")])
        pane.waits { pane.picture().contains("somebody else?") && pane.lastLine.contains("Enter adds") }
        return (practice, pane)
    }

    @Test func `a namesake is told before a client is added`() throws {
        let (practice, pane) = try askedOfNamesake()
        defer { withExtendedLifetime(practice) {} }
        pane.type("Enter")
        pane.waits { pane.ends(with: "= 0") }
        #expect(
            pane.picture().trimmed == """

                  New client
                  ↑ goes back · Ctrl-C leaves

                  Name             Cleo Vidal

                  Enter adds this client · ↑ goes back · Ctrl-C leaves

                  “Cleo Vidal” is there already: No. 1. Is this somebody else?

                  Enter adds this client · ↑ goes back · Ctrl-C leaves
                Cleo Vidal is client No. 2. `practice client show 2` shows the record.
                = 0
                """)
    }

    @Test func `an n at the end of a form is a no`() throws {
        let (practice, pane) = try askedOfNamesake()
        defer { withExtendedLifetime(practice) {} }
        pane.type("n")
        pane.waits { pane.ends(with: "= 1") }
        #expect(pane.picture().contains("Nobody was added."))
    }

    /// Pasted text is one key: its breaks are no Enter, and an n in it is no no.
    @Test func `text of several lines that is pasted into a field is the field's`() throws {
        let practice = try RealPractice()
        let pane = try practice.pane("staff add --role support --email a@b.example --phone +493012345 --account daemon")
        pane.fill([("Name", nil)])
        pane.paste("Ana\nno Ruiz\n")
        pane.waits { pane.lastLine.contains("Ana⏎no Ruiz") }
        pane.type("Enter")
        pane.waits(forFault: "✗", thenLine: "  Name       Ana⏎no Ruiz")
        #expect(try !practice.says("staff", "--json").contains("Ruiz"))
    }

    @Test func `a form keeps its text while the daemon is restarted, and sends it then`() throws {
        let practice = try RealPractice()
        let pane = try practice.pane("staff add --role support --account daemon --email a@b.example --phone +493012345")
        pane.fill([("Name", "Ana Ruiz")])
        pane.waits { pane.lastLine.contains("Enter adds them") }
        practice.end()
        pane.type("Enter")
        pane.waits { pane.picture().contains("cannot be reached") && pane.lastLine.contains("Enter adds them") }
        try practice.restart(replacing: "no such text", with: "")
        pane.type("Enter")
        pane.waits { pane.ends(with: "= 0") }
        #expect(pane.picture().contains("Ana Ruiz works here now, as p1."))
    }

    /// Fills in the form of a new client, and sends it.
    private func addDora(over line: FaultyLine) throws -> TmuxPane {
        let pane = try line.pane(
            .practice,
            "client add --born 1980-02-03 --phone +493012345 --email a@b.example --address Lugo --emergency-contact Ben "
                + "--referred-by Bea --motive Grief", columns: 100, rows: 24)
        pane.fill([("Name", "Dora Lind")])
        pane.waits { pane.lastLine.contains("Enter adds this client") }
        pane.type("Enter")
        return pane
    }

    private func clients(over line: FaultyLine) throws -> [String] {
        try line.connection("p2").call(Records.ListClients()).clients.map(\.name)
    }

    @Test(arguments: [true, false])
    func `a form whose answers may be kept already sends the same ones, or none`(isChanged: Bool) throws {
        let line = try FaultyLine()
        try line.fail("lost after", at: "Records.AddClient")
        let pane = try addDora(over: line)
        pane.waits { pane.picture().contains("may be made all the same") && pane.lastLine.contains("Enter adds") }
        if isChanged {
            pane.type("Up")
            pane.waits { pane.lastLine.hasSuffix("Grief") }
            pane.type("s", "Enter")
            pane.waits { pane.lastLine.contains("Enter adds this client") }
        }
        pane.type("Enter")
        pane.waits { pane.ends(with: isChanged ? "= 1" : "= 0") }
        #expect(pane.picture().contains("This was not sent") == isChanged)
        #expect(try clients(over: line) == ["Cleo Vidal", "Dora Lind"])
    }

    @Test func `a form keeps its answers while the practice is closed`() throws {
        let line = try FaultyLine()
        let closed: [String: Any] = [
            "error": "org.daybreak.Practice.StorageUnavailable", "parameters": ["reason": "The disk is full."],
        ]
        try line.fail("refused", at: "Records.AddClient", closed)
        let pane = try addDora(over: line)
        pane.waits { pane.picture().contains("The disk is full.") && pane.lastLine.contains("Enter adds this client") }
        pane.type("Enter")
        pane.waits { pane.ends(with: "= 0") }
        #expect(try clients(over: line) == ["Cleo Vidal", "Dora Lind"])
    }

    @Test func `in forty columns a label is above its field`() throws {
        let practice = try RealPractice()
        try practice.begin()
        let pane = try practice.pane("client add", columns: 40)
        // The line begins under its label.
        pane.waits { pane.lastLine == "  Name" && pane.says("#{cursor_x}") == "4" }
        pane.type("Cleo Santos", "Enter")
        pane.fill([("such as", "1980-02-30")])
        pane.waits(forFault: "must be a day", thenLine: "    1980-02-30")
        #expect(
            pane.picture().trimmed == """

                  New client
                  ↑ goes back · Ctrl-C leaves

                  Name
                    Cleo Santos
                  Born
                    1980-02-30
                    ✗ must be a day such as 2027-03-05.
                  Born
                    1980-02-30
                """)
        pane.type("C-c")
        pane.waits { pane.ends(with: "= 1") }
        #expect(pane.ends(with: "Nobody was added.\n= 1"))
    }

    @Test func `another person's changes are shown and kept`() throws {
        let practice = try RealPractice()
        try practice.says("staff", "add", "--name", "Bea", "--role", "support", "--phone", "+49 30 1234567")
        let pane = try practice.pane("staff edit p1")
        pane.waits { pane.lastLine == "  Name       Bea" }
        pane.type(lines: ["C-u", "Bea Lund", "", "", "", ""])
        pane.waits { pane.ends(with: "Enter writes what you changed · ↑ goes back · Ctrl-C leaves") }
        try practice.says("staff", "edit", "p1", "--email", "bea@clinic.example")
        pane.type(lines: [""])
        pane.waits { pane.picture().contains("→") && pane.lastLine.hasSuffix("leaves") }
        pane.type(lines: ["Up", "Up", "", "", ""])
        pane.waits { pane.ends(with: "= 0") }
        #expect(
            pane.picture().trimmed == """

                  Bea
                  ↑ goes back · Ctrl-C leaves

                  Name       Bea Lund
                  Role       1 administrator · 2 support · 3 therapist
                             support
                  Account
                  E-mail
                  Telephone  +49301234567

                  Enter writes what you changed · ↑ goes back · Ctrl-C leaves

                  Somebody else changed this meanwhile, so yours is not written yet:
                    E-mail: nothing → bea@clinic.example

                  Enter writes what you changed · ↑ goes back · Ctrl-C leaves
                  Telephone  +49301234567
                  E-mail     bea@clinic.example
                  Telephone  +49301234567

                  Enter writes what you changed · ↑ goes back · Ctrl-C leaves
                The data of Bea Lund is changed.
                = 0
                """)
        #expect(try practice.says("staff", "show", "p1").contains("bea@clinic.example"))
    }

    @Test func `a failure in JSON is not broken into lines`() throws {
        let practice = try RealPractice()
        let pane = try practice.pane("staff add --json", columns: 40)
        pane.waits { pane.ends(with: "= 1") }
        #expect(
            pane.picture().trimmed == #"""
                {"error":"org.daybreak.Practice.Invalid"
                ,"parameters":{"faults":[{"field":"name"
                ,"reason":"must be given."},{"field":"ro
                le","reason":"must be given."}]}}
                = 1
                """#)
    }

    @Test func `a value that became invalid before it is sent is a fault`() throws {
        let practice = try RealPractice()
        var looks = 0
        let picture = Question(
            field: "picture", label: "Picture",
            check: { text throws(FieldError) in
                looks += 1
                guard looks == 1 else { throw FieldError("cannot be read: No such file or directory.") }
                return text
            })
        var form = Form("A new service", does: "adds it", untouched: "Nothing was added.", [picture])
        let connection = try DaemonConnection(to: practice.path)
        let failure = #expect(throws: Failure.self) {
            try form.send(["picture": "/a.png"], output: OutputOptions.parse([]), asking: false, over: connection) {
                _ in
                Practice.WhoAmI()
            }
        }
        #expect(
            failure?.sentence
                == "Nothing was written:\n  picture cannot be read: No such file or directory.")
        #expect(
            failure?.json
                == #"{"error":"org.daybreak.Practice.Invalid","parameters":{"faults":[{"field":"picture","#
                + #""reason":"cannot be read: No such file or directory."}]}}"#)
    }

    @Test func `the arrow up goes back to the field before, which keeps its text`() throws {
        let practice = try RealPractice()
        let pane = try practice.pane("staff add --account daemon --email a@b.example")
        pane.fill([("Name", "Ana"), ("a number or a word", "Up"), ("Name       Ana", nil)])
        pane.type("Bea", "Enter")
        pane.fill([("a number or a word", "3"), ("Telephone", ""), ("Enter adds them", "")])
        pane.waits { pane.ends(with: "= 0") }
        #expect(pane.ends(with: "AnaBea works here now, as p1.\n= 0"))
    }

    @Test func `a fault from the daemon is shown at its field`() throws {
        let practice = try RealPractice()
        let pane = try practice.pane("staff add --name Ana --email ''")
        pane.fill([
            ("a number or a word", "support"), ("Account", "nobody-at-all"), ("Telephone", ""), ("Enter adds them", ""),
        ])
        pane.waits(forFault: "there is no nobody-at-all", thenLine: "  Account    nobody-at-all")
        #expect(
            pane.picture().trimmed == """

                  Somebody new
                  ↑ goes back · Ctrl-C leaves

                  Role       1 administrator · 2 support · 3 therapist
                             support
                  Account    nobody-at-all
                  Telephone

                  Enter adds them · ↑ goes back · Ctrl-C leaves

                             ✗ must be an account of this machine: there is no nobody-at-all.
                  Account    nobody-at-all
                """)
        pane.type("C-u", "Enter")
        pane.fill([("Enter adds them", "")])
        pane.waits { pane.ends(with: "= 0") }
        #expect(pane.picture().contains("Ana works here now, as p1."))
    }

    @Test func `plain lines are written once`() throws {
        let practice = try RealPractice()
        let pane = try practice.pane("staff add --plain")
        pane.fill([
            ("Name:", "Ana"), ("Which?", "support"), ("Account:", ""), ("E-mail:", ""), ("Telephone:", ""),
            ("anything else leaves:", ""),
        ])
        pane.waits { pane.ends(with: "= 0") }
        #expect(
            pane.picture().trimmed == """

                  Somebody new
                  Ctrl-C leaves

                Name: Ana
                  Role
                             1 administrator · 2 support · 3 therapist
                Which? (a number or a word) support
                Account: (on this machine, so that they can use `practice`; may be left out)
                E-mail: (may be left out)
                Telephone: (such as +49 30 1234567; may be left out)

                Enter adds them, anything else leaves:
                Ana works here now, as p1. Without an account they cannot use `practice` yet:
                `practice staff edit p1`.
                = 0
                """)
    }
}

extension TmuxPane {
    /// For each pair, waits until the text is on the last line that is not empty, and types the answer and Enter. An arrow or
    /// Ctrl-U is typed alone; nil types nothing. An empty text is not waited for.
    func fill(_ lines: [(after: String, typed: String?)]) {
        for (text, typed) in lines {
            let isThere = waits { text.isEmpty || lastLine.contains(text) }
            #expect(isThere, "\(text) does not come:\n\(picture())")
            guard let typed else { continue }
            type(lines: [typed])
        }
    }

    /// Types each line and Enter, faster than they are read; Ctrl-U and an arrow stand alone.
    func type(lines: [String]) {
        type(lines.flatMap { ["Up", "C-u"].contains($0) ? [$0] : $0.isEmpty ? ["Enter"] : [$0, "Enter"] })
    }

    /// Waits until a field is asked for again, under its fault.
    func waits(
        forFault fault: String, thenLine line: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        waits(sourceLocation: sourceLocation) { picture().contains(fault) && lastLine == line }
    }

    var lastLine: String {
        picture().trimmed.split(separator: "\n").last.map(String.init) ?? ""
    }
}

extension String {
    /// Without the empty lines at its end.
    var trimmed: String {
        lastIndex { !$0.isWhitespace }.map { String(self[...$0]) } ?? ""
    }
}
