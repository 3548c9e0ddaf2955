import PracticeInterfaces
import PracticeStore
import StaffInterfaces
import Time

// Clients of the made-up practice in its programme.
extension DemoPractice {
    /// Some clients are in the programme. Most of them read and answer; some have left it.
    mutating func planCourse(
        _ number: Int, _ client: String, _ therapist: ID<Person>, since first: CalendarDay
    ) {
        var random = SeededRandom(seed: 30_000 + number)
        guard random.happens(40) else { return }
        let begin = max(first, context.today - random.number(in: 2...DemoCourse.days + 8))
        let isActive = random.happens(85)
        later(instant(begin, minute: 11 * 60 + number % 60)) { practice, now in
            let enrol = Programmes.Enrol(client: client, programme: DemoCourse.id)
            let enrolment = try practice.call(enrol, as: therapist, at: now).enrolment.id
            let lessons = ["arriving": 1, "breathing": 2, "days": 12]
            for (lesson, days) in lessons.sorted(by: { $0.value < $1.value })
            where begin + days < practice.context.today {
                practice.later(practice.instant(begin + days, minute: 18 * 60 + number % 60)) { practice, now in
                    try practice.read(lesson, in: enrolment, of: client, at: now)
                }
            }
            for week in 1...3 where begin + 7 * week < practice.context.today && random.happens(75) {
                let (sleep, company) = (random.number(in: 0...2), random.number(in: 0...2))
                practice.later(practice.instant(begin + 7 * week, minute: 19 * 60 + number % 60)) { practice, now in
                    try practice.answer(sleep, company, client, at: now)
                }
            }
            guard !isActive, begin + 9 < practice.context.today else { return }
            practice.later(practice.instant(begin + 9, minute: 9 * 60)) { practice, now in
                let withdraw = Programmes.Withdraw(enrolment: enrolment, reason: "The client prefers to talk.")
                _ = try practice.call(withdraw, as: therapist, at: now)
            }
        }
    }

    private func read(_ lesson: String, in enrolment: String, of client: String, at now: Instant) throws {
        let all = try call(Programmes.ListLessons(enrolment: enrolment), as: ID(client), at: now).lessons
        guard all.contains(where: { $0.id == lesson && $0.unlocked }) else { return }
        _ = try call(Programmes.MarkRead(enrolment: enrolment, lesson: lesson), as: ID(client), at: now)
    }

    /// The client answers the survey that is due, if there is one.
    private func answer(_ sleep: Int, _ company: Int, _ client: String, at now: Instant) throws {
        let surveys = try call(Programmes.ListSurveys(), as: ID(client), at: now).surveys
        guard let due = surveys.first(where: { $0.state == .due }) else { return }
        let answers = try DemoCourse.answers(sleep: sleep, company: company)
        _ = try call(Programmes.Answer(survey: due.id, answers: answers, finish: true), as: ID(client), at: now)
    }

    /// The clock brings midnights, on which surveys are missed.
    mutating func planTending() {
        for day in 0..<DemoCourse.days + 8 {
            later(instant(context.today - day, minute: 1)) { practice, now in
                _ = try practice.call(Upkeep.Tend(), at: now)
            }
        }
    }
}
