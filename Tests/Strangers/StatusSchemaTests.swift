import Foundation
import TestSupport
import Testing
import TestingSupport

/// The status file, checked by PyPI's `jsonschema` against the installed schema.
@Suite(.enabled(if: Given.isComplete, Given.why), .hangGuard) struct StatusSchemaTests {
    private static let judge = """
        import json, sys
        from jsonschema import Draft202012Validator, FormatChecker
        schema = json.load(open(sys.argv[1]))
        Draft202012Validator.check_schema(schema)
        judge = Draft202012Validator(schema, format_checker=FormatChecker())
        for text in sys.argv[2:]:
            faults = [fault.message for fault in judge.iter_errors(json.loads(text))]
            print("; ".join(sorted(faults)) or "sound")
        """

    private func judge(_ texts: [String], _ household: ClientFixture) -> Program.CommandOutput {
        household.python(Self.judge, ["\(Given.root)/Config/status.schema.json"] + texts)
    }

    @Test func `the status file fits its schema at each step of a task`() throws {
        let household = try ClientFixture()
        let steps = [
            ("Homework.GetStatus", "{}"), ("Homework.Snooze", #"{"until":"30m"}"#), ("Homework.Start", "{}"),
            ("Homework.Pause", "{}"), ("Provider.SetPresence", #"{"online":true,"name":"Dr. Example"}"#),
            ("Homework.Join", "{}"), ("Homework.Leave", "{}"), ("Homework.LogMood", #"{"mood":"calm"}"#),
        ]
        var files: [String] = []
        for (method, parameters) in steps {
            #expect(try household.ask(method, parameters).error == nil, "\(method)")
            files.append(try String(contentsOfFile: household.status, encoding: .utf8))
        }
        #expect(files.map(stage) == ["none", "none", "exercise", "exercise", "exercise", "session", "mood", "none"])
        let verdict = String(repeating: "sound\n", count: files.count)
        #expect(judge(files, household) == .init(output: verdict, errors: "", status: 0))
    }

    @Test func `the status file fits its schema in the exercise and in the wait room`() throws {
        let household = try ClientFixture()
        try household.ask("Homework.Start")
        let guided = try household.line()
        guided.send(Array("{\"method\":\"org.daybreak.Homework.Breathe\",\"more\":true}\0".utf8))
        var files: [String] = []
        while let reply = try guided.reply() {
            files.append(try String(contentsOfFile: household.status, encoding: .utf8))
            guard reply.continues else { break }
        }
        #expect(files.map(stage) == ["exercise", "exercise", "waiting"])
        #expect(judge(files, household).output == "sound\nsound\nsound\n")
    }

    @Test func `the status file fits its schema when there is nothing to do`() throws {
        let household = try ClientFixture(schedule: "[]")
        try household.ask("Homework.GetStatus")
        #expect(judge([try String(contentsOfFile: household.status, encoding: .utf8)], household).output == "sound\n")
    }

    /// Shows that the checker finds faults.
    @Test func `the schema refuses a text that is no status`() throws {
        let household = try ClientFixture()
        try household.ask("Homework.GetStatus")
        let file = try String(contentsOfFile: household.status, encoding: .utf8)
        let leaking = file.replacingOccurrences(of: "{\"asOf\"", with: "{\"mood\":\"calm\",\"asOf\"")
        let undated = file.replacingOccurrences(
            of: #""today":"[0-9-]+""#, with: #""today":"soon""#, options: .regularExpression)
        #expect(
            judge([leaking, undated, "{}"], household).output.split(separator: "\n").map { $0.prefix(60) }
                == [
                    "Additional properties are not allowed ('mood' was unexpected",
                    "'soon' is not a 'date'",
                    "'asOf' is a required property; 'counts' is a required proper",
                ])
    }

    private func stage(_ file: String) -> String {
        struct Status: Decodable {
            var flow: Flow?
            struct Flow: Decodable { var stage: String }
        }
        return (try? JSONDecoder().decode(Status.self, from: Data(file.utf8)))?.flow?.stage ?? "none"
    }
}
