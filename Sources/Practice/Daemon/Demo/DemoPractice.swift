import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time
import Varlink

/// Fills an empty practice with three made-up years. It makes the same calls as people do, so the same checks apply.
///
/// The same seed on the same day gives the same practice.
struct DemoPractice {
    let context: CallContext
    /// Those of the practice, which asks for none of its own fields here: nobody can invent what their patterns want.
    private let settings: PracticeSettings
    private var random: SeededRandom
    private var planned: [Event] = []
    private(set) var therapists: [ID<Person>] = []
    private(set) var services: [(id: String, minutes: Int, fee: Int)] = []
    /// The number of records that were closed so far.
    var closings = 0
    private var motives: [String] = []
    private var tools: [String] = []

    /// A call that is planned for an instant.
    private struct Event {
        let at: Instant
        let happen: (inout DemoPractice, Instant) throws -> Void
    }

    private static let clients = 90
    private static let days = 3 * 365

    init(in context: CallContext, seed: Int) {
        self.context = context
        var settings = context.settings
        for place in settings.clientFields.indices { settings.clientFields[place].isRequired = false }
        self.settings = settings
        random = SeededRandom(seed: seed)
    }

    mutating func fill() throws {
        let begin = instant(context.today - Self.days, minute: 8 * 60)
        _ = try call(Practice.AddStaff(name: "Vera Castillo", role: "administrator"), at: begin)
        _ = try call(Practice.AddStaff(name: "Sol Medina", role: "support", phone: "+49 30 5550100"), at: begin)
        for name in DemoWords.thanatologists {
            let added = try call(
                Practice.AddStaff(
                    name: name, role: "thanatologist", email: "\(name.utf8.count)@clinic.example"), at: begin)
            therapists.append(ID(added.person.id))
        }
        for word in DemoWords.motives { motives.append(try term(word, .motives, at: begin)) }
        for word in DemoWords.tools { tools.append(try term(word, .tools, at: begin)) }
        for (index, service) in DemoWords.services.enumerated() {
            let (category, name, description, minutes, fee) = service
            let picture = Base64.encode(DrawnPicture.png(hue: index, height: 40 + 15 * index))
            let added = try call(
                Practice.AddService(
                    category: category, name: name, description: description, minutes: minutes, fee: fee,
                    link: "https://clinic.example/offers", picture: picture), at: begin)
            services.append((added.service.id, minutes, fee))
        }
        _ = try call(Programmes.ImportProgramme(files: DemoCourse.files), at: begin)
        for number in 0..<Self.clients { inventClient(number) }
        try planDeparture(from: begin)
        planTending()
        announce()
        planTeamTalk()
        // A round carries out the planned events in order. Events that these plan belong to the next round.
        while !planned.isEmpty {
            let round = planned.sorted { $0.at < $1.at }
            planned = []
            for event in round { try event.happen(&self, event.at) }
        }
    }

    private func term(_ word: String, _ vocabulary: Practice.AddTerm.Vocabulary, at instant: Instant) throws -> String {
        try call(Practice.AddTerm(vocabulary: vocabulary, word: word), at: instant).term.id
    }

    // MARK: A client's time here

    private mutating func inventClient(_ number: Int) {
        let name = "\(random.one(of: DemoWords.given)) \(random.one(of: DemoWords.family))"
        let therapist = random.number(in: 0...DemoWords.thanatologists.count - 1)
        let first = context.today - random.number(in: 3...Self.days - 10)
        let born = CalendarDay(year: random.number(in: 1_940...2_005), month: random.number(in: 1...12), day: 14)
        let motive = random.one(of: DemoWords.motives)
        let meetings = inventMeetings(after: first)
        let end = meetings.last ?? first
        let isClosed = context.today - end > 120
        let reason = random.one(of: DemoWords.closings)
        later(instant(first, minute: 9 * 60 + number % 50)) { practice, now in
            let person = practice.therapists[therapist]
            let client = try practice.call(
                Records.AddClient(
                    name: name, born: born?.description, phone: "+49 30 55501\(10 + number % 90)",
                    address: "Linden Street \(number + 1)", motive: motive), as: person, at: now
            ).client.id
            for day in meetings { practice.plan(day, client, person) }
            practice.planLetters(number, client, person, meetings, isClosed: isClosed)
            if !isClosed {
                practice.planHomework(number, client, person, since: first)
                practice.planTalk(number, client, person)
                practice.planCourse(number, client, person, since: first)
                practice.planWords(number, client, person)
            }
            guard isClosed else { return }
            practice.later(practice.instant(end + 60, minute: 18 * 60)) { practice, now in
                _ = try practice.call(Records.CloseRecord(client: client, reason: reason), as: person, at: now)
                practice.planAfterClosing(client, person, on: end + 60)
            }
        }
    }

