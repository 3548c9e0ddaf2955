public import Storage

/// Where a letter lies: one of the four folders that everybody has, or one of the person's own.
public enum FolderPlace: Hashable, Sendable, CustomStringConvertible, Bindable {
    case inbox, sent, drafts, bin
    case own(ID<MailFolder>)

    /// The four that everybody has, in the order in which they are listed.
    public static let everybodys = [inbox, sent, drafts, bin]

    /// Text that names none stands for a folder that is never there.
    public init(_ text: String) {
        self = Self.everybodys.first { $0.description == text } ?? .own(ID(text))
    }

    /// The identifier.
    public var description: String {
        switch self {
        case .inbox: "inbox"
        case .sent: "sent"
        case .drafts: "drafts"
        case .bin: "bin"
        case .own(let id): id.description
        }
    }

    public var databaseValue: Value { .text(description) }
}

/// A folder of a person's own.
public struct MailFolder: Equatable, Sendable, Identified {
    public static let letter: Character = "f"

    public let id: ID<MailFolder>
    public var name: String
    /// The folder that it lies in.
    public var parent: ID<MailFolder>?

    public init(id: ID<MailFolder>, name: String, parent: ID<MailFolder>?) {
        (self.id, self.name, self.parent) = (id, name, parent)
    }
}

/// How many letters a folder has. Counted each time, never kept.
public struct FolderCount: Equatable, Sendable {
    public var total = 0
    public var unread = 0

    public init() {}
}

extension Store {
    /// A person's own folders, by name.
    public func folders(of person: ID<Person>) throws -> [MailFolder] {
        try database.rows(
            "SELECT id, name, parent FROM folder WHERE person = $1 ORDER BY sort_key, id", person
        ) { MailFolder(id: $0.id(0) ?? ID(0), name: $0.text(1) ?? "", parent: $0.someFolder(2)) }
    }

    public func letterCounts(of person: ID<Person>) throws -> [FolderPlace: FolderCount] {
        var counts: [FolderPlace: FolderCount] = [:]
        try database.each(
            "SELECT folder, count(*) FROM copy WHERE person = $1 GROUP BY folder", [person.databaseValue]
        ) { counts[FolderPlace($0.text(0) ?? ""), default: FolderCount()].total = $0.int(1) ?? 0 }
        try database.each(
            "SELECT folder, count(*) FROM copy WHERE person = $1 AND is_read = 0 GROUP BY folder",
            [person.databaseValue]
        ) { counts[FolderPlace($0.text(0) ?? ""), default: FolderCount()].unread = $0.int(1) ?? 0 }
        return counts
    }

    public func addFolder(_ name: String, in parent: ID<MailFolder>?, of person: ID<Person>) throws -> ID<MailFolder> {
        let added: ID<MailFolder>?? = try database.first(
            "INSERT INTO folder (person, name, sort_key, parent) VALUES ($1, $2, $3, $4) RETURNING id", person, name,
            collation.key(of: name), parent ?? ID(0)
        ) { $0.id(0) }
        guard case .some(.some(let id)) = added else { preconditionFailure("an added row is returned") }
        return id
    }

    public func rename(_ folder: ID<MailFolder>, _ name: String) throws {
        try database.run(
            "UPDATE folder SET name = $2, sort_key = $3 WHERE id = $1", folder, name, collation.key(of: name))
    }

    /// Removes a person's folders. Their letters go to the bin.
    public func remove(_ folders: [ID<MailFolder>], of person: ID<Person>) throws {
        for folder in folders {
            try database.run(
                "UPDATE copy SET folder = $3 WHERE person = $1 AND folder = $2", person, FolderPlace.own(folder),
                FolderPlace.bin)
            try database.run("DELETE FROM folder WHERE id = $1 AND person = $2", folder, person)
        }
    }
}

extension Row {
    /// A folder; nil for none, which is kept as 0 so that siblings at the top have different names, too.
    fileprivate func someFolder(_ column: Int) -> ID<MailFolder>? { id(column).flatMap { $0.number == 0 ? nil : $0 } }
}
