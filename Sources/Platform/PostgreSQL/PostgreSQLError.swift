import CPostgreSQL

/// An error of PostgreSQL, or of the connection to it.
public struct PostgreSQLError: Error, Equatable, CustomStringConvertible {
    public enum Kind: Sendable {
        /// The server cannot be reached, is shutting down, has no room, or answers too late. All may be well later.
        case unavailable
        /// A constraint or a trigger refuses the row.
        case refused
        /// The role may not do that.
        case notAllowed
        /// Anything else: a fault of the statement.
        case other
    }

    public let kind: Kind
    /// The five characters of PostgreSQL's manual, appendix A; empty if the server said nothing.
    public let state: String
    /// The server's message. It may quote what people wrote, so it must not be written to the journal.
    public let message: String
    public let isConnectionLost: Bool
    /// The connection was lost in the middle of a commit, which may have been carried out.
    public var mayHaveCommitted = false

    /// The statement took longer than it may, on a server that is well (`query_canceled`).
    public var isSlow: Bool { state == "57014" }

    /// All may be well later, without a change of the settings or of the database.
    public var isPassing: Bool { kind == .unavailable }

    init(_ kind: Kind, _ message: String, state: String = "", isConnectionLost: Bool = true) {
        (self.kind, self.state, self.message) = (kind, state, message)
        self.isConnectionLost = isConnectionLost
    }

    init(_ result: OpaquePointer, isConnected: Bool) {
        let state = PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
        let kind: Kind =
            switch state.prefix(2) {
            // Connections, resources, limits, what an operator does, the system.
            case "", "08", "53", "55", "57", "58", "40", "25": .unavailable
            case "23", "P0": .refused
            case "28": .notAllowed
            case "42" where state == "42501": .notAllowed
            default: .other
            }
        self.init(kind, String(cString: PQresultErrorMessage(result)), state: state, isConnectionLost: !isConnected)
    }

    public var description: String { "PostgreSQL's error \(state): \(message)" }
}
