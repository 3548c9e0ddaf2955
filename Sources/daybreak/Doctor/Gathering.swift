import Control
import Glibc
import Varlink

// Looking at the machine. What cannot be seen stays nil.
extension Facts {
    static func gathered(socket: String, environment: [String: String]) -> Facts {
        var facts = Facts(socket: socket)
        facts.served = DaemonSocket.served(at: socket)
        facts.ask()
        let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? ""
        facts.unit = unit(facts.served)
        facts.lingers = lingers(user)
        facts.journal = journal()
        facts.lookForOthers()
        facts.lookAtLinks(environment)
        let state = stateFolder(for: socket, environment)
        facts.places = places(state: state, socket: socket)
        facts.free = free(at: state)
        facts.isClockSynchronised = isClockSynchronised()
        facts.zone = zone(environment)
        facts.notifies = notifies(environment)
        return facts
    }

    private mutating func ask() {
        do throws(Failure) {
            let connection = try DaemonConnection(to: socket)
            version = try connection.call(GetInfo()).version
            status = try connection.call(HomeworkInterface.GetStatus()).status
            // A daemon of before has no such method.
            let reply = try connection.reply(to: ServiceInterface.Diagnose())
            if reply.error == nil { diagnosis = try connection.decode(ServiceInterface.Diagnose.self, from: reply) }
        } catch {
            silence = error.sentence.split(separator: "\n").first.map(String.init) ?? ""
            checked = Self.checked()
        }
    }

    /// Empty where all is sound; nil where the program cannot be run.
    private static func checked() -> String? {
        do throws(Failure) {
            _ = try DaemonProgram.output(of: ["--check"])
            return ""
        } catch {
            guard error.status == Failure.refusedStatus, !error.json.contains("NoProgram") else { return nil }
            return error.sentence
        }
    }

    /// One line of what a program prints; nil where it cannot be run, or fails.
    private static func line(of program: String, _ arguments: String...) -> String? {
        do throws(Failure) {
            return String(decoding: try DaemonProgram.output(of: program, arguments), as: UTF8.self)
        } catch {
            return nil
        }
    }

    private static func unit(_ served: String?) -> Unit? {
        let name = Wording.Doctor.unit(served)
        let properties = "--property=LoadState,UnitFileState,ActiveState,BindReadOnlyPaths"
        let shown =
            served == nil
            ? line(of: "systemctl", "--user", "show", properties, name)
            : line(of: "systemctl", "show", properties, name)
        guard let shown else { return nil }
        var unit = Unit(load: "", file: "", active: "")
        for line in shown.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch parts.first {
            case "LoadState": unit.load = parts[1]
            case "UnitFileState": unit.file = parts[1]
            case "ActiveState": unit.active = parts[1]
            case "BindReadOnlyPaths": unit.shown = shownPaths(parts[1])
            default: break
            }
        }
        return unit.load.isEmpty ? nil : unit
    }

    /// Each as `-SOURCE:DESTINATION:OPTIONS`; a leading hyphen says that it may be missing.
    static func shownPaths(_ bound: String) -> [String] {
        bound.split(separator: " ").map { String($0.drop { $0 == "-" }.prefix { $0 != ":" }) }
    }

    /// `sd_booted(3)`: the folders of logind alone may be what an image or a container brought along.
    private static func lingers(_ user: String) -> Bool? {
        guard isThere("/run/systemd/system"), isThere("/run/systemd/seats") else { return nil }
        return isThere("/var/lib/systemd/linger/\(user)")
    }

    private static func journal() -> (isReadable: Bool, isKept: Bool)? {
        guard isThere("/run/systemd/journal/socket") else { return nil }
        let shown = line(of: "journalctl", "--quiet", "--lines=1", "--output=cat", "--identifier=daybreakd")
        return (shown.map { !$0.isEmpty } ?? false, isThere("/var/log/journal"))
    }

    private static func stateFolder(for socket: String, _ environment: [String: String]) -> String {
        if let user = DaemonSocket.served(at: socket) { return "/var/lib/daybreak/\(user)" }
        let home = environment["HOME"] ?? getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (state ?? home + "/.local/state") + "/daybreak"
    }

    private static func places(state: String, socket: String) -> [Place] {
        let runtime = socket.lastIndex(of: "/").map { String(socket[..<$0]) } ?? "."
        let paths = [state, state + "/history.db", runtime, runtime + "/status.json", socket]
        return paths.compactMap { path in
            var seen = stat()
            guard lstat(path, &seen) == 0 else { return nil }
            return Place(path: path, isOurs: seen.st_uid == geteuid() || geteuid() == 0, mode: seen.st_mode & 0o777)
        }
    }

    private static func free(at folder: String) -> UInt64? {
        var room = statvfs()
        guard statvfs(folder, &room) == 0 else { return nil }
        return UInt64(room.f_bavail) * UInt64(room.f_frsize)
    }

    private static func isClockSynchronised() -> Bool? {
        line(of: "timedatectl", "show", "--property=NTPSynchronized", "--value").map { $0.hasPrefix("yes") }
    }

    /// TZ comes first, as it does in every program.
    private static func zone(_ environment: [String: String]) -> String? {
        if let zone = environment["TZ"], !zone.isEmpty { return zone.hasPrefix(":") ? String(zone.dropFirst()) : zone }
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/etc/localtime", &target, target.count)
        guard length > 0 else { return nil }
        let path = String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.range(after: "/zoneinfo/")
    }

    private static func notifies(_ environment: [String: String]) -> Bool? {
        guard environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil else { return nil }
        let bus = "org.freedesktop.DBus"
        let answer = line(
            of: "busctl", "--user", "call", bus, "/org/freedesktop/DBus", bus, "NameHasOwner", "s",
            "org.freedesktop.Notifications")
        return answer.map { $0.hasPrefix("b true") }
    }

    private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

extension String {
    /// What follows the first place where that stands.
    fileprivate func range(after word: String) -> String? {
        var rest = Substring(self)
        while !rest.isEmpty {
            if rest.hasPrefix(word) { return String(rest.dropFirst(word.count)) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
