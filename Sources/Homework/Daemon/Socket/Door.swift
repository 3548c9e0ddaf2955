import Glibc
import HomeworkRules
import Systemd
import Time

/// Where clients come in: a listening socket.
final class Door {
    /// Takes over the connection of a client who has come in.
    var admit: (Int32) -> Void = { _ in }

    private let listener: Int32
    private let now: () -> SteadyInstant
    private let say: (Host.Severity, String) -> Void
    private var source: IOSource?
    private var reopening: WakeTimer?
    /// Holds a descriptor's place free: with it the next client can at least be sent away.
    private var spare = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    /// Somebody was sent away, and nobody was let in since.
    private var isFull = false

    /// How long nobody is heard where not even that is possible: the whole machine has no descriptor left.
    static let rest = Duration.seconds(1)

    /// The listener stays the caller's.
    init(
        _ loop: EventLoop, _ listener: Int32, now: @escaping () -> SteadyInstant,
        say: @escaping (Host.Severity, String) -> Void
    ) throws(SystemdError) {
        self.listener = listener
        self.now = now
        self.say = say
        // A client that went away again must not hold everybody up.
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
        source = try loop.onIO(listener, .readable) { [unowned self] _ in open() }
        reopening = try WakeTimer(loop, .steady) { [unowned self] in source?.interest = .readable }
    }

    deinit { close(spare) }

    private func open() {
        let descriptor = accept(listener, nil, nil)
        if descriptor >= 0 {
            isFull = false
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            admit(descriptor)
        } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
            sendAway()
        }
    }

    /// Left where they are, those who knock would be told of without end.
    private func sendAway() {
        if !isFull { say(.warning, "Clients are sent away: no descriptor is free, carrying on") }
        isFull = true
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
            say(.warning, "The door stays open: \(error), carrying on")
        }
    }
}
