import JSON
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Varlink

@testable import PracticeDaemon

/// A clinic with somebody of each kind.
final class StaffedClinic {
    let clinic: Clinic
    let (ada, sofia, ana, ben, cleo, dino, emil): (String, String, String, String, String, String, String)
    let session: String
    /// Cleo's copy of a letter from Ana.
    let letter: String
    /// Ana's and Cleo's direct room, an open room of Ana's, and a closed one of hers and Ben's.
    let (direct, garden, team): (String, String, String)
    /// Cleo's message to Ana, and Ana's to Ben.
    let (asked, told): (String, String)

    init() throws {
        clinic = try Clinic.reachable()
        ada = try clinic.staff("Ada", .administrator)
        sofia = try clinic.staff("Sofia", .support)
        ana = try clinic.staff("Ana", .thanatologist)
        ben = try clinic.staff("Ben", .thanatologist)
        cleo = try clinic.client("Cleo", of: ana)
        dino = try clinic.client("Dino", of: ben)
        emil = try clinic.client("Emil", of: ana)
        try clinic.root.call(Practice.AddKey(person: cleo, publicKey: Keys.cleo))
        try clinic.as(ana).call(Records.CloseRecord(client: emil, reason: "All is said."))
        try clinic.root.call(
            Practice.AddService(
                category: "Grief", name: "Talk", description: "",
                picture: Base64.encode([0xFF, 0xD8, 0xFF, 0xE0])))
        try clinic.root.call(Practice.AddTerm(vocabulary: .motives, word: "Loss"))
        try clinic.root.call(Practice.AddTerm(vocabulary: .tools, word: "Letter"))
        session = try clinic.as(ana).call(
            Records.AddSession(
                client: cleo, on: "2027-03-05", minutes: 50, service: "v1", motives: ["t1"], tools: ["t2"],
                notes: "Slept.")
        ).session.id
        try clinic.as(ana).call(Mail.Send(to: [cleo], subject: "Friday", body: "At ten?"))
        letter = try clinic.as(cleo).call(Mail.List()).letters[0].id
        try clinic.as(cleo).call(Mail.AddFolder(name: "Kept"))
        try clinic.as(ada).call(Mail.Announce(text: "Closed on Monday.", to: "everybody"))
        direct = try clinic.as(ana).call(Chat.OpenDirect(person: cleo)).room.id
        garden = try clinic.as(ana).call(Chat.CreateRoom(name: "Garden", open: true)).room.id
        team = try clinic.as(ana).call(Chat.CreateRoom(name: "Team", members: [ben])).room.id
        asked = try clinic.as(cleo).call(Chat.Send(room: direct, text: "At ten?")).message.id
        told = try clinic.as(ana).call(Chat.Send(room: team, text: "At eleven.")).message.id
        for files in [SampleProgramme.files(), SampleProgramme.second] {
            try clinic.root.call(Programmes.ImportProgramme(files: files))
        }
        try clinic.as(ana).call(Programmes.Enrol(client: cleo, programme: "first"))
    }

    /// The callers, in the order of the table's columns.
    func callers(_ clinic: Clinic) -> [Clinic.TestCaller] {
        [
            clinic.visitor, clinic.as(cleo), clinic.as(dino), clinic.as(ana), clinic.as(ben), clinic.as(sofia),
            clinic.as(ada), clinic.root,
        ]
    }

    struct Row {
        let call: any Method
        let cells: String

        init(_ call: any Method, _ cells: String) { (self.call, self.cells) = (call, cells) }
    }

