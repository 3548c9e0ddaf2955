import Companion
import Files
import PracticeInterfaces

/// A finding about access over SSH, with the advice if something is to be done.
struct GateFinding: Equatable, Encodable {
    /// True for a fault; false if all is well, or if it cannot be seen from here.
    let isFault: Bool
    let finding: String
    let advice: String?
    private let mark: String

    private enum CodingKeys: String, CodingKey {
        case isFault = "fault"
        case finding, advice
    }

    static func fault(_ finding: String, do advice: String) -> GateFinding {
        GateFinding(isFault: true, finding: finding, advice: advice, mark: "✗")
    }

    static func note(_ finding: String, do advice: String? = nil) -> GateFinding {
        GateFinding(isFault: false, finding: finding, advice: advice, mark: "·")
    }

    static let well = GateFinding(isFault: false, finding: "sshd asks the practice for keys.", advice: nil, mark: "✓")

    var text: String {
        "  \(mark) SSH: \(finding.shown)\n" + (advice.map { "    \($0.shown)\n" } ?? "")
    }
}

/// The state of access over SSH on this machine, without conclusions.
struct GateFacts {
    /// sshd's answer to the question for its options for the account (man 8 sshd, `-T`).
    enum Options: Equatable {
        /// Only root can ask.
        case unasked
        case text(String)
        case refused(String)
    }

    /// A file or a folder that sshd checks before it runs the gate's program.
    struct CheckedPath: Equatable {
        let path: String
        var owner: UInt32 = 0
        var group: UInt32 = 0
        var mode: UInt32 = 0o755
    }

    static let optionsFile = "/etc/ssh/sshd_config.d/practice.conf"
    static let program = "/usr/local/bin/practice-gate"
    static let keygen = "/usr/bin/ssh-keygen"
    static let accounts = ["practice", "practice-keys"]

    /// True if an OpenSSH server is installed. Without one, access over SSH is not wanted.
    var hasServer = true
    var hasOptionsFile = true
    var hasKeygen = true
    var isRunning = true
    var options = Options.unasked
    /// The accounts that are missing.
    var missingAccounts: [String] = []
    /// The program and the folders above it; empty if there is no program.
    var programPath = [CheckedPath(path: GateFacts.program)]
    /// The fault of the host's key, as the daemon says it; nil if it has none.
    var hostKeyFault: String?
    /// gate.address, or the one that stands for it while that is empty.
    var address = ""
    var isAddressNamed = true
}

/// Draws the findings from the facts: every fault, each with the advice.
struct GateExamination {
    let facts: GateFacts

    private static let install = "`systemd/install --practice` sets it up."

    var findings: [GateFinding] {
        guard facts.hasServer else {
            return [.note("no OpenSSH server is installed, so nobody comes in from elsewhere.")]
        }
        let faults = files + accounts + program + server + hostKey
        return (faults.isEmpty ? [.well] : faults) + notes
    }

    /// The reason why nobody can come in over SSH; nil if none is found.
    var obstacle: String? {
        guard facts.hasServer else { return "no OpenSSH server is installed." }
        return findings.first { $0.isFault }?.finding
    }

    private var files: [GateFinding] {
        var faults: [GateFinding] = []
        func miss(_ path: String, _ fault: String, do advice: String) {
            faults.append(.fault("\(fault) (\(path) is missing).", do: advice))
        }
        if !facts.hasOptionsFile { miss(GateFacts.optionsFile, "sshd does not know the practice", do: Self.install) }
        if facts.programPath.isEmpty {
            miss(GateFacts.program, "sshd has no program to ask for keys", do: Self.install)
        }
        if !facts.hasKeygen { miss(GateFacts.keygen, "no key can be looked at", do: "Install openssh-client.") }
        return faults
    }

    private var accounts: [GateFinding] {
        facts.missingAccounts.map {
            .fault("the account \($0) is missing, so sshd lets nobody in.", do: Self.install)
        }
    }

    /// sshd runs only a program that nobody but root can change, and tells its own log alone why it does not run another.
    private var program: [GateFinding] {
        facts.programPath.compactMap { place in
            if place.owner != 0 {
                return .fault(
                    "\(place.path) is not root's, so sshd does not run the program that it asks for keys.",
                    do: "`chown root \(File.quoted(place.path))`")
            }
            // Debian's sshd lets root's own group write.
            guard place.mode & 0o002 != 0 || place.mode & 0o020 != 0 && place.group != 0 else { return nil }
            return .fault(
                "others than root can write to \(place.path), so sshd does not run the program that it asks for keys.",
                do: "`chmod go-w \(File.quoted(place.path))`")
        }
    }

    private var server: [GateFinding] {
        guard facts.isRunning else {
            return [.fault("sshd is not running.", do: "`systemctl enable --now ssh` starts it.")]
        }
        switch facts.options {
        case .unasked: return []
        case .refused(let why):
            return [
                .fault("sshd refuses its settings: \(why)", do: "Mend them; `sshd -t` says whether they are sound.")
            ]
        case .text(let text):
            let asks = text.split(separator: "\n").contains {
                $0.hasPrefix("authorizedkeyscommand \(GateFacts.program) ")
            }
            guard !asks, facts.hasOptionsFile else { return [] }
            return [
                .fault(
                    "sshd does not read \(GateFacts.optionsFile), so it does not ask the practice for keys.",
                    do: "Begin /etc/ssh/sshd_config with `Include /etc/ssh/sshd_config.d/*.conf`, then "
                        + "`systemctl reload ssh`.")
            ]
        }
    }

    private var hostKey: [GateFinding] {
        guard let fault = facts.hostKeyFault else { return [] }
        return [
            .fault(
                "nobody can be invited: \(fault)",
                do: "`ssh-keygen -A` makes the keys of a host; `gate.host_key` in the settings names another file.")
        ]
    }

    private var notes: [GateFinding] {
        var notes: [GateFinding] = []
        if facts.options == .unasked, facts.isRunning {
            notes.append(.note("only root can ask sshd whether it reads the practice's options."))
        }
        if !facts.isAddressNamed {
            notes.append(
                .note(
                    "gate.address is empty, so invitations name \(facts.address).",
                    do: "If clients' machines know this one by another name, set it in /etc/practice/practice.toml."))
        }
        return notes
    }
}
