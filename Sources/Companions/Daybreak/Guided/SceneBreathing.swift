import Companion
import DaybreakInterfaces

// The breathing: led through the exercise, or along with the circle in the wait room.
extension Scene {
    mutating func drawBreathing() {
        guard let breathing = walk.breathing(at: time) else {
            return centre(Wording.Guided.settling, row: size.rows / 2, ink: palette.faintText)
        }
        let word = max(0, steadyFootRow - 2)
        let hasCircle = !isTiny && !walk.showsKeys
        if hasCircle { drawCircle(breathing, above: word) }
        if walk.showsKeys && word > 2 { drawKeys(above: isRoomy ? word - 1 : word) }
        let count = !hasCircle && !rests && walk.presentation.countsDown ? " \(breathing.count)" : ""
        let said = rests ? Wording.Guided.paused : Wording.phase(breathing.phase)
        centre(said + count, row: word, ink: palette.warmText, bold: true)
        centre(detail(breathing), row: word + 1, ink: palette.faintText)
    }

    /// True if the exercise does not go on: it is paused, another program leads it, or the daemon is gone.
    private var rests: Bool { walk.along == nil && (walk.isPaused || !walk.guide.isOurs || !walk.isConnected) }

    private func detail(_ breathing: Breathing) -> String {
        guard let exercise = walk.pace?.exercise, walk.along == nil else { return Wording.Guided.alongDetail }
        if walk.guide == .somebodyElse { return Wording.Guided.ledInAnotherWindow }
        guard walk.presentation.countsDown, let left = breathing.remaining else {
            return Wording.Guided.breathHeading(exercise)
        }
        let place = Wording.Guided.place(exercise, left: left)
        return DisplayWidth.of(place) <= size.columns ? place : Wording.Guided.breathHeading(exercise)
    }

    private mutating func drawCircle(_ breathing: Breathing, above word: Int) {
        let room = isRoomy ? 1..<(word - 1) : 0..<word
        let widest = Double(size.columns - 4) / size.aspect
        let full = min(Double(room.count) * (isRoomy ? 0.93 : 1), widest)
        let middle = Double(room.lowerBound + room.upperBound) / 2
        let radius = walk.presentation.moves ? breathing.radius : BreathCircle.restingRadius
        let disc = Disc(
            column: Double(size.columns / 2) + 0.5, row: middle, radius: full * radius, full: full,
            aspect: size.aspect, rests: rests, rowsSeen: 0..<word)
        disc.draw(on: &canvas, with: palette)
        if !rests && walk.presentation.countsDown { write(count: breathing.count, disc) }
    }

    /// Writes dark text in the middle of the bright sun.
    private mutating func write(count: Int, _ disc: Disc) {
        let digits = String(count)
        let row = Int(disc.row)
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
