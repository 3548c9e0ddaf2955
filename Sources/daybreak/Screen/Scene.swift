import Control

/// The size of a terminal.
struct ScreenSize: Equatable {
    var columns: Int
    var rows: Int
    /// How much taller a cell is than wide.
    var aspect = 2.0
}

/// What the screen shows of a walk at one time: a pure function of both.
struct Scene {
    let walk: Walk
    /// Seconds of the client's monotonic clock.
    let time: Double
    let size: ScreenSize
    let palette: Palette
    var canvas: Canvas

    static func draw(_ walk: Walk, at time: Double, size: ScreenSize, palette: Palette) -> Canvas {
        var scene = Scene(walk: walk, time: time, size: size, palette: palette)
        scene.draw()
        return scene.canvas
    }

    private init(walk: Walk, time: Double, size: ScreenSize, palette: Palette) {
        self.walk = walk
        self.time = time
        self.size = size
        self.palette = palette
        canvas = Canvas(columns: size.columns, rows: size.rows, paper: palette.paper)
    }

    private mutating func draw() {
        if walk.page == .exercise { drawExercise() } else { drawPage() }
        drawFoot()
    }

    /// Too small for pictures: words only.
    var isTiny: Bool { size.columns < 30 || size.rows < 11 }
    /// Room enough for empty lines between the parts.
    var isRoomy: Bool { size.rows >= 16 }

    mutating func centre(_ text: String, row: Int, ink: Pigment, bold: Bool = false) {
        let text = text.shown.cut(to: size.columns)
        canvas.write(text, column: (size.columns - DisplayWidth.of(text)) / 2, row: row, ink: ink, bold: bold)
    }
}

// The foot: the question or the quiet line, and the keys that work now.
extension Scene {
    /// The first row that the foot takes; the page ends above it.
    var footRow: Int { quietRow(quietLines.count) - (quietLines.isEmpty ? 0 : gap) }

    /// The same on the exercise's page, whatever may yet be offered there: the circle must not jump.
    private var steadyFootRow: Int {
        var offered = walk
        offered.flow?.mayJoin = true
        let hints = size.rows - margin - hintRows(offered.hints).count
        return hints - gap - (size.columns < 54 ? 2 : 1) - gap
    }

    private var margin: Int { isRoomy ? 1 : 0 }
    private var gap: Int { isRoomy ? 1 : 0 }

    private func quietRow(_ count: Int) -> Int {
        size.rows - margin - hintRows(walk.hints).count - gap - count
    }

    private var quietLines: [String] {
        let said = walk.question.map(Wording.Guided.question) ?? Wording.Guided.quiet(walk).joined(separator: " ")
        return said.isEmpty ? [] : Array(said.balanced(to: max(1, size.columns - 2)).prefix(isTiny ? 1 : 2))
    }

    private mutating func drawFoot() {
        let lines = quietLines
        for (place, line) in lines.enumerated() {
            centre(line, row: quietRow(lines.count) + place, ink: palette.warmText, bold: walk.question != nil)
        }
        let rows = hintRows(walk.hints)
        for (place, hints) in rows.enumerated() {
            draw(hints, row: size.rows - margin - rows.count + place)
        }
    }

    private mutating func draw(_ hints: [KeyHint], row: Int) {
        var column = (size.columns - width(of: hints)) / 2
        for hint in hints {
            canvas.write(hint.key, column: column, row: row, ink: palette.plainText, bold: true)
            column += DisplayWidth.of(hint.key) + 1
            canvas.write(hint.does, column: column, row: row, ink: palette.faintText)
            column += DisplayWidth.of(hint.does) + hintGap
        }
    }

    private var hintGap: Int { size.columns < 60 ? 2 : 3 }

    private func width(of hints: [KeyHint]) -> Int {
        hints.reduce(-hintGap) { $0 + DisplayWidth.of($1.key) + 1 + DisplayWidth.of($1.does) + hintGap }
    }

    private func hintRows(_ hints: [KeyHint]) -> [[KeyHint]] {
        var rows: [[KeyHint]] = [[]]
        for hint in hints {
            let last = rows[rows.count - 1]
            if !last.isEmpty, width(of: last + [hint]) > size.columns - 2 { rows.append([]) }
            rows[rows.count - 1].append(hint)
        }
        return rows
    }
}

// The exercise.
extension Scene {
    private var breathing: Breathing? {
        walk.pace.map { Breathing($0, at: time, isRunning: walk.isConnected && walk.guide == .us) }
    }

    private mutating func drawExercise() {
        guard let pace = walk.pace, let breathing else {
            return centre(Wording.Guided.settling, row: size.rows / 2, ink: palette.faintText)
        }
        let word = max(0, steadyFootRow - 2)
        if !isTiny { drawCircle(breathing, pace, above: word) }
        let count = isTiny && !rests ? " \(breathing.count)" : ""
        let said = rests ? Wording.Guided.paused : Wording.phase(breathing.phase)
        centre(said + count, row: word, ink: palette.warmText, bold: true)
        centre(detail(pace, breathing), row: word + 1, ink: palette.faintText)
    }

    /// Nothing moves: paused, led elsewhere, or the daemon is away.
    private var rests: Bool { walk.isPaused || walk.guide != .us || !walk.isConnected }

    private func detail(_ pace: Walk.Pace, _ breathing: Breathing) -> String {
        if walk.guide == .somebodyElse { return Wording.Guided.elsewhere }
        let place = Wording.Guided.place(pace.exercise, left: breathing.remaining)
        return DisplayWidth.of(place) <= size.columns ? place : Wording.Guided.breathHeading(pace.exercise)
    }

    private mutating func drawCircle(_ breathing: Breathing, _ pace: Walk.Pace, above word: Int) {
        let room = isRoomy ? 1..<(word - 1) : 0..<word
        let widest = Double(size.columns - 4) / size.aspect
        let full = min(Double(room.count) * (isRoomy ? 0.93 : 1), widest)
        let middle = Double(room.lowerBound + room.upperBound) / 2
        let sun = Sun(
            column: Double(size.columns / 2) + 0.5, row: middle, radius: full * breathing.radius, full: full,
            aspect: size.aspect, rests: rests, rowsSeen: 0..<word)
        sun.draw(on: &canvas, with: palette)
        if !rests { write(count: breathing.count, sun) }
    }

    /// In the middle of the sun, dark on bright.
    private mutating func write(count: Int, _ sun: Sun) {
        let digits = String(count)
        let row = Int(sun.row)
        let first = size.columns / 2 - (digits.count - 1) / 2
        for (place, digit) in digits.enumerated() where canvas.contains(first + place, row) {
            let column = first + place
            var cell = canvas[column, row]
            if palette.isPainted {
                cell.paper = cell.text == " " ? cell.paper : cell.ink
                cell.ink = palette.darkText
            } else if cell.text != " " {
                (cell.ink, cell.paper) = (palette.darkText, palette.flatSun)
                cell.isReversed = palette.depth == .none
            }
            cell.text = String(digit)
            cell.isBold = true
            canvas[column, row] = cell
        }
    }
}
