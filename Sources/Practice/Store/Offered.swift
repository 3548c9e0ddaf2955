import Storage

/// Something that the practice offers.
public struct Service: Equatable, Sendable, Identified {
    public static let letter: Character = "v"
}

/// A word that the practice counts by: a motive of attention, or a tool of a session.
public struct Term: Equatable, Sendable, Identified {
    public static let letter: Character = "t"
}

extension Store {
    /// Whether the service is there, and offered.
    public func isOffered(_ service: ID<Service>) throws -> Bool {
        try database.number("SELECT offered FROM service WHERE id = $1", service) == 1
    }

    /// Whether the word is in the vocabulary (`motives`, `tools`), and offered.
    public func isOffered(_ term: ID<Term>, in vocabulary: String) throws -> Bool {
        try database.number("SELECT offered FROM term WHERE id = $1 AND vocabulary = $2", term, vocabulary) == 1
    }
}
