public import Varlink

/// `org.daybreak.Service` in Swift, as `org.daybreak.Service.varlink` has it.
public enum ServiceInterface {
    /// The interface's full name.
    public static let name = "org.daybreak.Service"

    public struct Reload: Method, Equatable, Sendable {
        public typealias Reply = Nothing
        public static let name = "org.daybreak.Service.Reload"

        public init() {}
    }

    public struct InvalidConfiguration: ErrorReply, Sendable {
        public static let name = "org.daybreak.Service.InvalidConfiguration"
        public var file: String
        public var line: Int?
        public var reason: String

        public init(file: String, line: Int? = nil, reason: String) {
            self.file = file
            self.line = line
            self.reason = reason
        }
    }
}
