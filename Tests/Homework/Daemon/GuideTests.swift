import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// The connection that leads the client through the exercise.
@Suite struct GuideTests {
    private let station: ControlServerFixture
    private let guide: Client
    private var machine: Machine { station.machine }

    init() throws {
        station = try ControlServerFixture()
        guide = station.client()
        machine.ask(.start(nil))
    }

    private func next() throws -> String? { try station.message(for: guide) }

    private func expectNext(_ expected: String?, _ location: SourceLocation = #_sourceLocation) throws {
        let message = try next()
        #expect(message == expected, sourceLocation: location)
    }

    private func guidedReply(_ exercise: String, mayJoin: Bool = false) -> String {
        "{\"continues\":true,\"parameters\":{\"flow\":\(ExpectedReply.flow(exercise, mayJoin: mayJoin))}}"
    }

    private func guidedReply(
        breath: Int = 1, _ phase: String, elapsed: String = "0", remaining: String, paused: Bool = false
    ) -> String {
        guidedReply(
            ExpectedReply.exercise(
                breath: breath, phase: phase, elapsed: elapsed, of: phase == "inhale" ? 4 : 6, remaining: remaining,
                paused: paused, guided: true))
    }

    private func begin() throws {
        guide.send(call("Homework.Breathe", more: true))
        try expectNext(guidedReply("inhale", remaining: "50"))
    }

    /// Expects no further message.
    private func expectSilence() throws {
        try station.settle()
        #expect(guide.message() == nil)
    }

    @Test func `a guide gets each phase once, and then the wait room`() throws {
        try begin()
        for breath in 1...5 {
            if breath > 1 {
                #expect(try next() == guidedReply(breath: breath, "inhale", remaining: "\(60 - breath * 10)"))
            }
            try station.pass(.seconds(4))
            try expectNext(guidedReply(breath: breath, "exhale", remaining: "\(56 - breath * 10)"))
            try station.pass(.seconds(6))
        }
        try expectNext(ExpectedReply.reply("flow", ExpectedReply.flow(stage: "waiting", at: "00:00:50")))
        try expectSilence()
        // The connection takes other calls again.
        #expect(try station.ask(guide, call("Homework.Join")) == error("org.daybreak.Homework.ProviderUnavailable"))
    }

    @Test func `a wake-up within a phase sends nothing`() throws {
        try begin()
        try station.pass(.seconds(1))
        try expectSilence()
    }

    @Test func `a pause is sent, and the interrupted breath begins again`() throws {
        try begin()
        try station.pass(.seconds(12))
        try expectNext(guidedReply(breath: 2, "inhale", elapsed: "2", remaining: "38"))
        let paused = ExpectedReply.flow(ExpectedReply.exercise(breath: 2, remaining: "40", paused: true, guided: true))
        #expect(try station.ask(call("Homework.Pause")) == ExpectedReply.reply("flow", paused))
        try expectNext(guidedReply(breath: 2, "inhale", remaining: "40", paused: true))
        try station.pass(.seconds(100))
        try expectSilence()
        let resumed = ExpectedReply.flow(ExpectedReply.exercise(breath: 2, remaining: "40", guided: true))
        #expect(try station.ask(call("Homework.Resume")) == ExpectedReply.reply("flow", resumed))
        try expectNext(guidedReply(breath: 2, "inhale", remaining: "40"))
    }

    @Test func `a restart is sent, also in the first phase`() throws {
        try begin()
        try station.pass(.seconds(1))
        let restarted = ExpectedReply.flow(ExpectedReply.exercise(guided: true))
        #expect(try station.ask(call("Homework.Restart")) == ExpectedReply.reply("flow", restarted))
        try expectNext(guidedReply("inhale", remaining: "50"))
        try station.pass(.seconds(4))
        try expectNext(guidedReply("exhale", remaining: "46"))
    }

    @Test func `a pause in the turn of the guide's call is sent after the first reply`() throws {
        let other = station.client()
        guide.send(call("Homework.Breathe", more: true))
        other.send(call("Homework.Pause"))
        try expectNext(guidedReply("inhale", remaining: "50"))
        try expectNext(guidedReply("inhale", remaining: "50", paused: true))
        try expectSilence()
    }

