/// A place in a text: line and column, both from 1. Columns count Unicode scalars.
public struct TextPosition: Comparable, Hashable, Sendable {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (one: Self, other: Self) -> Bool { (one.line, one.column) < (other.line, other.column) }
}

/// A fault in a text.
public struct TOMLFault: Error, Equatable, Sendable {
    public let place: TextPosition
    /// One or more sentences for a terminal.
    public let reason: String
}

/// A value of a TOML text (TOML 1.0).
public enum TOMLValue {
    case text(String)
    /// A whole number that fits into 64 bits.
    case number(Int)
    case boolean(Bool)
    /// A local time as the text spells it: `09:00:00`.
    case time(String)
    /// A value that no setting takes: `a number` with a fraction, `a date`, `a date with a time`.
    case other(kind: String)
    case array([TOMLNode])
    case table(TOMLTable)

    /// `a text`
    var kind: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .boolean: "true or false"
        case .time: "a time"
        case .other(let kind): kind
        case .array: "an array"
        case .table: "a table"
        }
    }
}

/// A value, and where it begins.
public struct TOMLNode {
    public fileprivate(set) var value: TOMLValue
    public let place: TextPosition

    public var text: String? { if case .text(let text) = value { text } else { nil } }
    public var number: Int? { if case .number(let number) = value { number } else { nil } }
    public var boolean: Bool? { if case .boolean(let boolean) = value { boolean } else { nil } }
    public var array: [TOMLNode]? { if case .array(let array) = value { array } else { nil } }
    public var table: TOMLTable? { if case .table(let table) = value { table } else { nil } }
}

/// A table: its entries in the order of the text.
public final class TOMLTable {
    public struct Entry {
        public let key: String
        /// The first place of the key.
        public let place: TextPosition
        public fileprivate(set) var node: TOMLNode
        /// True for an array of tables, to which another header `[[key]]` adds a table.
        let isExtensible: Bool
    }

    /// The first spelling of a table. It decides what may add to the table later.
    enum Spelling {
        /// `[a.b]` made `a`; a header `[a]` may follow.
        case parent
        /// `[a]` or `[[a]]`
        case header
        /// `a.b = 1` made `a`; other dotted keys may follow.
        case dotted
        /// `{}`; nothing may follow.
        case inline
    }

    public private(set) var entries: [Entry] = []
    private var positions: [String: Int] = [:]
    var spelling: Spelling
    /// How many tables and arrays contain it.
    let depth: Int

    init(_ spelling: Spelling, depth: Int) {
        self.spelling = spelling
        self.depth = depth
    }

    public subscript(key: String) -> Entry? { positions[key].map { entries[$0] } }

    func add(_ key: String, at place: TextPosition, _ node: TOMLNode, isExtensible: Bool = false) {
        positions[key] = entries.count
        entries.append(Entry(key: key, place: place, node: node, isExtensible: isExtensible))
    }

    /// Ends an inline table, and the tables that dotted keys made in it.
    func close() {
        spelling = .inline
        for entry in entries {
            if let table = entry.node.table, table.spelling == .dotted { table.close() }
        }
    }

    /// Adds a table to the key's array.
    func extend(_ key: String, by table: TOMLNode) {
        guard let position = positions[key], case .array(var tables) = entries[position].node.value else { return }
        entries[position].node.value = .boolean(true)  // Otherwise the array would be copied each time.
        tables.append(table)
        entries[position].node.value = .array(tables)
    }
}
