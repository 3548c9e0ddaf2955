/// Random numbers that are the same for one seed for ever: Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014.
public struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True once in `number` calls on average.
    public mutating func once(in number: Int) -> Bool { Int.random(in: 0..<number, using: &self) == 0 }

    public mutating func flip() -> Bool { next() & 1 == 0 }

    public mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }
}
