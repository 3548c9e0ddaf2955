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
        var reply = Self.kept
        #expect(
            Note.kept(reply, isToday: false) == "Kept with the task 2026-11-20. `daybreak show 2026-11-20` shows it.")
        #expect(Note.kept(reply, isToday: true) == "Kept with today's task. `daybreak show today` shows it.")
        reply.shared = false
        #expect(
            Note.kept(reply, isToday: true)
                == "Kept with today's task. `daybreak show today` shows it. It is not shared.")
        (reply.note.assignment, reply.shared) = (nil, nil)
        let forSession = "Kept for the next session; the wait room shows it. `daybreak notes` shows it now."
        #expect(Note.kept(reply, isToday: false) == forSession)
        reply.shared = true
        #expect(Note.kept(reply, isToday: false) == forSession + " Your therapist hears of it.")
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
