import DaybreakInterfaces
import Foundation
import JSON
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// Values of the interface, read from JSON as the daemon would send it.
enum Sample {
    static func decode<T: Decodable>(_ json: String) -> T {
        try! JSONDecoder().decode(T.self, from: Data(json.utf8))
    }

    static func assignment(
        _ state: String = "eligible", due: String = "2026-11-20", breaths: Int = 5, also: String = ""
    ) -> Homework.Assignment {
        decode(
            """
            {"id":"\(due)","due":"\(due)","breaths":\(breaths),"breathsDone":\(state == "completed" ? breaths : 0),
             "pattern":{"inhale":4,"hold":0,"exhale":6,"rest":0},
             "moods":["calm","tired","hopeful","穏やか"],"state":"\(state)","reason":"it is today's task"\(also)}
            """)
    }

    static func exercise(
        breath: Int = 1, phase: String = "inhale", seconds: Double = 4, elapsed: Double = 0, remaining: Double = 50,
        paused: Bool = false
    ) -> String {
        """
        {"breaths":5,"breath":\(breath),"pattern":{"inhale":4,"hold":0,"exhale":6,"rest":0},"phase":"\(phase)",
         "phaseSeconds":\(seconds),"phaseElapsed":\(elapsed),"remainingSeconds":\(remaining),"paused":\(paused),
         "guided":true}
        """
    }

    static func flow(
        _ stage: String = "exercise", exercise: String? = nil, mayJoin: Bool = false, moodLogged: Bool = false
    ) -> Homework.Flow {
        let part = stage == "exercise" ? ",\"exercise\":\(exercise ?? self.exercise())" : ""
        return decode(
            """
            {"assignment":"2026-11-20","stage":"\(stage)","since":"2026-11-20T14:03:00+01:00","mayJoin":\(mayJoin),
             "moodLogged":\(moodLogged)\(part)}
            """)
    }

    /// `guided`: a guide leads the client through the flow's exercise, if there is one.
    static func status(
        _ flow: Homework.Flow? = nil, online: Bool = false, guided: Bool = false
    ) -> Homework.Status {
        var status: Homework.Status = decode(
            """
            {"version":1,"today":"2026-11-20","timeZone":"Europe/Berlin","asOf":"2026-11-20T14:00:00+01:00",
             "nextUnlock":"2026-11-21T00:00:00+01:00","nextReminder":"2026-11-20T18:00:00+01:00",
             "providerOnline":\(online),"counts":{"completed":35,"missed":2,"open":1,"locked":12}}
            """)
        status.startsWithSession = online && flow == nil ? true : nil
        status.flow = flow
        status.flow?.exercise?.guided = guided
        return status
    }

    static func eligible(_ status: Homework.Status) -> Homework.Status {
        var status = status
        status.eligible = decode(
            """
            {"id":"2026-11-20","due":"2026-11-20","breaths":5,"state":"eligible","reason":"it is today's task"}
            """)
        return status
    }

    static func walk(_ flow: Homework.Flow? = nil, online: Bool = false) -> Walk {
        Walk(status: status(flow, online: online), assignment: assignment(flow == nil ? "eligible" : "inProgress"))
    }

    /// A walk in the exercise, led since second 0 of the clock.
    static func breathing(_ exercise: String? = nil, mayJoin: Bool = false) -> Walk {
        var walk = walk()
        _ = walk.take(.key(.enter))
        let flow = flow(exercise: exercise, mayJoin: mayJoin)
        _ = walk.take(.answered(.start, .flow(flow), at: 0))
        _ = walk.take(.guided(flow, at: 0))
        return walk
    }

    static let provider = Provider.Presence.Reply(
        online: true, name: "Dr. Amsel", until: nil, link: "https://meet.example.org/amsel")
}

extension Walk {
    /// Its page has been on the screen for longer than the moment without keys.
    mutating func isSeen() {
        for time in [0, Walk.recognition] { _ = take(.shown(at: time)) }
    }
}
