/// The bytes that turn one screen into the next: only what changed is sent.
struct CanvasUpdate {
    /// Begin and end of a synchronized update (DEC private mode 2026); terminals that do not know it pass over it.
    static let begin = "\u{1B}[?2026h"
    static let end = "\u{1B}[?2026l"

    private var text = ""
    private var column = -1
    private var row = -1
    /// How the terminal writes now; nil where that is not known.
    private var style: Canvas.Cell?

    /// Empty where nothing changed. Without an `old`, or one of another size, everything is sent.
    static func bytes(from old: Canvas?, to new: Canvas) -> String {
        var update = CanvasUpdate()
        let known = old.flatMap { $0.columns == new.columns && $0.rows == new.rows ? $0 : nil }
        if known == nil { update.text = "\u{1B}[0m\u{1B}[2J" }
        for row in 0..<new.rows {
            for column in 0..<new.columns where known?[column, row] != new[column, row] {
                update.send(new[column, row], column: column, row: row)
            }
        }
        return update.text.isEmpty ? "" : begin + update.text + "\u{1B}[0m" + end
    }

    private mutating func send(_ cell: Canvas.Cell, column: Int, row: Int) {
        guard !cell.text.isEmpty else { return }  // The character before it covers it.
        if row != self.row || column != self.column { text += "\u{1B}[\(row + 1);\(column + 1)H" }
        put(on: cell)
        text += cell.text
        self.row = row
        self.column = column + (cell.text.first.map(DisplayWidth.of) ?? 1)
    }

    private mutating func put(on cell: Canvas.Cell) {
        var codes: [String] = []
        if style == nil || (style?.isBold == true && !cell.isBold) || (style?.isReversed == true && !cell.isReversed) {
            codes.append("0")
            style = Canvas.Cell(text: "")
        }
        if cell.isBold && style?.isBold != true { codes.append("1") }
        if cell.isReversed && style?.isReversed != true { codes.append("7") }
        if cell.ink != style?.ink { codes.append(Self.code(cell.ink, base: 30)) }
        if cell.paper != style?.paper { codes.append(Self.code(cell.paper, base: 40)) }
        if !codes.isEmpty { text += "\u{1B}[\(codes.joined(separator: ";"))m" }
        style = cell
    }

    /// SGR (ECMA-48, 8.3.117; ITU-T T.416 for the colours): 30 for ink, 40 for paper.
    private static func code(_ pigment: Pigment, base: Int) -> String {
        switch pigment {
        case .standard: "\(base + 9)"
        case .basic(let index): "\(index < 8 ? base + Int(index) : base + 52 + Int(index))"
        case .indexed(let index): "\(base + 8);5;\(index)"
        case .full(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
        }
    }
}
