import PostgreSQL
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Storage
import Testing
import Varlink
import VarlinkService

@testable import PracticeDaemon

@Suite(.ofServer) struct `A server that is waited for in vain` {
    private let server = TestServer.shared!

    private func jobs(_ count: Int) throws -> [Job] {
        try (0..<count).map { number in
            let call = Practice.AddStaff(name: "Sol \(number)", role: "support")
            return Job(
                number: number, call: try Call(frame: Array(Call.frame(call).dropLast())),
                caller: Caller(user: 0, account: "root", rights: []))
        }
    }

    /// The names of the errors with which the calls were refused; empty for one that was carried out.
    private func errors(_ outcomes: [Outcome]) throws -> [String] {
        try outcomes.map { try Reply(frame: Array($0.frame.dropLast())).error ?? "" }
    }

    /// Another program that keeps all writers waiting until it ends.
    private func holder(_ clinic: Clinic) throws -> PostgreSQL {
        let holder = try PostgreSQL(server.address(of: clinic.place, as: nil), .writing, program: "test")
        try holder.execute("SELECT pg_advisory_lock(\(0x5052_4143), hashtext(current_schema()))")
        return holder
    }

    @Test func `nobody waits for it twice: the calls of a turn, and those that came meanwhile, are refused together`()
        throws
    {
        let clinic = try Clinic()
        let waiting = try jobs(3)
        let meanwhile = try jobs(1)
        var holder: PostgreSQL? = try holder(clinic)
        let refused = Practice.StorageUnavailable.name
        var outcomes: [Outcome] = []
        let tried = try clinic.statements { outcomes = clinic.writer.carryOut(waiting) }
        #expect(try errors(outcomes) == [refused, refused, refused])
        #expect(tried.count { $0.contains("pg_advisory_xact_lock") } == 1)
        withExtendedLifetime(holder) {}
        holder = nil
        #expect(try clinic.statements { outcomes = clinic.writer.carryOut(meanwhile) } == [])
        #expect(try errors(outcomes) == [refused])
        #expect(try errors(clinic.writer.carryOut(jobs(1))) == [""])
    }

    @Test func `the status waits for it once, however many ask`() throws {
        let clinic = try Clinic()
        let call = try Call(frame: Array(Call.frame(Upkeep.Status()).dropLast()))
        let asked = (1...2).map { Job(number: $0, call: call, caller: Caller(user: 0, account: "root", rights: [])) }
        // It outlasts the patience of the status.
        let holder = try PostgreSQL(
            server.address(of: clinic.place, as: nil), .writing, program: "test", patience: .seconds(600))
        try holder.execute("BEGIN; LOCK TABLE person IN ACCESS EXCLUSIVE MODE")
        var outcomes: [Outcome] = []
        let tried = try clinic.statements { outcomes = clinic.writer.carryOut(asked) }
        withExtendedLifetime(holder) {}
        #expect(tried.count { $0.contains("FROM person") } == 1)
        #expect(tried.count { $0.contains("pg_database_size") } == 0)
        let problems = try outcomes.map {
            try Reply(frame: Array($0.frame.dropLast())).decode(Upkeep.Status.Reply.self).health.storageProblem
        }
        #expect(problems[0] != nil && problems[0] == problems[1])
    }

    @Test func `of what the daemon does for itself, the first alone waits for it, and the calls behind it do not`()
        throws
    {
        let clinic = try Clinic()
        let person = ID<Person>(try clinic.staff("Ana", .support))
        let notices = [Notice(.read, person)]
        let orders: [Order] = try [
            .beat, .noteSeen([person], at: Clinic.morning), .tell(notices), .beat, .carryOut(jobs(1)[0]), .leave,
        ]
        let holder = try holder(clinic)
        var answers: [Answer] = []
        let tried = try clinic.statements { answers = clinic.writer.follow(orders) }
        withExtendedLifetime(holder) {}
        #expect(tried.count { $0.contains("pg_advisory_xact_lock") } == 1)
        #expect(try errors(answers.compactMap(\.outcome)) == [Practice.StorageUnavailable.name])
        // The daemon beats again, and tells anew who is there.
        #expect(answers.count { if case .unknown = $0 { true } else { false } } == 3)
        #expect(answers.count { if case .beaten = $0 { true } else { false } } == 2)
    }
}
