import Companion
import DaybreakInterfaces
import Files

/// Draws a finding from the facts for each check.
struct Examination {
    let facts: Facts

    /// In bytes: the least free space on the disk. Other programs can use up less at any time; the history grows by some
    /// kilobytes a day.
    static let scarce: UInt64 = 100 << 20

    /// The findings, one for each check, in the order of the checks.
    var findings: [Finding] {
        [
            daemon, version, unit, sandbox, lingering, journal, folders, disk, history, configuration, schedule, clock,
            zone,
            notifications, nextUnlock,
        ]
    }

    private static let asksDaemon = "Only a running daybreakd knows."
    private static let isBusy =
        "daybreakd is busy with the history, and does not tell yet; run `daybreak doctor` again in a while."

    /// A command for the service manager that runs the daemon: "`systemctl --user restart daybreakd.socket`".
    private func systemctl(_ verb: String) -> String { Daemon.systemctl(verb, facts.served) }

    /// "`systemctl --user restart daybreakd.socket`", or how to do that by hand. A sentence begins with it.
    private var restart: String { hasManager ? systemctl("restart") : "Ending it, and then `daybreakd &`," }

    private var restartAtEnd: String {
        hasManager ? systemctl("restart") : "end daybreakd, and run `daybreakd &`"
    }

    private var hasManager: Bool { facts.unit != nil || facts.served != nil }

    private var daemon: Finding {
        guard let why = facts.silence else {
            guard facts.isStatusFileMissing else {
                return .good(.daemon, "daybreakd answers at \(facts.socket.shown).")
            }
            return .wrong(
                .daemon, "daybreakd answers, and cannot keep its status file: bars and scripts see nothing.",
                do:
                    "Make room in \(Folder.parent(of: facts.socket).shown), or see what it logs: it tries every half minute."
            )
        }
        guard !facts.isCrowded else {
            return .wrong(
                .daemon, why, do: "End programs that hold some; `pgrep -af daybreak` lists those of Daybreak.")
        }
        guard facts.others.isEmpty else {
            let asked = facts.others.map { "`DAYBREAK_SOCKET=\(File.quoted($0.shown)) daybreak doctor`" }
            return .wrong(.daemon, why, do: "Daemons of others run here: \(asked.joined(separator: ", ")).")
        }
        guard facts.unit != nil else {
            let advice =
                facts.isSilent
                ? "End that daybreakd, whose number `pgrep -a daybreakd` shows, and run `daybreakd &`."
                : "`daybreakd &` starts it; `systemd/install` does so too."
            return .wrong(.daemon, why, do: advice)
        }
        let journal = facts.served.map { "journalctl -u daybreakd@\($0.shown)" } ?? "journalctl --user -u daybreakd"
        let advice =
            facts.isSilent
            ? "\(systemctl("restart")) starts it anew; `\(journal)` tells what it did last."
            : "\(systemctl("restart")) starts it; `\(journal)` tells why it stopped."
        return .wrong(.daemon, why, do: advice)
    }

    private var version: Finding {
        guard facts.silence == nil else { return .unknown(.version, Self.asksDaemon) }
        guard facts.version != Product.version else {
            return .good(.version, "daybreakd and daybreak are both \(Product.version).")
        }
        return .wrong(
            .version, "daybreakd is \(facts.version.shown), and daybreak is \(Product.version).",
            do: "\(restart) starts the one that is installed.")
    }

    private var unit: Finding {
        guard let unit = facts.unit else {
            return .unknown(
                .unit, "No service manager runs for this user, so nothing starts daybreakd after a boot.")
        }
        let name = Facts.unitName(facts.served)
        if unit.load != "loaded" {
            let install = facts.served.map { "systemd/install --system \($0.shown)" } ?? "systemd/install"
            return .wrong(
                .unit, "\(name) is not installed.", do: "`\(install)`, in a clone of Daybreak, installs it.")
        }
        if unit.file != "enabled" {
            let command =
                facts.served.map { "Root's `systemctl enable --now daybreakd@\($0.shown)`" }
                ?? "`systemctl --user enable --now daybreakd.socket daybreakd.service`"
            return .wrong(.unit, "\(name) is not started by itself.", do: "\(command) sees to it.")
        }
        if unit.active != "active" {
            return .wrong(.unit, "\(name) is \(unit.active.shown).", do: "\(systemctl("status")) tells why.")
        }
        return .good(.unit, "\(name) is installed, enabled and active.")
    }

