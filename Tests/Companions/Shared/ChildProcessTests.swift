import Glibc
import Testing

@testable import Companion
@testable import DaybreakCompanion

@Suite struct `The output of a child process` {
    @Test func `may write more errors than a pipe holds before its output`() throws {
        let answer = try ChildProcess.output(of: "sh", ["-c", "head -c 200000 /dev/zero >&2; echo answer"])
        #expect(String(decoding: answer, as: UTF8.self) == "answer\n")
    }

    @Test func `is reported by its output and its exit status`() {
        let failure = #expect(throws: Failure.self) {
            try ChildProcess.output(of: "sh", ["-c", "echo answer; echo complaint >&2; exit 3"])
        }
        #expect(failure?.sentence == "complaint")
        #expect(failure?.status == 3)
        let misuse = Failure(ending: 64, saying: "complaint")
        #expect(misuse.json == #"{"error":"Misused","parameters":{"reason":"complaint"}}"#)
    }

    @Test func `is reported with a blank between the lines of its errors`() {
        let failure = #expect(throws: Failure.self) {
            try ChildProcess.output(of: "sh", ["-c", #"printf 'one.\ntwo \033[1mthree.\n' >&2; exit 1"#])
        }
        #expect(failure?.sentence == "one. two [1mthree.")
    }

    @Test func `is reported with the machine's reason if it cannot be run`() {
        let failure = #expect(throws: Failure.self) { try ChildProcess.output(of: "/etc/passwd", []) }
        #expect(failure?.sentence == "/etc/passwd cannot be run: Permission denied.")
    }

    @Test func `leaves no pipe open if it does not exist`() async {
        await #expect(processExitsWith: .success) {
            func next() -> Int32 {
                let descriptor = open("/dev/null", O_RDONLY)
                close(descriptor)
                return descriptor
            }
            let before = next()
            // Only the number of descriptors matters. The test runner may open one meanwhile; fifty lost ones are more.
            for _ in 1...50 { _ = try? ChildProcess.output(of: "no-such-program", []) }
            exit(next() < before + 50 ? 0 : 1)
        }
    }
}

@Suite struct `A detached program` {
    @Test func `leads a session of its own, so that it outlives its terminal`() async {
        await #expect(processExitsWith: .success) {
            let test = #"test "$(cut -d' ' -f6 /proc/$$/stat)" = $$ && echo yes"#
            exit(DetachedProgram(["/bin/sh", "-c", test])?.hasWritten == true ? 0 : 1)
        }
    }
}
