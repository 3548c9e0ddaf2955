import Companion
import StaffInterfaces

/// A part of the page: text that is escaped, in HTML that is not.
struct CaseFileSection {
    let title: String
    let parts: [String]

    /// Empty if it has no parts.
    var html: String { parts.isEmpty ? "" : "\n<h2>\(title)</h2>\n\(parts.joined(separator: "\n"))" }
}

extension String {
    /// For the page: keeps line breaks, and drops other control characters.
    var onPage: String { paragraphs(columns: nil).joined(separator: "\n").escapedForXML }

    /// A paragraph with this text.
    var paragraphOnPage: String { "<p dir=\"auto\">\(onPage)</p>" }

    /// A text that somebody wrote, with its line breaks.
    var writtenOnPage: String { "<p class=\"text\" dir=\"auto\">\(onPage)</p>" }

    var headingOnPage: String { "<h3 dir=\"auto\">\(onPage)</h3>" }
}

extension [[String]] {
    /// A table without the columns that are empty.
    func tableOnPage(_ heads: String...) -> String {
        let columns = heads.indices.filter { column in contains { !$0[column].isEmpty } }
        let head = columns.map { "<th scope=\"col\">\(heads[$0].onPage)</th>" }.joined()
        let rows = map { row in "<tr>\(columns.map { "<td dir=\"auto\">\(row[$0].onPage)</td>" }.joined())</tr>\n" }
        return "<table>\n<thead><tr>\(head)</tr></thead>\n\(rows.joined())</table>"
    }
}

extension Records.ClientFile {
    /// The name of that person, service or word; the identifier where the file has no name.
    func name(_ identifier: String) -> String { names[identifier] ?? identifier }
}
