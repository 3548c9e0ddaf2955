import Foundation
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing
import Varlink

@testable import Companion
@testable import PracticeCompanion

@Suite struct `The pages of practice` {
    static func caller(_ role: Role?, name: String = "Ana Ruiz") -> CallerInfo {
        let person = role.flatMap { role in
            Practice.Person.Role(rawValue: role.rawValue).map {
                Practice.Person(id: "p1", name: name, role: $0, active: true, since: "2024-01-08", revision: 1)
            }
        }
        return CallerInfo(
            reply: .init(
                person: person, rights: RightsTable.rights(of: role).map(\.rawValue), practice: "Clinic at the Park",
                timeZone: "Europe/Madrid", currency: "EUR", therapist: "therapist", today: "2027-03-05"))
    }

    static func row(
        _ number: Int, _ name: String, open: Bool = true, sessions: Int = 0, last: String? = nil, late: Int = 0,
        waiting: Bool = false, unread: Int = 0
    ) -> Records.Row {
        .init(
            id: "p\(number + 100)", number: number, name: name, thanatologist: "p1", open: open, sessions: sessions,
            lastSession: last, late: late, waiting: waiting, unread: unread)
    }

    private func person(
        _ id: String, _ name: String, _ role: Practice.Person.Role, email: String? = nil, section: String? = nil
    )
        -> Practice.Person
    {
        .init(
            id: id, name: name, role: role, email: email, active: true, since: "2024-01-08", revision: 1,
            section: section)
    }

    private let clients = [
        row(12, "Cleo Santos", sessions: 14, last: "2027-03-04", late: 2), row(3, "Ibrahim", waiting: true),
        row(140, "Ángela", sessions: 1, last: "2026-11-20", unread: 1),
    ]

