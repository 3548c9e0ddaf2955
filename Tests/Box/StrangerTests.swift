import Testing

/// The users that the control socket answers. `daybreak` does not call another user's daemon, so another program makes the calls.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct StrangerTests {
    /// A line of shell that prints the daemon's reply from that socket.
    static func asking(_ socket: String) -> String { "/usr/bin/python3 \(Box.clone)/Tests/Box/stranger.py \(socket)" }

    private static func asking(_ client: Client) async throws -> String {
        asking("\(try await client.box.run("echo $XDG_RUNTIME_DIR"))/daybreak/control")
    }

    private static func stranger(in client: Client) async throws -> Box.CommandUser {
        try await client.box.run("useradd --create-home stranger", as: .root)
        return .bare("stranger")
    }

    @Test func `another user of the machine cannot open the socket`() async throws {
        let client = try await Client()
        let stranger = try await Self.stranger(in: client)
        #expect(try await client.box.run(Self.asking(client), as: stranger) == "PermissionError")
    }

    @Test func `the daemon does not answer another user even if the socket's mode admits them`() async throws {
        let client = try await Client()
        let stranger = try await Self.stranger(in: client)
        try await client.box.run("chmod go+rwx $XDG_RUNTIME_DIR{,/daybreak{,/control}}")
        let asking = try await Self.asking(client)
        #expect(try await client.box.run(asking, as: stranger) == "heard nothing")
        #expect(try await client.box.run(asking).hasPrefix(#"{"parameters":{"status":{"#))
    }

    @Test func `daybreak refuses to call another user's daemon`() async throws {
        let client = try await Client()
        let stranger = try await Self.stranger(in: client)
        let socket = "\(try await client.box.run("echo $XDG_RUNTIME_DIR"))/daybreak/control"
        try await client.box.run("chmod go+rwx $XDG_RUNTIME_DIR{,/daybreak{,/control}}")
        let said = try await client.box.attempt("\(Box.shown)/daybreak status --socket \(socket)", as: stranger)
        #expect(said.status == 69)
        #expect(said.output == "")
    }

    @Test func `the daemon answers root`() async throws {
        let client = try await Client()
        #expect(try await client.box.run(Self.asking(client), as: .root).hasPrefix(#"{"parameters":{"status":{"#))
    }
}