    /// The days of a client's sessions: each week or each second week, with gaps.
    private mutating func inventMeetings(after first: CalendarDay) -> [CalendarDay] {
        let pace = random.happens(60) ? 7 : 14
        var day = first
        var days: [CalendarDay] = []
        for _ in 0..<random.number(in: 4...26) where day + pace < context.today {
            day = day + pace + (random.happens(15) ? 7 : 0)
            if day < context.today, !random.happens(8) { days.append(day) }
        }
        return days
    }

    private mutating func plan(_ day: CalendarDay, _ client: String, _ therapist: ID<Person>) {
        let service = random.happens(75) ? services[1] : random.one(of: services)
        let session = Records.AddSession(
            client: client, on: day.description, minutes: service.minutes, service: service.id,
            motives: random.some(random.number(in: 1...2), of: motives),
            tools: random.some(random.number(in: 0...3), of: tools),
            fee: random.happens(80) ? service.fee : nil, notes: random.one(of: DemoWords.notes))
        let isVoided = random.happens(2)
        let addendum = random.happens(4) ? random.one(of: DemoWords.addenda) : nil
        later(instant(day, minute: random.number(in: 10 * 60...18 * 60))) { practice, now in
            let added = try practice.call(session, as: therapist, at: now).session.id
            if let addendum {
                let call = Records.AddAddendum(session: added, text: addendum)
                _ = try practice.call(call, as: therapist, at: now + .seconds(300))
            }
            guard isVoided else { return }
            _ = try practice.call(
                Records.VoidSession(session: added, reason: "Recorded for the wrong client."), as: therapist,
                at: now + .seconds(600))
        }
    }

    // MARK: Homework

    /// Plans a task a day for three weeks and the next ten days. Most clients share everything, and do most tasks.
    private mutating func planHomework(
        _ number: Int, _ client: String, _ therapist: ID<Person>, since first: CalendarDay
    ) {
        let begin = max(first, context.today - 20)
        var random = SeededRandom(seed: number)
        let shares = random.happens(80) ? Share.allCases.map(\.rawValue) : ["completed"]
        later(instant(begin, minute: 20 * 60)) { practice, now in
            let tasks = (1...30).map { "[5, [\"calm\", \"tired\", \"sad\"], \"\(begin + $0)\"]" }
            let schedule = "[\(tasks.joined(separator: ","))]"
            _ = try practice.call(Care.SetShares(shares: shares), as: ID(client), at: now)
            let revision = try practice.call(
                Care.Assign(client: client, schedule: schedule), as: therapist, at: now
            ).revision
            let happening = Care.Happening(
                sequence: 1, id: "\(client)-1", at: practice.context.spelled(now), day: "\(begin)",
                what: "scheduleTaken", revision: revision)
            _ = try practice.call(Care.Report(device: "laptop", happenings: [happening]), as: ID(client), at: now)
        }
        var sequence = 1
        for day in (1...20).map({ begin + $0 }) where day < context.today && random.happens(75) {
            let mood = shares.count > 1 ? random.one(of: ["calm", "tired", "sad"]) : nil
            let minute = random.number(in: 18 * 60...21 * 60)
            sequence += 1
            let told = (sequence, mood)
            later(instant(day, minute: minute)) { practice, now in
                let happening = Care.Happening(
                    sequence: told.0, id: "\(client)-\(told.0)", at: practice.context.spelled(now), day: "\(day)",
                    what: "completed", task: "\(day)", breaths: told.1 == nil ? nil : 5, mood: told.1)
                _ = try practice.call(
                    Care.Report(device: "laptop", happenings: [happening]), as: ID(client), at: now)
            }
        }
    }

    // MARK: Letters

    /// Plans letters before some sessions, and answers to some of them. Most of them are read.
    private mutating func planLetters(
        _ number: Int, _ client: String, _ therapist: ID<Person>, _ meetings: [CalendarDay], isClosed: Bool
    ) {
        var random = SeededRandom(seed: 10_000 + number)
        for day in meetings where random.happens(15) {
            let (subject, body, answer) = random.one(of: DemoWords.letters)
            let isUrgent = random.happens(8)
            let isAnswered = random.happens(60)
            let isOld = context.today - day > 10
            later(instant(day - 1, minute: random.number(in: 9 * 60...19 * 60))) { practice, now in
                let letter = Mail.Send(to: [client], subject: subject, body: body, urgent: isUrgent)
                _ = try practice.call(letter, as: therapist, at: now)
                guard isOld || isAnswered else { return }
                practice.later(now + .seconds(3_600)) { practice, now in
                    try practice.readNewest(subject, client, answer: isAnswered ? answer : nil, at: now)
                }
            }
        }
        guard !isClosed, random.happens(20) else { return }
        later(instant(context.today - 1, minute: 17 * 60 + number % 60)) { practice, now in
            let draft = Mail.SaveDraft(to: [client], subject: "Our next hour", body: "Dear client,\n\n")
            _ = try practice.call(draft, as: therapist, at: now)
        }
    }

