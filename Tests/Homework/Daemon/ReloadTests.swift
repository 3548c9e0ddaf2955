import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

@Suite struct ReloadTests {
    private func configuration(remindingAt minute: Int) -> Configuration {
        var configuration = Configuration()
        configuration.settings.reminderMinutes = [minute]
        return configuration
    }

    @Test func `new settings are in force at once`() {
        let machine = Machine.withSample()
        machine.fresh = .success(configuration(remindingAt: 600))
        #expect(machine.reload() == "done")
        #expect(machine.take() == ["shows the status"])
        #expect(machine.status?.nextReminder == "2027-03-05T10:00:00+00:00")
        #expect(machine.wake.wall == VirtualClock.instant("2027-03-05", "10:00"))
    }

    @Test func `a day that begins during a reload begins in the same turn`() {
        let machine = Machine.withSample()
        machine.onceLoading = { [unowned machine] in machine.clock.offset = .seconds(24 * 3_600) }
        #expect(machine.reload() == "done")
        #expect(machine.status?.today == "2027-03-06")
    }

    @Test func `a configuration with a fault is refused and logged, and the earlier one stays in force`() {
        let machine = Machine.withSample()
        machine.fresh = .failure(ConfigurationError(file: "/c/daybreak.toml", line: 3, reason: "Reason."))
        #expect(
            machine.reload()
                == error(
                    "org.daybreak.Service.InvalidConfiguration",
                    #"{"file":"/c/daybreak.toml","line":3,"reason":"Reason."}"#))
        #expect(machine.take() == ["says error: /c/daybreak.toml:3: Reason. The configuration before stays in force."])
        #expect(machine.status?.nextReminder == "2027-03-05T09:00:00+00:00")
    }

    /// Every caller gets the fault. The journal gets it once, until it changes or was mended in between.
    @Test func `a fault of the configuration is logged once`() {
        let machine = Machine.withSample()
        let sound = machine.fresh
        for line in [3, 3, 4, 4] {
            machine.fresh = .failure(ConfigurationError(file: "/c/daybreak.toml", line: line, reason: "Reason."))
            #expect(machine.reload() != "done")
        }
        let said = [3, 4].map { "says error: /c/daybreak.toml:\($0): Reason. The configuration before stays in force." }
        #expect(machine.take() == said)
        let fault = machine.fresh
        machine.fresh = sound
        #expect(machine.reload() == "done")
        _ = machine.take()
        machine.fresh = fault
        #expect(machine.reload() != "done")
        #expect(machine.take() == [said[1]])
    }

    @Test func `a reload reads the schedule again`() throws {
        let machine = Machine.withSample()
        machine.schedule = .sound(.of(.sample("1"), .sample("2", due: "2027-03-06")), Fingerprint("b"))
        #expect(machine.reload() == "done")
        #expect(machine.take() == ["reminds 2027-03-05/scheduleTaken/2", "shows the status"])
        #expect(machine.status?.counts.locked == 1)
    }

    @Test func `a refused schedule is reported to each client that asks`() {
        let machine = Machine.withSample()
        let stays = "The schedule before stays in force."
        func expectReason(_ reason: String, _ location: SourceLocation = #_sourceLocation) {
            let reply = error("org.daybreak.Service.ScheduleNotTaken", "{\"reason\":\"\(reason)\"}")
            #expect(machine.reload() == reply, sourceLocation: location)
        }
        machine.fresh = .success(configuration(remindingAt: 600))
        machine.schedule = .faulty("tasks.json:1:1: No.", Fingerprint("x"))
        for _ in 0..<2 { expectReason("The schedule was refused: tasks.json:1:1: No. \(stays)") }
        // The settings are in force all the same.
        #expect(machine.status?.nextReminder == "2027-03-05T10:00:00+00:00")
        machine.schedule = .unreadable("tasks.json cannot be read: Permission denied")
        for _ in 0..<2 { expectReason("tasks.json cannot be read: Permission denied. \(stays)") }
        machine.schedule = .missing
        for _ in 0..<2 { expectReason("The schedule file is gone. \(stays)") }
        machine.schedule = .sound(.of(.sample("1")), Fingerprint("sample"))
        #expect(machine.reload() == "done")
    }

    /// It names a pattern that other settings have not.
    @Test func `a schedule that was taken in is refused when new settings make it faulty, also after a restart`() {
        let machine = Machine.withSample()
        let sound = machine.schedule
        machine.schedule = .faulty("tasks.json:1:1: No such pattern.", sound.fingerprint ?? Fingerprint("sample"))
        let said = "The schedule was refused: tasks.json:1:1: No such pattern. The schedule before stays in force."
        let reply = error("org.daybreak.Service.ScheduleNotTaken", "{\"reason\":\"\(said)\"}")
        for _ in 0..<2 { #expect(machine.reload() == reply) }
        #expect(machine.status?.problem == said)
        machine.restart()
        #expect(machine.status?.problem == said)
        machine.schedule = sound
        #expect(machine.reload() == "done")
        #expect(machine.status?.problem == nil)
        machine.restart()
        #expect(machine.status?.problem == nil)
    }

    @Test func `a faulty text after an import is refused, whatever was said before`() {
        let machine = Machine.withSample()
        machine.schedule = .faulty("tasks.json:1:1: No.", Fingerprint("x"))
        _ = machine.reload()
        machine.ask(.takeSchedule(.of(.sample("1"), .sample("2", due: "2027-03-06")), file: nil))
        machine.schedule = .faulty("tasks.json:1:1: No.", Fingerprint("y"))
        #expect(machine.reload() != "done")
    }

    @Test func `without a schedule file there never was, and with an import in force, there is nothing to tell`() {
        let machine = Machine()
        machine.ring()
        #expect(machine.reload() == "done")
        let imported = Machine.withSample()
        imported.ask(.takeSchedule(.of(.sample("1"), .sample("2", due: "2027-03-06")), file: nil))
        imported.schedule = .missing
        #expect(imported.reload() == "done")
    }

    @Test func `a reload reads a schedule again that could not be read before`() {
        let machine = Machine.withSample()
        machine.schedule = .unreadable("tasks.json cannot be read: Permission denied")
        machine.daemon.scheduleFileChanged()
        machine.schedule = .sound(.of(.sample("1"), .sample("2", due: "2027-03-06")), Fingerprint("b"))
        machine.ring()
        #expect(machine.status?.counts.locked == 0)
        #expect(machine.reload() == "done")
        #expect(machine.status?.counts.locked == 1)
        #expect(machine.status?.problem == nil)
    }
}

@Suite struct ScheduleTakingTests {
    private let stays = "The schedule before stays in force."
    private let refused =
        "The schedule was refused: tasks.json:1:1: No. The schedule before stays in force."
    private let two = Schedule.of(.sample("1"), .sample("2", due: "2027-03-06"))

    @Test func `a known file is not taken in again at the next start`() throws {
        let machine = Machine.withSample()
        let before = try machine.recorded.count
        machine.restart()
        #expect(try machine.recorded.count == before)
    }

    @Test func `an imported schedule stays in force after a restart`() throws {
        let machine = Machine.withSample()
        machine.ask(.takeSchedule(two, file: nil))
        machine.restart()
        #expect(machine.status?.counts.locked == 1)
    }

    @Test func `an imported schedule stays in force after a reload, and after saving the unchanged file`() throws {
        let machine = Machine.withSample()
        machine.ask(.takeSchedule(two, file: nil))
        let before = try machine.recorded.count
        #expect(machine.reload() == "done")
        machine.daemon.scheduleFileChanged()
        machine.restart()
        #expect(machine.reload() == "done")
        #expect(try machine.recorded.count == before)
        #expect(machine.status?.counts.locked == 1)
    }

    @Test func `an imported schedule is replaced when the file is saved with a change`() {
        let machine = Machine.withSample()
        machine.ask(.takeSchedule(two, file: nil))
        machine.schedule = .sound(.of(.sample("1")), Fingerprint("b"))
        machine.daemon.scheduleFileChanged()
        #expect(machine.status?.counts.locked == 0)
    }

    @Test func `after an import a reload reads a faulty file again, even if its text is known`() {
        let machine = Machine.withSample()
        machine.ask(.takeSchedule(two, file: nil))
        machine.schedule = .faulty("tasks.json:1:1: No such pattern.", Fingerprint("b"))
        machine.daemon.scheduleFileChanged()
        machine.schedule = .sound(.of(.sample("1")), Fingerprint("b"))
        #expect(machine.reload() == "done")
        #expect(machine.status?.counts.locked == 0)
    }

    @Test func `a file that was saved while the daemon did not run is taken in at its start`() {
        let machine = Machine.withSample()
        machine.schedule = .sound(two, Fingerprint("b"))
        machine.restart()
        #expect(machine.take() == ["reminds 2027-03-05/scheduleTaken/2", "shows the status"])
    }

    @Test func `saving an unchanged file changes nothing`() throws {
        let machine = Machine.withSample()
        let before = try machine.recorded.count
        machine.daemon.scheduleFileChanged()
        #expect(try machine.recorded.count == before)
        #expect(machine.take() == [])
    }

    @Test func `removing the file withdraws nothing`() throws {
        let machine = Machine.withSample()
        machine.schedule = .missing
        machine.daemon.scheduleFileChanged()
        machine.daemon.scheduleFileChanged()
        #expect(machine.status?.counts.open == 1)
        #expect(machine.take() == ["says warning: The schedule file is gone. \(stays)"])
    }

    @Test func `the same fault in another text gives no second reminder`() throws {
        let machine = Machine.withSample()
        for text in ["x", "y", "z"] {
            machine.schedule = .faulty("tasks.json:1:1: No.", Fingerprint(text))
            machine.daemon.scheduleFileChanged()
        }
        #expect(
            machine.take() == [
                "says warning: \(refused)", "reminds 2027-03-05/scheduleRefused/1", "shows \(refused)",
            ])
    }

    @Test func `a faulty file gives one reminder, and a mended one is taken in`() throws {
        let machine = Machine.withSample()
        machine.schedule = .faulty("tasks.json:1:1: No.", Fingerprint("x"))
        machine.daemon.scheduleFileChanged()
        #expect(
            machine.take() == [
                "says warning: \(refused)", "reminds 2027-03-05/scheduleRefused/1", "shows \(refused)",
            ])
        machine.daemon.scheduleFileChanged()
        machine.restart()
        #expect(machine.take() == ["shows \(refused)"])
        machine.schedule = .sound(two, Fingerprint("b"))
        machine.daemon.scheduleFileChanged()
        #expect(machine.take() == ["reminds 2027-03-05/scheduleTaken/2", "shows the status"])
    }

