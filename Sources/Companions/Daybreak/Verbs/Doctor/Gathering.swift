import Companion
import DaybreakInterfaces
import Files
import Glibc
import Varlink

// Gathers the facts from the machine. A fact that cannot be seen stays nil.
extension Facts {
    static func gathered(socket: String, environment: [String: String]) -> Facts {
        var facts = Facts(socket: socket)
        facts.served = DaemonSocket.served(at: socket)
        let isUsual = isUsual(socket, environment)
        facts.state = nil
        facts.ask(checking: isUsual)
        facts.isStatusFileMissing = facts.silence == nil && lacksStatusFile(socket)
        let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? ""
        facts.unit = unit(facts.served)
        if facts.unit?.isSandboxed == false { facts.namespaceLock = namespaceLock() }
        facts.lingers = lingers(user)
        facts.journal = journal()
        facts.lookForOthers()
        let usual = isUsual ? stateFolder(for: socket, environment) : nil
        let (state, told) = (facts.state ?? usual, facts.toldSettings)
        facts.state = state
        // A daemon with a state folder of its own has its settings elsewhere as well; an older one does not say where.
        let settings = told ?? (usual != nil && state == usual ? settingsFolder(facts.served, environment) : nil)
        facts.settings = settings
        if let settings {
            facts.lookAtLinks(in: settings)
            facts.lookForSchedule(in: settings)
        }
        if facts.others.isEmpty, let state { facts.verify(state) }
        facts.places = places(settings: settings, state: state, socket: socket)
        facts.free = state.flatMap { Folder.room(in: $0) }
        facts.isClockSynchronised = isClockSynchronised()
        facts.zone = zone(environment)
        if let own = facts.zone, let daemons = facts.status?.timeZone {
            facts.hasDaemonsTimes = ZoneSetting(daemons).hasTimes(of: ZoneSetting(own.name))
        }
        facts.desktop = desktop(environment)
        if facts.served == nil, facts.unit != nil {
            facts.notifier = line(
                of: "systemctl", "--user", "show", "--property=ActiveState", "--value", "daybreak-notify.service"
            )?.split(separator: "\n").first.map(String.init)
        }
        return facts
    }

    /// True if the socket is a daemon's own, and not a link to it, and there is no status file beside it.
    private static func lacksStatusFile(_ socket: String) -> Bool {
        var found = stat()
        guard File.name(in: socket) == "control", lstat(socket, &found) == 0, found.st_mode & S_IFMT == S_IFSOCK else {
            return false
        }
        return !isThere(Folder.parent(of: socket) + "/status.json")
    }

    /// Seconds after which a daemon that does not answer is a finding.
    static let longestSilence = 6.0

    /// - Parameter isUsual: this user's usual daemon is asked. Of any other it is not known which settings it reads.
    mutating func ask(checking isUsual: Bool) {
        do throws(Failure) {
            var daemon = Daemon.daybreakd
            daemon.longestSilence = { _ in Self.longestSilence }
            let connection = try DaemonConnection(to: socket, of: daemon)
            version = try connection.call(GetInfo()).version
            status = try connection.call(Homework.GetStatus()).status
            // It answers. Before it tells its faults it may look through its history, which takes a while.
            connection.longestAnswer = Self.longestSilence
            // An older daemon has no such method.
            let reply = try connection.reply(to: Service.Diagnose())
            if reply.error == nil { diagnosis = try connection.decode(Service.Diagnose.self, from: reply) }
            try askForState(connection)
            let linked = try connection.reply(to: DaybreakInterfaces.Link.Get())
            if linked.error == nil { link = try connection.decode(DaybreakInterfaces.Link.Get.self, from: linked) }
        } catch {
            isBusy = status != nil && error.name == Failure.noAnswerName
            guard !isBusy else { return }
            isSilent = error.name == Failure.noAnswerName
            isCrowded = error.name == Service.TooManyConnections.name
            silence = error.sentence.split(separator: "\n").first.map(String.init) ?? ""
            guard isUsual else { return }
            checked =
                Self.found(
                    "--check", served.map { ["CONFIGURATION_DIRECTORY=\(SystemService(of: $0).configuration)"] } ?? [])?
                .said
        }
    }

    /// Another user's daemon could name any folder, which this program would then read.
    private mutating func askForState(_ connection: DaemonConnection) throws(Failure) {
        guard served == nil, connection.isOurs else { return }
        if let told = diagnosis?.state { return state = told }
        // An older daemon tells only the folder of the copies.
        let reply = try connection.reply(to: Service.GetStorage())
        // Nil if the folder cannot be used, as on a disk that is read-only.
        guard reply.error == nil else { return }
        state = Folder.parent(of: try connection.decode(Service.GetStorage.self, from: reply).folder)
    }

