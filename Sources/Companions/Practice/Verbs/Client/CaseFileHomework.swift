import Companion
import JSON
import ScheduleFormat
import StaffInterfaces
import Time

/// The part of a case file's page about homework: assigned, and told by the client's own Daybreak.
struct CaseFileHomework {
    private let file: Records.ClientFile
    private let homework: Records.FiledCare
    private let schedules: [(head: String, tasks: [Schedule.Entry])]

    /// Throws if a schedule cannot be read.
    init(_ file: Records.ClientFile) throws(Failure) {
        self.file = file
        homework =
            file.care
            ?? .init(shares: [], schedules: [], happenings: [], devices: [], talkingPoints: [], feedback: [])
        var schedules: [(String, [Schedule.Entry])] = []
        for schedule in homework.schedules {
            let head =
                "Revision \(schedule.revision), \(Wording.time(schedule.at, today: nil)), by \(file.name(schedule.by))"
            do throws(InvalidSchedule) {
                let tasks = try ScheduleReader.read(schedule.tasks.text, isRecorded: true).entries
                schedules.append((head, tasks))
            } catch {
                throw .notUnderstood("a schedule: \(error.reason)", from: .practiced)
            }
        }
        self.schedules = schedules
    }

    var section: CaseFileSection {
        CaseFileSection(
            title: "Homework", parts: file.care == nil ? [] : [shares] + assigned + told + devices + points + feedback)
    }

    private var shares: String {
        let shares = homework.shares.isEmpty ? "nothing" : homework.shares.joined(separator: ", ")
        return "Shared with the practice: \(shares).".paragraphOnPage
    }

    private var assigned: [String] {
        schedules.flatMap { head, tasks in
            let rows: [[String]] = tasks.map { task in
                let pattern = task.pattern.map { "\($0)" } ?? ""
                let moods = task.moods.map(\.word).joined(separator: ", ")
                return [Wording.date("\(task.due)"), task.id?.text ?? "", "\(task.breaths)", pattern, moods]
            }
            let table =
                tasks.isEmpty ? "<p>No tasks.</p>" : rows.tableOnPage("Due", "Task", "Breaths", "Pattern", "Moods")
            return [head.headingOnPage, table]
        }
    }

    // MARK: From the client's Daybreak

    private var told: [String] {
        guard !homework.happenings.isEmpty else { return [] }
        let rows = homework.happenings.map { told in
            let happening = told.happening
            let day = CalendarDay(of: happening.at).map { "\($0)" } == happening.day ? "" : Wording.date(happening.day)
            let heard = "\(told.device), No. \(happening.sequence), heard \(Wording.time(told.received, today: nil))"
            return [
                Wording.time(happening.at, today: nil), day, happening.task ?? "", Self.words(happening),
                happening.breaths.map { "\($0)" } ?? "", happening.mood ?? "", happening.text ?? "", heard,
            ]
        }
        let table = rows.tableOnPage("When", "Counted for", "Task", "What", "Breaths", "Mood", "Note", "Told by")
        return ["What the client's Daybreak told".headingOnPage, table] + moods
    }

    private static func words(_ happening: Records.FiledHappening.Happening) -> String {
        let revision = happening.revision.map { " revision \($0)" } ?? ""
        let words =
            switch happening.what {
            case "scheduleTaken": "took in"
            case "started": "began"
            case "breathed": "breathed"
            case "exerciseFinished": "finished the exercise"
            case "joined": "joined the session"
            case "left": "left the session"
            case "cancelled": "broke off"
            case "setAside": "was set aside by the clock"
            case "missed": "was missed"
            case "moodLogged": "logged the mood"
            case "moodCorrected": "corrected the mood"
            case "completed": "completed"
            case "noteWritten": "wrote a note"
            default: happening.what
            }
        return words + revision
    }

    /// The last mood of each task, over the days; empty for none.
    private var moods: [String] {
        var last: [String: DayLog.Entry] = [:]
        for happening in homework.happenings.map(\.happening) {
            guard let mood = happening.mood, let day = CalendarDay(happening.day) else { continue }
            let task = happening.task ?? happening.day
            last[task] = DayLog.Entry(day: last[task]?.day ?? day, word: mood)
        }
        guard !last.isEmpty else { return [] }
        let entries = last.sorted { $0.key < $1.key }.map(\.value)
        return [DotDrawing(log: DayLog(entries, words: entries.map(\.word)), title: "Moods").figure("moods")]
    }

    private var devices: [String] {
        guard !homework.devices.isEmpty else { return [] }
        let rows = homework.devices.map { device in
            [device.device, Wording.time(device.lastHeard, today: nil), "\(device.heard)", "\(device.revision)"]
        }
        return [
            "Devices".headingOnPage, rows.tableOnPage("Device", "Last heard", "Last happening", "Schedule's revision"),
        ]
    }

    private var points: [String] {
        guard !homework.talkingPoints.isEmpty else { return [] }
        return ["Talking points".headingOnPage]
            + homework.talkingPoints.flatMap { point in
                [
                    "\(Wording.time(point.at, today: nil)) · \(file.name(point.by))".paragraphOnPage,
                    point.text.writtenOnPage,
                ]
            }
    }

    private var feedback: [String] {
        guard !homework.feedback.isEmpty else { return [] }
        return ["Feedback on the care".headingOnPage]
            + homework.feedback.flatMap { said in
                let rating = said.rating.map { ", \($0) of 5" } ?? ""
                let head = "About \(said.aboutName ?? file.name(said.about))\(rating)"
                let by = said.clientName.map { " · \($0)" } ?? ""
                return [
                    "\(head) · \(Wording.time(said.at, today: nil))\(by)".paragraphOnPage, said.text.writtenOnPage,
                ]
            }
    }
}
