import Markdown
import SurveyFormat
import TOML
import Text

/// Reads a programme's folder, and collects all of its faults.
public struct ProgrammeReader {
    public static let documentName = "programme.toml"

    private let files: [(path: String, text: String)]
    private var faults: [ProgrammeFault] = []
    /// The files that the document names.
    private var named: Set<String> = []

    /// - Parameter files: the paths within the folder, and the texts.
    public static func read(_ files: [(path: String, text: String)]) throws(ProgrammeFaults) -> ProgrammeVersion {
        var reader = ProgrammeReader(files: files)
        let version = reader.read()
        guard reader.faults.isEmpty, let version else {
            throw ProgrammeFaults(list: Array(reader.faults.prefix(ProgrammeFaults.limit)))
        }
        return version
    }

    private init(files: [(path: String, text: String)]) { self.files = files }

    private mutating func refuse(_ file: String, _ line: Int?, _ reason: String) {
        faults.append(ProgrammeFault(file: file, line: line, reason: reason))
    }

    private mutating func read() -> ProgrammeVersion? {
        guard checkFolder() else { return nil }
        guard let document = files.first(where: { $0.path == Self.documentName }) else {
            refuse(Self.documentName, nil, "The folder has no \(Self.documentName).")
            return nil
        }
        let root: TOMLTable
        do { root = try TOMLReader.read(document.text) } catch {
            refuse(Self.documentName, error.place.line, error.reason)
            return nil
        }
        var parts = ProgrammeDocument(root)
        let head = parts.readHead()
        let lessons = parts.lessons().compactMap { readLesson($0) }
        let surveys = parts.surveys().compactMap { readSurvey($0) }
        let tasks = parts.tasks()
        parts.checkOrder()
        for fault in parts.faults { refuse(Self.documentName, fault.line, fault.reason) }
        let ofDocument = faults.filter { $0.file == Self.documentName }
        faults = ofDocument.sorted { ($0.line ?? 0) < ($1.line ?? 0) } + faults.filter { $0.file != Self.documentName }
        for file in files where file.path != Self.documentName && !named.contains(file.path) {
            refuse(file.path, nil, "No [[lesson]] and no [[survey]] names this file.")
        }
        return head.map {
            ProgrammeVersion(
                id: $0.id, name: $0.name, summary: $0.summary, lessons: lessons, surveys: surveys, tasks: tasks)
        }
    }

    /// False if the folder is not looked at any further.
    private mutating func checkFolder() -> Bool {
        guard files.count <= ProgrammeLimits.files else {
            refuse(Self.documentName, nil, "The folder has more than \(ProgrammeLimits.files) files.")
            return false
        }
        guard files.reduce(0, { $0 + $1.text.utf8.count }) <= ProgrammeLimits.bytes else {
            refuse(Self.documentName, nil, "The folder has more than \(ProgrammeLimits.bytes) bytes.")
            return false
        }
        var known: Set<String> = []
        for file in files {
            let limit = file.path == Self.documentName ? ProgrammeLimits.tomlBytes : ProgrammeLimits.lessonBytes
            if !Self.isPath(file.path) {
                refuse(
                    Self.shown(file.path), nil,
                    "A file's name has letters (A-Z, a-z), digits, dots, underscores and hyphens alone, and begins with no dot."
                )
            } else if !known.insert(file.path).inserted {
                refuse(file.path, nil, "The file comes twice.")
            } else if file.text.utf8.count > limit {
                refuse(file.path, nil, "The file has more than \(limit) bytes, which is the limit.")
            }
        }
        return faults.isEmpty
    }

    /// True for one or more names with slashes between them, at most 128 bytes.
    static func isPath(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return path.utf8.count <= 128
            && parts.allSatisfy { part in
                !part.isEmpty && part.first != "." && part.first != "-"
                    && part.utf8.allSatisfy { $0.isOfName }
            }
    }

    /// A path that is refused, for a message.
    private static func shown(_ path: String) -> String {
        let seen = path.unicodeScalars.prefix(128).map { $0.isHidden ? "?" : $0 }
        return String(String.UnicodeScalarView(seen))
    }

    // MARK: Files

    /// The text of a file that the document names; nil, with a fault, if there is none.
    private mutating func text(of entry: ProgrammeDocument.Entry) -> String? {
        guard let path = entry.file else { return nil }
        guard let file = files.first(where: { $0.path == path }) else {
            refuse(Self.documentName, entry.line, "There is no file \(Self.shown(path)).")
            return nil
        }
        // A file that is named twice is a fault of the document.
        guard named.insert(path).inserted else { return nil }
        return file.text
    }

