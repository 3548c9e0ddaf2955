import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `The current reminders` {
    private func kinds(_ scenario: Scenario) -> [Reminder.Kind] {
        scenario.rules.outlook(scenario.plan, at: scenario.clock.moment).currentReminders(of: scenario.plan)
            .map(\.reminder.kind)
    }

    @Test func `are the newest one about the open task, and the newest one about the provider`() {
        #expect(kinds(.opened()) == [.unlocked])
        let later = Scenario.opened().having(.lookAtClock, at: "09:00")
        #expect(kinds(later) == [.stillOpen])
        #expect(kinds(later.having(.online())) == [.stillOpen, .providerAvailable])
    }

    @Test func `leave out a task that was begun, snoozed or withdrawn, and a provider who went offline`() {
        #expect(kinds(Scenario.opened().having(`A snooze`.until("10:30"), at: "08:00")) == [])
        #expect(kinds(.begun()) == [])
        #expect(kinds(Scenario.opened().having(.online(), at: "08:00").having(.offline)) == [.unlocked])
        #expect(kinds(Scenario.opened().having(.take(), at: "08:00")) == [])
    }

    @Test func `of a begun task are given while the client is away from it`() {
        let left = Scenario.begun().having(.lookAtClock, at: "09:00")
        #expect(kinds(left) == [.stillOpen])
        #expect(kinds(left.having(.breathe)) == [])
        #expect(kinds(.completed) == [])
    }

    @Test func `of a missed task end with the day, and of a refused schedule with a valid one`() {
        let missed = Scenario.opened().having(.lookAtClock, on: "2027-03-13")
        #expect(kinds(missed) == [.missed])
        #expect(kinds(missed.having(.lookAtClock, on: "2027-03-14")) == [])
        let refused = Scenario.completed.having(.refuseSchedule(file: nil))
        #expect(kinds(refused) == [.scheduleRefused])
        #expect(kinds(refused.having(.take(.sample(due: "2027-03-09")))) == [])
    }

    @Test func `of an open task are still current after midnight`() {
        let next = Scenario.opened().having(.lookAtClock, on: "2027-03-06", at: "00:00")
        #expect(kinds(next).last.map { $0 == .unlocked || $0 == .overdue } == true)
    }
}
