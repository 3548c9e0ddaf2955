import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

/// A look at the clock is skipped only if it would find nothing.
@Suite struct `A look at the clock` {
    /// The events of a look at the clock after the change; nil if the look is skipped.
    private func found(_ scenario: Scenario, _ change: (inout VirtualClock) -> Void) throws -> [Happening]? {
        let before = scenario.having(.lookAtClock)
        let now = before.clock(change)
        let isStill = now.plan.isStill(since: before.clock.moment, at: now.clock.moment)
        return isStill ? nil : try now.decide(.lookAtClock).map(\.what)
    }

    @Test func `is skipped within a minute on the wall in which nothing ends`() throws {
        let opened = Scenario.opened().having(.lookAtClock, at: "08:59")
        #expect(try found(opened) { $0.advance(by: .seconds(59)) } == nil)
        let paused = opened.having(.start(nil)).having(.breathe).having(.pause)
        #expect(try found(paused) { $0.advance(by: .seconds(59)) } == nil)
    }

    @Test func `is made in the next minute, in which a reminder may come`() throws {
        let opened = Scenario.opened().having(.lookAtClock, at: "08:59")
        #expect(
            try found(opened) { $0.advance(by: .seconds(60)) } == [.reminds("2027-03-05/stillOpen/09:00", .sample())])
    }

    @Test func `is made when a snooze ends, also within a minute`() throws {
        let snoozed = Scenario.opened().having(`A snooze`.until("08:00:10"), at: "08:00")
        #expect(try found(snoozed) { $0.advance(by: .seconds(9)) } == nil)
        #expect(
            try found(snoozed) { $0.advance(by: .seconds(10)) } == [
                .snoozeEnded, .reminds("2027-03-05/stillOpen/snoozed-1", .sample()),
            ])
    }

    @Test func `is made while the client is breathing`() throws {
        let breathing = Scenario.opened().having(.start(nil), at: "08:00").having(.breathe)
        #expect(try found(breathing) { $0.advance(by: .seconds(10)) } == [.breathed("1", breaths: 1)])
    }

    @Test func `is made when the clock was set back before the day began, even if the wall shows the same minute`()
        throws
    {
        let away = Scenario.opened().clock {
            $0.offset = .seconds(-3 * 86_400)
            $0.advance(by: .seconds(60))
        }
        let setBack = try found(away) {
            $0.instant = $0.instant + .seconds(-120)
            $0.offset = $0.offset + .seconds(120)
        }
        #expect(setBack == [.dayTakenBack(to: "2027-03-02")])
    }
}
