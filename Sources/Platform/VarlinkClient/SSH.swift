/// `ssh` with a key of its own, and nothing of the user's: no configuration, no agent, no shared connection. It never asks.
public struct SSH: Equatable, Sendable {
    /// The folder of `key`, `key.pub` and `known_hosts`.
    public let folder: String
    /// `account@host`, or `account@host:port`.
    public let place: String

    public init(folder: String, place: String) {
        self.folder = folder
        self.place = place
    }

    public var key: String { folder + "/key" }
    public var knownHosts: String { folder + "/known_hosts" }

    /// The host alone, and the port if one is named.
    public var host: (name: String, port: Int?) {
        let whole = place.split(separator: "@", maxSplits: 1).last.map(String.init) ?? place
        let parts = whole.split(separator: ":", omittingEmptySubsequences: false)
        // More than one colon: an IPv6 address without a port.
        guard parts.count == 2, let port = Int(parts[1]), (1...65_535).contains(port) else { return (whole, nil) }
        return (String(parts[0]), port)
    }

    private var destination: String {
        let account = place.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        return account.count == 2 ? "\(account[0])@\(host.name)" : host.name
    }

    /// The words that run a command there (man 1 ssh, man 5 ssh_config).
    public func command(_ remote: String) -> [String] {
        let options = [
            "IdentitiesOnly=yes", "IdentityAgent=none", "BatchMode=yes", "PreferredAuthentications=publickey",
            "StrictHostKeyChecking=yes", "UserKnownHostsFile=\"\(knownHosts)\"", "GlobalKnownHostsFile=/dev/null",
            "UpdateHostKeys=no", "CheckHostIP=no", "ConnectTimeout=15", "ServerAliveInterval=15",
            "ServerAliveCountMax=3",
            "ClearAllForwardings=yes", "LogLevel=ERROR",
        ]
        var words = ["ssh", "-F", "none", "-S", "none", "-T", "-e", "none", "-i", key]
        for option in options { words += ["-o", option] }
        if let port = host.port { words += ["-p", "\(port)"] }
        return words + ["--", destination, remote]
    }
}