    private var sandbox: Finding {
        guard let unit = facts.unit, unit.load == "loaded" else {
            return .unknown(.sandbox, "No unit of a service manager runs daybreakd, so it has no sandbox.")
        }
        guard unit.active == "active" else { return .unknown(.sandbox, Self.asksDaemon) }
        guard !unit.isSandboxed else { return .good(.sandbox, "daybreakd runs in its sandbox.") }
        let grant =
            facts.namespaceLock.map { "An administrator's `sysctl \($0)` grants them" }
            ?? "An administrator, or of a container its host, has to grant them"
        return .wrong(
            .sandbox,
            "daybreakd runs without its own view of files, devices and network: this machine grants its users no namespaces.",
            do: "\(grant); then run `systemd/install` again.")
    }

    private var lingering: Finding {
        guard facts.served == nil else {
            return .good(.lingering, "The system's own manager runs it, from boot on and without a login.")
        }
        guard let lingers = facts.lingers else {
            return .unknown(.lingering, "No logind runs here, so there are no logins to outlive.")
        }
        guard !lingers else { return .good(.lingering, "Lingering is on: Daybreak runs from boot on.") }
        return .wrong(
            .lingering, "Lingering is off: Daybreak runs only while you are logged in.",
            do: "`loginctl enable-linger` turns it on; an administrator may have to.")
    }

    private var journal: Finding {
        guard let journal = facts.journal else {
            return .unknown(.journal, "No journal runs here; `daybreak reminders` shows what was told.")
        }
        guard journal.isReadable else {
            return .wrong(
                .journal, "You cannot read the journal here.",
                do: "`daybreak reminders` shows the same; the group systemd-journal may read all of it.")
        }
        let own = "`daybreak reminders` has all of yours."
        return switch journal.storage {
        case .kept: .good(.journal, "The journal can be read, and outlives a boot.")
        case .noFolder:
            .wrong(
                .journal, "The journal is forgotten at each boot.",
                do: "An administrator's `mkdir /var/log/journal` keeps it; \(own)")
        case .volatile:
            .wrong(
                .journal, "The journal is forgotten at each boot, as its settings want it.",
                do: "An administrator's `Storage=auto` in journald.conf keeps it; \(own)")
        }
    }

    private var folders: Finding {
        guard !facts.places.isEmpty || facts.state == nil else {
            return .unknown(.folders, "Nothing is kept here yet.")
        }
        for place in facts.places {
            let path = place.path.shown
            let askOwner = "Ask its owner or an administrator: `ls -ld \(File.quoted(path))`."
            if let why = place.why {
                let closed = place.ownClosedFolder.map { "`chmod u+rwx \(File.quoted($0.shown))` opens its folder." }
                return .wrong(.folders, "\(path) cannot be looked at: \(why).", do: closed ?? askOwner)
            }
            if !place.isOurs { return .wrong(.folders, "\(path) belongs to somebody else.", do: askOwner) }
        }
        if let open = openToOthers { return open }
        guard facts.state != nil else { return .unknown(.folders, Self.keepsElsewhere) }
        let loose = facts.places.filter { $0.isSheltered && $0.mode & $0.closed != 0 }.map(\.path.shown)
        guard loose.isEmpty else {
            let (mode, does) = loose.count == 1 ? ("mode", "does") : ("modes", "do")
            return .good(
                .folders,
                "Daybreak's folders are yours alone; in them the \(mode) of \(Self.list(loose)) \(does) not matter.")
        }
        guard facts.settings != nil else {
            return .good(
                .folders, "The history's files are yours alone; where this daybreakd has its settings is not known.")
        }
        return .good(.folders, "Daybreak's files are yours alone.")
    }