    @Test func `my clients`() {
        #expect(
            ClientTable(clients, Self.caller(.thanatologist)).text(columns: 80, ink: .plain) == """
                  My clients · 3 open

                  No.  Name         Sessions  Last
                   12  Cleo Santos        14  yesterday                2 late
                    3  Ibrahim                                         in the wait room
                  140  Ángela              1  Friday 20 November 2026  1 unread

                """)
    }

    @Test func `my clients in forty columns`() {
        #expect(
            ClientTable(clients, Self.caller(.thanatologist)).text(columns: 40, ink: .plain) == """
                  My clients · 3 open

                   12  Cleo Santos
                       sessions 14 · last yesterday
                       2 late
                    3  Ibrahim
                       in the wait room
                  140  Ángela
                       sessions 1
                       last Friday 20 November 2026
                       1 unread

                """)
    }

    @Test func `administrators and support see the clients' thanatologists`() {
        let table = ClientTable([clients[1]], Self.caller(.support), therapists: ["p1": "Ana Ruiz"], query: "ib")
        #expect(
            table.text(columns: 80, ink: .plain) == """
                  Clients · 1 open with “ib”

                  No.  Name     Therapist
                    3  Ibrahim  Ana Ruiz   in the wait room

                """)
    }

    @Test func `no clients`() {
        func none(_ role: Role, _ records: Clients.Part? = nil, _ query: String? = nil) -> String {
            ClientTable([], Self.caller(role), records: records, query: query).text(columns: nil, ink: .plain)
        }
        #expect(none(.thanatologist) == "You have no open clients. `practice client add` begins a record.\n")
        #expect(none(.administrator, .closed) == "No record is closed.\n")
        #expect(
            none(.thanatologist, nil, "zo")
                == "There is no client with “zo” in their name. `practice clients --all` looks at closed records, too.\n"
        )
    }

    @Test func `staff are listed in the sections that the daemon names`() {
        let people = [
            person("p3", "Álvaro Gil", .support, section: "A"),
            person("p1", "Ana Ruiz", .thanatologist, email: "ana@clinic.example", section: "A"),
            person("p12", "Ángeles Prado", .administrator, section: "A"),
            person("p2", "Émile", .thanatologist, section: "E"), person("p9", "山田", .support, section: "山"),
        ]
        #expect(
            StaffList(people: people, therapist: "therapist").text(columns: 80, ink: .plain) == """
                  Who works here · 5

                  A
                   p3  Álvaro Gil     support
                   p1  Ana Ruiz       therapist      ana@clinic.example
                  p12  Ángeles Prado  administrator

                  E
                   p2  Émile          therapist

                  山
                   p9  山田           support

                """)
    }

    @Test func `a new administrator sees the first steps`() {
        let page = DayPage(caller: Self.caller(nil), columns: 80, ink: .plain)
        #expect(
            DayPage(caller: Self.caller(.administrator), columns: 80, ink: .plain)
                .office([person("p1", "Ana", .administrator)], [], []) == """
                      The practice is new. This is still to come, in this order:

                      ✓  An administrator of its own
                      ○  A therapist                  `practice staff add --role thanatologist`
                      ○  What it offers               `practice service add`
                      ○  A first client               `practice client add`

                    """)
        #expect(page.caller.described == "a visitor of Clinic at the Park")
    }

    @Test func `the day begins with the letters and messages that are new, and how many letters are urgent`() {
        let page = DayPage(caller: Self.caller(.thanatologist), columns: 80, ink: .plain)
        #expect(page.messages([], new: 0, urgent: 0, said: 0) == "")
        #expect(page.messages([], new: 2, urgent: 0, said: 0) == "  2 new letters: `practice mail` reads them.\n\n")
        #expect(
            page.messages([], new: 2, urgent: 1, said: 3) == """
                  2 new letters, 1 of them urgent: `practice mail` reads them.
                  3 new messages: `practice chat` shows them.


                """)
    }

    @Test(arguments: [
        (Practice.Watch.Reply(cursor: "7", at: "", kind: "watching"), "Watching."),
        (
            .init(cursor: "7", at: "", kind: "urgent", what: "l5"),
            "An urgent letter came: l5. `practice mail` reads it."
        ),
        (.init(cursor: "7", at: "", kind: "chat", unread: 1), "1 new message: `practice chat` shows it."),
        (.init(cursor: "7", at: "", kind: "chat", unread: 12), "12 new messages: `practice chat` shows them."),
        (.init(cursor: "7", at: "", kind: "chat", what: "r3"), "Chat: r3."),
        (.init(cursor: "7", at: "", kind: "mail"), "Mail."),
        (.init(cursor: "7", at: "", kind: "record"), "A record changed."),
    ])
    func `news as a line`(news: Practice.Watch.Reply, said: String) {
        var news = news
        news.at = "2027-03-05T09:00:00+01:00"
        #expect(Watch.sentence(news, today: "2027-03-05") == "09:00  \(said)  (7)")
    }

    @Test func `a therapist's day begins with the clients who wait`() {
        let page = DayPage(caller: Self.caller(.thanatologist), columns: 80, ink: .plain)
        let announcement = Mail.Broadcast(
            id: "b1", text: "The heating is repaired.", from: "2027-03-05T08:00:00+01:00", dismissable: true,
            level: .notice)
        let messages = page.messages([announcement], new: 2, urgent: 0, said: 1)
        #expect(
            page.therapist(clients + [Self.row(7, "Mila", sessions: 2, last: "2027-03-05")], messages: messages) == """
                  Clinic at the Park · Friday 5 March 2027

                  In the wait room
                  No.  Name
                    3  Ibrahim  in the wait room

                  • The heating is repaired.

                  2 new letters: `practice mail` reads them.
                  1 new message: `practice chat` shows them.

                  Seen today
                  No.  Name  Sessions  Last
                    7  Mila         2  today

                  With something late or unread
                  No.  Name         Sessions  Last
                   12  Cleo Santos        14  yesterday                2 late
                  140  Ángela              1  Friday 20 November 2026  1 unread

                  4 open clients: `practice clients`. `practice session add CLIENT` records a
                  session.

                """)
    }

    @Test func `a therapist's day without anything to do`() {
        let page = DayPage(caller: Self.caller(.thanatologist), columns: 80, ink: .plain)
        #expect(
            page.therapist([Self.row(7, "Mila")], messages: "") == """
                  Clinic at the Park · Friday 5 March 2027

                  Nobody waits, nobody was seen today, and no shared homework is late.

                  1 open client: `practice clients`. `practice session add CLIENT` records a
                  session.

                """)
    }

    @Test func `the rights of each role are a table, with the caller's own`() throws {
        #expect(
            Rights.text(Self.caller(.support), columns: 120, ink: .plain) == """
                  You are Ana Ruiz, of the support of Clinic at the Park.
                  A right over records holds for a client's own, for those of a therapist's own clients, and for everybody's where
                  support and administrators have it. A backup has everything: whoever may maintain can fetch one and read it.

                  Right            visitor  client  therapist  support  administrator
                  seeServices      ✓        ✓       ✓          ✓        ✓
                  editServices                                          ✓
                  seeTerms                          ✓          ✓        ✓
                  editTerms                                             ✓
                  seeColleagues             ✓       ✓          ✓        ✓
                  seeStaff                                     ✓        ✓
                  editStaff                                             ✓
                  listClients                       ✓          ✓        ✓
                  addClients                        ✓          ✓        ✓
                  seeRecord                 ✓       ✓          ✓        ✓
                  keepRecords                       ✓
                  transferClients                                       ✓
                  eraseRecords                                          ✓
                  seeCaseFile               ✓       ✓
                  mail                      ✓       ✓          ✓        ✓
                  announce                                              ✓
                  chat                      ✓       ✓          ✓        ✓
                  keepRooms                         ✓          ✓        ✓
                  moderateChat                                          ✓
                  seeAudit                  ✓       ✓                   ✓
                  seeReports                        ✓          ✓        ✓
                  seeStatus                         ✓          ✓        ✓
                  watch                     ✓       ✓          ✓        ✓
                  maintain                                              ✓
                  giveHomework                      ✓
                  seeHomework               ✓       ✓
                  haveHomework              ✓
                  readFeedback                                          ✓
                  seeProgrammes                     ✓          ✓        ✓
                  editProgrammes                                        ✓
                  enrol                             ✓
                  seeEnrolments             ✓       ✓
                  takePart                  ✓
                  ownKeys                   ✓       ✓          ✓        ✓
                  anyonesKeys                                           ✓
                  invite                            ✓          ✓        ✓
                  ask              ✓        ✓       ✓          ✓        ✓

                """)
        let table = try JSONDecoder().decode(
            WholeTable.self, from: JSONEncoder().encode(Rights.table(Self.caller(.client))))
        #expect(Set(table.rights) == Set(RightsTable.rights(of: .client).map(\.rawValue)))
        #expect(Set(table.roles.keys) == ["visitor", "client", "thanatologist", "support", "administrator"])
        for (name, rights) in table.roles {
            #expect(Set(rights) == Set(RightsTable.rights(of: Role(rawValue: name)).map(\.rawValue)), "\(name)")
        }
    }

    private struct WholeTable: Decodable {
        let rights: [String]
        let roles: [String: [String]]
    }

    @Test func `a missing right is named, with the roles that have it`() {
        #expect(
            Refusal.notAllowed("editStaff")
                == "You may not do this: it is for administrators. `practice rights` shows who may do what.")
        #expect(
            Refusal.notAllowed("addClients")
                == "You may not do this: it is for administrators, support and thanatologists. "
                + "`practice rights` shows who may do what.")
    }

    @Test func `every error of the interfaces has a sentence`() throws {
        let errors: [any ErrorReply] = [
            Practice.NotAllowed(right: "ask"), Practice.NotFound(kind: "client", id: "p1"),
            Practice.Invalid(faults: []), Practice.Changed(revision: 2), Practice.LastAdministrator(person: "p1"),
            Practice.StorageUnavailable(reason: "It is full."), Practice.RepliesUnread(bytes: 1),
            Practice.CallUnfinished(seconds: 1), Practice.SignedOut(person: "p1"),
            Practice.TooManyConnections(limit: 1), Practice.TooManyCalls(limit: 1), Practice.TooManyToday(limit: 1),
            Practice.NoGate(reason: "It is shut."),
            Records.RecordClosed(client: "p1", closedOn: "2027-03-05"),
            Records.RecordOpen(client: "p1"),
            Records.Namesakes(clients: [.init(client: "p1", number: 1, name: "Cleo")]),
            Records.SessionVoided(session: "s1"), Upkeep.Faulty(faults: []), Upkeep.KeptByServer(),
            Upkeep.NotEmpty(), Upkeep.NoSuchBackup(backup: "x"), Upkeep.CannotRestore(reason: "It is damaged."),
            Upkeep.BackupsUnavailable(reason: "It is open."),
            Upkeep.NotMadeUp(), Upkeep.Unclear(choices: []), Care.InvalidSchedule(line: 1, column: 1, reason: "No."),
            Care.NotShared(what: "moods"), Care.Reused(device: "laptop", sequence: 1),
            Care.UnfitHappening(sequence: 1, field: "id", reason: "must be new."), Care.TooManyDevices(limit: 10),
            Care.TooManyHappenings(limit: 10), Care.TooManyNotes(limit: 10),
            Mail.NoRecipients(), Mail.MayNotWrite(person: "p1"), Mail.FolderStays(folder: "inbox"),
            Mail.NotDismissable(broadcast: "b1"), Chat.NotAMember(room: "r1"), Chat.TooMany(what: "rooms", limit: 10),
            Chat.DirectRoom(room: "r1"), Chat.MayNotWrite(person: "p1"),
            Programmes.NotUnlocked(reason: "The lesson before is to be read."),
            Programmes.NotDue(state: "open", opens: "2027-03-05"), Programmes.Incomplete(questions: ["q1"]),
            Programmes.InvalidProgramme(file: "programme.toml", reason: "No."),
        ]
        let declared =
            Practice.errors + Records.errors + Care.errors + Upkeep.errors + Mail.errors + Chat.errors
            + Programmes.errors + Reports.errors
        #expect(Set(errors.map { type(of: $0).name }) == Set(declared.map { $0.name }))
        for error in errors {
            let reply = try Reply(frame: Reply.frame(error: error).dropLast())
            #expect(Refusal.sentence(reply) != nil, "\(type(of: error).name)")
        }
    }

    @Test func `a list of a therapist's clients that is empty says so of them`() {
        let caller = Self.caller(.administrator)
        #expect(
            ClientTable([], caller, therapist: "Ben").text(columns: 80, ink: .plain) == "Ben has no open clients.\n")
        #expect(
            ClientTable([], caller, records: .closed, therapist: "Ben").text(columns: 80, ink: .plain)
                == "Ben has no closed clients.\n")
    }

    @Test func `a person who is signed out reads each reason that there may be`() throws {
        let reply = try Reply(frame: Reply.frame(error: Practice.SignedOut(person: "p1")).dropLast())
        #expect(
            Refusal.sentence(reply)
                == "You were signed out: your key was removed, your account is another one now, or you work here no longer."
        )
    }

    @Test func `feedback without a name has a day, and no hour`() {
        func text(client: String?, at: String) -> String {
            FeedbackVerb.text(
                .init(at: at, about: "p1", client: client, text: "Well.", aboutName: "Ana", clientName: client),
                today: "2027-03-05", columns: nil, ink: .plain)
        }
        #expect(
            text(client: nil, at: "2027-03-05T00:00:00+01:00") == "  About Ana · without a name, today\n    Well.\n\n")
        #expect(
            text(client: "Cleo", at: "2027-03-05T09:30:00+01:00")
                == "  About Ana · Cleo, today at 09:30\n    Well.\n\n")
    }

    @Test func `a day can be typed as a word`() {
        let caller = Self.caller(.administrator)
        #expect(["today", "Yesterday", "2027-02-01"].map(caller.day) == ["2027-03-05", "2027-03-04", "2027-02-01"])
    }

    @Test func `another person's changes are shown for each field`() {
        #expect(
            Form.changed([("E-mail", "", "a@b.example"), ("Telephone", "+34911", "")]) == """
                Somebody else changed this meanwhile, so yours is not written yet:
                  E-mail: nothing → a@b.example
                  Telephone: +34911 → nothing
                """)
    }

    @Test func `a services page escapes text and has pictures`() {
        let service = Practice.Service(
            id: "s1", category: "For <all>", name: "Talk & \"listen\"", description: "One hour.\n<script>x</script>",
            minutes: 60, fee: 6_000, link: "https://clinic.example/a?b&c", hasPicture: true, offered: true, revision: 1)
        let page = ServicesPage(
            services: [service], pictures: ["s1": .init(type: "image/png", picture: "iVBORw==")],
            caller: Self.caller(nil)
        )
        let body = page.text.split(separator: "<main>\n")[1]
        #expect(
            body == """
                <h1>Clinic at the Park</h1>
                <section>
                <h2 dir="auto">For &lt;all&gt;</h2>
                <article>
                <img alt="" src="data:image/png;base64,iVBORw==">
                <h3 dir="auto">Talk &amp; &quot;listen&quot;</h3>
                <p class="terms">60 min · 60.00 EUR</p>
                <p class="text" dir="auto">One hour.
                &lt;script&gt;x&lt;/script&gt;</p>
                <p><a href="https://clinic.example/a?b&amp;c" rel="noreferrer">https://clinic.example/a?b&amp;c</a></p>
                </article>
                </section>
                </main>
                </body>
                </html>

                """)
        let forged = ServicesPage(
            services: [service], pictures: ["s1": .init(type: "text/html", picture: "iVBORw==")],
            caller: Self.caller(nil)
        )
        #expect(!forged.text.contains("data:text"))
        let broken = ServicesPage(
            services: [service], pictures: ["s1": .init(type: "image/png", picture: "\"><b>")], caller: Self.caller(nil)
        )
        #expect(!broken.text.contains("<b>"))
    }
}
