import Companion
import Files
import Glibc
import Messages
import PracticeInterfaces
import Surveys
import Varlink
import VarlinkClient

/// The folder of the link's key: `key`, `key.pub`, `known_hosts`, and `practice` with the address.
struct LinkFolder {
    let path: String

    static func ofThisUser() throws(Failure) -> LinkFolder {
        let variables = Environment.variables
        let settings = variables["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let base = settings ?? variables["HOME"].map({ $0 + "/.config" }) else {
            throw .misused("HOME is not set, so the link's key has no place.")
        }
        return LinkFolder(path: base + "/daybreak/link")
    }

    /// The address that a set-up wrote; nil if there was none.
    func practice() throws(Failure) -> String? {
        guard has("practice") else { return nil }
        do throws(FileError) {
            let bytes = try File.prefix(400, of: path + "/practice")
            return String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
        } catch {
            throw .refused("Unreadable", saying: "\(error.description.shown).")
        }
    }

    func ssh(to place: String) -> SSH { SSH(folder: path, place: place) }

    func connection(to place: String) throws(Failure) -> DaemonConnection {
        try DaemonConnection(through: ssh(to: place).command("varlink"), at: place, of: .practiceAtHome)
    }

    func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    /// Makes the folder, mode 0700, if there is none.
    func make() throws(Failure) {
        do {
            try Folder.make(path)
            guard chmod(path, 0o700) == 0 else { throw FileError.failed("make private", path) }
            try Folder.checkPrivate(path)
        } catch {
            throw .refused("Unwritable", saying: "\(path.shown) cannot be used: \(error).")
        }
    }

    /// A text that only this user can read, in the place of an earlier one.
    func write(_ text: String, to name: String) throws(Failure) {
        try PrivateFile.write(to: "\(path)/\(name)", replacing: true) { draft throws(Failure) in
            try draft.append(Array(text.utf8)[...])
        }
    }

    func remove() throws(Failure) {
        for name in ["key", "key.pub", "known_hosts", "known_hosts.new", "practice"] { unlink("\(path)/\(name)") }
        guard rmdir(path) == 0 || errno == ENOENT || errno == ENOTEMPTY else {
            throw .refused("Unwritable", saying: "\(path.shown) cannot be removed: \(systemError(errno)).")
        }
    }
}

extension Daemon {
    /// The practice's daemon, as a client reaches it.
    static let practiceAtHome = Daemon(
        name: "The practice", companion: "daybreak",
        startAdvice: { _ in "Is this machine online? `daybreak link status` says more." },
        restartAdvice: { _ in "Ask the practice." }, forms: [:], longestCall: { _ in 2 * 1_024 * 1_024 + 64 * 1_024 },
        // A letter may be long, and the line slow.
        longestSilence: { [Mail.Send.name, Mail.SaveDraft.name].contains($0) ? 600 : 60 },
        silenceAdvice: { _ in "Is this machine online? `daybreak link status` says more." },
        trusts: { _, _ in true }, distrustAdvice: "", denial: "The practice does not let you do this.",
        sentence: { reply, _ in
            if let said = MessageRefusal.sentence(reply, companion: "daybreak") { return said }
            if let said = ProgrammeRefusal.sentence(reply, companion: "daybreak") { return said }
            if let error = reply.decodeError(Practice.Invalid.self) {
                let faults = error.faults.map { "  \($0.field.shown) \($0.reason.shown)" }
                return (["Nothing was written:"] + faults).joined(separator: "\n")
            }
            if let error = reply.decodeError(Practice.StorageUnavailable.self) {
                return "The practice is closed at the moment; try again later."
                    + (error.inDoubt == true ? " It may have kept this all the same: look before you repeat it." : "")
            }
            if let error = reply.decodeError(Practice.TooManyToday.self) {
                return "That was \(error.limit) times today, which is the limit; go on tomorrow."
            }
            switch reply.error {
            case Practice.SignedOut.name:
                return "The practice does not take this machine's key any more. Ask the practice for an invitation."
            case Practice.Changed.name: return "This was changed elsewhere meanwhile, so nothing was written."
            default: return nil
            }
        })
}
