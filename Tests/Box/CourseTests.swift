import Testing

/// A programme at two machines: imported at the practice, followed at home, with the installed programs alone.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .enabled(if: TwoHouses.hasServer, "there is no OpenSSH server"),
    .enabled(if: BoxTerminal.isPossible, BoxTerminal.whyNot), .boxed
)
struct CourseTests {
    private static let copyright = "Written for Daybreak. Free to use, to change and to share."
    private static let choosing = "\(copyright)\nEnter on · ← back · ? keys · Esc leaves"
    private static let typing = "\(copyright)\nEnter on · PgUp back · Ctrl-G keys · Esc leaves"

    @Test func `a client reads a lesson and answers a survey across a kill, and their therapist sees the score`()
        async throws
    {
        let houses = try await TwoHouses()
        try await houses.link(sharing: "completed,moods")
        try await houses.untilConnected()
        try await enrol(in: houses)
        try await read(in: houses)

        // The survey opens at midnight.
        try await houses.midnight()
        try await houses.until("daybreak | grep --quiet '1 survey to answer'")
        try await houses.noon()
        try await answer(in: houses)
        try await houses.until("! daybreak | grep --quiet survey")
        // A connection that is made while the machine is busy may be refused.
        let next = "There is no survey to answer now. The next one opens Tuesday 12 March at 00:00."
        try await houses.until("daybreak survey 2>&1 | grep --quiet --fixed-strings --line-regexp '\(next)'")
        let told = try await houses.journal(of: "daybreakd").filter { $0.contains("survey") }
        #expect(told == ["A survey of your practice is due."])
        try await see(in: houses)
    }

