import Foundation
import PracticeInterfaces
import StaffInterfaces
import Testing

/// `count.py`: the same reports, counted by another program in another language.
enum SecondCount {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "count.py").path

    /// The reports of a database: a block of lines for each request.
    static func reports(
        _ requests: [Reports.Get], of database: String, zone: String, today: String
    ) throws -> [[String]] {
        let asked = requests.map { request in
            let until = request.until.map { "\"\($0)\"" } ?? "null"
            let thanatologist = request.thanatologist.map { String($0.dropFirst()) } ?? "null"
            return """
                {"kind": "\(request.kind.rawValue)", "unit": "\(request.period.rawValue)", "until": \(until), \
                "count": \(request.count ?? 12), "thanatologist": \(thanatologist), "each": \(request.each ?? false)}

                """
        }
        let said = try run(["reports", database, zone, today], asked.joined())
        var (blocks, lines): ([[String]], [String]) = ([], [])
        for line in said.split(separator: "\n") {
            if line == "end" { (blocks, lines) = (blocks + [lines], []) } else { lines.append(String(line)) }
        }
        return blocks
    }

    /// Instants at which a day begins where a zone's clocks turn about the midnight between two weeks, with their periods.
    static func zones(from first: Int, to last: Int) throws -> [Substring] {
        try run(["zones", "\(first)", "\(last)"], "").split(separator: "\n")
    }

    private static func run(_ words: [String], _ input: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "count-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // A folder that stays harms no test.
        let (asked, said) = (folder.appending(path: "asked"), folder.appending(path: "said"))
        try Data(input.utf8).write(to: asked)
        try Data().write(to: said)
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = [script] + words
        python.standardInput = try FileHandle(forReadingFrom: asked)
        python.standardOutput = try FileHandle(forWritingTo: said)
        try python.run()
        python.waitUntilExit()
        try #require(python.terminationStatus == 0)
        return String(decoding: try Data(contentsOf: said), as: UTF8.self)
    }
}
