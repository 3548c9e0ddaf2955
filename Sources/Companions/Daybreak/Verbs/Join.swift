internal import ArgumentParser
import Companion
import DaybreakInterfaces

struct Join: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "join", abstract: "Go into the session, when the provider is available.")

    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        try daemon.ask(Homework.Join()) { Wording.standing(of: $0.flow) + "\n" }
    }
}

extension Join: RefusedVerb {
    static let refusals: [Refusal.Sentence] = [
        Refusal.on { (_: Homework.ProviderUnavailable) in
            "The provider is not available now; `daybreak start` goes on with the task, and says when they are."
        }
    ]
}