    /// A client reads a letter, and perhaps answers it.
    private func readNewest(_ subject: String, _ client: String, answer: String?, at now: Instant) throws {
        let inbox = try call(Mail.List(folder: "inbox", unread: true), as: ID(client), at: now).letters
        guard let letter = inbox.first(where: { $0.subject == subject }) else { return }
        _ = try call(Mail.Get(letter: letter.id), as: ID(client), at: now)
        guard let answer, try store(has: client) else { return }
        let reply = Mail.Send(
            to: [letter.from.person], subject: "Re: \(subject)", body: answer, replyTo: letter.id)
        _ = try call(reply, as: ID(client), at: now)
        // Every third answer is answered: the report on replies has hours to tell.
        guard now.microseconds / 60_000_000 % 3 == 0 else { return }
        let therapist = ID<Person>(letter.from.person)
        let later = now + .seconds(5_400)
        let arrived = try call(Mail.List(folder: "inbox", limit: 1), as: therapist, at: later).letters.first
        guard let arrived, arrived.from.person == client else { return }
        _ = try call(Mail.Get(letter: arrived.id), as: therapist, at: later)
        let thanks = Mail.Send(to: [client], subject: "Re: \(subject)", body: DemoWords.thanks, replyTo: arrived.id)
        _ = try call(thanks, as: therapist, at: later)
    }

    /// A client whose record is closed writes to their thanatologist no more.
    private func store(has client: String) throws -> Bool {
        try context.store.record(ID(client), of: nil)?.isOpen == true
    }

    // MARK: Talk

    /// A room of those who work here, in which they talk for three days, and an open one.
    private mutating func planTeamTalk() {
        later(instant(context.today - 3, minute: 8 * 60)) { practice, now in
            let everybody = ["p1", "p2"] + practice.therapists.map(\.description)
            let team = try practice.call(
                Chat.CreateRoom(name: "Team", members: everybody), as: practice.therapists[0], at: now
            ).room.id
            let garden = Chat.CreateRoom(name: "Walk in the park", open: true)
            _ = try practice.call(garden, as: practice.therapists[1], at: now)
            for (place, text) in DemoWords.teamTalk.enumerated() {
                let at = practice.instant(practice.context.today - 3 + place / 3, minute: 9 * 60 + place * 7)
                practice.later(at) { practice, now in
                    let speaker = practice.therapists[place % practice.therapists.count]
                    _ = try practice.call(Chat.Send(room: team, text: text), as: speaker, at: now)
                }
            }
        }
    }

    /// Some clients talk with their thanatologist, who has not read the answer yet.
    private mutating func planTalk(_ number: Int, _ client: String, _ therapist: ID<Person>) {
        var random = SeededRandom(seed: 20_000 + number)
        guard random.happens(25) else { return }
        let (question, answer) = random.one(of: DemoWords.clientTalk)
        later(instant(context.today - 1, minute: 16 * 60 + number % 60)) { practice, now in
            let room = try practice.call(Chat.OpenDirect(person: client), as: therapist, at: now).room.id
            _ = try practice.call(Chat.Send(room: room, text: question), as: therapist, at: now)
            _ = try practice.call(Chat.Send(room: room, text: answer), as: ID(client), at: now + .seconds(240))
        }
    }

    private mutating func announce() {
        later(instant(context.today - 2, minute: 12 * 60)) { practice, now in
            guard let vera = try practice.context.store.person(ID("p1")) else { return }
            for (text, audience) in DemoWords.announcements {
                let call = Mail.Announce(text: text, to: audience, until: (practice.context.today + 20).description)
                _ = try practice.call(call, as: vera.id, at: now)
            }
        }
    }

    // MARK: Calls

    mutating func later(_ at: Instant, _ happen: @escaping (inout DemoPractice, Instant) throws -> Void) {
        planned.append(Event(at: at, happen: happen))
    }

    func instant(_ day: CalendarDay, minute: Int) -> Instant {
        context.settings.zone.start(of: day) + .seconds(minute * 60)
    }

    func call<M: Method>(_ method: M, as person: ID<Person>? = nil, at now: Instant) throws -> M.Reply {
        let caller = try person.flatMap { try context.store.person($0) }
        return try context.call(method, as: caller, through: "demo", at: now, by: settings)
    }
}
