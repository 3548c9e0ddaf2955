import DaybreakInterfaces
import HomeworkRules
import Systemd
import Time

/// What the daemon asks of the machine, one closure for each thing. Made real by `Service`; tests hand in their own.
struct Host {
    /// What time it is.
    var now: () -> Moment
    /// How the wall's time is spelled, in the zone that holds now.
    var spelling: () -> Spelling
    /// Wake at the first of these to come. The one before is forgotten.
    var wake: (_ wall: Instant?, _ steady: SteadyInstant?) -> Void
    /// Puts the status where others read it; false where that could not be done.
    var publish: (Homework.Status) -> Bool
    /// Gives a reminder that is recorded already.
    var remind: (Reminder, Moment) -> Void
    /// Which of these reminders were given before, by a daemon that ended without notice; nil where nobody can know.
    var givenBefore: ([String]) -> Set<String>?
    /// Says one line about the daemon itself.
    var say: (Severity, String) -> Void

    init(
        now: @escaping () -> Moment, spelling: @escaping () -> Spelling,
        wake: @escaping (Instant?, SteadyInstant?) -> Void, publish: @escaping (Homework.Status) -> Bool,
        remind: @escaping (Reminder, Moment) -> Void,
        givenBefore: @escaping ([String]) -> Set<String>? = { _ in nil }, say: @escaping (Severity, String) -> Void
    ) {
        self.now = now
        self.spelling = spelling
        self.wake = wake
        self.publish = publish
        self.remind = remind
        self.givenBefore = givenBefore
        self.say = say
    }
}
