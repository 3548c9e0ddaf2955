import GRDB
import Glibc
import HomeworkRules
import Time

/// Reads rows back as events. What repeats from row to row is made once: zones, days, patterns, lists of moods.
struct EventReader<Source: EventRow> {
    /// The one to be read next.
    var row: Source
    private let database: Database
    private var zone = Memo<String>()
    private var id = Memo<AssignmentID>()
    private var day = Memo<CalendarDay>()
    private var due = Memo<CalendarDay>()
    private var breathing = Memo<BreathPattern>()
    private var moods = Memo<[Mood]>()
    private var moodLists: [String: [Mood]] = [:]

    private let kinds = KindTable()

    init(_ row: Source, in database: Database) {
        self.row = row
        self.database = database
    }

    mutating func event() throws(HistoryError) -> Event {
        Event(moment: try moment(), actor: try actor(), client: try user(.client), what: try what())
    }

    private mutating func moment() throws(HistoryError) -> Moment {
        guard let shown = day.value(for: try bytes(.day), or: { CalendarDay($0) }) else { throw wrong(.day) }
        let wall = WallTime(day: shown, minute: Int(try integer(.minute, within: Bounds.minutes)))
        let steady = SteadyInstant(microseconds: try integer(.steady, within: Bounds.microseconds))
        return Moment(
            instant: try instant(.at), wall: wall, zone: try zoneName(), steady: steady, dayEnds: try instant(.dayEnds))
    }

    private func actor() throws(HistoryError) -> Actor {
        Actor(user: try user(.actor), isDaemon: try truth(.byDaemon))
    }

    private mutating func what() throws(HistoryError) -> Happening {
        guard let kind = kinds[try bytes(.kind)] else { throw wrong(.kind) }
        switch kind {
        case .dayBegan: return .dayBegan(try onDay())
        case .dayTakenBack: return .dayTakenBack(to: try onDay())
        case .assigned: return .assigned(try assigned())
        case .revised: return .revised(try assigned())
        case .moved: return .moved(try assignment(), position: try number(.position))
        case .withdrawn: return .withdrawn(try assignment())
        case .scheduleTaken: return .scheduleTaken(try change(), file: try file())
        case .scheduleRefused: return .scheduleRefused(file: try file())
        case .unlocked: return .unlocked(try assignment())
        case .started: return .started(try assignment(), try pattern())
        case .breathingBegan: return .breathingBegan(try assignment())
        case .breathingPaused: return .breathingPaused(try assignment())
        case .guideLeft: return .guideLeft(try assignment())
        case .breathed: return .breathed(try assignment(), breaths: try number(.breaths))
        case .exerciseRestarted: return .exerciseRestarted(try assignment())
        case .exerciseFinished: return .exerciseFinished(try assignment())
        case .joined: return .joined(try assignment())
        case .left: return .left(try assignment())
        case .moodLogged: return .moodLogged(try assignment(), Mood(try text(.mood)))
        case .moodCorrected: return .moodCorrected(try assignment(), Mood(try text(.mood)))
        case .erased: return .erased(isNull(.assignment) ? nil : try assignment())
        case .noteWritten:
            return .noteWritten(isNull(.assignment) ? nil : try assignment(), Note(recorded: try text(.note)))
        case .completed: return .completed(try assignment(), on: try onDay())
        case .cancelled: return .cancelled(try assignment())
        case .setAside: return .setAside(try assignment())
        case .presenceTold: return .presenceTold(try presence())
        case .snoozed: return .snoozed(until: try instant(.until))
        case .snoozeEnded: return .snoozeEnded
        case .reminded: return .reminded(try reminder())
        case .held: return .held(try reminder())
        case .reminderSent: return .reminderSent(try text(.reminder))
        }
    }
}

extension EventReader {
    private mutating func onDay() throws(HistoryError) -> CalendarDay {
        guard let found = day.value(for: try bytes(.onDay), or: { CalendarDay($0) }) else { throw wrong(.onDay) }
        return found
    }

    private mutating func dueDay() throws(HistoryError) -> CalendarDay {
        guard let found = due.value(for: try bytes(.due), or: { CalendarDay($0) }) else { throw wrong(.due) }
        return found
    }

    private mutating func assignment() throws(HistoryError) -> AssignmentID {
        guard let found = id.value(for: try bytes(.assignment), or: { AssignmentID($0) }) else {
            throw wrong(.assignment)
        }
        return found
    }

    private mutating func assigned() throws(HistoryError) -> Assignment {
        Assignment(
            id: try assignment(), due: try dueDay(), breaths: try number(.breaths), moods: try moodList(),
            pattern: isNull(.pattern) ? nil : try pattern(), position: try number(.position))
    }

    private func change() throws(HistoryError) -> ScheduleChange {
        ScheduleChange(
            added: try number(.added), changed: try number(.changed), withdrawn: try number(.withdrawn),
            unchanged: try number(.unchanged), kept: try number(.kept))
    }

    private func file() throws(HistoryError) -> Fingerprint? {
        isNull(.file) ? nil : Fingerprint(try text(.file))
    }

    private mutating func pattern() throws(HistoryError) -> BreathPattern {
        // Which fault it is, is no matter here.
        guard let found = breathing.value(for: try bytes(.pattern), or: { try? BreathPattern($0) }) else {
            throw wrong(.pattern)
        }
        return found
    }

