import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `The provider's presence` {
    static func presence(_ since: String, _ until: String, online: Bool = true, name: String? = nil) -> Happening {
        .presenceTold(
            Presence(
                online: online, name: name, since: VirtualClock.instant("2027-03-05", since),
                until: VirtualClock.instant("2027-03-05", until)))
    }

    static func available(_ number: Int) -> Happening {
        .reminds("2027-03-05/providerAvailable/\(number)", .sample())
    }

    @Test func `has a name, and lasts until it ends`() {
        Scenario.completed
            .when(
                .setPresence(online: true, name: "Dr. Ada", lasts: .seconds(60)), at: "09:00",
                then: [Self.presence("09:00", "09:01", name: "Dr. Ada")]
            )
            .then { #expect($0.outlook.isProviderOnline) }
            .when(.lookAtClock, at: "09:00:59", then: [])
            .then { #expect($0.outlook.isProviderOnline) }
            .when(.lookAtClock, at: "09:01", then: [])
            .then { #expect(!$0.outlook.isProviderOnline) }
    }

    @Test func `lasts a day at most`() {
        Scenario.completed.when(
            .online(.seconds(1_000_000_000_000_000)), at: "09:00",
            then: [Self.presence("09:00", "33:00")])
    }

    @Test(arguments: [0, -1, -1_000_000_000_000_000_000])
    func `that lasts no time does not begin, and gives no reminder`(seconds: Int) {
        Scenario.opened()
            .when(.online(.seconds(seconds)), at: "08:00", then: [Self.presence("08:00", "08:00")])
            .then { #expect(!$0.outlook.isProviderOnline) }
    }

    @Test func `does not hold before it was reported`() {
        Scenario.opened().having(.online(), at: "08:00")
            .having(.lookAtClock, at: "07:59:59")
            .then { #expect(!$0.outlook.isProviderOnline) }
    }

    @Test func `gives a reminder when it begins, and none when it is renewed`() {
        Scenario.opened()
            .when(.online(.seconds(60)), at: "08:00", then: [Self.presence("08:00", "08:01"), Self.available(1)])
            .when(.online(.seconds(60)), at: "08:00:30", then: [Self.presence("08:00:30", "08:01:30")])
            .when(
                .online(.seconds(60)), at: "08:11:30", then: [Self.presence("08:11:30", "08:12:30"), Self.available(2)]
            )
            .when(.offline, at: "08:22", then: [Self.presence("08:22", "08:22", online: false)])
            .when(.online(.seconds(60)), at: "08:22", then: [Self.presence("08:22", "08:23"), Self.available(3)])
    }

    private static func holds(_ number: Int) -> Happening {
        let id = "2027-03-05/providerAvailable/\(number)"
        return .held(Reminder(id: id, kind: .providerAvailable, assignment: "1", due: "2027-03-05"))
    }

    @Test func `that comes and goes reminds once in ten minutes, and then only if it is there`() {
        let flapping = Scenario.opened()
            .when(.online(), at: "08:00", then: [Self.presence("08:00", "09:00"), Self.available(1)])
            .when(.offline, at: "08:01", then: [Self.presence("08:01", "08:01", online: false)])
            .when(.online(), at: "08:02", then: [Self.presence("08:02", "09:02"), Self.holds(2)])
            .when(.offline, at: "08:03", then: [Self.presence("08:03", "08:03", online: false)])
            .when(.online(.seconds(600)), at: "08:04", then: [Self.presence("08:04", "08:14"), Self.holds(2)])
            .then {
                let comes = VirtualClock.instant("2027-03-05", "08:10")
                #expect($0.outlook.wake.instant == comes)
                #expect($0.outlook.nextReminder == .instant(comes))
            }
            .when(.lookAtClock, at: "08:09:59", then: [])
        flapping.when(.lookAtClock, at: "08:10", then: [Self.available(2)])
            .when(.lookAtClock, at: "08:13", then: [])
        flapping.having(.offline, at: "08:09").when(.lookAtClock, at: "08:10", then: [])
        flapping.when(.lookAtClock, at: "08:14", then: [])
            .when(.online(), at: "08:15", then: [Self.presence("08:15", "09:15"), Self.available(2)])
    }

    @Test func `reminds at once of the next task, also within ten minutes`() {
        Scenario.opened(.sample(), .sample("2")).having(.online(), at: "08:00").having(.start(nil))
            .having(.leave, at: "08:05").having(.logMood("calm")).having(.offline)
            .when(
                .online(), at: "08:06",
                then: [
                    Self.presence("08:06", "09:06"), .reminds("2027-03-05/providerAvailable/2", .sample("2")),
                ])
    }

    @Test func `is not named in a waiting reminder after the client has begun another one`() {
        Scenario.opened().having(.online(), at: "08:00").having(.offline, at: "08:01")
            .having(.online(), at: "08:02").having(.start(nil), at: "08:03")
            .when(.lookAtClock, at: "08:10", then: [])
    }

    @Test func `reminds at once where the clock was set back since the last time`() {
        Scenario.opened().having(.online(.seconds(60)), at: "08:00")
            .when(.online(.seconds(60)), at: "07:00", then: [Self.presence("07:00", "07:01"), Self.available(2)])
    }

    @Test func `gives a reminder to a client with an open task, in the exercise or in the wait room`() {
        for scenario in [Scenario.opened(), .begun(), .guided, .waiting] {
            scenario.when(
                .online(.seconds(60)), at: "08:00:50",
                then: breathed(scenario) + [
                    Self.presence("08:00:50", "08:01:50"), Self.available(1),
                ])
        }
    }

    private func breathed(_ scenario: Scenario) -> [Happening] {
        guard scenario.plan.flow?.exercise.run != nil else { return [] }
        return [.breathed("1", breaths: 5), .exerciseFinished("1")]
    }

    @Test func `gives no reminder in the session, after it, or when nothing is open`() {
        let lapsed = Scenario.inSession.having(.offline)
        for scenario in [lapsed, .atTheMood.having(.offline), .completed.having(.offline)] {
            scenario.when(.online(.seconds(60)), at: "08:20", then: [Self.presence("08:20", "08:21")])
        }
    }

    @Test func `numbers its reminders anew every day`() {
        Scenario.opened().having(.online(.seconds(60)), at: "08:00")
            .having(.lookAtClock, on: "2027-03-06", at: "08:00")
            .when(
                .online(.seconds(60)),
                then: [
                    Self.presence("32:00", "32:01"), .reminds("2027-03-06/providerAvailable/1", .sample()),
                ])
    }
}
