/// Random numbers that depend on the seed alone (SplitMix64).
struct SeededRandom {
    private var state: UInt64

    init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// True with this probability, in percent.
    mutating func happens(_ percent: Int) -> Bool { number(in: 1...100) <= percent }

    mutating func one<Element>(of choices: [Element]) -> Element { choices[number(in: 0...choices.count - 1)] }

    /// Picks this many different elements.
    mutating func some<Element>(_ count: Int, of choices: [Element]) -> [Element] {
        var left = choices
        return (0..<min(count, left.count)).map { _ in left.remove(at: number(in: 0...left.count - 1)) }
    }
}
