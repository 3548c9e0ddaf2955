import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `A note` {
    private static func note(_ text: String) -> Note { Note(recorded: text) }
    private static func adding(_ text: String = "A word", _ place: NotePlace = .here) -> Command {
        .addNote(note(text), place)
    }

    @Test(arguments: [Scenario.begun(), .waiting, .inSession, .atTheMood])
    func `is kept with the task in progress`(scenario: Scenario) {
        scenario.when(Self.adding(), then: [.noteWritten("1", Self.note("A word"))])
            .then { #expect($0.plan.progress["1"]?.notes == 1) }
    }

    @Test func `takes tabs and the line ends of other systems, and no other control character`() throws {
        #expect(try Note(typed: "one\ttwo\r\nthree").text == "one    two\nthree")
        #expect(throws: NoteFault.controlCharacter) { try Note(typed: "one\rtwo") }
        #expect(throws: NoteFault.empty) { try Note(typed: " \t\r\n") }
        #expect(throws: NoteFault.tooLong) { try Note(typed: "a" + String(repeating: "\t", count: 1_024)) }
    }

    @Test func `is kept for the next session if no task is begun`() {
        Scenario.opened().when(Self.adding(), then: [.noteWritten(nil, Self.note("A word"))])
            .then { #expect($0.plan.talkingPoints == 1) }
    }

    @Test func `is kept with the task that was completed last, until the day ends`() {
        Scenario.completed
            .when(Self.adding(), at: "23:59", then: [.noteWritten("1", Self.note("A word"))])
            .having(.lookAtClock, on: "2027-03-06", at: "00:00")
            .when(Self.adding(), then: [.noteWritten(nil, Self.note("A word"))])
    }

    @Test func `is kept for the next session whenever the client asks for that`() {
        for scenario in [Scenario.opened(), .waiting, .completed] {
            scenario.when(Self.adding("A word", .nextSession), then: [.noteWritten(nil, Self.note("A word"))])
        }
    }

    @Test func `is kept with any task whose day has come`() {
        let scenario = Scenario.opened(.sample(), .sample("2", due: "2027-03-06"))
            .having(.lookAtClock, on: "2027-03-30", at: "09:00")
        scenario.when(Self.adding("A word", .assignment("2")), then: [.noteWritten("2", Self.note("A word"))])
    }

    @Test func `is refused for a task that is locked or unknown`() {
        let scenario = Scenario.opened(.sample(), .sample("2", due: "2027-03-06"))
        scenario.when(Self.adding("A word", .assignment("2")), refused: .locked("2", until: "2027-03-06"))
        scenario.when(Self.adding("A word", .assignment("3")), refused: .noSuchAssignment("3"))
    }

    @Test func `waits no longer once a session was left`() {
        let collected = Scenario.inSession.having(Self.adding("A word", .nextSession))
        #expect(collected.plan.talkingPoints == 1)
        #expect(collected.having(.leave).plan.talkingPoints == 0)
    }

    @Test func `is refused after a hundred notes of one task or one session`() {
        var scenario = Scenario.waiting
        for _ in 0..<Note.countLimit { scenario = scenario.having(Self.adding()) }
        scenario.when(Self.adding(), refused: .cannotAddNote(.tooMany))
        for _ in 0..<Note.countLimit { scenario = scenario.having(Self.adding("Another", .nextSession)) }
        scenario.when(Self.adding("Another", .nextSession), refused: .cannotAddNote(.tooMany))
    }

    @Test func `is counted no more once it is erased`() {
        let past = Scenario.waiting.having(Self.adding()).having(Self.adding("Another", .nextSession)).history.map(
            \.what)
        let erased = Scenario.given(past + [.erased("1")]).plan
        #expect(erased.progress["1"]?.notes == 0 && erased.talkingPoints == 0)
        // They were written after its session, and wait for the next one.
        let later = Scenario.completed.having(Self.adding("Another", .nextSession)).history.map(\.what)
        #expect(Scenario.given(later + [.erased("1")]).plan.talkingPoints == 1)
    }

    @Test func `does not change the outlook`() {
        let scenario = Scenario.waiting
        #expect(scenario.having(Self.adding()).outlook == scenario.outlook)
    }

    @Test(arguments: ["Two\nlines", "zażółć 🌅", "\u{FEFF}pasted\u{200B}", String(repeating: "ż", count: 2_048)])
    func `may be any text of up to 4,096 bytes`(text: String) throws {
        #expect(try Note(text).text == text)
    }

    @Test(
        arguments: [
            ("", .empty), (" \n\t", .empty), ("\u{200D} \u{3164}\n\u{2800}", .empty),
            (String(repeating: "ż", count: 2_048) + "x", .tooLong),
            ("a\tb", .controlCharacter), ("a\u{1B}[2Jb", .controlCharacter), ("a\u{85}", .controlCharacter),
            ("a\r\nb", .controlCharacter),
        ] as [(String, NoteFault)])
    func `is refused if it is empty, too long or has control characters`(text: String, fault: NoteFault) {
        #expect(throws: fault) { try Note(text) }
    }
}
