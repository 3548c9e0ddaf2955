import TestSupport
import Testing

@testable import HomeworkRules
@testable import Time

@Suite struct `The progress of assignments` {
    /// More assignments than fit into the dictionary of the latest changes.
    private let many = (1...200).map { AssignmentID(due: "2027-03-05", ordinal: $0) }

    @Test func `is found whether it was changed lately or long ago`() {
        var book = ProgressBook()
        for (number, id) in many.enumerated() { book[of: id].breathsDone = number }
        for (number, id) in many.enumerated() { book[of: id].notes += number }
        #expect(many.map { book[$0]?.breathsDone } == Array(0..<200))
        #expect(many.map { book[$0]?.notes } == Array(0..<200))
        #expect(book["elsewhere"] == nil)
    }

    @Test func `is equal whatever the order of its changes`() {
        var forwards = ProgressBook()
        var backwards = ProgressBook()
        for id in many { forwards[of: id].notes = 1 }
        for id in many.reversed() { backwards[of: id].notes = 1 }
        #expect(forwards == backwards)
        backwards[of: many[0]].notes = 2
        #expect(forwards != backwards)
    }

    @Test func `forgets every unlocking after the day to which a day is taken back`() {
        var book = ProgressBook()
        for id in many { book[of: id].unlockedOn = "2027-03-05" }
        book.forgetUnlocked(after: "2027-03-05")
        #expect(many.allSatisfy { book[$0]?.unlockedOn == "2027-03-05" })
        book.forgetUnlocked(after: "2027-03-04")
        #expect(many.allSatisfy { book[$0] != nil && book[$0]?.unlockedOn == nil })
    }
}

@Suite struct `A tally of days` {
    @Test func `counts the days before a day, whatever their order`() {
        var tally = DayTally()
        for day: CalendarDay in ["2027-03-05", "2027-03-01", "2027-03-05", "2027-04-01"] { tally.insert(day) }
        #expect(tally.count == 4)
        let days: [CalendarDay] = ["2027-03-01", "2027-03-02", "2027-03-05", "2027-03-06", "2027-04-02"]
        #expect(days.map(tally.count(before:)) == [0, 1, 1, 3, 4])
    }
}
