import Companion
import Messages
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Surveys
import Varlink

extension Daemon {
    static let practiced = Daemon(
        name: "practiced", companion: "practice",
        startAdvice: { path in
            !path.hasPrefix("/")
                ? "`ssh \(path)` tells whether the machine lets you in."
                : path == PracticeSocket.ofMachine
                    ? "Its administrator starts it with `systemctl restart practiced`."
                    : "Another socket is named by --socket or PRACTICE_SOCKET."
        },
        restartAdvice: { _ in "`systemctl restart practiced` starts the installed one." },
        forms: [
            "on": "a day (2027-03-05)", "since": "a day (2027-03-05) or an instant with its offset",
            "until": "a day (2027-03-05) or an instant with its offset", "after": "the “next” of the page before",
            "role": "administrator, support or thanatologist", "why": "mistake or return",
            "limit": "a number from 1 to 200",
        ],
        longestCall: {
            if $0 == Programmes.ImportProgramme.name { return 32 * 1_024 * 1_024 }
            if $0 == Upkeep.Import.name { return 32 * 1_024 * 1_024 }
            if $0 == Care.Assign.name { return 512 * 1_024 }
            // A letter of 1 MiB, each character escaped.
            if $0 == Mail.Send.name || $0 == Mail.SaveDraft.name { return 2 * 1_024 * 1_024 + 64 * 1_024 }
            if $0 == Chat.Send.name { return 128 * 1_024 }
            return long.contains($0) ? 2 * 1_024 * 1_024 : 64 * 1_024
        },
        silenceAdvice: { $0.hasPrefix("/") ? "" : "If your key is a security key, touch it." },
        trusts: { peer, path in PracticeSocket.isTrusted(peer, at: path) },
        distrustAdvice: "ask whoever set up the practice, or name another socket with --socket",
        denial: "practiced does not take this call from this account.",
        sentence: { reply, _ in Refusal.sentence(reply) })

    private static let long: Set<String> = [
        Practice.AddService.name, Practice.EditService.name, Records.AddSession.name, Upkeep.UploadRestore.name,
    ]
}

extension DaemonConnection {
    convenience init(to path: String) throws(Failure) { try self.init(to: path, of: .practiced) }
}

/// A sentence for each error of the interfaces: the fault, its place, and the next step.
enum Refusal {
    static func sentence(_ reply: Reply) -> String? {
        if let said = MessageRefusal.sentence(reply, companion: "practice") { return said }
        if let said = ProgrammeRefusal.sentence(reply, companion: "practice") { return said }
        for sentence in all { if let said = sentence(reply) { return said } }
        return nil
    }

    private static func on<E: ErrorReply>(_ say: @escaping @Sendable (E) -> String) -> @Sendable (Reply) -> String? {
        { reply in reply.decodeError(E.self).map(say) }
    }

