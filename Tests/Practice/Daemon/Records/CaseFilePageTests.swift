import Foundation
import JSON
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing

@testable import PracticeCompanion
@testable import PracticeDaemon

@Suite struct `The case file as a page` {
    /// Identifiers that tell rows apart or join them, and stand beside what they name. And documents of FHIR, of which the page
    /// shows questions and answers.
    private static let unshown: Set<String> = [
        "client.id", "client.revision", "sessions.client", "care.happenings.happening.id", "care.feedback.about",
        "care.feedback.client", "programmes.enrolments.id", "programmes.surveys.id", "programmes.surveys.enrolment",
        "programmes.surveys.survey", "programmes.responses", "programmes.questionnaires", "letters.id",
        "letters.from.person", "letters.to.person", "messages.id", "messages.from.person", "messages.with.person",
        "audit.id",
    ]

    private static let caller = CallerInfo(
        reply: .init(
            person: nil, rights: [], practice: "Clinic & Park", timeZone: "Europe/Madrid", currency: "EUR",
            therapist: "therapist", today: "2027-03-06"))

    private static func page(_ file: RawJSON) throws -> String { try CaseFilePage(file, caller).text }

    @Test func `the practice's own fields have their labels, and a therapist the practice's word`() throws {
        var reply = Self.caller.reply
        reply.therapist = "counsellor"
        let file = RawJSON(try Records.ClientFile.full())
        let page = try CaseFilePage(file, CallerInfo(reply: reply), labels: ["insurance": "Insured at"]).text
        #expect(page.contains("<dt>Insured at</dt>") && !page.contains("<dt>insurance</dt>"))
        #expect(page.contains(">By</th><th scope=\"col\">Counsellor</th>"))
        #expect(!page.contains("Therapist"))
    }

    @Test func `the sample has every part of a case file`() throws {
        func missing(_ value: Any, _ path: String) -> [String] {
            if value is RawJSON { return [] }
            let mirror = Mirror(reflecting: value)
            switch mirror.displayStyle {
            case .optional: return mirror.children.first.map { missing($0.value, path) } ?? [path]
            case .collection, .dictionary: return mirror.children.isEmpty ? [path] : elements(mirror, path)
            case .struct: return mirror.children.flatMap { missing($0.value, "\(path).\($0.label ?? "")") }
            default: return []
            }
        }
        // A part may be missing in one element of a list if another one has it.
        func elements(_ list: Mirror, _ path: String) -> [String] {
            let all = list.children.map { Set(missing($0.value, path)) }
            return all.reduce(all.first ?? []) { $0.intersection($1) }.sorted()
        }
        #expect(missing(try Records.ClientFile.full(), "file") == [])
    }

    @Test func `each part of a case file has its place on the page`() throws {
        let file = RawJSON(try Records.ClientFile.full())
        let whole = try Self.page(file)
        let root = try JSONSerialization.jsonObject(with: Data(file.text))
        var unseen: [String] = []
        for (place, changes) in Self.changes(of: root, at: "") where !Self.unshown.contains(place) {
            // An unknown word of a closed list is refused, so that another one is tried. Programmes that do not fit the answers are
            // refused in any case.
            let pages = try changes.lazy.compactMap { root in
                let text = try JSONSerialization.data(withJSONObject: root)
                return try? Self.page(RawJSON(parsing: Array(text)))
            }
            if pages.first == whole { unseen.append(place) }
        }
        #expect(unseen == [])
    }

