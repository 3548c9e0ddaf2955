import Testing

@testable import HomeworkDaemon

@Suite struct `A table's header without a name` {
    @Test(arguments: ["[", "[[", "[.", "[=]", "[[[", "[ [", "[#]", "[\u{E9}]", "[\r"])
    func `is refused with its line`(header: String) {
        let fault = ConfigurationError(
            file: "f", line: 2, reason: "It is not TOML. After [ the name of a table must follow.")
        #expect(throws: fault) { try Configuration.read("# first\n \t\(header)\n", file: "f") }
    }

    @Test func `is refused behind a byte order mark as well`() {
        let fault = ConfigurationError(
            file: "f", line: 1, reason: "It is not TOML. After [ the name of a table must follow.")
        #expect(throws: fault) { try Configuration.read("\u{FEFF}[\n", file: "f") }
    }

    @Test(arguments: ["[day]", "[ day ]", "[\"day\"]", "['day']", "  [day] # x"])
    func `is none where there is one`(header: String) throws {
        #expect(try Configuration.read("\(header)\ngrace_days = 3\n", file: "f").settings.graceDays == 3)
    }
}
