import Companion
import PracticeInterfaces
import Varlink

/// The names of what the interfaces speak of by identifier, each asked for once.
final class Lookup {
    private let connection: DaemonConnection
    private var people: [String: String] = [:]
    private var services: [String: Practice.Service]?
    private var terms: [String: Practice.Term]?

    init(_ connection: DaemonConnection) { self.connection = connection }

    /// The identifier itself where the name may not be known.
    func person(_ identifier: String) throws(Failure) -> String {
        guard Named.identifier(identifier) != nil else { return identifier.shown }
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

    /// The words, with commas between.
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
