import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time

extension Programmes.ListLessons: Handled {
    static let right = Right.seeEnrolments

    func answer(in context: CallContext) throws -> Reply {
        let (found, record) = try context.enrolment(enrolment)
        context.what = found.id.description
        let (lessons, rules) = try context.unlocking(of: found, record)
        return Reply(lessons: lessons.map { context.told($0, rules, context.zone(of: record)) })
    }
}

extension Programmes.GetLesson: Handled {
    static let right = Right.seeEnrolments

    func answer(in context: CallContext) throws -> Reply {
        let (found, record) = try context.enrolment(enrolment)
        let told = try context.lesson(lesson, of: found, record)
        if !told.unlocked, context.role == .client { throw Programmes.NotUnlocked(told) }
        context.what = "\(found.id) \(told.id)"
        return Reply(
            lesson: told, text: try context.store.lessonText(told.id, of: found.programme, found.revision))
    }
}

extension Programmes.MarkRead: Handled {
    static let right = Right.takePart

    func answer(in context: CallContext) throws -> Reply {
        let (found, record) = try context.enrolment(enrolment)
        let told = try context.lesson(lesson, of: found, record)
        guard told.unlocked else { throw Programmes.NotUnlocked(told) }
        context.what = "\(found.id) \(told.id)"
        context.isWithoutEffect = told.read
        guard !told.read else { return Reply(lesson: told) }
        try context.store.addReadMark(told.id, in: found, at: context.now)
        try context.tell(of: found.id, record)
        try context.finishIfDone(found.id, of: record)
        return Reply(lesson: try context.lesson(lesson, of: found, record))
    }
}

extension Programmes.NotUnlocked {
    fileprivate init(_ lesson: Programmes.Lesson) {
        self.init(reason: lesson.reason ?? "", unlocksAt: lesson.unlocksAt, unlocksOn: lesson.unlocksOn)
    }
}

extension CallContext {
    /// The lessons of an enrolment, without their texts, and the rules by which they unlock.
    func unlocking(
        of enrolment: ClientEnrolment, _ record: Record
    ) throws -> (lessons: [ProgrammeVersion.Lesson], rules: Unlocking) {
        let lessons = try store.lessons(of: enrolment.programme, enrolment.revision)
        let marks = try store.readMarks(of: enrolment.id)
        let (zone, end) = (zone(of: record), enrolment.end)
        return (
            lessons,
            Unlocking(
                since: enrolment.since, today: zone.day(at: now),
                // Earlier versions put the end of one that had not begun on its first day.
                endedOn: end.map { min($0.on, zone.day(at: $0.at)) }, read: Set(marks.map(\.lesson)),
                readSinceEnd: Set(marks.filter { mark in end.map { mark.at >= $0.at } ?? false }.map(\.lesson)),
                open: try store.openFirstSurveys(of: enrolment.id, at: now), lessons: lessons)
        )
    }

    fileprivate func lesson(
        _ id: String, of enrolment: ClientEnrolment, _ record: Record
    ) throws -> Programmes.Lesson {
        let (lessons, rules) = try unlocking(of: enrolment, record)
        guard let lesson = lessons.first(where: { $0.id == id }) else {
            throw Practice.NotFound(kind: "lesson", id: id)
        }
        return told(lesson, rules, zone(of: record))
    }

    fileprivate func told(
        _ lesson: ProgrammeVersion.Lesson, _ rules: Unlocking, _ zone: Zone
    ) -> Programmes.Lesson {
        let lock = rules.lock(of: lesson)
        return Programmes.Lesson(
            id: lesson.id, title: lesson.title, minutes: lesson.minutes, unlocked: lock == nil,
            reason: lock?.sentence, unlocksAt: lock?.unlocksOn.map { zone.start(of: $0).spelled(in: zone) },
            read: rules.read.contains(lesson.id), unlocksOn: lock?.unlocksOn?.description)
    }

    // MARK: A client's machine

    /// The lessons that a client can read and has not read, and the next instant at which another one unlocks by itself. Nil if
    /// they are in no programme.
    func unreadLessons(of record: Record) throws -> (count: Int, next: Instant?)? {
        let enrolments = try store.enrolments(of: record.person.id, past: false)
        guard !enrolments.isEmpty else { return nil }
        let zone = zone(of: record)
        var (count, next) = (0, CalendarDay?.none)
        for enrolment in enrolments {
            let (lessons, rules) = try unlocking(of: enrolment, record)
            for lesson in lessons where !rules.read.contains(lesson.id) {
                guard let lock = rules.lock(of: lesson) else {
                    count += 1
                    continue
                }
                next = [next, lock.unlocksOn].compactMap { $0 }.min()
            }
        }
        // An instant that is not to come would be waited for again and again.
        return (count, next.map { zone.start(of: $0) }.flatMap { $0 > now ? $0 : nil })
    }
}

extension Instant {
    /// The instant as RFC 3339, as clocks of that zone show it.
    func spelled(in zone: Zone) -> String {
        DateTime(self, offset: .seconds(zone.offset(at: self))).description
    }
}
