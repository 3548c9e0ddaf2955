import DaybreakInterfaces
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// A page that came by itself takes no keys for a moment, because they were meant for the page before.
@Suite struct ArrivalTests {
    private static let keys: [Key] = [.space, .enter, .up, .character("r"), .character("j"), .character("h")]

    private func exerciseDone(_ walk: Walk = Sample.breathing()) -> Walk {
        var walk = walk
        _ = walk.take(.guidingEnded(Sample.flow("waiting"), at: 50))
        return walk
    }

    private func expectUnmoved(_ walk: Walk, _ location: SourceLocation = #_sourceLocation) {
        for key in Self.keys {
            var pressed = walk
            #expect(pressed.take(.key(key)) == [], sourceLocation: location)
            #expect(pressed == walk, "\(key)", sourceLocation: location)
        }
    }

    @Test func `a key pressed just as the last breath ends does not skip the prompt`() {
        var walk = exerciseDone()
        expectUnmoved(walk)
        for time in [50.1, 50.7] {
            _ = walk.take(.shown(at: time))
            expectUnmoved(walk)
        }
        _ = walk.take(.shown(at: 50.9))
        #expect(walk.take(.key(.space)) == [])
        #expect(walk.page == .waitRoom)
    }

    @Test func `the moment begins when the page is shown, however late`() {
        var walk = exerciseDone()
        _ = walk.take(.shown(at: 70))
        expectUnmoved(walk)
        _ = walk.take(.shown(at: 70.8))
        _ = walk.take(.key(.enter))
        #expect(walk.page == .waitRoom)
    }

    @Test func `the answer to a question is ignored once another page has replaced the question`() {
        var walk = Sample.breathing()
        _ = walk.take(.key(.character("r")))
        walk = exerciseDone(walk)
        _ = walk.take(.key(.enter))
        #expect(walk.page == .exerciseDone)
    }

    @Test func `q, escape and Ctrl-C leave at once also then`() {
        for key in [Key.character("q"), .escape, .interrupt] {
            var walk = exerciseDone()
            #expect(walk.take(.key(key)) == [.end(key == .interrupt ? .interrupted : .left)])
        }
    }

    @Test func `a page that comes by itself does not disturb a note`() {
        var walk = Sample.breathing()
        for key in [Key.character("n"), .character("h")] { _ = walk.take(.key(key)) }
        walk = exerciseDone(walk)
        #expect(walk.take(.key(.character("i"))) == [])
        #expect(walk.take(.key(.enter)) == [.call(.note("hi"))])
        #expect(walk.page == .exerciseDone)
    }

    @Test func `the keys are shown once they work`() {
        var walk = exerciseDone()
        #expect(walk.hints.filter { !$0.isAwaited }.map(\.key) == ["q"])
        func foot() -> String {
            let size = ScreenSize(columns: 40, rows: 12)
            let canvas = Scene.draw(walk, at: 50, size: size, palette: Palette(depth: .none))
            return String(canvas.plainText.split(separator: "\n").last ?? "")
        }
        #expect(foot() == "                        q leaves")
        walk.isSeen()
        #expect(foot() == "       any key goes on  q leaves")
    }

    @Test func `after the provider's arrival a key on the first page waits as well`() {
        var walk = Sample.walk()
        _ = walk.take(.status(Sample.eligible(Sample.status(online: true))))
        expectUnmoved(walk)
        walk.isSeen()
        #expect(walk.take(.key(.space)) == [.call(.start)])
    }

    @Test func `after a session that ended elsewhere no mood is chosen at once`() {
        var walk = Sample.walk(Sample.flow("session"))
        _ = walk.take(.status(Sample.status(Sample.flow("mood"))))
        #expect(walk.page == .mood(0))
        expectUnmoved(walk)
        walk.isSeen()
        #expect(walk.take(.key(.enter)) == [])
        #expect(walk.question == .logMood("calm"))
    }

    @Test func `a task completed elsewhere is not closed at once, and q closes it`() {
        var walk = Sample.walk(Sample.flow("session", moodLogged: true))
        _ = walk.take(.status(Sample.status()))
        let done = Walk.Answer.step(nil, Sample.assignment("completed", also: #","mood":"tired""#))
        _ = walk.take(.answered(.get("2026-11-20"), done, at: 0))
        expectUnmoved(walk)
        #expect(walk.take(.key(.character("q"))) == [.end(.completed)])
    }

    @Test func `a late pause does not take the exercise back from another window`() {
        var walk = Sample.breathing()
        _ = walk.take(.guidingEnded(Sample.flow(), at: 2))
        expectUnmoved(walk)
        walk.isSeen()
        #expect(walk.take(.key(.space)) == [.breathe])
    }

    @Test func `a page that the client asked for takes keys at once`() {
        var walk = Sample.walk(Sample.flow("session"))
        for key in [Key.character("l"), .enter] { _ = walk.take(.key(key)) }
        let left = Walk.Answer.step(Sample.flow("mood"), Sample.assignment("inProgress"))
        _ = walk.take(.answered(.leave, left, at: 0))
        _ = walk.take(.key(.down))
        #expect(walk.page == .mood(1))
    }

    @Test func `a typed line waits for its page, and only Enter goes on`() {
        var lines = Sample.breathing()
        lines.presentation.isPlain = true
        lines = exerciseDone(lines)
        for (line, page) in [("p", Walk.Page.exerciseDone), ("r", .exerciseDone), ("", .waitRoom)] {
            for input in TypedLine.inputs(for: line, in: lines) { _ = lines.take(input) }
            #expect(lines.page == page)
        }
    }
}
