import Companion
import PracticeInterfaces
import PracticeRules
import Varlink

/// A form with fields: a person fills them in one by one in a terminal, or names them as options.
struct Form {
    let title: String
    /// The effect of Enter at the end: "adds this client".
    let does: String
    /// The sentence after the person has left the form: "Nobody was added."
    let untouched: String
    /// True if only changed fields are sent.
    var isEdit = false
    var questions: [Question]
    /// The typed values, by the fields' names.
    private var typed: [String: String] = [:]
    /// The daemon's faults, by the fields' names.
    private var faults: [String: String] = [:]

    init(_ title: String, does: String, untouched: String, isEdit: Bool = false, _ questions: [Question]) {
        self.title = title
        self.does = does
        self.untouched = untouched
        self.isEdit = isEdit
        self.questions = questions
    }

    /// Asks for the fields and sends them, until the daemon accepts them or the person leaves.
    ///
    /// Asks nothing without a terminal, or if the options name all required fields.
    /// - Parameters:
    ///   - given: the fields from options, as they were typed.
    ///   - again: returns the questions with the present values, after another person has changed them.
    ///   - doubt: returns a refusal's sentence if the person may send the same answers all the same: they are asked again.
    ///   - make: makes the call from the answers.
    mutating func send<M: Method>(
        _ given: [String: String?], output: OutputOptions, asking: Bool, over connection: DaemonConnection,
        again: (() throws(Failure) -> [Question])? = nil, doubt: ((Reply) -> String?)? = nil,
        _ make: (Answers) throws(Failure) -> M
    ) throws(Failure) -> Reply {
        typed = given.compactMapValues { $0 }
        let reader = asking && needsAsking ? LineReader(isPlain: output.plain) : nil
        var screen = reader.map { FormScreen(self, $0, output) }
        if isEdit, typed.isEmpty, screen == nil {
            let fields = questions.map(\.option).joined(separator: ", ")
            throw .misused("Say what to change: \(fields); or the name of a JSON file.")
        }
        var toAsk = questions.filter { typed[$0.field] == nil }.map(\.field)
        let asked = screen == nil ? [] : toAsk
        var lost: Failure?
        // The answers that may be kept already.
        var doubtful: Answers?
        while true {
            do { try fill(&toAsk, on: &screen) } catch { throw lost ?? error }
            let answers = try answers()
            if let doubtful, doubtful != answers { throw Self.doubtful }
            let reply: Reply
            do {
                try connection.renewIfEnded()
                reply = try connection.reply(to: make(answers))
            } catch {
                // The answers stay, and can be sent again.
                guard screen != nil, error.status == Failure.noDaemonStatus else { throw error }
                Self.say(error.sentence)
                (lost, toAsk) = (error, [])
                // An edit that was made refuses a second one by its revision.
                if error.isInDoubt, !isEdit { doubtful = answers }
                continue
            }
            if screen != nil, let closed = reply.decodeError(Practice.StorageUnavailable.self) {
                // As if the daemon could not be reached.
                let failure = Failure(reply, from: connection.daemon, at: connection.path)
                Self.say(failure.sentence)
                (lost, toAsk) = (failure, [])
                if closed.inDoubt == true, !isEdit { doubtful = answers }
                continue
            }
            doubtful = nil
            if reply.decodeError(Practice.Changed.self) != nil, let again {
                let changed = change(to: try again())
                guard screen != nil else { throw .refused(Practice.Changed.name, saying: Self.changed(changed)) }
                Self.say(Self.changed(changed))
                screen?.form = self
                toAsk = []
                continue
            }
            if screen != nil, let sentence = doubt?(reply) {
                Self.say(sentence)
                toAsk = []
                continue
            }
            guard let invalid = reply.decodeError(Practice.Invalid.self) else {
                if reply.error == nil { try forgetDrafts(asked) }
                return reply
            }
            let known = invalid.faults.filter { fault in questions.contains { $0.field == fault.field } }
            guard screen != nil, !known.isEmpty, known.count == invalid.faults.count else {
                throw Failure(reply, from: connection.daemon, at: connection.path)
            }
            faults = Dictionary(known.map { ($0.field, $0.reason) }) { first, _ in first }
            toAsk = questions.map(\.field).filter { faults[$0] != nil }
        }
    }

