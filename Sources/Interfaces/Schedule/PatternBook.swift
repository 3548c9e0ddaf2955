import Time

/// Breath patterns by name: the standard ones and those of the configuration.
public struct PatternBook: Hashable, Sendable {
    private var patterns: [String: BreathPattern]

    /// The names that need no configuration.
    public static let standard = PatternBook(patterns: [
        "calm": .calm, "box": .box, "4-7-8": .fourSevenEight, "coherent": .coherent,
    ])

    /// Characters of a name, which is typed by hand.
    public static let nameLimit = 32
    /// How many patterns a configuration may add.
    public static let ownLimit = 50

    /// The reason why a text is no pattern.
    public enum Fault: Error, Hashable, Sendable {
        case unknownName(known: [String])
        case unsound(BreathPattern.Fault)
    }

    /// The reason why a name cannot be added.
    public enum NameFault: Error, Hashable, Sendable {
        case unfit, taken, tooMany
    }

    public var names: [String] { patterns.keys.sorted() }

    /// The pattern with this name, or with these seconds joined by hyphens.
    public func pattern(_ text: String) throws(Fault) -> BreathPattern {
        if let known = patterns[text] { return known }
        guard text.utf8.first.map(Self.isDigit) ?? false else { throw .unknownName(known: names) }
        do { return try BreathPattern(text) } catch { throw .unsound(error) }
    }

    /// Adds a pattern of the configuration. A name has 1 to 32 characters out of `a-z 0-9 -`; the first is a letter, so that
    /// a name is never read as seconds. A name that exists cannot be added again.
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

extension PatternBook.Fault {
    /// The fault as a sentence for people. It does not repeat the text, because it may end in the journal.
    public var sentence: String {
        switch self {
        case .unknownName(let known):
            "There is no pattern of that name; there are \(known.joined(separator: ", ")), and seconds such as 4-0-6-0."
        case .unsound(.unreadable):
            "A pattern is the seconds of inhale, hold, exhale and hold, such as 4-0-6-0: one or two digits each, and at "
                + "most one more after a point."
        case .unsound(.noBreath): "A pattern needs seconds to inhale and seconds to exhale."
        case .unsound(.cycleOutOfBounds):
            "A pattern takes 2 to 60 seconds in all: less is panting, and no breath takes longer."
        }
    }
}
