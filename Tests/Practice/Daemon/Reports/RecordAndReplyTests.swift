import PracticeInterfaces
import StaffInterfaces
import Testing
import Varlink

@testable import PracticeDaemon

@Suite struct `Reports of records and replies` {
    @Test func `records are counted by their turns, and a closing by mistake is none`() throws {
        let place = try ReportClinic()
        let root = place.clinic.root
        let (cleo, dora) = (try place.client("Cleo", of: place.ana), try place.client("Dora", of: place.ana))
        let ana = place.clinic.as(place.ana)
        for client in [cleo, dora] {
            try ana.call(Records.CloseRecord(client: client, reason: "Well.", on: "2027-02-01"))
        }
        try ana.call(Records.ReopenRecord(client: cleo, why: .mistake, reason: "Wrong."))
        try ana.call(Records.ReopenRecord(client: dora, why: .return, reason: "Came back."))
        let months = Reports.Get(kind: .records, period: .month, count: 3)
        #expect(
            try place.lines(months) == [
                "Opened: 0.0 0.0 0.0 | 0.0", "Closed: 0.0 1.0 0.0 | 1.0", "Reopened: 0.0 0.0 1.0 | 1.0",
                "Episodes: 2.0 2.0 2.0 | 3.0",
            ])
        try root.call(Records.Transfer(client: cleo, to: place.ben, reason: "Leave."))
        var ofBen = months
        ofBen.thanatologist = place.ben
        #expect(try place.lines(ofBen)[3] == "Episodes: 0.0 0.0 1.0 | 1.0")
    }

    @Test func `the first answer ends a wait, and of several letters without one the first counts`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        let (client, ana) = (place.clinic.as(cleo), place.clinic.as(place.ana))
        let clock = place.clinic.clock
        try client.call(Mail.Send(to: [place.ana], subject: "Friday", body: "At ten?"))
        clock.advance(by: .seconds(3_600))
        let asked = try client.call(Mail.List(folder: "sent")).letters[0].id
        try client.call(Mail.Send(to: [place.ana], subject: "Friday", body: "Or at eleven?", replyTo: asked))
        clock.advance(by: .seconds(3_600))
        let got = try ana.call(Mail.List(folder: "inbox")).letters[0].id
        try ana.call(Mail.Send(to: [cleo], subject: "Re: Friday", body: "At ten.", replyTo: got))
        clock.advance(by: .seconds(3_600))
        let answer = try client.call(Mail.List(folder: "inbox")).letters[0].id
        try client.call(Mail.Send(to: [place.ana], subject: "Re: Friday", body: "Thank you.", replyTo: answer))
        // Another conversation: an answer there is none here.
        try ana.call(Mail.Send(to: [cleo], subject: "Monday", body: "I am away."))
        #expect(
            try place.lines(.init(kind: .replies, period: .week, count: 2)) == [
                "Median: - 2.0 | 2.0", "90th percentile: - 2.0 | 2.0", "Waiting: 0.0 1.0 | 1.0",
            ])
        let reply = try place.clinic.root.call(Reports.Get(kind: .replies, period: .week, count: 1))
        #expect(
            reply.series == [
                .init(name: "Median", values: [2], total: 2), .init(name: "90th percentile", values: [2], total: 2),
                .init(name: "Waiting", values: [1], total: 1, unit: "conversations"),
            ])
        #expect(reply.unit == "hours")
    }

    @Test func `an answer ends the wait of its letter, also after the clock was set back between the two`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        let (client, ana) = (place.clinic.as(cleo), place.clinic.as(place.ana))
        func newest(_ person: Clinic.TestCaller) throws -> String {
            try person.call(Mail.List(folder: "inbox")).letters[0].id
        }
        try client.call(Mail.Send(to: [place.ana], subject: "Friday", body: "At ten?"))
        place.clinic.clock.advance(by: .seconds(-1_800))
        try ana.call(Mail.Send(to: [cleo], subject: "Re: Friday", body: "Yes.", replyTo: newest(ana)))
        let replies = Reports.Get(kind: .replies, period: .week, count: 1)
        func expect(waiting: String) throws {
            #expect(
                try place.lines(replies) == [
                    "Median: 0.0 | 0.0", "90th percentile: 0.0 | 0.0", "Waiting: \(waiting) | \(waiting)",
                ])
        }
        try expect(waiting: "0.0")
        // The next letter of the conversation begins another wait.
        place.clinic.clock.advance(by: .seconds(3_600))
        try client.call(Mail.Send(to: [place.ana], subject: "Re: Friday", body: "So be it.", replyTo: newest(client)))
        try expect(waiting: "1.0")
    }

    @Test func `messages of a client wait for an answer in their room, also deleted ones`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        let (client, ana) = (place.clinic.as(cleo), place.clinic.as(place.ana))
        let room = try ana.call(Chat.OpenDirect(person: cleo)).room.id
        try ana.call(Chat.Send(room: room, text: "Good morning."))
        let asked = try client.call(Chat.Send(room: room, text: "At ten?")).message.id
        try client.call(Chat.DeleteMessage(message: asked))
        place.clinic.clock.advance(by: .seconds(5_400))
        try client.call(Chat.Send(room: room, text: "Hello?"))
        try ana.call(Chat.Send(room: room, text: "Yes."))
        // In a room of many, nobody is asked.
        let garden = try ana.call(Chat.CreateRoom(name: "Garden", open: true)).room.id
        try client.call(Chat.JoinRoom(room: garden))
        try client.call(Chat.Send(room: garden, text: "Anybody?"))
        #expect(
            try place.lines(.init(kind: .replies, period: .week, count: 1)) == [
                "Median: 1.5 | 1.5", "90th percentile: 1.5 | 1.5", "Waiting: 0.0 | 0.0",
            ])
    }

    @Test func `a letter to two is one wait, which either of them ends`() throws {
        let place = try ReportClinic()
        let cleo = try place.client("Cleo", of: place.ana)
        try place.clinic.as(cleo).call(
            Mail.Send(to: [place.ana, place.sofia], subject: "Friday", body: "At ten?"))
        let sofia = place.clinic.as(place.sofia)
        let got = try sofia.call(Mail.List(folder: "inbox")).letters[0].id
        place.clinic.clock.advance(by: .seconds(1_800))
        try sofia.call(Mail.Send(to: [cleo], subject: "Re: Friday", body: "Yes.", replyTo: got))
        for thanatologist in [nil, place.ana] {
            #expect(
                try place.lines(.init(kind: .replies, period: .week, count: 1, thanatologist: thanatologist)) == [
                    "Median: 0.5 | 0.5", "90th percentile: 0.5 | 0.5", "Waiting: 0.0 | 0.0",
                ])
        }
        #expect(
            try place.lines(.init(kind: .replies, period: .week, count: 1, thanatologist: place.ben))[2]
                == "Waiting: 0.0 | 0.0")
    }

    @Test func `a shared report suppresses small numbers, and says so`() throws {
        let place = try ReportClinic()
        let clients = try (1...12).map { try place.client("Client \($0)", of: place.ana) }
        for client in clients { try place.session(client, by: place.ana, on: "2027-02-01") }
        let dora = try place.client("Dora", of: place.ben)
        try place.session(dora, by: place.ben, on: "2027-02-01")
        let report = Reports.Get(kind: .attended, period: .month, until: "2027-02", count: 2, share: true)
        // 13 minus Ana's 12 would tell Ben's.
        #expect(try place.lines(report) == ["Clients: 0.0 * | *"])
        #expect(
            try place.lines(.init(kind: .caseload, period: .month, until: "2027-02", count: 2, share: true)) == [
                "Ana: 0.0 12.0 | 12.0", "Ben: 0.0 * | *",
            ])
        let reply = try place.clinic.root.call(report)
        #expect(
            reply.series == [.init(name: "Clients", values: [0, 0], total: 0, suppressed: [1], totalSuppressed: true)])
        #expect(
            reply.definition == """
                Clients with at least one session in the period. They are people: a client with ten sessions counts once in \
                each period, and once in the total, which is therefore not the sum. A session counts on its day, and not at \
                all once it was voided. Numbers from 1 to 10 are not shown, nor are those from which they could be computed.
                """)
        #expect(try place.lines(report, as: place.clinic.as(place.ana)) == ["Clients: 0.0 12.0 | 12.0"])
    }

    @Test func `a shared report tells no small number of those who are no thanatologists`() throws {
        let place = try ReportClinic()
        let dan = try place.clinic.staff("Dan", .thanatologist)
        let clients = try (1...12).map { try place.client("Client \($0)", of: place.ana, since: "2027-03-01") }
        for number in 1...3 {
            let client = try place.client("Of Dan \(number)", of: dan, since: "2027-03-01")
            try place.clinic.root.call(Records.Transfer(client: client, to: place.ana, reason: "He answers the phone."))
        }
        try place.clinic.root.call(Practice.EditStaff(person: dan, revision: 1, role: "support"))
        for (number, client) in clients.enumerated() {
            let to = number < 3 ? [place.ana, place.sofia] : [place.ana]
            for person in to {
                try place.clinic.as(client).call(Mail.Send(to: [person], subject: "Friday", body: "At ten?"))
            }
        }
        place.clinic.clock.advance(by: .seconds(31 * 86_400))
        var (records, replies) = (
            Reports.Get(kind: .records, period: .month, count: 1, share: true),
            Reports.Get(kind: .replies, period: .month, count: 1, share: true)
        )
        // 15 minus Ana's 12 would tell the other 3.
        #expect(try place.lines(records)[0] == "Opened: * | *")
        #expect(try place.lines(replies)[2] == "Waiting: * | *")
        (records.thanatologist, replies.thanatologist) = (place.ana, place.ana)
        #expect(try place.lines(records)[0] == "Opened: 12.0 | 12.0")
        #expect(try place.lines(replies)[2] == "Waiting: 12.0 | 12.0")
    }

    /// Numbers of two kinds of periods, or of one that goes on, could be subtracted.
    @Test func `a shared report is of months that are over`() throws {
        let root = try ReportClinic().clinic.root
        let shared = try root.call(Reports.Get(kind: .attended, period: .month, count: 1, share: true))
        #expect(shared.periods == ["2027-02"] && shared.running == nil)
        #expect(try root.call(Reports.Get(kind: .attended, period: .month, count: 1)).periods == ["2027-03"])
        let running = Reports.Get(kind: .attended, period: .month, until: "2027-03", share: true)
        #expect(throws: Practice.Invalid("until", "must be over: the last one is 2027-02.")) { try root.call(running) }
        for period in [Reports.Get.Period.week, .year] {
            #expect(throws: Practice.Invalid("period", "must be month, as all that is shared.")) {
                try root.call(Reports.Get(kind: .attended, period: period, share: true))
            }
        }
    }
}
