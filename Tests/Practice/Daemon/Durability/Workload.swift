import Foundation
import Glibc
import JSON
import PostgreSQL
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
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
    private(set) var place: StoragePlace
    /// How often the daemon, or the machine, was ended.
    private(set) var ends = 0
    private let offers: Clinic.ServicesAndTerms
    /// The first session of Cleo's, for the addenda of the first day.
    private let session: String
    /// A session has no more than 100.
    private var addendaOfFirst = 0
    private let cleo: String
    /// The client whose record is edited again and again.
    private let dora: String
    /// The thanatologist who gets the transferred records, and whose telephone is changed again and again.
    private let ben: String
    private var number = 0
    /// The calls that leave a mark, by their marks.
    private var ledger: [String: Entry] = [:]
    /// Unanswered calls with a key, which are sent again.
    private var unanswered: [Caller.Kind: [String]] = [:]
    /// The revisions of the edited person and service, when they were read last.
    private var revisions: [Caller.Kind: Int] = [:]
    /// The shares of that record's client, when they were read last.
    private var shares: Set<String> = []
    /// The results of acknowledged calls, by the kind of the calls that may take them; each is taken once.
    private var waiting: [Caller.Kind: [String]] = [:]
    private var given: [Caller.Kind: Int] = [:]
    /// The results that the calls of such a kind took, by their marks.
    private var targets: [String: String] = [:]
    private var sentOf: [Caller.Kind: Int] = [:]
    /// Fewer than ``Caller/Kind/most``: one daemon takes twenty words of feedback a day, and other shares a hundred times, with those
    /// that are sent again.
    var mostOf: [Caller.Kind: Int] = [:]
    private var acknowledged: [Caller.Kind: Int] = [:]
    private var looks = (sent: 0, acknowledged: 0)
    /// The invitations that were redeemed, when the database was read last.
    private var redeemed = 0
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

    /// - Parameter server: the address of an empty database that is to keep the practice; nil for a file.
    init(on server: String? = nil) throws {
        place = .file(folder["state"] + "/practice.db")
        mkdir(folder["state"], 0o700)
        mkdir(folder["run"], 0o700)
        let clinic = try Clinic()
        // Long before the time of the calls.
        clinic.clock.advance(by: .seconds(-425 * 86_400))
        let ana = try clinic.staff("Ana", .thanatologist)
        (cleo, dora) = (try clinic.client("Cleo", of: ana), try clinic.client("Dora", of: ana))
        ben = try clinic.staff("Ben", .thanatologist)
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
        _ = try Move(from: clinic.placeToMove, to: .file(database)).run()
        if let server { try move(to: .server(server)) }
        try "\(Keys.ana) root@clinic\n".write(toFile: folder["host.pub"], atomically: true, encoding: .utf8)
        try writeSettings()
    }

    private func writeSettings() throws {
        let account = try #require(Account.name(of: geteuid()))
        let server = if case .server(let address) = place { address } else { "" }
        try "[gate]\naccount = \"\(account)\"\nhost_key = \"\(folder["host.pub"])\"\n[storage]\nurl = \"\(server)\"\n"
            .write(toFile: folder["practice.toml"], atomically: true, encoding: .utf8)
    }

    /// Moves the practice, and has the daemons that are started from now on use it there.
    func move(to new: StoragePlace) throws {
        func spelled(_ place: StoragePlace) -> Move.Place {
            switch place {
            case .file(let path): .file(path)
            case .server(let address): .server(address, migration: "")
            }
        }
        _ = try Move(from: spelled(place), to: spelled(new)).run()
        try hasMoved(to: new)
    }

    /// Has the daemons that are started from now on use the practice there.
    func hasMoved(to new: StoragePlace) throws {
        place = new
        try writeSettings()
    }

    /// Starts the practice. The user who runs the test is root there, and the gate's account as well.
    func daemon(listening: Int32, environment: [String: String] = [:]) throws -> PracticeProcess {
        try PracticeProcess(
            in: folder, listening: listening, ["--demo"], config: folder["practice.toml"], environment: environment)
    }

    /// A caller with a connection.
    final class Caller {
        /// `staff` to `services` with a key, and `reports` with a number of their own: each can be sent again. The others have
        /// none. Those of ``source`` take what other calls made on earlier days. `edits` to `shares` change one thing again and
        /// again; `looks` are reads that stand in the audit.
        enum Kind: CaseIterable {
            case staff, clients, sessions, letters, addenda, points, feedback, services, reports
            case others, voids, closings, reopenings, transfers, retirements, schedules, imports
            case terms, retiredTerms, keys, removedKeys, invitations, redemptions
            case edits, staffEdits, serviceEdits, shares, looks

            static let repeatable = [
                staff, clients, sessions, letters, addenda, points, feedback, services, reports,
            ]
            /// The kinds that change one thing again and again, so that only the last change can be seen.
            static let changes: Set = [edits, staffEdits, serviceEdits, shares]

            /// The kinds of calls that take what calls of this kind made.
            var takers: [Kind] {
                switch self {
                case .staff: [.retirements]
                case .clients: [.closings, .keys, .invitations]
                // After a transfer the caller of AddClient cannot see the client, and would not get the first answer again.
                case .others: [.transfers]
                case .sessions: [.addenda, .voids]
                case .closings: [.reopenings]
                case .terms: [.retiredTerms]
                case .keys: [.removedKeys]
                case .invitations: [.redemptions]
                default: []
                }
            }

            /// The kinds that can be sent only when there is something for them.
            static let taking = Set(allCases.flatMap(\.takers))

            /// The person who is played; nil for the daemon's own user, who plays nobody.
            var person: String? {
                switch self {
                case .feedback, .reports: "Cleo"
                case .shares: "Dora"
                case .staff, .services, .transfers, .retirements, .imports, .terms, .retiredTerms, .keys, .removedKeys,
                    .redemptions, .staffEdits, .serviceEdits:
                    nil
                default: "Ana"
                }
            }

            /// The rows that one call makes.
            var rows: Int { self == .imports ? 3 : 1 }

            /// The most calls of this kind: a practice has 1,000 services and 1,000 words of each vocabulary.
            var most: Int { self == .services || self == .terms ? 900 : .max }
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
            isPlayed = kind.person == nil
        }

        /// Takes the replies that have arrived.
        fileprivate func hear() {
            while let reply = client.message() {
                if isPlayed { replies.append(reply) } else { isPlayed = true }
            }
        }

        /// Keeps only these replies, as if no others had come.
        func heard(only replies: [String]) { self.replies = Array(replies.dropFirst(kind.person == nil ? 0 : 1)) }
    }

    /// One caller of each kind. They connect in this order.
    func callers(_ kinds: [Caller.Kind] = Caller.Kind.allCases) -> [Caller] {
        kinds.map { kind in
            let caller = Caller(kind, Client(to: folder["control"]))
            if let person = kind.person {
                caller.client.send(#"{"method":"org.daybreak.Upkeep.PlayAs","parameters":{"who":"\#(person)"}}"#)
            }
            for mark in unanswered.removeValue(forKey: kind) ?? [] { send(mark, over: caller) }
            return caller
        }
    }

    // MARK: Sending

    /// False if there is nothing for the call to take, or if there were enough of the kind.
    @discardableResult private func sendNext(over caller: Caller) -> Bool {
        let kind = caller.kind
        let isPhone = kind == .edits || kind == .staffEdits
        let mark = isPhone ? "+34600\(100_001 + number)" : "k\(number + 1)"
        guard sentOf[kind, default: 0] < mostOf[kind] ?? kind.most else { return false }
        if Caller.Kind.taking.contains(kind) {
            let first = kind == .addenda && addendaOfFirst < 100 ? session : nil
            guard let target = waiting[kind]?.popLast() ?? first else { return false }
            if target == session { addendaOfFirst += 1 }
            targets[mark] = target
        }
        sentOf[kind, default: 0] += 1
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
                #""client":"\#(cleo)","on":"\#(today)","minutes":50,"service":"\#(offers.talk)","motives":["#
                    + #""\#(offers.loss)"],"tools":["\#(offers.letter)"],"notes":"\#(mark)","key":"\#(mark)""#
            )
        case .letters:
            (
                "Mail.Send",
                #""to":["\#(cleo)","\#(dora)"],"subject":"\#(mark)","body":"Dear all","key":"\#(mark)""#
            )
        case .edits: ("Records.EditClient", #""client":"\#(dora)",\#(next(caller)),"phone":"\#(mark)""#)
        case .looks: ("Records.GetClient", #""client":"\#(cleo)""#)
        case .addenda:
            ("Records.AddAddendum", #""session":"\#(targets[mark] ?? "")","text":"\#(mark)","key":"\#(mark)""#)
        case .voids: ("Records.VoidSession", #""session":"\#(targets[mark] ?? "")","reason":"\#(mark)""#)
        case .closings: ("Records.CloseRecord", #""client":"\#(targets[mark] ?? "")","reason":"\#(mark)""#)
        case .reopenings:
            (
                "Records.ReopenRecord",
                #""client":"\#(targets[mark] ?? "")","why":"\#(number % 2 == 0 ? "mistake" : "return")","reason":"\#(mark)""#
            )
        case .transfers:
            ("Records.Transfer", #""client":"\#(targets[mark] ?? "")","to":"\#(ben)","reason":"\#(mark)""#)
        case .points, .feedback, .reports, .schedules, .shares: careCall(mark, caller.kind)
        default: practiceCall(mark, caller)
        }
    }

    private func practiceCall(_ mark: String, _ caller: Caller) -> (String, String) {
        let target = targets[mark] ?? ""
        return switch caller.kind {
        case .staffEdits: ("Practice.EditStaff", #""person":"\#(ben)",\#(next(caller)),"phone":"\#(mark)""#)
        case .retirements: ("Practice.RetireStaff", #""person":"\#(target)","revision":1"#)
        case .services:
            ("Practice.AddService", #""category":"Grief","name":"\#(mark)","description":"","key":"\#(mark)""#)
        case .serviceEdits:
            ("Practice.EditService", #""service":"\#(offers.talk)",\#(next(caller)),"description":"\#(mark)""#)
        case .terms: ("Practice.AddTerm", #""vocabulary":"motives","word":"\#(mark)""#)
        case .retiredTerms: ("Practice.RetireTerm", #""term":"\#(target)""#)
        case .keys: ("Practice.AddKey", #""person":"\#(target)","publicKey":"\#(Self.key(mark))""#)
        case .removedKeys: ("Practice.RemoveKey", #""fingerprint":"\#(target)""#)
        case .invitations: ("Practice.Invite", #""person":"\#(target)""#)
        case .redemptions:
            ("Gate.Redeem", #""fingerprint":"","publicKey":"\#(Self.key(mark))","invitation":"\#(target)""#)
        default: ("Upkeep.Import", importing(mark))
        }
    }

    /// Three rows: of clients, or, by every second call, of sessions.
    private func importing(_ mark: String) -> String {
        let isOfClients = number % 2 == 0
        let rows = (1...Caller.Kind.imports.rows).map { row in
            let values =
                isOfClients
                ? #""name":"[\#(mark)] \#(row)","thanatologist":"Ana""#
                : #""client":"Cleo","on":"2026-01-08","minutes":"50","service":"Talk","notes":"[\#(mark)] \#(row)""#
            return #"{"line":\#(row + 1),"values":{\#(values)}}"#
        }
        return #""kind":"\#(isOfClients ? "clients" : "sessions")","rows":[\#(rows.joined(separator: ","))]"#
    }

    /// A public key of its own for each mark, with the mark as its comment.
    private static func key(_ mark: String) -> String {
        let parts = [Array("ssh-ed25519".utf8), Array(mark.utf8) + Array(repeating: 0, count: 32 - mark.utf8.count)]
        return "ssh-ed25519 \(Base64.encode(parts.flatMap { [0, 0, 0, UInt8($0.count)] + $0 })) \(mark)"
    }

    /// The revision that the next edit changes.
    private func next(_ caller: Caller) -> String {
        #""revision":\#(revisions[caller.kind, default: 1] + caller.sent.count - 1)"#
    }

    /// The day of the practice: a session of today has had the talking points, of which there may be twenty.
    private var today: CalendarDay { Clinic.settings.zone.day(at: SystemClock.now()) }

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
                // The revision after an unanswered or a refused edit is unknown.
                let isChange = Caller.Kind.changes.contains(caller.kind)
                let most = isChange ? caller.replies.allSatisfy { $0.hasPrefix(#"{"parameters""#) } ? 1 : 0 : 3
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

    /// Waits for the answers to all calls that were sent, with long patience.
    func hearAll(_ callers: [Caller]) throws {
        for caller in callers {
            while caller.replies.count < caller.sent.count {
                caller.hear()
                guard caller.replies.count < caller.sent.count else { break }
                var waited = pollfd(fd: caller.client.descriptor, events: Int16(POLLIN), revents: 0)
                try #require(!caller.client.isCutOff && poll(&waited, 1, 300_000) > 0, "\(caller.kind)")
            }
        }
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
                } else if let taker = caller.kind.takers.min(by: { given[$0, default: 0] < given[$1, default: 0] }) {
                    given[taker, default: 0] += 1
                    waiting[taker, default: []].append(id)
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
            } else {
                leaveUnanswered(mark, caller.kind)
            }
        }
    }

    /// The identifier of the row that the call made, the fingerprint, or the word of an invitation; empty if the reply has none.
    private static func identifier(in reply: String, _ kind: Caller.Kind) -> String {
        if kind == .schedules {
            return reply.firstMatch(of: #/"revision":([0-9]+)/#).map { "r\($0.1)" } ?? ""
        }
        let found =
            switch kind {
            case .keys: reply.firstMatch(of: #/"fingerprint":"([^"]+)"/#)?.1
            case .invitations: reply.firstMatch(of: #/"invitation":"([^"]+)"/#)?.1
            case .redemptions: reply.firstMatch(of: #/"person":"([^"]+)"/#)?.1
            default: reply.firstMatch(of: #/"id":"([pslvt][0-9]+)"/#)?.1
            }
        return found.map { String($0).replacing("\\/", with: "/") } ?? ""
    }

    /// The call may have been carried out. With a key it is sent again.
    private func leaveUnanswered(_ mark: String, _ kind: Caller.Kind) {
        ledger[mark]?.isOld = true
        if Caller.Kind.repeatable.contains(kind), ledger[mark]?.outcome == .unanswered {
            unanswered[kind, default: []].append(mark)
        }
    }

    /// Reads a copy of a file, so that the daemon finds the files as they were left.
    private func compare(_ callers: [Caller], _ note: String) throws {
        switch place {
        case .file:
            let copy = UnixTestSupport.Folder()
            for suffix in ["", "-wal"] where exists(database + suffix) {
                try FileManager.default.copyItem(atPath: database + suffix, toPath: copy["practice.db" + suffix])
            }
            let kept = try SQLiteDatabase(copy["practice.db"])
            #expect(try kept.isSound(withIndexes: true), "\(note)")
            try compare(callers, with: kept, note)
            try kept.close()
        case .server(let address):
            try compare(callers, with: PostgreSQL(address, .reading, program: "test"), note)
        }
    }

    private func compare(_ callers: [Caller], with kept: any Database, _ note: String) throws {
        var found: [String: [String]] = [:]
        try kept.each(
            """
            SELECT name, 'p' || id FROM person UNION ALL SELECT notes, 's' || id FROM session
            UNION ALL SELECT subject, 'l' || c.id FROM letter l JOIN copy c ON c.letter = l.id AND c.person = l.from_person
            UNION ALL SELECT text, 's' || session FROM addendum UNION ALL SELECT reason, 's' || session FROM void
            UNION ALL SELECT reason, 'p' || client FROM turn WHERE kind <> 'opened'
            UNION ALL SELECT text, '' FROM talking_point UNION ALL SELECT text, '' FROM feedback
            UNION ALL SELECT name, '' FROM happening UNION ALL SELECT text, 'r' || revision FROM schedule
            UNION ALL SELECT name, 'v' || id FROM service UNION ALL SELECT word, 't' || id FROM term
            """
        ) {
            let text = $0.text(0) ?? ""
            let mark = text.first == "[" ? text.firstMatch(of: #/k[0-9]+/#).map { String($0.0) } : nil
            found[mark ?? text, default: []].append($0.text(1) ?? "")
        }
        try findStates(in: kept, &found)
        for (mark, entry) in ledger where !Caller.Kind.changes.contains(entry.kind) {
            let ids = found.removeValue(forKey: mark) ?? []
            let name = "\(entry.kind) \(mark)"
            if ids.count > entry.kind.rows { doubled.insert(name) }
            // A call that makes several rows makes all of them or none.
            if !ids.isEmpty, ids.count < entry.kind.rows { lost.insert(name) }
            switch entry.outcome {
            case .done(let id) where ids.isEmpty || !id.isEmpty && ids.first != id: lost.insert(name)
            case .refused where !ids.isEmpty: returned.insert(name)
            default: break
            }
        }
        let known = ["Ana", "Ben", "Cleo", "Dora", "Talk", "Loss of a parent", "Letter", Self.firstNotes]
        foreign.formUnion(found.keys.filter { !known.contains($0) })
        for kind in [Caller.Kind.edits, .staffEdits, .serviceEdits] { try compareEdits(kind, callers, kept, note) }
        try compareShares(callers, kept, note)
        try compareCounts(kept, note)
    }

    /// Calls that leave no mark of their own are found by what they took: people who left, words that are no longer offered, keys
    /// and invitations.
    private func findStates(in kept: any Database, _ found: inout [String: [String]]) throws {
        func marks(_ kind: Caller.Kind) -> [String: String] {
            let taken = targets.filter { ledger[$0.key]?.kind == kind }
            return Dictionary(uniqueKeysWithValues: taken.map { ($0.value, $0.key) })
        }
        for (kind, query) in [
            (Caller.Kind.retirements, "SELECT 'p' || id FROM person WHERE active = 0"),
            (.retiredTerms, "SELECT 't' || id FROM term WHERE offered = 0"),
        ] {
            let marks = marks(kind)
            try kept.each(query) {
                let id = $0.text(0) ?? ""
                found[marks[id] ?? "\(kind) of \(id)", default: []].append(id)
            }
        }
        var (fingerprints, words): (Set<String>, Set<String>) = ([], [])
        try kept.each("SELECT comment, fingerprint, 'p' || person FROM ssh_key") {
            let mark = $0.text(0) ?? ""
            let isRedeemed = ledger[mark]?.kind == .redemptions
            fingerprints.insert($0.text(1) ?? "")
            found[mark, default: []].append($0.text(isRedeemed ? 2 : 1) ?? "")
            if isRedeemed, let word = targets[mark] { words.insert(word) }
        }
        // A key that was removed had been there; so had an invitation that was redeemed.
        var keys: [String: String] = [:]
        for (mark, entry) in ledger where entry.kind == .keys {
            if case .done(let id) = entry.outcome { keys[id] = mark }
        }
        for (fingerprint, mark) in marks(.removedKeys) where !fingerprints.contains(fingerprint) {
            found[mark, default: []].append(fingerprint)
            if let key = keys[fingerprint] { found[key, default: []].append(fingerprint) }
        }
        redeemed = words.count
        try kept.each("SELECT handle, secret FROM invitation") {
            words.insert(InvitationWord("\($0.text(0) ?? "")\($0.text(1) ?? "")")?.description ?? "")
        }
        for (mark, entry) in ledger where entry.kind == .invitations {
            // The word of an unanswered invitation is unknown.
            guard case .done(let word) = entry.outcome, words.contains(word) else { continue }
            found[mark] = [word]
        }
    }

    /// Each acknowledged edit made a revision. The unanswered one may have made one more.
    private func compareEdits(_ kind: Caller.Kind, _ callers: [Caller], _ kept: any Database, _ note: String) throws {
        let query =
            switch kind {
            case .edits: "SELECT revision, phone FROM person WHERE name = 'Dora'"
            case .staffEdits: "SELECT revision, phone FROM person WHERE name = 'Ben'"
            default: "SELECT revision, description FROM service WHERE name = 'Talk'"
            }
        let row = try kept.first(query) { ($0.int(0), $0.text(1)) }
        guard case (let found?, let text)? = row else {
            lost.insert("all \(kind)")
            return
        }
        let revision = revisions[kind, default: 1]
        let edits = callers.filter { $0.kind == kind }
        let done = edits.reduce(0) { $0 + $1.replies.count { $0.hasPrefix(#"{"parameters""#) } }
        let inDoubt = edits.reduce(0) { $0 + $1.replies.count { $0.contains(#""inDoubt":true"#) } }
        let open = inDoubt + edits.reduce(0) { $0 + $1.sent.count - $1.replies.count }
        if found < revision + done { lost.insert("\(kind), \(note)") }
        if found > revision + done + open { doubled.insert("\(kind), \(note)") }
        let sent = edits.flatMap(\.sent)
        if found > revision, sent.indices.contains(found - revision - 1), sent[found - revision - 1] != text {
            lost.insert("\(kind) \(text ?? "")")
        }
        revisions[kind] = found
    }

    /// The shares are those of the last acknowledged call, or of one after it whose answer is missing.
    private func compareShares(_ callers: [Caller], _ kept: any Database, _ note: String) throws {
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
    private func compareCounts(_ kept: any Database, _ note: String) throws {
        let sessions = try kept.number("SELECT count(*) FROM session")
        #expect(try kept.number("SELECT coalesce(max(number), 0) FROM session") == sessions, "\(note)")
        #expect(
            try kept.number("SELECT sum(sessions) FROM client") == sessions, "the record's own count: \(note)")
        // Each letter lies with its sender and both recipients, in mailboxes whose numbers have no gap.
        let letters = try kept.number("SELECT count(*) FROM letter WHERE sent = 1 AND from_person IS NOT NULL")
        let copies = "SELECT count(*) FROM copy c JOIN letter l ON l.id = c.letter WHERE l.from_person IS NOT NULL"
        #expect(try kept.number(copies) == letters.map { 3 * $0 }, "\(note)")
        let own =
            "SELECT count(*) FROM copy c JOIN letter l ON l.id = c.letter WHERE c.person = m.person AND l.from_person IS NULL"
        let miscounted = """
            SELECT count(*) FROM mailbox m JOIN person p ON p.id = m.person
            WHERE p.name IN ('Ana', 'Cleo', 'Dora') AND m.number <> $1 + (\(own))
            """
        #expect(try kept.number(miscounted, letters) == 0, "\(note)")
        #expect(
            try kept.number("SELECT count(*) FROM copy_words WHERE words LIKE '% dear%'") == letters.map { 3 * $0 },
            "\(note)")
        func audited(_ did: String) throws -> Int {
            try kept.number("SELECT count(*) FROM audit WHERE did = $1", did) ?? 0
        }
        for (did, what) in [
            ("AddSession", "session"), ("AddClient", "client"), ("AddStaff", "person WHERE role <> 'client'"),
            ("AddAddendum", "addendum"), ("VoidSession", "void"), ("CloseRecord", "turn WHERE kind = 'closed'"),
            ("ReopenRecord", "turn WHERE kind = 'reopened'"), ("Transfer", "turn WHERE kind = 'transferred'"),
            ("RetireStaff", "person WHERE active = 0"), ("AddService", "service"), ("AddTerm", "term"),
            ("RetireTerm", "term WHERE offered = 0"), ("Invite", "invitation"),
        ] {
            // A repeated call adds an entry as well.
            #expect(try audited(did) >= kept.number("SELECT count(*) FROM \(what)") ?? 0, "\(did): \(note)")
        }
        for (kind, did) in [
            (Caller.Kind.edits, "EditClient"), (.staffEdits, "EditStaff"), (.serviceEdits, "EditService"),
        ] {
            #expect(try audited(did) == revisions[kind, default: 1] - 1, "\(did): \(note)")
        }
        #expect(try audited("Redeem") == redeemed, "\(note)")
        let read = try audited("GetClient")
        #expect(read >= looks.acknowledged && read <= looks.sent, "\(note)")
        let turns = try kept.number("SELECT count(*) FROM turn WHERE kind = 'opened'")
        #expect(try kept.number("SELECT count(*) FROM client") == turns, "\(note)")
        // Closings and reopenings are turns, the state of the record, and a letter to the client each; a transfer gives the record
        // to Ben, with a letter to him. The redeemer of an invitation and a client who is given a key are told by letter, and so is the
        // client's thanatologist.
        let closings = try kept.number("SELECT count(*) FROM turn WHERE kind = 'closed'") ?? 0
        let reopenings = try kept.number("SELECT count(*) FROM turn WHERE kind = 'reopened'") ?? 0
        let transferred = try kept.number("SELECT count(*) FROM turn WHERE kind = 'transferred'") ?? 0
        #expect(try kept.number("SELECT count(*) FROM client WHERE open = 0") == closings - reopenings, "\(note)")
        let given = try kept.number("SELECT count(DISTINCT what) FROM audit WHERE did = 'AddKey'") ?? 0
        #expect(
            try kept.number("SELECT count(*) FROM letter WHERE from_person IS NULL")
                == closings + reopenings + transferred + 2 * (redeemed + given), "\(note)")
        let bens = "SELECT count(*) FROM client c JOIN person p ON p.id = c.thanatologist WHERE p.name = 'Ben'"
        #expect(try kept.number(bens) == transferred, "\(note)")
        // The device was heard as far as its happenings go; revisions and a session's addenda have no gap.
        for (one, other) in [
            ("coalesce(max(heard), 0) FROM device", "coalesce(max(sequence), 0) FROM happening"),
            ("coalesce(max(revision), 0) FROM schedule", "count(*) FROM schedule"),
            (
                "coalesce(sum(last), 0) FROM (SELECT max(number) AS last FROM addendum GROUP BY session) s",
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
                // A call that was refused may be so now: a device has told more meanwhile, a client has enough points.
                let marks = ledger.filter { $0.value.kind == kind && $0.value.outcome != .refused }.keys.sorted()
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

    /// No call was lost or added, and there were enough of them; of every kind, if all were made.
    func expectSound(ofAll: Bool = false, _ location: SourceLocation = #_sourceLocation) {
        #expect(faults == [], sourceLocation: location)
        let wrong = lost.union(doubled).union(foreign).union(returned)
        #expect(Set(wrong.map { $0.prefix { $0 != " " } }).sorted() == [], sourceLocation: location)
        let missing = ofAll ? Caller.Kind.allCases.filter { acknowledged[$0] == nil } : []
        #expect(missing.isEmpty, "no call was acknowledged: \(missing)", sourceLocation: location)
        let isSound = lost.isEmpty && doubled.isEmpty && foreign.isEmpty && returned.isEmpty
        #expect(isSound && acknowledged.values.reduce(0, +) > ends, "\(figures)", sourceLocation: location)
    }
}
