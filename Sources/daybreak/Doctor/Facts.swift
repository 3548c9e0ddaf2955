import Control

/// What was found out about Daybreak on this machine; nothing is concluded here.
struct Facts {
    struct Unit {
        /// As systemd has them: `loaded`, `enabled`, `active`.
        var load = "loaded"
        var file = "enabled"
        var active = "active"
        /// Folders and files in homes that its sandbox shows to be read.
        var shown: [String] = []
    }

    /// A link that the daemon cannot follow.
    struct Link {
        let path: String
        /// The folder that it leads into; nil where nothing is there for anybody.
        var folder: String?
    }

    /// A folder or a file that is to be this user's alone.
    struct Place {
        let path: String
        var isOurs = true
        var mode: UInt32
    }

    /// Where the daemon was looked for.
    var socket: String
    /// The user whom the system's own manager serves there; nil where it is a user's manager, or none.
    var served: String?
    /// Sockets of daemons of others, which root may ask.
    var others: [String] = []
    /// The settings' file, and the schedule's, where it is a link and the daemon does not find what it leads to.
    var settingsLink, scheduleLink: Link?
    /// A sentence that says why it does not answer; nil where it does.
    var silence: String?
    var version = Product.version
    /// What it says of what it keeps; nil where it does not answer, or is too old to be asked.
    var diagnosis: ServiceInterface.Diagnose.Reply?
    /// What its program says of the settings and the schedule, where it does not answer itself.
    var checked: String?
    var status: HomeworkInterface.Status?
    /// Nil where no service manager runs for this user.
    var unit: Unit?
    /// Nil where there are no logins to outlive.
    var lingers: Bool?
    /// Whether the journal can be read, and outlives a boot; nil where there is none.
    var journal: (isReadable: Bool, isKept: Bool)?
    var places: [Place] = []
    /// Bytes that are free where the history is; nil where that cannot be told.
    var free: UInt64?
    var isClockSynchronised: Bool?
    /// The machine's zone, by the link that names it; nil where none does.
    var zone: String?
    /// Whether somebody shows notifications; nil where there is no desktop.
    var notifies: Bool?
}
