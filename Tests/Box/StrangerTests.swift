import Testing

/// Who is heard on the control socket, and who is not.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .timeLimit(.minutes(20))
)
struct StrangerTests {
    /// The command line as anybody on the machine can run it, pointed at the client's socket.
    private static func ask(_ client: Client) async throws -> String {
        "\(Box.shown)/daybreak status --json --socket \(try await client.box.run("echo $XDG_RUNTIME_DIR"))/daybreak/control"
    }

    @Test func `another user of the machine does not get through to the socket`() async throws {
        let client = try await Client()
        let said = try await client.box.attempt(try await Self.ask(client), as: try await Self.stranger(in: client))
        #expect(said.status == 69)
        #expect(said.output == "")
    }

    @Test func `another user of the machine is not heard where the socket was laid open`() async throws {
        let client = try await Client()
        let stranger = try await Self.stranger(in: client)
        try await client.box.run("chmod go+rwx $XDG_RUNTIME_DIR{,/daybreak{,/control}}")
        let said = try await client.box.attempt(try await Self.ask(client), as: stranger)
        #expect(said.status != 0)
        #expect(said.output == "")
        #expect(try await client.attempt("status").status == 0)
    }

    private static func stranger(in client: Client) async throws -> Box.Someone {
        try await client.box.run("useradd --create-home stranger", as: .root)
        return .bare("stranger")
    }

    @Test func `root is heard`() async throws {
        let client = try await Client()
        let said = try await client.box.attempt(try await Self.ask(client), as: .root)
        #expect(said.status == 0, "\(said.errors)")
    }
}
