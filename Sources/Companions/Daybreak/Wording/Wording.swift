import DaybreakInterfaces

/// Every word that a client sees stands in this folder: here days, times and counts, beside it one file per subject.
enum Wording {
    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// "today", "tomorrow", "yesterday", else "Friday 20 November", with the year where it is another than today's.
    static func day(_ day: Day, today: Day?) -> String {
        switch today.map({ day.number - $0.number }) {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        default: fullDay(day, today: today)
        }
    }

    /// "today's task", "the task of Friday 20 November": to begin a sentence with.
    static func task(due: String, today: String?) -> String {
        let day = day(due, today: today)
        return ["today", "tomorrow", "yesterday"].contains(day) ? "\(capitalised(day))'s task" : "The task of \(day)"
    }

    /// "Friday 20 November", with the year where it is another than today's.
    static func fullDay(_ day: Day, today: Day?, style: DateStyle = .current) -> String {
        style.date(
            weekday: weekdays[day.weekday], day: day.day, month: months[day.month - 1],
            year: day.year == today?.year ? nil : day.year)
    }

    /// Why an assignment is in its state, with the days in the client's order.
    static func reason(_ cause: Homework.Cause?, else sentence: String, style: DateStyle = .current) -> String {
        let facts = cause?.sentence { day in Day(day).map { fullDay($0, today: nil, style: style) } ?? day }
        return Self.sentence(facts ?? sentence)
    }

    /// A date of the interface as `day(_:today:)` says it; as it came where it is none.
    static func day(_ text: String, today: String?) -> String {
        guard let read = Day(text) else { return text.shown }
        return day(read, today: today.flatMap { Day($0) })
    }

    /// "today at 18:00", "Friday 20 November at 00:00".
    static func time(_ instant: String, today: String?) -> String {
        guard let read = WallTime(instant) else { return instant.shown }
        return "\(day(read.day, today: today.flatMap { Day($0) })) at \(read.clock)"
    }

    /// Just the time where it is today: "18:00".
    static func clock(_ instant: String, today: String?) -> String {
        guard let read = WallTime(instant) else { return instant.shown }
        return read.day == today.flatMap { Day($0) } ? read.clock : time(instant, today: today)
    }

    /// The day as a heading: "Monday 23 November 2026", or where the wall shows another date by now,
    /// "still Monday 23 November 2026; Tuesday begins at 04:00".
    static func heading(_ today: String, ends: String?, wall: Day?) -> String {
        guard let day = Day(today) else { return today.shown }
        return goesOn(today, ends: ends, wall: wall) ?? fullDay(day, today: nil)
    }

    /// "still Monday 23 November 2026; Tuesday begins at 04:00"; nil where the wall shows that date, too.
    static func goesOn(_ today: String, ends: String?, wall: Day?) -> String? {
        guard let day = Day(today), let ends = ends.flatMap({ WallTime($0) }), let wall, wall != day else { return nil }
        let next = "\(fullDay(day, today: nil)); \(weekdays[ends.day.weekday]) begins at \(ends.clock)"
        return wall > day ? "still \(next)" : "already \(next)"
    }

    /// A time to come: "18:00", "tomorrow at 09:00", and in the small hours that belong to today "tonight at 01:30".
    static func time(_ instant: String, today: String, dayEnds: String?) -> String {
        guard let read = WallTime(instant), let day = Day(today), let end = dayEnds.flatMap({ WallTime($0) }),
            read.day.number == day.number + 1, read.day == end.day, (read.hour, read.minute) < (end.hour, end.minute)
        else { return time(instant, today: today) }
        return "tonight at \(read.clock)"
    }

    /// A time that is past, within the flow: just the clock, also in the small hours that belong to the day before.
    static func since(_ instant: String, today: String?) -> String {
        guard let read = WallTime(instant), let day = today.flatMap({ Day($0) }), read.day.number == day.number + 1
        else { return clock(instant, today: today) }
        return read.clock
    }

    /// "4", "4.5": seconds in tenths at the finest.
    static func number(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    static func breaths(_ count: Int) -> String { counted(count, "breath") }

    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// "0:38": what is left of something, rounded up, so that it ends on 0:00.
    static func left(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds).rounded(.up))
        return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }

    /// "calm, tired or hopeful".
    static func choices(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first?.shown ?? "" }
        return words.dropLast().map(\.shown).joined(separator: ", ") + " or " + last.shown
    }

    static func phase(_ phase: Homework.Phase) -> String {
        switch phase {
        case .inhale: "Breathe in"
        case .hold: "Hold"
        case .exhale: "Breathe out"
        case .rest: "Rest"
        }
    }

    static func stage(_ stage: Homework.Stage) -> String {
        switch stage {
        case .exercise: "exercise"
        case .waiting: "wait room"
        case .session: "session"
        case .mood: "mood"
        }
    }

    static func capitalised(_ text: String) -> String {
        guard let first = text.first else { return text }
        return first.uppercased() + text.dropFirst()
    }
}
