import Foundation
import Testing
import UnixTestSupport

/// Foundation's ICU without its data, as it is in the installed daemon: `icu.c` asks it.
@Suite struct WithoutICUTests {
    @Test func `ICU that is asked says that it has no data, and goes on`() throws {
        #expect(
            try asked(with: [Self.sources + "/CWithoutICU/CWithoutICU.c"])
                == """
                U_FILE_ACCESS_ERROR
                U_FILE_ACCESS_ERROR, no collator
                U_USING_DEFAULT_WARNING, 2 letters

                """)
    }

    @Test func `with its data it knows German`() throws {
        #expect(
            try asked(with: [])
                == """
                U_ZERO_ERROR
                U_USING_DEFAULT_WARNING, a collator
                U_ZERO_ERROR, 8 letters

                """)
    }

    private static let sources = URL(filePath: #filePath).appending(path: "../../../../Sources/Programs").standardized
        .path()

    /// What the program prints, linked with the toolchain's own ICU and those.
    private func asked(with more: [String]) throws -> String {
        let folder = Folder()
        let program = folder["icu"]
        let toolchain = try shown(["/bin/sh", "-c", "dirname $(dirname $(readlink -f $(command -v swiftc)))"])
            .trimmingCharacters(in: .newlines)
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "icu.c").path()
        _ = try shown(
            ["\(toolchain)/bin/clang", "-fuse-ld=lld", "-I\(Self.sources)/CWithoutICU/include", "-o", program, source]
                + more
                + ["-L\(toolchain)/lib/swift_static/linux", "-l_FoundationICU", "-lstdc++", "-lm", "-lpthread", "-ldl"])
        return try shown([program])
    }

    private func shown(_ command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(command)")
        return String(decoding: text, as: UTF8.self)
    }
}
