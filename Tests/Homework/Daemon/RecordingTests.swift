import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

@Suite struct RecordingTests {
    @Test func `the first turn begins the day, takes in the schedule and gives reminders of both`() throws {
        let machine = Machine()
        machine.schedule = .sound(.of(.sample("1")), Fingerprint("a"))
        machine.ring()
        #expect(
            machine.take() == [
                "reminds 2027-03-05/scheduleTaken/1", "reminds 2027-03-05/unlocked/1", "shows the status",
            ])
        #expect(
            try machine.recorded == [
                .dayBegan("2027-03-05"), .assigned(.sample()),
                .scheduleTaken(
                    ScheduleChange(added: 1, changed: 0, withdrawn: 0, unchanged: 0, kept: 0), file: Fingerprint("a")),
                .reminds("2027-03-05/scheduleTaken/1"),
            ] + Happening.opens(.sample(), on: "2027-03-05"))
    }

    @Test func `a reminder or a status is recorded before it is shown`() throws {
        let machine = Machine.withSample()
        var seen: [Int] = []
        machine.witness = { [unowned machine] _ in seen.append(machine.history?.eventCount ?? 0) }
        machine.clock.move(to: "2027-03-05", "09:00")
        machine.ring()
        #expect(machine.take() == ["reminds 2027-03-05/stillOpen/09:00", "shows the status"])
        let all = try #require(machine.history?.eventCount)
        #expect(seen == [all, all])
        #expect(try machine.recorded.last == .reminds("2027-03-05/stillOpen/09:00", .sample()))
    }

    @Test func `an answer is sent once its whole turn is recorded`() throws {
        let machine = Machine.withSample()
        var counts: [Int?] = []
        let asks = [Command.start(nil), .online(), .join].map { command in
            Job(
                actor: Actor(user: 1_000), action: .command(command),
                deliver: { [unowned machine] _ in counts.append(machine.history?.eventCount) })
        }
        machine.daemon.turn(asks)
        #expect(counts == [machine.history?.eventCount, machine.history?.eventCount, machine.history?.eventCount])
    }

    @Test func `the commands of one turn share one transaction`() throws {
        let machine = Machine.withSample()
        let before = try transactions(inLogOf: machine.databaseFile)
        let answers = machine.ask(.start(nil), .online(), .join, .leave, .logMood("calm"))
        #expect(try transactions(inLogOf: machine.databaseFile) == before + 1)
        // Each answer has the state right after its own command.
        #expect(answers == ["exercise", "exercise", "session", "mood", "no flow"])
    }

    @Test func `a turn without events writes nothing`() throws {
        let machine = Machine.withSample()
        let before = try transactions(inLogOf: machine.databaseFile)
        #expect(machine.look() == "sound")
        machine.ring(after: .seconds(60))
        #expect(try transactions(inLogOf: machine.databaseFile) == before)
        #expect(machine.take() == [])
    }

    @Test func `a refusal does not affect the other commands of its turn`() {
        let machine = Machine.withSample()
        let noFlow = error("org.daybreak.Homework.NoFlow")
        #expect(
            machine.ask(.join, .start(nil), .leave, .pause) == [
                noFlow, "exercise",
                error("org.daybreak.Homework.WrongStage", #"{"allowed":["session"],"stage":"exercise"}"#), "exercise",
            ])
    }

    @Test func `events distinguish the calling user from the daemon`() throws {
        let machine = Machine.withSample()
        machine.ask(.start(nil))
        let events = try #require(machine.history).events()
        #expect(
            events.map(\.actor) == Array(repeating: Actor(user: 1_000, isDaemon: true), count: 6) + [Actor(user: 1_000)]
                + Array(repeating: Actor(user: 1_000, isDaemon: true), count: 2))
        #expect(events.allSatisfy { $0.client == 1_000 })
    }

    @Test func `a restarted daemon has the recorded plan`() {
        let machine = Machine.withSample()
        machine.ask(.start(nil), .online(), .join)
        machine.restart()
        #expect(machine.ask(.leave, .logMood("calm")) == ["mood", "no flow"])
    }

    @Test(arguments: ["", "\0", "a\0b", "\u{1F600}\u{202E}", "e\u{301}", "'; DROP TABLE event; --"])
    func `a provider's name is recorded byte for byte`(name: String) throws {
        let machine = Machine()
        machine.ring()
        machine.ask(.setPresence(online: true, name: name, lasts: .seconds(60)))
        machine.restart()
        guard case .presenceTold(let presence)? = try machine.recorded.last else {
            Issue.record("No presence was recorded.")
            return
        }
        #expect(presence.name.map { Array($0.utf8) } == Array(name.utf8))
    }

    @Test func `an exercise is paused with its whole breaths when the daemon ends`() throws {
        let machine = Machine.withSample()
        machine.ask(.start(nil), .breathe)
        machine.ring(after: .seconds(10))
        machine.clock.advance(by: .seconds(15))
        machine.restart()
        #expect(try machine.recorded.suffix(2) == [.breathed("1", breaths: 1), .guideLeft("1")])
        let exercise = try #require(machine.status?.flow?.exercise)
        #expect(exercise.paused && !exercise.guided)
        #expect(exercise.breath == 2)
        #expect(exercise.phaseElapsed == 0)
    }
}
