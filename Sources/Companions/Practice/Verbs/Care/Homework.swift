internal import ArgumentParser
import Companion
import PracticeInterfaces
import Time
import Varlink

struct Homework: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "homework", abstract: "Show a client's assigned tasks, with their state as far as it is shared.")

    @Argument(help: ArgumentHelp(ClientName.clientsHelp)) var client: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let caller = try CallerInfo(over: connection)
        let client = try ClientName(client).identifier(over: connection)
        let reply = try connection.reply(to: Care.Homework(client: client))
        let homework = try connection.decode(Care.Homework.self, from: reply)
        guard !daemon.json else { return Streams.output(json: reply.parameters) }
        let page = HomeworkPage(homework: homework, today: caller.today, columns: output.columns, ink: output.ink)
        output.print(page.text(isPlain: output.plain))
    }
}

struct HomeworkPage {
    let homework: Care.Homework.Reply
    let today: String
    let columns: Int?
    let ink: Ink

    func text(isPlain: Bool) -> String {
        guard homework.revision > 0 else {
            return "  Nothing is assigned yet. `practice assign` assigns homework.\n\n" + texts + facts
        }
        let chart = log.entries.isEmpty || isPlain ? "" : DotChart(log: log, columns: columns, ink: ink).text + "\n"
        return table.text(columns: columns, ink: ink) + "\n" + chart + texts + facts
    }

    private var table: Table {
        var table = Table([
            .init("Due", leads: true), .init("Task"), .init("State"), .init("Breaths"), .init("Mood"),
        ])
        for task in homework.tasks {
            table.rows.append([
                .init(Wording.day(task.due, today: today)), .init(task.id.shown, .faint), state(task),
                .init(task.breathsDone.map { "\($0) of \(task.breaths)" } ?? "\(task.breaths)"),
                .init((task.mood ?? "").shown.singleLine, .strong),
            ])
        }
        return table
    }

    private func state(_ task: Care.Task) -> Table.Cell {
        switch task.state {
        case .assigned where task.late == true: .init("late", .warm)
        case .assigned: task.due < today ? .init("no word yet", .faint) : .init("assigned")
        case .inProgress: .init(task.late == true ? "late, begun" : "begun", .strong)
        case .completed:
            .init("completed" + (task.completedOn.map { " " + Wording.day($0, today: today) } ?? ""), .good)
        case .missed: .init("missed", .faint)
        }
    }

    var log: DayLog {
        let moods = homework.tasks.compactMap { task in
            task.mood.flatMap { mood in
                CalendarDay(task.completedOn ?? task.due).map { DayLog.Entry(day: $0, word: mood) }
            }
        }
        return DayLog(moods, words: moods.map(\.word))
    }

    /// The texts of both sides for the next session.
    private var texts: String {
        let older = homework.moreNotes == true ? "    " + ink.faint("older ones: `practice client file`") + "\n" : ""
        return list("The practice's talking points", (homework.talkingPoints ?? []).map { ($0.at, $0.text) })
            + list("Notes for the session", after: older, (homework.notes ?? []).map { ($0.at, $0.text) })
    }

    private func list(_ heading: String, after first: String = "", _ texts: [(at: String, text: String)]) -> String {
        guard !texts.isEmpty else { return "" }
        let lines = texts.flatMap { written in
            let text = written.text.split(separator: "\n").map { "    \(String($0).shown)\n" }
            return ["  " + ink.faint(Wording.time(written.at, today: today)) + "\n"] + text
        }
        return "  " + ink.strong(heading) + "\n" + first + lines.joined() + "\n"
    }

    private var facts: String {
        var facts = FactList()
        let taken = homework.takenIn.map { $0 == homework.revision ? "taken in" : "revision \($0) is taken in" }
        facts.add(
            "Revision", "\(homework.revision)" + (homework.revision > 0 ? ", \(taken ?? "not taken in yet")" : ""))
        facts.add("Shares", homework.shares.isEmpty ? "nothing" : homework.shares.map(\.shown).joined(separator: ", "))
        facts.add("Last heard", homework.lastHeard.map { Wording.time($0, today: today) } ?? "never")
        return facts.text(columns: columns, ink: ink)
    }
}
