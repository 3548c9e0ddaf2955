internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules

struct Rights: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "rights", abstract: "Show the rights of each role, and mine.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let caller = try CallerInfo(over: connection)
        guard !daemon.json else { return Streams.output(object: Self.table(caller)) }
        output.print(Self.text(caller, columns: output.columns, ink: output.ink))
    }

    /// The whole table for programs, with the caller's own rights.
    struct WholeTable: Encodable {
        /// The caller's.
        let rights: [String]
        /// The rights of each role, by its name; `visitor` has no role.
        let roles: [String: [String]]
    }

    static func table(_ caller: CallerInfo) -> WholeTable {
        let roles = [Role?.none] + Role.allCases
        return WholeTable(
            rights: caller.reply.rights,
            roles: Dictionary(
                uniqueKeysWithValues: roles.map { role in
                    let rights = RightsTable.rights(of: role)
                    return (role?.rawValue ?? "visitor", shown.filter(rights.contains).map(\.rawValue))
                }))
    }

    /// The rights of people, in the order of the table.
    private static let shown = Right.allCases.filter { $0 != .openGate }

    /// A row for each right and a column for each role. The caller's own rights are strong.
    static func text(_ caller: CallerInfo, columns: Int?, ink: Ink) -> String {
        let roles: [(title: String, role: Role?)] = [
            ("visitor", nil), ("client", .client), (caller.therapist, .thanatologist), ("support", .support),
            ("administrator", .administrator),
        ]
        var table = Table([.init("Right", leads: true)] + roles.map { .init($0.title) })
        table.rows = shown.map { right in
            let mine = caller.may(right)
            return [.init(right.rawValue, mine ? .strong : .plain)]
                + roles.map { .init(RightsTable.rights(of: $0.role).contains(right) ? "✓" : "", mine ? .good : .plain) }
        }
        let reach = """
            A right over records holds for a client's own, for those of a \(caller.therapist)'s own clients, and for everybody's \
            where support and administrators have it. A backup has everything: whoever may maintain can fetch one and read it.
            """
        let who = "You are \(caller.described)."
        let notes = [who, reach].flatMap { $0.paragraphs(columns: columns.map { $0 - 2 }) }.map { "  \($0)\n" }.joined()
        return notes + "\n" + table.text(columns: columns, ink: ink)
    }
}

extension CallerInfo {
    /// "Ana Ruiz, an administrator of Clinic at the Park".
    var described: String {
        let practice = reply.practice.shown
        guard let person = reply.person else {
            return may(.editStaff)
                ? "an administrator of \(practice), as root and practiced's own account are"
                : "a visitor of \(practice)"
        }
        let role = Wording.role(person.role, therapist: therapist)
        let article = role.first.map { "aeiou".contains($0) } == true ? "an" : "a"
        return person.role == .support
            ? "\(person.name.shown.singleLine), of the support of \(practice)"
            : "\(person.name.shown.singleLine), \(article) \(role) of \(practice)"
    }
}
