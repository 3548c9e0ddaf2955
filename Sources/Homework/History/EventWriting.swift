import GRDB
import GRDBSQLite
import HomeworkRules
import Time

/// Writes events as rows. Columns that say nothing of a kind stay NULL, and cost a byte.
struct EventWriter {
    private let statement: OpaquePointer
    // What events that are written together have in common stays bound, or spelled, from one to the next.
    private var moment: Moment?
    private var moods: [Mood] = []
    private var moodList = ""

    /// Good for as long as the database keeps the statement.
    init(_ database: Database) throws {
        statement = try database.cachedStatement(sql: SQL.insert).sqliteStatement
    }

    mutating func write(_ event: Event, at sequence: Int) throws {
        sqlite3_reset(statement)
        for column in Self.ofWhat { sqlite3_bind_null(statement, column.rawValue + 1) }
        put(.sequence, sequence)
        if event.moment != moment { put(event.moment) }
        moment = event.moment
        put(.actor, Int(event.actor.user))
        put(.byDaemon, event.actor.isDaemon)
        put(.client, Int(event.client))
        putWhat(event.what)
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// The columns that not every kind has.
    private static let ofWhat = Column.allCases.filter { $0.rawValue > Column.kind.rawValue }

    private func put(_ moment: Moment) {
        put(.at, moment.instant)
        put(.day, moment.wall.day)
        put(.minute, moment.wall.minute)
        put(.zone, moment.zone)
        sqlite3_bind_int64(statement, Column.steady.rawValue + 1, moment.steady.microseconds)
        put(.dayEnds, moment.dayEnds)
    }

    private mutating func putWhat(_ what: Happening) {
        switch what {
        case .dayBegan(let day): put(.dayBegan, on: day)
        case .dayTakenBack(let day): put(.dayTakenBack, on: day)
        case .assigned(let assignment): put(.assigned, assignment)
        case .revised(let assignment): put(.revised, assignment)
        case .moved(let id, let position):
            put(.moved, id)
            put(.position, position)
        case .withdrawn(let id): put(.withdrawn, id)
        case .scheduleTaken(let change, let file):
            put(.scheduleTaken, file)
            put(change)
        case .scheduleRefused(let file): put(.scheduleRefused, file)
        case .unlocked(let id): put(.unlocked, id)
        case .started(let id, let pattern):
            put(.started, id)
            put(.pattern, pattern.description)
        case .breathingBegan(let id): put(.breathingBegan, id)
        case .breathingPaused(let id): put(.breathingPaused, id)
        case .guideLeft(let id): put(.guideLeft, id)
        case .breathed(let id, let breaths):
            put(.breathed, id)
            put(.breaths, breaths)
        case .exerciseRestarted(let id): put(.exerciseRestarted, id)
        case .exerciseFinished(let id): put(.exerciseFinished, id)
        case .joined(let id): put(.joined, id)
        case .left(let id): put(.left, id)
        case .moodLogged(let id, let mood):
            put(.moodLogged, id)
            put(.mood, mood.word)
        case .moodCorrected(let id, let mood):
            put(.moodCorrected, id)
            put(.mood, mood.word)
        case .erased(let id):
            put(.erased)
            if let id { put(.assignment, id.text) }
        case .noteWritten(let id, let note):
            put(.noteWritten)
            if let id { put(.assignment, id.text) }
            put(.note, note.text)
        case .completed(let id, let day):
            put(.completed, id)
            put(.onDay, day)
        case .cancelled(let id): put(.cancelled, id)
        case .setAside(let id): put(.setAside, id)
        case .presenceTold(let presence): put(presence)
        case .snoozed(let until):
            put(.snoozed)
            put(.until, until)
        case .snoozeEnded: put(.snoozeEnded)
        case .reminded(let reminder): put(.reminded, reminder)
        case .held(let reminder): put(.held, reminder)
        case .reminderSent(let id):
            put(.reminderSent)
            put(.reminder, id)
        }
    }
}

extension EventWriter {
    private func put(_ kind: Kind) { put(.kind, kind.rawValue) }

    private func put(_ kind: Kind, _ id: AssignmentID) {
        put(kind)
        put(.assignment, id.text)
    }

    private func put(_ kind: Kind, on day: CalendarDay) {
        put(kind)
        put(.onDay, day)
    }

    private func put(_ kind: Kind, _ file: Fingerprint?) {
        put(kind)
        if let file { put(.file, file.text) }
    }

    private mutating func put(_ kind: Kind, _ assignment: Assignment) {
        put(kind, assignment.id)
        put(.due, assignment.due)
        put(.breaths, assignment.breaths)
        if assignment.moods != moods || moodList.isEmpty { moodList = JSON.list(of: assignment.moods) }
        moods = assignment.moods
        put(.moods, moodList)
        if let pattern = assignment.pattern { put(.pattern, pattern.description) }
        put(.position, assignment.position)
    }

    private func put(_ change: ScheduleChange) {
        put(.added, change.added)
        put(.changed, change.changed)
        put(.withdrawn, change.withdrawn)
        put(.unchanged, change.unchanged)
        put(.kept, change.kept)
    }

    private func put(_ presence: Presence) {
        put(.presenceTold)
        put(.online, presence.online)
        if let name = presence.name { put(.provider, name) }
        put(.since, presence.since)
        put(.until, presence.until)
    }

    private func put(_ kind: Kind, _ reminder: Reminder) {
        put(kind)
        put(.reminder, reminder.id)
        put(.reminderKind, ReminderName(reminder.kind).rawValue)
        if let id = reminder.assignment { put(.assignment, id.text) }
        if let due = reminder.due { put(.due, due) }
        put(.count, reminder.count)
    }
}

extension EventWriter {
    private func put(_ column: Column, _ number: Int) {
        sqlite3_bind_int64(statement, column.rawValue + 1, Int64(number))
    }

    private func put(_ column: Column, _ truth: Bool) { put(column, truth ? 1 : 0) }

    private func put(_ column: Column, _ instant: Instant) {
        sqlite3_bind_int64(statement, column.rawValue + 1, instant.microseconds)
    }

    private func put(_ column: Column, _ day: CalendarDay) { put(column, day.description) }

    private func put(_ column: Column, _ text: String) {
        // SQLITE_TRANSIENT, a macro that Swift does not import: SQLite copies the text before the call returns.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(statement, column.rawValue + 1, text, Int32(text.utf8.count), copied)
    }
}

extension ReminderName {
    init(_ kind: Reminder.Kind) {
        switch kind {
        case .unlocked: self = .unlocked
        case .stillOpen: self = .stillOpen
        case .overdue: self = .overdue
        case .providerAvailable: self = .providerAvailable
        case .completed: self = .completed
        case .missed: self = .missed
        case .scheduleTaken: self = .scheduleTaken
        case .scheduleRefused: self = .scheduleRefused
        }
    }

    var kind: Reminder.Kind {
        switch self {
        case .unlocked: .unlocked
        case .stillOpen: .stillOpen
        case .overdue: .overdue
        case .providerAvailable: .providerAvailable
        case .completed: .completed
        case .missed: .missed
        case .scheduleTaken: .scheduleTaken
        case .scheduleRefused: .scheduleRefused
        }
    }
}

/// JSON as far as a list of moods needs it (RFC 8259).
enum JSON {
    static func list(of moods: [Mood]) -> String {
        "[" + moods.map { "\"" + escaped($0.word) + "\"" }.joined(separator: ",") + "]"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\0"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
