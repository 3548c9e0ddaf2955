import DaybreakInterfaces
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// The field in which a note is written: its text stays until the daemon has kept it.
@Suite struct NoteFieldTests {
    /// A walk in the wait room with a note that is written and not entered.
    private func writing(_ text: String = "hi", notes: [String] = []) -> Walk {
        var walk = Sample.walk(Sample.flow("waiting"))
        _ = walk.take(.answered(.notes, .notes(notes), at: 0))
        _ = walk.take(.key(.character("n")))
        for character in text { _ = walk.take(.key(character == " " ? .space : .character(character))) }
        return walk
    }

    /// The last lines of the screen that are not empty.
    private func foot(_ walk: Walk, _ count: Int) -> [String] {
        let size = ScreenSize(columns: 80, rows: 24)
        let lines = Scene.draw(walk, at: 0, size: size, palette: Palette(depth: .none)).plainText.split(separator: "\n")
        return lines.suffix(count).map { $0.drop { $0 == " " }.description }
    }

    @Test func `the text stays in its field until it is kept`() {
        var walk = writing()
        #expect(walk.take(.key(.enter)) == [.call(.note("hi"))])
        #expect(walk.draft == "hi")
        #expect(walk.take(.key(.enter)) == [])
        #expect(walk.take(.key(.character("x"))) == [])
        #expect(walk.draft == "hi")
        #expect(walk.take(.answered(.note("hi"), .kept(isShared: nil), at: 1)) == [.call(.notes)])
        #expect(walk.draft == nil)
        #expect(walk.notice == "The note is kept.")
    }

