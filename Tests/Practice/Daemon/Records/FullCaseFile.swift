import JSON
import StaffInterfaces

extension Records.ClientFile {
    private static let morning = "2027-03-05T09:00:00+01:00"
    private static let noon = "2027-03-06T12:30:00+01:00"

    /// A case file with every part, and with `<` and `&` in each text that somebody wrote.
    static func full() throws -> Self {
        Self(
            practice: "Clinic & Park", at: noon,
            client: Records.Client(
                id: "p2", number: 1, name: "Cleo <b>", born: "1980-02-29", phone: "+34911", email: "cleo@home.example",
                address: "Street 1\n<2>", emergencyContact: "Dino <3", referredBy: "A & B", motive: "Loss <of> mother",
                extra: ["insurance": "12<3"], timeZone: "Europe/Madrid", thanatologist: "p1", account: "cleo",
                open: false, since: "2027-03-01", closedOn: "2027-03-07", revision: 2),
            turns: [
                Records.Turn(
                    at: morning, what: .reopened, by: "p1", reason: "She <came> back.", on: "2027-03-04", why: .return,
                    thanatologist: "p3", episode: 2)
            ],
            sessions: [
                Records.Session(
                    id: "s1", client: "p2", thanatologist: "p1", number: 1, on: "2027-03-02", minutes: 50,
                    service: "v1", motives: ["t1"], tools: ["t2"], fee: 4_500, notes: "First <talk>.\nLong.",
                    addenda: [.init(at: morning, by: "p3", text: "60 <minutes>.")], recorded: morning, voided: noon,
                    voidedBy: "p1", voidReason: "Twice <over>.", currency: "USD", episode: 1)
            ],
            care: try care(), programmes: try programmes(),
            letters: [
                .init(
                    id: "l1", at: morning, from: .init(person: "p1", name: "Ana & Co"),
                    to: [.init(person: "p2", name: "Cleo <b>"), .init(person: "p4", name: "Sofia <s>")],
                    subject: "To <day>", body: "At ten?\n<script>x</script>", urgent: true)
            ],
            messages: [
                .init(
                    id: "m1", at: morning, from: .init(person: "p2", name: "Cleo <b>"),
                    with: .init(person: "p1", name: "Ana & Co"), text: "Yes <3", deleted: false)
            ],
            lettersLeftOut: 1, messagesLeftOut: 2,
            audit: [
                .init(id: "a1", at: noon, person: "p1", did: "AddSession", what: "s1", through: "ssh <home>")
            ],
            names: [
                "p1": "Ana & Co", "p3": "Ben <b>", "v1": "Talk <1>", "t1": "Loss <l>", "t2": "Letter <t>",
            ])
    }

    private static func care() throws -> Records.FiledCare {
        .init(
            shares: ["completed", "moods"],
            schedules: [
                .init(
                    revision: 3, at: morning, by: "p1",
                    tasks: try raw(
                        #"[{"id":"one","due":"2027-03-05","breaths":5,"moods":["calm <c>","tired"],"pattern":"4-0-6-0"}]"#
                    ))
            ],
            happenings: [
                happening("scheduleTaken", 4),
                .init(
                    device: "laptop", received: noon,
                    happening: .init(
                        sequence: 5, id: "e5", at: "2027-03-06T00:30:00+01:00", day: "2027-03-05", what: "completed",
                        task: "one", breaths: 6, mood: "calm <c>", text: "A <note>", revision: 7)),
            ],
            devices: [.init(device: "laptop", lastHeard: noon, heard: 5, revision: 3)],
            talkingPoints: [.init(at: morning, by: "p3", text: "The <funeral>.")],
            feedback: [
                .init(
                    at: morning, about: "p1", client: "p2", rating: 4, text: "Well <done>.", aboutName: "Ana & Co",
                    clientName: "Cleo <b>")
            ])
    }

    private static func happening(_ what: String, _ sequence: Int) -> Records.FiledHappening {
        .init(
            device: "laptop", received: noon,
            happening: .init(
                sequence: sequence, id: "e\(sequence)", at: morning, day: "2027-03-05", what: what, revision: 3))
    }

    private static func programmes() throws -> Records.FiledProgrammes {
        .init(
            enrolments: [
                .init(
                    id: "n1", programme: "first", revision: 2, name: "First <weeks>", at: morning, by: "p1",
                    since: "2027-03-05", until: "2027-03-20", ended: "withdrawn", reason: "Too <much>.",
                    lessonsRead: [.init(lesson: "one", at: noon)])
            ],
            surveys: [
                .init(
                    id: "q1", enrolment: "n1", survey: "week", title: "Your <week>", occurrence: 2,
                    opens: "2027-03-05T00:00:00+01:00", closes: "2027-03-07T00:00:00+01:00", state: "answered",
                    answered: noon, score: 2.5)
            ],
            responses: [
                try raw(
                    #"{"resourceType":"QuestionnaireResponse","id":"q1","status":"in-progress","authored":"\#(noon)","#
                        + #""item":[{"linkId":"sleep","answer":[{"valueCoding":{"code":"good"}}]},"#
                        + #"{"linkId":"more","answer":[{"valueString":"Not <now>"}]}]}"#)
            ],
            questionnaires: [
                .init(
                    programme: "first", revision: 2, survey: "week",
                    questionnaire: try raw(SampleProgramme.survey))
            ])
    }

    private static func raw(_ text: String) throws -> RawJSON { try RawJSON(parsing: Array(text.utf8)) }
}
