/// The moods as months on a terminal: a mark beside the day.
struct MoodCalendar {
    let log: MoodLog
    let ink: Ink

    /// Two spaces, two for the day, one more, and room for two marks.
    private static let cell = 7

    var text: String {
        let marks = log.marks
        let days = log.byDay
        let months = log.months.map { month in
            let weeks = month.weeks.map { week in
                " " + week.map { cell($0, days, marks) }.joined().trimmingEnd + "\n"
            }
            return "  " + ink.strong(Wording.month(month)) + "\n  " + ink.faint(head) + "\n" + weeks.joined()
        }
        return months.joined(separator: "\n") + "\n" + legend(marks)
    }

    private var head: String { Wording.shortWeekdays.map { " \($0)    " }.joined().trimmingEnd }

    private func cell(_ day: Day?, _ days: [Int: [String]], _ marks: [String: Character]) -> String {
        guard let day else { return String(repeating: " ", count: Self.cell) }
        let words = days[day.number] ?? []
        let shown =
            String(words.prefix(words.count > 2 ? 1 : 2).compactMap { marks[$0] }) + (words.count > 2 ? "+" : "")
        let number = String(repeating: " ", count: day.day < 10 ? 1 : 0) + "\(day.day)"
        let rest = String(repeating: " ", count: max(0, Self.cell - 5 - DisplayWidth.of(shown)))
        return "  " + (words.isEmpty ? ink.faint(number) : number) + " " + ink.strong(shown) + rest
    }

    private func legend(_ marks: [String: Character]) -> String {
        log.words.map { word in
            let mark = marks[word].map(String.init) ?? ""
            return "    \(ink.strong(mark.padded(to: 2))) \(word.shown)  \(ink.faint("\(log.count(of: word))"))\n"
        }
        .joined()
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
