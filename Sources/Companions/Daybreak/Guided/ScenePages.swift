import Companion
import DaybreakInterfaces

// The pages of words, each under a sun that rises from page to page.
extension Scene {
    private static let widest = 62

    mutating func drawPage() {
        let width = min(Self.widest, max(10, size.columns - 6))
        if walk.showsKeys { return drawKeys(above: footRow) }
        let steady = isRoomy ? min(footRow, steadyFootRow) : footRow
        let end = lines(width: width, above: steady).count <= steady ? steady : footRow
        let body = body(width: width, above: end)
        let room = (isRoomy ? steady + 2 : end) - body.count  // A question's two rows come and go.
        let picture = room >= 15 ? 10 : room >= 8 ? 6 : 0
        let top = max(0, (end - body.count - picture) * 2 / 5)
        if picture > 0 { drawHorizon(rows: top..<(top + picture - 2), width: width) }
        let column = max(0, (size.columns - width) / 2)
        for (place, line) in body.enumerated() where top + picture + place < end {
            canvas.write(line.text, column: column, row: top + picture + place, ink: line.ink, bold: line.bold)
        }
    }

    /// The text as the room allows: with empty lines between the paragraphs, else briefly, else without the empty lines.
    private func body(width: Int, above end: Int) -> [Line] {
        let airy =
            isTiny ? [] : [lines(width: width, above: end), lines(width: width, above: end, brief: true)]
        if let fit = airy.first(where: { $0.count <= end }) { return fit }
        let tight = lines(width: width, above: end, airy: false, brief: true)
        guard tight.count > end, end > 0 else { return tight }
        var shown = Array(tight.prefix(end))
        shown[end - 1].text = (shown[end - 1].text + spelled("…")).cut(to: width)
        return shown
    }

    /// The keys that work, one under the other, in the middle of the rows above `end`.
    mutating func drawKeys(above end: Int) {
        let width = min(Self.widest, max(10, size.columns - 6))
        var asking = walk
        asking.overlay = .none
        let hints = asking.hints
        let indent = (hints.map { DisplayWidth.of(spelled($0.key)) }.max() ?? 0) + 3
        let explained = hints.flatMap { hint in
            spelled(hint.means).balanced(to: max(8, width - indent)).enumerated().map { place, line in
                (key: place == 0 ? spelled(hint.key) : "", means: line)
            }
        }
        let lines = explained.count <= end ? explained : hints.map { (spelled($0.key), spelled($0.does)) }
        let isAiry = lines.count + 2 <= end
        let top = max(0, (end - lines.count - (isAiry ? 2 : 0)) / 2)
        let column = max(0, (size.columns - width) / 2)
        if isAiry {
            canvas.write(Wording.Guided.keysTitle, column: column, row: top, ink: palette.warmText, bold: true)
        }
        for (place, line) in lines.enumerated() where top + (isAiry ? 2 : 0) + place < end {
            let row = top + (isAiry ? 2 : 0) + place
            canvas.write(line.key, column: column, row: row, ink: palette.plainText, bold: true)
            canvas.write(line.means, column: column + indent, row: row, ink: palette.faintText)
        }
    }

    private struct Line {
        var text: String
        var ink: Pigment
        var bold = false
    }

    /// - Parameter airy: with an empty line between the paragraphs.
    private func lines(width: Int, above end: Int, airy: Bool = true, brief: Bool = false) -> [Line] {
        var lines = [Line(text: spelled(Wording.Guided.title(walk)).cut(to: width), ink: palette.warmText, bold: true)]
        for paragraph in Wording.Guided.paragraphs(walk, brief: brief) {
            if airy { lines.append(Line(text: "", ink: palette.plainText)) }
            lines += spelled(paragraph).balanced(to: width).map { Line(text: $0, ink: palette.plainText) }
        }
        guard case .mood(let place) = walk.page else { return lines }
        if airy { lines.append(Line(text: "", ink: palette.plainText)) }
        return lines + choices(pointedAt: place, width: width, rows: max(1, end - lines.count))
    }

    /// The choices around the one that is pointed at, as many as there are rows; and how many more there are.
    private func choices(pointedAt place: Int, width: Int, rows: Int) -> [Line] {
        let moods = walk.assignment.moods
        let first = max(0, min(place - rows / 2, moods.count - rows))
        let end = min(moods.count, first + rows)
        return (first..<end).map { index in
            let isChosen = index == place
            let more = index == first ? Wording.Guided.moreAbove(first) : nil
            let rest = index == end - 1 ? Wording.Guided.moreBelow(moods.count - end) : nil
            let beside = (more ?? rest).map { "   \($0)" } ?? ""
            return Line(
                text: spelled("\(isChosen ? "›" : " ") \(moods[index])\(beside)").cut(to: width),
                ink: isChosen ? palette.warmText : palette.plainText, bold: isChosen)
        }
    }

    /// How far the sun has risen, from -1 (beneath) to 1 (clear of the horizon).
    private var height: Double {
        switch walk.page {
        case .instructions: -0.3
        case .exercise, .exerciseDone: 0
        case .waitRoom: 0.25
        case .session: 0.55
        case .mood: 0.85
        case .completed: 1.2
        }
    }

    private mutating func drawHorizon(rows: Range<Int>, width: Int) {
        let full = (Double(rows.count) * 2 / 2.6).rounded(.down) + 0.4
        let horizon = rows.upperBound
        let middle = Double(horizon) - (height * full).rounded() / 2  // On a pixel's edge, so that it is even.
        let disc = Disc(
            column: Double(size.columns / 2) + 0.5, row: middle, radius: full, full: full,
            aspect: size.aspect, rowsSeen: 0..<horizon)
        disc.draw(on: &canvas, with: palette)
        let line = spelled(String(repeating: "─", count: width))
        canvas.write(line, column: (size.columns - width) / 2, row: horizon, ink: palette.faintText)
    }
}
