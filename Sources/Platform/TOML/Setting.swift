/// One setting of a configuration: its name, the values that it takes, and the property that it sets.
///
/// `Values` holds the values of all settings. A new one holds the defaults.
public struct Setting<Values>: Sendable {
    /// Its table: `day` of `day.starts_at`; nil for a key of the outermost level.
    public let table: String?
    /// Nil if the person chooses the table's keys.
    public let key: String?
    /// The values that it takes, and the reason of its bounds: a text that follows "must be".
    public let takes: String
    let isBoolean: Bool
    let take: @Sendable (_ key: String, TOMLNode, inout Values) throws(InvalidValue) -> Void
    private let spell: @Sendable (Values) -> String

    /// `day.starts_at`
    public var name: String { [table, key ?? "…"].compactMap { $0 }.joined(separator: ".") }

    /// The setting's value as TOML spells it: `"04:00"`.
    public func spelled(_ values: Values) -> String { spell(values) }

    /// `name`: the table's and the key's, joined by a full stop.
    public init<Value>(
        _ name: String, _ kind: SettingKind<Value>, _ path: any WritableKeyPath<Values, Value> & Sendable
    ) {
        self.init(name, takes: kind.takes, isBoolean: kind.isBoolean) { values in
            kind.spell(values[keyPath: path])
        } take: { _, node, values throws(InvalidValue) in
            values[keyPath: path] = try kind.read(node)
        }
    }

    /// A setting whose value depends on others, or is read in its own way.
    public init(
        _ name: String, takes: String, spell: @escaping @Sendable (Values) -> String,
        take: @escaping @Sendable (_ key: String, TOMLNode, inout Values) throws(InvalidValue) -> Void
    ) {
        self.init(name, takes: takes, isBoolean: false, spell: spell, take: take)
    }

    /// A setting of a table whose keys the person chooses. Such tables are read first, because other settings may refer to
    /// their keys.
    public init(
        namesIn table: String, takes: String,
        take: @escaping @Sendable (_ key: String, TOMLNode, inout Values) throws(InvalidValue) -> Void
    ) {
        self.table = table
        key = nil
        self.takes = takes
        isBoolean = false
        spell = { _ in "" }
        self.take = take
    }

    private init(
        _ name: String, takes: String, isBoolean: Bool, spell: @escaping @Sendable (Values) -> String,
        take: @escaping @Sendable (_ key: String, TOMLNode, inout Values) throws(InvalidValue) -> Void
    ) {
        let parts = name.split(separator: ".").map(String.init)
        table = parts.count > 1 ? parts[0] : nil
        key = parts[parts.count - 1]
        self.takes = takes
        self.isBoolean = isBoolean
        self.spell = spell
        self.take = take
    }
}

/// The reason why a setting does not take a value.
public struct InvalidValue: Error, Equatable, Sendable {
    /// Follows the setting's name if a part of the value is at fault: `, element 2,`.
    let part: String
    /// The rest of a sentence that begins with the setting's name.
    public let reason: String
    /// The place of the part that is at fault; nil if all of the value is.
    let place: TextPosition?
    /// The faults of further parts.
    private(set) var others: [InvalidValue] = []

    public init(_ reason: String) { self.init(reason, part: "", at: nil) }

    init(_ reason: String, part: String, at place: TextPosition?) {
        self.reason = reason
        self.part = part
        self.place = place
    }

    /// Nil if there are no faults.
    init?(_ faults: [InvalidValue]) {
        guard let first = faults.first else { return nil }
        self = first
        others = faults.flatMap(\.all).dropFirst().map { $0 }
    }

    /// This fault and the others, each by itself.
    var all: [InvalidValue] { [InvalidValue(reason, part: part, at: place)] + others }

    /// The value is of another kind. The sentence names the kind, except for a text, which the person sees.
    public init(_ node: TOMLNode, expected: String) {
        self.init(node.text == nil ? "\(expected) It is \(node.value.kind)." : expected)
    }
}

/// A kind of values: its description, and how a value is read and spelled.
public struct SettingKind<Value>: Sendable {
    let takes: String
    var isBoolean = false
    let read: @Sendable (TOMLNode) throws(InvalidValue) -> Value
    let spell: @Sendable (Value) -> String

    /// `takes` follows "must be".
    public init(
        _ takes: String, spell: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (TOMLNode) throws(InvalidValue) -> Value
    ) {
        self.takes = takes
        self.spell = spell
        self.read = read
    }

    /// `readOrNil` returns nil for a value of another kind.
    public init(
        _ takes: String, spell: @escaping @Sendable (Value) -> String,
        readOrNil: @escaping @Sendable (TOMLNode) -> Value?
    ) {
        self.init(takes, spell: spell) { node throws(InvalidValue) in
            guard let value = readOrNil(node) else { throw InvalidValue(node, expected: "must be \(takes).") }
            return value
        }
    }

    /// The values for which the condition holds. `refusal` follows the setting's name.
    public func only(
        _ condition: @escaping @Sendable (Value) -> Bool, else refusal: @escaping @Sendable (Value) -> String
    ) -> Self {
        let read = read
        return Self(takes, spell: spell) { node throws(InvalidValue) in
            let value = try read(node)
            guard condition(value) else { throw InvalidValue(refusal(value)) }
            return value
        }
    }

    /// The same values, converted to another type.
    public func map<New>(
        _ make: @escaping @Sendable (Value) -> New, back: @escaping @Sendable (New) -> Value
    ) -> SettingKind<New> {
        let (read, spell) = (read, spell)
        return SettingKind<New>(takes, spell: { spell(back($0)) }) { node throws(InvalidValue) in make(try read(node)) }
    }
}
