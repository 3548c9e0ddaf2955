import Bus
import DaybreakInterfaces
import Glibc
import Streams
import Systemd
import Varlink
import VarlinkClient

/// Follows the daemon's reminders over its control socket, and shows them on the desktop.
final class Notifier {
    private let desktop: Desktop
    /// The streams and signals. One that is dropped ends.
    private var sources: [AnyObject] = []

    /// - Parameters:
    ///   - path: the control socket.
    ///   - bus: the session bus's address; nil for the one that the environment names.
    ///   - say: writes a line for an administrator.
    init(
        _ loop: EventLoop, at path: String, bus: String? = nil, say: @escaping (String) -> Void
    ) throws(SystemdError) {
        desktop = try Desktop(
            loop, open: { () throws(SystemdError) in try Bus(loop, address: bus) },
            snooze: { Self.snooze(at: path, say) }, say: say)
        // No notification is shown before the daemon has sent the client's preference.
        desktop.isOn = false
        sources.append(
            try DaemonStream(loop, at: path, Service.GetPreferences(), say: say) { [desktop] in
                // An older daemon does not send it.
                desktop.isOn = $0.preferences.desktop ?? true
            })
        sources.append(
            try DaemonStream(loop, at: path, Homework.Reminders(limit: 0), say: say) { [desktop] in
                desktop.show($0.current ?? [])
            })
        for signal in [SIGTERM, SIGINT] {
            sources.append(
                try loop.onSignal(signal) { [desktop] in
                    desktop.end()
                    loop.exit(0)
                })
        }
    }

    /// Sends `Snooze` without waiting. Near the end of a day the daemon refuses it, but the notification is moot by then.
    private static func snooze(at path: String, _ say: (String) -> Void) {
        let call = Call.frame(Homework.Snooze(until: Notice.snooze.length), oneway: true)
        do {
            try ClientConnection(Transport.socket(at: path)).send(call)
        } catch {
            say("The reminders cannot be snoozed: \(error)")
        }
    }
}
