import Foundation
import Testing

/// Comments, pages and names of tests name the thing they speak of. A sentence that begins with the outline of it ("What was
/// said", "Whoever asks") has to be read twice.
@Suite struct PlainEnglishTests {
    private static let outlines = "(What|Who|Whose|Whoever|Whatever|That)\\b"

    /// All texts of the project, by path. Lessons and fixtures are read by others than us.
    private static let texts: [(path: String, text: String)] = ["Sources", "Tests", "Config", "systemd"]
        .flatMap { SourceTree.files(under: $0, ending: "") }
        .filter { path in !["/Fixtures/", "/Corpus/", "/programmes/"].contains(where: path.contains) }
        .compactMap { path in
            let text = try? String(contentsOf: SourceTree.root.appendingPathComponent(path), encoding: .utf8)
            return text.map { (path, $0) }
        }

    @Test func `no sentence of a comment or a page begins with an outline, unless it asks`() throws {
        #expect(Self.texts.count > 900)
        let found = try Self.texts.flatMap { path, text in
            try lines(of: text, matching: Self.outlines).filter { line in
                prose(of: line, in: path).map(beginsWithOutline) ?? false
            }
            .map { "\(path): \($0)" }
        }
        #expect(found == [])
    }

    @Test func `no test's name begins with an outline`() throws {
        let found = try Self.texts.filter { $0.path.hasPrefix("Tests/") }.flatMap { path, text in
            try lines(of: text, matching: "func [`](what|who|whose|whoever|whatever) ").map { "\(path): \($0)" }
        }
        #expect(found == [])
    }

    private func lines(of text: String, matching pattern: String) throws -> Set<String> {
        let whole = NSString(string: text)
        let matches = try NSRegularExpression(pattern: pattern)
            .matches(in: text, range: NSRange(location: 0, length: whole.length))
        return Set(matches.map { whole.substring(with: whole.lineRange(for: $0.range)) })
    }

    /// A comment's words, or a page's line without its mark; nil for a line of code.
    private func prose(of line: String, in path: String) -> String? {
        let mark = path.hasSuffix(".md") ? #"^\s*([-*|]|#+)?\s*"# : #"(^|\s)(///?|#)\s+"#
        guard let begin = line.range(of: mark, options: .regularExpression)?.upperBound else { return nil }
        return line[begin...].replacingOccurrences(of: "**", with: "").replacingOccurrences(of: "MARK: ", with: "")
    }

    private func beginsWithOutline(_ prose: String) -> Bool {
        let sentence = "(^|[.:!?] )\(Self.outlines)[^.?!]*([.!]|$)"
        return prose.range(of: sentence, options: .regularExpression) != nil
    }
}
