internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Varlink

struct Breathe: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "breathe", abstract: "Be led through the running exercise, line by line.")

    /// `breathe` always prints lines; the option is accepted so that scripts can pass it to every guided verb.
    @Flag(help: "Lines of text instead of a full screen, fit for a screen reader.") var plain = false
    @Flag(help: "Show no seconds, neither of the phase nor of the time left.") var noCountdown = false
    @Flag(help: "A cue at each phase, for closed eyes: the settings' command, or the terminal's bell.")
    var sound = false
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        guard !daemon.json else { return try daemon.follow(Homework.Breathe(), over: daemon.connection()) { _ in "" } }
        let connection = try daemon.connection()
        let preferences = try Start.preferences(over: connection)
        var cue = sound || preferences.sound ? Cue(command: preferences.soundCommand) : nil
        try connection.send(Homework.Breathe(), more: true)
        var lines = BreathLines(countsDown: preferences.countdown && !noCountdown)
        var pace: Walk.Pace?
        do {
            while true {
                let readable = Wait.until(readable: [connection.descriptor], within: pace.flatMap(Self.patience))
                for reply in readable.isEmpty ? [] : try connection.repliesSoFar() {
                    let flow = try connection.decode(Homework.Breathe.self, from: reply).flow
                    guard reply.continues else { return Streams.output(lines.endLine() + Self.end(flow) + "\n") }
                    pace = flow.exercise.map { Walk.Pace(exercise: $0, at: Monotonic.now()) }
                }
                guard let pace else { continue }
                let breathing = Breathing(pace, at: Monotonic.now(), isRunning: true)
                Streams.output(verbatim: lines.say(pace.exercise, breathing))
                if let phase = cue?.next(pace.exercise.paused ? nil : breathing) {
                    cue?.sound(phase) { Streams.output("\u{07}") }
                }
            }
        } catch {
            Streams.output(lines.endLine())  // The failure is told on a line of its own.
            throw error
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
