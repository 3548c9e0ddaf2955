import PracticeInterfaces
import Testing

@testable import Companion
@testable import Messages

@Suite struct `The screen to read letters in` {
    private static func letter(
        _ number: Int, _ subject: String, from: String = "Ana Ruiz", read: Bool = true, urgent: Bool = false,
        system: Bool = false, body: String? = nil, folder: String = "inbox"
    ) -> Mail.Letter {
        Mail.Letter(
            id: "l\(number)", folder: folder, from: .init(person: "p1", name: from),
            to: [.init(person: "p2", name: "Cleo")], subject: subject, preview: "The beginning of it.", body: body,
            at: number > 1 ? "2027-03-05T09:0\(number):00+01:00" : "2027-03-04T18:30:00+01:00", urgent: urgent,
            system: system, read: read, thread: "m\(number)", revision: 1)
    }

    @Test func `folders of a hostile practice, which are in themselves, are shown once`() {
        let folders: [Mail.Folder] = [
            .init(id: "f1", name: "Kept", total: 0, unread: .min),
            .init(id: "f1", name: "Again", parent: "f1", total: 0, unread: 0),
            .init(id: "f2", name: "Round", parent: "f2", total: 0, unread: 0),
        ]
        let chain = (3...5_000).map {
            Mail.Folder(id: "f\($0)", name: "x", parent: $0 == 3 ? nil : "f\($0 - 1)", total: 0, unread: 0)
        }
        var tree = FolderTree(folders + chain)
        #expect(tree.entries.prefix(1).map(\.name) == ["Kept"] && tree.entries.count < 200)
        tree.countRead(in: "f1")
    }

    private func screen() -> MailScreen {
        let folders = FolderTree([
            .init(id: "inbox", name: "Inbox", role: "inbox", total: 3, unread: 2),
            .init(id: "sent", name: "Sent", role: "sent", total: 0, unread: 0),
            .init(id: "f1", name: "Kept", total: 4, unread: 0),
            .init(id: "f2", name: "2027", parent: "f1", total: 1, unread: 1),
        ])
        var screen = MailScreen(today: "2027-03-05", folders: folders, folder: "inbox")
        screen.take(
            .init(
                letters: [
                    Self.letter(3, "Call me", read: false, urgent: true),
                    Self.letter(2, "Your record is closed", from: "Clinic", read: false, system: true),
                    Self.letter(1, "Ángeles comes"),
                ], total: 5, next: "1"), isMore: false)
        return screen
    }

    private func picture(_ screen: MailScreen, _ columns: Int = 80, _ rows: Int = 7) -> String {
        var screen = screen
        return screen.draw(columns: columns, rows: rows).plainText
    }

