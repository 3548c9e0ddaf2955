import Text

extension MarkdownDocument {
    /// The document as a part of an HTML page: nothing in it runs, loads or is hidden. Raw HTML is shown as text, a picture by its
    /// description; a link leads to a web or mail address, and any other address stands beside its words.
    public var html: String { blocks.map(\.html).joined() }
}

extension MarkdownDocument.Block {
    fileprivate var html: String {
        switch self {
        case .heading(let level, let spans): "<h\(level)>\(spans.html)</h\(level)>\n"
        case .paragraph(let spans): "<p>\(spans.html)</p>\n"
        case .code(let text): "<pre><code>\(text.escaped)</code></pre>\n"
        case .quote(let blocks): "<blockquote>\n\(blocks.map(\.html).joined())</blockquote>\n"
        case .list(let list): list.html
        case .table(let table): table.html
        case .rule: "<hr>\n"
        }
    }
}

extension MarkdownDocument.List {
    fileprivate var html: String {
        let tag = first == nil ? "ul" : "ol"
        let start = first.map { $0 == 1 ? "" : " start=\"\($0)\"" } ?? ""
        return "<\(tag)\(start)>\n" + items.map { "<li>\(text($0))</li>\n" }.joined() + "</\(tag)>\n"
    }

    /// The paragraphs of a tight list stand without their own tags (CommonMark 0.29, 5.3).
    private func text(_ blocks: [MarkdownDocument.Block]) -> String {
        blocks.map { block in
            if case .paragraph(let spans) = block, isTight { return spans.html }
            return "\n" + block.html
        }
        .joined()
    }
}

extension MarkdownDocument.Table {
    fileprivate var html: String {
        let body = rows.map { "<tr>\(row($0, "td"))</tr>\n" }.joined()
        return "<table>\n<thead><tr>\(row(head, "th scope=\"col\""))</tr></thead>\n"
            + (rows.isEmpty ? "" : "<tbody>\n\(body)</tbody>\n") + "</table>\n"
    }

    private func row(_ cells: [[MarkdownDocument.Span]], _ tag: String) -> String {
        zip(cells, alignments).map { cell, alignment in
            let align = alignment == .start ? "" : " style=\"text-align: \(alignment == .end ? "end" : "center")\""
            return "<\(tag)\(align)>\(cell.html)</\(tag.prefix(2))>"
        }
        .joined()
    }
}

extension [MarkdownDocument.Span] {
    fileprivate var html: String {
        map { span in
            switch span {
            case .text(let text): text.escaped
            case .code(let text): "<code>\(text.escaped)</code>"
            case .emphasis(let spans): "<em>\(spans.html)</em>"
            case .strong(let spans): "<strong>\(spans.html)</strong>"
            case .link(let spans, let address):
                if let safe = SafeAddress(address) {
                    "<a href=\"\(safe.text.escaped)\" rel=\"noreferrer\">\(spans.html)</a>"
                } else {
                    "\(spans.html) (\(address.escaped))"
                }
            case .picture(let spans, _): "[\(spans.html)]"
            case .lineBreak: "<br>\n"
            }
        }
        .joined()
    }
}

extension String {
    /// Without hidden characters, and with the five characters of HTML's own written by their names. Scalar by scalar: a mark behind a
    /// quotation mark makes one character of both.
    fileprivate var escaped: String {
        var text = String.UnicodeScalarView()
        for scalar in visibleLines.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;".unicodeScalars
            case "<": text += "&lt;".unicodeScalars
            case ">": text += "&gt;".unicodeScalars
            case "\"": text += "&quot;".unicodeScalars
            case "'": text += "&#39;".unicodeScalars
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