    /// True for the socket at which the daemon of this environment, or the system's for some user, listens. A daemon elsewhere
    /// was started with folders of its own, which this environment does not name.
    private static func isUsual(_ socket: String, _ environment: [String: String]) -> Bool {
        DaemonSocket.served(at: socket) != nil || DaemonSocket.isUsual(socket, environment)
    }

    /// The settings' folder, as this user's own daemon names it.
    private var toldSettings: String? { state == nil ? nil : diagnosis?.settings }

    /// Lets the daemon's program check each event and each index, which takes too long for the daemon itself. Root does not
    /// read a client's folder, where the client may have put another file in the history's place.
    private mutating func verify(_ state: String) {
        guard Self.isThere(state + "/history.db"), served == nil || geteuid() != 0 else { return }
        let found = Self.found("--verify", ["STATE_DIRECTORY=\(state)"])
        (verified, isIndexDamaged) = (found?.said, found?.status == Self.indexStatus)
    }

    /// The exit status of `daybreakd --verify` for a history of which only an index is damaged.
    private static let indexStatus: Int32 = 2

    /// The faults that the daemon's program finds, empty if there are none, and its exit status; nil if it cannot be run.
    private static func found(_ question: String, _ variables: [String]) -> (said: String, status: Int32)? {
        do throws(Failure) {
            _ = try ChildProcess.output(of: "daybreakd", [question], with: variables)
            return ("", 0)
        } catch {
            guard [Failure.refusedStatus, indexStatus].contains(error.status), error.name != "NoProgram" else {
                return nil
            }
            return (error.sentence, error.status)
        }
    }

    /// The output of a program; nil if it cannot be run, or fails.
    private static func line(of program: String, _ arguments: String...) -> String? { line(of: program, arguments) }

    private static func line(of program: String, _ arguments: [String]) -> String? {
        do throws(Failure) {
            return String(decoding: try ChildProcess.output(of: program, arguments), as: UTF8.self)
        } catch {
            return nil
        }
    }

    static func unitName(_ served: String?) -> String { "daybreakd\(served.map { "@\($0.shown)" } ?? "").service" }