    /// The finding on all that others may read or change; nil if there is nothing.
    private var openToOthers: Finding? {
        let open = facts.places.filter { $0.opening != 0 }
        guard !open.isEmpty else { return nil }
        let deeds = [
            ("change", open.filter { $0.opening & 0o022 != 0 }), ("look into", open.filter { $0.opening & 0o022 == 0 }),
        ].filter { !$0.1.isEmpty }.map { "\($0.0) \(Self.list($0.1.map(\.path.shown)))" }
        return .wrong(
            .folders, "Others on this machine may \(deeds.joined(separator: ", and ")).",
            do:
                "`chmod go= \(open.map { File.quoted($0.path.shown) }.joined(separator: " "))` closes \(open.count == 1 ? "it" : "them")."
        )
    }

    private static func list(_ paths: [String]) -> String {
        guard let last = paths.last, paths.count > 1 else { return paths.first ?? "" }
        return paths.dropLast().joined(separator: ", ") + " and " + last
    }

    private static let keepsElsewhere = "Where the daemon of this socket keeps its history is not known."

    private var disk: Finding {
        guard facts.state != nil else { return .unknown(.disk, Self.keepsElsewhere) }
        guard let free = facts.free else {
            return .unknown(.disk, "The history's folder cannot be looked at.")
        }
        let megabytes = "\(free >> 20) MB"
        guard free < Self.scarce else { return .good(.disk, "\(megabytes) are free for the history.") }
        return .wrong(
            .disk, "Only \(megabytes) are free for the history.",
            do: "Make room on that disk; until then, what you do may not be recorded.")
    }

    private var history: Finding {
        let verified = facts.verified.flatMap { $0.isEmpty ? nil : $0 }
        if let fault = facts.diagnosis?.history ?? verified {
            let isIndex = facts.isIndexDamaged && facts.diagnosis?.history == nil
            return .wrong(.history, Wording.sentence(fault), do: isIndex ? Self.leavingTheIndex : restoring)
        }
        guard facts.diagnosis == nil, facts.verified == nil else { return .good(.history, "The history is sound.") }
        guard !facts.isBusy else { return .unknown(.history, Self.isBusy) }
        return .unknown(
            .history, facts.silence == nil ? "This daybreakd is too old to be asked." : Self.asksDaemon)
    }

    private static let leavingTheIndex =
        "Nothing is lost: daybreakd makes it anew before its next nightly copy, and says so in the journal."

    /// The advice for a history that has a fault.
    private var restoring: String {
        guard let copies = facts.diagnosis?.restorable else {
            guard !facts.places.contains(where: { $0.opening & 0o022 != 0 }) else {
                return "daybreakd uses no folder that others can change: close it, as the finding on the folders says."
            }
            let more = hasManager ? systemctl("status") : "what it logs"
            return "Leave the history's files as they are, and start no new history; \(more) tells more."
        }
        let newest = copies.first.map { "; the newest that Daybreak made by itself is \($0.shown)" } ?? ""
        return "`daybreak restore FILE` puts a backup in its place, and keeps a damaged one aside\(newest)."
    }

    private var configuration: Finding {
        if let link = facts.settingsLink {
            return wrong(.configuration, link, do: "Have it lead to the settings, then `daybreak reload`.")
        }
        guard let fault = facts.diagnosis?.configuration else {
            let played =
                facts.diagnosis?.playsProvider == true
                ? " With provider.simulate Daybreak plays a provider, for trials: no session is a real one." : ""
            return unasked(.configuration, "The settings are sound.\(played)", facts.settingsFaults)
        }
        return .wrong(
            .configuration, Wording.sentence(fault),
            do: "Mend that file, then `daybreak reload`; until then the settings before are in force.")
    }

