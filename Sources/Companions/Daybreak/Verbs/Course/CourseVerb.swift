internal import ArgumentParser
import Companion
import Messages
import PracticeInterfaces

/// The client's programmes and their lessons: `course` and its verbs.
struct CourseVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "course", abstract: "Follow your programme, and read its lessons.",
        subcommands: [CourseShow.self, CourseRead.self], defaultSubcommand: CourseShow.self)
}

struct CourseShow: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "show", abstract: "Show where you are: the lessons, and what opens next.")

    @Flag(help: "Programmes that have ended, too.") var past = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    private struct Course: Encodable {
        let enrolment: Programmes.Enrolment
        let lessons: [Programmes.Lesson]
    }

    func run() throws {
        let (connection, today) = try daemon.practiceToday()
        let enrolments = try connection.call(Programmes.ListEnrolments(past: past ? true : nil)).enrolments
        let courses = try enrolments.map { enrolment in
            Course(
                enrolment: enrolment,
                lessons: try connection.call(Programmes.ListLessons(enrolment: enrolment.id)).lessons)
        }
        guard !daemon.json else { return Streams.output(object: ["courses": courses]) }
        guard !courses.isEmpty else { return output.print("  \(CourseName.none)\n") }
        let isOnly = enrolments.count { $0.state == .active } == 1
        let pages = courses.map { course in
            CoursePage(
                enrolment: course.enrolment, lessons: course.lessons, today: today, columns: output.columns,
                ink: output.ink, isOnly: isOnly
            ).text
        }
        output.print(pages.joined(separator: "\n"))
    }
}

/// The programme whose lessons are read.
struct CourseName {
    static let help = "Which programme, if you take part in several: a part of its name, or its identifier."
    static let none = "You take part in no programme now."

    /// - Parameter text: nil for the only one.
    static func one(_ text: String?, over connection: DaemonConnection) throws(Failure) -> Programmes.Enrolment {
        let all = try connection.call(Programmes.ListEnrolments(past: true)).enrolments
        let active = all.filter { $0.state == .active }
        guard let text else {
            if let only = active.first, active.count == 1 { return only }
            guard !active.isEmpty else {
                throw .refused("NoProgramme", saying: "\(none) `daybreak course --past` lists those that have ended.")
            }
            throw .refused(
                "SeveralProgrammes",
                saying: (["You take part in several programmes; say which, with --course:"]
                    + active.map { "  \($0.id.shown)  \($0.name.shown.singleLine)" }).joined(separator: "\n"))
        }
        if let named = all.first(where: { $0.id == text }) { return named }
        let found = active.filter { $0.name.holds(text) }
        return try NameMatch.one(
            text, among: found.isEmpty ? all.filter { $0.name.holds(text) } : found, kind: "programme",
            plural: "programmes", name: \.name, mark: \.id, advice: "`daybreak course --past` lists yours.")
    }
}
