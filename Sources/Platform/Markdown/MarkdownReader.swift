import CMarkdown

extension MarkdownDocument {
    /// Nil for a text with a ``fault(in:)``. Any other text is a document.
    public init?(_ text: String) {
        guard Self.fault(in: text) == nil else { return nil }
        self.init(blocks: Tree(text).root.blocks(depth: 0))
    }
}

/// The tree of cmark's nodes. It is freed with this object.
private final class Tree {
    /// cmark's list of extensions is filled once, by whichever thread is the first.
    private static let extensions: Void = cmark_gfm_core_extensions_ensure_registered()

    private let document: OpaquePointer

    init(_ text: String) {
        Self.extensions
        guard let parser = cmark_parser_new(CMARK_OPT_DEFAULT), let table = cmark_find_syntax_extension("table") else {
            preconditionFailure("cmark makes a parser, and knows tables")
        }
        defer { cmark_parser_free(parser) }
        cmark_parser_attach_syntax_extension(parser, table)
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        guard let document = cmark_parser_finish(parser) else { preconditionFailure("cmark reads every text") }
        self.document = document
    }

    deinit { cmark_node_free(document) }

    var root: Node { Node(node: document, tree: self) }
}

/// One of cmark's nodes, and the tree that owns it.
private struct Node {
    let node: OpaquePointer
    let tree: Tree

    private var children: [Node] {
        var children: [Node] = []
        var next = cmark_node_first_child(node)
        while let child = next {
            children.append(Node(node: child, tree: tree))
            next = cmark_node_next(child)
        }
        return children
    }

    /// Such as "paragraph". The types of an extension have no constant.
    private var type: String { String(cString: cmark_node_get_type_string(node)) }

    private var literal: String { cmark_node_get_literal(node).map { String(cString: $0) } ?? "" }

    private var address: String { cmark_node_get_url(node).map { String(cString: $0) } ?? "" }

    func blocks(depth: Int) -> [MarkdownDocument.Block] { children.compactMap { $0.block(depth: depth + 1) } }

    private func block(depth: Int) -> MarkdownDocument.Block? {
        guard depth <= MarkdownDocument.depthLimit else { return .paragraph([.text(plainText)]) }
        switch type {
        case "heading": return .heading(level: Int(cmark_node_get_heading_level(node)), spans(depth: depth))
        case "paragraph": return .paragraph(spans(depth: depth))
        case "code_block", "html_block":
            let text = literal
            return .code(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        case "block_quote": return .quote(blocks(depth: depth))
        case "list": return .list(list(depth: depth))
        case "table": return .table(table(depth: depth))
        case "thematic_break": return .rule
        default: return plainText.isEmpty ? nil : .paragraph([.text(plainText)])
        }
    }

    private func list(depth: Int) -> MarkdownDocument.List {
        let isNumbered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
        return MarkdownDocument.List(
            first: isNumbered ? Int(cmark_node_get_list_start(node)) : nil,
            isTight: cmark_node_get_list_tight(node) != 0, items: children.map { $0.blocks(depth: depth + 1) })
    }

    private func table(depth: Int) -> MarkdownDocument.Table {
        let rows = children.map { row in row.children.map { $0.spans(depth: depth + 2) } }
        let columns = Int(cmark_gfm_extensions_get_table_columns(node))
        let alignments = (0..<columns).map { column -> MarkdownDocument.Table.Alignment in
            switch UInt8(bitPattern: cmarkdown_alignment(node, Int32(column))) {
            case UInt8(ascii: "c"): .centre
            case UInt8(ascii: "r"): .end
            default: .start
            }
        }
        let filled = rows.map { Array($0.prefix(columns)) + Array(repeating: [], count: max(0, columns - $0.count)) }
        return MarkdownDocument.Table(
            alignments: alignments, head: filled.first ?? [], rows: Array(filled.dropFirst()))
    }

    /// The spans, texts that touch each other joined.
    private func spans(depth: Int) -> [MarkdownDocument.Span] {
        children.reduce(into: []) { spans, child in
            let span = child.span(depth: depth + 1)
            if case .text(let more) = span, case .text(let text)? = spans.last {
                spans[spans.count - 1] = .text(text + more)
            } else {
                spans.append(span)
            }
        }
    }

    private func span(depth: Int) -> MarkdownDocument.Span {
        guard depth <= MarkdownDocument.depthLimit else { return .text(plainText) }
        switch type {
        case "text", "html_inline": return .text(literal)
        case "code": return .code(literal)
        case "softbreak": return .text(" ")
        case "linebreak": return .lineBreak
        case "emph": return .emphasis(spans(depth: depth))
        case "strong": return .strong(spans(depth: depth))
        case "link", "image":
            let (spans, address) = (spans(depth: depth), address)
            guard address.utf8.count <= MarkdownDocument.addressLimit else { return .text(plainText) }
            return type == "link" ? .link(spans, to: address) : .picture(spans, at: address)
        default: return .text(plainText)
        }
    }

    /// The texts of all nodes below, whatever their depth.
    private var plainText: String {
        guard let walk = cmark_iter_new(node) else { return "" }
        defer { cmark_iter_free(walk) }
        var text = ""
        while true {
            let event = cmark_iter_next(walk)
            guard event != CMARK_EVENT_DONE else { return text }
            guard event == CMARK_EVENT_ENTER, let inner = cmark_iter_get_node(walk) else { continue }
            let part = Node(node: inner, tree: tree)
            text += ["softbreak", "linebreak"].contains(part.type) ? " " : part.literal
        }
    }
}
