import DaybreakInterfaces
import Foundation
import Markdown
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// The pages of moods and of a lesson in a real browser, without a screen.
@Suite(.enabled(if: Browser.path != nil, "there is no Chromium here: install Debian's package chromium"))
struct BrowserTests {
    private let folder = URL(filePath: "/tmp").appending(path: "daybreak-browser-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let page = Moods.page(MoodsTests.log)
        try Data(page.utf8).write(to: folder.appending(path: "moods.html"))
        let lesson = try #require(MarkdownDocument(LessonTextTests.lesson + "\n\n<img src=x onerror=alert(1)>\n"))
        let read = LessonPage(title: "A short walk", programme: "Finding your feet", document: lesson).text
        try Data(read.utf8).write(to: folder.appending(path: "lesson.html"))
    }

    @Test func `a lesson is read by a browser, and loads and runs nothing`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = folder.appending(path: "net.json").path
        let found = try Browser.run(
            "--dump-dom", "--log-net-log=\(log)", "file://\(folder.path)/lesson.html", home: folder)
        #expect(found.status == 0)
        #expect(found.output.contains("<title>A short walk</title>") && found.output.contains("<h1>A short walk</h1>"))
        #expect(found.output.components(separatedBy: "<tr>").count - 1 == 3)
        #expect(!found.output.contains("<script") && !found.output.contains("<img"))
        let net = try String(contentsOfFile: log, encoding: .utf8)
        let asked = net.components(separatedBy: "\"url\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(asked.filter { $0.contains("example.org") || $0.contains("path.png") } == [])
    }

    @Test func `the page is read by a browser, and loads nothing`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = folder.appending(path: "net.json").path
        let found = try Browser.run(
            "--dump-dom", "--log-net-log=\(log)", "file://\(folder.path)/moods.html", home: folder)
        #expect(found.status == 0)
        let dom = found.output
        #expect(dom.contains("<title>Moods from 30 October 2026 to 20 November 2026</title>"))
        #expect(dom.components(separatedBy: "<circle").count - 1 == 6)
        #expect(dom.components(separatedBy: "<caption>").count - 1 == 2)
        #expect(dom.components(separatedBy: "<time datetime=").count - 1 == 6)
        let net = try String(contentsOfFile: log, encoding: .utf8)
        let asked = net.components(separatedBy: "\"url\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(asked.filter { $0.contains("moods") && !$0.hasPrefix("file:") } == [])
        #expect(!Moods.page(MoodsTests.log).contains("http://"))
        #expect(!Moods.page(MoodsTests.log).contains("https://"))
    }

    @Test(arguments: [("light", "#fdfbf7"), ("dark", "#1d1b1a")], ["lesson.html", "moods.html"])
    func `a page is light or dark as the reader's system is`(scheme: (name: String, paper: String), file: String) throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let picture = folder.appending(path: "\(scheme.name).png").path
        let found = try Browser.run(
            "--screenshot=\(picture)", "--window-size=900,1100", "--hide-scrollbars", Browser.prefers(scheme.name),
            "file://\(folder.path)/\(file)", home: folder)
        #expect(found.status == 0)
        #expect(try Browser.firstPixel(of: picture) == scheme.paper)
    }

    @Test(arguments: ["light", "dark"], ["lesson.html", "moods.html"])
    func `text and dots stand out from the paper`(scheme: String, file: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let seen = try Contrast.measure(file, scheme, in: folder)
        #expect(seen.paper == (scheme == "light" ? "#fdfbf7" : "#1d1b1a"))
        #expect(seen.pieces > 100 && seen.weak == [])
        #expect(seen.areas.filter { $0.value < 3 } == [:])
    }

    @Test(arguments: ["moods.html", "moods.svg", "lesson.html"]) func `the page and the drawing are drawn`(name: String)
        throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let drawing = Moods.drawing(MoodsTests.log)
        try Data(drawing.utf8).write(to: folder.appending(path: "moods.svg"))
        let picture = folder.appending(path: "picture.png").path
        let found = try Browser.run(
            "--screenshot=\(picture)", "--window-size=900,1100", "file://\(folder.path)/\(name)", home: folder)
        #expect(found.status == 0)
        let png = try Data(contentsOf: URL(filePath: picture))
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(png.count > 10_000)
    }
}
