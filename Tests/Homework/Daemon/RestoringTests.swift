import Glibc
import HomeworkHistory
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// A restore, whose file is checked beside the loop: the daemon goes on meanwhile.
@Suite struct RestoringTests {
    private let machine = Machine.withSample()
    /// The replies and errors of the calls in the order in which they came.
    private final class Answers { var texts: [String] = [] }
    private let answers = Answers()

    private func maintain(_ what: Maintenance) {
        machine.daemon.turn([
            Job(
                actor: Actor(user: 1_000), action: .maintain(what),
                deliver: { [answers] answer in
                    answers.texts.append(String(decoding: answer.frame.filter { $0 != 0 }, as: UTF8.self))
                })
        ])
    }

    /// Makes a copy of the present history, which is to be restored, and begins to restore it.
    private func begin() throws {
        let folder = machine.folder["backups"]
        must(mkdir(folder, 0o700))
        try #require(machine.history).backUp(to: "\(folder)/restore-1")
        maintain(.restore("restore-1"))
    }

    private func finish() throws {
        let preparation = try #require(machine.preparation)
        machine.preparation = nil
        preparation.then(Result { () throws(HistoryError) in try History.prepare(preparation.path) })
    }

    @Test func `while a file is checked, calls are answered, and what they record is kept aside`() throws {
        try begin()
        #expect(machine.look() == "sound")
        machine.ask(.start("1"))
        #expect(answers.texts == [] && machine.daemon.plan.flow != nil)
        let before = try #require(machine.history).eventCount
        try finish()
        let kept = try #require(answers.texts.first?.firstMatch(of: /"kept":"([^"]*)"/)?.1)
        #expect(machine.daemon.plan.flow == nil)
        #expect(try History.verify(at: String(kept)) == before)
    }

    @Test func `while a file is checked, midnight and its reminder come`() throws {
        try begin()
        machine.ring(after: .seconds(86_400))
        #expect(try machine.recorded.contains(.dayBegan("2027-03-06")))
        #expect(answers.texts == [])
        try finish()
        #expect(answers.texts.count == 1)
        // The restored history has not seen the new day.
        #expect(try machine.recorded.contains(.dayBegan("2027-03-06")))
    }

    @Test func `while a file is checked, a second restore, an erasure and the night's copy wait`() throws {
        try begin()
        for what in [Maintenance.restore("restore-2"), .erase("1"), .erase(nil)] { maintain(what) }
        let reason = #"{"reason":"A history is being restored: try again once it is in place"}}"#
        #expect(
            answers.texts == [
                #"{"error":"org.daybreak.Service.CannotRestore","parameters":\#(reason)"#,
                #"{"error":"org.daybreak.Service.CannotErase","parameters":\#(reason)"#,
                #"{"error":"org.daybreak.Service.CannotErase","parameters":\#(reason)"#,
            ])
        #expect(!machine.daemon.backUp())
        try finish()
        #expect(machine.daemon.backUp())
        maintain(.erase("1"))
        #expect(answers.texts.last == #"{"parameters":{}}"#)
    }

    @Test func `a file with a fault changes nothing, and the next can be restored`() throws {
        try begin()
        try #require(machine.preparation).then(.failure(.damaged(reason: "It is damaged")))
        #expect(
            answers.texts == [
                #"{"error":"org.daybreak.Service.CannotRestore","parameters":{"reason":"It is damaged"}}"#
            ])
        maintain(.restore("restore-1"))
        try finish()
        #expect(answers.texts.last?.hasPrefix(#"{"parameters":{"events":"#) == true, "\(answers.texts)")
    }

    /// It is not read again, because every client would wait meanwhile.
    @Test func `a restored history has the plan that its check gave`() throws {
        try begin()
        let plan = machine.daemon.plan
        machine.ask(.start("1"))
        try finish()
        #expect(machine.daemon.plan.flow == nil && machine.daemon.plan.agenda == plan.agenda)
        #expect(try machine.daemon.plan == #require(machine.history).plan())
    }

    @Test func `a share that was withdrawn stays withdrawn, and the answer says so`() throws {
        machine.ask(.link(practice: "practice@clinic", device: "d", shares: [.moods, .notes]))
        try begin()
        machine.ask(.setShares([.moods], isPracticeTold: false))
        try finish()
        let link = try #require(machine.daemon.plan.link)
        #expect(Set(link.shares.keys) == [.moods] && !link.isPracticeTold)
        #expect(try machine.daemon.plan == #require(machine.history).plan())
        let said = "The link with practice@clinic is as before the restore: it shares moods."
        #expect(answers.texts.last?.contains(#""link":"\#(said)""#) == true, "\(answers.texts)")
    }

    @Test func `a link that was ended stays ended, and the answer says so`() throws {
        machine.ask(.link(practice: "practice@clinic", device: "d", shares: [.moods]))
        try begin()
        machine.ask(.unlink)
        try finish()
        #expect(machine.daemon.plan.link == nil)
        let said =
            "The file was linked with practice@clinic. Before the restore there was no link, so there is none: nothing is "
            + "shared."
        #expect(answers.texts.last?.contains(#""link":"\#(said)""#) == true, "\(answers.texts)")
    }
}
