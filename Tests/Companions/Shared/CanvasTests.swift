import DaybreakInterfaces
import Glibc
import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct CanvasTests {
    private func canvas(_ text: String, ink: Pigment = .standard, bold: Bool = false) -> Canvas {
        var canvas = Canvas(columns: 6, rows: 2)
        canvas.write(text, column: 0, row: 1, ink: ink, bold: bold)
        return canvas
    }

    @Test func `without changes nothing is sent`() {
        #expect(CanvasUpdate.bytes(from: canvas("calm"), to: canvas("calm")) == "")
    }

    @Test func `only the changes are sent, with one movement for each run of cells`() {
        #expect(
            CanvasUpdate.bytes(from: canvas("calm"), to: canvas("carp"))
                == "\u{1B}[?2026h\u{1B}[2;3H\u{1B}[0mrp\u{1B}[0m\u{1B}[?2026l")
        #expect(
            CanvasUpdate.bytes(from: canvas("calm"), to: canvas("halt"))
                == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[0mh\u{1B}[2;4Ht\u{1B}[0m\u{1B}[?2026l")
    }

    @Test func `a style is sent where it begins`() {
        #expect(
            CanvasUpdate.bytes(from: canvas("calm"), to: canvas("calm", ink: .full(1, 2, 3), bold: true))
                == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[0;1;38;2;1;2;3mcalm\u{1B}[0m\u{1B}[?2026l")
        #expect(
            CanvasUpdate.bytes(from: canvas(""), to: canvas("ab", ink: .indexed(200)))
                == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[0;38;5;200mab\u{1B}[0m\u{1B}[?2026l")
        #expect(
            CanvasUpdate.bytes(from: canvas(""), to: canvas("a", ink: .basic(11)))
                == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[0;93ma\u{1B}[0m\u{1B}[?2026l")
    }

    @Test func `another size is drawn whole`() {
        let bytes = CanvasUpdate.bytes(from: Canvas(columns: 1, rows: 1), to: Canvas(columns: 2, rows: 1))
        #expect(bytes == "\u{1B}[?2026h\u{1B}[0m\u{1B}[2J\u{1B}[1;1H\u{1B}[0m  \u{1B}[0m\u{1B}[?2026l")
    }

    @Test func `a wide character covers two cells, and is not cut in half`() {
        #expect(
            CanvasUpdate.bytes(from: canvas("abcdef"), to: canvas("a穏def"))
                == "\u{1B}[?2026h\u{1B}[2;2H\u{1B}[0m穏\u{1B}[0m\u{1B}[?2026l")
        #expect(
            CanvasUpdate.bytes(from: canvas("穏"), to: canvas("a"))
                == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[0ma \u{1B}[0m\u{1B}[?2026l")
        #expect(canvas("abcde穏").plainText == "\nabcde")
    }

    @Test func `colours are as deep as the terminal allows`() {
        let depths = [
            ["TERM": "xterm-256color", "COLORTERM": "truecolor"], ["TERM": "xterm-256color"], ["TERM": "xterm"],
            ["TERM": "linux"], ["TERM": "vt100"], ["TERM": "dumb"], [:],
            ["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"],
        ].map(ColourDepth.init(environment:))
        #expect(depths == [.full, .indexed, .sixteen, .sixteen, .none, .none, .none, .none])
        #expect(Colour(255, 0, 0).pigment(.indexed) == .indexed(196))
        #expect(Colour(128, 128, 128).pigment(.indexed) == .indexed(244))
        #expect(Colour(255, 1, 130).pigment(.full) == .full(252, 0, 128))
    }
}

@Suite struct BreathCircleTests {
    private func radii(_ phase: Homework.Phase) -> [Double] {
        [0, 0.25, 0.5, 0.75, 1].map { (BreathCircle.radius(phase, share: $0) * 1000).rounded() / 1000 }
    }

    @Test func `the circle grows and shrinks softly, and rests in between`() {
        #expect(radii(.inhale) == [0.3, 0.403, 0.65, 0.897, 1])
        #expect(radii(.hold) == [1, 1, 1, 1, 1])
        #expect(radii(.exhale) == [1, 0.897, 0.65, 0.403, 0.3])
        #expect(radii(.rest) == [0.3, 0.3, 0.3, 0.3, 0.3])
        #expect(BreathCircle.radius(.inhale, share: 7) == 1)
    }

    @Test func `a daemon's numbers may be of any size`() {
        let exercise = Sample.exercise(seconds: 1e308, elapsed: -1e308, remaining: 1e308)
        let breathing = Breathing(Walk.Pace(exercise: Sample.decode(exercise), at: 0), at: 1, isRunning: true)
        #expect(breathing.count == 999)
        #expect(Wording.left(breathing.remaining ?? 0).hasSuffix(":00") || breathing.remaining == 1e308)
    }

    @Test func `a terminal that claims to be enormous is drawn in part`() {
        let claimed = winsize(ws_row: 65_535, ws_col: 65_535, ws_xpixel: 0, ws_ypixel: 0)
        #expect(Terminal.size(of: claimed) == ScreenSize(columns: 1_000, rows: 1_000))
    }

    @Test func `between two replies the client's clock goes on, but not beyond the phase`() {
        let pace = Walk.Pace(
            exercise: Sample.decode(Sample.exercise(elapsed: 0.5, remaining: 49.5)), at: 100)
        let seen = [100, 101, 103, 110, 99].map { Breathing(pace, at: $0, isRunning: true) }
        #expect(seen.map(\.elapsed) == [0.5, 1.5, 3.5, 4, 0.5])
        #expect(seen.map(\.remaining) == [49.5, 48.5, 46.5, 46, 49.5])
        #expect(seen.map(\.count) == [4, 3, 1, 1, 4])
        #expect(Breathing(pace, at: 103, isRunning: false).elapsed == 0.5)
        let paused = Walk.Pace(exercise: Sample.decode(Sample.exercise(elapsed: 1, paused: true)), at: 100)
        #expect(Breathing(paused, at: 103, isRunning: true).elapsed == 1)
    }
}
