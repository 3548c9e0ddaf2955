import Glibc
import Systemd

/// A thread with all signals blocked, because the loop handles them.
final class Thread {
    private final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private var thread = pthread_t()
    private var isJoined = false

    init(_ body: @escaping @Sendable () -> Void) throws(SystemdError) {
        let start = Unmanaged.passRetained(Start(body))
        // A thread inherits the mask of the one that makes it (man 3 pthread_sigmask).
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, start.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard result == 0 else {
            start.release()
            throw SystemdError(call: "pthread_create", errno: result)
        }
    }

    /// Waits for the end of the thread. A second call returns at once.
    func join() {
        guard !isJoined else { return }
        isJoined = true
        pthread_join(thread, nil)
    }
}
