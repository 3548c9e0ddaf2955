import Glibc
import Systemd
import Time

/// What time it is. The only place of the practice that knows.
enum SystemClock {
    @Sendable static func now() -> Instant { Instant(microseconds: read(CLOCK_REALTIME)) }

    @Sendable static func steady() -> SteadyInstant { SteadyInstant(microseconds: read(CLOCK_MONOTONIC)) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension Log {
    static let practiced = Log("practiced") { DateTime(SystemClock.now(), offset: .zero).description }
}
