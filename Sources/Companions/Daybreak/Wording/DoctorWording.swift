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
        static func startIt(isManaged: Bool, of served: String?) -> String {
            guard isManaged else { return "`daybreakd &` starts it; `systemd/install` does so too." }
            let journal = served.map { "journalctl -u daybreakd@\($0.shown)" } ?? "journalctl --user -u daybreakd"
            return "\(systemctl("restart", served)) starts it; `\(journal)` tells why it stopped."
        }
        static func askOthers(_ sockets: [String]) -> String {
            let asked = sockets.map { "`DAYBREAK_SOCKET=\($0.shown) daybreak doctor`" }
            return "Daemons of others run here: \(asked.joined(separator: ", "))."
        }

        static func unit(_ served: String?) -> String { "daybreakd\(served.map { "@\($0.shown)" } ?? "").service" }
        static let asksDaemon = "Only a running daybreakd knows."
        static let tooOld = "This daybreakd is too old to be asked."

        static func version(_ version: String) -> String { "daybreakd and daybreak are both \(version)." }
        static func versions(_ daemon: String, _ own: String) -> String {
            "daybreakd is \(daemon.shown), and daybreak is \(own)."
        }
        static func restart(_ served: String?) -> String {
            "\(systemctl("restart", served)) starts the one that is installed."
        }

        static let noManager = "No service manager runs for this user, so nothing starts daybreakd after a boot."
        static func notInstalled(_ unit: String) -> String { "\(unit) is not installed." }
        static func install(_ served: String?) -> String {
            let install = served.map { "systemd/install --system \($0.shown)" } ?? "systemd/install"
            return "`\(install)`, in a clone of Daybreak, installs it."
        }
        static func notEnabled(_ unit: String) -> String { "\(unit) is not started by itself." }
        static func enable(_ served: String?) -> String {
            let own = "`systemctl --user enable --now daybreakd.socket daybreakd.service` sees to it."
            return served.map { "Root's `systemctl enable --now daybreakd@\($0.shown)` sees to it." } ?? own
        }
        static func inactive(_ unit: String, _ state: String) -> String { "\(unit) is \(state.shown)." }
        static func lookAtUnit(_ served: String?) -> String { "\(systemctl("status", served)) tells why." }
        static func unitGood(_ unit: String) -> String { "\(unit) is installed, enabled and active." }

        static let noLogins = "No logind runs here, so there are no logins to outlive."
        static let needsNoLogin = "The system's own manager runs it, from boot on and without a login."
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

        static let journalVolatile = "The journal is forgotten at each boot, as its settings want it."
        static let setJournal =
            "An administrator's `Storage=auto` in journald.conf keeps it; `daybreak reminders` has all of yours."

        static let noFolders = "Nothing is kept here yet."
        static func hidden(_ path: String, _ why: String) -> String { "\(path.shown) cannot be looked at: \(why)." }
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
        static func keepHistory(_ served: String?) -> String {
            "Keep what is there, and make no second one; \(systemctl("status", served)) tells more."
        }

        static let configurationGood = "The settings are sound."
        static let mendConfiguration =
            "Mend that line, then `daybreak reload`; until then the settings before are in force."
        static let mendSettingsLink = "Have it lead to the settings, then `daybreak reload`."
        static let scheduleGood = "The schedule is sound."
        static let mendSchedule = "Mend the file, and it is taken in; until then the schedule before is in force."
        static func leadsNowhere(_ path: String) -> String {
            "\(path.shown) is a link that leads to nothing."
        }
        static func isHidden(_ path: String, _ folder: String) -> String {
            "\(path.shown) leads into \(folder.shown), which the daemon's sandbox does not show."
        }
        static func show(_ folder: String, to served: String?) -> String {
            "\(systemctl("edit", served)), with two lines: `[Service]` and `BindReadOnlyPaths=\(folder.shown)`; "
                + "then \(systemctl("restart", served))."
        }
        static let mendBoth = "Mend that file, then start daybreakd."

        static let clockUnknown = "Whether the clock is set by a time server cannot be told here."
        static let clockGood = "The clock is set by a time server."
        static let clockLoose = "Nobody sets this machine's clock: midnight may come at the wrong time."
        static let synchronise = "`timedatectl set-ntp true` has it set; an administrator may have to."

        static func zone(_ zone: String) -> String { "The time zone is \(zone.shown)." }
        static func zones(_ daemons: String, _ own: String) -> String {
            "daybreakd goes by the time zone \(daemons.shown), and this machine by \(own.shown)."
        }
        static func zoneOfCopy(_ zone: String) -> String {
            "The time zone is \(zone.shown); /etc/localtime is a copy, which does not tell its name."
        }
        static let noZone = "This machine has no time zone: a day begins at midnight of UTC."
        static let setZone = "`timedatectl set-timezone ZONE` sets it; `timedatectl list-timezones` lists them."

        static let noDesktop = "There is no desktop here; reminders are in the journal and in `daybreak reminders`."
        static let noDesktopNorJournal = "There is no desktop here; `daybreak reminders` has the reminders."
        static let desktopUnknown =
            "Whether your desktop shows notifications cannot be told: `busctl --user` gives no answer."
        static let notifies = "Your desktop shows notifications."
        static let notifiesNot = "Nothing shows notifications on your desktop."
        static let notificationService = "Install a notification service, such as mako or dunst."

        static func next(_ time: String) -> String { "The next task unlocks \(time)." }
        static let lastOpen = "A task is open, and none is scheduled after it."
        static let nothingToCome = "No task is open, and none is scheduled to come."
        static let askForTasks = "Ask your provider for more, and put them into tasks.json."
    }
}
