/// A text in CommonMark 0.29 (spec.commonmark.org), with the tables of GitHub's dialect, as a tree of values.
///
/// Raw HTML is text like any other: it is shown, and never passed on.
public struct MarkdownDocument: Equatable, Sendable {
    /// Bytes of a text that is read. Longer ones make no document.
    public static let byteLimit = 1 << 20
    /// Blocks and spans that lie within each other. Anything deeper is its plain text.
    public static let depthLimit = 24

    public let blocks: [Block]

    public init(blocks: [Block]) { self.blocks = blocks }

    /// A part of a page.
    public indirect enum Block: Equatable, Sendable {
        /// - Parameter level: from 1 to 6.
        case heading(level: Int, [Span])
        case paragraph([Span])
        /// Lines that are shown as they are, without the last line break.
        case code(String)
        case quote([Block])
        case list(List)
        case table(Table)
        case rule
    }

    /// A list with marks, or with numbers.
    public struct List: Equatable, Sendable {
        /// The first number; nil for a list with marks.
        public let first: Int?
        /// True if no blank line separates the items.
        public let isTight: Bool
        public let items: [[Block]]

        public init(first: Int? = nil, isTight: Bool = true, items: [[Block]]) {
            (self.first, self.isTight, self.items) = (first, isTight, items)
        }
    }

    /// Each row has as many cells as the head.
    public struct Table: Equatable, Sendable {
        public enum Alignment: Equatable, Sendable { case start, centre, end }

        public let alignments: [Alignment]
        public let head: [[Span]]
        public let rows: [[[Span]]]

        public init(alignments: [Alignment], head: [[Span]], rows: [[[Span]]]) {
            (self.alignments, self.head, self.rows) = (alignments, head, rows)
        }
    }

    /// A part of a paragraph.
    public indirect enum Span: Equatable, Sendable {
        case text(String)
        case code(String)
        case emphasis([Span])
        case strong([Span])
        /// - Parameter to: an address as it was written; nothing promises that it is a harmless one.
        case link([Span], to: String)
        /// A picture, which is shown by its description.
        case picture([Span], at: String)
        case lineBreak
    }
}

extension MarkdownDocument {
    /// The plain text of the first heading; nil if there is none.
    public var title: String? {
        for block in blocks {
            if case .heading(_, let spans) = block, !spans.plainText.isEmpty { return spans.plainText }
        }
        return nil
    }
}

extension [MarkdownDocument.Span] {
    /// The text without its marks; a line break is a blank.
    public var plainText: String {
        map { span in
            switch span {
            case .text(let text), .code(let text): text
            case .emphasis(let spans), .strong(let spans), .link(let spans, _), .picture(let spans, _): spans.plainText
            case .lineBreak: " "
            }
        }
        .joined()
    }
}
