import DaybreakInterfaces
import HomeworkRules
import TestSupport
import Testing
import Time
import Varlink

@testable import HomeworkDaemon

@Suite struct RefusalErrorsTests {
    private typealias Interface = Homework

    private func expect<E: ErrorReply>(_ refusal: Refusal, is expected: E) {
        #expect(refusal.errorReply(.fixed) as? E == expected)
    }

    @Test func `a refused start names the obstacle and its end`() {
        let day: CalendarDay = "2027-03-06"
        expect(
            .locked("1", until: day), is: Interface.Locked(assignment: "1", unlocksAt: "2027-03-06T00:00:00+01:00")
        )
        expect(
            .notEligible("1", eligible: "2", reason: .missed(after: day)),
            is: Interface.NotEligible(
                assignment: "1", eligible: "2", reason: "Its days were over after Saturday 6 March 2027.",
                cause: Homework.Cause(kind: .missed, day: "2027-03-06")))
        expect(
            .notEligible("1", eligible: nil, reason: .inProgress(.mood)),
            is: Interface.NotEligible(
                assignment: "1", reason: "It is in progress: only its mood is missing.",
                cause: Homework.Cause(kind: .inProgress, stage: .mood)))
        expect(.nothingEligible(next: day), is: Interface.NothingEligible(nextUnlock: "2027-03-06T00:00:00+01:00"))
        expect(.nothingEligible(next: nil), is: Interface.NothingEligible())
        expect(
            .alreadyCompleted("1", on: day),
            is: Interface.AlreadyCompleted(assignment: "1", completedOn: "2027-03-06"))
        expect(.noSuchAssignment("1"), is: Interface.NoSuchAssignment(assignment: "1"))
    }

    @Test func `a refused step names the steps that are possible`() {
        expect(.noFlow, is: Interface.NoFlow())
        expect(
            .wrongStage(.session, allowed: [.exercise, .waiting]),
            is: Interface.WrongStage(stage: "session", allowed: ["exercise", "waiting"]))
        expect(.notGuided, is: Interface.NotGuided())
        expect(.providerUnavailable, is: Interface.ProviderUnavailable())
        expect(.moodNotOffered([Mood("calm"), Mood("tired")]), is: Interface.MoodNotOffered(moods: ["calm", "tired"]))
        expect(.notCompleted("1"), is: Interface.NotCompleted(assignment: "1"))
        expect(.notCompleted(nil), is: Interface.NotCompleted())
        expect(.moodAlreadyLogged, is: Interface.MoodAlreadyLogged())
        expect(.patternStands(.box), is: Interface.PatternStands(pattern: "4-4-4-4"))
    }

    @Test func `a refusal about the link names the present link`() {
        expect(.notLinked, is: Link.NotLinked())
        expect(.linkedAlready("practice@clinic"), is: Link.LinkedAlready(practice: "practice@clinic"))
        expect(.otherDevice("d"), is: Link.OtherDevice(device: "d"))
        expect(.historyReplaced, is: Link.HistoryReplaced())
        expect(.practiceSaysTooMuch, is: Link.TooMuchToday())
    }

    @Test(arguments: [
        (NoteFault.empty, "The note is empty."),
        (.tooLong, "A note has at most 4096 bytes, a long page; write two."),
        (.controlCharacter, "The note has a control character in it, which a terminal would obey."),
        (.tooMany, "There are 100 notes with it already, which is the limit."),
    ])
    func `a refused note has a reason that does not repeat the note`(fault: NoteFault, reason: String) {
        expect(.cannotAddNote(fault), is: Interface.CannotAddNote(reason: reason))
    }

    @Test(arguments: [
        (Refusal.SnoozeFault.inThePast, "That time has passed already."),
        (.beyondTheDay, "A snooze ends with the day at the latest."),
        (.nothingOpen, "Nothing is open, so there is nothing to be reminded of."),
    ])
    func `a refused snooze has a reason`(fault: Refusal.SnoozeFault, reason: String) {
        expect(.cannotSnooze(fault), is: Interface.CannotSnooze(reason: reason))
    }
}
