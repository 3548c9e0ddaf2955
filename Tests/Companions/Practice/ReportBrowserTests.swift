import Foundation
import PracticeInterfaces
import Testing
import Time

@testable import Companion
@testable import PracticeCompanion

/// The page of all reports in a real browser, without a screen.
@Suite(.enabled(if: Browser.path != nil, "there is no Chromium here: install Debian's package chromium"))
final class `The page of all reports in a browser` {
    private let folder = URL(filePath: "/tmp").appending(path: "practice-browser-\(UUID().uuidString)")
    private let page: String

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        page =
            FiguresPage(
                title: "Clinic at the Park", introduction: "Reports by month.", reports: SampleFigures.all
            ).text
        try Data(page.utf8).write(to: folder.appending(path: "reports.html"))
        let surveys = SurveysPage(
            surveys: `Pages about programmes`.surveys, today: "2027-03-22", columns: nil, ink: .plain)
        let scores = surveys.scores(surveys.series, of: 7)
        try Data(scores.utf8).write(to: folder.appending(path: "scores.html"))
        try Data(BarDrawing(SampleFigures.motives).file.utf8).write(to: folder.appending(path: "motives.svg"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test func `it is read as it was meant, and loads nothing`() throws {
        let log = folder.appending(path: "net.json").path
        let found = try Browser.run(
            "--dump-dom", "--log-net-log=\(log)", "file://\(folder.path)/reports.html", home: folder)
        #expect(found.status == 0)
        func count(_ text: String) -> Int { found.output.components(separatedBy: text).count - 1 }
        #expect(count("<title>Clinic at the Park</title>") == 1)
        #expect(count("<section") == 8)
        #expect(count("<svg") == 8)
        #expect(count("role=\"img\"") == 8)
        #expect(count("<table>") == 10)
        #expect(count("<script") == 0)
        let net = try String(contentsOfFile: log, encoding: .utf8)
        let asked = net.components(separatedBy: "\"url\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(asked.filter { $0.contains("reports") && !$0.hasPrefix("file:") } == [])
    }

    @Test func `the page of a client's scores is read as it was meant, and loads nothing`() throws {
        let log = folder.appending(path: "net.json").path
        let found = try Browser.run(
            "--dump-dom", "--log-net-log=\(log)", "file://\(folder.path)/scores.html", home: folder)
        #expect(found.status == 0)
        func count(_ text: String) -> Int { found.output.components(separatedBy: text).count - 1 }
        #expect(count("<title>Surveys of client No. 7: scores over time</title>") == 1)
        #expect(count("<svg") == 1 && count("<circle") == 2 && count("<script") == 0)
        #expect(count("<td>5, of -2 to 6</td>") == 1 && count("<td>-2, of -2 to 6</td>") == 1)
        let net = try String(contentsOfFile: log, encoding: .utf8)
        let asked = net.components(separatedBy: "\"url\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(asked.filter { $0.contains("scores") && !$0.hasPrefix("file:") } == [])
    }

    @Test(arguments: [("light", "#fdfbf7"), ("dark", "#1d1b1a")], ["reports.html", "motives.svg", "scores.html"])
    func `it is light or dark as the reader's system is`(scheme: (name: String, paper: String), file: String) throws {
        let picture = folder.appending(path: "\(scheme.name).png").path
        let found = try Browser.run(
            "--screenshot=\(picture)", "--window-size=900,1100", "--hide-scrollbars", Browser.prefers(scheme.name),
            "file://\(folder.path)/\(file)", home: folder)
        #expect(found.status == 0)
        // The corner of a drawing is round, and what is behind it is the browser's.
        if file.hasSuffix(".html") { #expect(try Browser.firstPixel(of: picture) == scheme.paper) }
        #expect(try Data(contentsOf: URL(filePath: picture)).count > 10_000)
    }

    @Test(arguments: ["light", "dark"], ["reports.html", "scores.html"])
    func `text and bars stand out from the paper`(scheme: String, file: String) throws {
        let seen = try Contrast.measure(file, scheme, in: folder)
        #expect(seen.paper == (scheme == "light" ? "#fdfbf7" : "#1d1b1a"))
        #expect(seen.pieces > 100 && seen.weak == [])
        #expect(seen.areas.filter { $0.value < 3 } == [:])
        #expect(seen.areas.count >= (file == "reports.html" ? 3 : 1))
    }

    @Test(arguments: ["light", "dark"]) func `it is printed on a sheet for each report`(scheme: String) throws {
        let print = folder.appending(path: "\(scheme).pdf").path
        let found = try Browser.run(
            "--print-to-pdf=\(print)", "--no-pdf-header-footer", Browser.prefers(scheme),
            "file://\(folder.path)/reports.html", home: folder)
        #expect(found.status == 0)
        let text = String(decoding: try Data(contentsOf: URL(filePath: print)), as: Unicode.ASCII.self)
        #expect(text.hasPrefix("%PDF-"))
        #expect(text.components(separatedBy: "/Type /Page\n").count - 1 == 8)
    }
}

/// The pages that a practice prints or puts on its web site, filled with made-up people.
@Suite(.enabled(if: Browser.path != nil, "there is no Chromium here: install Debian's package chromium"))
struct `Pages of a made-up practice in a browser` {
    private let practice: RealPractice

    private struct Clients: Decodable {
        struct Client: Decodable {
            let number: Int
            let late: Int
        }
        let clients: [Client]
    }

    init() throws {
        practice = try RealPractice()
        try practice.says("demo")
        try practice.withoutDaemon {}
        practice.plays("Ana Ruiz")
    }

    private var folder: URL { URL(filePath: practice.folder) }

    @Test(arguments: ["light", "dark"]) func `a case file stands out from the paper, and no word of a table is broken`(
        scheme: String
    ) throws {
        let list = try JSONDecoder().decode(Clients.self, from: Data(practice.says("clients", "--json").utf8))
        let client = try #require(list.clients.first { $0.late > 0 })
        let file = folder.appending(path: "file.html").path
        _ = try practice.says("client", "file", "\(client.number)", "--html", "--to", file)
        let seen = try Contrast.measure("file.html", scheme, in: folder)
        // The charts lie on a paper of their own, which is an area, too.
        #expect(seen.pieces > 100 && seen.weak == [])
        // A browser puts a broken word on several lines, each with a rectangle of its own.
        let script = """
            <script>
            const cells = [...document.querySelectorAll("th")].filter(c => !/\\s/.test(c.textContent.trim()));
            const broken = cells.filter(c => { const r = document.createRange(); r.selectNodeContents(c);
              return r.getClientRects().length > 1; });
            document.title = `MEASURED ${cells.length} cells, ${broken.map(c => c.textContent)} broken`;
            </script>
            """
        let page = try String(contentsOfFile: file, encoding: .utf8)
            .replacing(#/<meta http-equiv="Content-Security-Policy"[^>]*>/#, with: "")
        try Data((page + script).utf8).write(to: folder.appending(path: "measured.html"))
        let found = try Browser.run(
            "--dump-dom", "--window-size=900,1100", "file://\(practice.folder)/measured.html", home: folder)
        let measured = try #require(found.output.firstMatch(of: #/MEASURED ([0-9]+) cells, (.*) broken/#))
        #expect(try #require(Int(measured.1)) > 5 && measured.2.isEmpty, "\(measured.0)")
    }

    @Test(arguments: [("light", "#fdfbf7"), ("dark", "#1d1b1a")])
    func `the services stand out from the paper, beside their pictures`(scheme: (name: String, paper: String)) throws {
        let file = folder.appending(path: "services.html").path
        _ = try practice.says("services", "--html", file)
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(page.contains("<img"))
        // The pictures have colours of their own.
        try Data((page + "<style>img { visibility: hidden }</style>").utf8)
            .write(to: folder.appending(path: "text.html"))
        let seen = try Contrast.measure("text.html", scheme.name, in: folder)
        #expect(seen.paper == scheme.paper && seen.pieces > 100 && seen.weak == [])
    }
}