    @Test func `the list at 80 columns`() {
        #expect(
            picture(screen()) == """
                 Inbox · 3 letters, 2 of them new
                 N!  Ana Ruiz              Call me – The beginning of it.      09:03
                 N * Clinic                Your record is closed – The begin…  09:02
                     Ana Ruiz              Ángeles comes – The beginning of …  yesterday


                Enter reads · m writes · / searches · c folders · ? keys · q leaves
                """)
    }

    @Test func `after midnight a new letter is of today, and those before it of yesterday`() {
        var screen = screen()
        var new = Self.letter(4, "Early")
        new.at = "2027-03-06T00:01:00+01:00"
        screen.take(.init(letters: [new, Self.letter(3, "Call me")], total: 2), isMore: false)
        let lines = picture(screen).split(separator: "\n")
        #expect(lines[1].hasSuffix("  00:01"))
        #expect(lines[2].hasSuffix("  yesterday"))
    }

    @Test func `the list at 40 columns and 5 rows`() {
        #expect(
            picture(screen(), 40, 5) == """
                 Inbox · 3 letters, 2 of them new
                 N!  Ana Ruiz      Call me – The beginn…
                 N * Clinic        Your record is close…
                     Ana Ruiz      Ángeles comes – The …
                Enter reads · m writes · / searches · c…
                """)
    }

    private static let kept =
        "You cannot write to Sofia. What was written is kept as draft 12: `mail write --draft 12` goes on with it."

    @Test func `a notice is shown whole, over the last rows`() {
        var screen = screen()
        screen.notice = Self.kept
        #expect(
            picture(screen, 40, 7) == """
                 Inbox · 3 letters, 2 of them new
                 N!  Ana Ruiz      Call me – The beginn…
                 N * Clinic        Your record is close…
                     Ana Ruiz      Ángeles comes – The …
                You cannot write to Sofia. What was
                written is kept as draft 12: `mail write
                --draft 12` goes on with it.
                """)
        // Of a notice that is longer than the screen the end is shown: it says where the text is.
        #expect(
            picture(screen, 40, 3) == """
                 Inbox · 3 letters, 2 of them new
                written is kept as draft 12: `mail write
                --draft 12` goes on with it.
                """)
        #expect(
            screen.press(.down) == [] && picture(screen, 40, 5).hasSuffix("\nEnter reads · m writes · / searches · c…"))
    }

    @Test func `keys move, and the end of what is there fetches more`() {
        var screen = screen()
        #expect(screen.press(.character("j")) == [])
        #expect(screen.press(.character("j")) == [.list(after: "1")])
        #expect(screen.selected == 2)
        screen.take(.init(letters: [Self.letter(0, "Old")], total: 5), isMore: true)
        #expect(screen.letters.count == 4 && screen.press(.lineEnd) == [] && screen.selected == 3)
        #expect(screen.press(.character("=")) == [] && screen.selected == 0)
    }

    @Test func `a letter is opened, scrolled, answered, and left`() {
        var screen = screen()
        #expect(screen.press(.enter) == [.open("l3")])
        let body = (1...20).map { "line \($0)" }.joined(separator: "\n")
        screen.take(Mail.Get.Reply(letter: Self.letter(3, "Call me", body: body), newer: nil, older: "l2"))
        #expect(screen.letters[0].read)
        let first = picture(screen, 40, 8)
        #expect(
            first == """
                 Inbox · 3 letters, 1 of them new
                  From     Ana Ruiz
                  To       Cleo
                  When     Friday 5 March 2027 at 09:03
                  Subject  Call me

                  line 1
                r answers · d deletes · s moves · j old…
                """)
        #expect(screen.press(.space) == [])
        #expect(picture(screen, 40, 8).contains("line 6"))
        #expect(screen.press(.character("k")) == [] && screen.notice == "This is the newest letter.")
        #expect(screen.press(.character("j")) == [.open("l2")])
        #expect(screen.press(.character("r")) == [.answer("l3", all: false)])
        #expect(screen.press(.character("g")) == [.answer("l3", all: true)])
        #expect(screen.press(.character("d")) == [.delete("l3")])
        #expect(screen.press(.character("N")) == [.mark("l3", read: false)])
        #expect(screen.press(.character("i")) == [.list(after: nil)] && screen.place == .list)
        #expect(screen.press(.character("q")) == [.end])
    }

    @Test func `folders are chosen, to look into and to move to`() {
        var screen = screen()
        #expect(screen.press(.character("s")) == [])
        #expect(
            picture(screen) == """
                 Inbox · 3 letters, 2 of them new
                  Inbox  3 letters, 2 of them new
                  Sent  0 letters
                  Kept  4 letters
                    2027  1 letter, new

                Enter moves the letter here · q back
                """)
        for _ in 0..<9 { #expect(screen.press(.down) == []) }
        #expect(screen.press(.enter) == [.move("l3", folder: "f2")])
        _ = screen.press(.character("c"))
        _ = screen.press(.down)
        #expect(screen.press(.enter) == [.list(after: nil)] && screen.folder == "sent")
    }

    @Test func `words are typed and searched, and escape ends the search`() {
        var screen = screen()
        for key in [Key.character("/"), .character("r"), .character("é"), .space, .character("q")] {
            #expect(screen.press(key) == [])
        }
        #expect(picture(screen).hasSuffix("Search: ré q"))
        #expect(screen.press(.enter) == [.list(after: nil)])
        #expect(screen.folder == nil && screen.query == "ré q" && screen.title == "Letters found: ré q")
        let own = Self.letter(4, "Réquiem", folder: "sent")
        screen.take(.init(letters: [own, Self.letter(3, "Réquiem")], total: 2), isMore: false)
        #expect(screen.letters.map { screen.people(of: $0) } == ["To Cleo", "Ana Ruiz"])
        // Two clients of one name are told apart by their numbers.
        var others = [Self.letter(5, "x", from: "Eva"), Self.letter(6, "y", from: "Eva"), Self.letter(7, "z")]
        for place in others.indices {
            others[place].from.person = "p\(place + 4)"
            others[place].from.number = place + 1
        }
        screen.take(.init(letters: others, total: 3), isMore: false)
        #expect(screen.letters.map { screen.people(of: $0) } == ["Eva (No. 1)", "Eva (No. 2)", "Ana Ruiz"])
        #expect(screen.press(.escape) == [.list(after: nil)] && screen.folder == "inbox")
    }

    @Test func `only new or only urgent letters are listed, or all again`() {
        var screen = screen()
        #expect(screen.press(.character("u")) == [.list(after: nil)] && screen.isUnread && !screen.isUrgent)
        screen.take(.init(letters: [Self.letter(3, "Call me", read: false, urgent: true)], total: 1), isMore: false)
        #expect(screen.press(.character("!")) == [.list(after: nil)] && screen.isUnread && screen.isUrgent)
        #expect(
            picture(screen, 60, 4) == """
                 Inbox, only new, only urgent · 1 letter
                 N!  Ana Ruiz              Call me – The…  09:03

                Enter reads · m writes · / searches · c folders · ? keys · …
                """)
        #expect(screen.press(.character("u")) == [.list(after: nil)] && !screen.isUnread)
        screen.take(.init(letters: [], total: 0), isMore: false)
        #expect(picture(screen, 40, 4).hasPrefix(" Inbox, only urgent · 0 letters\n  There is no such letter.\n"))
        #expect(screen.press(.character("!")) == [.list(after: nil)] && screen.title == "Inbox")
    }

    @Test func `every size and any key are survived`() {
        let keys: [Key] = [
            .character("j"), .enter, .character("?"), .character("c"), .up, .down, .escape, .space, .character("s"),
            .character("/"), .erase, .left, .lineEnd, .character("x"),
        ]
        for (columns, rows) in [(1, 1), (2, 2), (10, 3), (40, 12), (200, 60)] {
            var screen = screen()
            for key in keys {
                _ = screen.press(key)
                let canvas = screen.draw(columns: columns, rows: rows)
                #expect(canvas.columns == columns && canvas.rows == rows)
            }
        }
    }

    @Test func `an answer is quoted, and its subject has one Re`() throws {
        let writer = LongText.Writer(at: "/run/practice/control", in: "Clinic at the Park", ["p2", "Ana Ruiz"])
        let letter = Self.letter(3, "Re: Friday", body: "At ten?\n\n> No.\nYes.")
        let composer = try Composer(answering: letter, all: false, me: "p2", by: writer)
        #expect(composer.subject == "Re: Friday" && composer.to.map(\.id) == ["p1"] && composer.replyTo == "l3")
        #expect(
            composer.body == """


                On Friday 5 March 2027 at 09:03, Ana Ruiz wrote:
                > At ten?
                >
                >> No.
                > Yes.
                """)
        #expect(try Composer(answering: letter, all: false, me: "p1", by: writer).to.map(\.id) == ["p2"])
        #expect(throws: Failure.self) {
            try Composer(answering: Self.letter(2, "x", system: true), all: false, me: nil, by: writer)
        }
    }

    @Test(arguments: [
        ("2027-03-05T09:00:00+01:00", "09:00"), ("2027-03-04T23:59:00+01:00", "yesterday"),
        ("2027-03-03T09:00:00+01:00", "3 March 2027"), ("2027-03-06T09:00:00+01:00", "6 March 2027"),
    ])
    func `a time is today's clock, yesterday, or a date`(instant: String, said: String) {
        #expect(LetterWords.when(instant, today: "2027-03-05") == said)
    }

    @Test func `a letter is shown as it was written, with its runs of blanks`() {
        let letter = Mail.Letter(
            id: "l1", folder: "inbox", from: .init(person: "p2", name: "Ana"), to: [], subject: "x", preview: "",
            body: "Mon   10:00  yes\n  Tue 11:00  no and more", at: "2027-03-05T09:00:00+01:00", urgent: false,
            system: false, read: true, thread: "m1", revision: 1)
        let text = LetterPage(letter: letter, today: "2027-03-05", columns: 20, ink: .plain).text
        #expect(text.hasSuffix("\n\n  Mon   10:00  yes\n    Tue 11:00  no\n  and more\n"))
    }
}
