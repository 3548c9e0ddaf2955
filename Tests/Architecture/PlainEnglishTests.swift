import Foundation
import Testing

/// Comments, pages and names of tests name the thing they speak of. A sentence that begins with the outline of it ("What was
/// said", "Whoever asks") has to be read twice.
@Suite struct PlainEnglishTests {
    private static let outlines = ["What", "Who", "Whose", "Whoever", "Whatever", "That"]

    /// All texts of the project, by path. Lessons and fixtures are read by others than us.
    private static let texts: [(path: String, lines: [Substring])] = ["Sources", "Tests", "Config", "systemd"]
        .flatMap { SourceTree.files(under: $0, ending: "") }
        .filter { path in !["/Fixtures/", "/Corpus/", "/programmes/"].contains(where: path.contains) }
        .compactMap { path in
            let text = try? String(contentsOf: SourceTree.root.appendingPathComponent(path), encoding: .utf8)
            return text.map { (path, $0.split(separator: "\n", omittingEmptySubsequences: false)) }
        }

    @Test func `no sentence of a comment or a page begins with an outline, unless it asks`() {
        #expect(Self.texts.count > 900)
        var found: [String] = []
        for (path, lines) in Self.texts {
            for (index, line) in lines.enumerated() where Self.outlines.contains(where: { line.contains($0) }) {
                guard let prose = prose(of: line, in: path), beginsWithOutline(prose) else { continue }
                found.append("\(path):\(index + 1): \(prose)")
            }
        }
        #expect(found == [])
    }

    @Test func `no test's name begins with an outline`() {
        let names = Self.texts.filter { $0.path.hasPrefix("Tests/") }.flatMap { file in
            file.lines.filter { $0.contains("func `wh") }.compactMap { line in
                line.firstMatch(of: #/func `(what|who|whose|whoever|whatever) .*`/#).map { "\(file.path): \($0.0)" }
            }
        }
        #expect(names == [])
    }

    /// A comment's words, or a page's line without its mark; nil for a line of code.
    private func prose(of line: Substring, in path: String) -> String? {
        let prose =
            path.hasSuffix(".md")
            ? line.replacing(#/^\s*([-*|]|#+)\s*/#, with: "")
            : line.firstMatch(of: #/(?:^|\s)(?:///?|#+)\s+(.*)/#).map { $0.1 }
        return prose?.replacing("**", with: "").replacing("MARK: ", with: "")
    }

    private func beginsWithOutline(_ prose: String) -> Bool {
        prose.matches(of: #/(?:^|[.:!?] )(?:What|Who|Whose|Whoever|Whatever|That)\b[^.?!]*([.?!]?)/#)
            .contains { $0.1 != "?" }
    }
}
