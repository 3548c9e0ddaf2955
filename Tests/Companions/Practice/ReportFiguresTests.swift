import Foundation
import Glibc
import PracticeInterfaces
import StaffInterfaces
import Testing
import Time

@testable import Companion
@testable import PracticeCompanion

@Suite struct `Reports as practiced counts them` {
    static func reply(
        _ title: String, _ unit: String, periods: [String] = ["2026-W53", "2027-W01"], running: Bool? = nil,
        _ series: [Reports.Series]
    ) -> Reports.Get.Reply {
        .init(
            title: title, unit: unit, periods: periods, series: series, running: running, definition: "What is counted."
        )
    }

    private static func series(
        _ name: String, _ values: [Double], _ total: Double, unit: String? = nil, of person: String? = nil,
        suppressed: [Int]? = nil, missing: [Int]? = nil
    ) -> Reports.Series {
        .init(
            name: name, values: values, total: total, unit: unit, thanatologist: person.map { "id of \($0)" },
            thanatologistName: person, suppressed: suppressed, totalSuppressed: suppressed == nil ? nil : true,
            missing: missing, totalMissing: missing == nil ? nil : true)
    }

    private static let fees = reply(
        "Recovery fees", "EUR", running: true,
        [
            series("EUR", [45.5, 0], 45.5), series("None given", [2, 1], 3, unit: "sessions"),
            series("Nothing to give", [0, 4], 4, unit: "sessions"),
        ])

    @Test func `each unit is a section, and money has its currency's decimals`() throws {
        let figures = try Figures(.fees, Self.fees)
        #expect(figures.sections.map(\.heading) == ["EUR", "Sessions"])
        #expect(
            figures.plain(columns: nil) == """
                  Recovery fees

                  EUR
                  Period      EUR
                  2026-W53  45.50
                  2027-W01   0.00
                  In all    45.50

                  Sessions
                  Period    None given  Nothing to give
                  2026-W53           2                0
                  2027-W01           1                4
                  In all             3                4

                  What is counted.

                  2027-W01 is not over yet.

                """)
    }

    @Test func `numbers that are withheld or missing are marked`() throws {
        let figures = try Figures(
            .replies,
            Self.reply(
                "Replies", "hours",
                [Self.series("Median", [0, 3.25], 0, suppressed: [0], missing: [1])]))
        #expect(figures.sections[0].series[0].values == [.withheld, .none])
        #expect(figures.sections[0].series[0].total == .withheld)
        #expect(figures.notes == ["– stands for a number that is not shown."])
    }

    @Test func `a series that is alone in its unit is named in its heading`() throws {
        let reply = Self.reply(
            "Replies", "hours",
            [Self.series("Median", [1, 2], 1.5), Self.series("Waiting", [1, 0], 1, unit: "conversations")])
        #expect(
            try Figures(.replies, reply).sections.map(\.heading) == ["Median (hours)", "Waiting (conversations)"])
    }

    @Test func `the series of each thanatologist are a section, and a person's name is said once`() throws {
        let figures = try Figures(
            .motives,
            Self.reply(
                "Motives", "sessions",
                [
                    Self.series("Ana: Loss", [1, 2], 3, of: "Ana"), Self.series("Ana: Work", [1, 0], 1, of: "Ana"),
                    Self.series("Bea: Loss", [4, 2], 6, of: "Bea"),
                ]))
        #expect(figures.title == "Motives")
        #expect(figures.sections.map(\.heading) == ["Ana", "Bea"])
        #expect(figures.sections.map { $0.series.map(\.name) } == [["Loss", "Work"], ["Loss"]])
    }

    @Test func `people of a caseload stand side by side, in the order in which they came`() throws {
        let reply = Self.reply(
            "Caseload", "clients",
            [Self.series("Ana", [1, 2], 3, of: "Ana"), Self.series("Bea", [4, 2], 6, of: "Bea")])
        #expect(
            BarChart(try Figures(.caseload, reply), columns: 40, ink: .plain).text == """
                  Caseload

                  Ana ██████████████ 3                ▅█
                  Bea ████████████████████████████ 6  █▅

                  What is counted.

                """)
    }

    @Test func `a report of one thanatologist says so in its title`() throws {
        let reply = Self.reply("Clients", "clients", [Self.series("Clients", [1, 2], 3, of: "Ana")])
        #expect(try Figures(.attended, reply).title == "Clients, of Ana")
    }

    @Test func `a reply that contradicts itself is not shown`() {
        let short = Self.reply("Clients", "clients", [Self.series("Clients", [1], 3)])
        let strange = Self.reply("Clients", "clients", periods: ["2026-W54"], [Self.series("Clients", [1], 3)])
        for reply in [short, strange] {
            let failure = #expect(throws: Failure.self) { try Figures(.attended, reply) }
            #expect(failure?.status == 70)
        }
    }

    @Test func `a spreadsheet has a row for each series`() throws {
        let motives = Self.reply("Motives", "sessions", [Self.series("=1+1, \"x\"\u{1B}", [0, 7], 0, suppressed: [0])])
        let reports = [
            CountedReport(kind: .fees, figures: try Figures(.fees, Self.fees)),
            CountedReport(kind: .motives, figures: try Figures(.motives, motives)),
        ]
        #expect(
            ReportSheet(reports).text == """
                report,part,series,unit,not over,2026-W53,2027-W01,in all\r
                fees,EUR,EUR,EUR,2027-W01,45.50,0.00,45.50\r
                fees,Sessions,None given,sessions,2027-W01,2,1,3\r
                fees,Sessions,Nothing to give,sessions,2027-W01,0,4,4\r
                motives,,\"=1+1, \"\"x\"\"\",sessions,,–,7,–\r

                """)
    }
}

