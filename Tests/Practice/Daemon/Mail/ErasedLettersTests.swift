import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Storage
import Testing

@testable import PracticeDaemon
@testable import PracticeStore

@Suite struct `The letters of an erased client` {
    let mail: MailClinic
    init() throws { mail = try MailClinic() }

    private func erase() throws {
        try mail.clinic.as(mail.ana).call(Records.CloseRecord(client: mail.cleo, reason: "All is said."))
        try mail.clinic.root.call(Records.EraseRecord(client: mail.cleo, number: 1, reason: "Asked."))
    }

    /// All that is kept of letters.
    private func kept() throws -> [String] {
        let database = try mail.clinic.look()
        return try database.rows("SELECT subject || body || preview || names FROM letter") { $0.text(0) ?? "" }
            + database.rows("SELECT words FROM copy_words") { $0.text(0) ?? "" }
    }

    private func holds(_ word: String) throws -> Bool {
        try kept().contains { $0.lowercased().contains(word) }
    }

    private func copy(_ person: String, _ subject: String) throws -> String {
        try #require(try mail.list(person).first { $0.subject == subject }).id
    }

    private static let quote = "I read it.\n\nOn Friday, Cleo wrote:\n> My secret\n> sorrow"

    @Test func `answers to them go with them, whoever wrote and has them`() throws {
        try mail.send(mail.ben, mail.ana, subject: "Lunch")
        try mail.send(mail.cleo, mail.ana, mail.sofia, subject: "Sorrow", body: "My secret\nsorrow")
        try mail.send(
            mail.ana, mail.cleo, mail.sofia, subject: "Re: Sorrow", body: Self.quote, replyTo: copy(mail.ana, "Sorrow"))
        try mail.send(
            mail.sofia, mail.ben, subject: "Re: Sorrow", body: ">" + Self.quote, replyTo: copy(mail.sofia, "Re: Sorrow")
        )
        try mail.clinic.as(mail.ben).call(
            Mail.SaveDraft(to: [mail.ana], body: ">" + Self.quote, replyTo: copy(mail.ben, "Re: Sorrow")))
        #expect(try holds("secret"))
        try erase()
        for person in [mail.ana, mail.sofia] { #expect(try mail.found(person, "sorrow") == []) }
        #expect(try mail.subjects(mail.ana) == ["Lunch"])
        #expect(try mail.subjects(mail.ben) == ["Lunch"])
        #expect(try mail.subjects(mail.sofia) == [])
        for word in ["secret", "sorrow", "cleo"] { #expect(try !holds(word), "\(word)") }
    }

    @Test func `a letter to them and others stays with the others, and so do its answers, without their name`() throws {
        try mail.send(
            mail.sofia, mail.ana, mail.cleo, mail.dino, subject: "Cleo's and Dino's group",
            body: "Dear Cleo, dear Dino,\n\nCLEO comes at ten.")
        try mail.send(
            mail.dino, mail.sofia, subject: "Re: Group",
            body: "Fine.\n\nOn Friday, Sofia wrote:\n> Dear Cléo, dear Dino,",
            replyTo: copy(mail.dino, "Cleo's and Dino's group"))
        // Of an answer of the client's to it nothing stays.
        try mail.send(
            mail.cleo, mail.ana, subject: "Re: Group", body: "My secret",
            replyTo: copy(mail.cleo, "Cleo's and Dino's group"))
        try erase()
        let group = try mail.clinic.as(mail.dino).call(Mail.Get(letter: copy(mail.dino, "…'s and Dino's group"))).letter
        #expect(group.body == "Dear …, dear Dino,\n\n… comes at ten.")
        #expect(group.preview == "Dear …, dear Dino, … comes at ten.")
        #expect(group.to.map(\.name) == ["Ana", "Dino"])
        let answer = try mail.clinic.as(mail.sofia).call(Mail.Get(letter: copy(mail.sofia, "Re: Group"))).letter
        #expect(answer.body == "Fine.\n\nOn Friday, Sofia wrote:\n> Dear …, dear Dino,")
        #expect(try mail.found(mail.dino, "sofia ten") == ["…'s and Dino's group"])
        #expect(try mail.subjects(mail.ana) == ["…'s and Dino's group"])
        for word in ["secret", "cleo", "cléo"] { #expect(try !holds(word), "\(word)") }
    }

    @Test func `the name that they had when a letter was sent goes, too`() throws {
        try mail.send(
            mail.sofia, mail.ana, mail.cleo, mail.dino, subject: "Group", body: "Dear Cleo, dear Dino, come at ten.")
        let record = try mail.clinic.as(mail.ana).call(Records.GetClient(client: mail.cleo)).client
        try mail.clinic.as(mail.ana).call(
            Records.EditClient(client: mail.cleo, revision: record.revision, name: "Nina"))
        try erase()
        let group = try mail.clinic.as(mail.dino).call(Mail.Get(letter: copy(mail.dino, "Group"))).letter
        #expect(group.body == "Dear …, dear Dino, come at ten.")
        #expect(try !holds("cleo"))
    }

    @Test func `no other letter is changed by the erasing of a client`() throws {
        try mail.send(mail.ben, mail.sofia, subject: "Cleo", body: "Her namesake.")
        try mail.send(mail.cleo, mail.ana)
        let database = try mail.clinic.look()
        try erase()
        #expect(try mail.subjects(mail.sofia) == ["Cleo"])
        #expect(try database.number("SELECT count(*) FROM letter") == 1)
        // The triggers refuse it although another's erasing goes on.
        let store = try mail.clinic.writer.storage.store()
        #expect(throws: (any Error).self) {
            try store.transaction {
                try store.database.run("INSERT INTO erasing (client) SELECT client FROM disposal")
                try store.database.run("UPDATE letter SET body = ''")
            }
        }
        #expect(throws: (any Error).self) {
            try store.transaction {
                try store.database.run("INSERT INTO erasing (client) SELECT client FROM disposal")
                try store.database.run("DELETE FROM letter")
            }
        }
    }

    @Test(arguments: [
        ("Ximena Ibáñez", "Dear ximena,\nMs. IBANEZ-Ruiz", "Dear …,\nMs. …-Ruiz"),
        ("María de la Cruz", "María de la Cruz o la casa de Maria", "… de la … o la casa de …"),
        ("cleo", "Cleo's, Cleopatra", "…'s, Cleopatra"), ("J. Doe", "J. Doe and J.", "J. … and J."),
        ("李 小龍", "李小龍, 小龍, 王小龍", "…, …, 王小龍"), ("Zoë", "Zoe\u{308} 😀", "… 😀"), ("X", "X marks", "… marks"),
    ]) func `a name is taken out word by word, whatever its case and accents`(name: String, text: String, left: String)
    {
        #expect(ErasedName(name).takenOut(of: text) == left)
    }
}
