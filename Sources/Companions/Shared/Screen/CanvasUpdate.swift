/// The bytes that turn one screen into the next: only changed cells are sent.
public struct CanvasUpdate {
    /// Begin and end of a synchronized update (DEC private mode 2026); terminals that do not know it ignore it.
    public static let begin = "\u{1B}[?2026h"
    public static let end = "\u{1B}[?2026l"

    private var bytes: [UInt8] = []
    private var column = -1
    private var row = -1
    /// The style in which the terminal writes now; nil if it is unknown.
    private var style: Canvas.Cell?
    /// No code was sent for the cell yet.
    private var isFirstCode = true

    /// Empty if nothing changed. Without an `old` of the same size, everything is sent.
    public static func bytes(from old: Canvas?, to new: Canvas) -> String {
        var update = CanvasUpdate()
        let known = old.flatMap { $0.columns == new.columns && $0.rows == new.rows ? $0.cells : nil }
        if known == nil { update.bytes += "\u{1B}[0m\u{1B}[2J".utf8 }
        for (place, cell) in new.cells.enumerated() {
            if let known, known[place] == cell { continue }
            update.send(cell, column: place % new.columns, row: place / new.columns)
        }
        guard !update.bytes.isEmpty else { return "" }
        return begin + String(decoding: update.bytes, as: UTF8.self) + "\u{1B}[0m" + end
    }

    private mutating func send(_ cell: Canvas.Cell, column: Int, row: Int) {
        guard !cell.text.isEmpty else { return }  // The character before it covers it.
        if row != self.row || column != self.column {
            bytes += "\u{1B}[".utf8
            put(row + 1)
            bytes.append(UInt8(ascii: ";"))
            put(column + 1)
            bytes.append(UInt8(ascii: "H"))
        }
        put(on: cell)
        bytes += cell.text.utf8
        self.row = row
        self.column = column + (cell.text.first.map(DisplayWidth.of) ?? 1)
    }

    private mutating func put(on cell: Canvas.Cell) {
        isFirstCode = true
        if style == nil || (style?.isBold == true && !cell.isBold) || (style?.isReversed == true && !cell.isReversed) {
            code(0)
            style = Canvas.Cell(text: "")
        }
        if cell.isBold && style?.isBold != true { code(1) }
        if cell.isReversed && style?.isReversed != true { code(7) }
        if cell.ink != style?.ink { code(cell.ink, base: 30) }
        if cell.paper != style?.paper { code(cell.paper, base: 40) }
        if !isFirstCode { bytes.append(UInt8(ascii: "m")) }
        style = cell
    }

    /// SGR (ECMA-48, 8.3.117; ITU-T T.416 for the colours): 30 for ink, 40 for paper.
    private mutating func code(_ pigment: Pigment, base: Int) {
        switch pigment {
        case .standard: code(base + 9)
        case .basic(let index): code(index < 8 ? base + Int(index) : base + 52 + Int(index))
        case .indexed(let index): for number in [base + 8, 5, Int(index)] { code(number) }
        case .full(let red, let green, let blue):
            code(base + 8)
            code(2)
            code(Int(red))
            code(Int(green))
            code(Int(blue))
        }
    }

    private mutating func code(_ number: Int) {
        bytes += (isFirstCode ? "\u{1B}[" : ";").utf8
        isFirstCode = false
        put(number)
    }

    /// Appends a number of up to five decimal digits.
    private mutating func put(_ number: Int) {
        var power = 10_000
        while power > max(1, number) { power /= 10 }
        while power > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / power % 10))
            power /= 10
        }
    }
}
