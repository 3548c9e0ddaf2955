import Foundation
import Testing

private let programs = ProcessInfo.processInfo.environment["DAYBREAK_BIN"]

/// The programs as the installer makes them.
@Suite(.enabled(if: programs != nil, "DAYBREAK_BIN does not say where they are")) struct InstalledTests {
    @Test(arguments: [("daybreak", 15), ("daybreakd", 60)])
    func `they are no larger than is promised`(name: String, megabytes: Int) throws {
        let folder = try #require(programs)
        let file = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
        #expect(try #require(file[.size] as? Int) <= megabytes * 1_000_000)
    }

    @Test func `what Foundation would write is left out, and that is said`() throws {
        let folder = try #require(programs)
        let process = Process()
        process.executableURL = URL(filePath: "\(folder)/daybreak")
        process.arguments = ["--experimental-dump-help"]
        let error = Pipe()
        process.standardError = error
        try process.run()
        let said = try error.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(
            String(decoding: said, as: UTF8.self)
                == "daybreak: --experimental-dump-help is left out here; `daybreak help` says the same.\n")
        #expect(process.terminationStatus == 64)
    }
}