    @Test func `a note that is entered while the daemon is away is sent once, when it is back`() {
        var walk = writing()
        _ = walk.take(.gone)
        #expect(
            foot(walk, 3) == [
                "Daybreak is away for a moment. Waiting for it to come back …", "Note: hi_",
                "enter keeps the note   esc drops it",
            ])
        #expect(walk.take(.key(.enter)) == [])
        #expect(walk.draft == "hi")
        #expect(
            foot(walk, 3) == [
                "Daybreak is away for a moment. The note is sent when it is back.", "Note: hi_",
                "enter keeps the note   esc drops it",
            ])
        #expect(walk.take(.key(.enter)) == [])
        #expect(walk.take(.back) == [.call(.notes), .call(.note("hi"))])
        #expect(walk.take(.answered(.notes, .notes([]), at: 1)) == [])
        #expect(walk.take(.answered(.note("hi"), .kept(isShared: nil), at: 1)) == [.call(.notes)])
        #expect(walk.draft == nil)
    }

    @Test func `a note that is changed while the daemon is away is sent as it is entered last`() {
        var walk = writing()
        _ = walk.take(.gone)
        for key in [Key.enter, .character("!")] { _ = walk.take(.key(key)) }
        #expect(walk.take(.back) == [.call(.notes)])
        #expect(walk.take(.key(.enter)) == [.call(.note("hi!"))])
    }

    @Test(arguments: [[], ["hi"]])
    func `a note whose answer was lost is looked for, and sent again only if it was not kept`(earlier: [String]) {
        var sent = writing(notes: earlier)
        #expect(sent.take(.key(.enter)) == [.call(.note("hi"))])
        #expect(sent.take(.gone) == [])
        #expect(sent.draft == "hi")
        #expect(sent.take(.back) == [.call(.notes)])
        var lost = sent
        #expect(sent.take(.answered(.notes, .notes(earlier + ["hi"]), at: 1)) == [])
        #expect(sent.draft == nil)
        #expect(sent.notice == "The note is kept.")
        #expect(lost.take(.answered(.notes, .notes(earlier), at: 1)) == [.call(.note("hi"))])
        #expect(lost.draft == "hi")
    }

    @Test func `a note in doubt is back in its field if the notes cannot be had`() {
        var walk = writing()
        _ = walk.take(.key(.enter))
        _ = walk.take(.gone)
        #expect(walk.take(.back) == [.call(.notes)])
        #expect(walk.take(.refused(.notes, "The history cannot be read.")) == [])
        #expect(
            foot(walk, 3) == [
                "It is not known whether this note was kept; `daybreak notes` tells.", "Note: hi_",
                "enter keeps the note   esc drops it",
            ])
        #expect(
            Wording.Guided.ending(.left, of: walk) == """
                You stay in the wait room. `daybreak start` comes back to it.
                It is not known whether this note was kept; `daybreak notes` tells: “hi”
                """)
        #expect(walk.take(.key(.enter)) == [.call(.note("hi"))])
    }

    @Test func `a note that is entered before another answer has come is sent after it`() {
        var walk = Sample.breathing()
        for key in [Key.space, .character("n")] { _ = walk.take(.key(key)) }
        #expect(walk.draft == nil)  // The answer is still on its way.
        _ = walk.take(.answered(.pause, .flow(Sample.flow(exercise: Sample.exercise(paused: true))), at: 1))
        for key in [Key.character("n"), .character("x")] { _ = walk.take(.key(key)) }
        walk.daemon = .asked(.resume)
        #expect(walk.take(.key(.enter)) == [])
        #expect(walk.draft == "x")
        #expect(walk.take(.answered(.resume, .flow(Sample.flow()), at: 2)) == [.call(.note("x"))])
    }

    @Test func `a refused note stays in its field, under the reason`() {
        var walk = writing()
        _ = walk.take(.key(.enter))
        #expect(walk.take(.refused(.note("hi"), "The disk is full.")) == [])
        #expect(walk.draft == "hi")
        #expect(foot(walk, 3) == ["The disk is full.", "Note: hi_", "enter keeps the note   esc drops it"])
        #expect(walk.take(.key(.enter)) == [.call(.note("hi"))])
    }

    @Test func `a note of an earlier time is in the field again, until it is kept or dropped`() {
        var walk = Sample.walk(Sample.flow("waiting"))
        walk.unsentNote = "hi"
        _ = walk.take(.key(.character("n")))
        #expect(walk.draft == "hi")
        #expect(walk.notice == "You wrote this before, and perhaps it was not kept; `daybreak notes` tells.")
        var dropped = walk
        _ = dropped.take(.key(.escape))
        #expect(dropped.draft == nil && dropped.unsentNote == nil)
        #expect(walk.take(.key(.enter)) == [.call(.note("hi"))])
        #expect(walk.unsentNote == "hi")
        _ = walk.take(.answered(.note("hi"), .kept(isShared: nil), at: 1))
        #expect(walk.draft == nil && walk.unsentNote == nil)
    }

    @Test func `the end of the walk shows a note that was not kept`() {
        var walk = writing()
        #expect(
            Wording.Guided.ending(.interrupted, of: walk) == """
                You stay in the wait room. `daybreak start` comes back to it.
                This note was not kept: “hi”
                """)
        _ = walk.take(.key(.escape))
        #expect(
            Wording.Guided.ending(.left, of: walk) == "You stay in the wait room. `daybreak start` comes back to it.")
    }

    @Test func `a note takes 4,096 bytes as everywhere, and its field says that it is full`() {
        var walk = writing()
        for _ in 2..<4_095 { _ = walk.take(.key(.character("x"))) }
        #expect(walk.notice == nil)
        #expect(walk.take(.key(.character("é"))) == [])
        let full = "The note is full: it takes 4,096 bytes, a long page. Enter keeps it; the rest fits into another."
        #expect(walk.notice == full)
        _ = walk.take(.key(.space))
        #expect(walk.draft?.utf8.count == 4_096)
        #expect(walk.notice == nil)
        _ = walk.take(.key(.character("x")))
        #expect(walk.draft?.utf8.count == 4_096)
        #expect(walk.notice == full)
    }

    @Test func `a text that does not fit is not pasted in part`() {
        var walk = writing()
        _ = walk.take(.key(.pasted(String(repeating: "é", count: 2_048))))
        #expect(walk.draft == "hi")
        #expect(
            walk.notice
                == "Nothing was pasted: a note takes 4,096 bytes, a long page, and this text has 2 bytes too many.")
        _ = walk.take(.key(.pasted(String(repeating: "é", count: 2_047))))
        #expect(walk.draft?.utf8.count == 4_096)
        #expect(walk.notice == nil)
    }

    @Test func `all lines of a pasted note are kept`() {
        var walk = writing()
        _ = walk.take(.key(.pasted("\none\ntwo\n")))
        #expect(walk.draft == "hi\none\ntwo\n")
        #expect(foot(walk, 2).first == "Note: hi / one / two / _")
        #expect(walk.take(.key(.enter)) == [.call(.note("hi\none\ntwo"))])
    }

    @Test(arguments: ["exercise", "waiting", "session", "mood"])
    func `a pasted text is no key`(stage: String) {
        var walk = Sample.walk(Sample.flow(stage))
        let page = walk.page
        #expect(walk.take(.key(.pasted("y\nl\n"))) == [])
        #expect(walk.page == page && walk.overlay == .none)
        #expect(walk.notice == "A pasted text is none of the keys.")
    }
}