    @Test func `a first schedule that is refused is a problem, and nothing is said of one before`() {
        let machine = Machine()
        machine.schedule = .faulty("tasks.json:1:1: No.", Fingerprint("x"))
        machine.ring()
        let told = "The schedule was refused: tasks.json:1:1: No. Until there is a sound one, there are no tasks."
        #expect(
            machine.take() == [
                "says warning: \(told)", "reminds 2027-03-05/scheduleRefused/1", "shows \(told)",
            ])
        #expect(machine.look() == told)
        machine.restart()
        #expect(machine.take() == ["shows \(told)"])
        machine.schedule = .sound(two, Fingerprint("b"))
        machine.daemon.scheduleFileChanged()
        #expect(machine.status?.problem == nil)
    }

    @Test func `a refused file that is gone, or that an import has replaced, is no problem any more`() {
        let machine = Machine.withSample()
        func refuse(_ text: String) {
            machine.schedule = .faulty("tasks.json:1:1: No.", Fingerprint(text))
            machine.daemon.scheduleFileChanged()
            #expect(machine.status?.problem == refused)
        }
        refuse("x")
        machine.ask(.takeSchedule(two, file: nil))
        #expect(machine.status?.problem == nil)
        machine.restart()
        #expect(machine.status?.problem == nil)
        refuse("y")
        machine.schedule = .missing
        machine.daemon.scheduleFileChanged()
        #expect(machine.status?.problem == nil)
        machine.restart()
        #expect(machine.status?.problem == nil)
    }

    @Test func `a schedule that another setting makes valid is taken in at the next start`() {
        let machine = Machine.withSample()
        machine.schedule = .faulty("tasks.json:1:1: No such pattern.", Fingerprint("b"))
        machine.daemon.scheduleFileChanged()
        machine.schedule = .sound(two, Fingerprint("b"))
        machine.restart()
        #expect(machine.status?.counts.locked == 1)
        #expect(machine.status?.problem == nil)
    }
}
