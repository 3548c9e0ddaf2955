import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing

@testable import PracticeDaemon

extension Clinic.Day {
    /// Each call of the interface once, as a thanatologist and as an administrator.
    func everything() throws {
        let day = self
        let (ana, cleo) = (clinic.as(day.ana), day.cleo)
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
                try caller.call(Reports.Get(kind: kind, period: .month, share: true))
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
}
