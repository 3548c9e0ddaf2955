import DaybreakInterfaces
import Foundation
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// The page of moods in a real browser, without a screen.
@Suite(.enabled(if: Browser.path != nil, "there is no Chromium here: install Debian's package chromium"))
struct BrowserTests {
    private let folder = URL(filePath: "/tmp").appending(path: "daybreak-browser-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let page = Moods.page(MoodsTests.log)
        try Data(page.utf8).write(to: folder.appending(path: "moods.html"))
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

    @Test(arguments: ["moods.html", "moods.svg"]) func `the page and the drawing are drawn`(name: String) throws {
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

private enum Browser {
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static func run(_ arguments: String..., home: URL) throws -> (output: String, status: Int32) {
        let process = Process()
        process.executableURL = path.map { URL(filePath: $0) }
        process.arguments =
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
                "--user-data-dir=\(home.path)/profile",
            ] + arguments
        process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (said, process.terminationStatus)
    }
}
