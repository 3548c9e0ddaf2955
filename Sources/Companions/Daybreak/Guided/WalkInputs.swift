import Companion
import DaybreakInterfaces

// What goes into a walk, and what comes out.
extension Walk {
    /// A call of the daemon.
    enum Request: Equatable {
        case start, pause, resume, restart, join, leave, presence
        case logMood(String)
        case note(String)
        /// What was written so far, and waits for the session.
        case notes
        /// Get the assignment, whose flow ended.
        case look(String)
    }

    enum Input: Equatable {
        case key(Key)
        /// One of the moods, named outright.
        case chosen(Int)
        /// A whole note, typed on a line.
        case wrote(String)
        /// Breathing along began, at a time of the monotonic clock.
        case breathingAlong(since: Double)
        /// The page stands on the screen, at a time of the monotonic clock.
        case shown(at: Double)
        case status(Homework.Status)
        /// A reply of the guiding, at a time of the monotonic clock.
        case guided(Homework.Flow, at: Double)
        /// The guiding's last reply, or the error it ended with.
        case guidingEnded(Homework.Flow, at: Double)
        case guidingRefused(String)
        case answered(Request, Answer, at: Double)
        case refused(Request, String)
        /// The daemon hung up; and it can be reached again.
        case gone, back
    }

    /// What a call's reply carried.
    enum Answer: Equatable {
        case flow(Homework.Flow)
        case step(Homework.Flow?, Homework.Assignment)
        case presence(Provider.Presence.Reply)
        case kept
        case notes([String])
    }

    enum Action: Equatable {
        case call(Request)
        /// Open the guiding, or close it.
        case breathe, stopBreathing
        /// Say when breathing along begins: now.
        case breatheAlong
        /// Show a link with xdg-open.
        case open(String)
        case end(Ending)
    }

    enum Ending: Equatable {
        /// The client went away; the flow stays where it is.
        case left
        case completed
        /// The flow was given up elsewhere.
        case givenUp
    }
}
