import Companion
import Glibc
import PracticeInterfaces
import Varlink

/// A letter that is being written: its recipients, subject and text, until it is sent or kept as a draft.
///
/// The text is in a file that only its writer can read until the practice has it as a draft, and a draft until it is sent.
struct Composer {
    /// The recipients' identifiers and names.
    var to: [(id: String, name: String)] = []
    var subject = ""
    var body = ""
    var replyTo: String?
    var isUrgent = false
    var draft: (id: String, revision: Int)?
    private let writer: LongText.Writer

    /// The result of sending a letter.
    enum Outcome {
        case sent(Mail.Letter)
        case kept(Mail.Letter)
        /// Nothing was written.
        case empty
    }

    /// The file of the text while it is written.
    var file: LongText {
        let kind = "letter-\(draft?.id ?? replyTo.map { "answer-\($0)" } ?? "new")"
        return LongText(kind, for: to.isEmpty ? nil : names, by: writer)
    }

    init(by writer: LongText.Writer) { self.writer = writer }

    /// The answer to a letter, to its sender, or to everybody on it.
    init(answering letter: Mail.Letter, all: Bool, me: String?, by writer: LongText.Writer) throws(Failure) {
        self.init(by: writer)
        guard !letter.system else {
            throw .refused(
                "NoAnswer",
                saying: "The practice itself wrote this letter, and reads no answer. Write to somebody there.")
        }
        let isOwn = letter.from.person == me
        let others = letter.to.map { (id: $0.person, name: $0.name) }
        to = isOwn ? others : [(letter.from.person, letter.from.name)]
        if all, !isOwn { to += others.filter { $0.id != me && $0.id != letter.from.person } }
        subject = LetterWords.answerSubject(letter.subject)
        body = "\n\n" + LetterWords.quote(letter)
        replyTo = letter.id
    }

    init(goingOnWith letter: Mail.Letter, by writer: LongText.Writer) throws(Failure) {
        self.init(by: writer)
        guard letter.folder == "drafts" || letter.folder == "bin" else {
            throw .refused("NoDraft", saying: "Letter \(LetterName.shown(letter.id)) was sent, and is changed no more.")
        }
        to = letter.to.map { (id: $0.person, name: $0.name) }
        (subject, body, replyTo, isUrgent) = (letter.subject, letter.body ?? "", letter.replyTo, letter.urgent)
        draft = (letter.id, letter.revision)
    }

    var names: String { LetterWords.people(to.map(\.name)) }

    // MARK: The text

    /// Opens the text in the editor. A text that was written before and not sent is offered again.
    mutating func edit() throws(Failure) {
        let kept = try file.kept()
        if let kept, kept != body.withoutEnd {
            let when = try file.description().map { ", of \($0)" } ?? ""
            Streams.error("A text that was not sent is there again, \(LongText.length(kept))\(when)\n")
        }
        body = try file.write(begin: kept ?? body)
    }

    // MARK: Keeping and sending

    /// Keeps the letter as a draft of the practice's. A draft that was changed elsewhere meanwhile stays, and this one
    /// becomes another.
    mutating func keep(over first: DaemonConnection, reconnect: () throws -> DaemonConnection) throws -> Mail.Letter {
        let before = file
        let (path, others) = try keepInFile()
        do {
            var connection = first
            let reply = try Self.reply(to: save(draft?.id, to: to.map(\.id)), over: &connection, reconnect)
            let letter: Mail.Letter
            switch reply.error {
            case Practice.Changed.name:
                Streams.error("The draft was changed elsewhere meanwhile; this one is kept beside it.\n")
                letter = try connection.call(save(nil, to: to.map(\.id))).letter
            case Mail.MayNotWrite.name, Practice.NotFound.name:
                // A recipient who cannot be written to any more is left out; the rest is kept.
                letter = try connection.call(save(nil, to: [], withoutReply: true)).letter
                draft = (letter.id, letter.revision)
                try forget(before, others)
                throw refusal(reply, from: connection).adding(
                    "What was written is kept as draft \(LetterName.shown(letter.id)), without recipients.")
            default: letter = try connection.decode(Mail.SaveDraft.self, from: reply).letter
            }
            draft = (letter.id, letter.revision)
            try forget(before, others)
            return letter
        } catch let failure as Failure {
            guard try before.kept() != nil else { throw failure }
            throw failure.adding(
                "What was written is kept in \(path) until you log out or switch this machine off, "
                    + "and is offered again the next time.")
        }
    }

    /// Returns the file's path, and the text of another letter to the same people that did not get away before: it stays, before
    /// this one.
    private func keepInFile() throws(Failure) -> (path: String, others: String?) {
        let there = try file.kept()
        return (try file.keep(adding: body), there == body.withoutEnd ? nil : there)
    }

    private func forget(_ file: LongText, _ others: String?) throws(Failure) {
        if let others { try file.keep(others) } else { try file.forget(sent: body) }
    }

    private func save(_ draft: String?, to: [String], withoutReply: Bool = false) -> Mail.SaveDraft {
        Mail.SaveDraft(
            draft: draft, revision: draft == nil ? nil : self.draft?.revision, to: to, subject: subject, body: body,
            replyTo: withoutReply ? nil : replyTo, urgent: isUrgent, key: CallKey.new())
    }

    /// After a connection that was lost meanwhile the same call is made again, on a new one: its key makes it once.
    private static func reply(
        to call: some Method, over connection: inout DaemonConnection, _ reconnect: () throws -> DaemonConnection
    ) throws -> Reply {
        do throws(Failure) { return try connection.reply(to: call) } catch {
            guard error.status == Failure.noDaemonStatus else { throw error }
            connection = try reconnect()
            return try connection.reply(to: call)
        }
    }

    private func refusal(_ reply: Reply, from connection: DaemonConnection) -> Failure {
        MessageRefusal.refusal(
            reply, names: Dictionary(to.map { ($0.id, $0.name) }) { $1 }, companion: connection.daemon.companion)
            ?? Failure(reply, from: connection.daemon, at: connection.path)
    }

    /// Sends the draft.
    func send(over first: DaemonConnection, reconnect: () throws -> DaemonConnection) throws -> Mail.Letter {
        guard let draft else { preconditionFailure("a letter is kept before it is sent") }
        let number = LetterName.shown(draft.id)
        let call = Mail.Send(draft: draft.id, revision: draft.revision, key: CallKey.new())
        var connection = first
        do {
            let reply = try Self.reply(to: call, over: &connection, reconnect)
            guard reply.error == nil else { throw refusal(reply, from: connection) }
            return try connection.decode(Mail.Send.self, from: reply).letter
        } catch let failure as Failure {
            let isUnknown = failure.status == Failure.noDaemonStatus
            throw failure.adding(
                isUnknown
                    ? "It is not known whether the letter was sent. If not, it is draft \(number)."
                    : "What was written is kept as draft \(number): `mail write --draft \(number)` goes on with it.")
        }
    }
}
