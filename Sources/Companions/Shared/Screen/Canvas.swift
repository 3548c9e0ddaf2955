/// The cells of a screen.
public struct Canvas: Equatable {
    public struct Cell: Equatable {
        /// Empty in the second half of a wide character.
        public var text: String
        public var ink = Pigment.standard
        public var paper = Pigment.standard
        public var isBold = false
        public var isReversed = false

        public init(
            text: String, ink: Pigment = .standard, paper: Pigment = .standard, isBold: Bool = false
        ) {
            self.text = text
            self.ink = ink
            self.paper = paper
            self.isBold = isBold
        }
    }

    public let columns: Int
    public let rows: Int
    private(set) var cells: [Cell]

    public init(columns: Int, rows: Int, paper: Pigment = .standard) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Cell(text: " ", paper: paper), count: columns * rows)
    }

    public subscript(column: Int, row: Int) -> Cell {
        get { cells[row * columns + column] }
        set { cells[row * columns + column] = newValue }
    }

    public func contains(_ column: Int, _ row: Int) -> Bool {
        (0..<columns).contains(column) && (0..<rows).contains(row)
    }

    /// Writes over the cells and keeps their paper. Characters that do not fit are left off whole.
    public mutating func write(_ text: String, column: Int, row: Int, ink: Pigment, bold: Bool = false) {
        guard (0..<rows).contains(row) else { return }
        var column = column
        for character in text.shown {
            let width = DisplayWidth.of(character)
            guard width > 0, column + width <= columns else { continue }
            if column >= 0 {
                let paper = self[column, row].paper
                self[column, row] = Cell(text: String(character), ink: ink, paper: paper, isBold: bold)
                if width == 2 { self[column + 1, row] = Cell(text: "", ink: ink, paper: paper) }
            }
            column += width
        }
    }

    /// Writes a whole line. A bar, and a line that is selected, are reversed to the right edge.
    public mutating func line(
        _ text: String, row: Int, isBar: Bool = false, isBold: Bool = false, isReversed: Bool = false
    ) {
        write(text, column: 0, row: row, ink: .standard, bold: isBold || isBar)
        guard isBar || isReversed, (0..<rows).contains(row) else { return }
        for column in 0..<columns { self[column, row].isReversed = true }
    }

    /// The characters, line by line, without the spaces at the ends.
    public var plainText: String {
        (0..<rows).map { row in
            var line = (0..<columns).map { self[$0, row].text }.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
        .joined(separator: "\n")
    }
}
