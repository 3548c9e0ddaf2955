import ScheduleFormat
import TestSupport
import Testing
import Time

@Suite struct DueDateTests {
    @Test(arguments: [
        "2027-03-05", "2027-03-05T18:30", "2027-03-05t18:30Z", "2027-03-05 18:30:00", "2027-03-05T00:00:00z",
        "2027-03-05T23:59:60.123456789+01:00", "2027-03-05T23:59:59,5-11:30", "2027-03-05T18:30+01",
        "2027-03-05T18:30+0100", "2027-03-05T18:30:00-00:00", "2027-03-05T23:59+23:59",
    ])
    func `a date is read, and a date-time is read without its time`(text: String) {
        #expect(DueDate.day(in: text) == "2027-03-05")
    }

    @Test(arguments: [
        "", "2027-3-5", "2027/03/05", "20270305", "27-03-05", "2027-W09-5", "+2027-03-05", " 2027-03-05", "today",
        "2027-03-0", "٢٠٢٧-٠٣-٠٥",
    ])
    func `a text that is not a date is refused with an example`(text: String) {
        #expect(DueDate.day(in: text) == nil)
        #expect(DueDate.fault(in: text) == "The due date is an ISO 8601 date such as \"2027-03-05\".")
    }

    @Test(arguments: ["2027-02-29", "2027-02-30", "2027-00-10", "2027-13-01", "2027-01-32", "2027-01-00", "0000-01-01"])
    func `a date that the calendar does not have is refused by name`(date: String) {
        for text in [date, "\(date)T18:30"] {
            #expect(DueDate.day(in: text) == nil)
            #expect(DueDate.fault(in: text) == "The calendar has no day \(date).")
        }
    }

    @Test(arguments: [
        "2027-03-05T", "2027-03-05T18", "2027-03-05T24:00", "2027-03-05T18:60", "2027-03-05T18:30:61",
        "2027-03-05T18:30:", "2027-03-05T18:30:00.", "2027-03-05T8:30", "2027-03-05T18:30+", "2027-03-05T18:30+24:00",
        "2027-03-05T18:30+01:60", "2027-03-05T18:30+01:00x", "2027-03-05T18:30+01:", "2027-03-05T18:30ZZ",
        "2027-03-05T18:30Z ", "2027-03-05 ",
        "2027-03-05x", "2027-03-051", "2027-03-05\u{301}", "2027-03-05\r\n",
    ])
    func `only a time may follow the date`(text: String) {
        #expect(DueDate.day(in: text) == nil)
        #expect(
            DueDate.fault(in: text) == "After the due date comes something that is not a time such as T18:30:00+01:00.")
    }
}
