import Companion
import PracticeInterfaces
import Time

extension Wording {
    /// "5 March 2027", from a day or an instant.
    static func date(_ text: String) -> String {
        guard let day = CalendarDay(text) ?? CalendarDay(of: text) else { return text.shown }
        return shortDay(day)
    }

    /// "3 April 1980, 46 years old".
    static func born(_ text: String, today: String) -> String {
        guard let born = CalendarDay(text), let today = CalendarDay(today) else { return text.shown }
        let hadBirthday = (today.parts.month, today.parts.day) >= (born.parts.month, born.parts.day)
        let years = today.year - born.year - (hadBirthday ? 0 : 1)
        return "\(shortDay(born)), \(counted(years, "year")) old"
    }

    static func role(_ role: Practice.Person.Role, therapist: String) -> String {
        role == .thanatologist ? therapist : role.rawValue
    }

    /// "50 min".
    static func minutes(_ minutes: Int) -> String { "\(minutes) min" }
}

extension Wording {
    static func counted(_ count: Int, _ one: String, _ several: String) -> String {
        "\(count) \(count == 1 ? one : several)"
    }
}
