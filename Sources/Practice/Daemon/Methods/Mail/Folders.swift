import PracticeInterfaces
import PracticeRules
import PracticeStore
import Varlink

extension Mail.ListFolders: Handled {
    static let right = Right.mail
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        guard let reader = context.caller?.id else { return Reply(folders: []) }
        let counts = try context.store.letterCounts(of: reader)
        let own = try context.store.folders(of: reader)
        return Reply(
            folders: FolderPlace.everybodys.map { Mail.Folder($0, counts) }
                + own.map { Mail.Folder($0, counts) })
    }
}

extension Mail.AddFolder: Handled {
    static let right = Right.mail

    func answer(in context: CallContext) throws -> Reply {
        let owner = try context.mailboxOwner()
        let folders = try context.store.folders(of: owner)
        let parent = try parent.map { try context.folder($0, in: folders) }
        let checked = try context.form { faults in
            if folders.count >= LetterRules.folders {
                faults.add("name", "cannot be added: nobody has more than \(LetterRules.folders) folders of their own.")
            }
            if let parent, folders.path(to: parent.id).count >= LetterRules.depth {
                faults.add("parent", "must not lie in more than \(LetterRules.depth - 1) others.")
            }
            return folders.freeName(name, in: parent?.id, &faults)
        }
        let added = try context.store.addFolder(checked, in: parent?.id, of: owner)
        return Reply(folder: Mail.Folder(MailFolder(id: added, name: checked, parent: parent?.id), [:]))
    }
}

extension Mail.RenameFolder: Handled {
    static let right = Right.mail

    func answer(in context: CallContext) throws -> Reply {
        let owner = try context.mailboxOwner()
        let folders = try context.store.folders(of: owner)
        var renamed = try context.folder(folder, in: folders)
        let others = folders.filter { $0.id != renamed.id }
        renamed.name = try context.form { faults in others.freeName(name, in: renamed.parent, &faults) }
        try context.store.rename(renamed.id, renamed.name)
        return Reply(folder: Mail.Folder(renamed, try context.store.letterCounts(of: owner)))
    }
}

extension Mail.RemoveFolder: Handled {
    static let right = Right.mail

    func answer(in context: CallContext) throws -> Reply {
        let owner = try context.mailboxOwner()
        let folders = try context.store.folders(of: owner)
        let removed = try context.folder(folder, in: folders)
        let all = folders.filter { folders.path(to: $0.id).contains(removed.id) }
        try context.store.remove(all.map(\.id), of: owner)
        try context.tell(owner, .mail, nil)
        return Reply()
    }
}

extension CallContext {
    /// The person whose mailbox it is. Root has none.
    func mailboxOwner() throws -> ID<Person> {
        guard let caller else { throw Practice.NotFound(kind: "person", id: "root") }
        return caller.id
    }

    /// A folder of the caller's own, which can be changed.
    fileprivate func folder(_ id: String, in folders: [MailFolder]) throws -> MailFolder {
        guard case .own(let own) = FolderPlace(id) else { throw Mail.FolderStays(folder: id) }
        guard let folder = folders.first(where: { $0.id == own }) else {
            throw Practice.NotFound(kind: "folder", id: id)
        }
        return folder
    }
}

extension [MailFolder] {
    /// A folder and the folders that it lies in, the innermost first.
    fileprivate func path(to folder: ID<MailFolder>) -> [ID<MailFolder>] {
        var path: [ID<MailFolder>] = []
        var next: ID<MailFolder>? = folder
        while let id = next, let found = first(where: { $0.id == id }), !path.contains(id) {
            path.append(id)
            next = found.parent
        }
        return path
    }

    /// A name that no other folder in that one has. Beside the folders that everybody has, none has the name of one of them.
    fileprivate func freeName(_ name: String, in parent: ID<MailFolder>?, _ faults: inout Faults) -> String? {
        let siblings = filter { $0.parent == parent }.map(\.name)
        let taken = (siblings + (parent == nil ? FolderPlace.everybodys.map(\.name) : [])).map(Collation.folded)
        return faults.check("name", name) { (text) throws(FieldError) in
            let name = try LetterRules.folderName(text)
            guard !taken.contains(Collation.folded(name)) else {
                throw FieldError("must be another name: there is such a folder.")
            }
            return name
        }
    }
}

extension Mail.Folder {
    init(_ place: FolderPlace, _ counts: [FolderPlace: FolderCount]) {
        let count = counts[place] ?? FolderCount()
        self.init(
            id: place.description, name: place.name, role: place.description, total: count.total, unread: count.unread)
    }

    init(_ folder: MailFolder, _ counts: [FolderPlace: FolderCount]) {
        let count = counts[.own(folder.id)] ?? FolderCount()
        self.init(
            id: folder.id.description, name: folder.name, parent: folder.parent?.description, total: count.total,
            unread: count.unread)
    }
}

extension FolderPlace {
    fileprivate var name: String {
        switch self {
        case .inbox: "Inbox"
        case .sent: "Sent"
        case .drafts: "Drafts"
        case .bin: "Bin"
        case .own(let id): id.description
        }
    }
}
