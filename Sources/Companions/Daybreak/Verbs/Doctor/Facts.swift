import Companion
import DaybreakInterfaces
import Files
import Text

/// The state of Daybreak on this machine, without conclusions.
struct Facts {
    struct Unit {
        /// In systemd's words: `loaded`, `enabled`, `active`.
        var load = "loaded"
        var file = "enabled"
        var active = "active"
        /// Folders and files in homes that its sandbox lets it read.
        var shown: [String] = []
        /// False if it has no user namespace, and with it no view of its own of files, devices and network.
        var isSandboxed = true
    }

    /// A link that the daemon cannot follow.
    struct Link {
        let path: String
        /// The folder that it leads into; nil if there is no such file.
        var folder: String?

        /// True if the folder is a whole home, or holds homes: a sandbox that shows it hides nothing of the client.
        var isInHome: Bool {
            guard let folder else { return false }
            return ["/", "/home", "/root"].contains(folder) || Folder.parent(of: folder) == "/home"
                || folder == Environment.variables["HOME"]
        }
    }

    /// A folder or a file that should be this user's alone.
    struct PrivatePath: Equatable {
        let path: String
        var isOurs = true
        var mode: UInt32 = 0
        /// The bits of its mode that must not be set.
        var closed: UInt32 = 0o077
        /// A file whose folder lets nobody else through, whatever its own mode says.
        var isSheltered = false
        /// The reason why it cannot be looked at; nil if it can.
        var why: String?
        /// The folder of this user that keeps everybody out of it; nil if there is none.
        var ownClosedFolder: String?

        /// The bits of its mode that let others in.
        var opening: UInt32 { isSheltered ? 0 : mode & closed }
    }

    struct Zone: Equatable {
        let name: String
        /// False if /etc/localtime is a copy, which has only the abbreviation.
        var isNamed = true
        /// False if TZ names it, and there is none of that name.
        var isKnown = true
    }

    struct Journal {
        var isReadable = true
        var storage = Storage.kept
    }

    /// The storage of the journal, which may not outlive a boot.
    enum Storage {
        case kept
        /// The folder /var/log/journal is missing.
        case noFolder
        /// journald's settings forbid it (man 5 journald.conf, Storage=).
        case volatile
    }

    /// The desktop's ability to show notifications.
    enum Desktop {
        case none, shows, showsNot
        /// The session bus does not answer.
        case unknown
    }

    /// The socket at which the daemon was looked for.
    var socket: String
    /// The user for whom the system's manager runs the daemon there; nil if a user's manager or none runs it.
    var served: String?
    /// The sockets of other users' daemons, which root may ask.
    var others: [String] = []
    /// The files of the settings and of the schedule, if they are links that the daemon cannot follow.
    var settingsLink, scheduleLink: Link?
    /// The reason why the daemon does not answer, as a sentence; nil if it does.
    var silence: String?
    /// The folder of the history; nil if only a daemon that does not tell knows it.
    var state: String? = ""
    /// The daemon answers, and there is no status file beside its socket.
    var isStatusFileMissing = false
    /// Something listens at the socket, and does not answer.
    var isSilent = false
    /// The daemon tells its status, and has not told its faults in time.
    var isBusy = false
    /// The daemon runs, and takes no more connections.
    var isCrowded = false
    var version = Product.version
    /// The daemon's report of its faults; nil if it does not answer, or is too old for that.
    var diagnosis: Service.Diagnose.Reply?
    /// The faults that the daemon's program finds in settings and schedule, on one line, if the daemon does not answer.
    var checked: String?
    /// The path of the schedule, if the daemon does not answer and there is no such file.
    var missingSchedule: String?
    /// The faults that the daemon's program finds in the history, empty if it is sound; nil if the program could not be run.
    var verified: String?
    /// The program finds only an index of the history damaged, which the daemon makes anew.
    var isIndexDamaged = false
    var status: Homework.Status?
    /// The link with a practice; nil if the daemon does not answer, or is too old for that.
    var link: DaybreakInterfaces.Link.Get.Reply?
    /// Nil if no service manager runs for this user.
    var unit: Unit?
    /// The kernel setting that would allow users namespaces, as `sysctl` takes it; nil if no known setting forbids them.
    var namespaceLock: String?
    /// Nil if no logind runs.
    var lingers: Bool?
    /// Nil if no journal runs.
    var journal: Journal?
    var places: [PrivatePath] = []
    /// The folder of the settings and the schedule; nil if only a daemon that does not tell knows it.
    var settings: String? = ""
    /// Free bytes on the history's disk; nil if unknown.
    var free: UInt64?
    var isClockSynchronised: Bool?
    /// The machine's time zone, in the daemon's spelling; nil if it has none.
    var zone: Zone?
    /// The machine's time zone has the daemon's times, be it under another name.
    var hasDaemonsTimes = false
    var desktop = Desktop.none
    /// The state of daybreak-notify.service, such as `active`; nil if no service manager runs for this user.
    var notifier: String?

    /// The part of `checked` on the settings, which comes first.
    var settingsFaults: String? {
        checked.map { String($0[..<scheduleFaultsStart(in: $0)]).withoutEnd }
    }

    /// The part of `checked` on the schedule, which begins with its path.
    var scheduleFaults: String? { checked.map { String($0[scheduleFaultsStart(in: $0)...]) } }

    private func scheduleFaultsStart(in text: String) -> String.Index {
        text.firstPlace(of: "\(settings ?? "")/tasks.json")?.lowerBound ?? text.endIndex
    }
}
