import PracticeInterfaces
import PracticeRules
import Storage
import Testing

@testable import PracticeDaemon
@testable import PracticeStore

@Suite(.ofFile) struct `The query plans of the practice` {
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
        try courses(day)
        try ana.call(Records.AddSession(day, key: "k"))
        try ana.call(Records.ListSessions(client: cleo))
        try ana.call(Records.GetSession(session: "s1"))
        try ana.call(Records.AddAddendum(session: "s1", text: "Later."))
        try ana.call(Records.VoidSession(session: "s1", reason: "Wrong."))
        try reports(day)
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

    private func courses(_ day: Clinic.Day) throws {
        let (clinic, ana, cleo) = (day.clinic, day.clinic.as(day.ana), day.clinic.as(day.cleo))
        for files in [SampleProgramme.files(), SampleProgramme.second] {
            try clinic.root.call(Programmes.ImportProgramme(files: files))
        }
        try ana.call(Programmes.ListProgrammes())
        try clinic.root.call(Programmes.Offer(programme: "second", offered: false))
        try ana.call(Programmes.Enrol(client: day.cleo, programme: "first", key: "course"))
        try cleo.call(Programmes.ListEnrolments(past: true))
        try cleo.call(Programmes.ListLessons(enrolment: "e1"))
        try cleo.call(Programmes.GetLesson(enrolment: "e1", lesson: "one"))
        try cleo.call(Programmes.MarkRead(enrolment: "e1", lesson: "one"))
        try cleo.call(Programmes.ListSurveys(all: true))
        let answers = SampleProgramme.answers(SampleProgramme.good)
        try cleo.call(Programmes.Answer(survey: "q1", answers: answers, finish: false))
        try cleo.call(Programmes.GetSurvey(survey: "q1"))
        try cleo.call(Programmes.Answer(survey: "q1", answers: answers, finish: true, key: "answer"))
        try clinic.root.call(Upkeep.Tend())
        try ana.call(Programmes.Withdraw(enrolment: "e1", reason: "Her wish."))
    }

    private func reports(_ day: Clinic.Day) throws {
        for kind in Reports.Kind.allCases {
            for caller in [day.clinic.as(day.ana), day.clinic.root] {
                try caller.call(Reports.Get(kind: kind, period: .year, share: true))
            }
        }
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
        let database = try SQLiteDatabase(day.clinic.database)
        var scans: [String] = []
        for sql in statements.sorted() where !["SAVEPOINT", "PRAGMA"].contains(sql.prefix { $0 != " " }) {
            let values = (1...20).filter { sql.contains("$\($0)") }.map { _ in Value.null }
            try database.each("EXPLAIN QUERY PLAN " + sql, values) { row in
                let step = row.text(3) ?? ""
                // The rows that a statement has itself are no table: the counts of the session that is written.
                let isOwn = ["SCAN CONSTANT ROW", "SCAN counted"].contains(step)
                if step.hasPrefix("SCAN"), !isOwn {
                    scans.append("\(step): \(sql.split(separator: "\n").joined(separator: " "))")
                }
            }
        }
        #expect(
            scans == [
                // This happens once for a record.
                "SCAN done_once: DELETE FROM done_once WHERE made = 'p' || $1",
                "SCAN done_once: DELETE FROM done_once WHERE made IN (SELECT 'e' || id FROM enrolment WHERE client = $1)",
                "SCAN done_once: DELETE FROM done_once WHERE made IN (SELECT 'q' || id FROM survey WHERE client = $1)",
                "SCAN done_once: DELETE FROM done_once WHERE made IN (SELECT 's' || id FROM session WHERE client = $1)",
                "SCAN news: DELETE FROM news WHERE what = 'p' || $1",
                "SCAN news: DELETE FROM news WHERE what IN (SELECT 'e' || id FROM enrolment WHERE client = $1)",
                "SCAN news: DELETE FROM news WHERE what IN (SELECT 'q' || id FROM survey WHERE client = $1)",
                "SCAN news: DELETE FROM news WHERE what IN (SELECT 's' || id FROM session WHERE client = $1)",
                // A report of records reads all turns.
                "SCAN turn USING COVERING INDEX turn_in_order: SELECT client, kind, cause, on_day, thanatologist FROM turn ORDER BY client, number",
                // These count all clients, and all with a part of a name.
                "SCAN client USING COVERING INDEX sqlite_autoindex_client_2: SELECT count(*) FROM client c",
                "SCAN p: SELECT count(*) FROM client c JOIN person p ON p.id = c.person WHERE p.folded LIKE $1 ESCAPE '\\'",
                // Reports read the names of the staff and of services, and a report of replies who wrote to whom, without the words.
                "SCAN letter_to USING COVERING INDEX letter_to_person: SELECT letter, person FROM letter_to",
                "SCAN p USING INDEX staff_by_name: SELECT p.id, p.name, p.active FROM person p WHERE p.role <> 'client' AND (p.role = 'thanatologist' OR EXISTS (SELECT 1 FROM session s WHERE s.thanatologist = p.id)) ORDER BY p.sort_key, p.id",
                // This lists all programmes, of which there are a few.
                "SCAN v: SELECT p.programme, p.revision, p.offered, v.name, v.summary, (SELECT count(*) FROM lesson l WHERE l.programme = p.programme AND l.revision = p.revision), (SELECT count(*) FROM questionnaire q WHERE q.programme = p.programme AND q.revision = p.revision) FROM programme p JOIN programme_version v ON v.programme = p.programme AND v.revision = p.revision",
                "SCAN client USING COVERING INDEX sqlite_autoindex_client_1: SELECT person FROM client",
                "SCAN member USING COVERING INDEX sqlite_autoindex_member_1: SELECT room, person FROM member",
                "SCAN chat USING COVERING INDEX chat_in_room: SELECT room, person, at FROM chat WHERE kind = 'message' ORDER BY room, number",
                "SCAN s USING INDEX service_by_name: SELECT s.id, s.category, s.name, s.description, s.minutes, s.fee, s.link, s.offered, s.revision, p.service FROM service s LEFT JOIN picture p ON p.service = s.id WHERE s.offered >= $1 AND ($2 = '' OR s.category = $2) ORDER BY s.category_key, s.category, s.sort_key, s.id",
                "SCAN letter USING COVERING INDEX letter_in_order: SELECT thread, id, from_person, at FROM letter WHERE sent = 1 ORDER BY thread, at, id",
            ])
    }
}
