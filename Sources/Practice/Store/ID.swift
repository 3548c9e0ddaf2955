public import Storage

/// A type with identifiers, and their first letter.
public protocol Identified {
    static var letter: Character { get }
}

/// An identifier: the kind's letter and a number that is never used again. `p17` is a person.
public struct ID<Kind: Identified>: Hashable, Sendable, CustomStringConvertible, Bindable {
    public let number: Int64

    public init(_ number: Int64) { self.number = number }

    /// Text that cannot be an identifier of this kind becomes one that does not exist. The query takes as long as for any
    /// other.
    public init(_ text: String) {
        let number = text.utf8.dropFirst()
        // Feedback without a name has numbers below zero.
        let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
        let isSpelled =
            text.first == Kind.letter && digits.first != UInt8(ascii: "0")
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        self.number = isSpelled ? Int64(text.dropFirst()) ?? 0 : 0
    }

    public var description: String { "\(Kind.letter)\(number)" }
    public var databaseValue: Value { .integer(number) }
}

extension Row {
    /// Nil if it is NULL.
    func id<Kind>(_ column: Int) -> ID<Kind>? { integer(column).map { ID($0) } }
}
