public import Varlink

/// The interfaces that the daemon serves.
public enum Interfaces {
    public static let all = [Homework.interface, Link.interface, Provider.interface, Service.interface]
}

/// The daemon's answer to `GetInfo`.
public enum Product {
    public static let vendor = "The Daybreak project"
    public static let name = "daybreak"
    public static let version = "0.1.0"
    public static let url = ""
}

/// The daemon that the system's manager runs for a user who never logs in (`systemd/install --system USER`).
public struct SystemService: Equatable, Sendable {
    public let user: String
    /// Stands in front of each path. Empty except in tests.
    private let root: String

    public init(of user: String, under root: String = "") {
        (self.user, self.root) = (user, root)
    }

    public var configuration: String { "\(root)/etc/daybreak/\(user)" }
    public var state: String { "\(root)/var/lib/daybreak/\(user)" }
    /// Exists while the daemon runs.
    public var runtime: String { "\(root)/run/daybreak/\(user)" }
    public var socket: String { runtime + "/control" }
    /// Root's list of the installed files. Exists until the uninstall.
    public var record: String { "\(root)/var/lib/daybreak/.\(user).installed" }
}

extension Service.Preferences {
    /// The preferences if the settings do not mention the screen.
    public init() {
        self.init(countdown: true, motion: true, plain: false, sound: false, soundCommand: [])
    }
}
