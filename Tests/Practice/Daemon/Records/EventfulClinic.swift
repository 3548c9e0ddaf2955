import PracticeInterfaces
import StaffInterfaces

@testable import PracticeDaemon

extension Clinic {
    /// A clinic with a row in each of the tables that are only added to.
    static func eventful() throws -> Clinic {
        let day = try Day()
        let ana = day.clinic.as(day.ana)
        let gone = try day.clinic.client("Gone", of: day.ana)
        try ana.call(
            Records.AddSession(
                client: day.cleo, on: "2027-03-05", minutes: 50, service: day.offers.talk, motives: [day.offers.loss],
                tools: [], notes: "So."))
        try ana.call(Records.AddAddendum(session: "s1", text: "Later."))
        try ana.call(Records.VoidSession(session: "s1", reason: "Wrong."))
        try ana.call(Care.Assign(client: day.cleo, schedule: Day.schedule))
        try ana.call(Care.AddTalkingPoint(client: day.cleo, text: "Sleep?"))
        try day.device.call(Care.GiveFeedback(text: "Good."))
        try day.report(day.happening(1, "scheduleTaken", task: nil, revision: 1))
        let room = try ana.call(Chat.OpenDirect(person: day.cleo)).room.id
        let message = try ana.call(Chat.Send(room: room, text: "At ten?")).message.id
        try ana.call(Chat.DeleteMessage(message: message))
        try day.clinic.root.call(Programmes.ImportProgramme(files: SampleProgramme.files()))
        try ana.call(Programmes.Enrol(client: day.cleo, programme: "first"))
        try ana.call(Programmes.Enrol(client: gone, programme: "first"))
        try day.device.call(Programmes.MarkRead(enrolment: "e1", lesson: "one"))
        let answers = SampleProgramme.answers(SampleProgramme.good)
        try day.device.call(Programmes.Answer(survey: "q1", answers: answers, finish: true))
        day.clinic.clock.advance(by: .seconds(8 * 86_400))
        try day.clinic.root.call(Programmes.ImportProgramme(files: SampleProgramme.second))
        let second = try ana.call(Programmes.Enrol(client: day.cleo, programme: "second")).enrolment.id
        try ana.call(Programmes.Withdraw(enrolment: second, reason: "Her wish."))
        day.clinic.clock.advance(by: .seconds(20 * 86_400))
        try day.clinic.root.call(Upkeep.Tend())
        try ana.call(Records.CloseRecord(client: gone, reason: "Asked."))
        try day.clinic.root.call(Records.EraseRecord(client: gone, number: 2, reason: "Asked."))
        return day.clinic
    }
}
