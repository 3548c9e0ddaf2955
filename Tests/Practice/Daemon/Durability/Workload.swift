import Foundation
import Glibc
import PracticeInterfaces
import PracticeRules
import PracticeStore
import Storage
import Testing
import Time
import UnixTestSupport

@testable import PracticeDaemon

/// Several people who call a practice at once, each over a connection of their own, and the outcomes of their calls.
///
/// It outlives its daemons, and never sends the same mark twice. The practice is made up, so that each connection can play any
/// person, whatever user runs the test.
final class Workload {
    let folder = UnixTestSupport.Folder()
    /// How often the daemon, or the machine, was ended.
    private(set) var ends = 0
    private let offers: Clinic.ServicesAndTerms
    /// The first session of Cleo's, for the addenda of the first day.
    private let session: String
    private let cleo: String
    /// The client whose record is edited again and again.
    private let dora: String
    private var number = 0
    /// The calls that leave a mark, by their marks.
    private var ledger: [String: Entry] = [:]
    /// Unanswered calls with a key, which are sent again.
    private var unanswered: [Caller.Kind: [String]] = [:]
    /// The revision of the edited record, when it was read last.
    private var revision = 1
    /// The shares of that record's client, when they were read last.
    private var shares: Set<String> = []
    /// Acknowledged sessions that nothing has voided or amended yet, and clients whose records nothing has closed yet.
    private var (voidable, amendable, closable): ([String], [String], [String]) = ([], [], [])
    /// The sessions and clients of the calls that void, amend and close, by their marks.
    private var targets: [String: String] = [:]
    private var acknowledged: [Caller.Kind: Int] = [:]
    private var looks = (sent: 0, acknowledged: 0)
    private var faults: [String] = []
    private var lost: Set<String> = []
    private var doubled: Set<String> = []
    private var foreign: Set<String> = []
    private var returned: Set<String> = []

    private enum Outcome: Equatable {
        case unanswered, refused
        case done(id: String)
    }

    private struct Entry {
        let kind: Caller.Kind
        var outcome = Outcome.unanswered
        /// An earlier call with the same mark was not answered.
        var isOld = false
    }

    private static let firstNotes = "First"

    var state: String { folder["state"] }
    var database: String { state + "/practice.db" }

    init() throws {
        mkdir(folder["state"], 0o700)
        mkdir(folder["run"], 0o700)
        let clinic = try Clinic()
        // Long before the time of the calls.
        clinic.clock.advance(by: .seconds(-425 * 86_400))
        let ana = try clinic.staff("Ana", .thanatologist)
        (cleo, dora) = (try clinic.client("Cleo", of: ana), try clinic.client("Dora", of: ana))
        offers = try clinic.offers()
        session = try clinic.as(ana).call(
            Records.AddSession(
                client: cleo, on: "2026-01-04", minutes: 50, service: offers.talk, motives: [], tools: [],
                notes: Self.firstNotes)
        ).session.id
        try clinic.as(cleo).call(Care.SetShares(shares: Share.allCases.map(\.rawValue)))
        let store = try clinic.writer.storage.store()
        try store.transaction { try store.state(.madeUp, "1") }
        try clinic.close()
        try FileManager.default.copyItem(atPath: clinic.database, toPath: database)
        must(chmod(database, 0o600))
    }

    /// A caller with a connection.
    final class Caller {
        /// `staff` to `feedback` with a key, and `reports` with a number of their own: each can be sent again. The others have
        /// none. `voids` and `closings` take sessions and records of earlier days. `edits` and `shares` change one record
        /// again and again; `looks` are reads that stand in the audit.
        enum Kind: CaseIterable {
            case staff, clients, sessions, letters, addenda, points, feedback, reports
            case others, voids, closings, schedules, edits, shares, looks

            static let repeatable = [staff, clients, sessions, letters, addenda, points, feedback, reports]
            /// The kinds that change one thing again and again, so that only the last change can be seen.
            static let changes: Set = [edits, shares]

            /// The person who is played.
            var person: String {
                switch self {
                case .feedback, .reports: "Cleo"
                case .shares: "Dora"
                default: "Ana"
                }
            }
        }

        let kind: Kind
        let client: Client
        /// The marks of the sent calls, in their order.
        fileprivate(set) var sent: [String] = []
        /// The replies, without that of `PlayAs`.
        fileprivate(set) var replies: [String] = []
        fileprivate var isPlayed: Bool

        fileprivate init(_ kind: Kind, _ client: Client) {
            (self.kind, self.client) = (kind, client)
            isPlayed = kind == .staff
        }

