import Companion
import DaybreakInterfaces

/// The picture of a walk at a time: a pure function of both.
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
        if walk.page == .exercise || (walk.along != nil && !walk.showsKeys) { drawBreathing() } else { drawPage() }
        drawFoot()
    }

    /// True if the screen is too small for pictures.
    var isTiny: Bool { size.columns < 30 || size.rows < 11 }
    /// True if there is room for empty lines between the parts.
    var isRoomy: Bool { size.rows >= 16 }

    /// The text in characters that the terminal can show.
    func spelled(_ text: String) -> String { palette.isASCII ? text.shown.ascii : text.shown }

    mutating func centre(_ text: String, row: Int, ink: Pigment, bold: Bool = false) {
        let text = spelled(text).cut(to: size.columns)
        canvas.write(text, column: (size.columns - DisplayWidth.of(text)) / 2, row: row, ink: ink, bold: bold)
    }
}

// The foot: a question or a notice, and the keys that work now.
extension Scene {
    /// The first row of the foot.
    var footRow: Int { noticeRow(noticeLines.count) - (noticeLines.isEmpty ? 0 : gap) }

    /// The first row of the largest foot that this page may have, so that neither circle nor words jump.
    var steadyFootRow: Int {
        var offered = walk
        if var flow = offered.flow {
            flow.mayJoin = true
            offered.progress = .confirmed(flow)
        }
        offered.overlay = .none
        let hints = size.rows - margin - hintRows(offered.hints).count
        return hints - gap - (size.columns < 54 ? 2 : 1) - gap
    }

    private var margin: Int { isRoomy ? 1 : 0 }
    private var gap: Int { isRoomy ? 1 : 0 }

    private func noticeRow(_ count: Int) -> Int {
        size.rows - margin - hintRows(walk.hints).count - gap - count
    }

    private var noticeLines: [String] {
        let width = max(1, size.columns - 2)
        if let draft = walk.draft {
            let said = walk.isConnected && walk.notice == nil ? [] : Wording.Guided.notices(walk)
            let lines = said.flatMap { spelled($0).balanced(to: width) }
            return lines.prefix(isTiny ? 1 : 2) + [draftLine(draft)]
        }
        let asked = walk.question.map(Wording.Guided.question)
        // Short lines have room for the question only.
        let sentences = asked.map { size.columns < 54 ? $0.suffix(1) : $0[...] } ?? Wording.Guided.notices(walk)[...]
        let room = isTiny ? 1 : 2
        // The last sentence weighs most where there is no room for all.
        let whole = spelled(sentences.joined(separator: " ")).balanced(to: width)
        let lines = whole.count > room ? spelled(sentences.last ?? "").balanced(to: width) : whole
        return sentences.isEmpty ? [] : Array(lines.prefix(room))
    }

    /// The end of the note, as much as there is room for, and the cursor.
    private func draftLine(_ draft: String) -> String {
        let prompt = Wording.Guided.notePrompt
        let text = spelled(draft.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " / "))
        let room = max(0, size.columns - 4 - DisplayWidth.of(prompt))
        if DisplayWidth.of(text) <= room { return "\(prompt) \(text)_" }
        let more = spelled("…")
        var end = text[...]
        while DisplayWidth.of(end) + DisplayWidth.of(more) > room, !end.isEmpty { end = end.dropFirst() }
        return "\(prompt) \(more)\(end)_"
    }

    private mutating func drawFoot() {
        let lines = noticeLines
        for (place, line) in lines.enumerated() {
            centre(
                line, row: noticeRow(lines.count) + place, ink: palette.warmText,
                bold: walk.question != nil || walk.draft != nil)
        }
        let rows = hintRows(walk.hints)
        for (place, hints) in rows.enumerated() {
            draw(hints, row: size.rows - margin - rows.count + place)
        }
    }

    private mutating func draw(_ hints: [KeyHint], row: Int) {
        var column = (size.columns - width(of: hints)) / 2
        for hint in hints {
            let key = spelled(hint.key)
            let words = column + DisplayWidth.of(key) + 1
            if !hint.isAwaited {
                canvas.write(key, column: column, row: row, ink: palette.plainText, bold: true)
                canvas.write(hint.does, column: words, row: row, ink: palette.faintText)
            }
            column = words + DisplayWidth.of(hint.does) + hintGap
        }
    }

    private var hintGap: Int { size.columns < 60 ? 2 : 3 }

    private func width(of hints: [KeyHint]) -> Int {
        hints.reduce(-hintGap) { $0 + DisplayWidth.of(spelled($1.key)) + 1 + DisplayWidth.of($1.does) + hintGap }
    }

    /// All keys; on a small screen the key that explains them, and the one that leaves.
    private func hintRows(_ hints: [KeyHint]) -> [[KeyHint]] {
        let rows = allRows(hints)
        let explains = KeyHint.of(.keys).key
        guard rows.count > max(2, size.rows / 4), let keys = hints.first(where: { $0.key == explains }),
            let last = hints.last
        else { return rows }
        return allRows([keys, last])
    }

    private func allRows(_ hints: [KeyHint]) -> [[KeyHint]] {
        var rows: [[KeyHint]] = [[]]
        for hint in hints {
            let last = rows[rows.count - 1]
            if !last.isEmpty, width(of: last + [hint]) > size.columns - 2 { rows.append([]) }
            rows[rows.count - 1].append(hint)
        }
        return rows
    }
}
