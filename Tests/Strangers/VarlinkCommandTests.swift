import Foundation
import TestSupport
import Testing
import TestingSupport

/// PyPI's `varlink`, the reference implementation's command line. It ends with 0 even on errors, so its output is compared.
@Suite(.enabled(if: Given.isComplete, Given.why), .hangGuard) struct VarlinkCommandTests {
    private let household: ClientFixture

    init() throws { household = try ClientFixture() }

    private func words(_ verb: [String], _ path: String, _ rest: [String] = []) -> [String] {
        [Given.python!, "-m", "varlink.cli"] + verb + [
            path.isEmpty ? household.address : "\(household.address)/\(path)"
        ]
            + rest
    }

    @Test func `info prints the service's description`() {
        let expected = """
            Vendor: The Daybreak project
            Product: daybreak
            Version: 0.1.0
            URL: \("")
            Interfaces:
               org.varlink.service
               org.daybreak.Homework
               org.daybreak.Link
               org.daybreak.Provider
               org.daybreak.Service

            """
        #expect(household.run(words(["info"], "")) == .init(output: expected, errors: "", status: 0))
    }

    /// It prints the interface from what its own parser has read.
    @Test(arguments: ["Homework", "Link", "Provider", "Service"])
    func `help parses each interface, and prints it as in its file`(name: String) throws {
        let file = "\(Given.root)/Sources/Interfaces/Daybreak/org.daybreak.\(name).varlink"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let said = household.run(words(["help"], "org.daybreak.\(name)"))
        #expect(said == .init(output: "\(text)\n", errors: "", status: 0))
    }

    @Test func `call prints the reply`() throws {
        let said = household.run(words(["call"], "org.daybreak.Homework.GetStatus"))
        #expect(try sorted(said.output.utf8) == sorted(household.ask("Homework.GetStatus").parameters))
        #expect((said.errors, said.status) == ("", 0))
    }

    @Test func `call passes parameters, and prints nothing for an empty reply`() throws {
        let call = words(["call"], "org.daybreak.Provider.SetPresence", [#"{"online": true, "name": "Dr. Example"}"#])
        #expect(household.run(call) == .init(output: "", errors: "", status: 0))
        let presence = try household.ask("Provider.Presence").decode(PresenceReply.self)
        #expect((presence.online, presence.name) == (true, "Dr. Example"))
    }

    private struct PresenceReply: Decodable {
        var online: Bool
        var name: String?
    }

    @Test(arguments: [
        ("Homework.Pause", "{}", "org.daybreak.Homework.NoFlow", "{}"),
        (
            "Homework.Get", #"{"assignment": "none"}"#, "org.daybreak.Homework.NoSuchAssignment",
            "{'assignment': 'none'}"
        ),
        (
            "Homework.Get", #"{"assignment": 1}"#, "org.varlink.service.InvalidParameter", "{'parameter': 'assignment'}"
        ),
        ("Homework.Get", "{}", "org.varlink.service.InvalidParameter", "{'parameter': 'assignment'}"),
        (
            "Homework.Sing", "{}", "org.varlink.service.MethodNotFound", "{'method': 'org.daybreak.Homework.Sing'}"
        ),
        ("Garden.Dig", "{}", "org.varlink.service.InterfaceNotFound", "{'interface': 'org.daybreak.Garden'}"),
        ("Homework.Breathe", "{}", "org.varlink.service.ExpectedMore", "{}"),
    ]) func `call prints an error with its name and its parameters`(
        method: String, parameters: String, error: String, values: String
    ) {
        let said = household.run(words(["call"], "org.daybreak.\(method)", [parameters]))
        #expect(said == .init(output: "", errors: "{'error': '\(error)', 'parameters': \(values)}\n", status: 0))
    }

    @Test(arguments: ["Homework.GetStatus", "Provider.Presence"])
    func `call -m prints the first reply at once, and goes on`(method: String) throws {
        let watching = household.start(words(["call", "-m"], "org.daybreak.\(method)"))
        let now = try sorted(household.ask(method).parameters)
        #expect(try sorted(#require(watching.output { $0 == "}" }).utf8) == now)
        try household.ask("Provider.SetPresence", #"{"online":true}"#)
        let then = try sorted(household.ask(method).parameters)
        #expect(then != now)
        #expect(try sorted(#require(watching.output { $0 == "}" }).utf8) == then)
    }

    @Test func `call -m leads through the exercise, phase by phase, to the wait room`() throws {
        try household.ask("Homework.Start")
        let breathing = household.start(words(["call", "-m"], "org.daybreak.Homework.Breathe"))
        var told: [String] = []
        while let reply = breathing.output(until: { $0 == "}" }) {
            let flow = try JSONDecoder().decode(FlowReply.self, from: Data(reply.utf8)).flow
            told.append("\(flow.stage) \(flow.exercise.map { "\($0.breath) \($0.phase)" } ?? "over")")
        }
        #expect(told == ["exercise 1 inhale", "exercise 1 exhale", "waiting over"])
        #expect(breathing.end() == .init(output: "", errors: "", status: 0))
    }

    private struct FlowReply: Decodable {
        var flow: Flow

        struct Flow: Decodable {
            var stage: String
            var exercise: Exercise?
        }

        struct Exercise: Decodable {
            var breath: Int
            var phase: String
        }
    }
}
