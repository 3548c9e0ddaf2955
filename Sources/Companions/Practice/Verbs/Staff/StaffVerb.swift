internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules

struct StaffVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "staff", abstract: "List who works here; show, add or change somebody.",
        subcommands: [List.self, Show.self, Add.self, Edit.self, Retire.self], defaultSubcommand: List.self)
}

extension StaffVerb {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "list", abstract: "List who works here, by the first letter of their name.")

        @Argument(help: "Part of a name; - reads it from standard input.") var part: String?
        @Option(help: "Only administrators, support or thanatologists.") var role: String?
        @Flag(help: "Also people who left.") var all = false
        @OptionGroup var output: OutputOptions
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let query = try part.map(TextInput.word)
            let role = try role.map { text throws(Failure) in try Self.role(text) }
            let people = try connection.staff(role: role?.rawValue, query: query, inactive: all ? true : nil)
            guard !daemon.json else {
                return Streams.output(object: Practice.ListStaff.Reply(people: people, total: people.count))
            }
            guard !people.isEmpty else {
                let none = query.map { "Nobody who works here has “\($0.shown)” in their name." }
                return Streams.output((none ?? "Nobody works here yet. `practice staff add` adds somebody.") + "\n")
            }
            let caller = try CallerInfo(over: connection)
            output.print(
                StaffList(people: people, therapist: caller.therapist).text(columns: output.columns, ink: output.ink))
        }

        /// Reads the interface's word or its plural.
        static func role(_ text: String) throws(Failure) -> Role {
            let text = text.lowercased()
            let found = Role.allCases.first { $0.isStaff && (text == $0.rawValue || text == "\($0.rawValue)s") }
            guard let found else {
                throw .misused("“\(text.shown)” is no role; write administrator, support or thanatologist.")
            }
            return found
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "show", abstract: "Show one person who works here.")

        @Argument(help: ArgumentHelp(PersonName.help)) var person: String
        @OptionGroup var output: OutputOptions
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let person = try PersonName(person).person(over: connection)
            guard !daemon.json else { return Streams.output(object: Practice.GetPerson.Reply(person: person)) }
            let caller = try CallerInfo(over: connection)
            output.print(
                StaffList.page(person, therapist: caller.therapist, columns: output.columns, ink: output.ink))
        }
    }
}

/// The staff, in sections by the letters that the daemon names.
struct StaffList {
    /// Sorted by name, as the daemon sends them.
    let people: [Practice.Person]
    let therapist: String

    func text(columns: Int?, ink: Ink) -> String {
        let left = people.count { !$0.active }
        let count = "\(people.count - left)\(left > 0 ? ", \(left) left" : "")"
        var text = "  " + ink.strong("Who works here") + ink.faint(" · \(count)") + "\n"
        for section in sections {
            text += "\n  " + ink.strong(section.letter.shown.singleLine) + "\n"
            text += table(section.people).text(columns: columns, ink: ink)
        }
        return text
    }

    /// All sections have columns of the same width.
    private func table(_ people: [Practice.Person]) -> Table {
        var table = Table([
            .init("", isNumber: true, leads: true), .init("", leads: true), .init(""), .init(""), .init(""), .init(""),
        ])
        table.sample = self.people.map(row)
        table.rows = people.map(row)
        return table
    }

    private func row(_ person: Practice.Person) -> [Table.Cell] {
        [
            .init(person.id, .faint), .init(person.name, person.active ? .strong : .faint),
            .init(Wording.role(person.role, therapist: therapist)), .init(person.phone ?? ""),
            .init(person.email ?? ""), .init(person.active ? "" : "left", .faint),
        ]
    }

    struct Section {
        let letter: String
        var people: [Practice.Person]
    }

    var sections: [Section] {
        var sections: [Section] = []
        for person in people {
            let letter = person.section ?? "…"
            if sections.last?.letter == letter {
                sections[sections.count - 1].people.append(person)
            } else {
                sections.append(Section(letter: letter, people: [person]))
            }
        }
        return sections
    }

    static func page(_ person: Practice.Person, therapist: String, columns: Int?, ink: Ink) -> String {
        var facts = FactList()
        facts.add("Role", Wording.role(person.role, therapist: therapist))
        facts.add("Account", person.account?.shown)
        facts.add("E-mail", person.email?.shown)
        facts.add("Telephone", person.phone?.shown)
        facts.add("Since", Wording.date(person.since))
        facts.add("State", person.active ? nil : "left")
        let head = "  \(ink.strong(person.name.shown.singleLine))\(ink.faint(" · \(person.id)"))\n\n"
        return head + facts.text(columns: columns, ink: ink)
    }
}