    @Test func `the provider's arrival is sent`() throws {
        try begin()
        #expect(try station.ask(call("Provider.SetPresence", #"{"online":true}"#)) == #"{"parameters":{}}"#)
        try expectNext(guidedReply(ExpectedReply.exercise(guided: true), mayJoin: true))
    }

    @Test func `a second guide takes over, and the first gets a last reply`() throws {
        try begin()
        try station.pass(.seconds(5))
        try expectNext(guidedReply("exhale", elapsed: "1", remaining: "45"))
        let second = station.client()
        second.send(call("Homework.Breathe", more: true))
        let here = ExpectedReply.exercise(phase: "exhale", elapsed: "1", of: 6, remaining: "45", guided: true)
        #expect(try station.message(for: second) == guidedReply(here))
        try expectNext(ExpectedReply.reply("flow", ExpectedReply.flow(here)))
        // Within the phase neither guide gets a message.
        try station.pass(.seconds(1))
        try expectSilence()
        #expect(second.message() == nil)
        try station.pass(.seconds(4))
        #expect(try station.message(for: second) == guidedReply(breath: 2, "inhale", remaining: "40"))
        // The first guide's disconnection changes nothing.
        guide.leave()
        try station.settle()
        #expect(machine.status?.flow?.exercise?.guided == true)
    }

    @Test func `a guide that calls in the turn in which the earlier one disconnects is led on`() throws {
        try begin()
        let second = station.client()
        try station.settle()
        // The second guide's call is read first.
        second.send(call("Homework.Breathe", more: true))
        guide.leave()
        try station.settle()
        #expect(machine.status?.flow?.exercise?.guided == true)
        #expect(machine.status?.flow?.exercise?.paused == false)
    }

    @Test func `the exercise is paused with its whole breaths when the guide disconnects`() throws {
        try begin()
        try station.pass(.seconds(15))
        guide.leave()
        try station.settle()
        #expect(try machine.recorded.suffix(2) == [.breathed("1", breaths: 1), .guideLeft("1")])
        #expect(machine.status?.flow?.exercise?.paused == true)
        #expect(machine.status?.flow?.exercise?.breath == 2)
    }

    @Test func `no breath counts that ended after the guide had left, if the daemon hears of it late`() throws {
        try begin()
        try station.pass(.seconds(15))
        guide.leave()
        machine.clock.advance(by: .seconds(20))
        try station.settle()
        #expect(try machine.recorded.suffix(2) == [.breathed("1", breaths: 1), .guideLeft("1")])
        #expect(machine.status?.flow?.exercise?.breath == 2)
    }

    @Test func `resuming needs a guide`() throws {
        #expect(try station.ask(call("Homework.Resume")) == error("org.daybreak.Homework.NotGuided"))
    }

    @Test func `joining from the exercise ends the guide's call`() throws {
        try begin()
        machine.ask(.online(), .join)
        try expectNext(ExpectedReply.reply("flow", ExpectedReply.flow(stage: "session")))
        try expectSilence()
    }

    @Test func `cancelling the flow ends the guide's call with an error`() throws {
        try begin()
        machine.ask(.cancel)
        try expectNext(error("org.daybreak.Homework.NoFlow"))
    }

    @Test func `a status has the state of the breathing at the time of the call`() throws {
        try begin()
        machine.clock.advance(by: .seconds(3))
        let reply = try station.ask(call("Homework.GetStatus"))
        let expected = ExpectedReply.status(
            eligible: ExpectedReply.summary("inProgress", "It is in progress: the breathing comes next.", "2027-03-07"),
            flow: ExpectedReply.flow(ExpectedReply.exercise(elapsed: "3", remaining: "47", guided: true)))
        #expect(reply == ExpectedReply.reply("status", expected))
    }

    @Test func `a guide is lost even if its loss cannot be recorded, and none is shown meanwhile`() throws {
        try begin()
        machine.hideHistory()
        guide.leave()
        try station.settle()
        try station.pass(.seconds(30))
        let shown = machine.status?.flow?.exercise
        #expect(shown?.guided == false && shown?.paused == true && shown?.breath == 1)
        let told = try #require(try station.ask(call("Homework.GetStatus")))
        #expect(told.contains(#""guided":false"#) && told.contains(#""paused":true"#), "\(told)")
        machine.bringHistoryBack()
        try station.pass(Daemon.retryAfter)
        #expect(machine.status?.flow?.exercise?.guided == false)
        #expect(machine.status?.flow?.exercise?.breath == 1)
    }
}
