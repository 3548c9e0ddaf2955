extension String {
    /// For XML and HTML, in text and between double quotes. Scalar by scalar: a mark that stands behind a quotation mark makes one
    /// character of both, and the quotation mark would still end an attribute. Without what XML 1.0 has no place for.
    public var escapedForXML: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;".unicodeScalars
            case "<": text += "&lt;".unicodeScalars
            case ">": text += "&gt;".unicodeScalars
            case "\"": text += "&quot;".unicodeScalars
            case "\t", "\n", "\r", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                text.append(scalar)
            default: break
            }
        }
        return String(text)
    }
}
