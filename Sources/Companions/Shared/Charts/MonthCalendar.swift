import Time

/// A log as months on a terminal: a mark beside each day, and a legend of the marks.
public struct MonthCalendar {
    let log: DayLog
    let ink: Ink
    /// The columns of one day: two spaces, two digits, a space and two marks; a space and a mark less on a narrow terminal.
    private let cell: Int
    /// The marks that fit beside a day.
    private var room: Int { cell == 7 ? 2 : 1 }

    /// - Parameter columns: the terminal's width; nil if there is no terminal.
    public init(log: DayLog, columns: Int? = nil, ink: Ink) {
        self.log = log
        self.ink = ink
        cell = columns.map { $0 < 51 ? 5 : 7 } ?? 7
    }

    public var text: String {
        let marks = log.marks
        let days = log.byDay
        let months = log.months.map { month in
            let weeks = month.weeks.map { week in
                " " + week.map { text(of: $0, days, marks) }.joined().withoutTrailingSpace + "\n"
            }
            return "  " + ink.strong(Wording.month(month)) + "\n  " + ink.faint(head) + "\n" + weeks.joined()
        }
        return months.joined(separator: "\n") + "\n" + legend(marks)
    }

    private var head: String {
        let names = Weekday.allCases.map { " \($0.name.prefix(2))".padded(to: cell) }.joined()
        return (cell == 7 ? names : String(names.dropFirst())).withoutTrailingSpace
    }

    private func text(of day: CalendarDay?, _ days: [CalendarDay: [String]], _ marks: [String: Character]) -> String {
        guard let day else { return String(repeating: " ", count: cell) }
        let words = days[day] ?? []
        let isCrowded = words.count > room
        let shown = String(words.prefix(isCrowded ? room - 1 : room).compactMap { marks[$0] }) + (isCrowded ? "+" : "")
        let number = "\(day.parts.day)"
        let margin = String(repeating: " ", count: (cell == 7 ? 4 : 3) - number.count)
        let body = margin + (words.isEmpty ? ink.faint(number) : number) + " " + ink.strong(shown)
        let width = margin.count + number.count + 1 + DisplayWidth.of(shown)
        return body + String(repeating: " ", count: max(0, cell - width))
    }

    private func legend(_ marks: [String: Character]) -> String {
        let words = log.words.map { word in
            let mark = marks[word].map(String.init) ?? ""
            return "    \(ink.strong(mark.padded(to: 2))) \(word.shown)  \(ink.faint("\(log.count(of: word))"))\n"
        }
        let isAnyCrowded = log.byDay.values.contains { $0.count > room }
        return words.joined() + (isAnyCrowded ? "    \(ink.strong("+ ")) \(ink.faint("more on that day"))\n" : "")
    }
}

extension String {
    fileprivate var withoutTrailingSpace: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
