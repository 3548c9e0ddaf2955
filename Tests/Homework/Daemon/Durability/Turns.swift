import DiskSupport
import TestSupport
import Testing

/// The numbers of the calls that fail in turn: the first, and then each or one in so many, until no call is left to fail.
struct Turns: CustomStringConvertible {
    private let every: Int
    /// The first number of the sample, by the tests' seed.
    private let begin: Int
    private var number = 0
    private var tried = 0
    private var isOver = false

    /// More calls than any test makes. A test that reaches the limit would not end.
    private static let limit = 1_000

    init(every: Int) {
        self.every = every
        var dice = SplitMix64(seed: testSeed)
        begin = .random(in: 2...(every + 1), using: &dice)
    }

    var description: String { "\(tried) of 1, \(begin), \(begin + every)… in turn" }

    mutating func next() -> Int? {
        guard !isOver, number < Self.limit else { return nil }
        number = number == 0 ? 1 : number == 1 ? begin : number + every
        return number
    }

    /// Records how many calls failed for this number.
    mutating func failed(_ count: Int) {
        isOver = count == 0
        if !isOver { tried += 1 }
    }

    /// The last attempt had no call left to fail, and some earlier ones failed; kinds that not every operation calls may be
    /// absent.
    func expectAll(_ trouble: DiskFaults.Trouble, _ location: SourceLocation = #_sourceLocation) {
        let isCertain = !trouble.kinds.intersection(.disk).isSubset(of: .locks)
        #expect(isOver && (tried > 0 || !isCertain), "\(self)", sourceLocation: location)
    }
}
