import ScheduleFormat
import TOML
import Text

/// The contents of a `programme.toml`, with the faults that were found in it.
struct ProgrammeDocument {
    private let root: TOMLTable
    private(set) var faults: [(line: Int, reason: String)] = []
    private var known: (lessons: [LessonEntry], surveys: [SurveyEntry]) = ([], [])

    /// The part that all tables with a file share.
    struct Entry {
        let line: Int
        var file: String?

        /// The file's name, without folder and ending.
        var id: String? {
            guard let name = file?.split(separator: "/").last else { return nil }
            return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? String(name)
        }
    }

    struct LessonEntry {
        var entry: Entry
        var title: String?
        var minutes: Int?
        var afterDays = 0
        var afterLesson: String?
        var afterSurvey: String?
        /// The lines of those two.
        var lessonLine = 0
        var surveyLine = 0
    }

    struct SurveyEntry {
        var entry: Entry
        var firstDay = 1
        var everyDays = 1
        var times = 1
        var openDays = 1
    }

    init(_ root: TOMLTable) { self.root = root }

    mutating func refuse(_ place: TextPosition, _ reason: String) { faults.append((place.line, reason)) }

    // MARK: The head

    mutating func readHead() -> (id: String, name: String, summary: String)? {
        var (id, name, summary): (String?, String?, String?) = (nil, nil, nil)
        for entry in root.entries {
            switch entry.key {
            case "id": id = identifier(entry)
            case "name": name = words(entry) { text throws(FieldError) in try Field.name(text) }
            case "summary": summary = words(entry) { text throws(FieldError) in try Field.text(text) }
            case "lesson", "survey", "homework": break
            default:
                refuse(
                    entry.place,
                    "There is no \"\(entry.key.shown)\" in a programme: it has id, name, summary, [[lesson]], [[survey]] and [[homework]]."
                )
            }
        }
        for needed in ["id", "name"] where root[needed] == nil {
            refuse(TextPosition(line: 1, column: 1), "The programme has no \"\(needed)\".")
        }
        if root["lesson"] == nil, root["survey"] == nil {
            refuse(TextPosition(line: 1, column: 1), "The programme has no [[lesson]] and no [[survey]].")
        }
        guard let id, let name else { return nil }
        return (id, name, summary ?? "")
    }

    private mutating func identifier(_ entry: TOMLTable.Entry) -> String? {
        guard let text = entry.node.text, (1...64).contains(text.utf8.count), text.utf8.allSatisfy(\.isOfName),
            text.first != "-", text.first != "."
        else {
            refuse(
                entry.node.place,
                "\"id\" must be 1 to 64 letters (A-Z, a-z), digits, dots, underscores or hyphens, no dot or hyphen first."
            )
            return nil
        }
        return text
    }

    private mutating func words(
        _ entry: TOMLTable.Entry, _ check: (String) throws(FieldError) -> String
    ) -> String? {
        guard let text = entry.node.text else {
            refuse(entry.node.place, "\"\(entry.key)\" must be a text in quotes.")
            return nil
        }
        do { return try check(text) } catch {
            refuse(entry.node.place, "\"\(entry.key)\" \(error.reason)")
            return nil
        }
    }

    private mutating func number(_ entry: TOMLTable.Entry, in range: ClosedRange<Int>) -> Int? {
        guard let number = entry.node.number, range.contains(number) else {
            refuse(
                entry.node.place,
                "\"\(entry.key)\" must be a whole number from \(range.lowerBound) to \(range.upperBound).")
            return nil
        }
        return number
    }

    /// The tables of `[[name]]`.
    private mutating func tables(_ name: String, limit: Int) -> [(table: TOMLTable, place: TextPosition)] {
        guard let entry = root[name] else { return [] }
        guard let nodes = entry.node.array else {
            refuse(entry.place, "Write [[\(name)]], with two brackets, and its lines below it.")
            return []
        }
        if nodes.count > limit { refuse(nodes[limit].place, "There are more than \(limit) [[\(name)]].") }
        var tables: [(TOMLTable, TextPosition)] = []
        for node in nodes.prefix(limit) {
            guard let table = node.table else {
                refuse(node.place, "Write [[\(name)]], with two brackets, and its lines below it.")
                continue
            }
            tables.append((table, node.place))
        }
        return tables
    }