    /// Ana enrols Cleo in the sample, whose survey is asked on the second day here.
    private func enrol(in houses: TwoHouses) async throws {
        #expect(
            try await houses.clinic.run(
                """
                cp --recursive \(Box.clone)/Config/programmes/first-weeks /root/
                sed -i 's/^first_day = 7/first_day = 2/' /root/first-weeks/programme.toml
                practice programme import /root/first-weeks
                """, as: .root)
                == "The first weeks: 4 lessons and 1 survey, taken in as revision 1. "
                + "`practice enrol CLIENT first-weeks` enrols a client.")
        #expect(
            try await houses.ana("practice enrol Cleo first-weeks")
                == "Cleo is enrolled in The first weeks, from today, as e1.")
        try await houses.until("daybreak course | grep --quiet 'The first weeks'")
    }

    private func read(in houses: TwoHouses) async throws {
        #expect(
            try await houses.client("daybreak course read --mark | sed -n '1p;$p'")
                == "  Arriving\n  1 of 4 lessons read. `daybreak course` shows what is next.")
        #expect(
            try await houses.client("daybreak course") == """
                  The first weeks
                  Four short lessons for the first weeks after a loss, three questions a week, and some minutes of breathing.
                  1 of 4 lessons read · since today

                     Lesson               Time
                  1  Arriving             5 min  read
                  2  Breathing, slowly    5 min  open
                  3  Good days, bad days  8 min  locked
                  4  Remembering          8 min  locked

                  `daybreak course read` opens lesson 2.
                  Lesson 3: It unlocks on Monday 11 March 2030, once the survey “How was your week?” is answered, or over on \
                Friday 8 March 2030.
                """)
    }

    /// Cleo answers question by question. The program is killed after the second answer.
    private func answer(in houses: TwoHouses) async throws {
        let terminal = BoxTerminal(box: houses.home, user: .client)
        let title = "How was your week?"
        let third = """
             3 of 4, needs an answer · \(title)
             3 Were you outside on most days?

              1  Yes
              2  No





            \(Self.choosing)
            """
        try await terminal.open("~/.local/bin/daybreak survey", columns: 72)
        try await terminal.shows(
            """
             1 of 4, needs an answer · \(title)
             Three questions about the last seven days. There are no right answers.

             1 How did you sleep?

              1  Badly
              2  So-so
              3  Well


            \(Self.choosing)
            """)
        try await terminal.type("2", "Enter")
        try await terminal.shows(
            """
             2 of 4, needs an answer · \(title)
             2 Were there people with whom you could speak?

              1  No
              2  One person
              3  Several




            \(Self.choosing)
            """)
        try await terminal.type("3", "Enter")
        try await terminal.shows(third)
        try await houses.client("kill -KILL $(pidof daybreak)")
        try await terminal.close()
        // Until it is finished, only the client sees an answer.
        #expect(
            try await houses.ana("practice survey q1 --plain") == """
                  \(title)

                  Programme   The first weeks
                  Occurrence  1 of 4
                  State       open until Friday 8 March at 00:00

                  \(Self.copyright)
                """)

        try await terminal.open("~/.local/bin/daybreak survey", columns: 72)
        try await terminal.shows(third)
        try await terminal.type("1", "Enter")
        try await terminal.shows(
            """
             4 of 5 · \(title)
             3a About how many minutes a day?

            >

             a whole number, from 0 to 1440




            \(Self.typing)
            """)
        try await terminal.type("40", "Enter")
        try await terminal.shows(
            """
             5 of 5 · \(title)
             Is there something that your therapist should know before you meet?

            >

             as many words as you like




            \(Self.typing)
            """)
        try await terminal.type("-l", "'I dream.'")
        try await terminal.type("Enter")
        try await terminal.shows(
            """
             The end · \(title)
             That was the last question.

             Once it is finished, the answers go to your therapist and stay as they
             are.





            \(Self.copyright)
            f finishes · ← back · Esc leaves
            """)
        try await terminal.type("f")
        try await terminal.shows("The survey is answered. Thank you.\n= 0")
    }

    private func see(in houses: TwoHouses) async throws {
        func ana(_ line: String) async throws -> String {
            try await houses.ana("\(line) | sed -E 's/at [0-9]{2}:[0-9]{2}/at 12:00/'")
        }
        #expect(
            try await ana("practice surveys Cleo --plain") == """
                      Survey                      State     When                             Score
                  q2  How was your week?  2 of 4  to come   opens Tuesday 12 March at 12:00
                  q3  How was your week?  3 of 4  to come   opens Tuesday 19 March at 12:00
                  q4  How was your week?  4 of 4  to come   opens Tuesday 26 March at 12:00
                  q1  How was your week?  1 of 4  answered  today at 12:00                       3

                  `practice survey ID` shows the answers of one.
                """)
        #expect(
            try await ana("practice survey q1 --plain") == """
                  How was your week?

                  Programme   The first weeks
                  Occurrence  1 of 4
                  State       answered today at 12:00
                  Score       3, of 0 to 4

                  1 How did you sleep?
                      So-so (1)
                  2 Were there people with whom you could speak?
                      Several (2)
                  3 Were you outside on most days?
                      Yes
                  3a About how many minutes a day?
                      40
                  Is there something that your therapist should know before you meet?
                      I dream.

                  \(Self.copyright)
                """)
        #expect(
            try await ana("practice enrolments Cleo --plain") == """
                      Programme        Since      State      Lessons read  Waits
                  e1  The first weeks  yesterday  under way  1 of 4        1 lesson
                """)
        let file = """
            import json, sys
            kept = json.load(sys.stdin)["programmes"]
            print(*[lesson["lesson"] for enrolment in kept["enrolments"] for lesson in enrolment["lessonsRead"]])
            print(*[(survey["id"], survey["state"], survey["score"]) for survey in kept["surveys"]])
            print(*[list(item["answer"][0].values())[0] for response in kept["responses"] for item in response["item"]], sep="\\n")
            """
        #expect(
            try await houses.ana("practice client file Cleo | python3 -c '\(file)'") == """
                arriving
                ('q1', 'answered', 3)
                {'code': 'so-so', 'display': 'So-so'}
                {'code': 'several', 'display': 'Several'}
                True
                40
                I dream.
                """)
    }
}
