import Companion
import PracticeInterfaces
import Varlink

/// The names of people, services and words, by their identifiers. Each is requested once.
final class NameCache {
    private let connection: DaemonConnection
    private var people: [String: String] = [:]
    private var services: [String: Practice.Service]?
    private var terms: [String: Practice.Term]?

    init(_ connection: DaemonConnection) { self.connection = connection }

    /// A person's name; the identifier if the caller may not know the name.
    func person(_ identifier: String) throws(Failure) -> String {
        guard NameMatch.identifier(identifier) != nil else { return identifier.shown }
        if let name = people[identifier] { return name }
        let reply = try connection.reply(to: Practice.GetPerson(person: identifier))
        let name =
            reply.error == nil ? try connection.decode(Practice.GetPerson.self, from: reply).person.name : identifier
        people[identifier] = name.shown
        return name.shown
    }

    func service(_ identifier: String) throws(Failure) -> String {
        if services == nil {
            services = try byIdentifier(connection.call(Practice.ListServices(all: true)).services, \.id)
        }
        return (services?[identifier]?.name ?? identifier).shown
    }

    /// The words, separated by commas.
    func terms(_ identifiers: [String]) throws(Failure) -> String {
        guard !identifiers.isEmpty else { return "" }
        if terms == nil {
            let motives = try connection.call(Practice.ListTerms(vocabulary: .motives)).terms
            terms = byIdentifier(motives + (try connection.call(Practice.ListTerms(vocabulary: .tools)).terms), \.id)
        }
        return identifiers.map { (terms?[$0]?.word ?? $0).shown }.joined(separator: ", ")
    }

    private func byIdentifier<Thing>(_ things: [Thing], _ identifier: (Thing) -> String) -> [String: Thing] {
        Dictionary(things.map { (identifier($0), $0) }) { first, _ in first }
    }
}
