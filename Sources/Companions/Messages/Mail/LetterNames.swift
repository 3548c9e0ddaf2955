import Companion
import PracticeInterfaces

/// The name of a letter on the command line: the number that the lists show. It is the letter's own, and stays as others arrive.
enum LetterName {
    static let help = "A letter: the number that the list shows."

    static func identifier(_ text: String) throws(Failure) -> String {
        let digits = text.hasPrefix("l") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.count < 19, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw .misused("“\(text.shown)” is no letter: name it by the number that the list shows.")
        }
        return "l\(digits)"
    }

    /// The number of an identifier.
    static func shown(_ identifier: String) -> String {
        identifier.hasPrefix("l") ? identifier.dropFirst().description.shown : identifier.shown
    }
}

/// A person's folders, with the names that stand on a command line.
struct FolderTree {
    static let help = "A folder: its name, or its path, such as Kept/2027."

    /// A folder, the names of those that it is in, and its own.
    struct Entry {
        fileprivate(set) var folder: Mail.Folder
        let path: [String]
        var name: String { path.map { $0.shown.singleLine }.joined(separator: "/") }
    }

    /// Nobody finds a letter in folders that are deeper in each other.
    private static let mostFolds = 100

    /// The four that everybody has, then the others, each below the one that it is in.
    private(set) var entries: [Entry]

    init(_ folders: [Mail.Folder]) {
        var entries: [Entry] = []
        // A hostile practice may have folders that are in themselves.
        var known: Set<String> = []
        func add(in parent: String?, _ path: [String]) {
            for folder in folders where folder.parent == parent && known.insert(folder.id).inserted {
                entries.append(Entry(folder: folder, path: path + [folder.name]))
                if path.count < Self.mostFolds { add(in: folder.id, path + [folder.name]) }
            }
        }
        add(in: nil, [])
        self.entries = entries
    }

    init(over connection: DaemonConnection) throws(Failure) {
        self.init(try connection.call(Mail.ListFolders()).folders)
    }

    /// One more letter of that folder is read.
    mutating func countRead(in identifier: String) {
        guard let place = entries.firstIndex(where: { $0.folder.id == identifier }) else { return }
        entries[place].folder.unread &-= 1  // The practice may have told any number.
    }

    func entry(_ text: String) throws(Failure) -> Entry {
        if let found = entries.first(where: { $0.folder.id == text }) { return found }
        let whole = entries.filter { $0.name.lowercased() == text.lowercased() }
        return try NameMatch.one(
            text, among: whole.isEmpty ? entries.filter { $0.name.holds(text) } : whole, kind: "folder",
            plural: "folders", name: \.name, mark: \.folder.id, advice: "`mail folders` lists them.")
    }

    func name(of identifier: String) -> String {
        entries.first { $0.folder.id == identifier }?.name ?? identifier.shown
    }
}

/// The people to whom the caller may write.
enum Recipients {
    typealias Recipient = Mail.ListRecipients.Reply.People

    static let help =
        "To whom: the name, or an identifier such as p7. In a terminal, where you look before it is sent, part of a name."

    /// - Parameters:
    ///   - inWords: the role is the practice's word for a thanatologist.
    ///   - closed: also a thanatologist's clients whose records are closed. A name may mean one of them.
    static func all(
        over connection: DaemonConnection, query: String? = nil, inWords: Bool = true, closed: Bool = false
    ) throws(Failure) -> [Recipient] {
        // A client has no clients, and their practice may be older: it refuses a parameter that it does not know.
        let closed = closed && connection.daemon.companion != "daybreak" ? true : nil
        var people = try connection.all {
            Mail.ListRecipients(query: query, after: $0, limit: 200, closed: closed)
        } _: {
            ($0.people, next: $0.next)
        }
        let role = Practice.Person.Role.thanatologist.rawValue
        guard inWords, people.contains(where: { $0.role == role }),
            let word = try connection.call(Practice.WhoAmI()).therapist
        else { return people }
        for place in people.indices where people[place].role == role { people[place].role = word }
        return people
    }

    static func one(_ text: String, over connection: DaemonConnection) throws(Failure) -> Recipient {
        if NameMatch.identifier(text) != nil {
            let found = try all(over: connection).first { $0.person == text }
            guard let found else {
                throw Failure(
                    refused: Mail.MayNotWrite(person: text), saying: MessageRefusal.mayNotWrite(text))
            }
            return found
        }
        return try one(text, among: all(over: connection, query: text, closed: true))
    }

    private static func one(_ text: String, among people: [Recipient]) throws(Failure) -> Recipient {
        let found = try NameMatch.one(
            text, among: meant(by: text, among: people), kind: "person to whom you may write with the name",
            plural: "people", name: \.name,
            mark: \.person, choice: { "\($0.name), \($0.inWords)" },
            advice: "`mail people` lists those to whom you may.")
        try found.checkOpen()
        return found
    }

    /// Those whom a name may mean: of a client whose record is closed, only the whole name, unless it is nobody else's.
    static func meant(by text: String, among people: [Recipient]) -> [Recipient] {
        let likely = people.filter { $0.closed != true || NameMatch.isWhole(text, $0.name) }
        return likely.isEmpty ? people : likely
    }

    /// Numbers of the list of those whose records are not closed, or names, with commas between.
    static func chosen(_ line: String, among all: [Recipient]) throws(Failure) -> [Recipient] {
        let people = all.filter { $0.closed != true }
        var chosen: [Recipient] = []
        for word in line.split(separator: ",") {
            let text = String(word.drop { $0 == " " }).withoutEnd
            guard !text.isEmpty else { continue }
            let person: Recipient
            if let place = people.index(numbered: Int(text)) {
                person = people[place]
            } else {
                let exact = all.filter { $0.person == text }
                person = try one(text, among: exact.isEmpty ? all.filter { $0.name.holds(text) } : exact)
            }
            if !chosen.contains(where: { $0.person == person.person }) { chosen.append(person) }
        }
        return chosen
    }
}

extension Recipients.Recipient {
    /// The role; of a client with the number of the record: `client No. 4`.
    var inWords: String { (number.map { "\(role) No. \($0)" } ?? role) + (closed == true ? ", closed" : "") }

    /// Throws if the record is closed: nobody writes to this person.
    func checkOpen() throws(Failure) {
        guard closed == true else { return }
        let called = number.map { LetterWords.numbered(name, $0) } ?? name
        throw Failure(
            refused: Mail.MayNotWrite(person: person),
            saying: "The record of \(called.shown.singleLine) is closed, so nobody writes to them.")
    }
}
