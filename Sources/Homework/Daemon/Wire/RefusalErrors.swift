import DaybreakInterfaces
import HomeworkRules
import Time
import Varlink

extension Refusal {
    /// This refusal as an error of the interface.
    /// - Parameter scheduleProblem: why the schedule file is not in force; nil if it is.
    func errorReply(_ spelling: Spelling, scheduleProblem: String? = nil) -> any ErrorReply {
        typealias Interface = Homework
        switch self {
        case .locked(let id, let day):
            return Interface.Locked(assignment: id.text, unlocksAt: spelling.beginning(of: day))
        case .notEligible(let id, let eligible, let standing):
            return Interface.NotEligible(
                assignment: id.text, eligible: eligible?.text, reason: standing.sentence,
                cause: Homework.Cause(standing))
        case .nothingEligible(let next):
            return Interface.NothingEligible(nextUnlock: next.map(spelling.beginning), problem: scheduleProblem)
        case .alreadyCompleted(let id, let day):
            return Interface.AlreadyCompleted(assignment: id.text, completedOn: day.description)
        case .noSuchAssignment(let id): return Interface.NoSuchAssignment(assignment: id.text)
        case .noFlow: return Interface.NoFlow()
        case .wrongStage(let stage, let allowed):
            return Interface.WrongStage(stage: stage.rawValue, allowed: allowed.map(\.rawValue))
        case .notGuided: return Interface.NotGuided()
        case .providerUnavailable: return Interface.ProviderUnavailable()
        case .moodNotOffered(let offered): return Interface.MoodNotOffered(moods: offered.map(\.word))
        case .moodAlreadyLogged: return Interface.MoodAlreadyLogged()
        case .notCompleted(let id): return Interface.NotCompleted(assignment: id?.text)
        case .cannotAddNote(let fault): return Interface.CannotAddNote(reason: fault.sentence)
        case .cannotSnooze(let fault): return Interface.CannotSnooze(reason: fault.sentence)
        case .patternStands(let pattern): return Interface.PatternStands(pattern: pattern.description)
        case .notLinked: return Link.NotLinked()
        case .linkedAlready(let practice): return Link.LinkedAlready(practice: practice)
        case .otherDevice(let device): return Link.OtherDevice(device: device)
        case .historyReplaced: return Link.HistoryReplaced()
        case .practiceSaysTooMuch: return Link.TooMuchToday()
        }
    }
}

extension NoteFault {
    /// The fault as a sentence for people.
    var sentence: String {
        switch self {
        case .empty: "The note is empty."
        case .tooLong: "A note has at most \(Note.byteLimit) bytes, a long page; write two."
        case .controlCharacter: "The note has a control character in it, which a terminal would obey."
        case .tooMany: "There are \(Note.countLimit) notes with it already, which is the limit."
        }
    }
}

extension Refusal.SnoozeFault {
    /// The fault as a sentence for people.
    var sentence: String {
        switch self {
        case .inThePast: "That time has passed already."
        case .beyondTheDay: "A snooze ends with the day at the latest."
        case .nothingOpen: "Nothing is open, so there is nothing to be reminded of."
        }
    }
}
