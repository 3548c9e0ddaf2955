import Homework
import TestSupport

/// One thing that happens to the world. It means the same whatever happened before, so that steps can be left out.
enum Step {
    /// Time passes, and then somebody asks for this.
    case ask(Command, after: Duration)
    case snooze(for: Duration)
    /// Time passes; the daemon sleeps through it.
    case sleep(Duration)
    /// Time passes until the very instant at which the daemon wants to be woken.
    case untilWake
    /// The clock is wrong by so much from now on; zero sets it right.
    case clockIsWrong(by: Duration)
    /// The wall is so far ahead of UTC from now on.
    case travel(hours: Int)
    /// The daemon starts anew, from what was recorded; `nil` where the machine did not.
    case restart(steady: SteadyInstant?, after: Duration)
    case configure(Settings)
}

/// Chooses steps. What people do together comes in runs, so that flows get somewhere.
struct Chance {
    private var random: SplitMix64
    private var coming: [Step] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func steps(_ count: Int) -> [Step] { (0..<count).map { _ in next() } }

    private mutating func next() -> Step {
        if coming.isEmpty { coming = run().reversed() }
        return coming.removeLast()
    }

    private mutating func run() -> [Step] {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: [.ask(.lookAtClock, after: someTime())]
        case 12..<30: [.untilWake]
        case 30..<36: [.sleep(.seconds(Int.random(in: 0..<20 * 86_400, using: &random)))]
        case 36..<41: [.clockIsWrong(by: error())]
        case 41..<45: [.clockIsWrong(by: .zero)]
        case 45..<49: [.travel(hours: Int.random(in: -12...14, using: &random))]
        case 49..<53: [.restart(steady: reboot(), after: someTime())]
        case 53..<56: [.configure(settings())]
        case 56..<60: [.snooze(for: someTime())]
        case 60..<62: [.ask(wordsAndCorrections(), after: someTime())]
        case 62..<66: [.ask(.takeSchedule(schedule(), file: file()), after: someTime())]
        case 66..<82: walkThrough()
        default: [.ask(command(), after: someTime())]
        }
    }

    /// Somebody does some of a flow.
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
        let slowness = random.pick([2_000, 10_000, 40_000])
        let steps = way.prefix(whole).map { command in
            Step.ask(command, after: .milliseconds(Int.random(in: 0..<slowness, using: &random)))
        }
        let restart = Step.restart(steady: reboot(), after: .milliseconds(slowness))
        return random.once(in: 4) ? steps + [restart] : steps
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
        let most = random.pick([1, 60, 3_600, 12 * 3_600, 3 * 86_400])
        return .milliseconds(Int.random(in: 0..<most * 1_000, using: &random))
    }

    private mutating func error() -> Duration {
        let day = 86_400
        let errors = [-day * 365 * 57, -3 * day, -day, -3_600, 300, 3_600, day, 3 * day, 6 * day, 365 * day * 71]
        return .seconds(random.pick(errors))
    }

    private mutating func reboot() -> SteadyInstant? {
        random.once(in: 2) ? nil : SteadyInstant(microseconds: random.pick([1, 5_000_000, 1_000_000_000_000]))
    }

    private mutating func settings() -> Settings {
        Settings(
            graceDays: random.pick([0, 1, 2, 7]),
            reminderMinutes: random.pick([[], [540], [540, 1_080], [0, 1, 1_439]]))
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

    private mutating func id() -> AssignmentID { random.pick(["a", "b", "c", "2027-03-05", "2027-03-08.2"]) }

    private mutating func day() -> CalendarDay { "2027-03-01" + Int.random(in: 0..<World.days, using: &random) }

    private mutating func instant() -> Instant {
        VirtualClock.instant(day(), "00:00") + .seconds(Int.random(in: 0..<86_400, using: &random))
    }

    private mutating func file() -> Fingerprint? {
        random.pick([nil, Fingerprint("one"), Fingerprint("two")])
    }
}
