import Glibc
import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct `A program that is run for its answer` {
    @Test func `may have more to complain of than a pipe holds before it answers`() throws {
        let answer = try ChildProcess.output(of: "sh", ["-c", "head -c 200000 /dev/zero >&2; echo answer"])
        #expect(String(decoding: answer, as: UTF8.self) == "answer\n")
    }

    @Test func `is told of by what it says and the status that it ends with`() {
        let failure = #expect(throws: Failure.self) {
            try ChildProcess.output(of: "sh", ["-c", "echo answer; echo complaint >&2; exit 3"])
        }
        #expect(failure?.sentence == "complaint")
        #expect(failure?.status == 3)
    }

    @Test func `leaves no pipe behind where there is none of that name`() async {
        await #expect(processExitsWith: .success) {
            func next() -> Int32 {
                let descriptor = open("/dev/null", O_RDONLY)
                close(descriptor)
                return descriptor
            }
            let before = next()
            // Only the descriptors matter here. The test runner may open one of its own meanwhile; fifty leaks are more.
            for _ in 1...50 { _ = try? ChildProcess.output(of: "no-such-program", []) }
            exit(next() < before + 50 ? 0 : 1)
        }
    }
}
