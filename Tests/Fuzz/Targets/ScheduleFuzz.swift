import DaybreakInterfaces
import HomeworkRules
import JSON
import Time
import Varlink

@testable import HomeworkDaemon

/// Schedules, from files and from `Import`.
enum ScheduleFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let schedule: Schedule
        do { schedule = try ScheduleReader.read(bytes) } catch {
            try promise("\(error) is a place", isPlace(line: error.line, column: error.column, in: bytes))
            try promise("\(error) counts entries from 1", error.entry ?? 1 >= 1)
            return try promise("\(error) is fit for the journal", isLine(error.reason))
        }
        let entries = schedule.entries.map { String(decoding: JSONObject.text(of: Spelled($0)), as: UTF8.self) }
        let again = try ScheduleReader.read(Array("[\(entries.joined(separator: ","))]".utf8))
        try promise("a schedule says the same again", again == schedule)
    }

    private struct Spelled: Encodable {
        let id: String?
        let breaths: Int
        let moods: [String]
        let due: String
        let pattern: String?

        init(_ entry: Schedule.Entry) {
            id = entry.id?.text
            breaths = entry.breaths
            moods = entry.moods.map(\.word)
            due = "\(entry.due)"
            pattern = entry.pattern?.description
        }
    }
}

/// Whether the sentence is one line without control characters.
func isLine(_ sentence: String) -> Bool {
    !sentence.isEmpty && !sentence.unicodeScalars.contains { $0.properties.generalCategory == .control }
}
