import Foundation
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// The pattern of `--pattern`, else of the schedule, else of the settings; with the real programs.
@Suite struct PatternTests {
    private typealias Run = ProgramTests.Run

    private static let settings = """
        [breathing]
        pattern = "coherent"

        [patterns]
        evening = "4.5-0-5.5-1"

        """

    /// The output of `daybreak start` without any input.
    private static func start(_ options: String..., scheduled: String? = nil) throws -> Run {
        let pattern = scheduled.map { #", "pattern": "\#($0)""# } ?? ""
        let daemon = try RealDaemon(
            settings: settings, schedule: #"[{"breaths": 5, "moods": "calm, tired", "due": "TODAY"\#(pattern)}]"#)
        return try ProgramTests.run(
            ["start", "--plain"] + options, socket: daemon.path, environment: daemon.surroundings)
    }

    private static func instructions(_ lengths: String) -> Run {
        Run(
            output: """

                Today's task
                5 breaths, slowly: \(lengths). The words say when to breathe in and out.
                Then you wait for the provider, meet them, and choose one word for how you feel.
                Sit comfortably and let your shoulders drop. You can pause, or leave and come back, at any time.
                [Enter begins · ? keys · q leaves]

                Nothing was begun. `daybreak start` comes back here.

                """)
    }

    @Test(arguments: [
        ("calm", "4 seconds in, 6 out"), ("box", "4 seconds in, 4 held, 4 out, 4 at rest"),
        ("4-7-8", "4 seconds in, 7 held, 8 out"), ("coherent", "5 seconds in, 5 out"),
        ("evening", "4.5 seconds in, 5.5 out, 1 at rest"), ("3-1-5.5-0", "3 seconds in, 1 held, 5.5 out"),
    ])
    func `a pattern is given by its name or in seconds`(pattern: String, lengths: String) throws {
        #expect(try Self.start("--pattern", pattern) == Self.instructions(lengths))
        #expect(try Self.start(scheduled: pattern) == Self.instructions(lengths))
    }

    @Test func `the option's pattern comes before the schedule's, and that before the settings'`() throws {
        #expect(try Self.start() == Self.instructions("5 seconds in, 5 out"))
        #expect(
            try Self.start("--pattern", "calm", scheduled: "box") == Self.instructions("4 seconds in, 6 out"))
    }

    @Test func `without the countdown no seconds are shown`() throws {
        let run = try Self.start("--no-countdown")
        #expect(
            run.output.split(separator: "\n")[1]
                == "5 breaths, slowly. The words say when to breathe in and out.")
    }

    private static let unknown =
        "There is no pattern of that name; there are 4-7-8, box, calm, coherent, evening, and seconds such as 4-0-6-0."
    private static let bounds =
        "A pattern takes 2 to 60 seconds in all: less is panting, and no breath takes longer."

    @Test(arguments: [
        ("bxo", unknown), ("", unknown), ("0.5-0-1-0", bounds), ("30-0-30-1", bounds),
        ("0-4-6-0", "A pattern needs seconds to inhale and seconds to exhale."),
        (
            "4-7",
            "A pattern is the seconds of inhale, hold, exhale and hold, such as 4-0-6-0: one or two digits each, and at "
                + "most one more after a point."
        ),
    ])
    func `an unknown pattern is refused with the reason`(pattern: String, reason: String) throws {
        #expect(try Self.start("--pattern", pattern) == Run(error: reason + "\n", status: 1))
    }
}
