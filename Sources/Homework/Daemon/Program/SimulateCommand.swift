import DaybreakInterfaces
import Glibc
import HomeworkHistory
import HomeworkRules
import Time
import Varlink

/// `daybreakd --simulate`: prints the coming events as one JSON object, and writes nothing.
struct SimulateCommand: Equatable {
    private(set) var from: SpokenDay?
    private(set) var days = 7
    private(set) var zone: String?
    private(set) var configuration: String?
    /// The file of a schedule that is simulated alone, without the history.
    private(set) var schedule: String?

    /// Ten years, because each day is simulated.
    static let dayLimit = 3_660

    /// The arguments are wrong: a sentence.
    struct Misuse: Error, Equatable { let sentence: String }
    /// The simulation cannot run: a sentence.
    struct Fault: Error, Equatable { let sentence: String }

    init(_ words: some Sequence<String>) throws(Misuse) {
        var rest = words.makeIterator()
        while let option = rest.next() {
            guard let value = rest.next() else { throw Misuse(sentence: "\(option) needs a value.") }
            switch option {
            case "--from": from = try Self.day(value)
            case "--days": days = try Self.count(value)
            case "--zone": zone = value
            case "--config": configuration = value
            case "--schedule": schedule = value
            default: throw Misuse(sentence: "--simulate has no option \(option).")
            }
        }
    }

    private static func day(_ text: String) throws(Misuse) -> SpokenDay {
        guard let day = SpokenDay(text) else {
            throw Misuse(sentence: "--from takes a day such as 2026-11-21, or today, tomorrow or a weekday.")
        }
        return day
    }

    private static func count(_ text: String) throws(Misuse) -> Int {
        guard let count = Int(text), (1...dayLimit).contains(count) else {
            throw Misuse(sentence: "--days takes a number from 1 to \(dayLimit).")
        }
        return count
    }
}

extension SimulateCommand {
    /// To be called once in a process: a named zone becomes the process's own.
    func run(_ paths: Paths) throws -> Homework.Simulation {
        if let zone { try Self.enter(zone) }
        if let configuration, access(configuration, R_OK) != 0 { throw Self.unreadable(configuration) }
        let settings = try Configuration.load(configuration ?? paths.configurationFile)
        let clock = LocalClock(dayStartsAt: settings.dayStartsAt)
        let now = clock.now()
        let plan = schedule == nil ? try History.readPlan(at: paths.history) ?? Plan() : Plan()
        let first = try firstDay(max(now.day, plan.day ?? now.day))
        let starts = clock.start(of: first)
        var simulator = Simulator(
            plan, by: Rules(settings: settings.settings), on: clock,
            from: schedule == nil ? now.instant : starts, telling: first)
        simulator.live(until: clock.start(of: first + days), taking: try takes(plan, settings.patterns, paths))
        return Homework.Simulation(
            from: first.description, through: (first + (days - 1)).description, timeZone: clock.zone,
            entries: simulator.entries)
    }

    private func firstDay(_ today: CalendarDay) throws -> CalendarDay {
        let day = from?.day(today: today, weekdays: .next) ?? today
        guard day >= today || schedule != nil else {
            throw Fault(
                sentence: """
                    It is \(today.spoken) already, and the history is not undone. \
                    With --schedule FILE any day can be the first: that schedule alone, as if it were new.
                    """)
        }
        guard (day + days) - day == days else {
            let end = CalendarDay.range.upperBound.spoken
            throw Fault(sentence: "The calendar ends with \(end): ask for an earlier day, or fewer.")
        }
        return day
    }

    /// The command by which the daemon would take in or refuse the schedule file, or the file that was named; nil if neither.
    private func takes(_ plan: Plan, _ patterns: PatternBook, _ paths: Paths) throws -> Command? {
        switch ScheduleFile.read(schedule ?? paths.scheduleFile, patterns: patterns) {
        case .missing, .known: if let schedule { throw Self.unreadable(schedule) } else { return nil }
        case .sound(let found, let known):
            return known == plan.scheduleFile && !plan.isScheduleRefused ? nil : .takeSchedule(found, file: known)
        case .faulty(let sentence, let known):
            guard schedule == nil else { throw Fault(sentence: sentence) }
            let isKnown = known == plan.scheduleFile && (plan.isScheduleRefused || plan.isImported)
            return isKnown ? nil : .refuseSchedule(file: known)
        case .unreadable(let sentence): if schedule != nil { throw Fault(sentence: sentence + ".") } else { return nil }
        }
    }

    private static func unreadable(_ file: String) -> Fault {
        Fault(sentence: "\(file) cannot be read: \(String(cString: strerror(errno))).")
    }

    /// Throws if there is no such zone: glibc would silently use UTC.
    private static func enter(_ zone: String) throws(Fault) {
        let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
        var found = stat()
        let isName =
            !zone.hasPrefix("/")
            && !zone.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
        guard isName, stat("\(folder)/\(zone)", &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            throw Fault(
                sentence:
                    "There is no time zone \(zone): those that there are stand in \(folder), such as Europe/Berlin.")
        }
        setenv("TZ", zone, 1)
    }
}
