public import Time

/// Words that were logged on days, such as moods, in the order of the days.
public struct DayLog: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        public let day: CalendarDay
        public let word: String

        public init(day: CalendarDay, word: String) {
            self.day = day
            self.word = word
        }
    }

    /// In the order of the days; the entries of one day in the order in which they were given.
    public let entries: [Entry]
    /// The words that were logged, each once.
    public let words: [String]

    /// - Parameter words: all words that could be logged, in the order in which they are shown.
    public init(_ logged: [Entry], words: [String]) {
        entries = logged.enumerated().sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }
            .map(\.element)
        let used = Set(entries.map(\.word))
        var seen: Set<String> = []
        self.words = words.filter { used.contains($0) && seen.insert($0).inserted }
    }

    /// The first and the last day of the entries.
    public var span: (first: CalendarDay, last: CalendarDay)? {
        guard let first = entries.first?.day, let last = entries.last?.day else { return nil }
        return (first, last)
    }

    var byDay: [CalendarDay: [String]] {
        Dictionary(grouping: entries, by: \.day).mapValues { $0.map(\.word) }
    }

    func count(of word: String) -> Int { entries.count { $0.word == word } }

    /// One character for each word: its first letter, else a later one that is free, else a digit.
    var marks: [String: Character] {
        var marks: [String: Character] = [:]
        for word in words {
            let letters = word.shown.lowercased().filter { $0.isLetter || $0.isNumber }
            let free = (letters + "123456789").first { letter in !marks.values.contains(letter) }
            marks[word] = free ?? "*"
        }
        return marks
    }

    /// The first day of each month from the first entry's to the last one's, without those of a gap of more than a year.
    var months: [CalendarDay] { CalendarDay.months(of: entries.map(\.day)) }
}

extension CalendarDay {
    /// In days. A clock that was wrong for a while can set an entry thousands of years apart from the others.
    private static let longestGap = 400

    /// The first day of each month from the first of the days to the last, without those of a gap of more than a year.
    static func months(of days: [CalendarDay]) -> [CalendarDay] {
        days.reduce(into: []) { months, day in
            while let last = months.last, last < day.firstOfMonth, day - last < longestGap {
                months.append(last.firstOfNextMonth)
            }
            if months.last != day.firstOfMonth { months.append(day.firstOfMonth) }
        }
    }
}
