import Foundation
import Testing

/// A practice with an administrator, Vera, a thanatologist, Ana, and her client Cleo, who has an account of her own.
/// `vera` and `cleo` type on other machines, from which they reach this one by `ssh clinic` alone.
struct GateFixture {
    let box: Box

    /// Makes sshd read its settings again, and waits until it listens again.
    static let reload =
        "(server=$(cat /run/sshd.pid); rm /run/sshd.pid; kill -HUP $server; until [ -s /run/sshd.pid ]; do sleep 0.02; done)"

    init() async throws {
        box = try await Box()
        try await box.run(
            "\(Box.clone)/systemd/install --practice --from \(Box.shown) && useradd --create-home vera "
                + "&& useradd --create-home cleo", as: .root)
        try await box.run("practice staff add --plain --role administrator --name Vera </dev/null", as: .root)
        try await box.run("practice staff add --plain --role thanatologist --name Ana </dev/null", as: .root)
        try await box.run("practice client add --plain --name Cleo --therapist p2 </dev/null", as: .root)
        // The boxes share the machine's network.
        let port = try await box.run(
            "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); print(s.getsockname()[1])'",
            as: .root)
        try await box.run("/usr/sbin/sshd -o Port=\(port) -o ListenAddress=127.0.0.1", as: .root)
        for name in ["vera", "cleo"] {
            try await box.run(
                """
                mkdir -m 700 ~/.ssh && ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519 -C \(name)@home
                cat >~/.ssh/config <<'X'
                Host clinic
                  HostName 127.0.0.1
                  Port \(port)
                  User practice
                  BatchMode yes
                  LogLevel ERROR
                  StrictHostKeyChecking accept-new
                  ControlPath ~/.ssh/master
                X
                """, as: .bare(name))
        }
        let key = try await box.run("cat ~/.ssh/id_ed25519.pub", as: .bare("vera"))
        try await box.run("echo '\(key)' | practice key add --for p1 -", as: .root)
    }

    /// Runs a command as a user at home. Returns its output with its errors, and its status.
    func at(_ home: String, _ command: String) async throws -> String {
        try await box.run(
            "cd; (\(command)) </dev/null 2>&1 | tr -d '\\r' | tr '\\0' '\\n'; echo \"= ${PIPESTATUS[0]}\"",
            as: .bare(home))
    }
}
