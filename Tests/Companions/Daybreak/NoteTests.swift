import DaybreakInterfaces
import Testing
import Time
import Varlink

@testable import Companion
@testable import DaybreakCompanion

@Suite struct NoteTests {
    private static let kept = Homework.AddNote.Reply(
        note: Sample.decode(#"{"at":"2026-11-20T14:05:00+01:00","text":"Ask about sleep","assignment":"2026-11-20"}"#))

    @Test func `the place of a note, in words`() {
        var note = Self.kept.note
        #expect(
            Note.kept(note, isToday: false) == "Kept with the task 2026-11-20. `daybreak show 2026-11-20` shows it.")
        #expect(Note.kept(note, isToday: true) == "Kept with today's task. `daybreak show today` shows it.")
        note.assignment = nil
        #expect(
            Note.kept(note, isToday: false)
                == "Kept for the next session; the wait room shows it. `daybreak notes` shows it now.")
    }

    @Test func `notes are shown whole, without control characters`() {
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
}
