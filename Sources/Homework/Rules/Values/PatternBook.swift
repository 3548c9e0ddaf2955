import Time

/// Breath patterns by name: those that many know, and one's own.
public struct PatternBook: Hashable, Sendable {
    private var patterns: [String: BreathPattern]

    /// The names that are there without any being configured.
    public static let standard = PatternBook(patterns: [
        "calm": .calm, "box": .box, "4-7-8": .fourSevenEight, "coherent": .coherent,
    ])

    /// A name stands in a schedule, and is typed by hand.
    public static let nameLimit = 32
    /// More of one's own than this nobody tells apart.
    public static let ownLimit = 50

    /// Why something is no pattern.
    public enum Fault: Error, Hashable, Sendable {
        case unknownName(known: [String])
        case unsound(BreathPattern.Fault)
    }

    /// Why a name cannot be given.
    public enum NameFault: Error, Hashable, Sendable {
        case unfit, taken, tooMany
    }

    public var names: [String] { patterns.keys.sorted() }

    /// What a name stands for, or seconds joined by hyphens spell.
    public func pattern(_ text: String) throws(Fault) -> BreathPattern {
        if let known = patterns[text] { return known }
        guard text.utf8.first.map(Self.isDigit) ?? false else { throw .unknownName(known: names) }
        do { return try BreathPattern(text) } catch { throw .unsound(error) }
    }

    /// One's own. A name has up to 32 characters out of `a-z 0-9 -`, a letter first, so that it is never taken for seconds;
    /// what is known already keeps its meaning.
    public mutating func add(_ name: String, _ pattern: BreathPattern) throws(NameFault) {
        let letters = name.utf8
        guard (1...Self.nameLimit).contains(letters.count), letters.first.map(Self.isLetter) ?? false,
            letters.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-") })
        else { throw .unfit }
        guard patterns[name] == nil else { throw .taken }
        guard patterns.count < Self.standard.patterns.count + Self.ownLimit else { throw .tooMany }
        patterns[name] = pattern
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
