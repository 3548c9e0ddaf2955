import Companion
import PracticeInterfaces
import StaffInterfaces

/// The name of a client on the command line.
struct ClientName {
    static let help =
        "A client: the number of the record, or part of the name where that is clear; - reads it from "
        + "standard input."
    /// Of a verb that clients may use, too.
    static let clientsHelp = help + " A client writes me."

    let text: String

    init(_ text: String) throws(Failure) { self.text = try TextInput.word(text) }

    func identifier(over connection: DaemonConnection) throws(Failure) -> String {
        if let identifier = NameMatch.identifier(text) { return identifier }
        // A client cannot list clients, and does not know identifiers.
        if text == "me", let me = try connection.call(Practice.WhoAmI()).person, me.role == .client { return me.id }
        let rows = try connection.clients(query: text)
        let numbered = rows.filter { "\($0.number)" == text }
        return try NameMatch.one(
            text, among: numbered.isEmpty ? rows : numbered, kind: "client", plural: "clients", name: \.name,
            mark: { "\($0.number)" }, choice: { "\($0.name)\($0.open ? "" : " (closed)")" },
            advice: "`practice clients` lists those that you may see."
        ).id
    }

    func client(over connection: DaemonConnection) throws(Failure) -> Records.Client {
        try connection.call(Records.GetClient(client: identifier(over: connection))).client
    }
}

/// The name of a member of staff on the command line.
struct PersonName {
    static let help =
        "Somebody who works here: their identifier, such as p3, or part of the name where that is clear; - reads "
        + "it from standard input."
    /// Of a verb that cannot be taken back.
    static let wholeHelp =
        "Somebody who works here: the name, or their identifier, such as p3; - reads it from standard input. Part of a "
        + "name is asked about in a terminal."

    let text: String

    init(_ text: String) throws(Failure) { self.text = try TextInput.word(text) }

    func person(over connection: DaemonConnection) throws(Failure) -> Practice.Person {
        if let identifier = NameMatch.identifier(text) {
            return try connection.call(Practice.GetPerson(person: identifier)).person
        }
        // The whole name of a person who left means nobody else: a verb that is given twice would otherwise find another person.
        let all = try connection.staff(query: text, inactive: true)
        let likely = NameMatch.meant(by: text, among: all, name: \.name)
        // Among several, people who left count only if nobody is active.
        let active = likely.filter(\.active)
        return try NameMatch.one(
            text, among: active.isEmpty ? likely : active, kind: "member of staff", plural: "people", name: \.name,
            mark: \.id, advice: "`practice staff --all` lists who works here, and who left.")
    }
}

/// The name of a service on the command line.
struct ServiceName {
    static let help = "A service: its identifier, such as v3, or part of its name where that is clear."

    let text: String

    /// - Parameter all: also services that are no longer offered, which only staff may see.
    func service(over connection: DaemonConnection, all: Bool = true) throws(Failure) -> Practice.Service {
        let services = try connection.call(Practice.ListServices(all: all ? true : nil)).services
        if let identified = services.first(where: { $0.id == text }) { return identified }
        return try NameMatch.one(
            text, among: services.filter { $0.name.holds(text) }, kind: "service", plural: "services", name: \.name,
            mark: \.id, advice: "`practice services\(all ? " --all" : "")` lists them.")
    }
}

extension DaemonConnection {
    func staff(role: String? = nil, query: String? = nil, inactive: Bool? = nil) throws(Failure) -> [Practice.Person] {
        try all {
            Practice.ListStaff(role: role, query: query, inactive: inactive, after: $0, limit: 200)
        } _: {
            ($0.people, next: $0.next)
        }
    }

    /// - Parameter query: a part of a name, or the number of a record.
    func clients(query: String) throws(Failure) -> [Records.Row] {
        try all {
            Records.ListClients(query: query, after: $0, limit: 200)
        } _: {
            ($0.clients, next: $0.next)
        }
    }

    func sessions(of client: String) throws(Failure) -> [Records.Session] {
        try all {
            Records.ListSessions(client: client, after: $0, limit: 200)
        } _: {
            ($0.sessions, next: $0.next)
        }
    }
}
