public import Varlink

/// `org.daybreak.Service` in Swift, as `org.daybreak.Service.varlink` has it.
public enum Service {
    /// The interface's full name.
    public static let name = "org.daybreak.Service"

    public struct Reload: Method, Equatable, Sendable {
        public typealias Reply = Nothing
        public static let name = "org.daybreak.Service.Reload"

        public init() {}
    }

    public struct Diagnose: Method, Equatable, Sendable {
        public static let name = "org.daybreak.Service.Diagnose"

        /// What is wrong, as a sentence each; nil where nothing is.
        public struct Reply: Codable, Equatable, Sendable {
            public var history: String?
            public var configuration: String?
            public var schedule: String?

            public init(history: String? = nil, configuration: String? = nil, schedule: String? = nil) {
                self.history = history
                self.configuration = configuration
                self.schedule = schedule
            }
        }

        public init() {}
    }

    /// How the client likes the guided way to be shown.
    public struct Preferences: Codable, Equatable, Sendable {
        public var countdown = true
        public var motion = true
        public var plain = false
        public var sound = false
        /// A program and its arguments; empty for the terminal's bell.
        public var soundCommand: [String] = []

        public init() {}
    }

    public struct GetPreferences: Method, Equatable, Sendable {
        public typealias Reply = PreferencesReply
        public static let name = "org.daybreak.Service.GetPreferences"

        public init() {}
    }

    public struct PreferencesReply: Codable, Equatable, Sendable {
        public var preferences: Preferences

        public init(preferences: Preferences) {
            self.preferences = preferences
        }
    }

    public struct Backup: Method, Equatable, Sendable {
        public typealias Reply = FileReply
        public static let name = "org.daybreak.Service.Backup"

        public init() {}
    }

    public struct Export: Method, Equatable, Sendable {
        public typealias Reply = FileReply
        public static let name = "org.daybreak.Service.Export"

        public init() {}
    }

    public struct FileReply: Codable, Equatable, Sendable {
        public var file: String

        public init(file: String) { self.file = file }
    }

    public struct GetStorage: Method, Equatable, Sendable {
        public typealias Reply = StorageReply
        public static let name = "org.daybreak.Service.GetStorage"

        public init() {}
    }

    public struct StorageReply: Codable, Equatable, Sendable {
        public var folder: String

        public init(folder: String) { self.folder = folder }
    }

    public struct Restore: Method, Equatable, Sendable {
        public typealias Reply = RestoreReply
        public static let name = "org.daybreak.Service.Restore"
        public var file: String

        public init(file: String) { self.file = file }
    }

    public struct RestoreReply: Codable, Equatable, Sendable {
        public var events: Int
        public var kept: String

        public init(events: Int, kept: String) {
            self.events = events
            self.kept = kept
        }
    }

    public struct Erase: Method, Equatable, Sendable {
        public typealias Reply = Nothing
        public static let name = "org.daybreak.Service.Erase"
        public var assignment: String

        public init(assignment: String) { self.assignment = assignment }
    }

    public struct EraseEverything: Method, Equatable, Sendable {
        public typealias Reply = Nothing
        public static let name = "org.daybreak.Service.EraseEverything"

        public init() {}
    }

    public struct CannotRestore: ErrorReply, Sendable {
        public static let name = "org.daybreak.Service.CannotRestore"
        public var reason: String

        public init(reason: String) { self.reason = reason }
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

    public struct RepliesUnread: ErrorReply, Sendable {
        public static let name = "org.daybreak.Service.RepliesUnread"
        public var bytes: Int

        public init(bytes: Int) { self.bytes = bytes }
    }

    public struct CallUnfinished: ErrorReply, Sendable {
        public static let name = "org.daybreak.Service.CallUnfinished"
        public var seconds: Int

        public init(seconds: Int) { self.seconds = seconds }
    }
}

extension Service.Diagnose {
    /// Is said of a file that stands behind a link; under systemd the sandbox may be why.
    public static let leadsNowhere = "is a link to where daybreakd sees no file (`daybreak doctor` says more)"
}
