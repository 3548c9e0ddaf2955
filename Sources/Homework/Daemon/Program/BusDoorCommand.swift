import Glibc
import Systemd

/// `daybreakd --bus-door ADDRESS`: lets whoever is at standard input through to the bus there, as far as ``Desktop`` goes.
///
/// On a session bus the service manager runs any program for whoever asks: the daemon is not let onto it by itself.
enum BusDoorCommand {
    /// Returns when either side has ended: 0, or 1 where the bus cannot be reached.
    static func run(_ address: String) -> Int32 {
        umask(0o077)
        signal(SIGPIPE, SIG_IGN)
        do {
            try Memory.keepPrivate()
            let loop = try EventLoop()
            let door = try BusDoor(
                loop, from: STDIN_FILENO, to: address, calls: Desktop.calls, signals: Desktop.signals)
            return try withExtendedLifetime(door) { try loop.run() }
        } catch {
            StandardError.write("\(error)")
            return 1
        }
    }
}
