import Glibc

/// The machine's monotonic clock: it measures how long something takes.
public enum Monotonic {
    /// Seconds since an unspecified instant (man 2 clock_gettime, CLOCK_MONOTONIC).
    public static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Waits for descriptors.
public enum Wait {
    /// Waits at most `seconds` (nil: without limit) until a descriptor can be read or has hung up, and returns all such
    /// descriptors.
    /// - Parameter writable: a descriptor that this program writes to. It is returned once its reader has gone.
    public static func until(
        readable descriptors: [Int32], orGone writable: Int32? = nil, within seconds: Double?
    ) -> Set<Int32> {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if let writable { polled.append(pollfd(fd: writable, events: 0, revents: 0)) }
        let milliseconds = seconds.map { Int32(max(0, min(86_400, $0) * 1000).rounded(.up)) } ?? -1
        guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return [] }
        return Set(polled.filter { $0.revents != 0 }.map(\.fd))
    }
}
