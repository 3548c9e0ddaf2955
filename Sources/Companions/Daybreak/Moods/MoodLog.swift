import DaybreakInterfaces

/// The moods as they were logged, by day: nothing is added up, weighed or judged.
struct MoodLog: Equatable {
    struct Entry: Equatable {
        let day: Day
        let word: String
    }

    /// By day, and within one in the schedule's order.
    let entries: [Entry]
    /// Every word that was logged, in the order in which the provider offered them.
    let words: [String]

    /// - Parameter first: leaves out what was before that day.
    init(_ assignments: [Homework.Assignment], since first: Day?) {
        let logged = assignments.compactMap { task in
            task.mood.flatMap { word in
                Day(task.completedOn ?? task.due).map { Entry(day: $0, word: word) }
            }
        }
        .filter { entry in first.map { entry.day >= $0 } ?? true }
        entries = logged.enumerated().sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }.map(
            \.element)
        let used = Set(entries.map(\.word))
        var seen: Set<String> = []
        words = assignments.flatMap(\.moods).filter { used.contains($0) && seen.insert($0).inserted }
    }

    /// The first and the last day on which a mood was logged.
    var span: (first: Day, last: Day)? {
        guard let first = entries.first?.day, let last = entries.last?.day else { return nil }
        return (first, last)
    }

    /// By day.
    var byDay: [Int: [String]] { Dictionary(grouping: entries, by: \.day.number).mapValues { $0.map(\.word) } }

    func count(of word: String) -> Int { entries.count { $0.word == word } }

    /// One character for each word, for where there is no room for more: its first letter, else a later one that is
    /// free, else a number.
    var marks: [String: Character] {
        var marks: [String: Character] = [:]
        for word in words {
            let letters = word.shown.lowercased().filter { $0.isLetter || $0.isNumber }
            let free = (letters + "123456789").first { letter in !marks.values.contains(letter) }
            marks[word] = free ?? "*"
        }
        return marks
    }

    /// The first day of each month from the first mood's to the last one's.
    var months: [Day] {
        guard let (first, last) = span else { return [] }
        var months = [first.firstOfMonth]
        while let next = months.last?.firstOfNextMonth, next <= last { months.append(next) }
        return months
    }
}

extension Day {
    var firstOfMonth: Day { Day(number: number - day + 1) }
    /// No month is longer than 31 days, and none shorter than 28.
    var firstOfNextMonth: Day { Day(number: firstOfMonth.number + 31).firstOfMonth }
    var daysInMonth: Int { firstOfNextMonth.number - firstOfMonth.number }

    /// A month's days in weeks from Monday on; nil where the week has days of other months.
    var weeks: [[Day?]] {
        let blanks = [Day?](repeating: nil, count: firstOfMonth.weekday)
        let days = (0..<daysInMonth).map { Day?(Day(number: firstOfMonth.number + $0)) }
        let cells = blanks + days
        return stride(from: 0, to: cells.count, by: 7).map { start in
            let week = cells[start..<min(start + 7, cells.count)]
            return week + [Day?](repeating: nil, count: 7 - week.count)
        }
    }
}
