import Glibc

/// The progress of a long task, on one line of standard error. Prints nothing if that is no terminal.
public struct ProgressBar {
    private let label: String
    private let whole: Int
    private let isShown: Bool

    /// The bar's width in columns; less on a narrow terminal.
    private let width: Int

    public init(_ label: String, of whole: Int) {
        self.label = label
        self.whole = max(1, whole)
        isShown = isatty(STDERR_FILENO) == 1
        width = Self.width(beside: label, columns: Streams.columns(of: STDERR_FILENO) ?? 80)
    }

    /// Two blanks on either side, and `100 %`, leave the last column free.
    static func width(beside label: String, columns: Int) -> Int {
        max(1, min(30, columns - DisplayWidth.of(label) - 10))
    }

    public func show(_ done: Int) { if isShown { Streams.error("\r" + line(done)) } }

    /// Clears the line.
    public func end() { if isShown { Streams.error("\r\u{1B}[K") } }

    /// `Fetching  ███████████████▌               52 %`, the bar in eighths of a character.
    func line(_ done: Int) -> String {
        let share = min(max(0, done), whole) * width * 8 / whole
        let part = share % 8 == 0 ? "" : String(UnicodeScalar(UInt32(0x2590 - share % 8)) ?? " ")
        let bar = String(repeating: "█", count: share / 8) + part
        let rest = String(repeating: " ", count: width - share / 8 - part.count)
        return "\(label)  \(bar)\(rest)  \(min(max(0, done), whole) * 100 / whole) %"
    }
}