    private var schedule: Finding {
        if let link = facts.link, link.scheduleFrom == .practice { return schedule(over: link) }
        let counts = facts.status?.counts
        let hasTasks = counts.map { [$0.completed, $0.missed, $0.open, $0.locked] != [0, 0, 0, 0] } ?? true
        let inForce = hasTasks ? "the schedule before is in force" : "there are no tasks"
        let mend = "Mend the file, and it is taken in; until then \(inForce)."
        if let link = facts.scheduleLink { return wrong(.schedule, link, do: mend) }
        if facts.diagnosis?.isScheduleUnread == true {
            return .wrong(
                .schedule, Wording.sentence(facts.diagnosis?.schedule ?? ""), do: "`daybreak reload` takes it in.")
        }
        let missing = facts.diagnosis == nil && facts.checked != nil ? facts.missingSchedule : nil
        guard let fault = facts.diagnosis?.schedule ?? missing.map({ "There is no file \($0.shown)." }) else {
            return facts.diagnosis?.isScheduleImported == true
                ? .good(.schedule, "An imported schedule is in force; tasks.json counts again once it is changed.")
                : unasked(.schedule, "The schedule is sound.", facts.scheduleFaults)
        }
        if missing != nil || facts.diagnosis?.isScheduleMissing == true {
            return .wrong(
                .schedule, Wording.sentence(fault),
                do:
                    "Save your provider's schedule there, or run `daybreak schedule import FILE`; until then \(inForce). "
                    + "Config/tasks.json, in a clone of Daybreak, is a sample. `daybreak link set-up` takes the tasks of a practice."
            )
        }
        return .wrong(.schedule, Wording.sentence(fault), do: mend)
    }

    private func schedule(over link: DaybreakInterfaces.Link.Get.Reply) -> Finding {
        guard link.practice != nil else {
            return .wrong(
                .schedule, "The settings let a practice's schedule count, and this machine is linked with none.",
                do: "`daybreak link set-up` links it; or let from = \"auto\" stand under [schedule].")
        }
        let trouble = link.sentence.map { " " + Wording.sentence($0.shown) } ?? ""
        let counts = "The practice's schedule counts"
        return switch link.condition {
        case .connected, .resting: .good(.schedule, "\(counts); tasks.json is not read.")
        case .failing:
            .wrong(
                .schedule, "\(counts), and the practice cannot be reached.\(trouble)",
                do: "`daybreak link status` tells when it is asked again; `daybreak link now` asks at once.")
        case .stopped:
            .wrong(
                .schedule, "\(counts), and the practice is not asked any more.\(trouble)",
                do: "`daybreak link now` tries again, once that is settled with the practice.")
        case nil:
            .wrong(
                .schedule, "\(counts), and the program that fetches it does not run.",
                do: facts.unit == nil || facts.served != nil
                    ? "`daybreak link run &` starts it."
                    : "`systemctl --user enable --now daybreak-link` starts it.")
        }
    }

    private func wrong(_ check: Finding.Check, _ link: Facts.Link, do mend: String) -> Finding {
        guard let folder = link.folder?.shown else {
            return .wrong(check, "\(link.path.shown) is a link that leads to nothing.", do: mend)
        }
        let hidden = "\(link.path.shown) leads into \(folder), which the daemon's sandbox does not show."
        guard !link.isInHome else {
            return .wrong(
                check, hidden,
                do:
                    "Move the file into a folder of its own, such as \(folder)/daybreak, have the link lead there, and run "
                    + "`daybreak doctor` again.")
        }
        return .wrong(
            check, hidden,
            do: "\(systemctl("edit")), with two lines: `[Service]` and `BindReadOnlyPaths=\(folder)`; "
                + "then \(systemctl("restart")).")
    }

