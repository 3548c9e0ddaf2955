import DaybreakInterfaces
import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkDaemon

@Suite struct SentencesTests {
    @Test(arguments: [
        (Standing.locked(.untilItsDay("2027-03-05")), "It unlocks when Friday 5 March 2027 begins."),
        (
            .locked(.afterAnother("weekly", on: "2027-03-05")),
            "It unlocks on Friday 5 March 2027, after the other one of that day."
        ),
        (
            .locked(.behind("weekly", through: "2027-03-12")),
            "Task weekly comes first; this one can be done through Friday 12 March 2027."
        ),
        (
            .eligible(late: false, through: "2027-03-07"),
            "It is today's task; it can be done through Sunday 7 March 2027."
        ),
        (
            .eligible(late: true, through: "2028-02-29"),
            "Its day is over; it can still be done through Tuesday 29 February 2028."
        ),
        (.inProgress(.exercise), "It is in progress: the breathing comes next."),
        (.inProgress(.waiting), "It is in progress: in the wait room."),
        (.inProgress(.session), "It is in progress: in the session."),
        (.inProgress(.mood), "It is in progress: only its mood is missing."),
        (
            .completed(on: "2027-12-31", mood: Mood("hopeful")),
            "It was completed on Friday 31 December 2027."
        ),
        (.missed(after: "2027-01-02"), "Its days were over after Saturday 2 January 2027."),
    ])
    func `every standing has its sentence`(standing: Standing, sentence: String) {
        #expect(standing.sentence == sentence)
    }

    @Test(arguments: [
        (Reminder.Kind.unlocked, 1, "A task is open. `daybreak start` begins it."),
        (.stillOpen, 1, "Your task is still open. `daybreak start` begins it, or goes on."),
        (
            .overdue, 1,
            "A task of an earlier day can still be done. `daybreak start` begins it, or goes on; `daybreak` says until when."
        ),
        (.providerAvailable, 1, "Your provider is available. `daybreak start` leads to the session."),
        (.completed, 1, "The task is completed."),
        (.missed, 1, "A task can no longer be done: its days are over. `daybreak list --missed` shows which."),
        (.missed, 3, "3 tasks can no longer be done: their days are over. `daybreak list --missed` shows which."),
        (.scheduleTaken, 1, "The schedule was taken in; it has 1 entry."),
        (.scheduleTaken, 0, "The schedule was taken in; it has 0 entries."),
        (.scheduleTaken, 12, "The schedule was taken in; it has 12 entries."),
        (
            .scheduleRefused, 1,
            "The schedule file was refused: nothing of it was taken in. `daybreak doctor` says where and why."
        ),
        (.mail, 1, "A letter of your practice is unread."), (.mail, 2, "2 letters of your practice are unread."),
        (.chat, 1, "A message of your practice is unread."), (.chat, 2, "2 messages of your practice are unread."),
        (.survey, 1, "A survey of your practice is due."), (.survey, 2, "2 surveys of your practice are due."),
        (.broadcast, 1, "Your practice has an announcement."), (.broadcast, 3, "Your practice has 3 announcements."),
    ])
    func `a reminder's text depends on its kind and count, and on whether it is the last`(
        kind: Reminder.Kind, count: Int, sentence: String
    ) {
        let bare = Reminder(id: "r", kind: kind, count: count)
        let full = Reminder(
            id: "2027-03-05/a", kind: kind, assignment: "hopeful", due: "2027-03-05", count: count)
        #expect(bare.sentence == sentence)
        #expect(full.sentence == sentence)
        let last = Reminder(id: "2027-03-05/\(kind.rawValue)/closes:v1", kind: kind, count: count)
        #expect(last.isLastWord == (kind == .survey) && (last.sentence == sentence) == (kind != .survey))
    }

    @Test func `the interface spells reminder kinds as the rules do`() {
        let spelled = Reminder.Kind.allCases.map { Homework.ReminderKind($0).rawValue }
        #expect(spelled == Reminder.Kind.allCases.map(\.rawValue))
        #expect(spelled == Homework.ReminderKind.allCases.map(\.rawValue))
    }

    @Test(arguments: Reminder.Kind.allCases)
    func `no reminder's text has characters of a notification service's markup`(kind: Reminder.Kind) {
        for count in [1, 2] {
            let sentence = Reminder(id: "", kind: kind, count: count).sentence
            #expect(!sentence.contains { "<>&".contains($0) }, "\(sentence)")
        }
    }
}
