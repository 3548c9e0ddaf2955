// The moods over time: titles and axes. Words that show, and never conclude.
extension Wording {
    static let noMoods = "No mood is logged yet."
    static let moodsShowOnly = "The moods as they were logged, day by day, and nothing else."
    static let byMonth = "By month"
    static let byDay = "By day"
    static let columnDay = "Day"
    static let columnMood = "Mood"

    static func moodsTitle(_ log: MoodLog) -> String {
        guard let (first, last) = log.span else { return "Moods" }
        return first == last ? "Moods on \(shortDay(first))" : "Moods from \(shortDay(first)) to \(shortDay(last))"
    }

    /// Everything in the drawing, for those who cannot see it.
    static func moodsDescription(_ log: MoodLog) -> String {
        log.words.map { word in
            let days = log.entries.filter { $0.word == word }.map { shortDay($0.day) }
            return "\(word.shown): \(days.joined(separator: ", "))."
        }
        .joined(separator: " ")
    }

    static func columnIs(days: Int) -> String {
        "A column is \(days) days; a number tells how often, where it was more than once."
    }

    static func written(_ file: String) -> String { "Written to \(file.shown); only you can read it.\n" }
    static func standsThere(_ file: String) -> String {
        "\(file.shown) is there already and was left as it is; --force writes over it."
    }
    static let standardOutput = "Standard output"
    static func unwritable(_ file: String, why: String) -> String { "\(file.shown) cannot be written: \(why)." }
    static func notADay(_ text: String) -> String { "“\(text.shown)” is not a day; write it as 2026-11-20." }
}

extension Wording {
    /// "November 2026".
    static func month(_ day: Day) -> String { "\(months[day.month - 1]) \(day.year)" }

    /// "20 November 2026".
    static func shortDay(_ day: Day) -> String { "\(day.day) \(months[day.month - 1]) \(day.year)" }

    /// From Monday on.
    static var weekdayNames: [String] { weekdays }
    /// In two letters, from Monday on.
    static var shortWeekdays: [String] { weekdays.map { String($0.prefix(2)) } }
}
