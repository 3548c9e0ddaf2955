import Foundation
import Testing

@Suite struct `The architecture matches the README` {
    /// The modules that each room may import.
    ///
    /// No room of `Platform` imports one above it, and the families do not import each other.
    static let mayImport: [String: Set<String>] = [
        "Platform/Time": [],
        "Platform/Text": ["Swift"],
        "Platform/TOML": ["Files", "Text", "Time"],
        "Platform/CSV": [],
        "Platform/JSON": [],
        "Platform/Markdown": ["CMarkdown", "Text"],
        "Platform/Varlink": ["JSON"],
        "Platform/Files": ["Glibc"],
        "Platform/Storage": ["CSQLite", "Files", "Glibc"],
        "Platform/PostgreSQL": ["CPostgreSQL", "Glibc", "Storage"],
        "Platform/Systemd": ["CMemory", "CSystemd", "Files", "Glibc", "Text"],
        "Platform/Bus": ["CSystemd", "Systemd"],
        "Platform/Unix": ["Files", "Glibc"],
        "Platform/VarlinkClient": ["Glibc", "Unix", "Varlink"],
        "Platform/VarlinkService": ["Glibc", "Systemd", "Text", "Time", "Unix", "Varlink"],
        "Platform/Workers": ["Glibc", "Synchronization", "Systemd"],
        "Interfaces/Daybreak": ["JSON", "Varlink"],
        "Interfaces/Practice": ["JSON", "Varlink"],
        "Interfaces/Staff": ["JSON", "Varlink"],
        "Interfaces/Generator": ["Glibc", "InterfaceGenerator", "Varlink"],
        "Interfaces/Schedule": ["JSON", "Text", "Time"],
        "Interfaces/Survey": ["JSON", "Text", "Time"],
        "Interfaces/Plugin": ["Foundation", "PackagePlugin"],
        "Homework/Rules": ["ScheduleFormat", "Text", "Time"],
        "Homework/History": ["Files", "Glibc", "HomeworkRules", "JSON", "Storage", "Text", "Time"],
        "Homework/Daemon": [
            "DaybreakInterfaces", "Files", "Glibc", "HomeworkHistory", "HomeworkRules", "JSON",
            "Systemd", "TOML", "Text", "Time", "Unix", "Varlink", "VarlinkService", "Workers",
        ],
        "Practice/Rules": ["JSON", "Markdown", "ScheduleFormat", "SurveyFormat", "Swift", "TOML", "Text", "Time"],
        "Practice/Gate": ["CMemory", "Files", "Glibc", "PracticeInterfaces", "Varlink", "VarlinkClient"],
        "Practice/Store": [
            "Files", "Glibc", "JSON", "PostgreSQL", "PracticeRules", "ScheduleFormat", "Storage", "Text", "Time",
        ],
        "Practice/Daemon": [
            "Files", "Glibc", "JSON", "PostgreSQL", "PracticeInterfaces", "PracticeRules", "PracticeStore",
            "ScheduleFormat", "StaffInterfaces", "Storage", "SurveyFormat", "Systemd", "TOML", "Time", "Unix",
            "Varlink", "VarlinkService", "Workers",
        ],
        "Companions/Shared": [
            "ArgumentParser", "CMemory", "Files", "Glibc", "JSON", "Text", "Time", "Unix", "Varlink", "VarlinkClient",
        ],
        "Companions/Messages": ["ArgumentParser", "Companion", "Glibc", "PracticeInterfaces", "Time", "Varlink"],
        "Companions/Surveys": ["Companion", "JSON", "PracticeInterfaces", "SurveyFormat", "Text", "Time", "Varlink"],
        "Companions/Daybreak": [
            "ArgumentParser", "Companion", "DaybreakInterfaces", "Files", "Glibc", "JSON", "Markdown", "Messages",
            "PracticeInterfaces", "SurveyFormat", "Surveys", "Text", "Time", "Unix", "Varlink", "VarlinkClient",
        ],
        "Companions/Practice": [
            "ArgumentParser", "CSV", "Companion", "Files", "Glibc", "JSON", "Messages", "PracticeInterfaces",
            "PracticeRules", "ScheduleFormat", "StaffInterfaces", "SurveyFormat", "Surveys", "TOML", "Text", "Time",
            "Varlink",
        ],
        "Companions/Notify": [
            "Bus", "DaybreakInterfaces", "Glibc", "Streams", "Systemd", "Text", "Varlink", "VarlinkClient",
        ],
        "Companions/Link": [
            "DaybreakInterfaces", "Glibc", "PracticeInterfaces", "Streams", "Systemd", "Text", "Time", "Varlink",
            "VarlinkClient",
        ],
        "Companions/Stream": ["Files", "Glibc", "Systemd", "Text", "Varlink", "VarlinkClient"],
        "Programs/daybreak-notify": ["DaybreakNotify", "Glibc"],
        "Programs/daybreak-link": ["DaybreakLink", "Glibc"],
        "Programs/daybreak": ["DaybreakCompanion"],
        "Programs/daybreakd": ["Glibc", "HomeworkDaemon"],
        "Programs/practice": ["PracticeCompanion"],
        "Programs/practice-gate": ["Glibc", "PracticeGate"],
        "Programs/practiced": ["Glibc", "PracticeDaemon"],
    ]

