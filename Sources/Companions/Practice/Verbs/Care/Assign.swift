internal import ArgumentParser
import Companion
import Glibc
import PracticeInterfaces
import PracticeRules
import ScheduleFormat
import Time
import Varlink

struct Assign: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "assign", abstract: "Assign homework to a client; it replaces the homework before.",
        discussion: """
            FILE is a schedule, as tasks.json is: [[5, "calm,tired", "2027-03-05"], …]. In place of a file, --every writes one:
              practice assign 12 --every day --from tomorrow --times 14 --breaths 5 --moods calm,tired
            What the client began stays as it is. First it is said what would change, and asked.
            """)

    @Argument(help: ArgumentHelp(ClientName.help)) var client: String
    @Argument(help: "The schedule; - reads it from standard input.") var file: String?
    @OptionGroup var template: TemplateOptions
    @Flag(help: "Only show the changes; assign nothing.") var dryRun = false
    @Flag(help: "Do not ask first.") var yes = false
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let caller = try CallerInfo(over: connection)
        try caller.demand(.giveHomework)
        let schedule = try text(today: caller.today)
        let client = try ClientName(client).identifier(over: connection)
        func call(dryRun: Bool) -> Care.Assign { Care.Assign(client: client, schedule: schedule, dryRun: dryRun) }
        let reply = try connection.reply(to: call(dryRun: true))
        if let fault = reply.decodeError(Care.InvalidSchedule.self) {
            throw Failure(refused: fault, saying: Self.said(of: fault, in: file ?? "--every"))
        }
        let change = try connection.decode(Care.Assign.self, from: reply)
        guard !dryRun else {
            return try daemon.answer(reply, of: Care.Assign.self, over: connection) {
                "\(Self.would($0))\n\(Self.withdrawn($0))"
            }
        }
        try confirm(change)
        try daemon.ask(call(dryRun: false), over: connection) {
            "\(Self.did($0))\n\(Self.withdrawn($0))"
        }
    }

    private func text(today: String) throws -> String {
        if let file {
            guard template.every == nil else { throw Failure.misused("Name a file, or say --every, not both.") }
            return try TextInput.text(of: file, limit: 256 * 1_024)
        }
        return try template.schedule(today: today).canonicalText
    }

    private func confirm(_ change: Care.Assign.Reply) throws {
        guard !yes else { return }
        let tasks = Self.withdrawn(change)
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1, !daemon.json else {
            throw Failure.refused(
                "NotConfirmed",
                saying: "\(Self.would(change))\(tasks.isEmpty ? " " : "\n")\(tasks)"
                    + "Nothing was assigned, because nobody could be asked: say --yes.")
        }
        Streams.error("\(Self.would(change))\n\(tasks)Type yes to go on: ")
        guard readLine() == "yes" else { throw Failure.refused("NotConfirmed", saying: "Nothing was assigned.") }
    }

    static func said(of fault: Care.InvalidSchedule, in file: String) -> String {
        let entry = fault.entry.map { " entry \($0):" } ?? ""
        return "\(file.shown):\(fault.line):\(fault.column):\(entry) \(fault.reason.shown)"
    }

    static func would(_ change: Care.Assign.Reply) -> String {
        guard change.added + change.changed + change.withdrawn > 0 else { return "No task would change." }
        return "This adds \(Wording.counted(change.added, "task")), changes \(change.changed), and withdraws "
            + "\(change.withdrawn)."
    }

    /// The days of the withdrawn tasks: a line for each programme that added some, and one for the others.
    static func withdrawn(_ change: Care.Assign.Reply) -> String {
        let tasks = change.withdrawnTasks ?? []
        let names = tasks.map(\.programme).reduce(into: [String?]()) { if !$0.contains($1) { $0.append($1) } }
        return names.map { name in
            let days = tasks.filter { $0.programme == name }.map { Wording.day($0.due, today: nil) }
            let more = days.count > Self.mostDays ? ["and \(days.count - Self.mostDays) more"] : []
            let origin = name.map { " of \($0.shown.singleLine)" } ?? ""
            return "  Withdrawn\(origin): \((days.prefix(Self.mostDays) + more).joined(separator: ", "))\n"
        }.joined()
    }

    private static let mostDays = 10

    static func did(_ change: Care.Assign.Reply) -> String {
        "Assigned, as revision \(change.revision): \(Wording.counted(change.added, "task")) added, \(change.changed) changed, "
            + "\(change.withdrawn) withdrawn."
    }
}

