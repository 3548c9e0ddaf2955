internal import ArgumentParser
import DaybreakInterfaces

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: Wording.About.list)

    enum Part: EnumerableFlag {
        case all, completed, upcoming, missed

        static func help(for part: Part) -> ArgumentHelp? {
            switch part {
            case .all: ArgumentHelp(Wording.About.all)
            case .completed: ArgumentHelp(Wording.About.completed)
            case .upcoming: ArgumentHelp(Wording.About.upcoming)
            case .missed: ArgumentHelp(Wording.About.missed)
            }
        }

        func has(_ state: Homework.State) -> Bool {
            switch self {
            case .all: true
            case .completed: state == .completed
            case .upcoming: state == .locked || state == .eligible || state == .inProgress
            case .missed: state == .missed
            }
        }
    }

    @Flag var part: Part?
    @OptionGroup var pager: PagerOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        var reply = try daemon.connection().call(Homework.List(all: part == nil ? nil : true))
        if let part { reply.assignments.removeAll { !part.has($0.state) } }
        guard !daemon.json else { return Standard.output(object: reply) }
        if let part, part != .all, reply.assignments.isEmpty { return Standard.output(Wording.none(part) + "\n") }
        pager.print(TaskTable(reply, named: part != nil, ink: Standard.ink).text)
    }
}
