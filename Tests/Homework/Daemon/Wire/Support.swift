import DaybreakInterfaces
import Foundation
import HomeworkRules
import JSON
import TestSupport
import Time
import Varlink

@testable import HomeworkDaemon

/// The files of the project, as they lie in its folder.
enum ProjectFile {
    static func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).appending(path: "../../../../..").standardized
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

extension Moment {
    /// On a wall that is always one hour ahead of UTC.
    static func at(_ day: String, _ minute: Int = 0, seconds: Int = 0) -> Self {
        let day = CalendarDay(stringLiteral: day)
        let instant = Spelling.start(of: day) + .seconds(minute * 60 + seconds)
        return Moment(
            instant: instant, wall: WallTime(day: day, minute: minute), zone: "Europe/Berlin",
            steady: SteadyInstant(microseconds: instant.microseconds), dayEnds: Spelling.start(of: day.next))
    }
}

extension Spelling {
    /// For a wall that is always one hour ahead of UTC.
    static var fixed: Self {
        Spelling(
            instant: { instant in
                let style = Date.ISO8601FormatStyle(
                    timeZoneSeparator: .colon, timeZone: TimeZone(secondsFromGMT: 3_600)!)
                return Date(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000).formatted(style)
            }, start: start, at: { start(of: $0.day) + .seconds($0.minute * 60) })
    }

    static func start(of day: CalendarDay) -> Instant {
        Instant(microseconds: (Int64(day.ordinal) * 86_400 - 3_600) * 1_000_000)
    }
}

extension Plan {
    /// The plan after these events, each at its moment.
    init(_ happenings: [(Moment, Happening)]) {
        let actor = Actor(user: 1_000)
        self.init(replaying: happenings.map { Event(moment: $0, actor: actor, client: 1_000, what: $1) })
    }
}

/// As text with its keys in order, for whole comparisons.
func pretty(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

extension Plan {
    private static let morningDays = ["2027-03-03", "2027-03-05", "2027-03-05", "2027-03-06"]
    static let morningTasks = zip(["late", "1", "2", "next"], morningDays).enumerated().map { place, task in
        Assignment(
            id: AssignmentID(stringLiteral: task.0), due: CalendarDay(stringLiteral: task.1), breaths: 3 + place,
            moods: [Mood("calm"), Mood("tired")], position: place
        )
    }

    /// The morning of 5 March with a late task, two of that day and one of the next; and what happened since.
    static func morning(_ happenings: (Moment, Happening)...) -> Plan {
        let morning = Moment.at("2027-03-05")
        let assigned = morningTasks.map { (morning, Happening.assigned($0)) }
        return Plan([(morning, .dayBegan("2027-03-05"))] + assigned + happenings)
    }
}
