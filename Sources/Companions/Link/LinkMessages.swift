import DaybreakInterfaces
import PracticeInterfaces
import Text
import Varlink

// The machine's inputs, its actions, and the calls and answers in them.
extension LinkMachine {
    enum Line: Hashable {
        case follow, exchange
    }

    enum Input {
        case frame(Frame)
        /// The daemon disconnected.
        case daemonGone
        /// The daemon's answer to a call, and a frame that was asked for after it; nil if the daemon does not answer.
        case answered(DaemonCall, DaemonAnswer, Frame?)
        /// So many bytes came from the practice.
        case received(Line, bytes: Int)
        case news(Care.News)
        case practiceAnswered(PracticeAnswer)
        case ended(Line, Trouble)
        /// The time that was asked for has come.
        case time
        /// The machine resumed, or its network changed.
        case networkChanged(isResume: Bool)
        /// The wall's clock shows another time.
        case clockSet
    }

    /// A call to the daemon.
    enum DaemonCall: Equatable {
        case takeSchedule(revision: Int, schedule: String, done: [Care.Done] = [])
        case takeNews(Care.News)
        case reported(device: String, through: Int, id: String?)
        case renewDevice(String)
        case setShares([Link.Share], from: [Link.Share])
        case tell(Link.Condition, sentence: String?, seconds: Int?)
    }

    enum DaemonAnswer: Equatable {
        case done
        /// News were taken, but for so many talking points.
        case taken(leftOut: Int)
        /// With the error's full name, and the parameter if it is InvalidParameter.
        case refused(String, parameter: String? = nil)
    }

    /// A call to the practice.
    enum PracticeCall: Equatable {
        case follow(device: String, revision: Int?)
        case profile
        case setShares([String])
        case report(device: String, [Link.Happening])
        case dismiss(String)
    }

    enum PracticeAnswer: Equatable {
        case profile(shares: [String])
        case sharesSet, dismissed
        case heard(Int, id: String?)
        /// With the error's full name, and the number of the happening that it names.
        case refused(String, sequence: Int? = nil)
    }

    /// Why a connection ended or could not be made.
    struct Trouble: Equatable {
        enum Kind {
            /// It is worth trying again soon.
            case passing
            /// It is worth trying again once an hour.
            case lasting
            /// A person has to do something.
            case final
        }

        let kind: Kind
        let sentence: String

        /// Parts of the sentence may come from a hostile machine: it becomes one line that a terminal can print, not too long.
        init(kind: Kind, sentence: String) {
            self.kind = kind
            self.sentence = String(String.UnicodeScalarView(sentence.visible.unicodeScalars.prefix(400)))
        }

        static let unknownKey = Trouble(
            kind: .lasting,
            sentence: "The practice does not take this machine's key any more. Ask the practice for an invitation.")
        /// sshd's word, which is the same while the practice's daemon is away.
        static let refusedKey = Trouble(
            kind: .passing,
            sentence: "The practice does not take this machine's key now. If that lasts, ask it for an invitation.")
        static let notUnderstood = Trouble(
            kind: .lasting, sentence: "The practice's answer is not understood: it may be of another version.")
        static let tooMuch = Trouble(kind: .lasting, sentence: "The practice sends too much.")
        static let heardTooOften = Trouble(
            kind: .lasting, sentence: "The practice asks too often to be told all anew: the rest is told tomorrow.")
        static let busy = Trouble(kind: .passing, sentence: "The practice is too busy at the moment.")
        static let closed = Trouble(kind: .passing, sentence: "The practice is closed at the moment.")
    }

    enum Action: Equatable {
        /// Opens the line if it is not open, and sends the call.
        case ask(Line, PracticeCall)
        case close(Line)
        case daemon(DaemonCall)
        /// For the journal.
        case say(String)
        /// Replaces the time asked for before.
        case wake(at: Int64)
    }
}

extension LinkMachine.Trouble {
    /// - Parameter refusal: the full name of the practice's error.
    init(refusal: String) {
        switch refusal {
        case Practice.SignedOut.name: self = .unknownKey
        case Practice.StorageUnavailable.name: self = .closed
        case Practice.TooManyConnections.name, Practice.TooManyCalls.name, Practice.CallUnfinished.name,
            Practice.RepliesUnread.name:
            self = .busy
        default: self.init(kind: .lasting, sentence: "The practice refuses: \(refusal).")
        }
    }
}

extension Care.News {
    /// The news without the part that the daemon refused; nil for a part that it does not know.
    func without(_ parameter: String) -> Care.News? {
        var less = self
        switch parameter {
        case "provider": less.provider = nil
        case "link": less.link = nil
        case "availableUntil": less.availableUntil = nil
        case "news":
            (less.unreadMail, less.urgentMail, less.unreadChat) = (0, 0, 0)
            (less.surveysDue, less.broadcasts, less.announcements, less.surveys) = (0, 0, nil, nil)
            less.unreadLessons = nil
        default: return nil
        }
        return less
    }
}
