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

extension Service.Preferences {
    /// The preferences if the settings do not mention the screen.
    public init() {
        self.init(countdown: true, motion: true, plain: false, sound: false, soundCommand: [])
    }
}
