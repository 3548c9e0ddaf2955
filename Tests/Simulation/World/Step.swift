import HomeworkRules
import TestSupport
import Time

/// One step in the world. It does not depend on earlier steps, so that steps can be left out.
enum Step {
    /// Time passes with the machine on; then a command is sent.
    case ask(Command, after: Duration)
    case snooze(for: Duration)
    /// Time passes with the machine on, without a command.
    case live(Duration)
    /// The machine is suspended. Its steady clock stands still.
    case suspend(Duration)
    /// The power fails. After this time the machine boots, and its steady clock begins anew.
    case powerCut(Duration)
    /// The daemon is killed, and started again after this time.
    case kill(down: Duration)
    /// The daemon is killed at its next reminder: before it is sent, or right after.
    case killAtReminder(KillPoint)
    /// The daemon ends in order, and is started again.
    case stop
    /// The clock is wrong by this much from now on; zero sets it right.
    case clockIsWrong(by: Duration)
    /// The clock gains this many microseconds a second from now on.
    case drift(Int)
    /// The wall is in that zone from now on.
    case travel(to: String)
    /// The wall is this far ahead of UTC from now on.
    case sail(minutes: Int)
    /// The zone's rule is changed once: after so many days, when the wall shows that hour, it is moved by so many minutes.
    case zoneRule(days: Int, hour: Int, minutes: Int)
    case configure(Settings)

    enum KillPoint { case beforeSending, afterSending }
}

/// Chooses steps. Steps that belong together come in runs, so that flows make progress.
struct StepGenerator {
    private var random: SplitMix64
    private var coming: [Step] = []
    /// About how much time has passed. Schedules are made for the days around it.
    private var passed = Duration.zero

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// The steps of about so many days.
    mutating func steps(days: Int) -> [Step] {
        var steps: [Step] = []
        while passed < .seconds(days * 86_400) {
            for step in run() {
                passed += step.length
                steps.append(step)
            }
        }
        return steps
    }

