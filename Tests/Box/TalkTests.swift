import Testing

/// Two accounts of one machine, each with a terminal, over the installed practice.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .enabled(if: BoxTerminal.isPossible, BoxTerminal.whyNot), .boxed
)
struct TalkTests {
    private let box: Box
    private let (ana, cleo): (BoxTerminal, BoxTerminal)

    init() async throws {
        box = try await Box()
        (ana, cleo) = (BoxTerminal(box: box, user: .bare("ana")), BoxTerminal(box: box, user: .bare("cleo")))
        try await box.run(
            """
            \(Box.clone)/systemd/install --practice --from \(Box.shown) && useradd --create-home ana && useradd --create-home cleo
            practice staff add --plain --role thanatologist --name 'Ana Ruiz' --account ana </dev/null
            practice client add --plain --name 'Cleo Vidal' --therapist p1 --account cleo </dev/null
            """, as: .root)
    }

    private static let hint = "Ctrl-G keys · PgUp earlier · Esc leaves"

    @Test func `two people talk, also across a killed daemon, and see the same picture by picture`() async throws {
        try await ana.open("practice chat Cleo")
        try await ana.shows(
            """
             Cleo Vidal
              Nothing was said here yet.








            \(Self.hint)
            >
            """.trimmingCharacters(in: .newlines))
        try await cleo.open("practice chat Ana")
        // Before it shows something, the terminal itself would show what is typed.
        try await cleo.shows(
            """
             Ana Ruiz · online
              Nothing was said here yet.








            \(Self.hint)
            >
            """)
        try await cleo.type("-l", "'At ten?'")
        try await ana.shows(
            """
             Cleo Vidal · online
              Nothing was said here yet.








            Cleo Vidal types…
            >
            """, while: cleo)
        try await cleo.shows(
            """
             Ana Ruiz · online
              Nothing was said here yet.









            > At ten?
            """)
        try await cleo.type("Enter")
        for (terminal, other) in [(ana, "Cleo Vidal"), (cleo, "Ana Ruiz")] {
            try await terminal.shows(
                """
                 \(other) · online





                 — Today —

                 09:00 Cleo Vidal
                   At ten?
                \(Self.hint)
                >
                """)
        }
        // Nobody loses a word while systemd starts the daemon again.
        try await box.run("systemctl kill --signal KILL practiced.service", as: .root)
        try await ana.type("-l", "'At ten.'")
        try await ana.type("Enter")
        for (terminal, other) in [(ana, "Cleo Vidal"), (cleo, "Ana Ruiz")] {
            try await terminal.shows(
                """
                 \(other) · online



                 — Today —

                 09:00 Cleo Vidal
                   At ten?
                 09:00 Ana Ruiz
                   At ten.
                \(Self.hint)
                >
                """)
        }
        try await cleo.type("C-c")
        try await cleo.shows("= 0")
        // No message stands in a journal, or in a file that others can read.
        let journal = try await box.run("journalctl --no-pager --output cat --unit practiced.service", as: .root)
        #expect(!journal.contains("At ten") && !journal.contains("Cleo"))
        #expect(try await box.run("cat /run/practice/status.json", as: .root).contains("At ten") == false)
    }

    @Test func `a letter is written in one terminal and read in the other, picture by picture`() async throws {
        try await box.run(
            "printf 'Dear Cleo,\\n\\n  Ten   or  eleven?\\n' | practice mail write 'Cleo Vidal' --subject Friday",
            as: .bare("ana"))
        try await cleo.open("practice mail", columns: 60)
        try await cleo.shows(
            """
             Inbox · 1 letter, new
             N   Ana Ruiz              Friday – Dear…  09:00









            Enter reads · m writes · / searches · c folders · ? keys · …
            """)
        try await cleo.type("Enter")
        try await cleo.shows(
            """
             Inbox · 1 letter
              From     Ana Ruiz
              To       Cleo Vidal
              When     Friday at 09:00
              Subject  Friday

              Dear Cleo,

                Ten   or  eleven?


            r answers · d deletes · s moves · j older · k newer · i list
            """)
    }
}
