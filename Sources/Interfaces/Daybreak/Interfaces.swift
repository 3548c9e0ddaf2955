public import Varlink

/// The interfaces that the daemon serves.
public enum Interfaces {
    public static let all = [Homework.interface, Provider.interface, Service.interface]
}

/// What the daemon says of itself.
public enum Product {
    public static let vendor = "The Daybreak project"
    public static let name = "daybreak"
    public static let version = "0.1.0"
    public static let url = ""
}

extension Service.Preferences {
    /// The guided way as it is shown where the settings say nothing.
    public init() {
        self.init(countdown: true, motion: true, plain: false, sound: false, soundCommand: [])
    }
}

extension Service.Diagnose {
    /// Is said of a file that stands behind a link; under systemd the sandbox may be why.
    public static let leadsNowhere = "is a link to where daybreakd sees no file (`daybreak doctor` says more)"
}
