import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `The provider's presence` {
    static func told(_ since: String, _ until: String, online: Bool = true, name: String? = nil) -> Happening {
        .presenceTold(
            Presence(
                online: online, name: name, since: VirtualClock.instant("2027-03-05", since),
                until: VirtualClock.instant("2027-03-05", until)))
    }

    static func available(_ number: Int) -> Happening {
        .reminds("2027-03-05/providerAvailable/\(number)", .sample())
    }

    @Test func `is told with a name, and holds until it lapses`() {
        Scenario.completed
            .when(
                .setPresence(online: true, name: "Dr. Ada", lasts: .seconds(60)), at: "09:00",
                then: [Self.told("09:00", "09:01", name: "Dr. Ada")]
            )
            .then { #expect($0.outlook.isProviderOnline) }
            .when(.lookAtClock, at: "09:00:59", then: [])
            .then { #expect($0.outlook.isProviderOnline) }
            .when(.lookAtClock, at: "09:01", then: [])
            .then { #expect(!$0.outlook.isProviderOnline) }
    }

    @Test func `is good for a day at the most`() {
        Scenario.completed.when(
            .online(.seconds(1_000_000_000_000_000)), at: "09:00",
            then: [Self.told("09:00", "33:00")])
    }

    @Test(arguments: [0, -1, -1_000_000_000_000_000_000])
    func `for no time at all is none, and reminds of nothing`(seconds: Int) {
        Scenario.opened()
            .when(.online(.seconds(seconds)), at: "08:00", then: [Self.told("08:00", "08:00")])
            .then { #expect(!$0.outlook.isProviderOnline) }
    }

    @Test func `is worth nothing before it was told`() {
        Scenario.opened().having(.online(), at: "08:00")
            .having(.lookAtClock, at: "07:59:59")
            .then { #expect(!$0.outlook.isProviderOnline) }
    }

    @Test func `reminds when it comes, not when it is renewed, and again after it lapsed`() {
        Scenario.opened()
            .when(.online(.seconds(60)), at: "08:00", then: [Self.told("08:00", "08:01"), Self.available(1)])
            .when(.online(.seconds(60)), at: "08:00:30", then: [Self.told("08:00:30", "08:01:30")])
            .when(.online(.seconds(60)), at: "08:01:30", then: [Self.told("08:01:30", "08:02:30"), Self.available(2)])
            .when(.offline, at: "08:02", then: [Self.told("08:02", "08:02", online: false)])
            .when(.online(.seconds(60)), at: "08:02", then: [Self.told("08:02", "08:03"), Self.available(3)])
    }

    @Test func `matters to who has something open, breathes or waits`() {
        for scenario in [Scenario.opened(), .begun(), .guided, .waiting] {
            scenario.when(
                .online(.seconds(60)), at: "08:00:50",
                then: breathed(scenario) + [
                    Self.told("08:00:50", "08:01:50"), Self.available(1),
                ])
        }
    }

    private func breathed(_ scenario: Scenario) -> [Happening] {
        guard scenario.plan.flow?.exercise.run != nil else { return [] }
        return [.breathed("1", breaths: 5), .exerciseFinished("1")]
    }

    @Test func `does not matter in the session, after it, and when nothing is open`() {
        let lapsed = Scenario.inSession.having(.offline)
        for scenario in [lapsed, .atTheMood.having(.offline), .completed.having(.offline)] {
            scenario.when(.online(.seconds(60)), at: "08:20", then: [Self.told("08:20", "08:21")])
        }
    }

    @Test func `counts its reminders anew every day`() {
        Scenario.opened().having(.online(.seconds(60)), at: "08:00")
            .having(.lookAtClock, on: "2027-03-06", at: "08:00")
            .when(
                .online(.seconds(60)),
                then: [
                    Self.told("32:00", "32:01"), .reminds("2027-03-06/providerAvailable/1", .sample()),
                ])
    }
}