    private mutating func run() -> [Step] {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<42: [.live(.seconds(Int.random(in: 600..<144_000, using: &random)))]
        case 42..<45: [.suspend(nap())]
        case 45..<47: [.powerCut(nap())]
        case 47..<49: [.kill(down: someTime())]
        case 49..<50: [.stop]
        case 50..<53: [.killAtReminder(random.once(in: 2) ? .beforeSending : .afterSending)]
        case 53..<54: random.once(in: 4) ? wrongBoot() : [.clockIsWrong(by: error())]
        case 54..<57: [.clockIsWrong(by: .zero)]
        case 57..<58: [.drift(random.pick([-500, -20, 0, 20, 500]))]
        case 58..<60: [journey()]
        case 60..<63: [.configure(settings())]
        case 63..<65: [.snooze(for: someTime())]
        case 65..<67: [.ask(wordsAndCorrections(), after: someTime())]
        case 67..<72: [.ask(.takeSchedule(schedule(), file: file()), after: someTime())]
        case 72..<88: walkThrough()
        default: [.ask(command(), after: someTime())]
        }
    }

    /// A client does a part of a flow.
    private mutating func walkThrough() -> [Step] {
        let ways: [[Command]] = [
            [.online(.seconds(3_600)), .start(nil), .leave, .logMood("calm")],
            [.start(nil), .breathe, .lookAtClock, .lookAtClock, .online(), .join, .leave, .logMood("calm")],
            [.start(nil), .breathe, .pause, .resume, .lookAtClock, .logMood("tired"), .online(), .join, .leave],
            [.start(nil), .breathe, .lookAtClock, .lookAtClock, .logMood("calm"), .logMood("calm"), .cancel],
            [.start(nil), .breathe, .restart, .guideLost, .breathe, .lookAtClock, .cancel],
            [
                .offline, .start(nil), .join, .resume, .breathe, .lookAtClock, .lookAtClock, .logMood("none of them"),
                .cancel,
            ],
        ]
        let way = random.pick(ways)
        let whole = random.once(in: 2) ? way.count : Int.random(in: 1...way.count, using: &random)
        let slowness = random.pick([2_000, 10_000, 40_000, 3_600_000])
        let steps = way.prefix(whole).map { command in
            Step.ask(command, after: .milliseconds(Int.random(in: 0..<slowness, using: &random)))
        }
        return random.once(in: 6) ? steps + [.kill(down: .milliseconds(slowness))] : steps
    }

    private mutating func command() -> Command {
        let all: [Command] = [
            .start(nil), .start(id()), .start(AssignmentID(due: day(), ordinal: 1)), .breathe, .guideLost, .pause,
            .resume, .restart, .join, .leave, .logMood("calm"),
            .logMood("none of them"), .cancel, .offline, .online(.seconds(Int.random(in: 0..<7_200, using: &random))),
            .snooze(until: instant()), .refuseSchedule(file: file()), .takeSchedule(.of([]), file: nil),
        ]
        return random.pick(all)
    }

    private mutating func wordsAndCorrections() -> Command {
        let place: NotePlace = random.pick([.here, .nextSession, .assignment(id())])
        let corrected: Mood = random.pick(["calm", "Tired", "glad"])
        let of = random.pick([nil, id()])
        return random.pick([.addNote(Note(recorded: "A word"), place), .correctMood(corrected, of: of), .endSnooze])
    }

    private mutating func someTime() -> Duration {
        let most = random.pick([1, 60, 3_600, 12 * 3_600])
        return .milliseconds(Int.random(in: 0..<most * 1_000, using: &random))
    }

    private mutating func nap() -> Duration {
        .seconds(Int.random(in: 0..<random.pick([3_600, 50_000, 200_000, 30 * 86_400]), using: &random))
    }

    private mutating func error() -> Duration {
        let day = 86_400
        let errors = [-day * 365 * 57, -3 * day, -day, -3_600, 300, 3_600, day, 3 * day, 6 * day, 365 * day * 71]
        return .seconds(random.pick(errors))
    }

    /// The machine boots with a wrong clock, and the clock is set right an hour later.
    private mutating func wrongBoot() -> [Step] {
        let years = random.pick([-57, 71])
        return [
            .clockIsWrong(by: .seconds(86_400 * 365 * years)), .powerCut(.seconds(60)), .live(.seconds(3_600)),
            .clockIsWrong(by: .zero), .live(.seconds(3_600)),
        ]
    }

    private mutating func journey() -> Step {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .sail(minutes: random.pick([-720, -480, -210, 0, 60, 345, 540, 840]))
        case 1: .zoneRule(days: Int.random(in: 1..<9, using: &random), hour: 0, minutes: 1_440)
        case 2:
            .zoneRule(
                days: Int.random(in: 1..<9, using: &random), hour: Int.random(in: 0..<5, using: &random),
                minutes: random.pick([-60, -30, 30, 60]))
        case 3..<6: .travel(to: random.pick(Zones.strange))
        default: .travel(to: random.pick(Zones.names))
        }
    }

    private mutating func settings() -> Settings {
        let startsAt = random.pick([0, 0, 0, 240, 90, 150, 30])
        let clocks = random.pick([
            [], [540], [540, 1_080], [0, 1, 1_439], [60, 480, 720, 1_350], [390, 600, 601, 1_320],
        ])
        return Settings(
            graceDays: random.pick([0, 1, 2, 7]),
            reminderMinutes: clocks.map { $0 < startsAt ? $0 + 1_440 : $0 }, dayStartsAt: startsAt,
            reminderDays: random.pick([Set(Weekday.allCases), [.monday, .thursday], [.saturday]]),
            quietHours: random.pick([
                nil, nil, QuietHours(from: 1_320, to: 420), QuietHours(from: 0, to: 480),
                QuietHours(from: 720, to: 780), QuietHours(from: 540, to: 539),
            ]),
            remindersADay: random.pick([24, 24, 24, 3, 1, 0]),
            lateWithin: .seconds(random.pick([10_800, 60, 86_400])))
    }

    private mutating func schedule() -> Schedule {
        var ids: Set<AssignmentID> = []
        let count = Int.random(in: 0..<14, using: &random)
        let entries = (0..<count).map { _ in
            let id: AssignmentID? = random.once(in: 3) ? self.id() : nil
            return Schedule.Entry.sample(
                id.flatMap { ids.insert($0).inserted ? $0 : nil }, due: day(), breaths: random.pick([1, 2, 3]))
        }
        return .of(entries)
    }

    private mutating func id() -> AssignmentID { random.pick(["a", "b", "c", "snoozed-1", "2027-03-08.2"]) }

    private mutating func day() -> CalendarDay {
        World.beginning + Int(passed.microseconds / 86_400_000_000) + Int.random(in: -8..<22, using: &random)
    }

    private mutating func instant() -> Instant {
        VirtualClock.instant(day(), "00:00") + .seconds(Int.random(in: 0..<86_400, using: &random))
    }

    private mutating func file() -> Fingerprint? {
        random.pick([nil, Fingerprint("one"), Fingerprint("two")])
    }
}

extension Step {
    /// How long the step takes.
    var length: Duration {
        switch self {
        case .ask(_, let length), .live(let length), .suspend(let length), .powerCut(let length), .kill(let length):
            length
        case .snooze, .killAtReminder, .stop, .clockIsWrong, .drift, .travel, .sail, .zoneRule, .configure:
            .zero
        }
    }

    var isPassing: Bool { if case .live = self { true } else { false } }
}
