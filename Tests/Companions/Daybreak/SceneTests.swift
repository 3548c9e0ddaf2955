import DaybreakInterfaces
import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct SceneTests {
    private static let plain = Palette(depth: .none)

    private func frame(_ walk: Walk, at time: Double = 0, _ columns: Int, _ rows: Int) -> String {
        Scene.draw(walk, at: time, size: ScreenSize(columns: columns, rows: rows), palette: Self.plain).plainText
    }

    @Test func `the exercise at 80 by 24, all breathed in`() {
        #expect(
            frame(Sample.breathing(mayJoin: true), at: 4, 80, 24) == """

                                                     ▄▄▄▄▄▄▄
                                                ▗▄▟███████████▙▄▖
                                              ▗▟█████████████████▙▖
                                            ▗▟█████████████████████▙▖
                                           ▗█████████████████████████▖
                                           ▟█████████████████████████▙
                                          ▗███████████████████████████▖
                                          ▐█████████████1█████████████▌
                                          ▝███████████████████████████▘
                                           ▜█████████████████████████▛
                                           ▝█████████████████████████▘
                                            ▝▜█████████████████████▛▘
                                              ▝▜█████████████████▛▘
                                                ▝▀▜███████████▛▀▘
                                                     ▀▀▀▀▀▀▀

                                                   Breathe in
                                           breath 1 of 5 · 0:46 left

                             The provider is available: join now, or finish first.

                     space pauses   r begins again   j joins   n notes   ? keys   q leaves

                """)
    }

    @Test func `the exercise at 40 by 12, half a breath out, paused`() {
        let exercise = Sample.exercise(phase: "exhale", seconds: 6, elapsed: 3, paused: true)
        #expect(
            frame(Sample.breathing(exercise), at: 9, 40, 12) == """

                                 ▗▄███▄▖
                                ▗███████▖
                                ▝███████▘
                                 ▝▀███▀▘

                                 Paused
                       breath 1 of 5 · 0:50 left
                           This breath begins
                         again when you go on.
                 space goes on  r begins again  n notes
                            ? keys  q leaves
                """)
    }

    @Test func `a small terminal shows words without pictures`() {
        #expect(
            frame(Sample.breathing(), at: 1.5, 24, 6) == """

                      Breathe in 3
                     Breath 1 of 5


                    ? keys  q leaves
                """)
    }

    @Test func `the wait room at 80 by 24`() {
        #expect(
            frame(Sample.walk(Sample.flow("waiting")), 80, 24) == """




                                                     ▗█████▖
                                                     ███████
                         ──────────────────────────────────────────────────────────────

                         The wait room

                         You have been here since 14:03. The provider is not
                         available yet; you will see it here at once when they are.

                         Your mood can be logged already. You may leave this
                         screen; `daybreak start` brings you back here.







                        m logs the mood   b breathes along   n notes   ? keys   q leaves

                """)
    }

    @Test func `the moods at 40 by 12, asking`() {
        var walk = Sample.walk(Sample.flow("mood"))
        for key in [Key.up, .enter] { _ = walk.take(.key(key)) }
        #expect(
            frame(walk, 40, 12) == """
                   How do you feel?

                   One word for now, out of
                   these. There is no right one.

                     calm
                     tired
                     hopeful
                   › 穏やか

                             Log “穏やか”?
                      enter yes  any other key no
                """)
    }

    @Test func `the session at 60 by 20`() {
        var walk = Sample.walk(Sample.flow("session"))
        _ = walk.take(.answered(.presence, .presence(Sample.provider), at: 0))
        #expect(
            frame(walk, 60, 20) == """

                                            ▄▄▄▄▄
                                           ▟█████▙
                                           ▜█████▛
                   ──────────────────────────────────────────────────────

                   The session

                   You have been with Dr. Amsel since 14:03.

                   Meet here: https://meet.example.org/amsel

                   When the meeting is over, leave the session;
                   then comes the mood, and the task is done.



                 o opens the link   l leaves the session   n notes   ? keys
                                          q closes

                """)
    }

    @Test func `the daemon's absence is a quiet line, and the circle stands still`() {
        var walk = Sample.breathing()
        _ = walk.take(.gone)
        #expect(frame(walk, at: 1, 64, 16) == frame(walk, at: 3, 64, 16))
        #expect(
            frame(walk, at: 1, 64, 16) == """



                                               ▄▄▄
                                              ▐███▌
                                               ▀▀▀



                                             Paused
                                   breath 1 of 5 · 0:50 left

                  Daybreak is away for a moment. Waiting for it to come back …

                                            q leaves

                """)
    }

    @Test func `every size has a picture, however small`() {
        let walks = [
            Sample.walk(), Sample.breathing(), Sample.walk(Sample.flow("mood")), Sample.walk(Sample.flow("session")),
        ]
        for palette in [Self.plain, Palette(depth: .sixteen, hasQuarters: false), Palette(depth: .full)] {
            for (columns, rows) in [(1, 1), (2, 3), (10, 40), (200, 5), (31, 11), (79, 16), (300, 100)] {
                for walk in walks {
                    let size = ScreenSize(columns: columns, rows: rows)
                    let canvas = Scene.draw(walk, at: 2, size: size, palette: palette)
                    #expect(canvas.cells.count == columns * rows)
                }
            }
        }
    }

    @Test(arguments: [2.0, 1.6, 2.4])
    func `the circle is round whatever the shape of the cells`(_ aspect: Double) {
        let size = ScreenSize(columns: 120, rows: 40, aspect: aspect)
        let canvas = Scene.draw(Sample.breathing(), at: 4, size: size, palette: Self.plain)
        let filled = (0..<33).map { row in (0..<120).filter { canvas[$0, row].text == "█" }.count }
        let height = filled.filter { $0 > 0 }.count
        let width = filled.max() ?? 0
        #expect(abs(Double(width) - Double(height) * aspect) <= aspect + 1)
    }

    @Test func `in full colour the sun is bright in the middle and soft at its edge, and the rest is dark`() {
        let size = ScreenSize(columns: 80, rows: 24)
        let canvas = Scene.draw(Sample.breathing(), at: 4, size: size, palette: Palette(depth: .full))
        #expect(canvas[0, 0] == Canvas.Cell(text: " ", paper: .full(16, 16, 36)))
        #expect(
            canvas[40, 8] == Canvas.Cell(text: "1", ink: .full(60, 28, 32), paper: .full(252, 224, 156), isBold: true))
        #expect(canvas[40, 12].text == "▀")
    }

    @Test func `few bytes are sent while the circle breathes`() {
        let size = ScreenSize(columns: 80, rows: 24)
        let walk = Sample.breathing()
        let one = Scene.draw(walk, at: 2, size: size, palette: Palette(depth: .full))
        let next = Scene.draw(walk, at: 2 + 1.0 / 30, size: size, palette: Palette(depth: .full))
        #expect(CanvasUpdate.bytes(from: one, to: next).utf8.count < 8000)
        #expect(CanvasUpdate.bytes(from: nil, to: next).utf8.count > 8000)
    }

    @Test(arguments: ["waiting", "session", "mood"])
    func `a question or an offer does not move the page above it`(stage: String) {
        let walk = Sample.walk(Sample.flow(stage))
        var (asked, told) = (walk, walk)
        asked.overlay = .question(.logMood("calm"))
        told.notice = "The note is kept."
        func page(_ walk: Walk) -> [Substring] {
            frame(walk, 80, 24).split(separator: "\n", omittingEmptySubsequences: false).prefix(19).map { $0 }
        }
        #expect(page(asked) == page(walk))
        #expect(page(told) == page(walk))
    }

    @Test func `a long note shows its end, and a sign for the hidden beginning`() {
        var walk = Sample.breathing()
        func line(_ note: String) -> String {
            walk.overlay = .draft(Walk.Draft(text: note))
            return String(frame(walk, 30, 12).split(separator: "\n").dropLast(2).last ?? "")
        }
        #expect(line("a dream, with a 夢 x") == " Note: a dream, with a 夢 x_")
        #expect(line("it was a dream, and 夢 x") == " Note: …as a dream, and 夢 x_")
    }
}
