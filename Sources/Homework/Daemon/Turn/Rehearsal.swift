import HomeworkRules
import Time

extension Daemon {
    /// Goes through the turn that the next day brings, as far as nobody notices: what it decides is not kept, shown or told.
    ///
    /// That turn comes once a day, to a program that has slept for hours and has perhaps never been there before. Gone
    /// through a moment earlier, code and pages are at hand when it counts. It is gone through before every other time
    /// on the wall as well, a reminder's say: what such a turn needs is part of what this one does.
    func rehearse() {
        guard problem == nil, history != nil else { return }
        let now = host.now()
        let first = Moment(
            instant: now.dayEnds, wall: WallTime(day: now.day.next, minute: configuration.dayStartsAt), zone: now.zone,
            steady: now.steady, dayEnds: now.dayEnds + .seconds(86_400))
        var draft = Draft(plan: plan, moment: first, user: user)
        draft.begin(with: .lookAtClock, by: rules)
        _ = rules.outlook(draft.plan, at: first)
    }
}
