import Foundation

/// The source files, read from the project that this file is in.
enum SourceTree {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    struct File {
        /// Its folder below `Sources`: `Homework/Rules`.
        let room: String
        /// From the project's top: `Sources/Homework/Rules/Plan.swift`.
        let path: String
        let lines: [String]

        /// The lines without comments and string literals, roughly: enough for a search for words.
        var code: [String] {
            lines.map { line in
                let bare = line.replacingOccurrences(of: #""(\\.|[^"\\])*""#, with: "\"\"", options: .regularExpression)
                return bare.range(of: "//").map { String(bare[..<$0.lowerBound]) } ?? bare
            }
        }

        /// The modules it imports.
        var imports: Set<String> {
            Set(
                lines.compactMap { line in
                    let words = line.split(separator: " ")
                    guard let at = words.firstIndex(of: "import"), at <= 2, at + 1 < words.count,
                        words[..<at].allSatisfy({
                            ["public", "internal", "private", "@testable", "@_exported"].contains($0)
                        })
                    else { return nil }
                    return String(words[at + 1].prefix { $0 != "." })
                })
        }
    }

    static let swift: [File] = files(under: "Sources", ending: ".swift").map { path in
        let text = (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
        return File(
            room: path.split(separator: "/").dropFirst().prefix(2).joined(separator: "/"), path: path,
            lines: text.components(separatedBy: "\n"))
    }

    static func files(under folder: String, ending: String) -> [String] {
        let base = root.appendingPathComponent(folder).path
        let found = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
        return found.filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }.sorted()
    }

    /// The places of a pattern in the code, as `path:line: code`.
    static func places(of pattern: String, except isAllowed: (File) -> Bool = { _ in false }) -> [String] {
        swift.filter { !isAllowed($0) }.flatMap { file in
            file.code.enumerated().compactMap { index, line in
                guard line.range(of: pattern, options: .regularExpression) != nil else { return nil }
                return "\(file.path):\(index + 1): \(line.trimmingCharacters(in: .whitespaces))"
            }
        }
    }
}
