import Testing

/// A week of a therapist and her client: two machines with a cable between them, real midnights, and nothing but the
/// installed programs.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .enabled(if: TwoHouses.hasServer, "there is no OpenSSH server"), .boxed
)
struct WeekTests {
    @Test func `a week of a therapist and her client`() async throws {
        let week = try await Week()
        try await week.onMonday()
        try await week.onTuesday()
        try await week.onWednesday()
        try await week.onThursday()
        try await week.onFriday()
        try await week.onSaturday()
        try await week.onSunday()
    }
}

/// Ana at the practice, and Cleo at home. A task that was not done on its day is missed.
private struct Week {
    let houses: TwoHouses

    private static let shares =
        "which tasks you began, completed or missed; the words for your moods; how many breaths you drew; the notes that "
        + "you write for the next session; when you begin a task, wait, are in the session, or give the task up"
    private static let unreached = "The practice cannot be reached"
    private static let trouble =
        "\(unreached): ssh: connect to host 10.9.0.1 port 22: Network is unreachable."

    init() async throws { houses = try await TwoHouses(settings: TwoHouses.settings + "\n[day]\ngrace_days = 0") }

    /// Cleo is invited, and Ana assigns homework.
    func onMonday() async throws {
        #expect(
            try await houses.link() == """
                This machine is linked: Cleo, client 1 of Ana.
                Your therapist sees \(Self.shares).
                `daybreak link share` shows and changes this at any time, `daybreak link status` how it goes.
                """)
        try await houses.untilConnected()
        // The practice has written to her that a machine comes in as her.
        try await houses.until("daybreak | grep --quiet '1 unread letter'")
        try await houses.until("daybreak mail read 1 >/dev/null && ! daybreak | grep --quiet unread")
        try await ana(
            "practice assign Cleo --every day --from tomorrow --times 6 --breaths 1 --moods calm,tired --yes",
            "Assigned, as revision 1: 6 tasks added, 0 changed, 0 withdrawn.")
        try await houses.until("daybreak list | grep --quiet Tomorrow")
        try await cleo(
            "daybreak",
            """
              My tasks · Monday 4 March 2030

              ○ Tomorrow            1 breath   unlocks at 00:00
              ○ Wednesday 6 March   1 breath   unlocks at 00:00
              ○ Thursday 7 March    1 breath   unlocks at 00:00
              ○ Friday 8 March      1 breath   unlocks at 00:00
              ○ Saturday 9 March    1 breath   unlocks at 00:00
                … and 1 later
            """)
    }

    /// They meet: Cleo sees that Ana is there, and Ana that Cleo waits.
    func onTuesday() async throws {
        try await houses.midnight()
        try await houses.until("daybreak | grep --quiet 'open now'")
        #expect(try await houses.journal(of: "daybreakd").last == "A task is open. `daybreak start` begins it.")
        try await houses.noon()
        try await ana(
            "practice point Cleo 'The letter to her mother'",
            "It is kept for the next session. The wait room shows it once the client's Daybreak has heard of it.")
        try await houses.client("daybreak start --json && daybreak breathe")
        try await houses.anaSees("practice waiting --plain | grep --quiet 'in the wait room'")
        try await ana(
            "practice waiting --plain",
            """
              Client  Where             Since
              Cleo    in the wait room  12:00
            """)
        try await ana(
            "practice available --for 1h --link https://meet.example/ana",
            "Your clients see that you are there for 1h. `practice away` ends it.")
        try await houses.until("daybreak provider | grep --quiet meet.example")
        try await cleo(
            "daybreak provider",
            """
            Ana is available, until 12:00 unless renewed.
            Meet here: https://meet.example/ana
            To speak of in the next session:
              The letter to her mother
            """)
        try await cleo("daybreak join", "You have been in the session since 12:00; `daybreak leave` ends it.")
        try await houses.anaSees("practice waiting --plain | grep --quiet 'in the session'")
        try await cleo("daybreak leave", "Only the mood is missing: `daybreak mood` lists the choices.")
        try await cleo("daybreak mood calm", "The task of Tuesday 5 March 2030 is completed. Mood: calm.")
        try await cleo(
            "daybreak note --next 'I dreamt of the sea'",
            "Kept for the next session; the wait room shows it. `daybreak notes` shows it now. Your therapist hears of it."
        )
        try await houses.untilTold()
        try await ana("practice waiting --plain", "  Nobody waits.")
        try await ana(
            "practice homework Cleo --plain",
            """
              Due               Task        State            Breaths  Mood
              today             2030-03-05  completed today  1 of 1   calm
              tomorrow          2030-03-06  assigned         1
              Thursday 7 March  2030-03-07  assigned         1
              Friday 8 March    2030-03-08  assigned         1
              Saturday 9 March  2030-03-09  assigned         1
              Sunday 10 March   2030-03-10  assigned         1

              The practice's talking points
              today at 12:00
                The letter to her mother

              Notes for the session
              today at 12:00
                I dreamt of the sea

              Revision    1, taken in
              Shares      completed, moods, breaths, notes, waiting
              Last heard  today at 12:00
            """)
        try await ana("practice away", "Your clients see that you are away.")
    }

    /// The cable is pulled. Cleo goes on, and Ana assigns something else without knowing of it.
    func onWednesday() async throws {
        try await houses.pullCable()
        try await houses.midnight()
        try await houses.until("daybreak | grep --quiet 'open now'")
        try await houses.noon()
        // They speak by telephone.
        try await houses.client("daybreak start --json && daybreak breathe && daybreak provider online")
        try await houses.client("daybreak join && daybreak leave && daybreak mood tired")
        try await cleo(
            "daybreak link status",
            """
            Linked with practice@10.9.0.1.
            The practice cannot be reached.
            The practice was last heard yesterday at 12:00.
            The last trouble: \(Self.trouble)
            It is asked again today at 12:00.
            7 happenings to be told, the oldest of today at 12:00.
            Your therapist sees \(Self.shares).
            The practice's schedule counts; tasks.json is not read.
            """)
        // Ana does not know of it, and assigns something else for the days to come.
        try await ana(
            "practice assign Cleo --every day --from tomorrow --times 4 --breaths 2 --moods calm,tired,angry --yes",
            """
            Assigned, as revision 2: 0 tasks added, 4 changed, 1 withdrawn.
              Withdrawn: Wednesday 6 March 2030
            """)
    }

    /// Still without a cable, Cleo does nothing.
    func onThursday() async throws {
        try await houses.midnight()
        try await houses.noon()
        try await cleo(
            "daybreak",
            """
              My tasks · Thursday 7 March 2030

              ✓ Tuesday 5 March    1 breath   calm
              ✓ Yesterday          1 breath   tired
              ● Today              1 breath   open now: `daybreak start`
                It is today's task; it can be done through Thursday 7 March 2030.
              ○ Tomorrow           1 breath   unlocks at 00:00
              ○ Saturday 9 March   1 breath   unlocks at 00:00
              ○ Sunday 10 March    1 breath   unlocks at 00:00
            """)
    }

    /// The cable is back: all of it comes, each thing once.
    func onFriday() async throws {
        try await houses.midnight()
        try await houses.noon()
        try await ana(
            "practice homework Cleo --plain",
            """
              Due              Task        State                      Breaths  Mood
              Tuesday 5 March  2030-03-05  completed Tuesday 5 March  1 of 1   calm
              yesterday        2030-03-07  no word yet                2
              today            2030-03-08  assigned                   2
              tomorrow         2030-03-09  assigned                   2
              Sunday 10 March  2030-03-10  assigned                   2

              The practice's talking points
              Tuesday 5 March at 12:00
                The letter to her mother

              Notes for the session
              Tuesday 5 March at 12:00
                I dreamt of the sea

              Revision    2, revision 1 is taken in
              Shares      completed, moods, breaths, notes, waiting
              Last heard  Tuesday 5 March at 12:00
            """)
        try await houses.plugIn()
        try await houses.untilConnected()
        try await houses.untilTold()
        try await houses.until("daybreak | grep --quiet '2 breaths'")
        try await cleo(
            "daybreak",
            """
              My tasks · Friday 8 March 2030

              ✓ Tuesday 5 March     1 breath    calm
              ✓ Wednesday 6 March   1 breath    tired
              – Yesterday           2 breaths   missed
              ● Today               2 breaths   open now: `daybreak start`
                It is today's task; it can be done through Friday 8 March 2030.
              ○ Tomorrow            2 breaths   unlocks at 00:00
              ○ Sunday 10 March     2 breaths   unlocks at 00:00
            """)
        try await ana(
            "practice homework Cleo --plain",
            """
              Due                Task        State                        Breaths  Mood
              Tuesday 5 March    2030-03-05  completed Tuesday 5 March    1 of 1   calm
              Wednesday 6 March  2030-03-06  completed Wednesday 6 March  1 of 1   tired
              yesterday          2030-03-07  missed                       2
              today              2030-03-08  assigned                     2
              tomorrow           2030-03-09  assigned                     2
              Sunday 10 March    2030-03-10  assigned                     2

              The practice's talking points
              Tuesday 5 March at 12:00
                The letter to her mother

              Notes for the session
              Tuesday 5 March at 12:00
                I dreamt of the sea

              Revision    2, taken in
              Shares      completed, moods, breaths, notes, waiting
              Last heard  today at 12:00
            """)
    }

    /// From now on Cleo shares only what she completes.
    func onSaturday() async throws {
        try await houses.midnight()
        try await houses.noon()
        try await houses.anaSees("practice homework Cleo --plain | grep --quiet 'Last heard *today at 12'")
        try await cleo(
            "daybreak link share --share completed",
            """
            Your therapist sees
              which tasks you began, completed or missed: since Monday 4 March 2030 at 12:00
              the words for your moods: no
              how many breaths you drew: no
              the notes that you write for the next session: no
              when you begin a task, wait, are in the session, or give the task up: no
            `daybreak link share --change` asks for each again. The practice keeps all that it was told before.
            """)
        try await houses.client("daybreak start --json && daybreak breathe && daybreak provider online")
        try await houses.client("daybreak join && daybreak leave && daybreak mood angry")
        try await houses.untilTold()
        try await ana(
            "practice homework Cleo --plain",
            """
              Due                Task        State                        Breaths  Mood
              Tuesday 5 March    2030-03-05  completed Tuesday 5 March    1 of 1   calm
              Wednesday 6 March  2030-03-06  completed Wednesday 6 March  1 of 1   tired
              Thursday 7 March   2030-03-07  missed                       2
              yesterday          2030-03-08  missed                       2
              today              2030-03-09  completed today              2
              tomorrow           2030-03-10  assigned                     2

              The practice's talking points
              Tuesday 5 March at 12:00
                The letter to her mother

              Notes for the session
              Tuesday 5 March at 12:00
                I dreamt of the sea

              Revision    2, taken in
              Shares      completed
              Last heard  today at 12:00
            """)
    }

    /// Cleo ends the link, and keeps all of it.
    func onSunday() async throws {
        try await houses.midnight()
        try await houses.noon()
        try await houses.anaSees("practice homework Cleo --plain | grep --quiet 'Last heard *today at 12'")
        try await cleo(
            "daybreak link end --yes",
            """
            The link is ended. The practice was told, and has what it heard before. Your history stays with you.
            """)
        try await houses.client("daybreak start --json && daybreak breathe && daybreak provider online")
        try await houses.client("daybreak join && daybreak leave && daybreak mood calm")
        try await cleo(
            "daybreak list --all",
            """
              My tasks · Sunday 10 March 2030

              ✓ Tuesday 5 March     1 breath    calm     2030-03-05
              ✓ Wednesday 6 March   1 breath    tired    2030-03-06
              – Thursday 7 March    2 breaths   missed   2030-03-07
              – Friday 8 March      2 breaths   missed   2030-03-08
              ✓ Yesterday           2 breaths   angry    2030-03-09
              ✓ Today               2 breaths   calm     2030-03-10

              Nothing more is scheduled.
            """)
        try await cleo(
            "daybreak link",
            """
            This machine is linked with no practice. `daybreak link set-up` links it, with an invitation.
            """)
        try await ana(
            "practice homework Cleo --plain",
            """
              Due                Task        State                        Breaths  Mood
              Tuesday 5 March    2030-03-05  completed Tuesday 5 March    1 of 1   calm
              Wednesday 6 March  2030-03-06  completed Wednesday 6 March  1 of 1   tired
              Thursday 7 March   2030-03-07  missed                       2
              Friday 8 March     2030-03-08  missed                       2
              yesterday          2030-03-09  completed yesterday          2
              today              2030-03-10  assigned                     2

              The practice's talking points
              Tuesday 5 March at 12:00
                The letter to her mother

              Notes for the session
              Tuesday 5 March at 12:00
                I dreamt of the sea

              Revision    2, taken in
              Shares      nothing
              Last heard  today at 12:00
            """)
        try await theJournalsTellNoNames()
    }

    private func theJournalsTellNoNames() async throws {
        let daemon = try await houses.journal(of: "daybreakd")
        // One of them tells of the letter, by number.
        #expect(daemon.count == 25 && daemon.count { $0.contains("letter") } == 1, "\(daemon)")
        // A leap of the clock may end a connection before the link notices the leap, which is logged as any end is. The trouble
        // of a cable that is out is logged again every four hours.
        let link = try await houses.journal(of: "daybreak-link")
        let again = "daybreak-link: The practice is heard again."
        #expect(link.contains("daybreak-link: \(Self.trouble)") && link.last == again)
        let ended = ["daybreak-link: The practice does not answer.", again]
        #expect(link.filter { !ended.contains($0) && !$0.hasPrefix("daybreak-link: \(Self.unreached): ") } == [])
        #expect((2...20).contains(link.count))
        let practice = try await houses.clinic.run(
            "journalctl --sync; journalctl --quiet --output cat _COMM=practiced | grep --invert-match backup", as: .root
        )
        #expect(
            practice == """
                A person joined the staff: p1.
                A person joined the staff: p2.
                A record was opened: p3.
                A client waits: 1.
                """)
        for word in ["calm", "tired", "angry", "mother", "sea", "Ana", "Cleo", "meet.example"] {
            #expect(!(daemon + link).contains { $0.contains(word) }, "\(word)")
        }
    }

    // MARK: Typed lines and printed texts

    private func ana(_ line: String, _ printed: String, _ location: SourceLocation = #_sourceLocation) async throws {
        let said = Self.even(try await houses.ana(line))
        #expect(said == Self.even(printed), "\(line)", sourceLocation: location)
    }

    private func cleo(_ line: String, _ printed: String, _ location: SourceLocation = #_sourceLocation) async throws {
        let said = Self.even(try await houses.client(line))
        #expect(said == Self.even(printed), "\(line)", sourceLocation: location)
    }

    /// Noon lasts for an hour.
    private static func even(_ text: String) -> String { text.replacing(#/\b12:\d\d\b/#, with: "12:00") }
}
