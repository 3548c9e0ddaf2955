import PracticeInterfaces
import TestSupport
import Testing

@testable import PracticeDaemon

@Suite struct `Folders of letters` {
    let mail: MailClinic
    init() throws { mail = try MailClinic() }

    @Test func `everybody has four, and those of their own`() throws {
        let cleo = mail.clinic.as(mail.cleo)
        let kept = try cleo.call(Mail.AddFolder(name: "Kept")).folder
        let inner = try cleo.call(Mail.AddFolder(name: "2027", parent: kept.id)).folder
        try mail.send(mail.ana, mail.cleo)
        try cleo.call(Mail.Move(letters: [try mail.list(mail.cleo)[0].id], folder: inner.id))
        #expect(
            try cleo.call(Mail.ListFolders()).folders == [
                .init(id: "inbox", name: "Inbox", role: "inbox", total: 0, unread: 0),
                .init(id: "sent", name: "Sent", role: "sent", total: 0, unread: 0),
                .init(id: "drafts", name: "Drafts", role: "drafts", total: 0, unread: 0),
                .init(id: "bin", name: "Bin", role: "bin", total: 0, unread: 0),
                .init(id: inner.id, name: "2027", parent: kept.id, total: 1, unread: 1),
                .init(id: kept.id, name: "Kept", total: 0, unread: 0),
            ])
        #expect(try mail.clinic.as(mail.dino).call(Mail.ListFolders()).folders.count == 4)
    }

    @Test func `a folder that is removed leaves its letters, and those of the folders in it, in the bin`() throws {
        let cleo = mail.clinic.as(mail.cleo)
        let kept = try cleo.call(Mail.AddFolder(name: "Kept")).folder.id
        let inner = try cleo.call(Mail.AddFolder(name: "2027", parent: kept)).folder.id
        for folder in [kept, inner] {
            try mail.send(mail.ana, mail.cleo, subject: folder)
            try cleo.call(Mail.Move(letters: [try mail.list(mail.cleo, "inbox")[0].id], folder: folder))
        }
        try cleo.call(Mail.RemoveFolder(folder: kept))
        #expect(try mail.counts(mail.cleo) == ["Bin": [2, 2]])
        #expect(try cleo.call(Mail.ListFolders()).folders.count == 4)
    }

    @Test func `names are told apart among siblings, and the four stay`() throws {
        let cleo = mail.clinic.as(mail.cleo)
        let kept = try cleo.call(Mail.AddFolder(name: "Kept")).folder.id
        let taken = Practice.Invalid(faults: [
            .init(field: "name", reason: "must be another name: there is such a folder.")
        ])
        #expect(throws: taken) { try cleo.call(Mail.AddFolder(name: "képt")) }
        try cleo.call(Mail.AddFolder(name: "Kept", parent: kept))
        let other = try cleo.call(Mail.AddFolder(name: "Other")).folder.id
        #expect(throws: taken) { try cleo.call(Mail.RenameFolder(folder: other, name: "Kept")) }
        #expect(try cleo.call(Mail.RenameFolder(folder: other, name: "Others")).folder.name == "Others")
        for name in ["Inbox", "sent", "DRAFTS", "bin"] {
            #expect(throws: taken) { try cleo.call(Mail.AddFolder(name: name)) }
            #expect(throws: taken) { try cleo.call(Mail.RenameFolder(folder: other, name: name)) }
            #expect(try cleo.call(Mail.AddFolder(name: name, parent: kept)).folder.name == name)
        }
        for folder in ["inbox", "sent", "drafts", "bin"] {
            #expect(throws: Mail.FolderStays(folder: folder)) { try cleo.call(Mail.RemoveFolder(folder: folder)) }
            #expect(throws: Mail.FolderStays(folder: folder)) {
                try cleo.call(Mail.RenameFolder(folder: folder, name: "x"))
            }
        }
        #expect(throws: Practice.NotFound(kind: "folder", id: kept)) {
            try mail.clinic.as(mail.dino).call(Mail.RemoveFolder(folder: kept))
        }
    }

    @Test func `folders have limits`() throws {
        let cleo = mail.clinic.as(mail.cleo)
        var parent: String?
        for level in 1...10 { parent = try cleo.call(Mail.AddFolder(name: "\(level)", parent: parent)).folder.id }
        #expect(throws: Practice.Invalid.self) { try cleo.call(Mail.AddFolder(name: "11", parent: parent)) }
        for number in 11...200 { try cleo.call(Mail.AddFolder(name: "\(number)")) }
        #expect(throws: Practice.Invalid.self) { try cleo.call(Mail.AddFolder(name: "201")) }
    }

    @Test func `several are moved, all of them or none`() throws {
        for subject in ["one", "two", "three"] { try mail.send(mail.ana, mail.cleo, subject: subject) }
        let cleo = mail.clinic.as(mail.cleo)
        let letters = try mail.list(mail.cleo).map(\.id)
        #expect(throws: Practice.NotFound(kind: "letter", id: "l1")) {
            try cleo.call(Mail.Move(letters: letters + ["l1"], folder: "bin"))
        }
        #expect(try mail.counts(mail.cleo) == ["Inbox": [3, 3]])
        #expect(try cleo.call(Mail.Move(letters: letters + letters, folder: "bin")).moved == 3)
        #expect(try mail.counts(mail.cleo) == ["Bin": [3, 3]])
        #expect(throws: Practice.Invalid.self) { try cleo.call(Mail.Move(letters: letters, folder: "drafts")) }
        let draft = try cleo.call(Mail.SaveDraft()).letter.id
        #expect(throws: Practice.Invalid.self) { try cleo.call(Mail.Move(letters: [draft], folder: "inbox")) }
    }

    /// The contents of a mailbox, counted in the plainest way.
    private struct Model {
        var letters: [String: (folder: String, isRead: Bool)] = [:]

        var counts: [String: [Int]] {
            Dictionary(grouping: letters.values, by: \.folder).mapValues { [$0.count, $0.count { !$0.isRead }] }
        }
    }

    @Test(arguments: 0..<20)
    func `the counts are those of a simple model, whatever is sent, read, moved and deleted`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let cleo = mail.clinic.as(mail.cleo)
        let own = try cleo.call(Mail.AddFolder(name: "Kept")).folder.id
        var model = Model()
        for _ in 0..<60 {
            let letter = model.letters.keys.sorted().randomElement(using: &dice)
            switch (Int.random(in: 0..<6, using: &dice), letter) {
            case (0, _), (_, nil):
                try mail.send(mail.ana, mail.cleo)
                model.letters[try mail.list(mail.cleo, "inbox")[0].id] = ("inbox", false)
            case (1, let letter?):
                try cleo.call(Mail.Get(letter: letter))
                model.letters[letter]?.isRead = true
            case (2, let letter?):
                let isRead = Bool.random(using: &dice)
                try cleo.call(Mail.Mark(letters: [letter], read: isRead))
                model.letters[letter]?.isRead = isRead
            case (3, let letter?):
                let folder = [own, "inbox", "bin"].randomElement(using: &dice) ?? own
                try cleo.call(Mail.Move(letters: [letter], folder: folder))
                model.letters[letter]?.folder = folder
            case (_, let letter?):
                try cleo.call(Mail.Delete(letters: [letter]))
                if model.letters[letter]?.folder == "bin" {
                    model.letters[letter] = nil
                } else {
                    model.letters[letter]?.folder = "bin"
                }
            }
            let names = ["Inbox": "inbox", "Bin": "bin", "Kept": own]
            let counts = try mail.counts(mail.cleo)
            #expect(
                Dictionary(uniqueKeysWithValues: counts.map { (names[$0.key] ?? $0.key, $0.value) }) == model.counts)
        }
    }
}
