import PracticeInterfaces
import StaffInterfaces
import Testing

@testable import PracticeDaemon

@Suite struct `Drafts of letters` {
    let mail: MailClinic
    init() throws { mail = try MailClinic() }

    @Test func `a draft is saved with nothing in it, saved anew, and sent`() throws {
        let ana = mail.clinic.as(mail.ana)
        let first = try ana.call(Mail.SaveDraft()).letter
        #expect(first.folder == "drafts" && first.revision == 1 && first.to.isEmpty && first.body == "")
        let second = try ana.call(
            Mail.SaveDraft(draft: first.id, revision: 1, to: [mail.cleo], subject: "Friday", body: "At ten?")
        ).letter
        #expect(second.id == first.id && second.revision == 2)
        let third = try ana.call(Mail.SaveDraft(draft: first.id, revision: 2, urgent: true)).letter
        #expect(
            third.subject == "Friday" && third.body == "At ten?" && third.urgent && third.to.map(\.name) == ["Cleo"])
        #expect(try mail.counts(mail.cleo) == [:])
        let sent = try ana.call(Mail.Send(draft: first.id, revision: 3, body: "At eleven?")).letter
        #expect(sent.id == first.id && sent.folder == "sent" && sent.body == "At eleven?" && sent.urgent)
        #expect(try mail.counts(mail.ana) == ["Sent": [1, 0]])
        #expect(try mail.subjects(mail.cleo) == ["Friday"])
        // A letter is a draft no more once it was sent.
        #expect(throws: Practice.NotFound(kind: "draft", id: first.id)) {
            try ana.call(Mail.SaveDraft(draft: first.id, subject: "x"))
        }
    }

    @Test func `a draft that answers a letter is sent as that answer, unless it is told to answer none`() throws {
        let (ana, cleo) = (mail.clinic.as(mail.ana), mail.clinic.as(mail.cleo))
        try mail.send(mail.ana, mail.cleo)
        let asked = try mail.list(mail.cleo)[0]
        for (answer, thread) in [(String?.none, asked.thread), ("", nil)] {
            let draft = try cleo.call(Mail.SaveDraft(to: [mail.ana], subject: "Re", replyTo: asked.id)).letter.id
            let sent = try cleo.call(Mail.Send(draft: draft, replyTo: answer)).letter
            #expect((sent.replyTo, sent.thread == thread) == (thread.map { _ in asked.id }, thread != nil))
        }
        #expect(try ana.call(Mail.List(folder: "inbox", thread: asked.thread)).letters.count == 1)
    }

    @Test func `two windows on one draft lose nothing`() throws {
        let ana = mail.clinic.as(mail.ana)
        let draft = try ana.call(Mail.SaveDraft(subject: "Friday")).letter.id
        try ana.call(Mail.SaveDraft(draft: draft, revision: 1, body: "one window"))
        #expect(throws: Practice.Changed(revision: 2)) {
            try ana.call(Mail.SaveDraft(draft: draft, revision: 1, body: "the other"))
        }
        #expect(throws: Practice.Changed(revision: 2)) {
            try ana.call(Mail.Send(draft: draft, revision: 1, to: [mail.cleo]))
        }
        #expect(try ana.call(Mail.Get(letter: draft)).letter.body == "one window")
    }

    @Test func `a draft that cannot be sent stays as it was`() throws {
        let ana = mail.clinic.as(mail.ana)
        let draft = try ana.call(Mail.SaveDraft(to: [mail.cleo], subject: "Friday")).letter.id
        try ana.call(Records.CloseRecord(client: mail.cleo, reason: "All is said."))
        #expect(throws: Mail.MayNotWrite(person: mail.cleo)) { try ana.call(Mail.Send(draft: draft)) }
        let kept = try ana.call(Mail.Get(letter: draft)).letter
        #expect(kept.folder == "drafts" && kept.subject == "Friday" && kept.revision == 1)
        // Its words can go on being written, and that recipient be taken out.
        #expect(try ana.call(Mail.SaveDraft(draft: draft, body: "At ten.")).letter.to.map(\.name) == ["Cleo"])
        #expect(throws: Mail.MayNotWrite(person: mail.cleo)) {
            try ana.call(Mail.SaveDraft(draft: draft, to: [mail.cleo]))
        }
        #expect(try ana.call(Mail.SaveDraft(draft: draft, to: [mail.ben])).letter.to.map(\.name) == ["Ben"])
    }

    @Test func `a draft is deleted in two steps, too, and saving it brings it back from the bin`() throws {
        let ana = mail.clinic.as(mail.ana)
        let draft = try ana.call(Mail.SaveDraft(subject: "Friday")).letter.id
        try ana.call(Mail.Delete(letters: [draft]))
        #expect(try mail.counts(mail.ana) == ["Bin": [1, 0]])
        #expect(try ana.call(Mail.SaveDraft(draft: draft, subject: "Again")).letter.folder == "drafts")
        try ana.call(Mail.Delete(letters: [draft]))
        try ana.call(Mail.Delete(letters: [draft]))
        #expect(try mail.counts(mail.ana) == [:])
    }

    @Test func `another's draft is not there`() throws {
        let draft = try mail.clinic.as(mail.ana).call(Mail.SaveDraft(subject: "Friday")).letter.id
        for person in [mail.ben, mail.cleo, mail.ada] {
            #expect(throws: Practice.NotFound(kind: "letter", id: draft)) {
                try mail.clinic.as(person).call(Mail.Send(draft: draft, to: [mail.sofia]))
            }
        }
    }
}
