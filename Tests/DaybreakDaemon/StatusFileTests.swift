import Glibc
import Testing

@testable import DaybreakDaemon

@Suite struct StatusFileTests {
    private let folder = Folder()
    private var file: StatusFile { StatusFile(path: folder["status.json"]) }

    private func write(_ text: String) throws { try file.write(Array(text.utf8)) }

    @Test func `the text stands in the file, which its user alone may read`() throws {
        try write("{}\n")
        #expect(text(of: folder["status.json"]) == "{}\n")
        #expect(mode(of: folder["status.json"]) == 0o600)
        #expect(try folder.names == ["status.json"])
    }

    @Test func `a wider file that stood there does not widen the new one`() throws {
        DaybreakDaemonTests.write("old", to: folder["status.json"])
        try write("{}\n")
        #expect(mode(of: folder["status.json"]) == 0o600)
    }

    @Test(arguments: ["status.json", "status.json.new"]) func `a link that was planted is never written through`(
        name: String
    ) throws {
        DaybreakDaemonTests.write("precious", to: folder["victim"])
        must(symlink(folder["victim"], folder[name]))
        try write("{}\n")
        #expect(text(of: folder["victim"]) == "precious")
        #expect(text(of: folder["status.json"]) == "{}\n")
        #expect(try folder.names == ["status.json", "victim"])
    }

    @Test func `what a crash left behind is no hindrance`() throws {
        DaybreakDaemonTests.write("half", to: folder["status.json.new"])
        try write("{}\n")
        #expect(try folder.names == ["status.json"])
    }

    @Test func `a folder that has vanished is an error`() {
        let file = StatusFile(path: folder["gone/status.json"])
        let error = #expect(throws: PathError.self) { try file.write([]) }
        #expect(error == PathError(path: folder["gone/status.json.new"], reason: "No such file or directory"))
    }

    @Test func `a reader never sees a part, nor nothing`() async throws {
        let path = folder["status.json"]
        try write("0" + String(repeating: "0", count: 9_999) + "\n")
        async let seen = whatIsWrong(in: path)
        for number in 1...2_000 {
            let digit = "\(number % 10)"
            try write((number == 2_000 ? "!" : digit) + String(repeating: digit, count: 9_999) + "\n")
        }
        #expect(await seen == [])
    }
}

/// What was seen that was neither whole nor one text; until the last text is seen.
private func whatIsWrong(in path: String) async -> [String] {
    var wrong: [String] = []
    while true {
        guard let text = text(of: path) else { return wrong + ["nothing"] }
        let letters = Set(text.utf8.dropFirst())
        if text.utf8.count != 10_001 || letters.count != 2 { wrong.append(String(text.prefix(20))) }
        if text.hasPrefix("!") { return wrong }
    }
}
