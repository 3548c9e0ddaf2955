import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// Being led through the exercise.
@Suite struct GuideTests {
    private let station: Station
    private let guide: Client
    private var machine: Machine { station.machine }

    init() throws {
        station = try Station()
        guide = station.client()
        machine.ask(.start(nil))
    }

    private func next() throws -> String? { try station.message(for: guide) }

    private func expectNext(_ expected: String?, _ location: SourceLocation = #_sourceLocation) throws {
        let message = try next()
        #expect(message == expected, sourceLocation: location)
    }

    private func told(_ exercise: String, mayJoin: Bool = false) -> String {
        "{\"continues\":true,\"parameters\":{\"flow\":\(Shown.flow(exercise, mayJoin: mayJoin))}}"
    }

    private func told(
        breath: Int = 1, _ phase: String, elapsed: String = "0", remaining: String, paused: Bool = false
    ) -> String {
        told(
            Shown.exercise(
                breath: breath, phase: phase, elapsed: elapsed, of: phase == "inhale" ? 4 : 6, remaining: remaining,
                paused: paused, guided: true))
    }

    private func begin() throws {
        guide.send(call("Homework.Breathe", more: true))
        try expectNext(told("inhale", remaining: "50"))
    }

    /// Nothing more is said than was expected.
    private func expectSilence() throws {
        try station.settle()
        #expect(guide.message() == nil)
    }

    @Test func `a guide is told of each phase once, and at the end of the wait room`() throws {
        try begin()
        for breath in 1...5 {
            if breath > 1 { #expect(try next() == told(breath: breath, "inhale", remaining: "\(60 - breath * 10)")) }
            try station.pass(.seconds(4))
            try expectNext(told(breath: breath, "exhale", remaining: "\(56 - breath * 10)"))
            try station.pass(.seconds(6))
        }
        try expectNext(Shown.reply("flow", Shown.flow(stage: "waiting", at: "00:00:50")))
        try expectSilence()
        // The connection is free for other calls.
        #expect(try station.ask(guide, call("Homework.Join")) == error("org.daybreak.Homework.ProviderUnavailable"))
    }

    @Test func `a wake within a phase says nothing`() throws {
        try begin()
        try station.pass(.seconds(1))
        try expectSilence()
    }

    @Test func `a pause is told, and the breath that was broken off begins again`() throws {
        try begin()
        try station.pass(.seconds(12))
        try expectNext(told(breath: 2, "inhale", elapsed: "2", remaining: "38"))
        let paused = Shown.flow(Shown.exercise(breath: 2, remaining: "40", paused: true, guided: true))
        #expect(try station.ask(call("Homework.Pause")) == Shown.reply("flow", paused))
        try expectNext(told(breath: 2, "inhale", remaining: "40", paused: true))
        try station.pass(.seconds(100))
        try expectSilence()
        let resumed = Shown.flow(Shown.exercise(breath: 2, remaining: "40", guided: true))
        #expect(try station.ask(call("Homework.Resume")) == Shown.reply("flow", resumed))
        try expectNext(told(breath: 2, "inhale", remaining: "40"))
    }

    @Test func `a restart is told, in the first phase as well`() throws {
        try begin()
        try station.pass(.seconds(1))
        let restarted = Shown.flow(Shown.exercise(guided: true))
        #expect(try station.ask(call("Homework.Restart")) == Shown.reply("flow", restarted))
        try expectNext(told("inhale", remaining: "50"))
        try station.pass(.seconds(4))
        try expectNext(told("exhale", remaining: "46"))
    }

    @Test func `a pause that comes in the same turn as the guiding is told after it`() throws {
        let other = station.client()
        guide.send(call("Homework.Breathe", more: true))
        other.send(call("Homework.Pause"))
        try expectNext(told("inhale", remaining: "50"))
        try expectNext(told("inhale", remaining: "50", paused: true))
        try expectSilence()
    }

    @Test func `a provider who comes is told of`() throws {
        try begin()
        #expect(try station.ask(call("Provider.SetPresence", #"{"online":true}"#)) == #"{"parameters":{}}"#)
        try expectNext(told(Shown.exercise(guided: true), mayJoin: true))
    }

    @Test func `a second guide takes over, and the first is told that it is over`() throws {
        try begin()
        try station.pass(.seconds(5))
        try expectNext(told("exhale", elapsed: "1", remaining: "45"))
        let second = station.client()
        second.send(call("Homework.Breathe", more: true))
        let here = Shown.exercise(phase: "exhale", elapsed: "1", of: 6, remaining: "45", guided: true)
        #expect(try station.message(for: second) == told(here))
        try expectNext(Shown.reply("flow", Shown.flow(here)))
        // Within the phase nothing more is said, to neither.
        try station.pass(.seconds(1))
        try expectSilence()
        #expect(second.message() == nil)
        try station.pass(.seconds(4))
        #expect(try station.message(for: second) == told(breath: 2, "inhale", remaining: "40"))
        // The first one's leaving changes nothing.
        guide.leave()
        try station.settle()
        #expect(machine.status?.flow?.exercise?.guided == true)
    }

    @Test func `a guide who comes in the turn in which the one before goes is led on`() throws {
        try begin()
        let second = station.client()
        try station.settle()
        // The second one's call is heard of first.
        second.send(call("Homework.Breathe", more: true))
        guide.leave()
        try station.settle()
        #expect(machine.status?.flow?.exercise?.guided == true)
        #expect(machine.status?.flow?.exercise?.paused == false)
    }

    @Test func `a guide who goes away leaves the exercise paused, with its whole breaths`() throws {
        try begin()
        try station.pass(.seconds(15))
        guide.leave()
        try station.settle()
        #expect(try machine.recorded.suffix(2) == [.breathed("1", breaths: 1), .guideLeft("1")])
        #expect(machine.status?.flow?.exercise?.paused == true)
        #expect(machine.status?.flow?.exercise?.breath == 2)
    }

    @Test func `resuming needs a guide`() throws {
        #expect(try station.ask(call("Homework.Resume")) == error("org.daybreak.Homework.NotGuided"))
    }

    @Test func `whoever joins from the exercise ends the guiding`() throws {
        try begin()
        machine.ask(.online(), .join)
        try expectNext(Shown.reply("flow", Shown.flow(stage: "session")))
        try expectSilence()
    }

    @Test func `a flow that is given up ends the guiding`() throws {
        try begin()
        machine.ask(.cancel)
        try expectNext(error("org.daybreak.Homework.NoFlow"))
    }

    @Test func `the status that is asked for tells where the breathing stands by then`() throws {
        try begin()
        machine.clock.advance(by: .seconds(3))
        let reply = try station.ask(call("Homework.GetStatus"))
        let expected = Shown.status(
            eligible: Shown.summary("inProgress", "It is in progress: the breathing comes next.", "2027-03-07"),
            flow: Shown.flow(Shown.exercise(elapsed: "3", remaining: "47", guided: true)))
        #expect(reply == Shown.reply("status", expected))
    }

    @Test func `a guide whose loss cannot be recorded is lost all the same`() throws {
        try begin()
        machine.hideHistory()
        guide.leave()
        try station.settle()
        machine.bringHistoryBack()
        try station.pass(Daemon.retryAfter)
        #expect(machine.status?.flow?.exercise?.guided == false)
        #expect(machine.status?.flow?.exercise?.breath == 1)
    }
}
