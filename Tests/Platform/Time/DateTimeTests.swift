import TestSupport
import Testing
import Time

@Suite struct `A date-time` {
    @Test(arguments: [
        ("2027-03-05T09:00:00Z", "09:00"), ("2027-03-05t09:00:00z", "09:00"), ("2027-03-05T09:00:00.999Z", "09:00"),
        ("2027-03-05T09:00:00+00:00", "09:00"), ("2027-03-05T10:30:00+01:30", "09:00"),
        ("2027-03-05T08:30:00-00:30", "09:00"), ("2027-03-05T09:00:60Z", "09:01"),
        ("2027-03-06T08:59:00+23:59", "09:00"),
        // ISO 8601 beyond RFC 3339.
        ("2027-03-05T09:00Z", "09:00"), ("2027-03-05 09:00:00Z", "09:00"), ("2027-03-05T10:00+01", "09:00"),
        ("2027-03-05T10:00:00,5+0100", "09:00"),
    ])
    func `with an offset is an instant`(text: String, time: String) {
        #expect(DateTime(text)?.instant == VirtualClock.instant("2027-03-05", time))
    }

    @Test(arguments: ["2027-03-05T09:00:00", "2027-03-05 09:00"])
    func `without an offset is no instant`(text: String) throws {
        let read = try #require(DateTime(text))
        #expect(read.instant == nil)
        #expect(read.offset == nil)
        #expect(read.description == "2027-03-05T09:00:00")
    }

    @Test func `has the parts that the wall clock showed`() throws {
        let read = try #require(DateTime("2027-03-05T18:05:09.25-03:30"))
        #expect(read.day == "2027-03-05")
        #expect((read.time.hour, read.time.minute, read.second) == (18, 5, 9))
        #expect(read.offset == .seconds(-12_600))
    }

    @Test(arguments: [
        "", "2027-03-05", "2027-03-05T", "2027-03-05T18", "2027-03-05T24:00", "2027-03-05T18:60",
        "2027-03-05T18:30:61", "2027-03-05T18:30:", "2027-03-05T18:30:00.", "2027-03-05T8:30", "2027-03-05T18:30+",
        "2027-03-05T18:30+24:00", "2027-03-05T18:30+01:60", "2027-03-05T18:30+01:00x", "2027-03-05T18:30+01:",
        "2027-03-05T18:30ZZ", "2027-03-05T18:30Z ", "2027-03-05 ", "2027-03-05x", "2027-03-051",
        "2027-03-05\u{301}T18:30", "2027-02-29T09:00:00Z", "2027-03-05T-9:00:00Z", "2027-03-05T09.00.00Z",
        "2027-03-05T09:00:00\u{2212}01:00", "2027-03-05T09:00:00Z\r\n",
    ])
    func `is not read from any other text`(text: String) {
        #expect(DateTime(text) == nil)
    }

    @Test(arguments: [
        "2027-03-05T09:00:00+00:00", "2027-03-05T00:00:00-12:00", "1969-12-31T23:59:59+00:00",
        "2027-03-06T02:30:05+14:00", "2027-03-05T00:15:00-03:30",
    ])
    func `is read from its own description, and follows from its instant and offset`(text: String) throws {
        let read = try #require(DateTime(text))
        #expect(read.description == text)
        let instant = try #require(read.instant)
        let offset = try #require(read.offset)
        #expect(DateTime(instant, offset: offset) == read)
        #expect(DateTime(instant + .microseconds(999_999), offset: offset) == read)
    }
}

@Suite struct `A time of day` {
    @Test(arguments: [
        ("18:05", "18:05"), ("9:05", "09:05"), ("00:00", "00:00"), ("23:59", "23:59"), ("6pm", "18:00"),
        ("6:05 pm", "18:05"), ("12am", "00:00"), ("12pm", "12:00"), ("12:30am", "00:30"), ("9 am", "09:00"),
        ("6PM", "18:00"), ("11 PM", "23:00"), ("12 Am", "00:00"), ("noon", "12:00"), ("Noon", "12:00"),
    ])
    func `is read as people write it`(text: String, time: String) {
        #expect(TimeOfDay(text)?.description == time)
    }

    @Test(arguments: [
        "", "18", "24:00", "18:60", "018:00", "18:0", "18:000", ":30", "18:00:00", "noon pm", "13pm", "0am", "6p",
        "6pm ",
        " 6pm", "-6:00", "6:5pm", "٦pm",
    ])
    func `is not read from any other text`(text: String) {
        #expect(TimeOfDay(text) == nil)
    }

    @Test func `counts its minutes from midnight`() {
        #expect(TimeOfDay("18:05")?.minutes == 1_085)
        #expect(TimeOfDay(hour: 24, minute: 0) == nil)
        #expect(TimeOfDay(hour: 0, minute: 60) == nil)
        #expect(TimeOfDay(hour: -1, minute: 0) == nil)
    }
}
