import Companion
public import PracticeInterfaces
public import Varlink

/// Sentences for the refusals of programmes and surveys: the fault, and the next step.
public enum ProgrammeRefusal {
    /// Nil for an error that no programme has.
    public static func sentence(_ reply: Reply, companion: String) -> String? {
        if let error = reply.decodeError(Programmes.NotUnlocked.self) {
            let moment = error.unlocksOn == nil ? error.unlocksAt : nil
            let opens = moment.map { " It opens \(Wording.time($0, today: nil))." } ?? ""
            return "The lesson is locked. \(Wording.sentence(error.reason))\(opens)"
        }
        if let error = reply.decodeError(Programmes.NotDue.self) { return notDue(error) }
        if let error = reply.decodeError(Programmes.Incomplete.self) {
            return
                "\(Wording.counted(error.questions.count, "question")) that need an answer have none, so the survey is not "
                + "finished: \(error.questions.map(\.shown).joined(separator: ", "))."
        }
        if let error = reply.decodeError(Programmes.InvalidProgramme.self) { return faults(error, in: nil) }
        if let error = reply.decodeError(Practice.NotFound.self) { return notFound(error, companion) }
        return nil
    }

    private static func notDue(_ error: Programmes.NotDue) -> String {
        switch error.state {
        case "upcoming": "The survey opens \(Wording.time(error.opens, today: nil))."
        case "answered": "The survey is answered already; its answers stay as they are."
        case "missed": "The survey is closed, and can be answered no more."
        case let state: "The survey is not due now (\(state.shown))."
        }
    }

    /// Every fault with its place: `file:line: reason`.
    ///
    /// - Parameter folder: as it was named on the command line.
    public static func faults(_ error: Programmes.InvalidProgramme, in folder: String?) -> String {
        let all = error.faults.map { $0.map { ($0.file, $0.line, $0.reason) } } ?? []
        let named = all.isEmpty ? [(error.file, error.line, error.reason)] : all
        let lines = named.map { file, line, reason in
            let path = folder.map { $0.hasSuffix("/") ? $0 + file : "\($0)/\(file)" } ?? file
            return "\(path.shown):\(line.map { "\($0):" } ?? "") \(reason.shown)"
        }
        return lines.joined(separator: "\n")
    }

    private static func notFound(_ error: Practice.NotFound, _ companion: String) -> String? {
        let isClient = companion == "daybreak"
        let lists = [
            "programme": isClient ? "" : "`practice programme list` lists them.",
            "enrolment": isClient ? "`daybreak course` lists yours." : "`practice enrolments CLIENT` lists a client's.",
            "lesson": isClient ? "`daybreak course` lists them." : "",
            "survey": isClient ? "`daybreak survey list` lists yours." : "`practice surveys CLIENT` lists a client's.",
        ]
        return lists[error.kind].map { "There is no \(error.kind) “\(error.id.shown)”. \($0)".withoutEnd }
    }
}
