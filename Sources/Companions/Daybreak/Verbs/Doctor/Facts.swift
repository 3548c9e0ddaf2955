import DaybreakInterfaces

/// The state of Daybreak on this machine, without conclusions.
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
    struct Place: Equatable {
        let path: String
        var isOurs = true
        var mode: UInt32 = 0
        /// What others must not have of its mode.
        var closed: UInt32 = 0o077
        /// Why it cannot be looked at; nil where it can.
        var why: String?
    }

    struct Zone: Equatable {
        let name: String
        /// A copy of a zone in place of a link to one has its abbreviation alone.
        var isNamed = true
    }

    struct Journal {
        var isReadable = true
        var storage = Storage.kept
    }

    /// Whether the journal outlives a boot.
    enum Storage {
        case kept
        /// The folder is missing in which it would be kept.
        case noFolder
        /// Its settings want it so (man 5 journald.conf, Storage=).
        case volatile
    }

    /// Whether somebody shows notifications, where there is a desktop.
    enum Desktop {
        case none, shows, showsNot
        /// Its bus does not say.
        case unknown
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
    var diagnosis: Service.Diagnose.Reply?
    /// What its program says of the settings and the schedule, where it does not answer itself.
    var checked: String?
    /// What its program says of all that was recorded, empty where it is sound; nil where it could not be asked.
    var verified: String?
    var status: Homework.Status?
    /// Nil where no service manager runs for this user.
    var unit: Unit?
    /// Nil where there are no logins to outlive.
    var lingers: Bool?
    /// Nil where there is none.
    var journal: Journal?
    var places: [Place] = []
    /// Bytes that are free where the history is; nil where that cannot be told.
    var free: UInt64?
    var isClockSynchronised: Bool?
    /// The machine's zone, as the daemon spells it; nil where there is none.
    var zone: Zone?
    var desktop = Desktop.none
}
