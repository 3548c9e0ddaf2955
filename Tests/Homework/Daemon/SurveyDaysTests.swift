import DaybreakInterfaces
import Glibc
import TestSupport
import Testing
import Time
import UnixTestSupport
import Varlink

@testable import HomeworkDaemon

/// The days of the practice's surveys, over the wire of a client's own daemon.
@Suite final class `The days of surveys` {
    private let machine = Machine()
    private var station: ControlServerFixture?

    init() throws {
        station = try ControlServerFixture(machine)
        _ = try reply(Link.Begin(practice: "practice@clinic", shares: []))
    }

    /// The daemon is started again, with the history that it wrote.
    private func restart() throws {
        station = nil
        unlink(machine.folder["control"])
        machine.restart()
        station = try ControlServerFixture(machine)
    }

    private func reply<M: Method>(_ method: M) throws -> M.Reply {
        let frame = String(decoding: Call.frame(method).dropLast(), as: UTF8.self)
        return try Reply(frame: Array(#require(try station?.ask(frame)).utf8)).decode(M.Reply.self)
    }

    private func tell(_ surveys: [Link.SurveyDays]?, due: Int = 0) throws {
        _ = try reply(
            Link.TakeNews(
                available: false, talkingPoints: [],
                news: Link.News(unreadMail: 0, urgentMail: 0, unreadChat: 0, surveysDue: due, broadcasts: 0),
                surveys: surveys))
    }

    private static let short = Link.SurveyDays(
        id: "v1", opens: "2027-03-05T00:10:00Z", closes: "2027-03-05T00:30:00+00:00")

    private var words: [String] {
        get throws {
            try reply(Homework.Reminders()).reminders.filter { $0.kind == .survey }.map(\.message)
        }
    }

    private var given: Int {
        get throws {
            try machine.history?.events().count {
                "\($0.what)".hasPrefix("reminded") && "\($0.what)".contains("/survey/")
            } ?? 0
        }
    }

    @Test func `the daemon wakes for them, reminds twice, and tells until when a survey is open`() throws {
        try tell([Self.short])
        #expect(try reply(Link.Announcements()) == .init())
        #expect(try reply(Homework.GetStatus()).status.news == nil)
        machine.ring(after: .seconds(600))
        #expect(try words == ["A survey of your practice is due."])
        #expect(
            try reply(Link.Announcements())
                == .init(surveys: [
                    .init(id: "v1", opens: "2027-03-05T00:10:00+00:00", closes: "2027-03-05T00:30:00+00:00")
                ]))
        #expect(try reply(Homework.GetStatus()).status.news?.surveysDue == 1)
        machine.ring(after: .seconds(600))
        let both = ["A survey of your practice is due.", "A survey of your practice is due, and closes soon."]
        #expect(try words == both)
        machine.ring(after: .seconds(600))
        #expect(try reply(Homework.GetStatus()).status.news == nil)
        #expect(try reply(Link.Announcements()) == .init())
        #expect(try given == 2)
    }

    @Test func `a restart of the daemon forgets the days, and reminds of nothing twice`() throws {
        try tell([Self.short])
        machine.ring(after: .seconds(600))
        #expect(try given == 1)
        try restart()
        #expect(try reply(Link.Announcements()) == .init())
        try tell([Self.short], due: 1)
        #expect(try reply(Link.Announcements()).surveys?.count == 1)
        #expect(try given == 1)
        machine.ring(after: .seconds(600))
        #expect(try given == 2)
        try restart()
        try tell([Self.short], due: 1)
        #expect(try given == 2)
    }

    @Test func `the days are in memory alone, and days that are none are left out`() throws {
        let none = [
            Link.SurveyDays(id: "", opens: "2027-03-05T00:00:00Z", closes: "2027-03-06T00:00:00Z"),
            .init(id: "v 2", opens: "2027-03-05T00:00:00Z", closes: "2027-03-06T00:00:00Z"),
            .init(id: "v3", opens: "soon", closes: "2027-03-06T00:00:00Z"),
            .init(id: "v4", opens: "2027-03-05T00:00:00Z", closes: "2027-03-05T00:00:00Z"),
        ]
        let many = (10...40).map {
            Link.SurveyDays(id: "v\($0)", opens: "2027-03-05T00:00:00Z", closes: "2027-03-06T00:00:00Z")
        }
        try tell(none + many)
        #expect(try reply(Link.Announcements()).surveys?.count == 16)
        let kept = try machine.history?.events().map { "\($0.what)" }.joined() ?? ""
        #expect(!kept.contains("closes: "))
        _ = try reply(Link.End())
        #expect(try reply(Link.Announcements()) == .init())
    }

    @Test func `a practice that tells no days is believed with its count`() throws {
        try tell(nil, due: 2)
        #expect(try words == ["2 surveys of your practice are due."])
    }
}
