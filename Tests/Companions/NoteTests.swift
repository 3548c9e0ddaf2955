import DaybreakInterfaces
import Testing
import Varlink

@testable import DaybreakCompanion

@Suite struct NoteTests {
    private static let kept = Homework.AddNote.Reply(
        note: Sample.decode(#"{"at":"2026-11-20T14:05:00+01:00","text":"Ask about sleep","assignment":"2026-11-20"}"#))

    @Test func `where a note was kept, in words`() {
        var note = Self.kept.note
        #expect(
            Wording.kept(note, isToday: false) == "Kept with the task 2026-11-20. `daybreak show 2026-11-20` shows it.")
        #expect(Wording.kept(note, isToday: true) == "Kept with today's task. `daybreak show today` shows it.")
        note.assignment = nil
        #expect(
            Wording.kept(note, isToday: false)
                == "Kept for the next session; the wait room shows it. `daybreak notes` shows it now.")
    }

    @Test func `notes are shown whole, and steer no terminal`() {
        let notes: [Homework.Note] = Sample.decode(
            #"""
            [{"at":"2026-11-20T14:05:00+01:00","text":"Two\nlines\u001b[2J","assignment":"2026-11-20"},
             {"at":"2026-11-20T14:06:00+01:00","text":"Ask about sleep"}]
            """#)
        #expect(
            Wording.notes(notes, ink: .plain) == """
                Friday 20 November 2026, 14:05
                  Two
                  lines[2J
                Friday 20 November 2026, 14:06 · for the session
                  Ask about sleep

                """)
    }

    @Test func `days are counted and spelled back`() throws {
        for text in ["1970-01-01", "2000-02-29", "2026-11-20", "2027-03-01", "2100-02-28", "9999-12-31"] {
            let day = try #require(Day(text))
            #expect(Day(number: day.number) == day)
            #expect(day.text == text)
        }
        #expect(Day(number: 0).text == "1970-01-01")
        #expect(Day(number: -1).text == "1969-12-31")
    }
}
