import HomeworkRules
import Time

extension Assignment {
    /// Task 1, with five breaths, due on 2027-03-05, unless given otherwise.
    public static func sample(
        _ id: AssignmentID = "1", due: CalendarDay = "2027-03-05", breaths: Int = 5,
        moods: [Mood] = ["calm", "tired", "hopeful"], pattern: BreathPattern? = nil, position: Int = 0
    ) -> Self {
        Assignment(id: id, due: due, breaths: breaths, moods: moods, pattern: pattern, position: position)
    }
}

extension Schedule.Entry {
    /// The content of `Assignment.sample()`, without its id.
    public static func sample(
        _ id: AssignmentID? = nil, due: CalendarDay = "2027-03-05", breaths: Int = 5,
        moods: [String] = ["calm", "tired", "hopeful"], pattern: BreathPattern? = nil
    ) -> Self {
        do { return try Self(id: id, breaths: breaths, moods: moods, due: due, pattern: pattern) } catch {
            preconditionFailure("a sample must be sound: \(error)")
        }
    }
}

extension Schedule {
    public static func of(_ entries: Entry...) -> Self { of(entries) }

    public static func of(_ entries: [Entry]) -> Self {
        do { return try Self(entries) } catch { preconditionFailure("a sample must be sound: \(error)") }
    }
}

extension Command {
    public static func take(_ entries: Schedule.Entry..., file: String? = nil) -> Self {
        .takeSchedule(.of(entries), file: file.map(Fingerprint.init))
    }

    public static func online(_ lasts: Duration = .seconds(3_600)) -> Self {
        .setPresence(online: true, name: nil, lasts: lasts)
    }

    public static let offline = Command.setPresence(online: false, name: nil, lasts: .zero)
}

extension Happening {
    /// The reminder with that id. Its kind is the middle part: `2027-03-05/unlocked/1`.
    public static func reminds(_ id: String, _ about: Assignment? = nil, count: Int = 1) -> Self {
        let parts = id.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = Reminder.Kind(rawValue: String(parts[1])) else {
            preconditionFailure("\(id) is no reminder's name")
        }
        return .reminded(Reminder(id: id, kind: kind, assignment: about?.id, due: about?.due, count: count))
    }

    /// The assignment unlocks, and its reminder is given.
    public static func opens(_ assignment: Assignment, on day: CalendarDay) -> [Self] {
        [.unlocked(assignment.id), .reminds("\(day)/unlocked/\(assignment.id)", assignment)]
    }
}
