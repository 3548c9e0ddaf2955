import HomeworkRules
import TestSupport
import Time

/// One event of every kind, with everything that such an event can have.
enum OneOfEach {
    static let events = happenings.enumerated().map { event($1, number: $0 + 1) }

    static func event(_ what: Happening, number: Int = 1) -> Event {
        let steps = Int64(number) * 1_000_001
        return Event(
            moment: Moment(
                instant: Instant(microseconds: 1_804_233_600_000_000 + steps),
                wall: WallTime(day: "2027-03-05", minute: 480 + number % 900),
                zone: number % 2 == 0 ? "Europe/Berlin" : "America/Argentina/Buenos_Aires",
                steady: SteadyInstant(microseconds: 77 + steps), dayEnds: Instant(microseconds: 1_804_287_600_000_000)),
            actor: Actor(user: 1_000, isDaemon: number % 2 == 0), client: 4_294_967_294, what: what)
    }

    static let happenings: [Happening] =
        [
            .dayBegan("2027-03-05"), .dayTakenBack(to: "2027-03-04"),
            .assigned(.sample()),
            .revised(
                .sample(breaths: 7, moods: ["a \"quoted\" \\ mood", "zażółć 🌅", "tab\tand\nline"], pattern: .box)),
            .moved("1", position: 3), .withdrawn("2"),
            .scheduleTaken(
                ScheduleChange(added: 1, changed: 2, withdrawn: 3, unchanged: 4, kept: 5), file: Fingerprint("f")),
            .scheduleTaken(ScheduleChange(), file: nil),
            .scheduleTaken(ScheduleChange(), file: nil, revision: 7),
            .scheduleRefused(file: Fingerprint("")), .scheduleRefused(file: nil),
            .unlocked("1"), .unlocked("12"), .unlocked("1"), .started("1", pattern), .breathingBegan("1"),
            .breathingPaused("1"), .guideLeft("1"),
            .breathed("1", breaths: 3), .exerciseRestarted("1"), .exerciseFinished("1"), .joined("1"), .left("1"),
            .moodLogged("1", "zażółć 🌅"), .moodCorrected("1", "tired"),
            .noteWritten("1", Note(recorded: "A \"note\"\nof two lines 🌅")),
            .noteWritten(nil, Note(recorded: "For the session")), .erased("1"), .erased(nil), .talkingPointsErased,
            .completed("1", on: "2027-03-06"),
            .cancelled("a.very-long_identifier.of.forty"),
            .setAside("1"),
            .presenceTold(Presence(online: true, name: "Dr. Ada", since: instant(1), until: instant(2))),
            .presenceTold(Presence(online: false, name: nil, since: instant(-1), until: endOfDays)),
            .snoozed(until: instant(3)), .snoozeEnded,
            .reminded(Reminder(id: "2027-03-05/unlocked/1", kind: .unlocked, assignment: "1", due: "2027-03-05")),
            .reminded(Reminder(id: "2027-03-05/missed/1", kind: .missed, assignment: "1", due: "9999-12-31", count: 4)),
            .held(Reminder(id: "2027-03-05/missed/1", kind: .missed, assignment: "1", due: "2027-03-05", count: 2)),
            .reminderSent("2027-03-05/unlocked/1"),
            .held(Reminder(id: "2027-03-05/scheduleTaken/1", kind: .scheduleTaken, count: 4)),
            .linked(practice: "practice@clinic.example", device: "0123456789abcdef"),
            .sharesChanged([.moods, .waiting], isPracticeTold: true), .sharesChanged([], isPracticeTold: false),
            .missed("1"), .reported(through: 40, of: "0123456789abcdef"), .deviceRenewed("fedcba9876543210"),
            .newsHeard(
                NewsCounts(unreadMail: 5, urgentMail: 4, unreadChat: 3, surveysDue: 2, broadcasts: 1)),
            .unlinked, .completedElsewhere("1", on: "2027-03-04"),
        ] + Reminder.Kind.allCases.map { .reminded(Reminder(id: "2027-03-05/\($0)/1", kind: $0)) }

    private static var pattern: BreathPattern {
        do { return try BreathPattern("4.5-1-6-0.5") } catch { preconditionFailure("\(error)") }
    }

    private static let endOfDays = instant(253_402_300_800_000_000)

    private static func instant(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }

    /// The name of its kind on disk, spelled a second time. A new kind does not compile without a name here, and a changed
    /// name is found.
    static func name(of what: Happening) -> String {
        switch what {
        case .dayBegan: "dayBegan"
        case .dayTakenBack: "dayTakenBack"
        case .assigned: "assigned"
        case .revised: "revised"
        case .moved: "moved"
        case .withdrawn: "withdrawn"
        case .scheduleTaken: "scheduleTaken"
        case .scheduleRefused: "scheduleRefused"
        case .unlocked: "unlocked"
        case .started: "started"
        case .breathingBegan: "breathingBegan"
        case .breathingPaused: "breathingPaused"
        case .guideLeft: "guideLeft"
        case .breathed: "breathed"
        case .exerciseRestarted: "exerciseRestarted"
        case .exerciseFinished: "exerciseFinished"
        case .joined: "joined"
        case .left: "left"
        case .moodLogged: "moodLogged"
        case .moodCorrected: "moodCorrected"
        case .erased: "erased"
        case .talkingPointsErased: "talkingPointsErased"
        case .noteWritten: "noteWritten"
        case .completed: "completed"
        case .cancelled: "cancelled"
        case .setAside: "setAside"
        case .presenceTold: "presenceTold"
        case .snoozed: "snoozed"
        case .snoozeEnded: "snoozeEnded"
        case .reminded: "reminded"
        case .held: "held"
        case .reminderSent: "reminderSent"
        case .missed: "missed"
        case .linked: "linked"
        case .sharesChanged: "sharesChanged"
        case .reported: "reported"
        case .deviceRenewed: "deviceRenewed"
        case .newsHeard: "newsHeard"
        case .unlinked: "unlinked"
        case .completedElsewhere: "completedElsewhere"
        }
    }
}