    /// A visitor, the client (Cleo), another client, her thanatologist, another one, support, an administrator, root:
    /// `+` is answered, `-` is NotAllowed, `?` is NotFound, `!` is Invalid, `0` is answered with nothing in it, `*` is an error of Upkeep's own,
    /// `/` is MayNotWrite, `m` is NotAMember, `d` is DirectRoom, `.` is yet to come.
    var table: [Row] {
        return [
            Row(Practice.WhoAmI(), "++++++++"),
            Row(Practice.Watch(), "-++++++-"),

            Row(Practice.ListStaff(), "-----+++"),
            Row(Practice.GetPerson(person: ana), "-+?+++++"),
            Row(Practice.AddStaff(name: "Eve", role: "support"), "------++"),
            Row(Practice.EditStaff(person: ana, revision: 1, email: "ana@example.org"), "------++"),
            Row(Practice.RetireStaff(person: sofia, revision: 1), "------++"),

            Row(Practice.ListKeys(), "-++++++!"),
            Row(Practice.ListKeys(person: cleo), "-+----++"),
            Row(Practice.AddKey(publicKey: Keys.ana), "-++++++!"),
            Row(Practice.AddKey(person: cleo, publicKey: Keys.ana), "-+----++"),
            Row(Practice.RemoveKey(fingerprint: Keys.cleos), "-+????++"),
            Row(Practice.Invite(person: cleo), "---+?+++"),

            Row(Gate.Enter(fingerprint: Keys.cleos, through: "192.0.2.7"), "--------"),
            Row(Gate.Redeem(fingerprint: "", publicKey: Keys.ana, invitation: "x"), "--------"),

            Row(Practice.ListServices(), "++++++++"),
            Row(Practice.ListServices(all: true), "---+++++"),
            Row(Practice.GetPicture(service: "v1"), "++++++++"),
            Row(Practice.AddService(category: "A", name: "B", description: ""), "------++"),
            Row(Practice.EditService(service: "v1", revision: 1, name: "B"), "------++"),

            Row(Practice.ListTerms(vocabulary: .motives), "---+++++"),
            Row(Practice.AddTerm(vocabulary: .tools, word: "Box"), "------++"),
            Row(Practice.RetireTerm(term: "t1"), "------++"),

            Row(Practice.Audit(client: cleo), "-+0+0-++"),

            Row(Records.ListFields(), "-+++++++"),
            Row(Records.ListClients(query: "Cleo"), "---+0+++"),
            Row(Records.GetClient(client: cleo), "-+?+?+++"),
            Row(Records.AddClient(name: "Fay", thanatologist: ana), "---+!+++"),
            Row(Records.EditClient(client: cleo, revision: 1, phone: "+34600"), "---+?---"),
            Row(Records.CloseRecord(client: cleo, reason: "All is said."), "---+?---"),
            Row(Records.ReopenRecord(client: emil, why: .mistake, reason: "Too soon."), "---+?---"),
            Row(Records.Transfer(client: cleo, to: ben, reason: "Her wish."), "------++"),
            Row(Records.ListTurns(client: cleo), "---+?---"),
            Row(Records.ListSessions(client: cleo), "---+?---"),
            Row(Records.GetSession(session: session), "---+?---"),
            Row(
                Records.AddSession(
                    client: cleo, on: "2027-03-05", minutes: 50, service: "v1", motives: [], tools: [], notes: "x"),
                "---+?---"),
            Row(Records.AddAddendum(session: session, text: "More."), "---+?---"),
            Row(Records.VoidSession(session: session, reason: "Twice."), "---+?---"),
            Row(Records.CaseFile(client: cleo), "-+?+?---"),
            Row(Records.ExportRecord(client: emil, reason: "Asked for."), "------++"),
            Row(Records.EraseRecord(client: emil, number: 3, reason: "Asked for."), "------++"),
            Row(Records.ListDisposals(), "------++"),
            Row(Records.ListFields(), "-+++++++"),

            Row(Care.Assign(client: cleo, schedule: #"[[5, "calm", "2027-03-05"]]"#), "---+?---"),
            Row(Care.Homework(client: cleo), "-+?+?---"),
            Row(Care.SetAvailable(available: true), "---++---"),
            Row(Care.SetAvailable(available: true, client: cleo, forSeconds: 60), "---+?---"),
            Row(Care.Waiting(), "---00---"),
            Row(Care.AddTalkingPoint(client: cleo, text: "Sleep?"), "---+?---"),
            Row(Care.ListFeedback(), "------++"),
            Row(Care.Profile(), "-++-----"),
            Row(Care.GiveFeedback(text: "Well."), "-++-----"),
            Row(Care.SetShares(shares: ["completed"]), "-++-----"),
            Row(Care.Follow(device: "laptop"), "-++-----"),
            Row(
                Care.Report(
                    device: "laptop",
                    happenings: [
                        .init(
                            sequence: 1, id: "e1", at: "2027-03-05T09:00:00+01:00", day: "2027-03-05",
                            what: "scheduleTaken", revision: 1)
                    ]), "-++-----"),

            Row(Mail.ListFolders(), "-+++++++"),
            Row(Mail.AddFolder(name: "Later"), "-++++++?"),
            Row(Mail.RenameFolder(folder: "f1", name: "Later"), "-+??????"),
            Row(Mail.RemoveFolder(folder: "f1"), "-+??????"),
            Row(Mail.List(), "-+++++++"),
            Row(Mail.Get(letter: letter), "-+??????"),
            Row(Mail.ListRecipients(), "-+++++++"),
            Row(Mail.SaveDraft(to: [ana], subject: "Ten"), "-+//+++?"),
            Row(Mail.Send(to: [ana], subject: "Ten", body: "Yes."), "-+//+++?"),
            Row(Mail.Move(letters: [letter], folder: "bin"), "-+??????"),
            Row(Mail.Delete(letters: [letter]), "-+??????"),
            Row(Mail.Mark(letters: [letter], read: true), "-+??????"),
            Row(Mail.ListBroadcasts(), "-+++++++"),
            Row(Mail.Dismiss(broadcast: "b1"), "-++++++?"),
            Row(Mail.Announce(text: "Open again.", to: "clients"), "------++"),
            Row(Mail.EditBroadcast(broadcast: "b1", revision: 1, text: "Open."), "------++"),
            Row(Mail.EndBroadcast(broadcast: "b1"), "------++"),

            Row(Chat.ListRooms(), "-+++++++"),
            Row(Chat.GetRoom(room: direct), "-+?+????"),
            Row(Chat.GetRoom(room: garden), "-+++++++"),
            Row(Chat.GetRoom(room: team), "-??++?++"),
            Row(Chat.OpenDirect(person: ana), "-+//+++?"),
            Row(Chat.CreateRoom(name: "New", members: [ben]), "---++++?"),
            Row(Chat.RenameRoom(room: team, name: "Friends"), "---++?++"),
            Row(Chat.RenameRoom(room: direct, name: "Friends"), "---d????"),
            Row(Chat.DeleteRoom(room: team), "---+-?++"),
            Row(Chat.DeleteRoom(room: direct), "---d????"),
            Row(Chat.JoinRoom(room: garden), "-++++++?"),
            Row(Chat.JoinRoom(room: team), "-??++?m?"),
            Row(Chat.LeaveRoom(room: garden), "-mm+mmm?"),
            Row(Chat.LeaveRoom(room: direct), "-d?d????"),
            Row(Chat.AddMember(room: garden, person: cleo), "---+mm++"),
            Row(Chat.AddMember(room: team, person: dino), "---/+?++"),
            Row(Chat.AddMember(room: direct, person: dino), "---d????"),
            Row(Chat.RemoveMember(room: team, person: ben), "---++?++"),
            Row(Chat.Mute(room: direct, muted: true), "-+?+????"),
            Row(Chat.Messages(room: direct), "-+?+????"),
            Row(Chat.Messages(room: garden), "-mm+mmmm"),
            Row(Chat.Send(room: direct, text: "Yes."), "-+?+????"),
            Row(Chat.DeleteMessage(message: asked), "-+?-????"),
            Row(Chat.DeleteMessage(message: told), "-??+-?++"),
            Row(Chat.MarkRead(room: direct, message: asked), "-+?+????"),
            Row(Chat.Typing(room: direct), "-+?+????"),
            Row(Chat.Listen(), "-++++++?"),
            Row(Chat.Listen(room: team), "-??++?m?"),

            Row(Reports.Get(kind: .attended, period: .month), "---+++++"),
            Row(Reports.Get(kind: .caseload, period: .month, thanatologist: ana, share: true), "---+?+++"),
            Row(Reports.Get(kind: .fees, period: .year, thanatologist: cleo), "---?????"),

            Row(Programmes.ListProgrammes(), "---+++++"),
            Row(Programmes.ImportProgramme(files: SampleProgramme.files(), dryRun: true), "------++"),
            Row(Programmes.Offer(programme: "first", offered: false), "------++"),
            Row(Programmes.ListEnrolments(client: cleo), "-+?+?---"),
            Row(Programmes.Enrol(client: cleo, programme: "second"), "---+?---"),
            Row(Programmes.Withdraw(enrolment: "e1", reason: "Her wish."), "---+?---"),
            Row(Programmes.ListLessons(enrolment: "e1"), "-+?+?---"),
            Row(Programmes.GetLesson(enrolment: "e1", lesson: "one"), "-+?+?---"),
            Row(Programmes.MarkRead(enrolment: "e1", lesson: "one"), "-+?-----"),
            Row(Programmes.ListSurveys(client: cleo), "-+?+?---"),
            Row(Programmes.GetSurvey(survey: "q1"), "-+?+?---"),
            Row(
                Programmes.Answer(
                    survey: "q1", answers: SampleProgramme.answers(SampleProgramme.good), finish: true), "-+?-----"),

            Row(Upkeep.Tend(), "------++"),
            Row(Upkeep.Keys(), "------++"),
            Row(Upkeep.Status(), "---+++++"),
            Row(Upkeep.Diagnose(), "------++"),
            Row(Upkeep.BackUpNight(), "------++"),
            Row(Upkeep.Backup(), "------++"),
            Row(Upkeep.ReadBackup(backup: "asked-1.db", offset: 0), "------**"),
            Row(Upkeep.UploadRestore(offset: 0, piece: "AAAA"), "------**"),
            Row(Upkeep.Restore(restore: "restore-1.db"), "------**"),
            Row(Upkeep.Fill(), "------**"),
            Row(Upkeep.PlayAs(who: "Ada"), "********"),
            Row(Upkeep.Import(kind: .clients, rows: [], dryRun: true), "------++"),
        ]
    }
}
