import HomeworkRules
import JSON
import Time

/// The part of an event that depends on its kind: its assignment, and the fields of its body.
struct EventFields {
    /// A value in a body.
    enum Field: Equatable {
        case text(String)
        case number(Int64)
        case texts([String])
    }

    /// A field that is missing, or that no Daybreak can have written. Its value is not repeated, because it may be a mood or a
    /// name.
    struct Fault: Error {
        let field: String
    }

    var assignment: String?
    private var fields: [(name: String, field: Field)] = []

    // MARK: Writing

    /// Fields without a value are left out.
    init(_ assignment: AssignmentID? = nil, _ fields: KeyValuePairs<String, (any EventField)?> = [:]) {
        self.assignment = assignment?.text
        for (name, value) in fields {
            if let value { self.fields.append((name, value.field)) }
        }
    }

    /// A JSON object; nil if there is no field.
    var body: String? {
        guard !fields.isEmpty else { return nil }
        var text: [UInt8] = []
        for (name, field) in fields {
            text.append(UInt8(ascii: text.isEmpty ? "{" : ","))
            text.appendJSON(name)
            text.append(UInt8(ascii: ":"))
            switch field {
            case .text(let value): text.appendJSON(value)
            case .number(let value): text += value.description.utf8
            case .texts(let values):
                text.append(UInt8(ascii: "["))
                for (index, value) in values.enumerated() {
                    if index > 0 { text.append(UInt8(ascii: ",")) }
                    text.appendJSON(value)
                }
                text.append(UInt8(ascii: "]"))
            }
        }
        text.append(UInt8(ascii: "}"))
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Reading

    /// - Parameter body: a JSON object; nil if there is no field.
    init(assignment: String?, body: [UInt8]?) throws(Fault) {
        self.assignment = assignment
        guard let body else { return }
        do throws(JSONError) {
            var reader = JSONReader(body)
            try reader.beginObject()
            fields.reserveCapacity(4)
            while let name = try reader.nextKey() {
                switch try reader.peekKind() {
                case .string: fields.append((name, .text(try reader.readString())))
                case .array:
                    var texts: [String] = []
                    try reader.beginArray()
                    while try reader.nextElement() { texts.append(try reader.readString()) }
                    fields.append((name, .texts(texts)))
                default: fields.append((name, .number(Int64(try reader.readInt()))))
                }
            }
            try reader.end()
        } catch {
            throw Fault(field: "body")
        }
    }

    private func field(_ name: String) -> Field? { fields.first { $0.name == name }?.field }

    func has(_ name: String) -> Bool { field(name) != nil }

    /// The assignment that the event is about.
    func id() throws(Fault) -> AssignmentID {
        guard let id = try optionalID() else { throw Fault(field: "assignment") }
        return id
    }

    /// The assignment that the event is about; nil if it has none.
    func optionalID() throws(Fault) -> AssignmentID? {
        guard let assignment else { return nil }
        guard let id = AssignmentID(assignment) else { throw Fault(field: "assignment") }
        return id
    }

    func text(_ name: String) throws(Fault) -> String {
        guard case .text(let text) = field(name) else { throw Fault(field: name) }
        return text
    }

    func texts(_ name: String) throws(Fault) -> [String] {
        guard case .texts(let texts) = field(name) else { throw Fault(field: name) }
        return texts
    }

    func number(_ name: String) throws(Fault) -> Int { Int(try integer(name, within: Bounds.numbers)) }

    func bool(_ name: String) throws(Fault) -> Bool { try integer(name, within: Bounds.booleans) != 0 }

    func instant(_ name: String) throws(Fault) -> Instant {
        Instant(microseconds: try integer(name, within: Bounds.microseconds))
    }

    func day(_ name: String) throws(Fault) -> CalendarDay {
        guard let day = CalendarDay(try text(name)) else { throw Fault(field: name) }
        return day
    }

    func pattern(_ name: String) throws(Fault) -> BreathPattern {
        do { return try BreathPattern(try text(name)) } catch { throw Fault(field: name) }
    }

    /// The fault of the first text that the rules would have refused: "a control character in its note, …"; nil if there is
    /// none. An erased note is empty.
    func textFault(zone: String) -> String? {
        for (name, field) in [(name: "zone", field: Field.text(zone))] + fields {
            switch field {
            case .text(let text) where name == "note":
                if !text.isEmpty, let fault = Self.noteFault(text) { return fault }
            case .text(let text): if text.hasControlCharacter { return Self.controlCharacter(in: name) }
            case .texts(let texts):
                // Version 3 allowed a tab and a line feed in a choice. They do no harm.
                let harmless: Set<Character> = ["\t", "\n"]
                if texts.contains(where: { $0.filter { !harmless.contains($0) }.hasControlCharacter }) {
                    return Self.controlCharacter(in: name)
                }
            case .number: break
            }
        }
        return nil
    }

    private static func noteFault(_ text: String) -> String? {
        do throws(NoteFault) { _ = try Note(text) } catch {
            switch error {
            case .empty where text.allSatisfy(\.isWhitespace): return "a note without a word"
            // Earlier rules accepted a note of invisible characters, and such a history can still be restored.
            case .empty: return text.hasControlCharacter ? controlCharacter(in: "note") : nil
            case .tooLong: return "a note of more than \(Note.byteLimit) bytes"
            case .controlCharacter: return controlCharacter(in: "note")
            case .tooMany: break
            }
        }
        return nil
    }

    private static func controlCharacter(in field: String) -> String {
        "a control character in its \(field), which a terminal would obey"
    }

    private func integer(_ name: String, within bounds: ClosedRange<Int64>) throws(Fault) -> Int64 {
        guard case .number(let number) = field(name), bounds.contains(number) else { throw Fault(field: name) }
        return number
    }
}

extension String {
    fileprivate var hasControlCharacter: Bool {
        if utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return true }
        // ASCII needs no look into Unicode's tables.
        return utf8.contains { $0 >= 0x80 } && unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

/// The bounds of the numbers that a Daybreak can have written. Within them the rules' arithmetic does not overflow.
enum Bounds {
    /// Minutes of a wall clock's day. A day that begins late has minutes beyond 1440, and a day that begins twice has negative
    /// ones.
    static var minutes: ClosedRange<Int64> { -1_440...2_879 }
    /// The years 1 to 9999, and two more days at each end for the time zones.
    static var microseconds: ClosedRange<Int64> { -62_135_769_600_000_000...253_402_473_600_000_000 }
    static var numbers: ClosedRange<Int64> { 0...Int64(Int32.max) }
    static var users: ClosedRange<Int64> { 0...Int64(UInt32.max) }
    static var booleans: ClosedRange<Int64> { 0...1 }
}

/// A value that can stand in an event's body.
protocol EventField {
    var field: EventFields.Field { get }
}

extension String: EventField {
    var field: EventFields.Field { .text(self) }
}

extension Int: EventField {
    var field: EventFields.Field { .number(Int64(self)) }
}

extension Bool: EventField {
    var field: EventFields.Field { .number(self ? 1 : 0) }
}

extension Instant: EventField {
    var field: EventFields.Field { .number(microseconds) }
}

extension CalendarDay: EventField {
    var field: EventFields.Field { .text(description) }
}

extension BreathPattern: EventField {
    var field: EventFields.Field { .text(description) }
}

extension [Mood]: EventField {
    var field: EventFields.Field { .texts(map(\.word)) }
}