/// A folder of reports, in a folder that is removed at the end.
@Suite final class `A folder of reports` {
    private let place: String

    init() {
        var template = Array("/tmp/practice-reports-XXXXXX".utf8CString)
        place = String(cString: mkdtemp(&template))
    }

    deinit { try? FileManager.default.removeItem(atPath: place) }

    private func mode(_ path: String) -> mode_t {
        var found = stat()
        return stat(path, &found) == 0 ? found.st_mode & 0o7777 : 0
    }

    private func number(_ path: String) -> ino_t {
        var found = stat()
        return stat(path, &found) == 0 ? found.st_ino : 0
    }

    @Test(arguments: [(false, mode_t(0o700), mode_t(0o600)), (true, 0o755, 0o644)])
    func `only this user can read it, unless it is shared`(isPublic: Bool, ofFolder: mode_t, ofFile: mode_t) throws {
        let folder = ReportFolder(path: place + "/pages", isPublic: isPublic)
        try folder.make()
        try folder.make()
        try folder.keep(isOnce: true, pause: {}, say: { _ in }, pages: { [("index.html", "x")] })
        #expect(mode(place + "/pages") == ofFolder)
        #expect(mode(place + "/pages/index.html") == ofFile)
    }

    @Test func `a file that changed is replaced whole, and one that did not is left alone`() throws {
        let folder = ReportFolder(path: place, isPublic: false)
        var lines: [String] = []
        var rounds: [[(name: String, text: String)]] = [
            [("a", "1"), ("b", "1")], [("a", "1"), ("b", "2")], [("a", "1"), ("b", "2")],
        ]
        var numbers: [[ino_t]] = []
        struct End: Error {}
        #expect(throws: End.self) {
            try folder.keep(
                isOnce: false, pause: { numbers.append([number(place + "/a"), number(place + "/b")]) },
                say: { lines.append($0.text) },
                pages: {
                    guard !rounds.isEmpty else { throw End() }
                    return rounds.removeFirst()
                })
        }
        #expect(lines == ["2 files in \(place) changed.", "1 file in \(place) changed."])
        #expect(numbers.count == 3 && numbers[0][0] == numbers[2][0] && numbers[0][1] != numbers[2][1])
        #expect(numbers[1] == numbers[2])
        #expect(try String(contentsOfFile: place + "/b", encoding: .utf8) == "2")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == ["a", "b"])
    }

    @Test func `a page that is not shared any more is removed, and a file of somebody else stays`() throws {
        for name in ["weeks.html", "notes.txt"] {
            try "x".write(toFile: "\(place)/\(name)", atomically: true, encoding: .utf8)
        }
        try ReportFolder(path: place, isPublic: true).keep(
            isOnce: true, pause: {}, say: { #expect($0.text == "2 files in \(place) changed.") },
            pages: { [("index.html", "x")] })
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == ["index.html", "notes.txt"])
    }

    @Test func `files of other programs are named, and those of reports are not`() throws {
        let folder = ReportFolder(path: place, isPublic: false)
        try folder.checkOwn()
        for (file, mark) in ReportPages.marks {
            try "<!-- \(mark) -->".write(toFile: "\(place)/\(file)", atomically: true, encoding: .utf8)
        }
        try folder.checkOwn()
        for name in ["weeks.html", "fees.svg", "notes.txt"] {
            try "x".write(toFile: "\(place)/\(name)", atomically: true, encoding: .utf8)
        }
        try FileManager.default.moveItem(atPath: place + "/index.html", toPath: place + "/own.html")
        try FileManager.default.createSymbolicLink(
            atPath: place + "/index.html", withDestinationPath: place + "/own.html")
        let failure = #expect(throws: Failure.self) { try folder.checkOwn() }
        #expect(
            failure?.sentence
                == "In \(place), these are not files of `practice report`: index.html, weeks.html, fees.svg. Name another "
                + "folder; --force replaces them.")
    }

    @Test func `a folder that keeps other users out is told where all of them may read its pages`() throws {
        let (shared, own) = (ReportFolder(path: place, isPublic: true), ReportFolder(path: place, isPublic: false))
        for mode in [mode_t(0o755), 0o711] {
            #expect(chmod(place, mode) == 0)
            #expect(shared.keptShut == nil)
        }
        #expect(chmod(place, 0o750) == 0)
        #expect(own.keptShut == nil)
        #expect(
            shared.keptShut
                == "The folder \(place) was there already, and keeps other users out; `chmod go+rx \(place)` opens it.")
    }

    @Test func `a round that fails is told, and leaves the files; a single round ends with the failure`() throws {
        let folder = ReportFolder(path: place, isPublic: false)
        let away = Failure.noDaemon(.practiced, at: "/none", why: "there is none")
        var lines: [ReportFolder.Line] = []
        var rounds = 0
        struct End: Error {}
        #expect(throws: End.self) {
            try folder.keep(
                isOnce: false, pause: { rounds += 1 }, say: { lines.append($0) },
                pages: {
                    if rounds == 0 { return [("a", "1")] }
                    if rounds == 1 { throw away }
                    throw End()
                })
        }
        #expect(
            lines == [
                .init(text: "1 file in \(place) changed.", isRefusal: false),
                .init(text: away.sentence, isRefusal: true),
            ])
        #expect(try String(contentsOfFile: place + "/a", encoding: .utf8) == "1")
        #expect(throws: away) { try folder.keep(isOnce: true, pause: {}, say: { _ in }, pages: { throw away }) }
    }

    @Test func `a folder that cannot be made is refused`() throws {
        try "x".write(toFile: place + "/file", atomically: true, encoding: .utf8)
        let there = #expect(throws: Failure.self) { try ReportFolder(path: place + "/file", isPublic: false).make() }
        #expect(there?.sentence == "The folder \(place)/file cannot be made: it is there, and no folder.")
        let deep = #expect(throws: Failure.self) { try ReportFolder(path: place + "/a/b", isPublic: false).make() }
        #expect(deep?.sentence == "The folder \(place)/a/b cannot be made: No such file or directory.")
    }
}