/// A schedule without a file: the same task on many days.
struct TemplateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("On which days: day, weekday, or days such as monday,thursday.", valueName: "days"))
    var every: String?
    @Option(help: ArgumentHelp("The first day: 2027-03-05, today or tomorrow.", valueName: "day")) var from = "tomorrow"
    @Option(help: ArgumentHelp("The last day.", valueName: "day")) var until: String?
    @Option(help: "The number of tasks.") var times: Int?
    @Option(help: "Breaths of the exercise.") var breaths = 5
    @Option(help: ArgumentHelp("The words to choose from, with commas between.", valueName: "words")) var moods: String?

    func schedule(today: String) throws(Failure) -> Schedule {
        guard let every else { throw .misused("Name a file, or say --every day and --moods calm,tired.") }
        guard let moods else { throw .misused("--every needs --moods, such as calm,tired.") }
        guard let today = CalendarDay(today) else { throw .misused("practiced has said no day.") }
        guard (until == nil) != (times == nil) else { throw .misused("Say --until or --times, and not both.") }
        let days = try Self.days(
            Self.weekdays(every), from: Self.day(from, today),
            until: until.map { text throws(Failure) in
                try Self.day(text, today)
            }, times: times)
        let words = moods.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingBlanks }
        do {
            let entries = try days.map { day throws(EntryFault) in
                try Schedule.Entry(breaths: breaths, moods: words, due: day)
            }
            do { return try Schedule(entries) } catch { throw Failure.misused(error.sentence) }
        } catch let fault as EntryFault {
            throw .misused(fault.sentence)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .misused("\(error)")
        }
    }

    /// Three years of days: more is a slip.
    static let most = 1_000

    static func days(
        _ weekdays: Set<Weekday>, from first: CalendarDay, until last: CalendarDay?, times: Int?
    ) throws(Failure) -> [CalendarDay] {
        if let times, !(1...most).contains(times) { throw .misused("--times takes a number from 1 to \(most).") }
        if let last, last < first { throw .misused("--until is a day before --from.") }
        var days: [CalendarDay] = []
        var day = first
        while last.map({ day <= $0 }) ?? (days.count < times ?? 0) {
            if weekdays.contains(day.weekday) { days.append(day) }
            guard days.count <= most else { throw .misused("That is more than \(most) tasks.") }
            guard day < CalendarDay.range.upperBound else { break }
            day = day.next
        }
        if last == nil, let times, days.count < times { throw .misused("The calendar ends before so many days.") }
        guard !days.isEmpty else { throw .misused("There is no such day between --from and --until.") }
        return days
    }

    static func weekdays(_ text: String) throws(Failure) -> Set<Weekday> {
        switch text {
        case "day": return Set(Weekday.allCases)
        case "weekday": return Set(Weekday.allCases.filter { $0.rawValue <= 5 })
        default: break
        }
        let refusal = Failure.misused(
            "--every takes day, weekday, or days such as monday,thursday: not “\(text.shown)”.")
        var weekdays: Set<Weekday> = []
        for word in text.lowercased().split(separator: ",") {
            guard let day = Weekday.allCases.first(where: { $0.name.lowercased() == word }) else { throw refusal }
            weekdays.insert(day)
        }
        guard !weekdays.isEmpty else { throw refusal }
        return weekdays
    }

    private static func day(_ text: String, _ today: CalendarDay) throws(Failure) -> CalendarDay {
        switch text {
        case "today": return today
        case "tomorrow": return today.next
        default:
            guard let day = CalendarDay(text) else {
                throw .misused("“\(text.shown)” is not a day: write it as 2027-03-05, or today or tomorrow.")
            }
            return day
        }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        let kept = drop { $0 == " " }
        return kept.lastIndex { $0 != " " }.map { String(kept[...$0]) } ?? ""
    }
}
