import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing
import Varlink

@testable import PracticeDaemon

/// The secrecy of other people's clients in homework, programmes, letters and chat: a call about somebody else's client is
/// answered as one about nobody, by the same statements, so that the time does not tell either.
@Suite struct `The secrecy of other people's clients beside their records` {
    /// A method with its parameters, in which a word in capitals stands for an identifier of ``Named``.
    struct About: Sendable, CustomTestStringConvertible {
        let method: String
        let parameters: String
        var testDescription: String { "\(method) \(parameters)" }

        init(_ method: String, _ parameters: String) { (self.method, self.parameters) = (method, parameters) }
    }

    static let calls: [About] = [
        About("Practice.GetPerson", #"{"person":"CLIENT"}"#),
        About("Practice.EditStaff", #"{"person":"CLIENT","revision":1,"name":"X"}"#),
        About("Practice.ListKeys", #"{"person":"CLIENT"}"#),
        About("Practice.AddKey", #"{"person":"CLIENT","publicKey":"\#(Keys.ana)"}"#),
        About("Practice.RemoveKey", #"{"fingerprint":"KEY"}"#), About("Practice.Invite", #"{"person":"CLIENT"}"#),
        About("Care.Assign", #"{"client":"CLIENT","schedule":"[[1,[\"calm\"],\"2027-03-08\"]]"}"#),
        About("Care.Homework", #"{"client":"CLIENT"}"#),
        About("Care.SetAvailable", #"{"available":true,"client":"CLIENT","forSeconds":60}"#),
        About("Care.AddTalkingPoint", #"{"client":"CLIENT","text":"X"}"#),
        About("Programmes.ListEnrolments", #"{"client":"CLIENT"}"#),
        About("Programmes.Enrol", #"{"client":"CLIENT","programme":"second"}"#),
        About("Programmes.Enrol", #"{"client":"CLIENT","programme":"none","from":"never"}"#),
        About("Programmes.Withdraw", #"{"enrolment":"ENROLMENT","reason":"X"}"#),
        About("Programmes.Withdraw", #"{"enrolment":"ENROLMENT","reason":""}"#),
        About("Programmes.ListLessons", #"{"enrolment":"ENROLMENT"}"#),
        About("Programmes.GetLesson", #"{"enrolment":"ENROLMENT","lesson":"one"}"#),
        About("Programmes.MarkRead", #"{"enrolment":"ENROLMENT","lesson":"one"}"#),
        About("Programmes.ListSurveys", #"{"client":"CLIENT"}"#),
        About("Programmes.GetSurvey", #"{"survey":"SURVEY"}"#),
        About("Programmes.Answer", #"{"survey":"SURVEY","answers":{},"finish":false}"#),
        About("Mail.List", #"{"query":"CLIENT"}"#), About("Mail.List", #"{"folder":"FOLDER"}"#),
        About("Mail.List", #"{"thread":"THREAD"}"#), About("Mail.Get", #"{"letter":"LETTER"}"#),
        About("Mail.ListRecipients", #"{"query":"NAME"}"#), About("Mail.AddFolder", #"{"name":"X","parent":"FOLDER"}"#),
        About("Mail.RenameFolder", #"{"folder":"FOLDER","name":"X"}"#),
        About("Mail.RemoveFolder", #"{"folder":"FOLDER"}"#),
        About("Mail.SaveDraft", #"{"to":["CLIENT"],"subject":"X"}"#),
        About("Mail.SaveDraft", #"{"draft":"LETTER","revision":1,"subject":"X"}"#),
        About("Mail.SaveDraft", #"{"replyTo":"LETTER","subject":"X"}"#),
        About("Mail.Send", #"{"to":["CLIENT"],"subject":"X","body":"X"}"#),
        About("Mail.Send", #"{"to":["p4","CLIENT"],"subject":"","body":""}"#),
        About("Mail.Send", #"{"draft":"LETTER","revision":1}"#),
        About("Mail.Move", #"{"letters":["LETTER"],"folder":"bin"}"#),
        About("Mail.Delete", #"{"letters":["LETTER"]}"#), About("Mail.Mark", #"{"letters":["LETTER"],"read":true}"#),
        About("Chat.ListRooms", #"{"joinable":true,"query":"NAME"}"#), About("Chat.GetRoom", #"{"room":"ROOM"}"#),
        About("Chat.OpenDirect", #"{"person":"CLIENT"}"#),
        About("Chat.CreateRoom", #"{"name":"X","members":["CLIENT"]}"#),
        About("Chat.RenameRoom", #"{"room":"ROOM","name":"X"}"#), About("Chat.DeleteRoom", #"{"room":"ROOM"}"#),
        About("Chat.JoinRoom", #"{"room":"ROOM"}"#), About("Chat.LeaveRoom", #"{"room":"ROOM"}"#),
        About("Chat.AddMember", #"{"room":"TEAM","person":"CLIENT"}"#),
        About("Chat.AddMember", #"{"room":"ROOM","person":"CLIENT"}"#),
        About("Chat.RemoveMember", #"{"room":"TEAM","person":"CLIENT"}"#),
        About("Chat.RemoveMember", #"{"room":"ROOM","person":"CLIENT"}"#),
        About("Chat.Mute", #"{"room":"ROOM","muted":true}"#), About("Chat.Messages", #"{"room":"ROOM"}"#),
        About("Chat.Send", #"{"room":"ROOM","text":"X"}"#), About("Chat.DeleteMessage", #"{"message":"MESSAGE"}"#),
        About("Chat.MarkRead", #"{"room":"ROOM","message":"MESSAGE"}"#),
        About("Chat.MarkRead", #"{"room":"TEAM","message":"MESSAGE"}"#), About("Chat.Typing", #"{"room":"ROOM"}"#),
        About("Chat.Listen", #"{"room":"ROOM"}"#),
        About("Reports.Get", #"{"kind":"fees","period":"year","thanatologist":"CLIENT"}"#),
    ]

    /// Parameters by which a client is named, or something of theirs.
    private static let naming: Set = [
        "client", "person", "fingerprint", "enrolment", "survey", "letter", "letters", "draft", "replyTo", "to",
        "folder",
        "parent", "thread", "room", "members", "message", "query",
    ]

    @Test func `each method that names a client, or something of theirs, is in the table`() {
        let called = Set(Self.calls.map(\.method))
        // The records have a table of their own. Announce's `to` names a group.
        let elsewhere: Set = ["Practice.Audit", "Practice.ListStaff", "Practice.RetireStaff", "Mail.Announce"]
        for interface in [Practice.interface, Care.interface, Programmes.interface, Mail.interface, Chat.interface] {
            let family = interface.name.split(separator: ".").last ?? ""
            for method in interface.methods
            where method.input.contains(where: { Self.naming.contains($0.name) }) {
                let name = "\(family).\(method.name)"
                #expect(called.contains(name) || elsewhere.contains(name), "\(name)")
            }
        }
    }

    /// The identifiers for which the words in capitals stand.
    private struct Named {
        var client, name, enrolment, survey, letter, thread, folder, room, message, key: String

        static func nobody(_ number: Int) -> Named {
            Named(
                client: "p\(number)", name: "Nobody", enrolment: "e\(number)", survey: "q\(number)",
                letter: "l\(number)",
                thread: "h\(number)", folder: "f\(number)", room: "r\(number)", message: "m\(number)",
                key: "SHA256:\(number)")
        }

        func fill(_ parameters: String, team: String) -> String {
            [
                ("CLIENT", client), ("NAME", name), ("ENROLMENT", enrolment), ("SURVEY", survey), ("LETTER", letter),
                ("THREAD", thread), ("FOLDER", folder), ("ROOM", room), ("MESSAGE", message), ("KEY", key),
                ("TEAM", team),
            ].reduce(parameters) { $0.replacing($1.0, with: $1.1) }
        }
    }

    @Test(arguments: calls)
    func `a colleague, another client and a visitor get the answer and the statements of a call about nobody`(
        _ call: About
    ) throws {
        let staffed = try StaffedClinic()
        let clinic = staffed.clinic
        let thread = try clinic.as(staffed.cleo).call(Mail.Get(letter: staffed.letter)).letter.thread
        let cleo = Named(
            client: staffed.cleo, name: "Cleo", enrolment: "e1", survey: "q1", letter: staffed.letter, thread: thread,
            folder: "f1", room: staffed.direct, message: staffed.asked, key: Keys.cleos)
        var emil = Named.nobody(99)
        (emil.client, emil.name) = (staffed.emil, "Emil")
        for caller in [clinic.as(staffed.ben), clinic.as(staffed.dino), clinic.visitor] {
            func ask(_ named: Named) throws -> (reply: String, statements: [String]) {
                var reply = ""
                let statements = try clinic.statements {
                    reply = try caller.raw(
                        "org.daybreak.\(call.method)", named.fill(call.parameters, team: staffed.team))
                }
                return (reply.replacing(#/"(id|person|room)":"[^"]*"/#, with: { "\"\($0.1)\":\"…\"" }), statements)
            }
            // The first call prepares the statements.
            _ = try ask(.nobody(98))
            let missing = try ask(.nobody(99))
            for hidden in [try ask(cleo), try ask(emil)] {
                #expect(hidden.reply == missing.reply)
                #expect(hidden.statements == missing.statements)
            }
        }
    }
}
