import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import TestSupport
import Time
import Varlink

@testable import PracticeDaemon

/// Years of a practice at random: people come, are seen, write, are transferred, leave, come back and are erased.
final class RandomYears {
    private struct Client {
        let id: String
        let number: Int
        var thanatologist: String
        var isOpen = true
        var room: String?
        var sessions: [String] = []
    }

    private(set) var clinic: Clinic
    let thanatologists: [String]
    let zone: Zone
    let support: String
    private let services: [String]
    private let motives: [String]
    private let tools: [String]
    private var clients: [Client] = []
    private var added = 0
    var dice: SplitMix64

    init(seed: UInt64, zone: Zone) throws {
        var settings = Clinic.settings
        settings.zone = zone
        self.zone = zone
        dice = SplitMix64(seed: seed)
        let clinic = try Clinic(settings)
        thanatologists = try ["Ana", "Ben", "Cora"].map { try clinic.staff($0, .thanatologist) }
        support = try clinic.staff("Sofia", .support)
        services = try ["Talk", "Walk", "Circle"].map { try clinic.service($0) }
        motives = try ["Child", "Parent", "Partner", "Pet"].map { try clinic.term("motives", $0) }
        tools = try ["Box", "Letter", "Photograph"].map { try clinic.term("tools", $0) }
        self.clinic = clinic
    }

    var today: CalendarDay { zone.day(at: clinic.clock.now) }

    /// From now on fees are in another currency.
    func change(currency: String) throws {
        var settings = Clinic.settings
        (settings.currency, settings.zone) = (currency, zone)
        let before = clinic
        clinic = try Clinic(settings, copyOf: before)
        clinic.clock.advance(by: .seconds(Double(before.clock.now.microseconds - Clinic.morning.microseconds) / 1e6))
    }

    func live(steps: Int) throws {
        for _ in 0..<steps {
            clinic.clock.advance(by: .seconds(Int.random(in: 0...200_000, using: &dice)))
            do { try step() } catch is any ErrorReply {
                // A refused step does not happen.
            }
        }
    }

    private func step() throws {
        guard let place = clients.indices.randomElement(using: &dice), Int.random(in: 0..<12, using: &dice) > 0 else {
            return try come()
        }
        let client = clients[place]
        let (own, therapist) = (clinic.as(client.id), clinic.as(client.thanatologist))
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<45: try meet(place)
        case 45..<50:
            if let session = client.sessions.randomElement(using: &dice) {
                try therapist.call(Records.VoidSession(session: session, reason: "Wrong."))
            }
        case 50..<55:
            let other = thanatologists.randomElement(using: &dice) ?? client.thanatologist
            try clinic.root.call(Records.Transfer(client: client.id, to: other, reason: "Leave."))
            (clients[place].thanatologist, clients[place].room) = (other, nil)
        case 55..<61: try turn(place)
        case 61..<62: try erase(place)
        case 62..<72:
            let to = Bool.random(using: &dice) ? [client.thanatologist] : [client.thanatologist, support]
            try own.call(Mail.Send(to: to, subject: "At ten?", body: "", replyTo: try newest(of: own)))
        case 72..<82:
            let writer = Int.random(in: 0..<4, using: &dice) == 0 ? clinic.as(support) : therapist
            try writer.call(Mail.Send(to: [client.id], subject: "Yes.", body: "", replyTo: try newest(of: writer)))
        default: try talk(place)
        }
    }

    private func come() throws {
        let thanatologist = thanatologists.randomElement(using: &dice) ?? ""
        added += 1
        let since = today - Int.random(in: 0...300, using: &dice)
        let client = try clinic.as(thanatologist).call(Records.AddClient(name: "Client \(added)", since: "\(since)"))
            .client
        clients.append(Client(id: client.id, number: client.number, thanatologist: thanatologist))
    }

    private func meet(_ place: Int) throws {
        let day = today - Int.random(in: 0...60, using: &dice)
        let fee: Int? = [nil, 0, 4_500, 3_333, 1].randomElement(using: &dice) ?? nil
        let session = try clinic.as(clients[place].thanatologist).call(
            Records.AddSession(
                client: clients[place].id, on: "\(day)", minutes: 50,
                service: services.randomElement(using: &dice) ?? "",
                motives: motives.filter { _ in Bool.random(using: &dice) },
                tools: tools.filter { _ in Bool.random(using: &dice) }, fee: fee, notes: "")
        ).session
        clients[place].sessions.append(session.id)
    }

    /// The record is closed, today or some days ago; or it is opened again.
    private func turn(_ place: Int) throws {
        let client = clients[place]
        let therapist = clinic.as(client.thanatologist)
        if client.isOpen {
            let day = today - Int.random(in: 0...5, using: &dice)
            try therapist.call(Records.CloseRecord(client: client.id, reason: "Well.", on: "\(day)"))
        } else {
            let why = Bool.random(using: &dice) ? Records.ReopenRecord.Why.mistake : .return
            try therapist.call(Records.ReopenRecord(client: client.id, why: why, reason: "So."))
        }
        clients[place].isOpen.toggle()
    }

    private func erase(_ place: Int) throws {
        let client = clients[place]
        guard !client.isOpen else { return }
        try clinic.root.call(Records.EraseRecord(client: client.id, number: client.number, reason: "Asked."))
        clients.remove(at: place)
    }

    /// The newest letter of a person's inbox, or none, so that an answer may also begin another conversation.
    private func newest(of person: Clinic.TestCaller) throws -> String? {
        guard Int.random(in: 0..<5, using: &dice) > 0 else { return nil }
        return try person.call(Mail.List(folder: "inbox", limit: 1)).letters.first?.id
    }

    private func talk(_ place: Int) throws {
        let client = clients[place]
        let therapist = clinic.as(client.thanatologist)
        let room = try client.room ?? therapist.call(Chat.OpenDirect(person: client.id)).room.id
        clients[place].room = room
        let speaker = Bool.random(using: &dice) ? therapist : clinic.as(client.id)
        let message = try speaker.call(Chat.Send(room: room, text: "Hm.")).message
        if Int.random(in: 0..<10, using: &dice) == 0 { try speaker.call(Chat.DeleteMessage(message: message.id)) }
    }
}
