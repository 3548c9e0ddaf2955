import Text

/// A table for a terminal: rows under headings, in aligned columns. If it is too wide, each row takes a few lines.
public struct Table {
    public enum Tone: Sendable {
        case plain, strong, faint, warm, good
    }

    public struct Cell: Sendable, ExpressibleByStringLiteral {
        let text: String
        let tone: Tone
        /// The columns that the text takes.
        let width: Int

        /// Control characters of the text are dropped.
        public init(_ text: String, _ tone: Tone = .plain) {
            self.text = text.shown
            self.tone = tone
            width = DisplayWidth.of(self.text)
        }

        public init(stringLiteral text: String) { self.init(text) }
    }

    public struct Column: Sendable {
        let title: String
        let isNumber: Bool
        /// True: in a table that is too wide, the cell is on the row's first line.
        let leads: Bool

        /// - Parameter isNumber: aligned on the right.
        public init(_ title: String, isNumber: Bool = false, leads: Bool = false) {
            self.title = title
            self.isNumber = isNumber
            self.leads = leads
        }
    }

    let columns: [Column]
    public var rows: [[Cell]] = []
    /// Rows that are not printed, but count for the width of the columns: those of the other tables on the same page.
    public var sample: [[Cell]] = []

    public init(_ columns: [Column]) { self.columns = columns }

    private static let margin = "  "
    private static let gap = "  "

    /// Empty columns are left out.
    /// - Parameter columns: the terminal's; nil if there is none.
    public func text(columns available: Int?, ink: Ink) -> String {
        let shown = columns.indices.filter { place in (rows + sample).contains { !$0[place].text.isEmpty } }
        let widths = columns.indices.map { place in
            max(DisplayWidth.of(columns[place].title), (rows + sample).map { $0[place].width }.max() ?? 0)
        }
        let width = 2 + shown.map { widths[$0] + Self.gap.count }.reduce(-Self.gap.count, +)
        if let available, width > available { return narrow(shown, available, ink) }
        let titles = columns.map { Cell($0.title, .faint) }
        let hasTitles = shown.contains { !columns[$0].title.isEmpty }
        return ((hasTitles ? [titles] : []) + rows).map { wide($0, shown, widths, ink) + "\n" }.joined()
    }

    private func wide(_ row: [Cell], _ shown: [Int], _ widths: [Int], _ ink: Ink) -> String {
        var line = Self.margin
        for place in shown {
            let (cell, room) = (row[place], widths[place] - row[place].width)
            let blanks = String(repeating: " ", count: room)
            let isLast = shown.dropFirst(shown.firstIndex(of: place) ?? 0).dropFirst().allSatisfy {
                row[$0].text.isEmpty
            }
            line += columns[place].isNumber ? blanks + Self.dressed(cell, ink) : Self.dressed(cell, ink)
            if isLast { break }
            line += (columns[place].isNumber ? "" : blanks) + Self.gap
        }
        return line
    }

    /// Each row as lines: the leading columns on the first, the others below it with their titles.
    private func narrow(_ shown: [Int], _ available: Int, _ ink: Ink) -> String {
        let leading = shown.filter { columns[$0].leads }
        let lead = leading.last.map { $0 } ?? 0
        let numbers = leading.dropLast().map { place in rows.map { $0[place].width }.max() ?? 0 }
        let column = 2 + numbers.map { $0 + Self.gap.count }.reduce(0, +)
        // Under a column that leads alone the others stand further in.
        let indent = max(4, column)
        return rows.map { row in
            var line = Self.margin
            for (place, width) in zip(leading.dropLast(), numbers) {
                let blanks = String(repeating: " ", count: width - row[place].width)
                line += (columns[place].isNumber ? blanks : "") + Self.dressed(row[place], ink)
                line += (columns[place].isNumber ? "" : blanks) + Self.gap
            }
            let name = row[lead].text.wrapped(to: max(1, available - indent))
            let margin = String(repeating: " ", count: indent)
            var lines = [line + Self.dressed(Cell(name[0], row[lead].tone), ink)]
            lines += name.dropFirst().map { margin + Self.dressed(Cell($0, row[lead].tone), ink) }
            let others = shown.filter { !columns[$0].leads && !row[$0].text.isEmpty }.map { place in
                let title = columns[place].title
                return title.isEmpty ? row[place].text : "\(title.lowercased()) \(row[place].text)"
            }
            if !others.isEmpty {
                let more = others.packed(to: max(1, available - indent))
                lines += more.map { margin + ink.faint($0.singleLine) }
            }
            return lines.joined(separator: "\n") + "\n"
        }.joined()
    }

    private static func dressed(_ cell: Cell, _ ink: Ink) -> String {
        let text = cell.text.singleLine
        return switch cell.tone {
        case .plain: text
        case .strong: ink.strong(text)
        case .faint: ink.faint(text)
        case .warm: ink.warm(text)
        case .good: ink.good(text)
        }
    }
}

/// The facts about one thing as lines, each with a label and a text.
public struct FactList {
    private var rows: [(label: String, text: String)] = []

    public init() {}

    /// Adds nothing if there is no text. Keeps the text's line breaks, and drops other control characters.
    public mutating func add(_ label: String, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        rows.append((label, text))
    }

    public func text(columns: Int?, ink: Ink) -> String {
        let labels = rows.map { DisplayWidth.of($0.label) }.max() ?? 0
        let isNarrow = columns.map { $0 < labels + 4 + 20 } ?? false
        let indent = isNarrow ? 4 : labels + 4
        return rows.map { row in
            let lines = row.text.paragraphs(columns: columns.map { max(1, $0 - indent) })
            let margin = String(repeating: " ", count: indent)
            let label = "  " + ink.faint(isNarrow ? row.label : row.label.padded(to: labels + 2))
            let first = isNarrow ? label + "\n" + margin + lines[0] : label + lines[0]
            return ([first] + lines.dropFirst().map { margin + $0 }).joined(separator: "\n") + "\n"
        }.joined()
    }
}

extension String {
    /// The text's lines without control characters, broken at spaces to a width of `columns`. Runs of spaces stay as they were
    /// written.
    public func paragraphs(columns: Int?) -> [String] {
        split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            let text = String(line).substituting("    ", for: "\t").shown
            let lines = columns.map { text.brokenAsWritten(to: $0) } ?? [text]
            return lines.map { $0.singleLine }
        }
    }

    /// Puts marks around text that runs from right to left. A terminal that reorders such text then leaves its neighbours, a
    /// number perhaps, in their places (Unicode Standard Annex #9).
    public var singleLine: String {
        unicodeScalars.contains(where: \.runsFromRight) ? "\u{200E}\(self)\u{200E}" : self
    }
}

extension Unicode.Scalar {
    /// A letter of a script that is written from right to left.
    fileprivate var runsFromRight: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
