/// What `daybreak doctor` found, each in one line, and what to do about it in another.
extension Wording {
    enum Doctor {
        static func title(_ check: Finding.Check) -> String {
            switch check {
            case .nextUnlock: "next unlock"
            default: check.rawValue
            }
        }

        static let well = "All is well."
        static func faults(_ count: Int) -> String { "\(counted(count, "thing")) to look at." }

        static func answers(at socket: String) -> String { "daybreakd answers at \(socket.shown)." }
        static func startIt(isManaged: Bool) -> String {
            isManaged
                ? "`systemctl --user restart daybreakd` starts it; `journalctl --user -u daybreakd` tells why it stopped."
                : "`daybreakd &` starts it; `systemd/install` does so too."
        }
        static let asksDaemon = "Only a running daybreakd knows."
        static let tooOld = "This daybreakd is too old to be asked."

        static func version(_ version: String) -> String { "daybreakd and daybreak are both \(version)." }
        static func versions(_ daemon: String, _ own: String) -> String {
            "daybreakd is \(daemon.shown), and daybreak is \(own)."
        }
        static let restart = "`systemctl --user restart daybreakd` starts the one that is installed."

        static let noManager = "No service manager runs for this user, so nothing starts daybreakd after a boot."
        static let notInstalled = "daybreakd.service is not installed."
        static let install = "`systemd/install`, in a clone of Daybreak, installs it."
        static let notEnabled = "daybreakd.service is not started by itself."
        static let enable = "`systemctl --user enable --now daybreakd.socket daybreakd.service` sees to it."
        static func inactive(_ state: String) -> String { "daybreakd.service is \(state.shown)." }
        static let lookAtUnit = "`systemctl --user status daybreakd` tells why."
        static let unitGood = "daybreakd.service is installed, enabled and active."

        static let noLogins = "No logind runs here, so there are no logins to outlive."
        static let lingers = "Lingering is on: Daybreak runs from boot on."
        static let lingersNot = "Lingering is off: Daybreak runs only while you are logged in."
        static let linger = "`loginctl enable-linger` turns it on; an administrator may have to."

        static let noJournal = "No journal runs here; `daybreak reminders` shows what was told."
        static let journalGood = "The journal can be read, and outlives a boot."
        static let journalUnreadable = "You cannot read the journal here."
        static let readReminders = "`daybreak reminders` shows the same; the group systemd-journal may read all of it."
        static let journalForgets = "The journal is forgotten at each boot."
        static let keepJournal =
            "An administrator's `mkdir /var/log/journal` keeps it; `daybreak reminders` has all of yours."

        static let foldersGood = "What Daybreak keeps is yours alone."
        static func notYours(_ path: String) -> String { "\(path.shown) belongs to somebody else." }
        static func own(_ path: String) -> String { "Ask its owner or an administrator: `ls -ld \(path.shown)`." }
        static func openToOthers(_ path: String) -> String { "Others on this machine may look into \(path.shown)." }
        static func close(_ path: String) -> String { "`chmod go= \(path.shown)` closes it." }

        static let diskUnknown = "Where the history is kept cannot be looked at."
        static func diskGood(_ free: UInt64) -> String { "\(megabytes(free)) are free for the history." }
        static func diskFull(_ free: UInt64) -> String { "Only \(megabytes(free)) are free for the history." }
        static let makeRoom = "Make room on that disk; until then, what you do may not be recorded."
        private static func megabytes(_ bytes: UInt64) -> String { "\(bytes >> 20) MB" }

        static let historyGood = "The history is sound."
        static let keepHistory =
            "Keep what is there, and make no second one; `systemctl --user status daybreakd` tells more."

        static let configurationGood = "The settings are sound."
        static let mendConfiguration =
            "Mend that line, then `daybreak reload`; until then the settings before are in force."
        static let scheduleGood = "The schedule is sound."
        static let mendSchedule = "Mend the file, and it is taken in; until then the schedule before is in force."
        static let mendBoth = "Mend that file, then start daybreakd."

        static let clockUnknown = "Whether the clock is set by a time server cannot be told here."
        static let clockGood = "The clock is set by a time server."
        static let clockLoose = "Nobody sets this machine's clock: midnight may come at the wrong time."
        static let synchronise = "`timedatectl set-ntp true` has it set; an administrator may have to."

        static func zone(_ zone: String) -> String { "The time zone is \(zone.shown)." }
        static func zones(_ daemons: String, _ own: String) -> String {
            "daybreakd goes by the time zone \(daemons.shown), and this machine by \(own.shown)."
        }
        static let noZone = "This machine has no time zone: a day begins at midnight of UTC."
        static let setZone = "`timedatectl set-timezone ZONE` sets it; `timedatectl list-timezones` lists them."

        static let noDesktop = "There is no desktop here; reminders are in the journal and in `daybreak reminders`."
        static let notifies = "Your desktop shows notifications."
        static let notifiesNot = "Nothing shows notifications on your desktop."
        static let notificationService = "Install a notification service, such as mako or dunst."

        static func next(_ time: String) -> String { "The next task unlocks \(time)." }
        static let lastOpen = "A task is open, and none is scheduled after it."
        static let nothingToCome = "No task is open, and none is scheduled to come."
        static let askForTasks = "Ask your provider for more, and put them into tasks.json."
    }
}
