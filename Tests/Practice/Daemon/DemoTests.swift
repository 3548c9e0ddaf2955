import Foundation
import Glibc
import PracticeInterfaces
import PracticeStore
import StaffInterfaces
import Testing
import TestingSupport
import UnixTestSupport

@testable import PracticeDaemon

@Suite(.hangGuard) struct `A made-up practice` {
    private func made() throws -> Clinic {
        let clinic = try Clinic()
        _ = try clinic.root.call(Upkeep.Fill())
        return clinic
    }

    @Test func `every list has something to show, and a second one is refused`() throws {
        let clinic = try made()
        #expect(throws: Upkeep.NotEmpty()) { try clinic.root.call(Upkeep.Fill()) }
        let (vera, ana) = (clinic.as("p1"), clinic.as("p3"))
        let closed = try vera.call(Records.ListClients(open: false)).clients
        let clients = try vera.call(Records.ListClients(open: true, limit: 200)).clients
        #expect(!closed.isEmpty && !clients.isEmpty)
        let own = try ana.call(Records.ListClients(open: true, limit: 200)).clients
        #expect(own.contains { $0.unread > 0 } && own.contains { $0.late > 0 })
        #expect(try !vera.call(Records.ListDisposals()).disposals.isEmpty)
        #expect(try !vera.call(Practice.Audit()).entries.isEmpty)
        let staff = try vera.call(Practice.ListStaff(inactive: true)).people
        #expect(staff.filter { !$0.active }.map(\.name) == ["Ilse Brandt"])
        #expect(try !vera.call(Practice.ListServices()).services.isEmpty)
        for vocabulary in [Practice.ListTerms.Vocabulary.motives, .tools] {
            #expect(try !ana.call(Practice.ListTerms(vocabulary: vocabulary)).terms.isEmpty)
        }
        let feedback = try vera.call(Care.ListFeedback()).feedback
        #expect(feedback.contains { $0.client == nil } && feedback.contains { $0.client != nil })
        #expect(try !ana.call(Mail.ListFolders()).folders.isEmpty && !ana.call(Mail.List()).letters.isEmpty)
        #expect(try !ana.call(Mail.ListRecipients()).people.isEmpty)
        #expect(try !ana.call(Mail.ListBroadcasts()).broadcasts.isEmpty)
        #expect(try !ana.call(Chat.ListRooms()).rooms.isEmpty)
        #expect(try !ana.call(Chat.ListRooms(joinable: true)).rooms.isEmpty)
        #expect(try !ana.call(Programmes.ListProgrammes()).programmes.isEmpty)
        let enrolments = try own.flatMap {
            try ana.call(Programmes.ListEnrolments(client: $0.id, past: true)).enrolments
        }
        let enrolment = try #require(enrolments.first)
        #expect(try !ana.call(Programmes.ListLessons(enrolment: enrolment.id)).lessons.isEmpty)
        let surveys = try own.flatMap {
            try ana.call(Programmes.ListSurveys(client: $0.id, all: true)).surveys
        }
        #expect(!surveys.isEmpty)
    }

    @Test func `a practice that asks for a field of its own is filled, too`() throws {
        var settings = Clinic.settings
        settings.clientFields = [.sample("insurance", pattern: "[0-9]{8}[A-Z]", isRequired: true)]
        let clinic = try Clinic(settings)
        _ = try clinic.root.call(Upkeep.Fill())
        #expect(throws: Practice.Invalid.self) { try clinic.as("p3").call(Records.AddClient(name: "Cleo")) }
    }

    @Test func `records have every turn, sessions every state, and homework notes and moods`() throws {
        let clinic = try made()
        var (turns, states) = (Set<String>(), Set<String>())
        var (notes, moods, points) = (0, 0, 0)
        for row in try clinic.root.call(Records.ListClients(limit: 200)).clients {
            let therapist = clinic.as(row.thanatologist)
            for turn in try therapist.call(Records.ListTurns(client: row.id)).turns {
                turns.insert([turn.what.rawValue, turn.why?.rawValue].compactMap { $0 }.joined(separator: " "))
            }
            for session in try therapist.call(Records.ListSessions(client: row.id, limit: 200)).sessions {
                states.insert(session.voided == nil ? "counts" : "voided")
                if !session.addenda.isEmpty { states.insert("with an addendum") }
            }
            let homework = try therapist.call(Care.Homework(client: row.id))
            notes += homework.notes?.count ?? 0
            moods += homework.tasks.count { $0.mood != nil }
            points += homework.talkingPoints?.count ?? 0
        }
        #expect(turns == ["opened", "closed", "reopened mistake", "reopened return", "transferred"])
        #expect(states == ["counts", "voided", "with an addendum"])
        #expect(notes > 0 && moods > 0 && points > 0)
    }

    @Test func `every report has numbers`() throws {
        let clinic = try made()
        for kind in Reports.Kind.allCases {
            let report = try clinic.root.call(Reports.Get(kind: kind, period: .month, count: 36))
            #expect(report.series.contains { $0.total > 0 }, "\(kind)")
        }
    }

    @Test func `a daemon that is told to end while it fills the practice ends well`() throws {
        let folder = UnixTestSupport.Folder()
        for name in ["state", "run"] { mkdir(folder[name], 0o700) }
        let listening = try PracticeProcess.listeningSocket(folder["control"])
        defer { close(listening) }
        let daemon = try PracticeProcess(in: folder, listening: listening, ["--demo"])
        // The loop handles the signal from then on. Filling the practice takes longer.
        while !isBlocked(SIGTERM, by: daemon.process) { usleep(1_000) }
        #expect(daemon.end(SIGTERM) == 0)
    }

    private func isBlocked(_ signal: Int32, by process: pid_t) -> Bool {
        let status = text(of: "/proc/\(process)/status") ?? ""
        let mask = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last
        return mask.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << (UInt64(signal) - 1) != 0 } ?? false
    }
}
