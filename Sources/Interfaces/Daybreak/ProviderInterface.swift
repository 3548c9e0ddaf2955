public import Varlink

/// `org.daybreak.Provider` in Swift, as `org.daybreak.Provider.varlink` has it.
public enum Provider {
    /// The interface's full name.
    public static let name = "org.daybreak.Provider"

    public struct SetPresence: Method, Equatable, Sendable {
        public typealias Reply = Nothing
        public static let name = "org.daybreak.Provider.SetPresence"
        public var online: Bool
        public var name: String?
        public var forSeconds: Int?

        public init(online: Bool, name: String? = nil, forSeconds: Int? = nil) {
            self.online = online
            self.name = name
            self.forSeconds = forSeconds
        }
    }

    public struct Presence: Method, Equatable, Sendable {
        public typealias Reply = PresenceReply
        public static let name = "org.daybreak.Provider.Presence"

        public init() {}
    }

    public struct PresenceReply: Codable, Equatable, Sendable {
        public var online: Bool
        public var name: String?
        public var until: String?
        public var link: String?

        public init(online: Bool, name: String? = nil, until: String? = nil, link: String? = nil) {
            self.online = online
            self.name = name
            self.until = until
            self.link = link
        }
    }
}
