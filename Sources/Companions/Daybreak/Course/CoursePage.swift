import Companion
import PracticeInterfaces

/// A client's place in a programme: its lessons, and what opens next.
struct CoursePage {
    let enrolment: Programmes.Enrolment
    let lessons: [Programmes.Lesson]
    /// The client's day.
    let today: String
    let columns: Int?
    let ink: Ink
    /// The client takes part in no other programme now.
    var isOnly = true

    var text: String {
        let facts = [
            "\(read) of \(Wording.counted(lessons.count, "lesson")) read", state,
            (enrolment.surveysDue ?? 0) > 0
                ? "\(Wording.counted(enrolment.surveysDue ?? 0, "survey")) to answer: `daybreak survey`" : nil,
        ].compactMap { $0 }
        let summary = (enrolment.summary ?? "").paragraphs(columns: columns.map { max(1, $0 - 3) })
        let head =
            "  " + ink.strong(enrolment.name.shown.singleLine) + "\n"
            + (enrolment.summary ?? "").ifWritten { _ in summary.map { "  \($0)\n" }.joined() }
            + facts.packed(to: columns.map { max(1, $0 - 3) } ?? .max).map { "  \(ink.faint($0))\n" }.joined()
        return head + "\n" + table.text(columns: columns, ink: ink) + end
    }

    private var read: Int { lessons.count(where: \.read) }

    private var state: String {
        let since = Wording.day(enrolment.since, today: today)
        let until = enrolment.until.map { Wording.day($0, today: today) } ?? ""
        return switch enrolment.state {
        case .active: "since \(since)"
        case .finished: "finished \(until)"
        case .withdrawn: "ended \(until)"
        }
    }

    private var table: Table {
        var table = Table([
            .init("", isNumber: true, leads: true), .init("Lesson", leads: true), .init("Time"), .init(""),
        ])
        for (place, lesson) in lessons.enumerated() {
            table.rows.append([
                .init("\(place + 1)", .faint),
                .init(lesson.title.singleLine, lesson.unlocked && !lesson.read ? .strong : .plain),
                .init(lesson.minutes.map { "\($0) min" } ?? "", .faint), mark(lesson),
            ])
        }
        return table
    }

    private func mark(_ lesson: Programmes.Lesson) -> Table.Cell {
        if lesson.read { return .init("read", .good) }
        return lesson.unlocked ? .init("open", .warm) : .init("locked", .faint)
    }

    private var option: String { isOnly ? "" : " --course \(enrolment.id.shown)" }

    /// The client's next step, and the lesson that opens next, with its reason and its moment.
    private var end: String {
        guard enrolment.state == .active else { return "" }
        var sentences: [String] = []
        if let place = lessons.firstIndex(where: { $0.unlocked && !$0.read }) {
            sentences.append("`daybreak course read\(option)` opens lesson \(place + 1).")
        } else if lessons.allSatisfy(\.read), !lessons.isEmpty {
            sentences.append("You have read all lessons. `daybreak course read N\(option)` opens one again.")
        }
        if let place = lessons.firstIndex(where: { !$0.unlocked }) {
            sentences.append("Lesson \(place + 1): \(Self.locked(lessons[place], today: today))")
        }
        let lines = sentences.flatMap { $0.wrapped(to: columns.map { max(1, $0 - 3) } ?? .max) }
        return lines.isEmpty ? "" : "\n" + lines.map { "  \($0)\n" }.joined()
    }

    /// Why a lesson is locked, and when that changes by itself, unless the reason names the day.
    static func locked(_ lesson: Programmes.Lesson, today: String) -> String {
        let reason = Wording.sentence(lesson.reason ?? "It is locked")
        guard let opens = lesson.unlocksAt, lesson.unlocksOn == nil else { return reason }
        return "\(reason) It opens \(Wording.time(opens, today: today))."
    }
}

extension String {
    /// Empty for a text of white space.
    fileprivate func ifWritten(_ make: (String) -> String) -> String { withoutEnd.isEmpty ? "" : make(self) }
}
