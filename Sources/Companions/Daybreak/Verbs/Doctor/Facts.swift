import DaybreakInterfaces

/// The state of Daybreak on this machine, without conclusions.
struct Facts {
    struct Unit {
        /// In systemd's words: `loaded`, `enabled`, `active`.
        var load = "loaded"
        var file = "enabled"
        var active = "active"
        /// Folders and files in homes that its sandbox lets it read.
        var shown: [String] = []
        /// False where it has no user namespace, and with it no view of its own of files, devices and network.
        var isSandboxed = true
    }

    /// A link that the daemon cannot follow.
    struct Link {
        let path: String
        /// The folder that it leads into; nil where it leads to nothing.
        var folder: String?
    }

    /// A folder or a file that should be this user's alone.
    struct Place: Equatable {
        let path: String
        var isOurs = true
        var mode: UInt32 = 0
        /// The bits of its mode that must not be set.
        var closed: UInt32 = 0o077
        /// Why it cannot be looked at; nil where it can.
        var why: String?
    }

    struct Zone: Equatable {
        let name: String
        /// False where /etc/localtime is a copy, which knows only the abbreviation.
        var isNamed = true
    }

    struct Journal {
        var isReadable = true
        var storage = Storage.kept
    }

    /// Whether the journal outlives a boot.
    enum Storage {
        case kept
        /// Its folder, /var/log/journal, is missing.
        case noFolder
        /// By its settings (man 5 journald.conf, Storage=).
        case volatile
    }

    /// Whether the desktop shows notifications.
    enum Desktop {
        case none, shows, showsNot
        /// Its bus gives no answer.
        case unknown
    }

    /// The socket at which the daemon was looked for.
    var socket: String
    /// The user whom the system's own manager serves there; nil where it is a user's manager, or none.
    var served: String?
    /// The sockets of other users' daemons, which root may ask.
    var others: [String] = []
    /// The files of the settings and of the schedule, where they are links that the daemon cannot follow.
    var settingsLink, scheduleLink: Link?
    /// Why the daemon does not answer, as a sentence; nil where it does.
    var silence: String?
    /// The daemon runs, and takes no more connections.
    var isCrowded = false
    var version = Product.version
    /// The daemon's own faults; nil where it does not answer, or is too old to be asked.
    var diagnosis: Service.Diagnose.Reply?
    /// The faults that the daemon's program finds in settings and schedule, where the daemon does not answer.
    var checked: String?
    /// The faults that the daemon's program finds in the history, empty where it is sound; nil where it could not be asked.
    var verified: String?
    var status: Homework.Status?
    /// Nil where no service manager runs for this user.
    var unit: Unit?
    /// The kernel's setting, as `sysctl` takes it, that would grant users namespaces; nil where none is seen to keep them.
    var namespaceLock: String?
    /// Nil where no logind runs.
    var lingers: Bool?
    /// Nil where no journal runs.
    var journal: Journal?
    var places: [Place] = []
    /// Free bytes where the history is; nil where that cannot be told.
    var free: UInt64?
    var isClockSynchronised: Bool?
    /// The machine's time zone, in the daemon's spelling; nil where there is none.
    var zone: Zone?
    var desktop = Desktop.none
    /// The state of daybreak-notify.service, `active` for one; nil where no service manager runs it for this user.
    var notifier: String?
}
