/// A version of a programme, as its author wrote it. A value of this type is valid.
public struct ProgrammeVersion: Equatable, Sendable {
    /// The author's word for the programme, the same in all versions.
    public let id: String
    public let name: String
    /// May be empty.
    public let summary: String
    public let lessons: [Lesson]
    public let surveys: [Survey]
    public let tasks: [Task]

    public init(id: String, name: String, summary: String, lessons: [Lesson], surveys: [Survey], tasks: [Task]) {
        (self.id, self.name, self.summary) = (id, name, summary)
        (self.lessons, self.surveys, self.tasks) = (lessons, surveys, tasks)
    }

    /// A text to read.
    public struct Lesson: Equatable, Sendable {
        /// The name of its file, without folder and ending.
        public let id: String
        public let title: String
        public let minutes: Int?
        /// Whole days after the first day of an enrolment.
        public let afterDays: Int
        /// The lesson that is to be read before.
        public let afterLesson: String?
        /// The survey whose first occurrence is to be over before.
        public let afterSurvey: String?
        /// CommonMark. Empty in lists.
        public let text: String

        public init(
            id: String, title: String, minutes: Int?, afterDays: Int, afterLesson: String?, afterSurvey: String?,
            text: String
        ) {
            (self.id, self.title, self.minutes, self.text) = (id, title, minutes, text)
            (self.afterDays, self.afterLesson, self.afterSurvey) = (afterDays, afterLesson, afterSurvey)
        }
    }

    /// Questions that are asked once or several times.
    public struct Survey: Equatable, Sendable {
        /// The name of its file, without folder and ending.
        public let id: String
        public let title: String
        public let questions: Int
        /// The day of an enrolment on which it opens first, from 1.
        public let firstDay: Int
        public let everyDays: Int
        public let times: Int
        /// The days for which each occurrence can be answered.
        public let openDays: Int
        /// The least and the greatest score; nil if it has none.
        public let bounds: ClosedRange<Double>?
        /// A FHIR R4 Questionnaire. Empty in lists.
        public let text: String

        public init(
            id: String, title: String, questions: Int, firstDay: Int, everyDays: Int, times: Int, openDays: Int,
            bounds: ClosedRange<Double>?, text: String
        ) {
            (self.id, self.title, self.questions, self.bounds, self.text) = (id, title, questions, bounds, text)
            (self.firstDay, self.everyDays, self.times, self.openDays) = (firstDay, everyDays, times, openDays)
        }
    }

    /// A breathing task.
    public struct Task: Equatable, Sendable {
        /// The day of an enrolment on which it is due, from 1.
        public let day: Int
        public let breaths: Int
        public let moods: [String]
        public let pattern: String?

        public init(day: Int, breaths: Int, moods: [String], pattern: String?) {
            (self.day, self.breaths, self.moods, self.pattern) = (day, breaths, moods, pattern)
        }
    }
}

/// The limits of programmes.
public enum ProgrammeLimits {
    public static let files = 600
    /// Bytes of all files together.
    public static let bytes = 4 * 1_024 * 1_024
    /// Bytes of `programme.toml`.
    public static let tomlBytes = 128 * 1_024
    /// Bytes of a lesson: a hundred pages.
    public static let lessonBytes = 128 * 1_024
    public static let lessons = 500
    public static let surveys = 20
    /// Occurrences of all surveys of one enrolment: one a day for more than a year.
    public static let occurrences = 400
    /// Breathing tasks of one enrolment.
    public static let tasks = 400
    /// Days of an enrolment.
    public static let days = 1_000
    /// Programmes of one practice.
    public static let programmes = 200
    /// Enrolments of one client at one time.
    public static let enrolments = 10
    /// The days by which an enrolment may begin in the past or in the future.
    public static let begin = 366
}

/// A fault of a programme's folder.
public struct ProgrammeFault: Equatable, Sendable {
    /// The path within the folder.
    public let file: String
    /// From 1; nil if the fault is of the whole file.
    public let line: Int?
    /// A sentence for people.
    public let reason: String

    public init(file: String, line: Int?, reason: String) { (self.file, self.line, self.reason) = (file, line, reason) }
}

/// All faults of a programme's folder, at most ``limit``.
public struct ProgrammeFaults: Error, Equatable, Sendable {
    public let list: [ProgrammeFault]
    public static let limit = 100
}