    private func presence() throws(HistoryError) -> Presence {
        Presence(
            online: try truth(.online), name: isNull(.provider) ? nil : try text(.provider),
            since: try instant(.since), until: try instant(.until))
    }

    private mutating func reminder() throws(HistoryError) -> Reminder {
        guard let kind = ReminderName(rawValue: try text(.reminderKind))?.kind else { throw wrong(.reminderKind) }
        return Reminder(
            id: try text(.reminder), kind: kind, assignment: isNull(.assignment) ? nil : try assignment(),
            due: isNull(.due) ? nil : try dueDay(), count: try number(.count))
    }
}

extension EventReader {
    private func isNull(_ column: Column) -> Bool { row.isNull(column) }

    @inline(__always)
    private func integer(_ column: Column, within bounds: ClosedRange<Int64>) throws(HistoryError) -> Int64 {
        guard let found = row.integer(column), bounds.contains(found) else { throw wrong(column) }
        return found
    }

    private func number(_ column: Column) throws(HistoryError) -> Int {
        Int(try integer(column, within: Bounds.numbers))
    }

    private func truth(_ column: Column) throws(HistoryError) -> Bool {
        try integer(column, within: Bounds.truth) != 0
    }

    private func instant(_ column: Column) throws(HistoryError) -> Instant {
        Instant(microseconds: try integer(column, within: Bounds.microseconds))
    }

    private func user(_ column: Column) throws(HistoryError) -> UInt32 {
        UInt32(try integer(column, within: Bounds.users))
    }

    private func bytes(_ column: Column) throws(HistoryError) -> UnsafeBufferPointer<UInt8> {
        guard let found = row.bytes(column) else { throw wrong(column) }
        return found
    }

    private func text(_ column: Column) throws(HistoryError) -> String {
        String(decoding: try bytes(column), as: UTF8.self)
    }

    private mutating func zoneName() throws(HistoryError) -> String {
        guard let found = zone.value(for: try bytes(.zone), or: { $0 }) else { throw wrong(.zone) }
        return found
    }

    private mutating func moodList() throws(HistoryError) -> [Mood] {
        let found = try bytes(.moods)
        if let last = moods.value(for: found, or: { moodLists[$0] }) { return last }
        let list = String(decoding: found, as: UTF8.self)
        do {
            moodLists[list] = try String.fetchAll(database, sql: SQL.moodsOfList, arguments: [list]).map { Mood($0) }
        } catch { throw wrong(.moods) }
        return moodLists[list] ?? []
    }

    /// The value itself may be a mood or a name, and is not repeated.
    private func wrong(_ column: Column) -> HistoryError {
        .damaged(reason: "The history is damaged: event \(row.sequence) has no sound \(column.name)")
    }
}

/// What stands outside of these no Daybreak wrote. Inside of them nothing overflows that the rules count.
private enum Bounds {
    /// Of a wall: the small hours of a long day count on, and a day that begins twice goes on before its midnight.
    static var minutes: ClosedRange<Int64> { -1_440...2_879 }
    /// Of the years 1 to 9999, and two days more at each end for the zones.
    static var microseconds: ClosedRange<Int64> { -62_135_769_600_000_000...253_402_473_600_000_000 }
    static var numbers: ClosedRange<Int64> { 0...Int64(Int32.max) }
    static var users: ClosedRange<Int64> { 0...Int64(UInt32.max) }
    static var truth: ClosedRange<Int64> { 0...1 }
}

/// The last value read in a column, and the bytes that it was made from.
private struct Memo<Value> {
    private var bytes: [UInt8] = []
    private var value: Value?

    /// The last value where the bytes are the same again, else what can be made of their text.
    mutating func value(for found: UnsafeBufferPointer<UInt8>, or make: (String) -> Value?) -> Value? {
        if let value, bytes.isSame(as: found) { return value }
        guard let made = make(String(decoding: found, as: UTF8.self)) else { return nil }
        bytes = Array(found)
        value = made
        return made
    }
}

/// Finds a kind by the bytes of its name: one look for every event of a long replay.
private struct KindTable {
    private var places: [(name: [UInt8], kind: Kind)?]

    init() {
        places = Array(repeating: nil, count: 64)
        for kind in Kind.allCases {
            let name = Array(kind.rawValue.utf8)
            var place = name.withUnsafeBufferPointer(Self.place)
            while places[place] != nil { place = (place + 1) & 63 }
            places[place] = (name, kind)
        }
    }

    subscript(name: UnsafeBufferPointer<UInt8>) -> Kind? {
        var place = Self.place(of: name)
        while let found = places[place] {
            if found.name.isSame(as: name) { return found.kind }
            place = (place + 1) & 63
        }
        return nil
    }

    private static func place(of name: UnsafeBufferPointer<UInt8>) -> Int {
        guard let first = name.first, let last = name.last else { return 0 }
        return (name.count &+ Int(first) &* 27 &+ Int(last) &* 6) & 63
    }
}

extension [UInt8] {
    fileprivate func isSame(as found: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == found.count, let start = found.baseAddress else { return false }
        return memcmp(self, start, count) == 0
    }
}
