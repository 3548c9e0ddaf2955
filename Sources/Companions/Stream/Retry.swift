public import Systemd

/// Tries something again after a pause: a tenth of a second at first, then each time twice as long, up to half a minute.
public final class Retry {
    private var timer: WakeTimer?
    private var pause = shortest

    private static let shortest: UInt64 = 100_000
    private static let longest: UInt64 = 30_000_000

    public init(_ loop: EventLoop, _ again: @escaping () -> Void) throws(SystemdError) {
        timer = try WakeTimer(loop, .steady, again)
    }

    /// - Precondition: the loop still runs.
    public func schedule() {
        do { try timer?.arm(afterMicroseconds: pause) } catch { preconditionFailure("the timer is refused: \(error)") }
        pause = min(pause * 2, Self.longest)
    }

    /// It succeeded: the next pause is a short one.
    public func reset() { pause = Self.shortest }
}
