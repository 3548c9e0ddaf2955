import Foundation
import PracticeInterfaces
import StaffInterfaces
import Testing

@testable import Companion

/// A failure is told where it happened, and the written text is kept; in both companions, over a line that fails.
@Suite struct `Messages that fail` {
    private typealias Side = FaultyLine.Side
    private let line: FaultyLine

    init() throws { line = try FaultyLine() }

    private func write(_ side: FaultyLine.Side, to name: String? = nil) throws -> ProgramTests.Run {
        try line.run(
            side, "mail", "write", name ?? side.other.name, "--subject", "Friday", input: "At ten?\n  And  why?\n")
    }

    private static let written = "At ten?\n  And  why?\n"
    private static let rule =
        " Clients write to their therapist and the practice's support, while the record is open; those who work here write to "
        + "each other and to their clients."

    // MARK: The connection

    @Test(arguments: FaultyLine.Side.allCases, ["Mail.SaveDraft", "Mail.Send"])
    func `a letter is sent once if the connection goes before or after the practice has it`(
        side: FaultyLine.Side, method: String
    ) throws {
        for how in ["lost before", "lost after"] {
            try line.fail(how, at: method)
            #expect(try write(side) == .init(output: "Sent to \(side.other.name).\n"), "\(how)")
        }
        #expect(try line.letters(side.other.id, "inbox") == ["Friday", "Friday"])
        #expect(try line.letters(side.person, "sent") == ["Friday", "Friday"])
        #expect(try line.letters(side.person, "drafts") == [] && line.kept(side).isEmpty)
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a letter of which nobody knows whether it was sent is said to be so`(side: FaultyLine.Side) throws {
        try line.fail("lost after", at: "Mail.Send", times: 2)
        let run = try write(side)
        #expect(run.status == Failure.noDaemonStatus)
        #expect(
            run.error.hasSuffix("\nIt is not known whether the letter was sent. If not, it is draft 1.\n"),
            "\(run.error)")
        #expect(try line.letters(side.other.id, "inbox") == ["Friday"])
        try line.fail("lost before", at: "Mail.SaveDraft", times: 2)
        let kept = try write(side)
        let file = try #require(try line.kept(side).first)
        #expect(
            kept.error.hasSuffix(
                "\nWhat was written is kept in \(file.path) until you log out or switch this machine off, "
                    + "and is offered again the next time.\n"))
        #expect(file.text == Self.written)
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a later letter to the same person leaves one that did not get away`(side: FaultyLine.Side) throws {
        try line.fail("lost before", at: "Mail.SaveDraft", times: 2)
        _ = try write(side)
        let later = try line.run(side, "mail", "write", side.other.name, "--subject", "Later", input: "Another one.\n")
        #expect(later == .init(output: "Sent to \(side.other.name).\n"))
        #expect(try line.kept(side).map(\.text) == [Self.written])
        // If it does not get away either, both are there.
        try line.fail("lost before", at: "Mail.SaveDraft", times: 2)
        _ = try line.run(side, "mail", "write", side.other.name, "--subject", "Later", input: "Another one.\n")
        #expect(try line.kept(side).map(\.text) == [Self.written + "Another one.\n"])
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a message is sent once if the connection goes before or after the practice has it`(side: FaultyLine.Side)
        throws
    {
        for (how, text) in [("lost before", "One."), ("lost after", "Two.")] {
            try line.fail(how, at: "Chat.Send")
            #expect(
                try line.run(side, "chat", "send", side.other.name, text)
                    == .init(output: "Sent to \(side.other.name).\n"), "\(how)")
        }
        #expect(try line.texts() == ["One.", "Two."])
        try line.fail("lost after", at: "Chat.Send", times: 2)
        let run = try line.run(side, "chat", "send", side.other.name, "Three.")
        let file = try #require(try line.kept(side).first)
        #expect(run.status == Failure.noDaemonStatus && file.text == "Three.\n")
        #expect(
            run.error.hasSuffix(
                "\nIt is not known whether the message was sent: `chat history` shows it.\n"
                    + "What was written is kept in \(file.path), and stands in the line of `\(side.companion) chat r1`.\n"
            ),
            "\(run.error)")
        #expect(try line.texts() == ["One.", "Two.", "Three."])
        // Said again with success, it is kept no more.
        #expect(try line.run(side, "chat", "send", side.other.name, "Three.").status == 0)
        #expect(try line.kept(side).isEmpty)
    }

    // MARK: The other person, the room, the draft

    private enum Loss: CaseIterable {
        case retired, closed

        /// The call with which the person on the other side is lost.
        var call: (person: String, method: String, parameters: [String: Any]) {
            switch self {
            case .retired: ("p1", "org.daybreak.Practice.RetireStaff", ["person": "p4", "revision": 1])
            case .closed:
                ("p2", "org.daybreak.Records.CloseRecord", ["client": "p3", "reason": "All is said."])
            }
        }

        func name(_ side: FaultyLine.Side) -> String { self == .retired ? "Sofia Vega" : side.other.name }
    }

    @Test(arguments: FaultyLine.Side.allCases, [false, true])
    func `a letter to somebody who is lost meanwhile is kept as a draft`(side: FaultyLine.Side, isClosed: Bool) throws {
        let loss = isClosed ? Loss.closed : .retired
        let name = loss.name(side)
        try line.meanwhile(at: "Mail.Send", loss.call.person, loss.call.method, loss.call.parameters)
        #expect(
            try write(side, to: name)
                == .init(
                    error: "You cannot write to \(name).\(Self.rule)\n"
                        + "What was written is kept as draft 1: `mail write --draft 1` goes on with it.\n", status: 1))
        // The draft names them still.
        let again = try line.run(side, "mail", "write", "--draft", "1", input: "")
        #expect(
            again
                == .init(
                    error: "You cannot write to \(name).\(Self.rule)\n"
                        + "What was written is kept as draft \(try newestDraft(side)), without recipients.\n", status: 1
                ))
        #expect(try line.letters(side.person, "sent") == [])
        #expect(try line.kept(side).isEmpty)
        let draft = try line.connection(side.person).call(Mail.Get(letter: "l\(try newestDraft(side))")).letter
        #expect(draft.body == "At ten?\n  And  why?" && draft.subject == "Friday" && draft.to.isEmpty)
    }

    private func newestDraft(_ side: FaultyLine.Side) throws -> String {
        let drafts = try line.connection(side.person).call(Mail.List(folder: "drafts")).letters
        return String(try #require(drafts.first).id.dropFirst())
    }

    @Test(arguments: FaultyLine.Side.allCases, [false, true])
    func `a message to somebody who is lost meanwhile is kept`(side: FaultyLine.Side, isClosed: Bool) throws {
        let loss = isClosed ? Loss.closed : .retired
        let name = loss.name(side)
        try line.meanwhile(at: "Chat.Send", loss.call.person, loss.call.method, loss.call.parameters)
        let run = try line.run(side, "chat", "send", name, "-", input: Self.written)
        let file = try #require(try line.kept(side).first)
        #expect(
            run
                == .init(
                    error: "You cannot write to \(name).\(Self.rule)\n"
                        + "What was written is kept in \(file.path), and stands in the line of `\(side.companion) chat r1`.\n",
                    status: 1))
        #expect(file.text == Self.written)
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a message to a room that is deleted meanwhile is kept`(side: FaultyLine.Side) throws {
        let room = try line.connection("p4").call(Chat.CreateRoom(name: "Garden", members: ["p2", "p3"])).room.id
        try line.meanwhile(at: "Chat.Send", "p4", "org.daybreak.Chat.DeleteRoom", ["room": room])
        let run = try line.run(side, "chat", "send", "Garden", "At ten?")
        let file = try #require(try line.kept(side).first)
        #expect(
            run
                == .init(
                    error: "There is no room “Garden” of yours (any more). `\(side.companion) chat` lists them.\n"
                        + "What was written is kept in \(file.path).\n", status: 1))
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a draft that is changed elsewhere meanwhile stays, and the other is sent`(side: FaultyLine.Side) throws {
        _ = try line.run(
            side, "mail", "write", side.other.name, "--draft-only", "--subject", "Friday", input: "At nine?\n")
        try line.meanwhile(
            at: "Mail.SaveDraft", side.person, "org.daybreak.Mail.SaveDraft", ["draft": "l1", "body": "At eleven?"])
        #expect(
            try line.run(side, "mail", "write", "--draft", "1", input: "At ten?\n")
                == .init(
                    output: "Sent to \(side.other.name).\n",
                    error: "The draft was changed elsewhere meanwhile; this one is kept beside it.\n"))
        let mine = try line.connection(side.person)
        #expect(try mine.call(Mail.Get(letter: "l1")).letter.body == "At eleven?")
        #expect(try mine.call(Mail.List(folder: "sent")).letters.map(\.preview) == ["At ten?"])
    }

    // MARK: The practice

    private static var refusals: [(error: String, parameters: [String: Any], practice: String, daybreak: String)] {
        [
            (
                "Practice.StorageUnavailable", ["reason": "The disk is full."],
                "Nothing was written, because the practice's database cannot be used now. The disk is full. "
                    + "`practice doctor` says more.",
                "The practice is closed at the moment; try again later."
            ),
            (
                "Practice.StorageUnavailable", ["reason": "The disk is full.", "inDoubt": true],
                "Nothing was written, because the practice's database cannot be used now. The disk is full. The disk may have "
                    + "kept it all the same: look before you repeat it. `practice doctor` says more.",
                "The practice is closed at the moment; try again later. It may have kept this all the same: look before you "
                    + "repeat it."
            ),
            (
                "Practice.TooManyToday", ["limit": 5_000],
                "That was 5000 times today, which is the limit; go on tomorrow.",
                "That was 5000 times today, which is the limit; go on tomorrow."
            ),
            (
                "Practice.NotAllowed", ["right": "fly"],
                "You may not do this (fly). `practice rights` shows who may do what.",
                "You may not do this: it is for those who work at the practice."
            ),
        ]
    }

    @Test(arguments: FaultyLine.Side.allCases, 0..<4)
    func `a practice that cannot take it now says so, and what was written is kept`(
        side: FaultyLine.Side, place: Int
    ) throws {
        let refusal = Self.refusals[place]
        let sentence = side == .practice ? refusal.practice : refusal.daybreak
        func refuse(_ method: String) throws {
            try line.fail(
                "refused", at: method, ["error": "org.daybreak.\(refusal.error)", "parameters": refusal.parameters])
        }
        try refuse("Mail.SaveDraft")
        let unkept = try write(side)
        var file = try #require(try line.kept(side).first)
        #expect(
            unkept
                == .init(
                    error:
                        "\(sentence)\nWhat was written is kept in \(file.path) until you log out or switch this machine off, "
                        + "and is offered again the next time.\n",
                    status: 1))
        #expect(file.text == Self.written)
        try FileManager.default.removeItem(atPath: file.path)
        try refuse("Mail.Send")
        #expect(
            try write(side)
                == .init(
                    error:
                        "\(sentence)\nWhat was written is kept as draft 1: `mail write --draft 1` goes on with it.\n",
                    status: 1))
        try refuse("Chat.Send")
        let unsent = try line.run(side, "chat", "send", side.other.name, "At ten?")
        file = try #require(try line.kept(side).first)
        #expect(
            unsent
                == .init(
                    error: "\(sentence)\nWhat was written is kept in \(file.path), and stands in the line of "
                        + "`\(side.companion) chat r1`.\n", status: 1))
        #expect(file.text == "At ten?\n")
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `a text that is too long is refused with the limit, and kept`(side: FaultyLine.Side) throws {
        let long = String(repeating: "ñ", count: 8_193)
        let message = try line.run(side, "chat", "send", side.other.name, "-", input: long)
        let file = try #require(try line.kept(side).first)
        #expect(
            message
                == .init(
                    error: "Nothing was written:\n  text must have no more than 16384 bytes.\n"
                        + "What was written is kept in \(file.path), and stands in the line of `\(side.companion) chat r1`.\n",
                    status: 1))
        #expect(file.text == long + "\n")
        // Another one that has no room beside it leaves it as it is.
        let full = String(repeating: "a", count: 1_024 * 1_024 - 2) + "\n"
        try full.write(toFile: file.path, atomically: false, encoding: .utf8)
        #expect(
            try line.run(side, "chat", "send", side.other.name, "-", input: long).error
                == "Nothing was written:\n  text must have no more than 16384 bytes.\n"
                + "The text is not kept: \(file.path) has no room for it. Send or remove what is in it first.\n")
        #expect(try line.kept(side).map(\.text) == [full])
        // More than a letter takes is not read to its end: its source has it still.
        #expect(
            try line.run(
                side, "mail", "write", side.other.name, input: String(repeating: "a", count: 1_024 * 1_024 + 1))
                == .init(
                    error: "Standard input is too long: at most 1024 KB are taken. Nothing of it is kept.\n",
                    status: 1))
        #expect(try line.letters(side.person, "drafts") == [])
    }

    @Test(arguments: FaultyLine.Side.allCases)
    func `more drafts than anybody has are refused, and the text is kept`(side: FaultyLine.Side) throws {
        let connection = try line.connection(side.person)
        for _ in 0..<1_000 { _ = try connection.call(Mail.SaveDraft()) }
        let run = try write(side)
        let file = try #require(try line.kept(side).first)
        #expect(
            run
                == .init(
                    error: "Nothing was written:\n  draft cannot be kept: nobody has more than 1000.\n"
                        + "What was written is kept in \(file.path) until you log out or switch this machine off, "
                        + "and is offered again the next time.\n", status: 1))
        #expect(file.text == Self.written)
    }

    // MARK: Parts of names

    @Test(arguments: FaultyLine.Side.allCases)
    func `nothing is sent by a part of a name where nobody is asked`(side: FaultyLine.Side) throws {
        _ = try line.connection("p4").call(Chat.CreateRoom(name: "Team", members: ["p2", "p3"]))
        #expect(
            try line.run(side, "chat", "send", "Tea", "is ready")
                == .init(error: "“Tea” is only a part of “Team”. Say the whole name, or r1.\n", status: 1))
        #expect(try line.run(side, "chat", "send", "team", "Hello.") == .init(output: "Sent to Team.\n"))
        let part = String(side.other.name.prefix(3))
        #expect(
            try write(side, to: part)
                == .init(
                    error:
                        "“\(part)” is only a part of “\(side.other.name)”. Say the whole name, or \(side.other.id).\n",
                    status: 1))
        // Nor is a room made for a person who is not meant.
        #expect(try line.run(side, "chat", "send", part, "Hello.").status == 1)
        #expect(try line.connection(side.person).call(Chat.ListRooms()).rooms.map(\.name) == ["Team"])
        #expect(try line.run(side, "chat", "send", side.other.id, "Hello.").status == 0)
    }
}