    private static func unit(_ served: String?) -> Unit? {
        let name = unitName(served)
        let properties = "--property=LoadState,UnitFileState,ActiveState,BindReadOnlyPaths,PrivateUsers"
        let shown =
            served == nil
            ? line(of: "systemctl", "--user", "show", properties, name)
            : line(of: "systemctl", "show", properties, name)
        guard let shown else { return nil }
        var unit = Unit(load: "", file: "", active: "")
        for line in shown.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "LoadState": unit.load = parts[1]
            case "UnitFileState": unit.file = parts[1]
            case "ActiveState": unit.active = parts[1]
            case "PrivateUsers": unit.isSandboxed = parts[1] != "no"
            case "BindReadOnlyPaths": unit.shown = shownPaths(parts[1])
            default: break
            }
        }
        return unit.load.isEmpty ? nil : unit
    }

    /// The sources in a list of `-SOURCE:DESTINATION:OPTIONS`. A leading hyphen says that the source may be missing.
    static func shownPaths(_ bound: String) -> [String] {
        bound.split(separator: " ").map { String($0.drop { $0 == "-" }.prefix { $0 != ":" }) }
    }

    /// Looks for systemd as well (`sd_booted(3)`), because an image or a container may have logind's folders without it.
    private static func lingers(_ user: String) -> Bool? {
        guard isThere("/run/systemd/system"), isThere("/run/systemd/seats") else { return nil }
        return isThere("/var/lib/systemd/linger/\(user)")
    }

    private static func journal() -> Journal? {
        guard isThere("/run/systemd/journal/socket") else { return nil }
        return Journal(isReadable: isJournalReadable { line(of: "journalctl", $0) }, storage: storage())
    }

    /// In a new journal, and in one that was emptied, daybreakd may have written nothing.
    ///
    /// - Parameter shown: the output of journalctl with those arguments; nil if it fails.
    static func isJournalReadable(_ shown: ([String]) -> String?) -> Bool {
        [["--identifier=daybreakd"], []].contains { (words: [String]) in
            shown(["--quiet", "--lines=1", "--output=cat"] + words).map { !$0.isEmpty } ?? false
        }
    }

    /// The last setting in all of journald's files counts.
    private static func storage() -> Storage {
        let lines = line(of: "systemd-analyze", "cat-config", "systemd/journald.conf") ?? ""
        let set = lines.split(separator: "\n").last { $0.hasPrefix("Storage=") }?.dropFirst("Storage=".count)
        return switch set {
        case "volatile", "none": .volatile
        case "persistent": .kept
        default: isThere("/var/log/journal") ? .kept : .noFolder
        }
    }

    private static func settingsFolder(_ served: String?, _ environment: [String: String]) -> String {
        if let served { return SystemService(of: served).configuration }
        let set = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (set ?? home(environment) + "/.config") + "/daybreak"
    }

    private static func home(_ environment: [String: String]) -> String {
        environment["HOME"] ?? getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
    }

    private static func stateFolder(for socket: String, _ environment: [String: String]) -> String {
        if let user = DaemonSocket.served(at: socket) { return SystemService(of: user).state }
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (state ?? home(environment) + "/.local/state") + "/daybreak"
    }

    /// Those of Daybreak's folders and files that exist. The settings may be a link. If the system's manager runs the daemon,
    /// they may belong to root and be readable for the client's group.
    static func places(settings: String?, state: String?, socket: String) -> [PrivatePath] {
        let runtime = Folder.parent(of: socket)
        let isServed = DaemonSocket.served(at: socket) != nil
        let kept =
            (state.map { [$0, $0 + "/history.db", $0 + "/backups"] } ?? [])
            + [runtime, runtime + "/status.json", socket]
        var places = kept.compactMap { place($0, AT_SYMLINK_NOFOLLOW, [geteuid()]) }
        let owners = isServed ? [geteuid(), 0] : [geteuid()]
        for path in settings.map({ [$0, $0 + "/daybreak.toml", $0 + "/tasks.json"] }) ?? [] {
            guard var place = place(path, 0, owners) else { continue }
            if isServed { place.closed = 0o027 }
            place.isSheltered = path != settings && isClosed(Folder.parent(of: path), and: path)
            places.append(place)
        }
        return places
    }

    private static func place(_ path: String, _ flags: Int32, _ owners: [uid_t]) -> PrivatePath? {
        var seen = stat()
        guard fstatat(AT_FDCWD, path, &seen, flags) == 0 else {
            let error = errno
            guard error != ENOENT else { return nil }
            let closed = error == EACCES ? closedFolder(above: path) : nil
            return PrivatePath(path: path, why: systemError(error), ownClosedFolder: closed)
        }
        let isOurs = owners.contains(seen.st_uid) || geteuid() == 0
        // A link's own mode says nothing.
        if seen.st_mode & S_IFMT == S_IFLNK, stat(path, &seen) != 0 { seen.st_mode = 0 }
        return PrivatePath(path: path, isOurs: isOurs, mode: seen.st_mode & 0o777)
    }

    /// The folder of this user above that path that not even they can go through.
    private static func closedFolder(above path: String) -> String? {
        var folder = Folder.parent(of: path)
        while folder.count > 1 {
            var seen = stat()
            if stat(folder, &seen) == 0 {
                return seen.st_uid == geteuid() && seen.st_mode & S_IXUSR == 0 ? folder : nil
            }
            folder = Folder.parent(of: folder)
        }
        return nil
    }

    /// True if others cannot go through the folder, nor through the one that holds the file that a link leads to.
    private static func isClosed(_ folder: String, and file: String) -> Bool {
        let real = realpath(file, nil)
        defer { Glibc.free(real) }
        return [folder, real.map { Folder.parent(of: String(cString: $0)) } ?? folder].allSatisfy { path in
            var seen = stat()
            return stat(path, &seen) == 0 && seen.st_mode & 0o011 == 0
        }
    }

    private static func isClockSynchronised() -> Bool? {
        line(of: "timedatectl", "show", "--property=NTPSynchronized", "--value").map { $0.hasPrefix("yes") }
    }

    /// The time zone in the daemon's spelling: TZ first, as in every program. Nil if /etc/localtime is missing or a broken
    /// link.
    static func zone(_ environment: [String: String], at path: String = "/etc/localtime") -> Zone? {
        if let set = environment["TZ"] {
            if set.isEmpty { return Zone(name: "UTC") }
            let name = set.range(after: "/zoneinfo/") ?? (set.hasPrefix(":") ? String(set.dropFirst()) : set)
            return Zone(name: name, isKnown: ZoneSetting(set).isKnown)
        }
        guard isThere(path) else { return nil }
        if let name = File.linkTarget(path)?.range(after: "/zoneinfo/") { return Zone(name: name) }
        var now = time(nil)
        var local = tm()
        localtime_r(&now, &local)
        return Zone(name: local.tm_zone.map { String(cString: $0) } ?? "UTC", isNamed: false)
    }

    /// A service that the bus can activate counts as well, because the bus would start it.
    private static func desktop(_ environment: [String: String]) -> Desktop {
        guard environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil else { return .none }
        let (bus, name) = ("org.freedesktop.DBus", "org.freedesktop.Notifications")
        let call = ["--user", "call", bus, "/org/freedesktop/DBus", bus]
        guard let owned = line(of: "busctl", call + ["NameHasOwner", "s", name]) else { return .unknown }
        if owned.hasPrefix("b true") { return .shows }
        guard let names = line(of: "busctl", call + ["ListActivatableNames"]) else { return .unknown }
        return names.split(separator: " ").contains { $0.drop { $0 == "\"" }.hasPrefix(name + "\"") }
            ? .shows : .showsNot
    }

    /// The first kernel setting that forbids users namespaces, with the value that allows them (man 7 user_namespaces, and
    /// Debian's and Ubuntu's own settings).
    static func namespaceLock(in settings: String = "/proc/sys") -> String? {
        let locks: [(name: String, locked: String, open: String)] = [
            ("kernel.unprivileged_userns_clone", "0", "1"),
            ("user.max_user_namespaces", "0", "15000"), ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
        ]
        let found = locks.first { lock in
            let file = "\(settings)/\(lock.name.replacingFirst(".", with: "/"))"
            // Another kernel has no such file. A setting that cannot be read is not blamed: that a sandbox fails is told anyway.
            return (try? TextInput.text(of: file, limit: 100))?.split(separator: "\n").first == lock.locked[...]
        }
        return found.map { "\($0.name)=\($0.open)" }
    }

    private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

