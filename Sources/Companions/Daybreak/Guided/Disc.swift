import Companion

/// The sun: a disc on a canvas, which stays round if cells are not square.
struct Disc {
    /// The centre, in cells from the left and from the top.
    var column: Double
    var row: Double
    /// The radius in pixels, of which a cell has two in its height.
    var radius: Double
    /// The largest radius, which sets the width of the glow.
    var full: Double
    /// The height of a cell divided by its width.
    var aspect: Double
    var rests = false
    /// The visible rows. The horizon hides the rest of the disc.
    var rowsSeen: Range<Int>

    func draw(on canvas: inout Canvas, with palette: Palette) {
        let reach = full * 1.34 + 1
        let wide = reach * aspect / 2
        let columns = max(0, Int(column - wide))..<min(canvas.columns, max(0, Int(column + wide) + 2))
        let rows = max(rowsSeen.lowerBound, Int(row - reach / 2))..<min(rowsSeen.upperBound, Int(row + reach / 2) + 2)
        guard !rows.isEmpty else { return }
        let light = palette.isPainted ? Light(palette, radius: radius, full: full, rests: rests) : nil
        for row in rows where row >= 0 && row < canvas.rows {
            for column in columns {
                canvas[column, row] =
                    light.map { softCell(column, row, palette, $0) }
                    ?? flatCell(column, row, palette, over: canvas[column, row])
            }
        }
    }

    /// Draws a cell as two pixels, one above the other; as one on a terminal with only ASCII.
    private func softCell(_ column: Int, _ row: Int, _ palette: Palette, _ light: Light) -> Canvas.Cell {
        let x = Double(column) + 0.5
        if palette.isASCII {
            return Canvas.Cell(text: " ", ink: palette.plainText, paper: light.at(distance(x, Double(row) + 0.5)))
        }
        let upper = light.at(distance(x, Double(row) + 0.25))
        let lower = light.at(distance(x, Double(row) + 0.75))
        guard upper != lower else { return Canvas.Cell(text: " ", ink: palette.plainText, paper: upper) }
        return Canvas.Cell(text: "▀", ink: upper, paper: lower)
    }

    /// Draws a cell without soft edges: fills its quarters or halves whose centre lies in the disc.
    private func flatCell(_ column: Int, _ row: Int, _ palette: Palette, over old: Canvas.Cell) -> Canvas.Cell {
        let across = palette.hasQuarters ? [0.25, 0.75] : [0.5, 0.5]
        var quarters = 0
        for (bit, point) in [(across[0], 0.25), (across[1], 0.25), (across[0], 0.75), (across[1], 0.75)].enumerated()
        where distance(Double(column) + point.0, Double(row) + point.1) <= radius {
            quarters |= 1 << bit
        }
        guard quarters != 0 else { return old }
        let ink = rests ? palette.flatDusk : palette.flatSun
        if palette.isASCII { return quarters.nonzeroBitCount >= 2 ? Canvas.Cell(text: "#", ink: ink) : old }
        return Canvas.Cell(text: Self.blocks[quarters], ink: ink)
    }

    /// The block characters, by the sum of their filled quarters: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
    private static let blocks = [
        " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
    ]

    /// The distance from the centre, in pixels.
    private func distance(_ x: Double, _ y: Double) -> Double {
        let across = (x - column) * 2 / aspect
        let down = (y - row) * 2
        return (across * across + down * down).squareRoot()
    }
}