    private mutating func readLesson(_ entry: ProgrammeDocument.LessonEntry) -> ProgrammeVersion.Lesson? {
        guard let text = text(of: entry.entry), let path = entry.entry.file, let id = entry.entry.id else { return nil }
        // A Windows line ends with one character, "\r\n".
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (place, line) in lines.enumerated() {
            if let control = line.unicodeScalars.first(where: { $0.isControl }) {
                refuse(path, place + 1, "The line has \(control.named) in it, which is not seen.")
            }
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            refuse(path, 1, "The lesson is empty.")
            return nil
        }
        if let fault = MarkdownDocument.fault(in: text) {
            refuse(path, fault)
            return nil
        }
        guard let title = entry.title ?? LessonTitle.first(in: lines) else {
            refuse(path, 1, "The lesson has no heading, and its [[lesson]] no title.")
            return nil
        }
        return ProgrammeVersion.Lesson(
            id: id, title: title, minutes: entry.minutes, afterDays: entry.afterDays, afterLesson: entry.afterLesson,
            afterSurvey: entry.afterSurvey, text: text)
    }

    /// A lesson that a client's machine would not show.
    private mutating func refuse(_ path: String, _ fault: MarkdownFault) {
        switch fault {
        case .tooLong: refuse(path, 1, "The lesson has more than \(MarkdownDocument.byteLimit) bytes.")
        case .tooDeep(let line):
            refuse(
                path, line, "The line begins more than \(MarkdownDocument.markLimit) quotes and lists in each other.")
        case .tooWide(let line):
            refuse(
                path, line,
                "A table as wide as this line could have more than \(MarkdownDocument.cellLimit) cells, or has more than "
                    + "\(MarkdownDocument.columnLimit) columns."
            )
        case .tooManyLinks:
            refuse(path, 1, "The lesson has too many brackets for its length: shorten it, or make it two.")
        }
    }

    private mutating func readSurvey(_ entry: ProgrammeDocument.SurveyEntry) -> ProgrammeVersion.Survey? {
        guard let text = text(of: entry.entry), let path = entry.entry.file, let id = entry.entry.id else { return nil }
        do {
            let survey = try Questionnaire.read(Array(text.utf8))
            return ProgrammeVersion.Survey(
                id: id, title: survey.title, questions: survey.questionCount, firstDay: entry.firstDay,
                everyDays: entry.everyDays, times: entry.times, openDays: entry.openDays, bounds: survey.scoreBounds,
                text: text)
        } catch {
            for fault in error.list { refuse(path, fault.line, fault.reason) }
            return nil
        }
    }
}

extension UInt8 {
    /// A letter, a digit, a dot, an underscore or a hyphen.
    var isOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// A control character other than a tab, and the carriage return of a Windows line.
    fileprivate var isControl: Bool { properties.generalCategory == .control && self != "\t" && self != "\r" }
}

/// The title of a lesson that has none in the document.
enum LessonTitle {
    /// The first heading of a text in CommonMark: `# Title`, or a line with `===` or `---` below it. Marks of emphasis and code
    /// are left out.
    static func first(in lines: [Substring]) -> String? {
        var fence: Character?
        var before: Substring?
        for raw in lines {
            let line = raw.last == "\r" ? raw.dropLast() : raw
            let indent = line.prefix { $0 == " " }.count
            let rest = line.drop { $0 == " " }
            if let mark = fence {
                if rest.hasPrefix(String(repeating: mark, count: 3)) { fence = nil }
                continue
            }
            if rest.hasPrefix("```") || rest.hasPrefix("~~~") {
                (fence, before) = (rest.first, nil)
                continue
            }
            if indent < 4, rest.first == "#" {
                let level = rest.prefix { $0 == "#" }.count
                let after = rest.dropFirst(level)
                if level <= 6, after.first == " " || after.first == "\t", let title = title(after) { return title }
            }
            let isUnderline = !rest.isEmpty && (rest.allSatisfy { $0 == "=" } || rest.allSatisfy { $0 == "-" })
            if isUnderline, indent < 4, let before, let title = title(before) { return title }
            before = rest.isEmpty || indent >= 4 ? nil : rest
        }
        return nil
    }

    private static func title(_ heading: Substring) -> String? {
        var text = heading.trimmingBlanks
        // A heading may be closed by marks, which are not part of it.
        let open = text.reversed().drop { $0 == "#" }
        if open.count < text.count, open.first == " " || open.isEmpty { text = String(open.reversed()).trimmingBlanks }
        let words = String(text.filter { !"*_`".contains($0) }).trimmingBlanks
        // The rule for names: a title stands in lists and sentences.
        return try? Field.line(words, limit: Field.nameLimit)
    }
}

extension StringProtocol {
    fileprivate var trimmingBlanks: String { String(self).trimmed }
}
