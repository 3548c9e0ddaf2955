import TestSupport
import Testing
import TestingSupport

/// systemd's own client, the strictest one, from version 255 on.
@Suite(
    .enabled(if: Given.isComplete, Given.why),
    .enabled(if: Given.varlinkctl != nil, "This machine has no varlinkctl; it comes with systemd 255."),
    .hangGuard)
struct VarlinkctlTests {
    private let household: ClientFixture

    init() throws { household = try ClientFixture() }

    private func run(_ verb: String, _ rest: [String] = []) -> Program.CommandOutput {
        household.run([Given.varlinkctl!, verb, "--no-pager", household.address] + rest)
    }

    @Test func `it lists the interfaces`() {
        #expect(
            run("list-interfaces")
                == .init(
                    output: """
                        org.daybreak.Homework
                        org.daybreak.Link
                        org.daybreak.Provider
                        org.daybreak.Service
                        org.varlink.service

                        """, errors: "", status: 0))
    }

    @Test(arguments: ["Homework", "Link", "Provider", "Service"])
    func `its parser accepts each interface without a warning`(name: String) {
        let said = run("introspect", ["org.daybreak.\(name)"])
        #expect((said.errors, said.status) == ("", 0))
    }

    @Test func `it makes a call`() throws {
        let said = run("call", ["--json=short", "org.daybreak.Homework.GetStatus", "{}"])
        #expect(try sorted(said.output.utf8) == sorted(household.ask("Homework.GetStatus").parameters))
        #expect((said.errors, said.status) == ("", 0))
    }

    @Test func `it prints an error`() {
        let said = run("call", ["org.daybreak.Homework.Pause", "{}"])
        // The words before differ between its versions.
        #expect(said.errors.hasSuffix(" failed: org.daybreak.Homework.NoFlow\n"))
        #expect(said.status == 1)
    }

    @Test func `it reads a stream`() throws {
        let words = [Given.varlinkctl!, "call", "--no-pager", "--more", household.address]
        let watching = household.start(words + ["org.daybreak.Provider.Presence", "{}"])
        #expect(watching.output { _ in true } == "\u{1E}{\"online\":false}\n")
        try household.ask("Provider.SetPresence", #"{"online":true}"#)
        let now = try household.ask("Provider.Presence").parameters
        #expect(watching.output { _ in true } == "\u{1E}\(String(decoding: now, as: UTF8.self))\n")
    }

    @Test func `a oneway call gets no reply`() throws {
        let said = run("call", ["--oneway", "org.daybreak.Provider.SetPresence", #"{"online":true}"#])
        #expect(said == .init(output: "", errors: "", status: 0))
        #expect(
            try String(decoding: household.ask("Provider.Presence").parameters, as: UTF8.self) != #"{"online":false}"#)
    }
}
