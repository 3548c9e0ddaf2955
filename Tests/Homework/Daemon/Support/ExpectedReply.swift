/// The daemon's whole replies about the sample, on 2027-03-05 from midnight on.
enum ExpectedReply {
    /// The status with the sample just unlocked.
    static let opened = status()

    /// The status a minute later, with the exercise begun and no guide.
    static let started = status(
        asOf: "00:01:00", eligible: summary("inProgress", "It is in progress: the breathing comes next.", "2027-03-07"),
        flow: flow(exercise(paused: true), at: "00:01:00"))

    static func status(
        asOf: String = "00:00:00", eligible: String? = ExpectedReply.eligible,
        counts: String = #"{"completed":0,"locked":0,"missed":0,"open":1}"#, flow: String? = nil,
        nextReminder: String = "09:00:00", nextUnlock: String? = nil, problem: String? = nil, online: Bool = false,
        snoozedUntil: String? = nil
    ) -> String {
        let fields: [(String, String?)] = [
            ("asOf", text(at(asOf))), ("counts", counts), ("eligible", eligible), ("flow", flow),
            ("nextReminder", text(at(nextReminder))), ("nextUnlock", nextUnlock.map(text)),
            ("problem", problem.map(text)), ("providerOnline", "\(online)"),
            ("snoozedUntil", snoozedUntil.map { text(at($0)) }), ("timeZone", text("UTC")),
            ("today", text("2027-03-05")),
            ("version", "1"),
        ]
        return object(fields)
    }

    static let eligible = summary(
        "eligible", "It is today's task; it can be done through Friday 12 March 2027.", "2027-03-13")

    static func summary(_ state: String, _ reason: String, _ changes: String) -> String {
        object([
            ("breaths", "5"), ("changesAt", text("\(changes)T00:00:00+00:00")), ("due", text("2027-03-05")),
            ("id", text("1")), ("reason", text(reason)), ("state", text(state)),
        ])
    }

    /// In the exercise.
    static func flow(_ exercise: String, at time: String = "00:00:00", mayJoin: Bool = false) -> String {
        flow(stage: "exercise", at: time, exercise: exercise, mayJoin: mayJoin)
    }

    static func flow(
        stage: String, at time: String = "00:00:00", exercise: String? = nil, mayJoin: Bool = false,
        moodLogged: Bool = false
    ) -> String {
        object([
            ("assignment", text("1")), ("exercise", exercise), ("mayJoin", "\(mayJoin)"),
            ("moodLogged", "\(moodLogged)"),
            ("since", text(at(time))), ("stage", text(stage)),
        ])
    }

    /// Seconds as JSON spells them.
    static func exercise(
        breath: Int = 1, phase: String = "inhale", elapsed: String = "0", of length: Int = 4, remaining: String = "50",
        paused: Bool = false, guided: Bool = false
    ) -> String {
        object([
            ("breath", "\(breath)"), ("breaths", "5"), ("guided", "\(guided)"),
            ("pattern", #"{"exhale":6,"hold":0,"inhale":4,"rest":0}"#), ("paused", "\(paused)"), ("phase", text(phase)),
            ("phaseElapsed", elapsed), ("phaseSeconds", "\(length)"), ("remainingSeconds", remaining),
        ])
    }

    /// The whole assignment.
    /// - Parameter cause: the members of its cause, such as `"kind":"today"`.
    static func assignment(
        state: String, _ reason: String, cause: String, changes: String? = nil, breathsDone: Int = 0,
        startedAt: String? = nil,
        completedAt: String? = nil, mood: String? = nil
    ) -> String {
        object([
            ("breaths", "5"), ("breathsDone", "\(breathsDone)"),
            ("cause", "{\(cause)}"), ("changesAt", changes.map { text("\($0)T00:00:00+00:00") }),
            ("completedAt", completedAt.map { text(at($0)) }),
            ("completedOn", completedAt.map { _ in text("2027-03-05") }),
            ("due", text("2027-03-05")), ("id", text("1")), ("mood", mood.map(text)),
            ("moodOn", mood.map { _ in text("2027-03-05") }), ("moods", #"["calm","tired","hopeful"]"#),
            ("pattern", #"{"exhale":6,"hold":0,"inhale":4,"rest":0}"#),
            ("reason", text(reason)),
            ("startedAt", startedAt.map { text(at($0)) }), ("state", text(state)),
        ])
    }

    static func reply(_ field: String, _ value: String) -> String { "{\"parameters\":{\"\(field)\":\(value)}}" }

    private static func at(_ time: String) -> String { "2027-03-05T\(time)+00:00" }
    private static func text(_ text: String) -> String { "\"\(text)\"" }

    private static func object(_ fields: [(String, String?)]) -> String {
        "{" + fields.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",") + "}"
    }
}
