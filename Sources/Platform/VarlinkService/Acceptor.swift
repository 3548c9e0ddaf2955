import Glibc
import Systemd
import Time

/// A listening socket. It deals with clients even when the process has no free descriptor.
final class Acceptor {
    private let listener: Int32
    private let now: () -> SteadyInstant
    private let say: (Severity, String) -> Void
    private let admit: (Int32) -> Void
    private var source: IOSource?
    private var reopening: WakeTimer?
    /// Reserves a descriptor: closing it makes room to accept the next client and disconnect it.
    private var spare = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    /// When it was said last that clients are disconnected because no descriptor is free.
    private var saidAt: SteadyInstant?

    /// How long it is not said again.
    static let silence = Duration.seconds(60)
    /// How long no client is accepted when the whole machine has no free descriptor.
    static let rest = Duration.seconds(1)

    /// `admit` takes over each client's descriptor. The listener stays the caller's.
    init(
        _ loop: EventLoop, _ listener: Int32, now: @escaping () -> SteadyInstant,
        say: @escaping (Severity, String) -> Void, admit: @escaping (Int32) -> Void
    ) throws(SystemdError) {
        self.listener = listener
        self.now = now
        self.say = say
        self.admit = admit
        // Without this, a client that disconnected before accept(2) would block the loop.
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
        source = try loop.onIO(listener, .readable) { [unowned self] _ in open() }
        reopening = try WakeTimer(loop, .steady) { [unowned self] in source?.interest = .readable }
    }

    deinit { close(spare) }

    private func open() {
        let descriptor = accept(listener, nil, nil)
        if descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            admit(descriptor)
        } else if SystemdError(call: "accept", errno: errno).isOfShortage {
            sendAway()
        }
    }

    /// Disconnects a client, because a client left waiting would wake the loop without end.
    private func sendAway() {
        if saidAt.map({ now() - $0 >= Self.silence }) ?? true {
            say(.warning, "Clients are disconnected: no descriptor is free, carrying on")
            saidAt = now()
        }
        close(spare)
        let descriptor = accept(listener, nil, nil)
        if descriptor >= 0 { close(descriptor) } else { closeForNow() }
        spare = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    private func closeForNow() {
        do {
            try reopening?.arm(atMicroseconds: UInt64(max(1, (now() + Self.rest).microseconds)))
            source?.interest = []
        } catch {
            say(.warning, "Accepting clients cannot be paused: \(error), carrying on")
        }
    }
}
