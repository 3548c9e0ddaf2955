/// Lengths on a terminal, in eighths of a cell (Unicode's Block Elements).
enum Eighths {
    private static let fromLeft = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let fromBelow = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The length of a value's bar, where the largest value's has all columns: rounded to the nearest eighth, but at least one
    /// for a value above zero.
    static func length(of value: Double, largest: Double, columns: Int) -> Int {
        guard value > 0, largest > 0, columns > 0 else { return 0 }
        let all = columns * 8
        return max(1, min(all, Int((min(1, value / largest) * Double(all)).rounded())))
    }

    /// A bar of that many eighths.
    static func bar(_ eighths: Int) -> String {
        String(repeating: "█", count: eighths / 8) + fromLeft[eighths % 8]
    }

    /// A cell for each value, where the largest fills its cell and zero is one eighth high; `·` where the value is not known.
    static func line(_ values: [Double?]) -> String {
        let largest = values.compactMap { $0 }.max() ?? 0
        return values.map { value in
            guard let value else { return "·" }
            guard value > 0, largest > 0 else { return fromBelow[0] }
            // Not as low as zero.
            return fromBelow[max(1, Int((min(1, value / largest) * 7).rounded()))]
        }
        .joined()
    }
}
