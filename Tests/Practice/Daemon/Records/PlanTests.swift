import PracticeInterfaces
import PracticeRules
import Storage
import Testing

@testable import PracticeDaemon
@testable import PracticeStore

@Suite struct `The query plans of the practice` {
    /// Each call of the interface once, as a thanatologist and as an administrator.
    private func everything(_ day: Clinic.Day) throws {
        let (clinic, ana, cleo) = (day.clinic, day.clinic.as(day.ana), day.cleo)
        let ben = try clinic.staff("Ben", .thanatologist)
        _ = try clinic.client("Clara", of: day.ana)
        for (caller, open) in [(ana, nil), (ana, true), (clinic.root, nil), (clinic.root, true)]
            as [(Clinic.TestCaller, Bool?)]
        {
            for query in [nil, "cl", "1"] {
                for thanatologist in [nil, day.ana] {
                    try caller.call(
                        Records.ListClients(open: open, thanatologist: thanatologist, query: query, limit: 1))
                }
            }
        }
        try ana.call(Records.GetClient(client: cleo))
        try ana.call(Records.EditClient(client: cleo, revision: 1, name: "Cléo"))
        try letters(day, ben)
        try chat(day, ben)
        try ana.call(Records.AddSession(day, key: "k"))
        try ana.call(Records.ListSessions(client: cleo))
        try ana.call(Records.GetSession(session: "s1"))
        try ana.call(Records.AddAddendum(session: "s1", text: "Later."))
        try ana.call(Records.VoidSession(session: "s1", reason: "Wrong."))
        try ana.call(Records.ListTurns(client: cleo))
        try ana.call(Records.CloseRecord(client: cleo, reason: "Well."))
        try ana.call(Records.ReopenRecord(client: cleo, why: .mistake, reason: "Wrong."))
        try ana.call(Records.CaseFile(client: cleo))
        try clinic.root.call(Records.Transfer(client: cleo, to: ben, reason: "Leave."))
        try clinic.as(ben).call(Records.CloseRecord(client: cleo, reason: "Well."))
        try clinic.root.call(Records.ExportRecord(client: cleo, reason: "Asked."))
        try clinic.root.call(Records.EraseRecord(client: cleo, number: 1, reason: "Asked."))
        try clinic.root.call(Records.ListDisposals())
    }

    private func chat(_ day: Clinic.Day, _ ben: String) throws {
        let (clinic, ana, cleo) = (day.clinic, day.clinic.as(day.ana), day.clinic.as(day.cleo))
        let direct = try cleo.call(Chat.OpenDirect(person: day.ana)).room.id
        let open = try ana.call(Chat.CreateRoom(name: "Garden", open: true, members: [ben], key: "room")).room.id
        try cleo.call(Chat.JoinRoom(room: open))
        for room in [direct, open] {
            let message = try cleo.call(Chat.Send(room: room, text: "At ten?", key: room)).message.id
            try ana.call(Chat.Messages(room: room, before: message))
            try ana.call(Chat.MarkRead(room: room, message: message))
            try cleo.call(Chat.DeleteMessage(message: message))
            try cleo.call(Chat.Typing(room: room))
            try cleo.call(Chat.Mute(room: room, muted: true))
            try ana.call(Chat.GetRoom(room: room))
        }
        #expect(try ana.outcome(Chat.Listen(since: "0"), more: true).listening?.missed.count == 8)
        for joinable in [false, true] { try cleo.call(Chat.ListRooms(joinable: joinable, query: "a")) }
        try ana.call(Chat.RenameRoom(room: open, name: "Park"))
        try ana.call(Chat.RemoveMember(room: open, person: ben))
        try ana.call(Chat.AddMember(room: open, person: ben))
        try clinic.as(ben).call(Chat.LeaveRoom(room: open))
        let other = try ana.call(Chat.CreateRoom(name: "Team")).room.id
        try ana.call(Chat.DeleteRoom(room: other))
    }

    private func letters(_ day: Clinic.Day, _ ben: String) throws {
        let (clinic, ana, cleo) = (day.clinic, day.clinic.as(day.ana), day.clinic.as(day.cleo))
        try ana.call(Mail.Send(to: [day.cleo, ben], subject: "Friday", body: "At ten?", key: "letter"))
        let letter = try cleo.call(Mail.List(folder: "inbox", limit: 1)).letters[0]
        for call in [
            Mail.List(unread: true), .init(urgent: true), .init(query: "fri at"), .init(thread: letter.thread),
            .init(folder: "inbox", unread: true, urgent: true, after: "9"),
        ] { try cleo.call(call) }
        try cleo.call(Mail.Get(letter: letter.id))
        let folder = try cleo.call(Mail.AddFolder(name: "Kept")).folder.id
        try cleo.call(Mail.RenameFolder(folder: folder, name: "Later"))
        try cleo.call(Mail.Move(letters: [letter.id], folder: folder))
        try cleo.call(Mail.Mark(letters: [letter.id], read: false))
        try cleo.call(Mail.RemoveFolder(folder: folder))
        try cleo.call(Mail.Delete(letters: [letter.id]))
        try cleo.call(Mail.ListFolders())
        for person in [ana, cleo, clinic.as(ben)] { try person.call(Mail.ListRecipients(query: "a")) }
        let draft = try cleo.call(Mail.SaveDraft(to: [day.ana], subject: "Friday")).letter.id
        try cleo.call(Mail.Send(draft: draft, revision: 1, body: "Yes."))
        let broadcast = try clinic.root.call(Mail.Announce(text: "Closed.", to: "everybody", until: "2027-03-06"))
        try cleo.call(Mail.ListBroadcasts())
        try cleo.call(Mail.Dismiss(broadcast: broadcast.broadcast.id))
        try clinic.root.call(Mail.EditBroadcast(broadcast: broadcast.broadcast.id, revision: 1, text: "Open."))
        try clinic.root.call(Mail.EndBroadcast(broadcast: broadcast.broadcast.id))
        let follow = try day.device.outcome(Care.Follow(device: "laptop"), more: true)
        #expect(follow.liveQuery != nil)
    }

    @Test func `no call reads all clients or all sessions`() throws {
        let day = try Clinic.Day()
        let statements = Set(try day.clinic.statements { try everything(day) })
        #expect(statements.count > 40)
        let database = try Database(day.clinic.database)
        var scans: [String] = []
        for sql in statements.sorted() where !["SAVEPOINT", "PRAGMA"].contains(sql.prefix { $0 != " " }) {
            let values = (1...20).filter { sql.contains("$\($0)") }.map { _ in Value.null }
            try database.each("EXPLAIN QUERY PLAN " + sql, values) { row in
                let step = row.text(3) ?? ""
                if step.hasPrefix("SCAN") {
                    scans.append("\(step): \(sql.split(separator: "\n").joined(separator: " "))")
                }
            }
        }
        #expect(
            scans == [
                // This happens once for a record.
                "SCAN done_once: DELETE FROM done_once WHERE made = 'p' || $1",
                "SCAN done_once: DELETE FROM done_once WHERE made IN (SELECT 's' || id FROM session WHERE client = $1)",
                "SCAN news: DELETE FROM news WHERE what = 'p' || $1",
                "SCAN news: DELETE FROM news WHERE what IN (SELECT 's' || id FROM session WHERE client = $1)",
                // These count all clients, and all with a part of a name.
                "SCAN client USING COVERING INDEX sqlite_autoindex_client_2: SELECT count(*) FROM client c",
                "SCAN p: SELECT count(*) FROM client c JOIN person p ON p.id = c.person WHERE p.folded LIKE $1 ESCAPE '\\'",
            ])
    }
}