// Other users' daemons, and the files that links lead to.
extension Facts {
    /// Finds the daemons that the system's manager runs, into whose folders only root can look. Root's own settings do not
    /// matter then, because nothing is installed for root.
    mutating func lookForOthers() {
        guard silence != nil, served == nil, geteuid() == 0, unit?.load != "loaded" else { return }
        others = Self.sockets(in: "/run/daybreak")
        if !others.isEmpty { checked = nil }
    }

    static func sockets(in folder: String) -> [String] {
        // Most machines have no such folder. Only root asks, who can read it; without it the finding names no daemon of others.
        let users = (try? Folder.names(in: folder)) ?? []
        return users.sorted().map { "\(folder)/\($0)/control" }.filter { access($0, F_OK) == 0 }
    }

    /// Follows the links that the daemon cannot follow, because this program runs outside the daemon's sandbox.
    mutating func lookAtLinks(in folder: String) {
        let (settingsPath, schedulePath) = (folder + "/daybreak.toml", folder + "/tasks.json")
        let broken = diagnosis?.brokenLinks ?? []
        if broken.contains(schedulePath) { scheduleLink = Self.link(at: schedulePath) }
        if broken.contains(settingsPath) || silence != nil && isHidden(settingsPath) {
            settingsLink = Self.link(at: settingsPath)
        }
    }

    /// True if the link leads into a folder that the unit's sandbox hides. With such settings the daemon does not start.
    func isHidden(_ path: String) -> Bool {
        guard let unit, unit.load == "loaded", let folder = Self.link(at: path)?.folder else { return false }
        let hidden = ["/home", "/root", "/run"]
        func covers(_ above: String) -> Bool { folder == above || folder.hasPrefix(above + "/") }
        return hidden.contains(where: covers) && !unit.shown.contains(where: covers)
    }

    mutating func lookForSchedule(in folder: String) {
        let path = folder + "/tasks.json"
        var found = stat()
        guard silence != nil, lstat(path, &found) != 0, errno == ENOENT else { return }
        missingSchedule = path
    }

    static func link(at path: String) -> Link? {
        guard let text = File.linkTarget(path) else { return nil }
        guard access(path, F_OK) == 0 else { return Link(path: path) }
        let file = text.hasPrefix("/") ? text : Folder.parent(of: path) + "/" + text
        // A unit takes no path with `..` in it.
        guard file.split(separator: "/").contains(".."), let real = realpath(Folder.parent(of: file), nil) else {
            return Link(path: path, folder: Folder.parent(of: file))
        }
        defer { Glibc.free(real) }
        return Link(path: path, folder: String(cString: real))
    }
}

extension String {
    /// The text after the first occurrence of `word`.
    fileprivate func range(after word: String) -> String? {
        var rest = Substring(self)
        while !rest.isEmpty {
            if rest.hasPrefix(word) { return String(rest.dropFirst(word.count)) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
