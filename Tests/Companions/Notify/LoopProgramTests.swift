import Glibc
import Streams
import Testing

/// The start and the end of `daybreak-notify` and `daybreak-link`.
@Suite struct LoopProgramTests {
    @Test func `a line on standard error has no hidden characters`() async throws {
        let ended = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
            struct Fault: Error, CustomStringConvertible {
                var description: String { "a\u{1B}[2Jb\u{202E}c\nd" }
            }
            let program = LoopProgram("daybreak-test", version: "1", words: 1, help: "")
            exit(program.main(["daybreak-test", "word"]) { _, _ in throw Fault() })
        }
        let said = try #require(ended).standardErrorContent
        #expect(String(decoding: said, as: UTF8.self) == "daybreak-test: a[2Jbc\nd\n")
    }
}
