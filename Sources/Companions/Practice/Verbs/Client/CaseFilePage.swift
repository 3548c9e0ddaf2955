import Companion
import JSON
import PracticeInterfaces
import PracticeRules

/// One client's case file as a page to print. It loads no other file, and its policy forbids loading.
struct CaseFilePage {
    private struct File: Decodable {
        let practice: String
        let at: String
        let client: Records.Client
        let turns: [Records.Turn]
        let sessions: [Records.Session]
        let letters: [Letter]?
        let messages: [Message]?
        let lettersLeftOut: Int?
        let messagesLeftOut: Int?
        let audit: [AuditEntry]
        let names: [String: String]

        struct Named: Decodable { let name: String }

        struct Letter: Decodable {
            let at: String
            let from: Named
            let to: [Named]
            let subject: String
            let body: String
            let urgent: Bool
        }

        struct Message: Decodable {
            let at: String
            let from: Named
            let with: Named
            let text: String
            let deleted: Bool
        }

        struct AuditEntry: Decodable {
            let at: String
            let person: String
            let did: String
            let through: String
        }
    }

    private let file: File
    private let caller: CallerInfo

    init(_ file: RawJSON, _ caller: CallerInfo) throws(Failure) {
        do { self.file = try decodeObject(File.self, from: file.text) } catch {
            throw .notUnderstood("the case file's \(error.member ?? "form")", from: .practiced)
        }
        self.caller = caller
    }

    private static let style = """
        body { font: 11pt/1.45 serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
        h1 { font-size: 1.5rem; margin-bottom: 0 } h2 { font-size: 1.1rem; border-bottom: 1px solid; margin-top: 2rem }
        h3 { font-size: 1rem; margin-bottom: .2rem } p { margin: .2rem 0 } .text { white-space: pre-wrap }
        dl { display: grid; grid-template-columns: max-content auto; gap: .1rem 1rem } dd { margin: 0; white-space: pre-line }
        table { border-collapse: collapse; font-size: .85rem } td { padding: 0 1rem .1rem 0; vertical-align: top }
        .voided { text-decoration: line-through } article { break-inside: avoid-page }
        """

    var text: String {
        let client = file.client
        let title = "\(client.name.shown.escapedForXML), No. \(client.number)"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(title)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <h1 dir="auto">\(title)</h1>
            <p>\(file.practice.shown.escapedForXML), \(Wording.date(file.at)): all that is kept of this client.</p>
            <dl>
            \(facts.map { "<dt>\($0.0)</dt><dd dir=\"auto\">\($0.1)</dd>" }.joined(separator: "\n"))
            </dl>
            <h2>The record</h2>
            <table>
            \(file.turns.map(row).joined(separator: "\n"))
            </table>
            <h2>Sessions</h2>
            \(file.sessions.map(session).joined(separator: "\n"))\(correspondence)
            <h2>Who looked at it</h2>
            <table>
            \(file.audit.map(row).joined(separator: "\n"))
            </table>
            </body>
            </html>

            """
    }

    private var facts: [(String, String)] {
        let client = file.client
        var facts = [
            ("Born", client.born.map { Wording.date($0) }), ("Telephone", client.phone), ("E-mail", client.email),
            ("Address", client.address), ("In an emergency", client.emergencyContact),
            ("Referred by", client.referredBy),
            ("Came because of", client.motive),
        ]
        facts += client.extra.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        facts += [(Wording.capitalised(caller.therapist), name(client.thanatologist)), ("Time zone", client.timeZone)]
        return facts.compactMap { label, text in text.map { (label.shown.escapedForXML, safe($0)) } }
    }

    private func row(_ turn: Records.Turn) -> String {
        let cells = [Wording.date(turn.on ?? turn.at), turn.what.rawValue, name(turn.by), turn.reason]
        return "<tr>\(cells.map { "<td dir=\"auto\">\(safe($0))</td>" }.joined())</tr>"
    }

    private func row(_ entry: File.AuditEntry) -> String {
        let cells = [Wording.time(entry.at, today: nil), name(entry.person), entry.did, entry.through]
        return "<tr>\(cells.map { "<td dir=\"auto\">\(safe($0))</td>" }.joined())</tr>"
    }

    private func session(_ session: Records.Session) -> String {
        let terms = [
            Wording.minutes(session.minutes), name(session.service), name(session.thanatologist),
            (session.motives + session.tools).map(name).joined(separator: ", "),
            session.fee.map { session.spelled(fee: $0, else: caller) } ?? "",
        ]
        let said = terms.filter { !$0.isEmpty }.joined(separator: " · ")
        var text = "<article>\n<h3\(session.voided == nil ? "" : " class=\"voided\"")>"
        text += "\(session.number). \(Wording.date(session.on))</h3>\n<p>\(safe(said))</p>\n"
        if let reason = session.voidReason { text += "<p dir=\"auto\">Voided: \(safe(reason))</p>\n" }
        if !session.notes.isEmpty { text += "<p class=\"text\" dir=\"auto\">\(safe(session.notes))</p>\n" }
        for addendum in session.addenda {
            text += "<p>Addendum, \(Wording.date(addendum.at)), \(safe(name(addendum.by)))</p>\n"
            text += "<p class=\"text\" dir=\"auto\">\(safe(addendum.text))</p>\n"
        }
        return text + "</article>"
    }

    /// Empty if nobody wrote.
    private var correspondence: String {
        part("Letters", (file.letters ?? []).map(letter), leftOut: file.lettersLeftOut)
            + part("Messages", (file.messages ?? []).map(message), leftOut: file.messagesLeftOut)
    }

    private func part(_ title: String, _ items: [String], leftOut: Int?) -> String {
        guard !items.isEmpty else { return "" }
        let more = leftOut.map { "\n<p>\($0) older \($0 == 1 ? "one is" : "ones are") not in this file.</p>" } ?? ""
        return "\n<h2>\(title)</h2>\(more)\n\(items.joined(separator: "\n"))"
    }

    private func letter(_ letter: File.Letter) -> String {
        let subject = letter.subject.isEmpty ? "(no subject)" : letter.subject
        let names = "\(letter.from.name) to \(letter.to.map(\.name).joined(separator: ", "))"
        let said = [Wording.time(letter.at, today: nil), names] + (letter.urgent ? ["urgent"] : [])
        return "<article>\n<h3 dir=\"auto\">\(safe(subject))</h3>\n"
            + "<p dir=\"auto\">\(safe(said.joined(separator: " · ")))</p>\n"
            + "<p class=\"text\" dir=\"auto\">\(safe(letter.body))</p>\n</article>"
    }

    private func message(_ message: File.Message) -> String {
        let other = message.with.name == message.from.name ? "" : " to \(message.with.name)"
        let head = "\(Wording.time(message.at, today: nil)) · \(message.from.name)\(other)"
        return "<p dir=\"auto\">\(safe(head))</p>\n"
            + "<p class=\"text\" dir=\"auto\">\(message.deleted ? "– deleted –" : safe(message.text))</p>"
    }

    private func name(_ identifier: String) -> String { file.names[identifier] ?? identifier }

    /// Keeps line breaks, and drops other control characters.
    private func safe(_ text: String) -> String { text.paragraphs(columns: nil).joined(separator: "\n").escapedForXML }
}
