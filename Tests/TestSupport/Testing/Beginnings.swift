import HomeworkRules
import TestSupport
import Testing
import Time

/// The scenarios with which many tests begin. The sample is due on 2027-03-05, has five breaths of ten seconds, and is
/// begun at 08:00.
extension Scenario {
    /// 2027-03-05, 00:00: the day has begun, and the eligible assignment is unlocked. Without arguments, it is the sample.
    public static func opened(_ assignments: Assignment..., by settings: Settings = Settings()) -> Self {
        let all = assignments.isEmpty ? [.sample()] : assignments
        return given(all.map { .assigned($0) } + [.dayBegan("2027-03-05")], by: settings).having(.lookAtClock)
    }

    /// 08:00: the client has started the eligible assignment, and the provider is offline.
    public static func begun(_ assignments: Assignment..., by settings: Settings = Settings()) -> Self {
        let all = assignments.isEmpty ? [.sample()] : assignments
        return given(all.map { .assigned($0) } + [.dayBegan("2027-03-05")], by: settings).having(
            .start(nil), at: "08:00")
    }

    /// 08:00: a guide leads the client, and the first breath begins.
    public static var guided: Self { begun().having(.breathe) }

    /// 08:00:50: five breaths later, in the wait room.
    public static var waiting: Self { guided.having(.lookAtClock, after: .seconds(50)) }

    /// 08:00:50: in the session, with the provider online until 09:00:50.
    public static var inSession: Self { waiting.having(.online()).having(.join) }

    /// 08:10: the session is over, and no mood is logged.
    public static var atTheMood: Self { inSession.having(.leave, at: "08:10") }

    /// 08:10: completed, with the mood calm.
    public static var completed: Self { atTheMood.having(.logMood("calm")) }
}
