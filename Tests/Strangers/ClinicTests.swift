import Foundation
import TestSupport
import Testing
import TestingSupport

/// PyPI's `varlink` and `asyncvarlink` as clients of a practice, each account by its own processes.
@Suite(.enabled(if: Clinic.isPossible, Clinic.why), .hangGuard) struct ClinicTests {
    private let clinic: Clinic

    init() throws { clinic = try Clinic() }

    private func command(_ verb: [String], _ path: String, _ rest: [String] = []) -> [String] {
        ["-m", "varlink.cli"] + verb + [path.isEmpty ? clinic.address : "\(clinic.address)/\(path)"] + rest
    }

    // MARK: varlink

    @Test func `info prints the service's description, to a visitor too`() {
        let expected = """
            Vendor: The Daybreak project
            Product: practice
            Version: 0.1.0
            URL: \("")
            Interfaces:
               org.varlink.service
               org.daybreak.Practice
               org.daybreak.Records
               org.daybreak.Care
               org.daybreak.Mail
               org.daybreak.Chat
               org.daybreak.Programmes
               org.daybreak.Reports
               org.daybreak.Gate
               org.daybreak.Upkeep

            """
        #expect(clinic.run(command(["info"], ""), as: "nobody") == .init(output: expected, errors: "", status: 0))
    }

    /// It prints the interface from what its own parser has read.
    @Test(arguments: ["Practice", "Records", "Care", "Mail", "Chat", "Programmes", "Reports", "Gate", "Upkeep"])
    func `help parses each interface, and prints it as in its file`(name: String) throws {
        let folder = ["Records", "Reports", "Upkeep"].contains(name) ? "Staff" : "Practice"
        let file = "\(Given.root)/Sources/Interfaces/\(folder)/org.daybreak.\(name).varlink"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let said = clinic.run(command(["help"], "org.daybreak.\(name)"), as: "nobody")
        #expect(said == .init(output: "\(text)\n", errors: "", status: 0))
    }

    @Test(arguments: [("daemon", "Ana"), ("games", "Ben"), ("bin", "Cleo"), ("nobody", nil)])
    func `each account is its person, by the kernel's word`(account: String, name: String?) throws {
        let said = clinic.run(command(["call"], "org.daybreak.Practice.WhoAmI"), as: account)
        #expect((said.errors, said.status) == ("", 0))
        #expect(try JSONDecoder().decode(Me.self, from: Data(said.output.utf8)).person?.name == name)
    }

    private struct Me: Decodable {
        var person: Person?

        struct Person: Decodable { var name: String }
    }

    @Test(arguments: [
        ("nobody", "Practice.AddStaff", #"{"name":"Eve","role":"support"}"#, "NotAllowed", "{'right': 'editStaff'}"),
        ("bin", "Records.ListClients", "{}", "NotAllowed", "{'right': 'listClients'}"),
        ("games", "Records.GetClient", #"{"client":"p3"}"#, "NotFound", "{'id': 'p3', 'kind': 'client'}"),
        ("games", "Records.GetClient", #"{"client":"p9"}"#, "NotFound", "{'id': 'p9', 'kind': 'client'}"),
        ("daemon", "Records.EditClient", #"{"client":"p3","revision":9}"#, "Changed", "{'revision': 1}"),
        (
            "daemon", "Records.AddClient", #"{"name":"","phone":"none"}"#, "Invalid",
            "{'faults': [{'field': 'name', 'reason': 'must not be empty.'}, {'field': 'phone', 'reason': "
                + "'must be a number with its country, such as +49 30 1234567.'}]}"
        ),
    ])
    func `call prints an error with its name and its parameters`(
        account: String, method: String, parameters: String, error: String, values: String
    ) {
        let said = clinic.run(command(["call"], "org.daybreak.\(method)", [parameters]), as: account)
        let expected = "{'error': 'org.daybreak.Practice.\(error)', 'parameters': \(values)}\n"
        #expect(said == .init(output: "", errors: expected, status: 0))
    }

    @Test func `call -m prints news to the person whom they concern`() throws {
        let ben = clinic.start(command(["call", "-m"], "org.daybreak.Practice.Watch"), as: "games")
        let ana = clinic.start(command(["call", "-m"], "org.daybreak.Practice.Watch"), as: "daemon")
        for watching in [ben, ana] {
            #expect(try #require(watching.output { $0 == "}" }).contains(#""kind": "watching""#))
        }
        try clinic.ask("Records.Transfer", #"{"client":"p3","to":"p2","reason":"Her wish."}"#)
        for watching in [ben, ana] {
            let news = try #require(watching.output { $0 == "}" })
            #expect(news.contains(#""kind": "record""#) && news.contains(#""what": "p3""#))
        }
    }

    /// 450 clients of Ana beside Cleo, and a picture of a mebibyte.
    private func fill() throws {
        let rows = (1...450).map {
            #"{"line":\#($0),"values":{"name":"Person \#($0 + 1_000)","thanatologist":"p1"}}"#
        }
        try clinic.ask("Upkeep.Import", #"{"kind":"clients","rows":[\#(rows.joined(separator: ","))]}"#)
        let picture = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 1_024 * 1_024 - 4))
            .base64EncodedString()
        let service = #"{"category":"Grief","name":"Talk","description":"","picture":"\#(picture)"}"#
        try clinic.ask("Practice.AddService", service)
    }

    @Test func `varlink reads a long list page by page, and a picture of a mebibyte`() throws {
        try fill()
        let said = clinic.run(
            [
                "-c",
                """
                import base64, os, varlink
                with varlink.Client.new_with_address("unix:" + os.environ["SOCKET"]) as client:
                    with client.open("org.daybreak.Records") as records, client.open("org.daybreak.Practice") as practice:
                        page = records.ListClients(limit=200)
                        pages = [page]
                        while "next" in page:
                            page = records.ListClients(limit=200, after=page["next"])
                            pages.append(page)
                        print([(len(page["clients"]), page["clients"][0]["name"], page["total"]) for page in pages])
                        print(len({row["id"] for page in pages for row in page["clients"]}))
                        print(len(base64.b64decode(practice.GetPicture(service="v1")["picture"])))
                """,
            ], as: "daemon")
        let expected = "[(200, 'Cleo', 451), (200, 'Person 1200', 451), (51, 'Person 1400', 451)]\n451\n1048576\n"
        #expect(said == .init(output: expected, errors: "", status: 0))
    }

    // MARK: asyncvarlink

    /// Declares our interfaces to it, which checks replies against its own types, and connects.
    private static let introduction = """
        import asyncio, base64, collections.abc, os, typing
        from asyncvarlink import *
        from asyncvarlink.serviceinterface import *

        class NotFound(TypedVarlinkErrorReply, interface="org.daybreak.Practice"):
            class Parameters:
                kind: str
                id: str

        class News(typing.TypedDict):
            cursor: str
            at: str
            kind: str
            what: str | None

        class Picture(typing.TypedDict):
            type: str
            picture: str

        class Row(typing.TypedDict):
            id: str
            number: int
            name: str
            thanatologist: str
            open: bool
            sessions: int
            lastSession: str | None
            late: int
            waiting: bool
            unread: int

        class Clients(typing.TypedDict):
            clients: list[Row]
            total: int
            next: str | None

        Message = typing.TypedDict("Message", {
            "id": str, "room": str, "from": str, "name": str, "at": str, "text": str, "deleted": bool
        })

        class Happening(typing.TypedDict):
            cursor: str
            at: str
            what: str
            room: str | None
            person: str | None
            name: str | None
            message: Message | None

        class Told(typing.TypedDict):
            happening: Happening

        class Chat(VarlinkInterface, name="org.daybreak.Chat"):
            @varlinkmethod
            def Listen(self, *, room: str | None = None) -> collections.abc.Iterator[Told]: ...

        class Practice(VarlinkInterface, name="org.daybreak.Practice"):
            @varlinkmethod
            def Watch(self, *, since: str | None = None) -> collections.abc.Iterator[News]: ...
            @varlinkmethod
            def GetPicture(self, *, service: str) -> Picture: ...

        class Records(VarlinkInterface, name="org.daybreak.Records"):
            errors = (NotFound,)
            @varlinkmethod
            def ListClients(self, *, limit: int | None = None, after: str | None = None) -> Clients: ...
            @varlinkmethod
            def CloseRecord(self, *, client: str, reason: str) -> None: ...

        async def connect():
            return await connect_unix_varlink(VarlinkClientProtocol, os.environ["SOCKET"])

        async def main():
            transport, client = await connect()
            records, practice = client.make_proxy(Records), client.make_proxy(Practice)

        """

    private func expect(
        _ text: String, as account: String, prints expected: String, _ location: SourceLocation = #_sourceLocation
    ) {
        let lines = text.split(separator: "\n").map { "    \($0)\n" }.joined()
        let said = clinic.run(
            ["-c", "\(Self.introduction)\(lines)    transport.close()\nasyncio.run(main())"], as: account)
        #expect(said == .init(output: expected + "\n", errors: "", status: 0), sourceLocation: location)
    }

    @Test func `asyncvarlink reads the service's description`() {
        expect(
            "print((await client.make_proxy(VarlinkServiceInterface).GetInfo())['interfaces'])", as: "nobody",
            prints:
                "['org.varlink.service', 'org.daybreak.Practice', 'org.daybreak.Records', 'org.daybreak.Care', 'org.daybreak.Mail', 'org.daybreak.Chat', "
                + "'org.daybreak.Programmes', 'org.daybreak.Reports', 'org.daybreak.Gate', 'org.daybreak.Upkeep']")
    }

    @Test func `asyncvarlink gets the same error for another person's client as for an unknown one`() {
        expect(
            """
            for client in "p3", "p9":
                try:
                    await records.CloseRecord(client=client, reason="All is said.")
                except NotFound as error:
                    print(error.name, error.parameters)
            """, as: "games",
            prints: """
                org.daybreak.Practice.NotFound {'kind': 'client', 'id': 'p3'}
                org.daybreak.Practice.NotFound {'kind': 'client', 'id': 'p9'}
                """)
    }

    @Test func `asyncvarlink reads a long list page by page, and a picture of a mebibyte`() throws {
        try fill()
        expect(
            """
            pages = [await records.ListClients(limit=200)]
            while after := pages[-1].get("next"):
                pages.append(await records.ListClients(limit=200, after=after))
            print([(len(page["clients"]), page["clients"][0]["name"], page["total"]) for page in pages])
            print(len(base64.b64decode((await practice.GetPicture(service="v1"))["picture"])))
            """, as: "daemon",
            prints: "[(200, 'Cleo', 451), (200, 'Person 1200', 451), (51, 'Person 1400', 451)]\n1048576")
    }

    @Test func `asyncvarlink watches while it calls`() {
        expect(
            """
            other, speaker = await connect()
            async for news in practice.Watch():
                print(news["kind"], news.get("what"))
                if news["kind"] == "record":
                    break
                call = VarlinkMethodCall("org.daybreak.Records.CloseRecord", {"client": "p3", "reason": "All is said."})
                reply, _ = await speaker.call(call)
                print(reply.error)
            os._exit(0)  # It has no way to leave a stream that it does not complain of.
            """, as: "daemon", prints: "watching None\nNone\nrecord p3")
    }

    @Test func `asyncvarlink hears what is said in a room, and varlink reads a letter`() throws {
        try clinic.ask("Mail.Announce", #"{"text":"The office is closed on Friday.","to":"clients"}"#)
        expect(
            """
            async def said(speaker, method, parameters):
                reply, _ = await speaker.call(VarlinkMethodCall("org.daybreak." + method, parameters))
                assert reply.error is None, reply.error
                return reply.parameters

            other, speaker = await connect()
            room = (await said(speaker, "Chat.OpenDirect", {"person": "p3"}))["room"]["id"]
            async for told in client.make_proxy(Chat).Listen(room=room):
                happening = told["happening"]
                print(happening["what"], (happening.get("message") or {}).get("text"))
                if happening["what"] == "message":
                    break
                await said(speaker, "Chat.Send", {"room": room, "text": "At ten? ñ"})
            letter = {"to": ["p3"], "subject": "Friday", "body": "At ten?", "key": "k1"}
            for _ in range(2):
                print((await said(speaker, "Mail.Send", letter))["letter"]["folder"])
            os._exit(0)  # It has no way to leave a stream that it does not complain of.
            """, as: "daemon", prints: "online None\nmessage At ten? ñ\nsent\nsent")
        let said = clinic.run(
            [
                "-c",
                """
                import os, varlink
                with varlink.Client.new_with_address("unix:" + os.environ["SOCKET"]) as client:
                    with client.open("org.daybreak.Mail") as mail:
                        inbox = mail.List(folder="inbox")
                        print(inbox["total"], [(row["from"]["name"], row["preview"], row["read"]) for row in inbox["letters"]])
                        letter = mail.Get(inbox["letters"][0]["id"])["letter"]
                        print(letter["subject"], letter["body"], mail.List(folder="inbox", unread=True)["total"])
                        print([row["text"] for row in mail.ListBroadcasts()["broadcasts"]])
                """,
            ], as: "bin")
        let expected = """
            1 [('Ana', 'At ten?', False)]
            Friday At ten? 0
            ['The office is closed on Friday.']

            """
        #expect(said == .init(output: expected, errors: "", status: 0))
    }
}
