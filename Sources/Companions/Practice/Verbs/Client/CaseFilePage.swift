import Companion
import JSON
import PracticeInterfaces
import PracticeRules
import StaffInterfaces

/// One client's case file as a page to print. It loads no other file, and its policy forbids loading.
struct CaseFilePage {
    private let file: Records.ClientFile
    private let caller: CallerInfo
    /// Those of the practice's own fields, by their names.
    private let labels: [String: String]
    private let homework: CaseFileSection
    private let courses: CaseFileSection

    init(_ file: RawJSON, _ caller: CallerInfo, labels: [String: String] = [:]) throws(Failure) {
        do { self.file = try decodeObject(Records.ClientFile.self, from: file.text) } catch {
            throw .notUnderstood("the case file's \(error.member ?? "form")", from: .practiced)
        }
        self.caller = caller
        self.labels = labels
        homework = try CaseFileHomework(self.file).section
        courses = try CaseFileCourses(self.file).section
    }

    private static let style = """
        :root { color-scheme: light dark }
        body { font: 11pt/1.45 serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
        h1 { font-size: 1.5rem; margin-bottom: 0 } h2 { font-size: 1.1rem; border-bottom: 1px solid; margin-top: 2rem }
        h3 { font-size: 1rem; margin-bottom: .2rem } p { margin: .2rem 0 } .text { white-space: pre-wrap }
        dl { display: grid; grid-template-columns: max-content auto; gap: .1rem 1rem } dd { margin: 0; white-space: pre-line }
        .answers { display: block } .answers dd { margin: 0 0 .3rem 1.5rem }
        table { border-collapse: collapse; font-size: .85rem; overflow-wrap: break-word } td { white-space: pre-line }
        th { text-align: start; font-weight: 600 } th, td { padding: 0 1rem .1rem 0; vertical-align: top }
        .voided { text-decoration: line-through } article, tr, svg { break-inside: avoid-page } figure { margin: .5rem 0 } svg { width: 100%; height: auto }
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
            \(DotDrawing.style)
            </style>
            </head>
            <body>
            <h1 dir="auto">\(title)</h1>
            <p>\(file.practice.shown.escapedForXML), \(Wording.time(file.at, today: nil).onPage): \(Self.introduction)</p>
            <dl>
            \(facts.map { "<dt>\($0.0)</dt><dd dir=\"auto\">\($0.1)</dd>" }.joined(separator: "\n"))
            </dl>
            <h2>The record</h2>
            \(turns)
            <h2>Sessions</h2>
            \(file.sessions.map(session).joined(separator: "\n"))\(homework.html)\(courses.html)\(correspondence)
            <h2>Who looked at it</h2>
            \(file.audit.map(row).tableOnPage("When", "Who", "Did", "To", "Through"))
            </body>
            </html>

            """
    }

    private static let introduction =
        "all that is kept of this client, as far as the reader of this page may see it. Drafts, rooms of several people and SSH "
        + "keys are not here: <code>practice keys</code> lists the keys."

    private var facts: [(String, String)] {
        let client = file.client
        var facts = [
            ("Born", client.born.map { Wording.date($0) }), ("Telephone", client.phone), ("E-mail", client.email),
            ("Account", client.account), ("Address", client.address), ("In an emergency", client.emergencyContact),
            ("Referred by", client.referredBy),
            ("Came because of", client.motive),
        ]
        facts += client.extra.sorted { $0.key < $1.key }.map { (labels[$0.key] ?? $0.key, $0.value) }
        facts += [
            (Wording.capitalised(caller.therapist), file.name(client.thanatologist)), ("Time zone", client.timeZone),
        ]
        facts.append(("Record", "\(client.open ? "open" : "closed"), kept since \(Wording.date(client.since))"))
        facts.append(("Closed on", client.closedOn.map { Wording.date($0) }))
        return facts.compactMap { label, text in text.map { (label.shown.escapedForXML, $0.onPage) } }
    }

    private var turns: String {
        let therapist = Wording.capitalised(caller.therapist)
        return file.turns.map(row).tableOnPage("On", "What", "By", therapist, "Episode", "Reason", "Written")
    }

    private func row(_ turn: Records.Turn) -> [String] {
        let why = turn.why.map { ": a \($0.rawValue)" } ?? ""
        return [
            Wording.date(turn.on ?? turn.at), turn.what.rawValue + why, file.name(turn.by),
            turn.thanatologist.map(file.name) ?? "", turn.episode.map { "\($0)" } ?? "", turn.reason,
            Wording.time(turn.at, today: nil),
        ]
    }

    private func row(_ entry: Records.FiledEntry) -> [String] {
        [
            Wording.time(entry.at, today: nil), file.name(entry.person), entry.did, entry.what.map(file.name) ?? "",
            entry.through,
        ]
    }

    private func session(_ session: Records.Session) -> String {
        let terms: [String] = [
            Wording.minutes(session.minutes), file.name(session.service), file.name(session.thanatologist),
            (session.motives + session.tools).map(file.name).joined(separator: ", "),
            session.fee.map { session.spelled(fee: $0, else: caller) } ?? "",
            session.episode.map { "episode \($0)" } ?? "",
            "recorded \(Wording.time(session.recorded, today: nil)) as \(session.id)",
        ]
        let said = terms.filter { !$0.isEmpty }.joined(separator: " · ")
        var text = "<article>\n<h3\(session.voided == nil ? "" : " class=\"voided\"")>"
        text += "\(session.number). \(Wording.date(session.on))</h3>\n<p>\(said.onPage)</p>\n"
        if let voided = session.voided {
            let by = session.voidedBy.map { " by \(file.name($0))" } ?? ""
            text +=
                "Voided \(Wording.time(voided, today: nil))\(by): \(session.voidReason ?? "")".paragraphOnPage + "\n"
        }
        if !session.notes.isEmpty { text += session.notes.writtenOnPage + "\n" }
        for addendum in session.addenda {
            text += "<p>Addendum, \(Wording.date(addendum.at)), \(file.name(addendum.by).onPage)</p>\n"
            text += addendum.text.writtenOnPage + "\n"
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
        let more = leftOut.map { ["<p>\($0) older \($0 == 1 ? "one is" : "ones are") not in this file.</p>"] } ?? []
        return CaseFileSection(title: title, parts: more + items).html
    }

    private func letter(_ letter: Records.FiledLetter) -> String {
        let subject = letter.subject.isEmpty ? "(no subject)" : letter.subject
        let names = "\(letter.from.name) to \(letter.to.map(\.name).joined(separator: ", "))"
        let said = [Wording.time(letter.at, today: nil), names] + (letter.urgent ? ["urgent"] : [])
        return "<article>\n\(subject.headingOnPage)\n"
            + "\(said.joined(separator: " · ").paragraphOnPage)\n\(letter.body.writtenOnPage)\n</article>"
    }

    private func message(_ message: Records.FiledMessage) -> String {
        let other = message.with.name == message.from.name ? "" : " to \(message.with.name)"
        let head = "\(Wording.time(message.at, today: nil)) · \(message.from.name)\(other)"
        return "\(head.paragraphOnPage)\n\((message.deleted ? "– deleted –" : message.text).writtenOnPage)"
    }
}
