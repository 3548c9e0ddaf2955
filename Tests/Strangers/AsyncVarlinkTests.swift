import TestSupport
import Testing
import TestingSupport

/// `asyncvarlink`, an unrelated client, which checks replies against its own types.
@Suite(.enabled(if: Given.isComplete, Given.why), .hangGuard) struct AsyncVarlinkTests {
    private let household: ClientFixture

    init() throws { household = try ClientFixture() }

    /// Declares our interfaces to it, and connects.
    private static let introduction = """
        import asyncio, collections.abc, os, typing
        from asyncvarlink import *
        from asyncvarlink.serviceinterface import *

        class Presence(typing.TypedDict):
            online: bool
            name: str | None
            until: str | None
            link: str | None

        class Provider(VarlinkInterface, name="org.daybreak.Provider"):
            @varlinkmethod
            def SetPresence(self, *, online: bool, name: str | None = None, forSeconds: int | None = None) -> None: ...
            @varlinkmethod
            def Presence(self) -> Presence: ...

        class Watch(VarlinkInterface, name="org.daybreak.Provider"):
            @varlinkmethod
            def Presence(self) -> collections.abc.Iterator[Presence]: ...

        class NoSuchAssignment(TypedVarlinkErrorReply, interface="org.daybreak.Homework"):
            class Parameters:
                assignment: str

        class Homework(VarlinkInterface, name="org.daybreak.Homework"):
            errors = (NoSuchAssignment,)
            @varlinkmethod(return_parameter="assignment")
            def Get(self, *, assignment: str) -> dict[str, str]: ...

        async def connect():
            path = os.environ["XDG_RUNTIME_DIR"] + "/daybreak/control"
            return await connect_unix_varlink(VarlinkClientProtocol, path)

        """

    private func expect(_ text: String, prints expected: String, _ location: SourceLocation = #_sourceLocation) {
        let main = "async def main():\n    transport, client = await connect()\n"
        let lines = text.split(separator: "\n").map { "    \($0)\n" }.joined()
        let said = household.python("\(Self.introduction)\(main)\(lines)    transport.close()\nasyncio.run(main())")
        #expect(said == .init(output: expected + "\n", errors: "", status: 0), sourceLocation: location)
    }

    @Test func `it reads the service's description`() {
        expect(
            "print((await client.make_proxy(VarlinkServiceInterface).GetInfo())['interfaces'])",
            prints: "['org.varlink.service', 'org.daybreak.Homework', 'org.daybreak.Link', 'org.daybreak.Provider', "
                + "'org.daybreak.Service']")
    }

    @Test func `its calls are answered, also several at once`() {
        expect(
            """
            provider = client.make_proxy(Provider)
            print(await asyncio.gather(
                provider.Presence(), provider.SetPresence(online=True, name="Dr. Example"),
                provider.SetPresence(online=False), provider.Presence()))
            """,
            prints: "[{'online': False}, {}, {}, {'online': False}]")
    }

    @Test func `it reads a stream`() {
        expect(
            """
            other, speaker = await connect()
            async for presence in client.make_proxy(Watch).Presence():
                print(presence["online"], presence.get("name"))
                if presence["online"]:
                    break
                await speaker.make_proxy(Provider).SetPresence(online=True, name="Dr. Example")
            os._exit(0)  # It has no way to leave a stream that it does not complain of.
            """, prints: "False None\nTrue Dr. Example")
    }

    @Test func `it gets the errors of Daybreak and of Varlink`() {
        expect(
            """
            try:
                await client.make_proxy(Homework).Get(assignment="none")
            except NoSuchAssignment as error:
                print(error.name, error.parameters)
            call = VarlinkMethodCall("org.daybreak.Homework.Get", {"assignment": 1})
            reply, _ = await client.call(call)
            print(reply.error, reply.parameters)
            """,
            prints: """
                org.daybreak.Homework.NoSuchAssignment {'assignment': 'none'}
                org.varlink.service.InvalidParameter {'parameter': 'assignment'}
                """)
    }

    @Test func `a oneway call gets no reply`() {
        expect(
            """
            provider = client.make_proxy(Provider)
            await provider.SetPresence.oneway(online=True, name="Dr. Example")
            print((await provider.Presence())["name"])
            """, prints: "Dr. Example")
    }
}
