internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Varlink

struct Breathe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "breathe", abstract: "Be led through the running exercise, line by line.")

    /// `breathe` always prints lines; the option is accepted so that scripts can pass it to every guided verb.
    @Flag(help: "Lines of text instead of a full screen, fit for a screen reader.") var plain = false
    @Flag(help: "No seconds: neither of the phase nor of what is left.") var noCountdown = false
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard !daemon.json else { return try daemon.follow(Homework.Breathe(), over: daemon.connection()) { _ in "" } }
        let connection = try daemon.connection()
        try connection.send(Homework.Breathe(), more: true)
        var lines = BreathLines(countsDown: !noCountdown)
        var pace: Walk.Pace?
        while true {
            let readable = Wait.until(readable: [connection.descriptor], within: pace.flatMap(Self.patience))
            for reply in readable.isEmpty ? [] : try connection.repliesSoFar() {
                let flow = try connection.decode(Homework.Breathe.self, from: reply).flow
                guard reply.continues else { return Streams.output(lines.endLine() + Self.end(flow) + "\n") }
                pace = flow.exercise.map { Walk.Pace(exercise: $0, at: Monotonic.now()) }
            }
            guard let pace else { continue }
            Streams.output(verbatim: lines.say(pace.exercise, Breathing(pace, at: Monotonic.now(), isRunning: true)))
        }
    }

    private static func patience(_ pace: Walk.Pace) -> Double? {
        pace.exercise.paused ? nil : Breathing(pace, at: Monotonic.now(), isRunning: true).untilNextNumber
    }

    private static func end(_ flow: Homework.Flow) -> String {
        switch flow.stage {
        case .waiting: "The exercise is done. `daybreak start` leads on to the wait room."
        case .exercise: Wording.Guided.ledInAnotherWindow
        case .session, .mood: Wording.standing(of: flow)
        }
    }
}
