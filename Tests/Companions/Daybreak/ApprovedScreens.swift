import Foundation
import Testing

/// Pictures of the screen that a person has approved, in one file.
struct ApprovedScreens {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Screens")
    private static let isWritten = ProcessInfo.processInfo.environment["DAYBREAK_WRITE_SCREENS"] == "1"

    private let file: URL
    private let known: [String: String]
    private var pictures: [(name: String, picture: String)] = []

    init(_ name: String) {
        file = Self.folder.appending(path: "\(name).txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let pages = text.split(separator: "\u{C}", omittingEmptySubsequences: true).map { page in
            let parts = page.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts.last ?? "").trimmingSuffix("\n"))
        }
        known = Dictionary(pages) { $1 }
    }

    /// Waits for the picture of that name, which may come more than once.
    /// - Parameter noon: a time of the day in the picture that is replaced by noon.
    mutating func compare(
        _ name: String, _ pane: TmuxPane, colours: Bool = false, noon: String = "12:00",
        _ location: SourceLocation = #_sourceLocation
    ) {
        func picture() -> String { pane.picture(colours: colours).replacing(noon, with: "12:00") }
        var seen = ""
        if Self.isWritten {
            pane.settles()
            seen = picture()
        } else {
            pane.waits {
                seen = picture()
                return seen == known[name]
            }
            #expect(seen == known[name], "\(name)\n\(seen)", sourceLocation: location)
        }
        if !pictures.contains(where: { $0.name == name }) { pictures.append((name, seen)) }
    }

    func close() {
        guard Self.isWritten else { return }
        let text = pictures.map { "\u{C}\($0.name)\n\($0.picture)\n" }.joined()
        try! text.write(to: file, atomically: true, encoding: .utf8)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