        /// The daemon's own user, who adds staff, needs to play nobody.
        fileprivate var plays: Bool { kind != .staff }

        /// Takes the replies that have arrived.
        fileprivate func hear() {
            while let reply = client.message() {
                if isPlayed { replies.append(reply) } else { isPlayed = true }
            }
        }

        /// Keeps only these replies, as if no others had come.
        func heard(only replies: [String]) { self.replies = Array(replies.dropFirst(plays ? 1 : 0)) }
    }

    /// One caller of each kind. They connect in this order.
    func callers(_ kinds: [Caller.Kind] = Caller.Kind.allCases) -> [Caller] {
        kinds.map { kind in
            let caller = Caller(kind, Client(to: folder["control"]))
            if caller.plays {
                caller.client.send(
                    #"{"method":"org.daybreak.Upkeep.PlayAs","parameters":{"who":"\#(kind.person)"}}"#)
            }
            for mark in unanswered.removeValue(forKey: kind) ?? [] { send(mark, over: caller) }
            return caller
        }
    }

    // MARK: Sending

    /// False if there is nothing to void or to close.
    @discardableResult private func sendNext(over caller: Caller) -> Bool {
        let mark = caller.kind == .edits ? "+34600\(100_001 + number)" : "k\(number + 1)"
        switch caller.kind {
        case .voids:
            guard let target = voidable.popLast() else { return false }
            targets[mark] = target
        case .closings:
            guard let target = closable.popLast() else { return false }
            targets[mark] = target
        // A session has no more than 100 addenda.
        case .addenda: targets[mark] = amendable.popLast() ?? session
        default: break
        }
        number += 1
        send(mark, over: caller)
        return true
    }

    private func send(_ mark: String, over caller: Caller) {
        caller.sent.append(mark)
        if caller.kind == .looks { looks.sent += 1 }
        if caller.kind != .looks, ledger[mark] == nil { ledger[mark] = Entry(kind: caller.kind) }
        let (method, parameters) = call(mark, caller)
        caller.client.send(#"{"method":"org.daybreak.\#(method)","parameters":{\#(parameters)}}"#)
    }

    private func call(_ mark: String, _ caller: Caller) -> (String, String) {
        switch caller.kind {
        case .staff: ("Practice.AddStaff", #""name":"\#(mark)","role":"support","key":"\#(mark)""#)
        case .clients: ("Records.AddClient", #""name":"\#(mark)","key":"\#(mark)""#)
        case .others: ("Records.AddClient", #""name":"\#(mark)""#)
        case .sessions:
            (
                "Records.AddSession",
                #""client":"\#(cleo)","on":"2026-01-08","minutes":50,"service":"\#(offers.talk)","motives":["#
                    + #""\#(offers.loss)"],"tools":["\#(offers.letter)"],"notes":"\#(mark)","key":"\#(mark)""#
            )
        case .letters:
            (
                "Mail.Send",
                #""to":["\#(cleo)","\#(dora)"],"subject":"\#(mark)","body":"Dear all","key":"\#(mark)""#
            )
        case .edits:
            (
                "Records.EditClient",
                #""client":"\#(dora)","revision":\#(revision + caller.sent.count - 1),"phone":"\#(mark)""#
            )
        case .looks: ("Records.GetClient", #""client":"\#(cleo)""#)
        case .addenda:
            ("Records.AddAddendum", #""session":"\#(targets[mark] ?? "")","text":"\#(mark)","key":"\#(mark)""#)
        case .voids: ("Records.VoidSession", #""session":"\#(targets[mark] ?? "")","reason":"\#(mark)""#)
        case .closings: ("Records.CloseRecord", #""client":"\#(targets[mark] ?? "")","reason":"\#(mark)""#)
        case .points, .feedback, .reports, .schedules, .shares: careCall(mark, caller.kind)
        }
    }

    private func careCall(_ mark: String, _ kind: Caller.Kind) -> (String, String) {
        switch kind {
        case .points: ("Care.AddTalkingPoint", #""client":"\#(cleo)","text":"\#(mark)","key":"\#(mark)""#)
        case .feedback: ("Care.GiveFeedback", #""text":"\#(mark)","key":"\#(mark)""#)
        case .schedules:
            (
                "Care.Assign",
                #""client":"\#(cleo)","schedule":"[[1,[\"\#(mark)\"],\"2090-01-08\"]]""#
            )
        case .reports:
            (
                "Care.Report",
                #""device":"laptop","happenings":[{"sequence":\#(mark.dropFirst()),"id":"\#(mark)","#
                    + #""at":"2026-01-08T10:00:00Z","day":"2026-01-08","what":"noteWritten","text":"\#(mark)"}]"#
            )
        default:
            ("Care.SetShares", #""shares":[\#(Self.shares(of: mark).map { "\"\($0)\"" }.joined(separator: ","))]"#)
        }
    }

    /// A set of shares for each mark.
    private static func shares(of mark: String) -> Set<String> {
        let number = Int(mark.dropFirst()) ?? 0
        return Set(Share.allCases.enumerated().filter { number >> $0.offset & 1 == 1 }.map(\.element.rawValue))
    }

    /// Lets them call until so many replies have come, or the daemon has ended.
    func work(_ callers: [Caller], for daemon: PracticeProcess, until enough: Int) {
        func count() -> Int { callers.reduce(0) { $0 + $1.replies.count } }
        while count() < enough {
            for caller in callers {
                caller.hear()
                // The revision after an unanswered edit is unknown.
                let most = Caller.Kind.changes.contains(caller.kind) ? 1 : 3
                while caller.sent.count - caller.replies.count < most, sendNext(over: caller) {}
            }
            var waited = callers.filter { !$0.client.isCutOff }.map {
                pollfd(fd: $0.client.descriptor, events: Int16(POLLIN), revents: 0)
            }
            waited.append(pollfd(fd: daemon.ended, events: Int16(POLLIN), revents: 0))
            guard poll(&waited, nfds_t(waited.count), 30_000) > 0, waited[waited.count - 1].revents == 0 else { return }
        }
    }

    /// Sends so many calls, one after the other, and waits for each answer. Returns the last one.
    @discardableResult func ask(_ count: Int, over caller: Caller) -> String? {
        for _ in 0..<count {
            sendNext(over: caller)
            while caller.replies.count < caller.sent.count {
                caller.hear()
                var waited = pollfd(fd: caller.client.descriptor, events: Int16(POLLIN), revents: 0)
                guard caller.replies.count < caller.sent.count else { break }
                guard !caller.client.isCutOff, poll(&waited, 1, 30_000) > 0 else { return nil }
            }
        }
        return caller.replies.last
    }

    // MARK: The account

    /// Also takes the answers that the daemon had sent before its end.
    func hear(_ callers: [Caller]) { for caller in callers { caller.hear() } }

    /// Records the answers, and compares the database with them.
    func settle(_ callers: [Caller], _ note: String) throws {
        ends += 1
        for caller in callers { take(caller, note) }
        try compare(callers, note)
    }

    private func take(_ caller: Caller, _ note: String) {
        for (place, mark) in caller.sent.enumerated() {
            guard place < caller.replies.count else {
                leaveUnanswered(mark, caller.kind)
                continue
            }
            let reply = caller.replies[place]
            if reply.hasPrefix(#"{"parameters""#) {
                acknowledged[caller.kind, default: 0] += 1
                if caller.kind == .looks { looks.acknowledged += 1 }
                let id = Self.identifier(in: reply, caller.kind)
                if case .done(let before) = ledger[mark]?.outcome {
                    if before != id { faults.append("\(note): \(mark): \(before) and \(id)") }
                } else if caller.kind == .sessions {
                    if voidable.count < amendable.count { voidable.append(id) } else { amendable.append(id) }
                } else if caller.kind == .clients {
                    closable.append(id)
                }
                ledger[mark]?.outcome = .done(id: id)
            } else if !reply.contains(#""inDoubt":true"#) {
                // A device that has told more meanwhile does not tell an older happening anew.
                let isPassed = caller.kind == .reports && ledger[mark]?.isOld == true && reply.contains("Reused")
                if !isPassed, !reply.contains("StorageUnavailable") { faults.append("\(note): \(mark): \(reply)") }
                // The earlier call may have been carried out.
                if ledger[mark]?.isOld == true {
                    leaveUnanswered(mark, caller.kind)
                } else {
                    ledger[mark]?.outcome = .refused
                }
            }
        }
    }

    /// The identifier of the row that the call made; empty if the reply has none.
    private static func identifier(in reply: String, _ kind: Caller.Kind) -> String {
        if kind == .schedules {
            return reply.firstMatch(of: #/"revision":([0-9]+)/#).map { "r\($0.1)" } ?? ""
        }
        return reply.firstMatch(of: #/"id":"([psl][0-9]+)"/#).map { String($0.1) } ?? ""
    }

    /// The call may have been carried out. With a key it is sent again.
    private func leaveUnanswered(_ mark: String, _ kind: Caller.Kind) {
        ledger[mark]?.isOld = true
        if Caller.Kind.repeatable.contains(kind), ledger[mark]?.outcome == .unanswered {
            unanswered[kind, default: []].append(mark)
        }
    }

    /// Reads a copy, so that the daemon finds the files as they were left.
    private func compare(_ callers: [Caller], _ note: String) throws {
        let copy = UnixTestSupport.Folder()
        for suffix in ["", "-wal"] where exists(database + suffix) {
            try FileManager.default.copyItem(atPath: database + suffix, toPath: copy["practice.db" + suffix])
        }
        let kept = try Database(copy["practice.db"])
        #expect(try kept.isSound(withIndexes: true), "\(note)")
        var found: [String: [String]] = [:]
        try kept.each(
            """
            SELECT name, 'p' || id FROM person UNION ALL SELECT notes, 's' || id FROM session
            UNION ALL SELECT subject, 'l' || c.id FROM letter l JOIN copy c ON c.letter = l.id AND c.person = l.from_person
            UNION ALL SELECT text, 's' || session FROM addendum UNION ALL SELECT reason, 's' || session FROM void
            UNION ALL SELECT reason, 'p' || client FROM turn WHERE kind = 'closed'
            UNION ALL SELECT text, '' FROM talking_point UNION ALL SELECT text, '' FROM feedback
            UNION ALL SELECT name, '' FROM happening UNION ALL SELECT text, 'r' || revision FROM schedule
            """
        ) {
            let text = $0.text(0) ?? ""
            let mark = text.first == "[" ? text.firstMatch(of: #/k[0-9]+/#).map { String($0.0) } : nil
            found[mark ?? text, default: []].append($0.text(1) ?? "")
        }
        for (mark, entry) in ledger where !Caller.Kind.changes.contains(entry.kind) {
            let ids = found.removeValue(forKey: mark) ?? []
            if ids.count > 1 { doubled.insert(mark) }
            switch entry.outcome {
            case .done(let id) where ids.isEmpty || !id.isEmpty && ids.first != id: lost.insert(mark)
            case .refused where !ids.isEmpty: returned.insert(mark)
            default: break
            }
        }
        foreign.formUnion(found.keys.filter { !["Ana", "Cleo", "Dora", Self.firstNotes].contains($0) })
        try compareEdits(callers, kept, note)
        try compareShares(callers, kept, note)
        try compareCounts(kept, note)
        try kept.close()
    }

    /// Each acknowledged edit made a revision. The unanswered one may have made one more.
    private func compareEdits(_ callers: [Caller], _ kept: Database, _ note: String) throws {
        let row = try kept.first("SELECT revision, phone FROM person WHERE name = 'Dora'") { ($0.int(0), $0.text(1)) }
        guard case (let found?, let phone)? = row else {
            lost.insert("Dora")
            return
        }
        let edits = callers.filter { $0.kind == .edits }
        let done = edits.reduce(0) { $0 + $1.replies.count { $0.hasPrefix(#"{"parameters""#) } }
        let open = edits.reduce(0) { $0 + $1.sent.count } - edits.reduce(0) { $0 + $1.replies.count }
        if found < revision + done { lost.insert("an edit, \(note)") }
        if found > revision + done + open { doubled.insert("an edit, \(note)") }
        let sent = edits.flatMap(\.sent)
        if found > revision, sent.indices.contains(found - revision - 1), sent[found - revision - 1] != phone {
            lost.insert("the edit \(phone ?? "")")
        }
        revision = found
    }

    /// The shares are those of the last acknowledged call, or of one after it whose answer is missing.
    private func compareShares(_ callers: [Caller], _ kept: Database, _ note: String) throws {
        var possible = [shares]
        for caller in callers where caller.kind == .shares {
            for (place, mark) in caller.sent.enumerated() {
                let reply = place < caller.replies.count ? caller.replies[place] : nil
                if reply?.hasPrefix(#"{"parameters""#) == true { possible = [] }
                if reply?.hasPrefix(#"{"error""#) == true, reply?.contains(#""inDoubt":true"#) != true { continue }
                possible.append(Self.shares(of: mark))
            }
        }
        var found: Set<String> = []
        try kept.each("SELECT what FROM share WHERE client = $1", [ID<Person>(dora).databaseValue]) {
            found.insert($0.text(0) ?? "")
        }
        if !possible.contains(found) { lost.insert("the shares \(found.sorted()), \(note)") }
        shares = found
    }

    /// The numbers of a record's sessions have no gap, and the audit has every action.
    private func compareCounts(_ kept: Database, _ note: String) throws {
        let sessions = try kept.number("SELECT count(*) FROM session")
        #expect(try kept.number("SELECT coalesce(max(number), 0) FROM session") == sessions, "\(note)")
        #expect(
            try kept.number("SELECT sum(sessions) FROM client") == sessions, "the record's own count: \(note)")
        // Each letter lies with its sender and both recipients, in mailboxes whose numbers have no gap.
        let letters = try kept.number("SELECT count(*) FROM letter WHERE sent = 1 AND from_person IS NOT NULL")
        let copies = "SELECT count(*) FROM copy c JOIN letter l ON l.id = c.letter WHERE l.from_person IS NOT NULL"
        #expect(try kept.number(copies) == letters.map { 3 * $0 }, "\(note)")
        let three = "person IN (SELECT id FROM person WHERE name IN ('Ana', 'Cleo', 'Dora'))"
        #expect(
            try kept.number("SELECT count(*) FROM mailbox WHERE number <> $1 AND \(three)", letters) == 0, "\(note)")
        #expect(
            try kept.number("SELECT count(*) FROM copy_words WHERE words LIKE '% dear%'") == letters.map { 3 * $0 },
            "\(note)")
        func audited(_ did: String) throws -> Int {
            try kept.number("SELECT count(*) FROM audit WHERE did = $1", did) ?? 0
        }
        for (did, what) in [
            ("AddSession", "session"), ("AddClient", "client"), ("AddStaff", "person WHERE role <> 'client'"),
            ("AddAddendum", "addendum"), ("VoidSession", "void"), ("CloseRecord", "turn WHERE kind = 'closed'"),
        ] {
            // A repeated call adds an entry as well.
            #expect(try audited(did) >= kept.number("SELECT count(*) FROM \(what)") ?? 0, "\(did): \(note)")
        }
        #expect(try audited("EditClient") == revision - 1, "\(note)")
        let read = try audited("GetClient")
        #expect(read >= looks.acknowledged && read <= looks.sent, "\(note)")
        let turns = try kept.number("SELECT count(*) FROM turn WHERE kind = 'opened'")
        #expect(try kept.number("SELECT count(*) FROM client") == turns, "\(note)")
        // Each closing is a turn, the state of the record, and a letter to the client.
        let closings = try kept.number("SELECT count(*) FROM turn WHERE kind = 'closed'")
        #expect(try kept.number("SELECT count(*) FROM client WHERE open = 0") == closings, "\(note)")
        #expect(try kept.number("SELECT count(*) FROM letter WHERE from_person IS NULL") == closings, "\(note)")
        // The device was heard as far as its happenings go; revisions and a session's addenda have no gap.
        for (one, other) in [
            ("coalesce(max(heard), 0) FROM device", "coalesce(max(sequence), 0) FROM happening"),
            ("coalesce(max(revision), 0) FROM schedule", "count(*) FROM schedule"),
            (
                "coalesce(sum(last), 0) FROM (SELECT max(number) AS last FROM addendum GROUP BY session)",
                "count(*) FROM addendum"
            ),
        ] {
            #expect(try kept.number("SELECT \(one)") == kept.number("SELECT \(other)"), "\(other): \(note)")
        }
    }

    /// Repeats every call with a key twice. Each gets its first answer.
    func askAgain() throws {
        for _ in 1...2 {
            for kind in Caller.Kind.repeatable {
                unanswered[kind] = nil
                let caller = callers([kind])[0]
                let marks = ledger.filter { $0.value.kind == kind }.keys.sorted()
                // Twenty words of feedback a day are taken, and a repetition counts as one.
                for mark in kind == .feedback ? Array(marks.prefix(9)) : marks {
                    send(mark, over: caller)
                    while caller.replies.count < caller.sent.count {
                        var waited = pollfd(fd: caller.client.descriptor, events: Int16(POLLIN), revents: 0)
                        try #require(poll(&waited, 1, 30_000) > 0 && !caller.client.isCutOff)
                        caller.hear()
                    }
                }
                take(caller, "again")
            }
        }
    }

    var figures: String {
        let each = Caller.Kind.allCases.map { "\($0) \(acknowledged[$0] ?? 0)" }.joined(separator: ", ")
        return """
            acknowledged \(acknowledged.values.reduce(0, +)), lost \(lost.count), doubled \(doubled.count), never sent \(foreign.count), \
            refused and kept \(returned.count) [\(each)]
            """
    }

    /// No call was lost or added, and there were enough of them.
    func expectSound(_ location: SourceLocation = #_sourceLocation) {
        #expect(faults == [], sourceLocation: location)
        let isSound = lost.isEmpty && doubled.isEmpty && foreign.isEmpty && returned.isEmpty
        #expect(isSound && acknowledged.values.reduce(0, +) > ends, "\(figures)", sourceLocation: location)
    }
}