    private mutating func refuseUnknown(_ entry: TOMLTable.Entry, in table: String, having keys: String) {
        refuse(entry.place, "There is no \"\(entry.key.shown)\" in a [[\(table)]]: it has \(keys).")
    }

    // MARK: Lessons

    mutating func lessons() -> [LessonEntry] {
        known.lessons = tables("lesson", limit: ProgrammeLimits.lessons).map { table, place in
            var lesson = LessonEntry(entry: Entry(line: place.line))
            for entry in table.entries {
                switch entry.key {
                case "file": lesson.entry.file = path(entry, ending: ".md")
                case "title": lesson.title = words(entry) { text throws(FieldError) in try Field.name(text) }
                case "minutes": lesson.minutes = number(entry, in: 1...600)
                case "after_days": lesson.afterDays = number(entry, in: 0...ProgrammeLimits.days) ?? 0
                case "after_lesson":
                    (lesson.afterLesson, lesson.lessonLine) = (name(entry), entry.place.line)
                case "after_survey":
                    (lesson.afterSurvey, lesson.surveyLine) = (name(entry), entry.place.line)
                default:
                    refuseUnknown(
                        entry, in: "lesson", having: "file, title, minutes, after_days, after_lesson and after_survey")
                }
            }
            if table["file"] == nil { refuse(place, "The [[lesson]] has no \"file\".") }
            return lesson
        }
        return known.lessons
    }

    /// The id of a lesson or survey, which may be written as its file is.
    private mutating func name(_ entry: TOMLTable.Entry) -> String? {
        guard let text = entry.node.text else {
            refuse(entry.node.place, "\"\(entry.key)\" must be a text in quotes.")
            return nil
        }
        var file = Entry(line: 0)
        file.file = text
        return text.hasSuffix(".md") || text.hasSuffix(".json") ? file.id ?? text : text
    }

    private mutating func path(_ entry: TOMLTable.Entry, ending: String) -> String? {
        guard let text = entry.node.text, text.hasSuffix(ending), ProgrammeReader.isPath(text) else {
            refuse(entry.node.place, "\"file\" must be the name of a file in this folder that ends with \(ending).")
            return nil
        }
        return text
    }

    // MARK: Surveys

    mutating func surveys() -> [SurveyEntry] {
        var occurrences = 0
        known.surveys = tables("survey", limit: ProgrammeLimits.surveys).map { table, place in
            var survey = SurveyEntry(entry: Entry(line: place.line))
            for entry in table.entries {
                switch entry.key {
                case "file": survey.entry.file = path(entry, ending: ".json")
                case "first_day": survey.firstDay = number(entry, in: 1...ProgrammeLimits.days) ?? 1
                case "every_days": survey.everyDays = number(entry, in: 1...366) ?? 1
                case "times": survey.times = number(entry, in: 1...ProgrammeLimits.occurrences) ?? 1
                case "open_days": survey.openDays = number(entry, in: 1...366) ?? 1
                default:
                    refuseUnknown(entry, in: "survey", having: "file, first_day, every_days, times and open_days")
                }
            }
            if table["file"] == nil { refuse(place, "The [[survey]] has no \"file\".") }
            if survey.times > 1, survey.openDays > survey.everyDays {
                refuse(
                    table["open_days"]?.place ?? place,
                    "The survey would open again before it closes: open_days must be at most every_days.")
            }
            if survey.times > 1, table["every_days"] == nil {
                refuse(table["times"]?.place ?? place, "The [[survey]] has \"times\" and no \"every_days\".")
            }
            if survey.firstDay + (survey.times - 1) * survey.everyDays > ProgrammeLimits.days {
                refuse(place, "The survey's last day is later than day \(ProgrammeLimits.days).")
            }
            occurrences += survey.times
            return survey
        }
        if occurrences > ProgrammeLimits.occurrences, let place = root["survey"]?.place {
            refuse(place, "All surveys together are asked more than \(ProgrammeLimits.occurrences) times.")
        }
        return known.surveys
    }

