internal import ArgumentParser
import DaybreakInterfaces
import Varlink

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "simulate", abstract: Wording.About.simulate)

    @Option(help: ArgumentHelp(Wording.About.from, valueName: "day")) var from: String?
    @Option(help: ArgumentHelp(Wording.About.days, valueName: "number")) var days: String?
    @Option(help: ArgumentHelp(Wording.About.zone)) var zone: String?
    @Option(help: ArgumentHelp(Wording.About.config, valueName: "file")) var config: String?
    @Option(help: ArgumentHelp(Wording.About.simulatedSchedule, valueName: "file")) var schedule: String?
    @Flag(help: ArgumentHelp(Wording.About.simulateJSON)) var json = false

    func run() throws {
        let given = [
            ("--from", from), ("--days", days), ("--zone", zone), ("--config", config), ("--schedule", schedule),
        ]
        let words = given.flatMap { option, value in value.map { [option, $0] } ?? [] }
        let document = try DaemonProgram.output(of: ["--simulate"] + words)
        guard !json else { return Standard.output(document) }
        let frame = Array("{\"parameters\":".utf8) + document.dropLast() + Array("}".utf8)
        Standard.output(Wording.simulation(try Reply(frame: frame).decode(Homework.Simulation.self), ink: Standard.ink))
    }
}
