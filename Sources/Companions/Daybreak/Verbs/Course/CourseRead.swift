internal import ArgumentParser
import Companion
import Markdown
import PracticeInterfaces
import Varlink

struct CourseRead: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "read", abstract: "Read a lesson: the one with that number, else the first that is new.",
        discussion: """
            At its end you are asked whether it counts as read; --mark and --unread answer that beforehand.
            `daybreak course read 2 --html lesson.html` writes a page for a browser.
            """)

    @Argument(help: ArgumentHelp("The number that `daybreak course` shows.", valueName: "number")) var number: Int?
    @Option(help: ArgumentHelp(CourseName.help, valueName: "name")) var course: String?
    @Flag(help: "It counts as read, without a question.") var mark = false
    @Flag(help: "It stays as new as it was, without a question.") var unread = false
    @Option(
        help: ArgumentHelp(
            "Write the lesson to FILE, a page that needs nothing else; - is standard output.", valueName: "file"),
        completion: .file())
    var html: String?
    @Flag(help: "Write over a file that is there already.") var force = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        try OutputForms.check(json: daemon.json, ("--html", html))
        if mark, unread { throw ValidationError("--mark and --unread contradict each other.") }
    }

    func run() throws {
        let (connection, today) = try daemon.practiceToday()
        let enrolment = try CourseName.one(course, over: connection)
        let lessons = try connection.call(Programmes.ListLessons(enrolment: enrolment.id)).lessons
        let place = try place(in: lessons, today: today)
        guard lessons[place].unlocked else {
            throw Failure.refused(
                Programmes.NotUnlocked.name,
                saying: "Lesson \(place + 1) is locked. \(CoursePage.locked(lessons[place], today: today))")
        }
        let reply = try connection.reply(
            to: Programmes.GetLesson(enrolment: enrolment.id, lesson: lessons[place].id))
        let found = try connection.decode(Programmes.GetLesson.self, from: reply)
        try show(found, reply, in: enrolment)
        guard !unread, !found.lesson.read, try mark || asked() else { return }
        _ = try connection.call(Programmes.MarkRead(enrolment: enrolment.id, lesson: found.lesson.id))
        guard !daemon.json, html != "-" else { return }
        let read = lessons.count(where: \.read) + 1
        Streams.output(
            "  \(read) of \(Wording.counted(lessons.count, "lesson")) read. `daybreak course` shows what is next.\n")
    }

    private func place(in lessons: [Programmes.Lesson], today: String) throws(Failure) -> Int {
        if let number {
            guard let place = lessons.index(numbered: number) else {
                throw .misused(
                    "There is no lesson \(number): the programme has \(Wording.counted(lessons.count, "lesson")).")
            }
            return place
        }
        if let new = lessons.firstIndex(where: { $0.unlocked && !$0.read }) { return new }
        let next = lessons.firstIndex { !$0.unlocked }.map {
            " Lesson \($0 + 1): \(CoursePage.locked(lessons[$0], today: today))"
        }
        throw .refused(
            "NothingNew",
            saying: "There is no new lesson now.\(next ?? "") `daybreak course read N` opens one again.")
    }

    private func show(
        _ found: Programmes.GetLesson.Reply, _ reply: Reply, in enrolment: Programmes.Enrolment
    ) throws {
        guard !daemon.json else { return Streams.output(json: reply.parameters) }
        guard let document = MarkdownDocument(found.text) else {
            throw Failure.refused("TooLong", saying: "The lesson is too long, or too deep or wide, to be shown.")
        }
        guard let html else {
            return output.print(
                LessonText(document, columns: output.columns, ink: output.ink, isPlain: output.plain).text)
        }
        let page = LessonPage(title: found.lesson.title, programme: enrolment.name, document: document).text
        guard html != "-" else { return Streams.output(verbatim: page) }
        let isThere = PrivateFile.existsUnlessForced(html)
        try PrivateFile.write(to: html, replacing: force, orSaying: isThere) { draft throws(Failure) in
            try draft.append(Array(page.utf8)[...])
        }
        Streams.output("Written to \(html.shown); only you can read it.\n")
    }

    /// Only a person at a terminal can have read it.
    private func asked() throws -> Bool {
        guard !daemon.json, html == nil, let reader = LineReader(isPlain: output.plain) else { return false }
        let keys = reader.drawsOnce ? "Enter does; n does not:" : "Enter does; Esc does not. "
        return reader.confirm("\n  Does it count as read? \(keys)") ?? false
    }
}
