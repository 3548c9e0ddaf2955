import PracticeInterfaces
import PracticeStore
import StaffInterfaces
import Time

// Departures, returns and words about care in the made-up practice.
extension DemoPractice {
    private static let administrator = ID<Person>("p1")

    /// A thanatologist leaves the practice, and a colleague goes on with the clients.
    mutating func planDeparture(from begin: Instant) throws {
        let staff = Practice.AddStaff(name: DemoWords.retired, role: "thanatologist", email: "ilse@clinic.example")
        let leaving = try call(staff, at: begin).person
        let (heir, last) = (therapists[0], context.today - 200)
        for (place, name) in DemoWords.clientsOfRetired.enumerated() {
            later(instant(last - 100, minute: 10 * 60 + place)) { practice, now in
                let person = ID<Person>(leaving.id)
                let client = try practice.call(Records.AddClient(name: name), as: person, at: now).client.id
                for day in (1...19).map({ last - 100 + 14 * $0 }) {
                    practice.planSession(of: client, by: day < last ? person : heir, on: day)
                }
            }
        }
        // In the round of the sessions, in its place among them.
        later(instant(last - 100, minute: 11 * 60)) { practice, _ in
            practice.later(practice.instant(last, minute: 20 * 60)) { practice, now in
                let retire = Practice.RetireStaff(
                    person: leaving.id, revision: leaving.revision, successor: heir.description)
                _ = try practice.call(retire, as: Self.administrator, at: now)
            }
        }
    }

    private mutating func planSession(of client: String, by therapist: ID<Person>, on day: CalendarDay) {
        later(instant(day, minute: 15 * 60)) { practice, now in
            let service = practice.services[1]
            let session = Records.AddSession(
                client: client, on: day.description, minutes: service.minutes, service: service.id, motives: [],
                tools: [], fee: service.fee, notes: DemoWords.notes[Int(day.ordinal) / 7 % DemoWords.notes.count])
            _ = try practice.call(session, as: therapist, at: now)
        }
    }

    /// Some records are closed by mistake, some clients come back to another thanatologist, and some take their file along.
    mutating func planAfterClosing(_ client: String, _ therapist: ID<Person>, on day: CalendarDay) {
        closings += 1
        switch closings % 12 {
        case 3: planMistake(client, therapist, on: day)
        case 5: planReturn(client, therapist)
        case 7:
            later(instant(day + 2, minute: 12 * 60)) { practice, now in
                let export = Records.ExportRecord(client: client, reason: "The client asked for it.")
                _ = try practice.call(export, as: Self.administrator, at: now)
            }
        default: break
        }
    }

    private mutating func planMistake(_ client: String, _ therapist: ID<Person>, on day: CalendarDay) {
        later(instant(day + 1, minute: 9 * 60)) { practice, now in
            let reopen = Records.ReopenRecord(client: client, why: .mistake, reason: "An hour was still to come.")
            _ = try practice.call(reopen, as: therapist, at: now)
        }
        planSession(of: client, by: therapist, on: day + 5)
        later(instant(day + 10, minute: 9 * 60)) { practice, now in
            let close = Records.CloseRecord(client: client, reason: DemoWords.closings[0])
            _ = try practice.call(close, as: therapist, at: now)
        }
    }

    private mutating func planReturn(_ client: String, _ therapist: ID<Person>) {
        let day = context.today - 30
        let successor = therapists.first { $0 != therapist } ?? therapist
        later(instant(day, minute: 9 * 60)) { practice, now in
            let reopen = Records.ReopenRecord(client: client, why: .return, reason: "Wishes to speak again.")
            _ = try practice.call(reopen, as: therapist, at: now)
            let transfer = Records.Transfer(
                client: client, to: successor.description, reason: "Can come in the evening only.")
            _ = try practice.call(transfer, as: Self.administrator, at: now + .seconds(600))
        }
        for later in [4, 18] { planSession(of: client, by: successor, on: day + later) }
    }

    /// Talking points, a client's notes for the next session, and feedback.
    mutating func planWords(_ number: Int, _ client: String, _ therapist: ID<Person>) {
        var random = SeededRandom(seed: 40_000 + number)
        let (point, note) = (random.one(of: DemoWords.points), random.one(of: DemoWords.clientNotes))
        let (words, rating) = random.one(of: DemoWords.feedback)
        let (hasPoint, hasNote, hasFeedback) = (random.happens(30), random.happens(40), random.happens(20))
        let isAnonymous = random.happens(50)
        later(instant(context.today - 1, minute: 22 * 60)) { practice, now in
            if hasPoint {
                _ = try practice.call(Care.AddTalkingPoint(client: client, text: point), as: therapist, at: now)
            }
            if hasNote, try practice.call(Care.Profile(), as: ID(client), at: now).shares.contains("notes") {
                let day = practice.context.today - 1
                let happening = Care.Happening(
                    sequence: 1_000, id: "\(client)-note", at: practice.context.spelled(now), day: "\(day)",
                    what: "noteWritten", text: note)
                _ = try practice.call(
                    Care.Report(device: "laptop", happenings: [happening]), as: ID(client), at: now)
            }
            guard hasFeedback else { return }
            let feedback = Care.GiveFeedback(text: words, rating: rating, anonymous: isAnonymous)
            _ = try practice.call(feedback, as: ID(client), at: now)
        }
    }
}