    /// A call is made once under its key, so other answers under the same key would be lost if the first ones were kept.
    private static var doubtful: Failure {
        .refused(
            "InDoubt",
            saying: "This was not sent, because it is not as it was before, and that may be kept already: look first. "
                + "A long text is offered again the next time.")
    }

    /// Tells a person something below the fields.
    private static func say(_ sentence: String) {
        Streams.output("\n" + sentence.split(separator: "\n").map { "  \($0)\n" }.joined())
    }

    /// Removes the drafts of the texts that were sent.
    private func forgetDrafts(_ asked: [String]) throws(Failure) {
        for question in questions {
            guard case .text(let draft) = question.kind else { continue }
            let wasOffered = question.current.isEmpty && asked.contains(question.field)
            try draft.forget(sent: typed[question.field] ?? question.current, wasOffered: wasOffered)
        }
    }

    /// Takes over another person's changes, and keeps the values that were typed here. Returns the changed fields with the
    /// old and the new value.
    private mutating func change(to new: [Question]) -> [(label: String, from: String, to: String)] {
        var changes: [(label: String, from: String, to: String)] = []
        for (old, new) in zip(questions, new) where old.current != new.current {
            changes.append((new.label, old.current, new.current))
            // An answer that was not changed here takes the other person's value.
            if typed[old.field] == old.current { typed[old.field] = nil }
        }
        questions = new
        return changes
    }

    static func changed(_ changes: [(label: String, from: String, to: String)]) -> String {
        let lines = changes.map { change in
            "  \(change.label): \(change.from.isEmpty ? "nothing" : change.from.shown) → "
                + "\(change.to.isEmpty ? "nothing" : change.to.shown)"
        }
        let head = "Somebody else changed this meanwhile, so yours is not written yet:"
        return ([head] + lines).joined(separator: "\n")
    }

    /// True if no field was given, or a required one is missing.
    private var needsAsking: Bool {
        typed.isEmpty || questions.contains { $0.isRequired && $0.current.isEmpty && typed[$0.field] == nil }
    }

    /// Asks for the fields, or throws the faults of the given options.
    private mutating func fill(_ toAsk: inout [String], on screen: inout FormScreen?) throws(Failure) {
        for question in questions where faults[question.field] == nil {
            guard let text = typed[question.field] ?? (screen == nil && !isEdit ? question.current : nil) else {
                continue
            }
            do { _ = try question.values(of: text) } catch {
                faults[question.field] = error.reason
                if !toAsk.contains(question.field) { toAsk.append(question.field) }
            }
        }
        if screen != nil {
            let order = questions.map(\.field)
            toAsk.sort { order.firstIndex(of: $0) ?? 0 < order.firstIndex(of: $1) ?? 0 }
            guard try screen?.ask(toAsk, &typed, faults) == true else { throw .refused("Left", saying: untouched) }
            faults = [:]
        } else if !faults.isEmpty {
            throw Self.invalid(questions.compactMap { question in faults[question.field].map { (question, $0) } })
        }
    }

    /// A person reads the options; programs get the fields.
    private static func invalid(_ faults: [(question: Question, reason: String)]) -> Failure {
        let invalid = Practice.Invalid(
            faults: faults.map { .init(field: $0.question.options ?? $0.question.field, reason: $0.reason) })
        let said = faults.map { Fault($0.question.options ?? $0.question.named ?? $0.question.field, $0.reason) }
        return Failure(refused: invalid, saying: Refusal.faults(said))
    }

    /// Throws if a value is no longer valid, such as a picture whose file was removed meanwhile.
    private func answers() throws(Failure) -> Answers {
        var answers = Answers()
        for question in questions {
            let text = typed[question.field] ?? question.current
            if isEdit, text == question.current || typed[question.field] == nil { continue }
            let values: [String]
            do { values = try question.values(of: text) } catch {
                throw Self.invalid([(question, error.reason)])
            }
            if isEdit || !values.isEmpty { answers.values[question.field] = values }
        }
        return answers
    }
}

extension String {
    /// The name of the option: `emergency-contact` for `emergencyContact`.
    var dashed: String {
        reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }
}