    /// Each lesson and each survey has an id of its own, and what a lesson waits for stands before it.
    mutating func checkOrder() {
        for (kind, entries) in [("lesson", known.lessons.map(\.entry)), ("survey", known.surveys.map(\.entry))] {
            var ids: Set<String> = []
            for entry in entries {
                guard let id = entry.id, !ids.insert(id).inserted else { continue }
                faults.append((entry.line, "Another [[\(kind)]] has a file of that name: \(id)."))
            }
        }
        var before: Set<String> = []
        let surveys = Set(known.surveys.compactMap(\.entry.id))
        for lesson in known.lessons {
            if let after = lesson.afterLesson, !before.contains(after) {
                faults.append(
                    (lesson.lessonLine, "\"after_lesson\" must be the file of a lesson that stands before this one."))
            }
            if let after = lesson.afterSurvey, !surveys.contains(after) {
                faults.append((lesson.surveyLine, "\"after_survey\" must be the file of a [[survey]]."))
            }
            if let id = lesson.entry.id { before.insert(id) }
        }
        faults.sort { $0.line < $1.line }
    }

    // MARK: Homework

    mutating func tasks() -> [ProgrammeVersion.Task] {
        var tasks: [ProgrammeVersion.Task] = []
        for (table, place) in tables("homework", limit: 100) {
            var (day, breaths, every, times): (Int?, Int?, Int, Int) = (nil, nil, 1, 1)
            var (moods, pattern): ([String]?, String?) = (nil, nil)
            for entry in table.entries {
                switch entry.key {
                case "day": day = number(entry, in: 1...ProgrammeLimits.days)
                case "every_days": every = number(entry, in: 1...366) ?? 1
                case "times": times = number(entry, in: 1...ProgrammeLimits.tasks) ?? 1
                case "breaths": breaths = number(entry, in: 1...Schedule.Entry.breathLimit)
                case "moods": moods = self.moods(entry)
                case "pattern": pattern = self.pattern(entry)
                default:
                    refuseUnknown(entry, in: "homework", having: "day, every_days, times, breaths, moods and pattern")
                }
            }
            for needed in ["day", "breaths", "moods"] where table[needed] == nil {
                refuse(place, "The [[homework]] has no \"\(needed)\".")
            }
            guard let day, let breaths, let moods else { continue }
            guard day + (times - 1) * every <= ProgrammeLimits.days else {
                refuse(place, "The last task is due later than day \(ProgrammeLimits.days).")
                continue
            }
            tasks += (0..<times).map {
                .init(day: day + $0 * every, breaths: breaths, moods: moods, pattern: pattern)
            }
        }
        if tasks.count > ProgrammeLimits.tasks, let place = root["homework"]?.place {
            refuse(place, "There are more than \(ProgrammeLimits.tasks) tasks.")
            return []
        }
        // Stable, because tasks of one day keep their order.
        return tasks.enumerated().sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }.map(\.element)
    }

    private mutating func moods(_ entry: TOMLTable.Entry) -> [String]? {
        let words = entry.node.array?.map(\.text)
        guard let words, words.allSatisfy({ $0 != nil }) else {
            refuse(entry.node.place, "\"moods\" must be an array of words, such as [\"calm\", \"tired\"].")
            return nil
        }
        do { return try Schedule.Entry.checked(newMoods: words.compactMap { $0 }).map(\.word) } catch {
            refuse(entry.node.place, error.sentence)
            return nil
        }
    }

    private mutating func pattern(_ entry: TOMLTable.Entry) -> String? {
        guard let text = entry.node.text else {
            refuse(entry.node.place, "\"pattern\" must be a text in quotes, such as \"4-0-6-0\".")
            return nil
        }
        do {
            _ = try PatternBook.standard.pattern(text)
            return text
        } catch {
            refuse(entry.node.place, error.sentence)
            return nil
        }
    }
}

extension String {
    /// A key of somebody's file, for a message: a question mark stands for each hidden character.
    fileprivate var shown: String {
        let seen = unicodeScalars.prefix(40).map { $0.isHidden ? "?" : $0 }
        return String(String.UnicodeScalarView(seen))
    }
}
