import Companion
import PracticeInterfaces
import Time

/// A list of letters, as lines.
struct LetterList {
    let letters: [Mail.Letter]
    /// Shows recipients in the place of the sender.
    let isOwn: Bool
    let today: String
    let columns: Int?
    let ink: Ink

    var text: String {
        var table = Table([
            .init("No.", isNumber: true, leads: true), .init(""), .init(isOwn ? "To" : "From", leads: true),
            .init("Subject", leads: true), .init("When"),
        ])
        // The other columns take less than so many.
        let room = columns.map { max(20, $0 - 50) } ?? 200
        let shared = LetterWords.namesOfSeveral(letters)
        for letter in letters {
            let isNew = !letter.read
            table.rows.append([
                .init(LetterName.shown(letter.id)), .init(LetterWords.marks(letter), letter.urgent ? .warm : .good),
                .init(
                    LetterWords.people(isOwn ? letter.recipients(shared) : [letter.sender(shared)], most: 2).cut(to: 24)
                ),
                .init(LetterWords.beginning(letter).cut(to: room), isNew ? .strong : .plain),
                .init(LetterWords.when(letter.at, today: today), .faint),
            ])
        }
        return table.text(columns: columns, ink: ink)
    }
}

/// One letter, whole.
struct LetterPage {
    let letter: Mail.Letter
    var newer: String?
    var older: String?
    var folder: String?
    let today: String
    let columns: Int?
    let ink: Ink

    var text: String {
        var facts = FactList()
        facts.add("From", LetterWords.people([letter.sender()]))
        facts.add("To", LetterWords.people(letter.recipients()))
        facts.add("When", LetterWords.whenInFull(letter.at))
        facts.add("Subject", letter.subject.shown.singleLine)
        facts.add("Folder", folder)
        let marks = [letter.urgent ? "urgent" : nil, letter.system ? "written by the practice itself" : nil]
        facts.add("", Wording.capitalised(marks.compactMap { $0 }.joined(separator: ", ")))
        let body = (letter.body ?? letter.preview).paragraphs(columns: columns.map { max(1, $0 - 2) })
        let lines = body.map { $0.isEmpty ? "\n" : "  \(quoted($0))\n" }
        return facts.text(columns: columns, ink: ink) + "\n" + lines.joined() + (beside.isEmpty ? "" : "\n" + beside)
    }

    private func quoted(_ line: String) -> String { line.hasPrefix(">") ? ink.faint(line) : line }

    private var beside: String {
        let parts = [
            newer.map { "newer: \(LetterName.shown($0))" }, older.map { "older: \(LetterName.shown($0))" },
        ].compactMap { $0 }
        return parts.isEmpty ? "" : "  " + ink.faint(parts.joined(separator: " · ")) + "\n"
    }
}

extension Mail.Letter {
    /// `Cleo Vidal (No. 4)` for a client whose number the reader may know.
    ///
    /// - Parameter names: only with these names is the number told; nil: with all.
    func sender(_ names: Set<String>? = nil) -> String { Self.inWords(from.name, from.number, names) }

    /// In the same way.
    func recipients(_ names: Set<String>? = nil) -> [String] { to.map { Self.inWords($0.name, $0.number, names) } }

    private static func inWords(_ name: String, _ number: Int?, _ names: Set<String>?) -> String {
        guard let number, names?.contains(name) ?? true else { return name }
        return LetterWords.numbered(name, number)
    }
}

/// Phrases about letters.
enum LetterWords {
    /// `Cleo Vidal (No. 4)`: a client, with the number of the record.
    static func numbered(_ name: String, _ number: Int) -> String { "\(name) (No. \(number))" }

    /// The names on the letters that two people or more have.
    static func namesOfSeveral(_ letters: [Mail.Letter]) -> Set<String> {
        var people: [String: Set<String>] = [:]
        for letter in letters {
            people[letter.from.name, default: []].insert(letter.from.person)
            for person in letter.to { people[person.name, default: []].insert(person.person) }
        }
        return Set(people.filter { $0.value.count > 1 }.keys)
    }

    /// "new, urgent"; in words, which a screen reader says.
    static func marks(_ letter: Mail.Letter) -> String {
        [letter.read ? nil : "new", letter.urgent ? "urgent" : nil, letter.system ? "practice" : nil]
            .compactMap { $0 }.joined(separator: ", ")
    }

    static func people(_ names: [String], most: Int = .max) -> String {
        let shown = names.prefix(most).map { $0.shown.singleLine }
        let more = names.count > most ? " and \(names.count - most) more" : ""
        return shown.joined(separator: ", ") + more
    }

    static func subject(_ letter: Mail.Letter) -> String {
        letter.subject.isEmpty ? "(no subject)" : letter.subject.shown.singleLine
    }

    /// The subject and the beginning of the text.
    static func beginning(_ letter: Mail.Letter) -> String {
        letter.preview.isEmpty ? subject(letter) : "\(subject(letter)) – \(letter.preview.shown.singleLine)"
    }

    /// "09:00" if it is today, "yesterday", else "4 March 2027".
    static func when(_ instant: String, today: String) -> String {
        guard let read = DateTime(instant) else { return instant.shown }
        return switch CalendarDay(today).map({ read.day - $0 }) {
        case 0: read.time.clock
        case -1: Wording.day(read.day, today: CalendarDay(today))
        default: Wording.shortDay(read.day)
        }
    }

    static func whenInFull(_ instant: String) -> String {
        guard let read = DateTime(instant) else { return instant.shown }
        return "\(Wording.fullDay(read.day, today: nil)) at \(read.time.clock)"
    }

    /// "2 letters, 1 of them new".
    static func counted(_ total: Int, unread: Int) -> String {
        let new = total == 1 ? ", new" : ", \(unread) of them new"
        return Wording.counted(total, "letter") + (unread > 0 ? new : "")
    }

    /// The text of a letter as the answer to it quotes it.
    static func quote(_ letter: Mail.Letter) -> String {
        let lines = (letter.body ?? "").split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix(">") ? ">\(line)" : line.isEmpty ? ">" : "> \(line)"
        }
        return (["On \(whenInFull(letter.at)), \(letter.from.name.shown.singleLine) wrote:"] + lines)
            .joined(separator: "\n")
    }

    /// "Re: " once, however often a letter is answered.
    static func answerSubject(_ subject: String) -> String {
        subject.lowercased().hasPrefix("re:") ? subject : subject.isEmpty ? "" : "Re: \(subject)"
    }
}
