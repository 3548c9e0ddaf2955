import DaybreakInterfaces
import Foundation
import Glibc
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// The findings of `daybreak doctor` from given facts. Each check is seen to fail.
@Suite struct DoctorFindingsTests {
    @Test(arguments: [
        (nil as String?, "The settings let a practice's schedule count, and this machine is linked with none."),
        ("practice@clinic", "The practice's schedule counts; tasks.json is not read."),
    ]) func `the practice's schedule counts, or would`(practice: String?, says: String) {
        var facts = Facts(socket: "/run/daybreak/control")
        facts.link = DaybreakInterfaces.Link.Get.Reply(practice: practice, condition: .resting, scheduleFrom: .practice)
        let schedule = Examination(facts: facts).findings.first { $0.check == .schedule }
        #expect(schedule?.finding == says)
    }

    /// A client who is linked has no use for a file of tasks.
    @Test func `a linked client is advised to ask the practice`() {
        typealias Link = DaybreakInterfaces.Link.Get.Reply
        var facts = Self.sound
        facts.status?.eligible = nil
        facts.status?.flow = nil
        facts.status?.nextUnlock = nil
        func finding(_ check: Finding.Check, _ link: Link) -> Finding? {
            facts.link = link
            return Examination(facts: facts).findings.first { $0.check == check }
        }
        func linked(_ condition: DaybreakInterfaces.Link.Condition?, _ sentence: String? = nil) -> Link {
            Link(practice: "practice@clinic", condition: condition, sentence: sentence, scheduleFrom: .practice)
        }
        #expect(
            finding(.nextUnlock, linked(.resting))
                == .wrong(
                    .nextUnlock, "No task is open, and none is scheduled to come.",
                    do: "Ask your practice for more: they come from there."))
        #expect(
            finding(.schedule, linked(.failing, "the practice is closed at the moment"))
                == .wrong(
                    .schedule,
                    "The practice's schedule counts, and the practice cannot be reached. The practice is closed at the moment.",
                    do: "`daybreak link status` tells when it is asked again; `daybreak link now` asks at once."))
        #expect(
            finding(.schedule, linked(.stopped))
                == .wrong(
                    .schedule, "The practice's schedule counts, and the practice is not asked any more.",
                    do: "`daybreak link now` tries again, once that is settled with the practice."))
        #expect(
            finding(.schedule, linked(nil))
                == .wrong(
                    .schedule, "The practice's schedule counts, and the program that fetches it does not run.",
                    do: "`systemctl --user enable --now daybreak-link` starts it."))
        facts.unit = nil
        #expect(finding(.schedule, linked(nil))?.advice == "`daybreak link run &` starts it.")
    }

    /// A machine without faults.
    private static var sound: Facts {
        var facts = Facts(socket: "/run/user/7/daybreak/control")
        facts.unit = Facts.Unit()
        facts.lingers = true
        facts.journal = Facts.Journal()
        facts.places = [Facts.PrivatePath(path: "/s", mode: 0o700)]
        facts.free = 5 << 30
        facts.diagnosis = .init()
        facts.status = status()
        facts.isClockSynchronised = true
        facts.zone = Facts.Zone(name: "UTC")
        facts.desktop = .shows
        facts.notifier = "active"
        return facts
    }

    private static func status() -> Homework.Status {
        var status = Sample.status()
        status.timeZone = "UTC"
        status.nextUnlock = "2026-11-21T00:00:00Z"
        return status
    }

    private static func wrong(_ change: (inout Facts) -> Void) -> [String] {
        var facts = sound
        change(&facts)
        return Examination(facts: facts).findings.filter { $0.state == .wrong }
            .map { "\($0.check.rawValue): \($0.finding) \($0.advice ?? "")" }
    }

    @Test func `on a sound machine each check is good`() {
        let findings = Examination(facts: Self.sound).findings
        #expect(findings.map(\.check) == Finding.Check.allCases)
        #expect(findings.allSatisfy { $0.state == .good && $0.advice == nil })
    }

    @Test func `a daemon that does not answer`() {
        #expect(
            Self.wrong { $0.silence = "Nobody answers." } == [
                "daemon: Nobody answers. `systemctl --user restart daybreakd.socket` starts it; "
                    + "`journalctl --user -u daybreakd` tells why it stopped."
            ])
    }

    @Test func `a daemon that is busy with its history is asked again later`() {
        var facts = Self.sound
        (facts.diagnosis, facts.isBusy) = (nil, true)
        let said = "daybreakd is busy with the history, and does not tell yet; run `daybreak doctor` again in a while."
        #expect(
            Examination(facts: facts).findings.filter { $0.state != .good }
                == [Finding.Check.history, .configuration, .schedule].map { Finding.unknown($0, said) })
    }

    @Test func `a journal in which daybreakd has written nothing yet can be read`() {
        #expect(Facts.isJournalReadable { $0.contains("--identifier=daybreakd") ? "" : "Started a session." })
        #expect(Facts.isJournalReadable { $0.contains("--identifier=daybreakd") ? "A task is open." : nil })
        #expect(!Facts.isJournalReadable { _ in "" })
        #expect(!Facts.isJournalReadable { _ in nil })
    }

    @Test func `a daemon that cannot keep its status file`() {
        #expect(
            Self.wrong { $0.isStatusFileMissing = true } == [
                "daemon: daybreakd answers, and cannot keep its status file: bars and scripts see nothing. "
                    + "Make room in /run/user/7/daybreak, or see what it logs: it tries every half minute."
            ])
    }

    @Test func `a daemon that takes no more connections`() {
        #expect(
            Self.wrong { ($0.silence, $0.isCrowded) = ("daybreakd takes no more connections of client.", true) } == [
                "daemon: daybreakd takes no more connections of client. "
                    + "End programs that hold some; `pgrep -af daybreak` lists those of Daybreak."
            ])
    }

    @Test func `a daemon that refuses for want of room is seen as one`() throws {
        let listener = Listener()
        let refusal = #"{"error":"org.daybreak.Service.TooManyConnections","parameters":{"limit":192,"user":0}}"#
        let descriptor = listener.descriptor
        Thread.detachNewThread {
            Listener.Peer(descriptor: accept(descriptor, nil, nil)).send(Array(refusal.utf8) + [0])
        }
        var facts = Facts(socket: listener.path)
        facts.ask(checking: true)
        #expect(facts.isCrowded)
        #expect(facts.silence == "daybreakd takes no more connections of root: there are 192, which is the limit.")
    }

    @Test func `a unit without the sandbox that needs user namespaces`() {
        let finding =
            "sandbox: daybreakd runs without its own view of files, devices and network: this machine grants its users "
            + "no namespaces. "
        #expect(
            Self.wrong {
                $0.unit?.isSandboxed = false
                $0.namespaceLock = "kernel.unprivileged_userns_clone=1"
            } == [
                finding + "An administrator's `sysctl kernel.unprivileged_userns_clone=1` grants them; "
                    + "then run `systemd/install` again."
            ])
        #expect(
            Self.wrong { $0.unit?.isSandboxed = false } == [
                finding + "An administrator, or of a container its host, has to grant them; "
                    + "then run `systemd/install` again."
            ])
        var facts = Self.sound
        facts.unit = nil
        #expect(
            Examination(facts: facts).findings.first { $0.check == .sandbox }
                == .unknown(.sandbox, "No unit of a service manager runs daybreakd, so it has no sandbox."))
    }

    @Test func `the setting that keeps users from namespaces is found by its file`() throws {
        let folder = try Folder()
        for name in ["kernel", "user"] { try folder.make(name) }
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: "\(folder.path)/\(name)", atomically: false, encoding: .utf8)
        }
        func found() -> String? { Facts.namespaceLock(in: folder.path) }
        #expect(found() == nil)
        try write("1\n", "kernel/unprivileged_userns_clone")
        try write("15000\n", "user/max_user_namespaces")
        try write("0\n", "kernel/apparmor_restrict_unprivileged_userns")
        #expect(found() == nil)
        try write("1\n", "kernel/apparmor_restrict_unprivileged_userns")
        #expect(found() == "kernel.apparmor_restrict_unprivileged_userns=0")
        try write("0\n", "user/max_user_namespaces")
        #expect(found() == "user.max_user_namespaces=15000")
        try write("0\n", "kernel/unprivileged_userns_clone")
        #expect(found() == "kernel.unprivileged_userns_clone=1")
    }

    @Test func `without a daemon its program checks the settings and the schedule, and the rest is unknown`() {
        var facts = Self.sound
        (facts.silence, facts.diagnosis, facts.status) = ("Nobody answers.", nil, nil)
        let unknown = Examination(facts: facts).findings.filter { $0.state == .unknown }.map(\.check)
        #expect(unknown == [.version, .history, .configuration, .schedule, .nextUnlock])
        facts.checked = ""
        #expect(Examination(facts: facts).findings.filter { $0.state == .unknown }.count == 3)
        func wrong() -> [String] {
            Examination(facts: facts).findings.filter { $0.state == .wrong && $0.check != .daemon }
                .map { "\($0.check.rawValue): \($0.finding)" }
        }
        facts.settings = "/c"
        facts.checked = "/c/daybreak.toml:1: No. /c/tasks.json:2:1: No."
        #expect(wrong() == ["configuration: /c/daybreak.toml:1: No.", "schedule: /c/tasks.json:2:1: No."])
        facts.checked = "/c/daybreak.toml:1: No."
        #expect(wrong() == ["configuration: /c/daybreak.toml:1: No."])
        facts.missingSchedule = "/c/tasks.json"
        #expect(wrong().last == "schedule: There is no file /c/tasks.json.")
    }

    @Test func `without a service manager no advice names one`() {
        let wrong = Self.wrong {
            ($0.unit, $0.version, $0.zone) = (nil, "0.0.9", Facts.Zone(name: "Asia/Kathmandu"))
            $0.diagnosis?.history = "It cannot be written"
        }
        #expect(
            wrong == [
                "version: daybreakd is 0.0.9, and daybreak is \(Product.version). "
                    + "Ending it, and then `daybreakd &`, starts the one that is installed.",
                "history: It cannot be written. "
                    + "Leave the history's files as they are, and start no new history; what it logs tells more.",
                "zone: daybreakd goes by the time zone UTC, and this machine by Asia/Kathmandu. "
                    + "Ending it, and then `daybreakd &`, has it take this one, unless TZ is set where it is started from.",
            ])
    }

    @Test func `a schedule that was saved unnoticed is told`() {
        #expect(
            Self.wrong {
                $0.diagnosis = .init(schedule: "/c/tasks.json has another text.", isScheduleUnread: true)
            } == ["schedule: /c/tasks.json has another text. `daybreak reload` takes it in."])
    }

    @Test func `two versions that differ`() {
        #expect(
            Self.wrong { $0.version = "0.0.9" } == [
                "version: daybreakd is 0.0.9, and daybreak is \(Product.version). "
                    + "`systemctl --user restart daybreakd.socket` starts the one that is installed."
            ])
    }

    @Test(arguments: [
        ("masked", "enabled", "active", "daybreakd.service is not installed."),
        ("loaded", "disabled", "active", "daybreakd.service is not started by itself."),
        ("loaded", "enabled", "failed", "daybreakd.service is failed."),
    ])
    func `a unit that is missing, not enabled or not active`(load: String, file: String, active: String, says: String) {
        var facts = Self.sound
        facts.unit = Facts.Unit(load: load, file: file, active: active)
        #expect(Examination(facts: facts).findings.filter { $0.state == .wrong }.map(\.finding) == [says])
    }

    @Test
    func `lingering, the journal, the disk, the clock and the zone of a machine with faults`() {
        #expect(
            Self.wrong {
                $0.lingers = false
                $0.journal?.isReadable = false
                $0.free = 1 << 20
                $0.isClockSynchronised = false
                $0.zone = nil
            } == [
                "lingering: Lingering is off: Daybreak runs only while you are logged in. "
                    + "`loginctl enable-linger` turns it on; an administrator may have to.",
                "journal: You cannot read the journal here. "
                    + "`daybreak reminders` shows the same; the group systemd-journal may read all of it.",
                "disk: Only 1 MB are free for the history. "
                    + "Make room on that disk; until then, what you do may not be recorded.",
                "clock: Nobody sets this machine's clock: midnight may come at the wrong time. "
                    + "`timedatectl set-ntp true` has it set; an administrator may have to.",
                "zone: This machine has no time zone: a day begins at midnight of UTC. "
                    + "`timedatectl set-timezone ZONE` sets it; `timedatectl list-timezones` lists them.",
            ])
        #expect(
            Self.wrong { $0.journal?.storage = .noFolder } == [
                "journal: The journal is forgotten at each boot. "
                    + "An administrator's `mkdir /var/log/journal` keeps it; `daybreak reminders` has all of yours."
            ])
        #expect(
            Self.wrong { $0.journal?.storage = .volatile } == [
                "journal: The journal is forgotten at each boot, as its settings want it. "
                    + "An administrator's `Storage=auto` in journald.conf keeps it; `daybreak reminders` has all of yours."
            ])
    }

    @Test func `an imported schedule that is in force in the place of tasks.json is told`() {
        var facts = Self.sound
        facts.diagnosis?.isScheduleImported = true
        #expect(
            Examination(facts: facts).findings.filter { $0.check == .schedule } == [
                .good(.schedule, "An imported schedule is in force; tasks.json counts again once it is changed.")
            ])
    }

    @Test func `a provider whom Daybreak plays is told`() {
        var facts = Self.sound
        facts.diagnosis?.playsProvider = true
        #expect(
            Examination(facts: facts).findings.filter { $0.check == .configuration } == [
                .good(
                    .configuration,
                    "The settings are sound. With provider.simulate Daybreak plays a provider, for trials: no session is a real one."
                )
            ])
    }

    @Test func `a zone other than the daemon's`() {
        #expect(
            Self.wrong { $0.zone = Facts.Zone(name: "Asia/Kathmandu") } == [
                "zone: daybreakd goes by the time zone UTC, and this machine by Asia/Kathmandu. "
                    + "`systemctl --user restart daybreakd.socket` has it take this one, unless TZ is set where it is started from."
            ])
        #expect(Self.wrong { ($0.zone, $0.hasDaemonsTimes) = (Facts.Zone(name: "Etc/UTC"), true) } == [])
        #expect(
            Self.wrong { $0.diagnosis?.unknownZone = "Europe/Berln" } == [
                "zone: daybreakd was started with TZ set to Europe/Berln, and there is no such time zone: it goes by UTC. "
                    + "Set TZ right, or unset it, where it is started from; then `systemctl --user restart daybreakd.socket`."
            ])
        var facts = Self.sound
        facts.zone = Facts.Zone(name: "UTC", isNamed: false)
        #expect(
            Examination(facts: facts).findings.filter { $0.check == .zone } == [
                .good(.zone, "The time zone is UTC; /etc/localtime is a copy, which does not tell its name.")
            ])
    }

    @Test func `the machine's zone is spelled as the daemon spells it`() throws {
        let folder = try Folder()
        try folder.make("zoneinfo")
        let localtime = folder.path + "/localtime"
        #expect(Facts.zone([:], at: localtime) == nil)
        #expect(symlink(folder.path + "/zoneinfo/Berlin", localtime) == 0)
        #expect(Facts.zone([:], at: localtime) == nil)
        try "TZif".write(toFile: folder.path + "/zoneinfo/Berlin", atomically: false, encoding: .utf8)
        #expect(Facts.zone([:], at: localtime) == Facts.Zone(name: "Berlin"))
        #expect(Facts.zone(["TZ": "Asia/Kathmandu"], at: localtime) == Facts.Zone(name: "Asia/Kathmandu"))
        #expect(Facts.zone(["TZ": ":Asia/Kathmandu"], at: localtime) == Facts.Zone(name: "Asia/Kathmandu"))
        let file = ":/usr/share/zoneinfo/Asia/Kathmandu"
        #expect(Facts.zone(["TZ": file], at: localtime) == Facts.Zone(name: "Asia/Kathmandu"))
        #expect(Facts.zone(["TZ": ""], at: localtime) == Facts.Zone(name: "UTC"))
        #expect(unlink(localtime) == 0)
        try "TZif".write(toFile: localtime, atomically: false, encoding: .utf8)
        #expect(Facts.zone([:], at: localtime)?.isNamed == false)
    }

    /// A folder for one test.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "daybreak-doctor-\(UUID().uuidString)")
            .path(percentEncoded: false)

        init() throws { try make("") }

        deinit { try? FileManager.default.removeItem(atPath: path) }  // Only this test makes it.

        func make(_ name: String) throws {
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    @Test func `every existing folder is checked, and a hidden one is a fault`() throws {
        let folder = try Folder()
        func findings() -> [Finding] {
            var facts = Self.sound
            facts.places = Facts.places(
                settings: folder.path + "/settings", state: folder.path + "/state",
                socket: folder.path + "/run/control")
            return Examination(facts: facts).findings.filter { $0.check == .folders }
        }
        #expect(findings() == [.unknown(.folders, "Nothing is kept here yet.")])
        for name in ["settings", "state/backups", "run"] { try folder.make(name) }
        #expect(findings() == [.good(.folders, "Daybreak's files are yours alone.")])
        for name in ["settings", "state", "state/backups", "run"] {
            let place = "\(folder.path)/\(name)"
            #expect(chmod(place, 0o711) == 0)
            #expect(
                findings() == [
                    .wrong(
                        .folders, "Others on this machine may look into \(place).",
                        do: "`chmod go= \(place)` closes it.")
                ])
            #expect(chmod(place, 0o700) == 0)
        }
        // The mode of a link is always 0777.
        let link = folder.path + "/state/history.db"
        #expect(symlink(folder.path + "/nothing", link) == 0)
        #expect(findings() == [.good(.folders, "Daybreak's files are yours alone.")])
        #expect(unlink(link) == 0)
        #expect(rmdir(folder.path + "/run") == 0)
        try "".write(toFile: folder.path + "/run", atomically: false, encoding: .utf8)
        #expect(chmod(folder.path + "/run", 0o600) == 0)
        let hidden = folder.path + "/run/status.json"
        #expect(
            findings() == [
                .wrong(
                    .folders, "\(hidden) cannot be looked at: Not a directory.",
                    do: "Ask its owner or an administrator: `ls -ld \(hidden)`.")
            ])
    }

    @Test func `the settings and the schedule are looked at, and all that is open is told`() throws {
        let folder = try Folder()
        try folder.make("settings")
        let (settings, schedule) = (folder.path + "/settings", folder.path + "/settings/tasks.json")
        func finding() -> Finding? {
            var facts = Self.sound
            facts.places = Facts.places(
                settings: settings, state: folder.path + "/state", socket: folder.path + "/run/control")
            return Examination(facts: facts).findings.first { $0.check == .folders }
        }
        try "[]".write(toFile: schedule, atomically: false, encoding: .utf8)
        #expect(chmod(schedule, 0o666) == 0)
        #expect(
            finding()
                == .good(
                    .folders, "Daybreak's folders are yours alone; in them the mode of \(schedule) does not matter."))
        #expect(chmod(settings, 0o777) == 0)
        #expect(
            finding()
                == .wrong(
                    .folders, "Others on this machine may change \(settings) and \(schedule).",
                    do: "`chmod go= \(settings) \(schedule)` closes them."))
        #expect(chmod(schedule, 0o644) == 0)
        #expect(
            finding()
                == .wrong(
                    .folders, "Others on this machine may change \(settings), and look into \(schedule).",
                    do: "`chmod go= \(settings) \(schedule)` closes them."))
        // A link into a folder that is open, from one that is closed.
        try folder.make("open")
        #expect(chmod(settings, 0o700) == 0 && chmod(folder.path + "/open", 0o755) == 0 && unlink(schedule) == 0)
        try "[]".write(toFile: folder.path + "/open/a.json", atomically: false, encoding: .utf8)
        #expect(chmod(folder.path + "/open/a.json", 0o644) == 0 && symlink(folder.path + "/open/a.json", schedule) == 0)
        #expect(
            finding()
                == .wrong(
                    .folders, "Others on this machine may look into \(schedule).",
                    do: "`chmod go= \(schedule)` closes it."))
    }

    @Test(arguments: [
        ("Europe/Berln", false), ("Europe/Berlin", true), (":Europe/Berlin", true), ("UTC", true), ("CET-1CEST", true),
        ("<+03>-3", true), ("UTC+", false), ("/usr/share/zoneinfo/UTC", true), ("/usr/share/zoneinfo/Nowhere", false),
    ])
    func `a time zone that TZ names is looked for`(name: String, isKnown: Bool) {
        #expect(Facts.zone(["TZ": name])?.isKnown == isKnown)
    }

    @Test func `a time zone that is not there is a fault, because UTC takes its place without a word`() {
        #expect(
            Self.wrong { $0.zone = Facts.Zone(name: "Europe/Berln", isKnown: false) } == [
                "zone: TZ is set to Europe/Berln, and there is no such time zone: what is started with it goes by UTC. "
                    + "Set it to one that `timedatectl list-timezones` lists, or unset it; then "
                    + "`systemctl --user restart daybreakd.socket`."
            ])
    }

    @Test func `it is not claimed that settings are private whose place is not known`() {
        var facts = Self.sound
        facts.settings = nil
        #expect(
            Examination(facts: facts).findings.first { $0.check == .folders }?.finding
                == "The history's files are yours alone; where this daybreakd has its settings is not known.")
    }

    @Test func `a history in an open folder needs no restore, and a damaged one does`() {
        func advice(_ restorable: [String]?) -> String? {
            var facts = Self.sound
            facts.places = [Facts.PrivatePath(path: "/s", mode: 0o777)]
            facts.diagnosis = .init(history: "The folder /s may be changed by others", restorable: restorable)
            return Examination(facts: facts).findings.first { $0.check == .history }?.advice
        }
        #expect(
            advice(nil)
                == "daybreakd uses no folder that others can change: close it, as the finding on the folders says.")
        #expect(advice([])?.hasPrefix("`daybreak restore FILE` puts a backup in its place") == true)
    }

    @Test func `a folder of one's own that is closed is opened`() {
        let place = Facts.PrivatePath(path: "/s/history.db", why: "Permission denied", ownClosedFolder: "/s")
        #expect(
            Self.wrong { $0.places = [place] } == [
                "folders: /s/history.db cannot be looked at: Permission denied. `chmod u+rwx /s` opens its folder."
            ])
    }

    @Test func `of a daemon whose folders are not known, only its socket's folder is judged`() {
        var facts = Self.sound
        (facts.state, facts.settings, facts.free) = (nil, nil, nil)
        let findings = Examination(facts: facts).findings
        let notKnown = "Where the daemon of this socket keeps its history is not known."
        for check in [Finding.Check.folders, .disk] {
            #expect(findings.first { $0.check == check } == .unknown(check, notKnown))
        }
        facts.places = [Facts.PrivatePath(path: "/r", mode: 0o777)]
        #expect(
            Examination(facts: facts).findings.first { $0.check == .folders }?.finding
                == "Others on this machine may change /r.")
    }

    @Test func `the group may read root's settings for a client of a system service`() {
        let place = Facts.PrivatePath(path: "/etc/daybreak/client", mode: 0o750, closed: 0o027)
        #expect(Self.wrong { $0.places = [place] } == [])
        #expect(
            Self.wrong { $0.places = [Facts.PrivatePath(path: "/etc/daybreak/client", mode: 0o755, closed: 0o027)] }
                .count
                == 1)
    }

    @Test func `a fault in the history is reported with and without a daemon`() {
        var facts = Self.sound
        facts.verified = "The history is damaged: its event 2 is missing."
        func history() -> Finding? { Examination(facts: facts).findings.first { $0.check == .history } }
        #expect(history()?.finding == "The history is damaged: its event 2 is missing.")
        (facts.silence, facts.diagnosis) = ("Nobody answers.", nil)
        #expect(history()?.state == .wrong)
        facts.verified = ""
        #expect(history() == .good(.history, "The history is sound."))
        facts.verified = nil
        #expect(history() == .unknown(.history, "Only a running daybreakd knows."))
    }

    @Test func `a damaged index of the history is a finding, with nothing to be restored`() {
        let said = "An index of the history does not list all of its events."
        let expected = Finding.wrong(
            .history, said,
            do: "Nothing is lost: daybreakd makes it anew before its next nightly copy, and says so in the journal.")
        var facts = Self.sound
        (facts.verified, facts.isIndexDamaged) = (said, true)
        func history() -> Finding? { Examination(facts: facts).findings.first { $0.check == .history } }
        #expect(history() == expected)
        facts.diagnosis?.history = "The history is damaged"
        #expect(history()?.advice != expected.advice)
    }

    @Test func `the daemon's counts may be of any size`() {
        #expect(
            Self.wrong { $0.status?.counts = .init(completed: .max, missed: .min, open: .max, locked: .max) } == [])
    }

    @Test func `a folder that is open to others, and one of another user`() {
        #expect(
            Self.wrong { $0.places = [Facts.PrivatePath(path: "/s", mode: 0o710)] }
                == ["folders: Others on this machine may look into /s. `chmod go= /s` closes it."])
        #expect(
            Self.wrong { $0.places = [Facts.PrivatePath(path: "/s", isOurs: false, mode: 0o700)] }
                == ["folders: /s belongs to somebody else. Ask its owner or an administrator: `ls -ld /s`."])
    }

    @Test func `a history, settings or a schedule that is not sound`() {
        #expect(
            Self.wrong { $0.diagnosis = .init(history: "It is damaged", configuration: "C.", schedule: "S.") } == [
                "history: It is damaged. "
                    + "Leave the history's files as they are, and start no new history; `systemctl --user status daybreakd` tells more.",
                "configuration: C. "
                    + "Mend that file, then `daybreak reload`; until then the settings before are in force.",
                "schedule: S. Mend the file, and it is taken in; until then the schedule before is in force.",
            ])
        #expect(
            Self.wrong {
                $0.diagnosis = .init(schedule: "S.")
                $0.status?.counts = .init(completed: 0, missed: 0, open: 0, locked: 0)
            } == ["schedule: S. Mend the file, and it is taken in; until then there are no tasks."])
        #expect(
            Self.wrong {
                $0.diagnosis = .init(schedule: "There is no file /c/tasks.json.", isScheduleMissing: true)
                $0.status?.counts = .init(completed: 0, missed: 0, open: 0, locked: 0)
            } == [
                "schedule: There is no file /c/tasks.json. "
                    + "Save your provider's schedule there, or run `daybreak schedule import FILE`; until then there are no tasks. "
                    + "Config/tasks.json, in a clone of Daybreak, is a sample. "
                    + "`daybreak link set-up` takes the tasks of a practice."
            ])
    }

    @Test func `a desktop without notifications, and no task to come`() {
        #expect(
            Self.wrong {
                $0.desktop = .showsNot
                $0.status?.nextUnlock = nil
                $0.status?.eligible = nil
                $0.status?.flow = nil
            } == [
                "notifications: Nothing shows notifications on your desktop. "
                    + "Install a notification service, such as mako or dunst.",
                "nextUnlock: No task is open, and none is scheduled to come. "
                    + "Ask your provider for more, and put them into tasks.json.",
            ])
    }

    @Test func `a damaged history has its remedy, and no provider is asked for tasks`() {
        func wrong(_ copies: [String]?) -> [String] {
            Self.wrong {
                $0.diagnosis?.history = "The history is damaged"
                $0.diagnosis?.restorable = copies
                $0.status?.nextUnlock = nil
                $0.status?.eligible = nil
                $0.status?.flow = nil
            }
        }
        let advice = "`daybreak restore FILE` puts a backup in its place, and keeps a damaged one aside"
        #expect(wrong([]) == ["history: The history is damaged. \(advice)."])
        #expect(
            wrong(["/b/night-2.db", "/b/night-1.db"]) == [
                "history: The history is damaged. \(advice); the newest that Daybreak made by itself is /b/night-2.db."
            ])
    }

    @Test func `a desktop on which the reminders' program does not run`() {
        #expect(
            Self.wrong { $0.notifier = "inactive" } == [
                "notifications: daybreak-notify.service, which shows reminders on your desktop, does not run. "
                    + "`systemctl --user enable --now daybreak-notify` starts it."
            ])
    }

    @Test func `advice names the system's manager if that runs the daemon`() {
        var facts = Self.sound
        facts.served = "client"
        facts.lingers = nil
        let findings = Examination(facts: facts).findings
        #expect(findings.allSatisfy { $0.state == .good })
        let said = findings.filter { [.unit, .lingering].contains($0.check) }.map(\.finding)
        #expect(
            said == [
                "daybreakd@client.service is installed, enabled and active.",
                "The system's own manager runs it, from boot on and without a login.",
            ])
        #expect(
            Self.wrong {
                $0.served = "client"
                $0.unit?.file = "disabled"
                $0.silence = "Nobody answers."
            } == [
                "daemon: Nobody answers. `systemctl restart daybreakd@client` starts it; "
                    + "`journalctl -u daybreakd@client` tells why it stopped.",
                "unit: daybreakd@client.service is not started by itself. "
                    + "Root's `systemctl enable --now daybreakd@client` sees to it.",
            ])
        #expect(DaemonSocket.served(at: "/run/daybreak/client/control") == "client")
        #expect(DaemonSocket.served(at: "/run/user/7/daybreak/control") == nil)
    }

    @Test func `root without a daemon learns of other users' daemons`() {
        let sockets = ["/run/daybreak/client/control"]
        #expect(
            Self.wrong {
                ($0.silence, $0.others) = ("Nobody answers.", sockets)
            } == [
                "daemon: Nobody answers. Daemons of others run here: "
                    + "`DAYBREAK_SOCKET=/run/daybreak/client/control daybreak doctor`."
            ])
    }

    @Test func `a schedule behind a link is found, with the settings that let the daemon see it`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybreak-link-\(UUID().uuidString)")
            .path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/dotfiles", withIntermediateDirectories: true)
        let link = folder + "/tasks.json"
        #expect(Facts.link(at: link) == nil)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/dotfiles/tasks.json")
        #expect(
            Self.wrong { $0.scheduleLink = Facts.link(at: link) } == [
                "schedule: \(link) is a link that leads to nothing. "
                    + "Mend the file, and it is taken in; until then the schedule before is in force."
            ])
        var facts = Self.sound
        facts.diagnosis?.schedule = "The daemon's sentence."
        facts.lookAtLinks(in: folder)
        #expect(facts.scheduleLink == nil)
        facts.diagnosis?.brokenLinks = [link]
        facts.lookAtLinks(in: folder)
        #expect(facts.scheduleLink?.path == link)
        try "[]".write(toFile: folder + "/dotfiles/tasks.json", atomically: true, encoding: .utf8)
        #expect(
            Self.wrong { $0.scheduleLink = Facts.link(at: link) } == [
                "schedule: \(link) leads into \(folder)/dotfiles, which the daemon's sandbox does not show. "
                    + "`systemctl --user edit daybreakd`, with two lines: `[Service]` and "
                    + "`BindReadOnlyPaths=\(folder)/dotfiles`; then `systemctl --user restart daybreakd.socket`."
            ])
    }

    @Test func `no advice shows the daemon a whole home`() {
        #expect(
            Self.wrong { $0.scheduleLink = Facts.Link(path: "/c/tasks.json", folder: "/home/me") } == [
                "schedule: /c/tasks.json leads into /home/me, which the daemon's sandbox does not show. "
                    + "Move the file into a folder of its own, such as /home/me/daybreak, have the link lead there, and run "
                    + "`daybreak doctor` again."
            ])
    }

    @Test func `settings behind a link are found, also when the daemon did not start because of them`() throws {
        #expect(
            Self.wrong { $0.settingsLink = Facts.Link(path: "/c/daybreak.toml", folder: "/home/me/dotfiles") } == [
                "configuration: /c/daybreak.toml leads into /home/me/dotfiles, which the daemon's sandbox does not show. "
                    + "`systemctl --user edit daybreakd`, with two lines: `[Service]` and "
                    + "`BindReadOnlyPaths=/home/me/dotfiles`; then `systemctl --user restart daybreakd.socket`."
            ])
        #expect(
            Self.wrong { $0.settingsLink = Facts.Link(path: "/c/daybreak.toml") } == [
                "configuration: /c/daybreak.toml is a link that leads to nothing. "
                    + "Have it lead to the settings, then `daybreak reload`."
            ])
        #expect(
            Facts.shownPaths("/home/me/bin/d:/home/me/bin/d:rbind -/home/me/.config:/home/me/.config:rbind") == [
                "/home/me/bin/d", "/home/me/.config",
            ])
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can look into what is root's home."))
    func `a link within a home that the sandbox shows is no fault`() throws {
        let home = "/root/daybreak-link-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: home) }
        try FileManager.default.createDirectory(atPath: home + "/dotfiles", withIntermediateDirectories: true)
        try "".write(toFile: home + "/dotfiles/daybreak.toml", atomically: true, encoding: .utf8)
        let link = home + "/daybreak.toml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home + "/dotfiles/daybreak.toml")
        var facts = Self.sound
        #expect(facts.isHidden(link))
        facts.unit?.shown = ["/root/else", home]
        #expect(!facts.isHidden(link))
        facts.unit = nil
        #expect(!facts.isHidden(link))
    }

    @Test func `without a journal the advice does not mention it`() {
        var facts = Self.sound
        (facts.journal, facts.desktop) = (nil, .none)
        #expect(
            Examination(facts: facts).findings.filter { $0.state == .unknown }.map(\.finding) == [
                "No journal runs here; `daybreak reminders` shows what was told.",
                "There is no desktop here; `daybreak reminders` has the reminders.",
            ])
        facts.desktop = .unknown
        #expect(
            Examination(facts: facts).findings.last { $0.state == .unknown }?.finding
                == "It is not known whether your desktop shows notifications: `busctl --user` gives no answer.")
    }

    @Test func `a finding is one line, and its advice another`() {
        #expect(Doctor.line(.good(.disk, "Fine."), .plain) == "  ✓ disk           Fine.\n")
        #expect(
            Doctor.line(.wrong(.nextUnlock, "None.", do: "Ask."), .plain) == """
                  ✗ next unlock    None.
                                   → Ask.

                """)
    }
}