    private static let all: [@Sendable (Reply) -> String?] = [
        on { (error: Practice.NotAllowed) in notAllowed(error.right) },
        on { (error: Practice.NotFound) in notFound(error.kind, error.id) },
        on { (error: Practice.Invalid) in faults(error.faults.map { Fault($0.field, $0.reason) }) },
        on { (error: Practice.Changed) in
            "Somebody else changed this meanwhile (it is at revision \(error.revision)), so nothing was written; look at it, "
                + "and change it again."
        },
        on { (_: Practice.LastAdministrator) in
            "This is the last administrator, so nothing was written: make somebody else an administrator first, with "
                + "`practice staff add` or `practice staff edit`."
        },
        on { (_: Practice.SignedOut) in
            "You were signed out: your key was removed, your account is another one now, or you work here no longer."
        },
        on { (error: Practice.StorageUnavailable) in
            "Nothing was written, because the practice's database cannot be used now. \(Wording.sentence(error.reason)) "
                + (error.inDoubt == true
                    ? "The disk may have kept it all the same: look before you repeat it. " : "")
                + "`practice doctor` says more."
        },
        on { (error: Records.Namesakes) in
            "\(namesakes(error))\nNobody was added. If it is somebody else, --namesake adds them all the same."
        },
        on { (error: Records.RecordClosed) in
            "The record was closed on \(Wording.day(error.closedOn, today: nil)), so nothing can be added to it. "
                + "`practice client reopen` opens it again."
        },
        on { (error: Records.RecordOpen) in
            "The record is open. Their therapist closes it, with `practice client close`."
        },
        on { (error: Records.SessionVoided) in "Session \(error.session.shown) was voided before." },
        on { (error: Care.InvalidSchedule) in Assign.said(of: error, in: "schedule") },
        on { (error: Care.NotShared) in "The client does not share this: \(error.what.shown)." },
        on { (error: Care.Reused) in
            "Device \(error.device.shown) told of something else under \(error.sequence): its history was replaced."
        },
        on { (error: Care.UnfitHappening) in
            "Happening \(error.sequence) cannot be taken: \(error.field.shown) \(error.reason.shown)"
        },
        on { (error: Care.TooManyDevices) in
            "The client has \(error.limit) devices that were heard of within a month, which is the limit."
        },
        on { (error: Care.TooManyHappenings) in
            "The client told of \(error.limit) happenings today, which is the limit; go on tomorrow."
        },
        on { (error: Care.TooManyNotes) in
            "The client's notes have \(error.limit) characters together, which is the limit."
        },
        on { (error: Practice.TooManyToday) in
            "That was \(error.limit) times today, which is the limit; go on tomorrow."
        },
        on { (_: Upkeep.NotMadeUp) in
            "Nobody can be played here: this practice is a real one. `systemd/install --practice --demo` makes one up."
        },
        on { (error: Upkeep.Faulty) in
            (["Nothing was taken in:"] + error.faults.map { "  line \($0.line): \($0.field.shown) \($0.reason.shown)" })
                .joined(separator: "\n")
        },
        on { (_: Upkeep.NotEmpty) in "There is somebody or something here already, so nobody is made up." },
        on { (error: Upkeep.CannotRestore) in
            "Nothing was replaced, because that cannot take the database's place. \(Wording.sentence(error.reason))"
        },
        on { (_: Upkeep.KeptByServer) in
            "PostgreSQL keeps this practice, and is backed up and restored with its own programs: see chapter 26 of its manual."
        },
        on { (error: Upkeep.BackupsUnavailable) in
            "The backups cannot be used now, though the practice's database can. \(Wording.sentence(error.reason))"
        },
        on { (error: Upkeep.NoSuchBackup) in "The daemon has no file \(error.backup.shown) (any more); run this again."
        },
        on { (error: Upkeep.Unclear) in unclear(error) },
        on { (error: Practice.NoGate) in "Nobody can come in over SSH yet: \(error.reason.shown)" },
        on { (_: Practice.RepliesUnread) in
            "practiced stopped telling more, because too much of it was not read; run this again to go on."
        },
        on { (_: Practice.CallUnfinished) in "practiced did not receive the rest of the call in time; run this again."
        },
        on { (error: Practice.TooManyConnections) in
            guard error.person == nil else {
                return "practiced takes no more connections of yours: there are \(error.limit), which is the limit.\n"
                    + "End programs that hold some (`pgrep -af practice` lists those of this machine), and run this again."
            }
            guard let user = error.user else {
                return "practiced serves \(error.limit) connections already; run this again a little later."
            }
            return
                "practiced takes no more connections of \(Wording.account(user)): there are \(error.limit), which is the "
                + "limit.\nEnd programs that hold some (`pgrep -af practice` lists those of the practice), and run this again."
        },
        on { (error: Practice.TooManyCalls) in
            "practiced carries out \(error.limit) calls of yours already, which is the limit; run this again in a moment."
        },
    ]

    static func notAllowed(_ name: String) -> String {
        let table = "`practice rights` shows who may do what."
        guard let right = Right(rawValue: name) else { return "You may not do this (\(name.shown)). \(table)" }
        let roles = Role.allCases.filter { RightsTable.rights(of: $0).contains(right) }.map {
            $0 == .support ? "support" : "\($0)s"
        }
        guard !roles.isEmpty else { return "Nobody may do this (\(name.shown)). \(table)" }
        let all =
            roles.count == 1 ? roles[0] : roles.dropLast().joined(separator: ", ") + " and " + roles[roles.count - 1]
        return "You may not do this: it is for \(all). \(table)"
    }

    private static func unclear(_ error: Upkeep.Unclear) -> String {
        guard !error.choices.isEmpty else {
            return "Nobody here has that in their name; `practice staff` lists the staff."
        }
        let lines = error.choices.prefix(20).map {
            "  \($0.person.shown)  \($0.name.shown.singleLine), \($0.role.shown)"
        }
        return (["That may be any of these; say which:"] + lines).joined(separator: "\n")
    }

    /// A line for each client who has the name.
    static func namesakes(_ error: Records.Namesakes) -> String {
        error.clients.map { "“\($0.name.shown.singleLine)” is there already: No. \($0.number)" }.joined(separator: "\n")
    }

    static func notFound(_ kind: String, _ id: String) -> String {
        let lists = [
            "client": "`practice clients` lists those that you may see.",
            "person": "`practice staff` lists who works here.",
            "session": "`practice sessions CLIENT` lists a client's.",
            "service": "`practice services --all` lists them.",
            "term": "`practice terms` lists them.", "key": "`practice keys` lists them.",
        ]
        return "There is no \(kind.shown) “\(id.shown)”. \(lists[kind] ?? "")"
    }

    /// One of the practice's own fields as an option names it.
    private static func name(of field: String) -> String {
        let own = "extra."
        return field.hasPrefix(own) ? "--field \(field.dropFirst(own.count))=" : field
    }

    /// The faults of a form, one on each line.
    static func faults(_ faults: [Fault]) -> String {
        let lines = faults.map { "  \(name(of: $0.field).shown) \($0.reason.shown)" }
        return (["Nothing was written:"] + lines).joined(separator: "\n")
    }
}