    @Test func `no room imports more than it may`() {
        let trespasses = SourceTree.swift.flatMap { file in
            file.imports.subtracting(Self.mayImport[file.room] ?? [])
                .map { "\(file.path) imports \($0)" }
        }
        #expect(trespasses == [])
    }

    @Test func `every room has its row in the table`() {
        #expect(Set(SourceTree.swift.map(\.room)) == Set(Self.mayImport.keys))
    }

    @Test func `only Systemd and Bus call libsystemd`() {
        #expect(SourceTree.places(of: #"\bsd_[a-z]"#) { ["Platform/Bus", "Platform/Systemd"].contains($0.room) } == [])
        #expect(SourceTree.places(of: #"\bsd_bus_[a-z]"#) { $0.room == "Platform/Bus" } == [])
    }

    @Test func `SQLite is called in Storage alone`() {
        #expect(SourceTree.places(of: #"\bsqlite3_[a-z]"#) { $0.room == "Platform/Storage" } == [])
    }

    @Test func `libpq is called in PostgreSQL alone`() {
        #expect(SourceTree.places(of: #"\bPQ[a-z]"#) { $0.room == "Platform/PostgreSQL" } == [])
    }

    @Test func `SQL is written in Storage, PostgreSQL, History and Store alone`() {
        let sql = #"\b(SELECT|INSERT INTO|PRAGMA|CREATE TABLE)\b"#
        let found = SourceTree.swift.filter {
            !["Platform/Storage", "Platform/PostgreSQL", "Homework/History", "Practice/Store"].contains($0.room)
        }.flatMap {
            file in
            file.lines.filter { $0.range(of: sql, options: .regularExpression) != nil }.map { "\(file.path): \($0)" }
        }
        #expect(found == [])
    }

    @Test func `only the two clocks and the terminal read the time`() {
        let clocks =
            #"\bDate\(\)|\bCalendar\.|\bTimeZone\.|\btime\(nil\)|\bclock_gettime\b|ContinuousClock|SuspendingClock"#
        let found = SourceTree.places(of: clocks) {
            $0.path == "Sources/Homework/Daemon/Machine/LocalClock.swift"
                || $0.path == "Sources/Practice/Daemon/Machine/SystemClock.swift" || $0.room.hasPrefix("Companions/")
        }
        #expect(found == [])
    }

    @Test func `threads share nothing but the queues of Workers`() {
        let concurrency = #"\basync\b|\bawait\b|\bTask \{|@unchecked|nonisolated\(unsafe\)|\bMutex\b"#
        #expect(SourceTree.places(of: concurrency) { $0.path == "Sources/Platform/Workers/Mailbox.swift" } == [])
    }

    @Test func `nothing is forced, and each ignored error has a comment`() {
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

    @Test func `files and lines are not too long`() {
        #expect(SourceTree.swift.filter { $0.lines.count > 501 }.map(\.path) == [])
    }

    /// The runner writes a test's name into its report as it is, between quotation marks; the report would be no XML.
    @Test func `no test's name has a quotation mark`() throws {
        let quoted = try SourceTree.files(under: "Tests", ending: ".swift").flatMap { path in
            try String(contentsOf: SourceTree.root.appendingPathComponent(path), encoding: .utf8)
                .matches(of: /func\s+`([^`]*["<&][^`]*)`/).map { String($0.1) }
        }
        #expect(quoted == [])
    }

    /// SwiftPM warns of such files in every build.
    @Test func `each file in a target's folder is a source, or is left out of the target`() throws {
        let package = try String(contentsOf: SourceTree.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let targets = package.matches(of: /path: "([^"]+)"(?:,\s*exclude: \[([^\]]*)\])?/)
        #expect(targets.count > 40)
        let sources = ["swift", "c", "h", "modulemap", "varlink"]
        let unhandled = targets.flatMap { target in
            let excluded = (target.2 ?? "").split(separator: "\"").filter { !$0.contains(",") }.map {
                "\(target.1)/\($0)"
            }
            return SourceTree.files(under: String(target.1), ending: "").filter { file in
                let url = SourceTree.root.appendingPathComponent(file)
                return !excluded.contains { file == $0 || file.hasPrefix($0 + "/") }
                    && !sources.contains(url.pathExtension) && !url.hasDirectoryPath
            }
        }
        #expect(unhandled == [])
    }

    @Test func `the top level has only the agreed files`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path)
            .filter { !$0.hasPrefix(".") && $0 != "Package.resolved" }
        #expect(Set(names) == ["Package.swift", "README.md", "LICENSE", "Sources", "Tests", "systemd", "Config"])
    }
}
