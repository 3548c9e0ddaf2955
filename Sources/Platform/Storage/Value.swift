/// A value as SQLite stores it.
public enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A type whose values can be a statement's parameters.
public protocol Bindable {
    var databaseValue: Value { get }
}

extension Value: Bindable {
    public var databaseValue: Value { self }
}

extension Int: Bindable {
    public var databaseValue: Value { .integer(Int64(self)) }
}

extension Int64: Bindable {
    public var databaseValue: Value { .integer(self) }
}

extension UInt32: Bindable {
    public var databaseValue: Value { .integer(Int64(self)) }
}

extension Bool: Bindable {
    public var databaseValue: Value { .integer(self ? 1 : 0) }
}

extension Double: Bindable {
    public var databaseValue: Value { .real(self) }
}

extension String: Bindable {
    public var databaseValue: Value { .text(self) }
}

extension [UInt8]: Bindable {
    public var databaseValue: Value { .blob(self) }
}

extension Optional: Bindable where Wrapped: Bindable {
    public var databaseValue: Value { self?.databaseValue ?? .null }
}