    /// The finding on the settings or the schedule if the daemon reports no fault. If the daemon does not answer, its program
    /// was run to check them, and found these faults.
    private func unasked(_ check: Finding.Check, _ good: String, _ faults: String?) -> Finding {
        guard facts.diagnosis == nil else { return .good(check, good) }
        guard let faults else { return .unknown(check, facts.isBusy ? Self.isBusy : Self.asksDaemon) }
        guard !faults.isEmpty else { return .good(check, good) }
        return .wrong(check, Wording.sentence(faults), do: "Mend that file, then start daybreakd.")
    }

    private var clock: Finding {
        guard let isSynchronised = facts.isClockSynchronised else {
            return .unknown(.clock, "It is not known whether a time server sets the clock.")
        }
        guard !isSynchronised else { return .good(.clock, "The clock is set by a time server.") }
        return .wrong(
            .clock, "Nobody sets this machine's clock: midnight may come at the wrong time.",
            do: "`timedatectl set-ntp true` has it set; an administrator may have to.")
    }

    private var zone: Finding {
        guard let zone = facts.zone else {
            return .wrong(
                .zone, "This machine has no time zone: a day begins at midnight of UTC.",
                do: "`timedatectl set-timezone ZONE` sets it; `timedatectl list-timezones` lists them.")
        }
        let own = zone.name.shown
        guard zone.isKnown else {
            return .wrong(
                .zone, "TZ is set to \(own), and there is no such time zone: what is started with it goes by UTC.",
                do: "Set it to one that `timedatectl list-timezones` lists, or unset it; then \(restartAtEnd).")
        }
        if let unknown = facts.diagnosis?.unknownZone {
            return .wrong(
                .zone,
                "daybreakd was started with TZ set to \(unknown.shown), and there is no such time zone: "
                    + "it goes by UTC.",
                do: "Set TZ right, or unset it, where it is started from; then \(restartAtEnd).")
        }
        if let daemons = facts.status?.timeZone, daemons != zone.name, !facts.hasDaemonsTimes {
            return .wrong(
                .zone, "daybreakd goes by the time zone \(daemons.shown), and this machine by \(own).",
                do: "\(restart) has it take this one, unless TZ is set where it is started from.")
        }
        return .good(
            .zone,
            zone.isNamed
                ? "The time zone is \(own)."
                : "The time zone is \(own); /etc/localtime is a copy, which does not tell its name.")
    }

    private var notifications: Finding {
        switch facts.desktop {
        case .none:
            .unknown(
                .notifications,
                facts.journal == nil
                    ? "There is no desktop here; `daybreak reminders` has the reminders."
                    : "There is no desktop here; reminders are in the journal and in `daybreak reminders`.")
        case .unknown:
            .unknown(
                .notifications,
                "It is not known whether your desktop shows notifications: `busctl --user` gives no answer.")
        case .shows where facts.notifier.map { $0 != "active" } == true:
            .wrong(
                .notifications, "daybreak-notify.service, which shows reminders on your desktop, does not run.",
                do: "`systemctl --user enable --now daybreak-notify` starts it.")
        case .shows: .good(.notifications, "Your desktop shows notifications.")
        case .showsNot:
            .wrong(
                .notifications, "Nothing shows notifications on your desktop.",
                do: "Install a notification service, such as mako or dunst.")
        }
    }

    private var nextUnlock: Finding {
        guard let status = facts.status else { return .unknown(.nextUnlock, Self.asksDaemon) }
        if let next = status.nextUnlock {
            return .good(.nextUnlock, "The next task unlocks \(Wording.time(next, today: status.today)).")
        }
        guard status.eligible == nil, status.flow == nil else {
            return .good(.nextUnlock, "A task is open, and none is scheduled after it.")
        }
        guard facts.diagnosis?.history == nil else {
            return .unknown(.nextUnlock, "The history has a fault, so this is not known.")
        }
        return .wrong(
            .nextUnlock, "No task is open, and none is scheduled to come.",
            do: facts.link?.scheduleFrom == .practice
                ? "Ask your practice for more: they come from there."
                : "Ask your provider for more, and put them into tasks.json.")
    }
}
