import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

/// Where a look at the clock would find something, nobody may say that it finds nothing.
@Suite struct `All is still` {
    /// What a look finds once the clocks have changed in that way; nil where it need not be made.
    private func found(_ scenario: Scenario, _ change: (inout VirtualClock) -> Void) throws -> [Happening]? {
        let before = scenario.having(.lookAtClock)
        let now = before.clock(change)
        let isStill = now.plan.isStill(since: before.clock.moment, at: now.clock.moment)
        return isStill ? nil : try now.decide(.lookAtClock).map(\.what)
    }

    @Test func `through a minute on the wall in which nothing ends`() throws {
        let opened = Scenario.opened().having(.lookAtClock, at: "08:59")
        #expect(try found(opened) { $0.advance(by: .seconds(59)) } == nil)
        let paused = opened.having(.start(nil)).having(.breathe).having(.pause)
        #expect(try found(paused) { $0.advance(by: .seconds(59)) } == nil)
    }

    @Test func `until the next minute brings a reminder`() throws {
        let opened = Scenario.opened().having(.lookAtClock, at: "08:59")
        #expect(
            try found(opened) { $0.advance(by: .seconds(60)) } == [.reminds("2027-03-05/stillOpen/09:00", .sample())])
    }

    @Test func `until a snooze ends, also within a minute`() throws {
        let snoozed = Scenario.opened().having(`A snooze`.until("08:00:10"), at: "08:00")
        #expect(try found(snoozed) { $0.advance(by: .seconds(9)) } == nil)
        #expect(
            try found(snoozed) { $0.advance(by: .seconds(10)) } == [
                .snoozeEnded, .reminds("2027-03-05/stillOpen/snoozed-1", .sample()),
            ])
    }

    @Test func `unless somebody is breathing`() throws {
        let breathing = Scenario.opened().having(.start(nil), at: "08:00").having(.breathe)
        #expect(try found(breathing) { $0.advance(by: .seconds(10)) } == [.breathed("1", breaths: 1)])
    }

    @Test func `unless the clock was set back to before a day began, whatever the wall shows`() throws {
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
