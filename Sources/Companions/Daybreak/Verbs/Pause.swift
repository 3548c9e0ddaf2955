internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Pause: ParsableCommand {
    static let configuration = CommandConfiguration.verb("pause", abstract: "Pause the exercise.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Pause()) { Wording.standing(of: $0.flow) + "\n" }
    }
}

extension Pause: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (_: Homework.NotGuided) in
            "Nobody is being led through the exercise now; `daybreak start` or `daybreak breathe` goes on with it."
        }
    ]
}
