import PracticeInterfaces
import Storage
import Testing

@testable import PracticeDaemon

@Suite struct `Broadcasts` {
    let mail: MailClinic
    init() throws { mail = try MailClinic() }

    private func announce(_ text: String, _ to: String, until: String? = nil, dismissable: Bool? = nil) throws -> String
    {
        try mail.clinic.as(mail.ada).call(
            Mail.Announce(text: text, to: to, until: until, dismissable: dismissable)
        ).broadcast.id
    }

    private func shown(_ person: String) throws -> [String] {
        try mail.clinic.as(person).call(Mail.ListBroadcasts()).broadcasts.map(\.text)
    }

    @Test func `a broadcast is shown to those whom it is for`() throws {
        _ = try announce("To all.", "everybody")
        _ = try announce("To clients.", "clients")
        _ = try announce("To staff.", "staff")
        #expect(try shown(mail.cleo) == ["To clients.", "To all."])
        for person in [mail.ana, mail.sofia, mail.ada] { #expect(try shown(person) == ["To staff.", "To all."]) }
    }

    @Test func `it is stored once, for however many people`() throws {
        func rows() throws -> [Int] {
            let database = try mail.clinic.look()
            return try ["broadcast", "copy", "letter", "news", "dismissal"].map {
                try database.number("SELECT count(*) FROM \($0)") ?? 0
            }
        }
        let before = try rows()
        _ = try announce("Closed on Monday.", "everybody")
        #expect(try zip(rows(), before).map { $0 - $1 } == [1, 0, 0, 0, 0])
    }

    @Test func `one that was dismissed is gone for that person, until it is edited`() throws {
        let id = try announce("Closed on Monday.", "everybody")
        let cleo = mail.clinic.as(mail.cleo)
        try cleo.call(Mail.Dismiss(broadcast: id))
        try cleo.call(Mail.Dismiss(broadcast: id))
        #expect(try shown(mail.cleo) == [])
        #expect(try cleo.call(Mail.ListBroadcasts(all: true)).broadcasts.map(\.dismissed) == [true])
        #expect(try shown(mail.dino) == ["Closed on Monday."])
        let edited = try mail.clinic.as(mail.ada).call(
            Mail.EditBroadcast(broadcast: id, revision: 1, text: "Closed on Tuesday.")
        ).broadcast
        #expect(
            edited
                == .init(
                    id: id, text: "Closed on Tuesday.", from: "2027-03-05T09:00:00+01:00", until: nil,
                    dismissable: true, level: .notice, to: "everybody", revision: 2, dismissed: false))
        #expect(try shown(mail.cleo) == ["Closed on Tuesday."])
        #expect(throws: Practice.Changed(revision: 2)) {
            try mail.clinic.as(mail.ada).call(Mail.EditBroadcast(broadcast: id, revision: 1, text: "x"))
        }
    }

    @Test func `one that cannot be dismissed stays until it is ended`() throws {
        let id = try announce("Read this.", "clients", dismissable: false)
        #expect(throws: Mail.NotDismissable(broadcast: id)) {
            try mail.clinic.as(mail.cleo).call(Mail.Dismiss(broadcast: id))
        }
        #expect(throws: Practice.NotFound(kind: "broadcast", id: id)) {
            try mail.clinic.as(mail.ana).call(Mail.Dismiss(broadcast: id))
        }
        try mail.clinic.as(mail.ada).call(Mail.EndBroadcast(broadcast: id))
        #expect(try shown(mail.cleo) == [])
    }

    @Test func `a last day counts as a whole, in the practice's zone`() throws {
        _ = try announce("Until Saturday.", "everybody", until: "2027-03-06")
        // 09:00 on Friday, plus 39 hours, less a second.
        mail.clinic.clock.advance(by: .seconds(39 * 3_600 - 1))
        #expect(try shown(mail.cleo) == ["Until Saturday."])
        mail.clinic.clock.advance(by: .seconds(1))
        #expect(try shown(mail.cleo) == [])
    }

    @Test func `one to come is shown to administrators alone, who ask for all`() throws {
        let ada = mail.clinic.as(mail.ada)
        try ada.call(Mail.Announce(text: "Spring.", to: "clients", from: "2027-03-20"))
        #expect(try shown(mail.cleo) == [])
        #expect(try mail.clinic.as(mail.cleo).call(Mail.ListBroadcasts(all: true)).broadcasts == [])
        #expect(try ada.call(Mail.ListBroadcasts(all: true)).broadcasts.map(\.text) == ["Spring."])
        mail.clinic.clock.advance(by: .seconds(15 * 86_400))
        #expect(try shown(mail.cleo) == ["Spring."])
    }

    @Test func `faults are told all at once`() throws {
        let call = Mail.Announce(text: " ", to: "all", until: "2027-03-04", level: "loud")
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "text", reason: "must not be empty."),
                .init(field: "to", reason: "must be one of everybody, clients, staff."),
                .init(field: "level", reason: "must be one of notice, important."),
                .init(field: "until", reason: "must be later than the beginning, and than now."),
            ])
        ) { try mail.clinic.as(mail.ada).call(call) }
    }
}