    /// Each value within another one, by the names of its members, with the whole after a change of it.
    private static func changes(of value: Any, at path: String) -> [(place: String, wholes: [Any])] {
        if unshown.contains(path) { return [] }
        switch value {
        case let object as [String: Any]:
            return object.keys.sorted().flatMap { key -> [(String, [Any])] in
                let inside = path.isEmpty ? key : "\(path).\(key)"
                return changes(of: object[key] as Any, at: inside).map { place, changed in
                    (place, changed.map { object.merging([key: $0]) { $1 } })
                }
            }
        case let list as [Any]:
            return list.indices.flatMap { index in
                changes(of: list[index], at: path).map { place, changed in
                    (place, changed.map { list[..<index] + [$0] + list[(index + 1)...] })
                }
            }
        case let text as String:
            return [(path, [text + "x", "closed", "mistake", "2027-03-09", "4-4-4-4"])]
        case let number as NSNumber where isBoolean(number): return [(path, [!number.boolValue])]
        case let number as NSNumber: return [(path, [number.intValue + 1])]
        default: return [(path, [])]
        }
    }

    private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    @Test func `the whole page`() throws {
        let page = try Self.page(RawJSON(try Records.ClientFile.full()))
        let body = page.split(separator: "<body>\n")[1]
        #expect(
            body == """
                <h1 dir="auto">Cleo &lt;b&gt;, No. 1</h1>
                <p>Clinic &amp; Park, Saturday 6 March 2027 at 12:30: all that is kept of this client, as far as the \
                reader of this page may see it. Drafts, rooms of several people and SSH keys are not here: \
                <code>practice keys</code> lists the keys.</p>
                <dl>
                <dt>Born</dt><dd dir="auto">29 February 1980</dd>
                <dt>Telephone</dt><dd dir="auto">+34911</dd>
                <dt>E-mail</dt><dd dir="auto">cleo@home.example</dd>
                <dt>Account</dt><dd dir="auto">cleo</dd>
                <dt>Address</dt><dd dir="auto">Street 1
                &lt;2&gt;</dd>
                <dt>In an emergency</dt><dd dir="auto">Dino &lt;3</dd>
                <dt>Referred by</dt><dd dir="auto">A &amp; B</dd>
                <dt>Came because of</dt><dd dir="auto">Loss &lt;of&gt; mother</dd>
                <dt>insurance</dt><dd dir="auto">12&lt;3</dd>
                <dt>Therapist</dt><dd dir="auto">Ana &amp; Co</dd>
                <dt>Time zone</dt><dd dir="auto">Europe/Madrid</dd>
                <dt>Record</dt><dd dir="auto">closed, kept since 1 March 2027</dd>
                <dt>Closed on</dt><dd dir="auto">7 March 2027</dd>
                </dl>
                <h2>The record</h2>
                <table>
                <thead><tr><th scope="col">On</th><th scope="col">What</th><th scope="col">By</th><th scope="col">\
                Therapist</th><th scope="col">Episode</th><th scope="col">Reason</th><th scope="col">Written</th>\
                </tr></thead>
                <tr><td dir="auto">4 March 2027</td><td dir="auto">reopened: a return</td><td dir="auto">Ana &amp; \
                Co</td><td dir="auto">Ben &lt;b&gt;</td><td dir="auto">2</td><td dir="auto">She &lt;came&gt; \
                back.</td><td dir="auto">Friday 5 March 2027 at 09:00</td></tr>
                </table>
                <h2>Sessions</h2>
                <article>
                <h3 class="voided">1. 2 March 2027</h3>
                <p>50 min · Talk &lt;1&gt; · Ana &amp; Co · Loss &lt;l&gt;, Letter &lt;t&gt; · 45.00 USD · episode 1 \
                · recorded Friday 5 March 2027 at 09:00 as s1</p>
                <p dir="auto">Voided Saturday 6 March 2027 at 12:30 by Ana &amp; Co: Twice &lt;over&gt;.</p>
                <p class="text" dir="auto">First &lt;talk&gt;.
                Long.</p>
                <p>Addendum, 5 March 2027, Ben &lt;b&gt;</p>
                <p class="text" dir="auto">60 &lt;minutes&gt;.</p>
                </article>
                <h2>Homework</h2>
                <p dir="auto">Shared with the practice: completed, moods.</p>
                <h3 dir="auto">Revision 3, Friday 5 March 2027 at 09:00, by Ana &amp; Co</h3>
                <table>
                <thead><tr><th scope="col">Due</th><th scope="col">Task</th><th scope="col">Breaths</th><th \
                scope="col">Pattern</th><th scope="col">Moods</th></tr></thead>
                <tr><td dir="auto">5 March 2027</td><td dir="auto">one</td><td dir="auto">5</td><td dir="auto">\
                4-0-6-0</td><td dir="auto">calm &lt;c&gt;, tired</td></tr>
                </table>
                <h3 dir="auto">What the client's Daybreak told</h3>
                <table>
                <thead><tr><th scope="col">When</th><th scope="col">Counted for</th><th scope="col">Task</th><th \
                scope="col">What</th><th scope="col">Breaths</th><th scope="col">Mood</th><th scope="col">Note</th>\
                <th scope="col">Told by</th></tr></thead>
                <tr><td dir="auto">Friday 5 March 2027 at 09:00</td><td dir="auto"></td><td dir="auto"></td><td \
                dir="auto">took in revision 3</td><td dir="auto"></td><td dir="auto"></td><td dir="auto"></td><td \
                dir="auto">laptop, No. 4, heard Saturday 6 March 2027 at 12:30</td></tr>
                <tr><td dir="auto">Saturday 6 March 2027 at 00:30</td><td dir="auto">5 March 2027</td><td dir="auto">\
                one</td><td dir="auto">completed revision 7</td><td dir="auto">6</td><td dir="auto">calm \
                &lt;c&gt;</td><td dir="auto">A &lt;note&gt;</td><td dir="auto">laptop, No. 5, heard Saturday 6 March \
                2027 at 12:30</td></tr>
                </table>
                <figure>
                <svg viewBox="0 0 760 112" width="760" height="112" role="img" aria-labelledby="moods-title \
                moods-desc" font-family="system-ui, sans-serif" font-size="14">
                <title id="moods-title">Moods</title>
                <desc id="moods-desc">calm &lt;c&gt;: 5 March 2027.</desc>
                <rect class="paper" width="100%" height="100%" rx="8"/>
                <text class="faint" x="150" y="98">5 March 2027</text>
                <line class="line" x1="150" y1="51" x2="736" y2="51"/>
                <text class="ink" x="136" y="56" text-anchor="end">calm &lt;c&gt;</text>
                <circle class="dot" cx="160" cy="51" r="6"><title>Friday 5 March 2027: calm &lt;c&gt;</title></circle>
                </svg>
                </figure>
                <h3 dir="auto">Devices</h3>
                <table>
                <thead><tr><th scope="col">Device</th><th scope="col">Last heard</th><th scope="col">Last \
                happening</th><th scope="col">Schedule's revision</th></tr></thead>
                <tr><td dir="auto">laptop</td><td dir="auto">Saturday 6 March 2027 at 12:30</td><td dir="auto">5</td>\
                <td dir="auto">3</td></tr>
                </table>
                <h3 dir="auto">Talking points</h3>
                <p dir="auto">Friday 5 March 2027 at 09:00 · Ben &lt;b&gt;</p>
                <p class="text" dir="auto">The &lt;funeral&gt;.</p>
                <h3 dir="auto">Feedback on the care</h3>
                <p dir="auto">About Ana &amp; Co, 4 of 5 · Friday 5 March 2027 at 09:00 · Cleo &lt;b&gt;</p>
                <p class="text" dir="auto">Well &lt;done&gt;.</p>
                <h2>Programmes and surveys</h2>
                <article>
                <h3 dir="auto">First &lt;weeks&gt;</h3>
                <p dir="auto">first, version 2 · from 5 March 2027 on · enrolled Friday 5 March 2027 at 09:00 by Ana \
                &amp; Co</p>
                <p dir="auto">Withdrawn on 20 March 2027: Too &lt;much&gt;.</p>
                <table>
                <thead><tr><th scope="col">Lesson</th><th scope="col">Read</th></tr></thead>
                <tr><td dir="auto">one</td><td dir="auto">Saturday 6 March 2027 at 12:30</td></tr>
                </table>
                </article>
                <article>
                <h3 dir="auto">Your &lt;week&gt;, No. 2</h3>
                <p dir="auto">answered Saturday 6 March 2027 at 12:30 · from Friday 5 March 2027 at 00:00 to Sunday \
                7 March 2027 at 00:00 · score 2.5</p>
                <p dir="auto">Saved Saturday 6 March 2027 at 12:30, and not finished.</p>
                <dl class="answers">
                <dt dir="auto">How did you sleep?</dt><dd dir="auto">Well</dd>
                <dt dir="auto">Did you walk?</dt><dd dir="auto">– no answer –</dd>
                <dt dir="auto">How far?</dt><dd dir="auto">– not asked –</dd>
                <dt dir="auto">Anything else?</dt><dd dir="auto">Not &lt;now&gt;</dd>
                </dl>
                <p dir="auto">Free to use.</p>
                </article>
                <figure>
                <svg viewBox="0 0 760 248" width="760" height="248" role="img" aria-labelledby="scores-1-title \
                scores-1-desc" font-family="system-ui, sans-serif" font-size="14">
                <title id="scores-1-title">Your &lt;week&gt;: scores</title>
                <desc id="scores-1-desc">From -1 to 2.5. 6 March 2027: 2.5.</desc>
                <rect class="paper" width="100%" height="100%" rx="8"/>
                <text class="faint" x="150" y="234">6 March 2027</text>
                <line class="line" x1="150" y1="51" x2="736" y2="51"/>
                <text class="ink" x="136" y="56" text-anchor="end">2.5</text>
                <line class="line" x1="150" y1="85" x2="736" y2="85"/>
                <text class="ink" x="136" y="90" text-anchor="end">1.6</text>
                <line class="line" x1="150" y1="119" x2="736" y2="119"/>
                <text class="ink" x="136" y="124" text-anchor="end">0.8</text>
                <line class="line" x1="150" y1="153" x2="736" y2="153"/>
                <text class="ink" x="136" y="158" text-anchor="end">-0.1</text>
                <line class="line" x1="150" y1="187" x2="736" y2="187"/>
                <text class="ink" x="136" y="192" text-anchor="end">-1</text>
                <circle class="dot" cx="160" cy="51" r="6"><title>Saturday 6 March 2027: 2.5, of -1 to 2.5</title>\
                </circle>
                </svg>
                </figure>
                <h2>Letters</h2>
                <p>1 older one is not in this file.</p>
                <article>
                <h3 dir="auto">To &lt;day&gt;</h3>
                <p dir="auto">Friday 5 March 2027 at 09:00 · Ana &amp; Co to Cleo &lt;b&gt;, Sofia &lt;s&gt; · \
                urgent</p>
                <p class="text" dir="auto">At ten?
                &lt;script&gt;x&lt;/script&gt;</p>
                </article>
                <h2>Messages</h2>
                <p>2 older ones are not in this file.</p>
                <p dir="auto">Friday 5 March 2027 at 09:00 · Cleo &lt;b&gt; to Ana &amp; Co</p>
                <p class="text" dir="auto">Yes &lt;3</p>
                <h2>Who looked at it</h2>
                <table>
                <thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">Did</th><th scope="col">\
                To</th><th scope="col">Through</th></tr></thead>
                <tr><td dir="auto">Saturday 6 March 2027 at 12:30</td><td dir="auto">Ana &amp; Co</td><td dir="auto">\
                AddSession</td><td dir="auto">s1</td><td dir="auto">ssh &lt;home&gt;</td></tr>
                </table>
                </body>
                </html>

                """)
    }
}
