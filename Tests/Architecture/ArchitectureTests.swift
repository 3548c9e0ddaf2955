import Foundation
import Testing

@Suite struct `The house stands as the README draws it` {
    /// Who may import whom.
    static let mayImport: [String: Set<String>] = [
        "Homework": [],
        "Varlink": [],
        "Control": ["Varlink", "Homework"],
        "History": ["GRDB", "GRDBSQLite", "Homework", "Glibc"],
        "Systemd": ["CMemory", "CSystemd", "Glibc"],
        "DaybreakDaemon": ["Systemd", "Varlink", "Homework", "History", "Control", "TOMLKit", "Glibc"],
        "daybreakd": ["DaybreakDaemon", "Glibc"],
        "daybreak": ["ArgumentParser", "CMemory", "Control", "Varlink", "Glibc"],
    ]

    @Test func `no target imports more than it may`() {
        let trespasses = SourceTree.swift.flatMap { file in
            file.imports.subtracting(Self.mayImport[file.target] ?? [])
                .map { "\(file.path) imports \($0)" }
        }
        #expect(trespasses == [])
    }

    @Test func `every target has its row in the table`() {
        #expect(Set(SourceTree.swift.map(\.target)) == Set(Self.mayImport.keys))
    }

    @Test func `libsystemd is called in Systemd alone`() {
        #expect(SourceTree.places(of: #"\bsd_[a-z]"#) { $0.target == "Systemd" } == [])
    }

    @Test func `SQL is written in History alone`() {
        let sql = #"\b(SELECT|INSERT INTO|PRAGMA|CREATE TABLE)\b"#
        let found = SourceTree.swift.filter { $0.target != "History" }.flatMap { file in
            file.lines.filter { $0.range(of: sql, options: .regularExpression) != nil }.map { "\(file.path): \($0)" }
        }
        #expect(found == [])
    }

    @Test func `only the local clock and the terminal know what time it is`() {
        let clocks =
            #"\bDate\(\)|\bCalendar\.|\bTimeZone\.|\btime\(nil\)|\bclock_gettime\b|ContinuousClock|SuspendingClock"#
        let found = SourceTree.places(of: clocks) {
            $0.path == "Sources/DaybreakDaemon/Machine/LocalClock.swift" || $0.target == "daybreak"
        }
        #expect(found == [])
    }

    @Test func `what a client reads is worded in one place`() {
        let literal = /"(?:\\.|[^"\\])*"/
        let sentences = SourceTree.swift.filter { $0.target == "daybreak" && !$0.path.contains("/Wording/") }
            .flatMap(\.lines).filter { !$0.contains("//") && !$0.contains("precondition") }
            .flatMap { line in line.matches(of: literal).map { String($0.output) } }
            // Two words; but no markup.
            .filter { $0.contains(/[a-z]{2,} [a-z]{2,}/) && !$0.contains("<") }
        #expect(sentences == [])
    }

    @Test func `there is one thread and no concurrency`() {
        let concurrency = #"\basync\b|\bawait\b|\bTask \{|@unchecked|nonisolated\(unsafe\)|\bMutex\b"#
        #expect(SourceTree.places(of: concurrency) == [])
    }

    @Test func `nothing is forced, and no error vanishes without a word`() {
        #expect(SourceTree.places(of: #"\btry!|\bas!|\bfatalError\("#) == [])
        let silent = SourceTree.swift.flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                guard line.range(of: #"\btry\?"#, options: .regularExpression) != nil else { return nil as String? }
                let before = index > 0 ? file.lines[index - 1] : ""
                return line.contains("//") || before.contains("//") ? nil : "\(file.path):\(index + 1)"
            }
        }
        #expect(silent == [])
    }

    @Test func `files fit the eye`() {
        #expect(SourceTree.swift.filter { $0.lines.count > 301 }.map(\.path) == [])
    }

    @Test func `the top level holds what it is to hold`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path)
            .filter { !$0.hasPrefix(".") && $0 != "Package.resolved" }
        #expect(Set(names) == ["Package.swift", "README.md", "Sources", "Tests", "systemd", "Config"])
    }
}
