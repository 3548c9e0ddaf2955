import Companion
import Markdown

/// A lesson as lines for a terminal: its words are shown, and nothing in it steers the terminal.
struct LessonText {
    private let document: MarkdownDocument
    /// The columns of a line; nil: lines are not broken.
    private let columns: Int?
    private let ink: Ink
    /// No lines are drawn, for a screen reader.
    private let isPlain: Bool
    /// The addresses of the links, in the order of their numbers.
    private let addresses: [String]

    /// Longer lines are hard to read.
    private static let widest = 78
    private static let margin = "  "

    /// - Parameter columns: the terminal's; nil if there is none.
    init(_ document: MarkdownDocument, columns: Int?, ink: Ink, isPlain: Bool = false) {
        self.document = document
        self.columns = columns.map { max(8, min(Self.widest, $0) - Self.margin.count - 1) }
        (self.ink, self.isPlain) = (ink, isPlain)
        addresses = document.blocks.addresses.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    var text: String {
        let lines = lines(of: document.blocks, columns) + footnotes
        return lines.map { $0.isEmpty ? "\n" : Self.margin + $0.singleLine + "\n" }.joined()
    }

    private var footnotes: [String] {
        guard !addresses.isEmpty else { return [] }
        return ["", ink.faint("Links")]
            + addresses.enumerated().flatMap { place, address in
                hung("[\(place + 1)] ", address.shown.brokenAsWritten(to: columns.map { max(1, $0 - 5) } ?? .max))
            }
    }

    // MARK: Blocks

    private func lines(of blocks: [MarkdownDocument.Block], _ room: Int?, isTight: Bool = false) -> [String] {
        blocks.enumerated().flatMap { place, block in
            (place > 0 && !isTight ? [""] : []) + lines(of: block, room)
        }
    }

    private func lines(of block: MarkdownDocument.Block, _ room: Int?) -> [String] {
        switch block {
        case .heading(let level, let spans): heading(level, spans, room)
        case .paragraph(let spans): styled(spans).lines(room, ink)
        case .code(let text): code(text, room)
        case .quote(let blocks):
            lines(of: blocks, room.map { max(1, $0 - 2) }).map {
                ink.faint(isPlain ? ">" : "│") + ($0.isEmpty ? "" : " \($0)")
            }
        case .list(let list): items(of: list, room)
        case .table(let table): rows(of: table, room)
        case .rule: [ink.faint(isPlain ? "* * *" : String(repeating: "─", count: min(20, room ?? 20)))]
        }
    }

    private func heading(_ level: Int, _ spans: [MarkdownDocument.Span], _ room: Int?) -> [String] {
        let lines = StyledText(spans.plainText.shown, .strong).lines(room, ink)
        guard level == 1, !isPlain, room != nil else { return lines }
        let width =
            StyledText(spans.plainText.shown, .strong).lines(room, .plain).map { DisplayWidth.of($0) }.max() ?? 0
        return lines + [ink.faint(String(repeating: "─", count: width))]
    }

    private func code(_ text: String, _ room: Int?) -> [String] {
        text.paragraphs(columns: room.map { max(1, $0 - 2) }).map { $0.isEmpty ? "" : "  \(ink.faint($0))" }
    }

    private func items(of list: MarkdownDocument.List, _ room: Int?) -> [String] {
        let last = (list.first ?? 0) + list.items.count - 1
        return list.items.enumerated().flatMap { place, blocks in
            let mark: String
            if let first = list.first {
                let number = "\(first + place). "
                mark = String(repeating: " ", count: max(0, "\(last). ".count - number.count)) + number
            } else {
                mark = isPlain ? "- " : "• "
            }
            let inner = lines(of: blocks, room.map { max(1, $0 - mark.count) }, isTight: list.isTight)
            return (place > 0 && !list.isTight ? [""] : []) + hung(mark, inner)
        }
    }

    /// The lines behind a mark, which stands before the first of them.
    private func hung(_ mark: String, _ lines: [String]) -> [String] {
        let indent = String(repeating: " ", count: mark.count)
        return (lines.isEmpty ? [""] : lines).enumerated().map { place, line in
            place == 0 ? mark + line : line.isEmpty ? "" : indent + line
        }
    }

    private func rows(of table: MarkdownDocument.Table, _ room: Int?) -> [String] {
        func cell(_ spans: [MarkdownDocument.Span]) -> String { styled(spans).plainText }
        let columns = zip(table.head, table.alignments).enumerated().map { place, column in
            Table.Column(cell(column.0), isNumber: column.1 == .end, leads: place == 0)
        }
        guard !columns.isEmpty else { return [] }
        var printed = Table(columns)
        printed.rows = table.rows.map { row in
            row.enumerated().map { place, spans in .init(cell(spans), place == 0 ? .strong : .plain) }
        }
        // A table without rows, and one of empty cells, still has its head.
        printed.sample = [table.head.map { .init(cell($0)) }]
        let lines = printed.text(columns: room.map { $0 + Self.margin.count }, ink: ink).split(separator: "\n")
        return lines.map { String($0.dropFirst(Self.margin.count)) }
    }

    // MARK: Spans

    private func styled(_ spans: [MarkdownDocument.Span], _ style: StyledText.Style = []) -> StyledText {
        spans.reduce(into: StyledText()) { text, span in
            switch span {
            case .text(let words): text.append(words.shown, style)
            case .code(let words):
                text.append(isPlain || !ink.isOn ? "`\(words.shown)`" : words.shown, style.union(.code))
            case .emphasis(let inner): text.append(styled(inner, style.union(.slanted)))
            case .strong(let inner): text.append(styled(inner, style.union(.strong)))
            case .link(let inner, let address):
                text.append(styled(inner, style))
                let number = addresses.firstIndex(of: address).map { " [\($0 + 1)]" } ?? ""
                text.append(number, .faint)
            case .picture(let inner, _): text.append("[picture: \(inner.plainText.shown)]", style.union(.faint))
            case .lineBreak: text.append("\n", [])
            }
        }
    }
}

extension [MarkdownDocument.Block] {
    /// The addresses of the links, but for those that stand as words in the text.
    fileprivate var addresses: [String] { flatMap(\.addresses) }
}

extension MarkdownDocument.Block {
    fileprivate var addresses: [String] {
        switch self {
        case .heading, .code, .rule: []
        case .paragraph(let spans): spans.addresses
        case .quote(let blocks): blocks.addresses
        case .list(let list): list.items.flatMap(\.addresses)
        case .table(let table): (table.head + table.rows.flatMap { $0 }).flatMap(\.addresses)
        }
    }
}

extension [MarkdownDocument.Span] {
    fileprivate var addresses: [String] {
        flatMap { span -> [String] in
            switch span {
            case .emphasis(let inner), .strong(let inner): inner.addresses
            case .link(let inner, let address):
                inner.plainText == address || "mailto:\(inner.plainText)" == address ? [] : [address]
            case .text, .code, .picture, .lineBreak: []
            }
        }
    }
}
