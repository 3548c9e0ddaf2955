internal import ArgumentParser
import DaybreakInterfaces
import Varlink

struct Breathe: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "breathe", abstract: Wording.About.breathe)

    /// Lines are what it prints in any case; taken so that a script may say so.
    @Flag(help: ArgumentHelp(Wording.About.plain)) var plain = false
    @Flag(help: ArgumentHelp(Wording.About.noCountdown)) var noCountdown = false
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard !daemon.json else { return try daemon.follow(Homework.Breathe()) { _ in "" } }
        let connection = try daemon.connection()
        try connection.send(Homework.Breathe(), more: true)
        var lines = BreathLines(countsDown: !noCountdown)
        var pace: Walk.Pace?
        while true {
            let readable = Wait.until(readable: [connection.descriptor], within: pace.flatMap(Self.patience))
            for reply in readable.isEmpty ? [] : try connection.repliesSoFar() {
                let flow = try connection.decode(Homework.Breathe.self, from: reply).flow
                guard reply.continues else { return Standard.output(lines.endLine() + Self.end(flow) + "\n") }
                pace = flow.exercise.map { Walk.Pace(exercise: $0, at: Monotonic.now()) }
            }
            guard let pace else { continue }
            Standard.output(lines.say(pace.exercise, Breathing(pace, at: Monotonic.now(), isRunning: true)))
        }
    }

    private static func patience(_ pace: Walk.Pace) -> Double? {
        pace.exercise.paused ? nil : Breathing(pace, at: Monotonic.now(), isRunning: true).untilNextNumber
    }

    private static func end(_ flow: Homework.Flow) -> String {
        switch flow.stage {
        case .waiting: Wording.exerciseOver
        case .exercise: Wording.Guided.elsewhere
        case .session, .mood: Wording.standing(of: flow)
        }
    }
}
