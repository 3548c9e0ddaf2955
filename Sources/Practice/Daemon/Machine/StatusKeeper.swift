import Files
import JSON
import PracticeInterfaces
import Systemd

/// Keeps the status file true: written a second after something may have changed, and not while nothing does.
final class StatusKeeper {
    private let file: StatusFile
    private let ask: (@escaping (Upkeep.Health) -> Void) -> Void
    private let say: (Severity, String) -> Void
    private var timer: WakeTimer?
    private var isExpected = false
    private var written: Upkeep.Health?
    private var couldWrite = true

    /// Microseconds: a busy practice writes no more often.
    private static let pause: UInt64 = 1_000_000

    /// - Parameter ask: asks how the daemon is, and hands the answer on.
    init(
        _ loop: EventLoop, path: String, ask: @escaping (@escaping (Upkeep.Health) -> Void) -> Void,
        say: @escaping (Severity, String) -> Void
    ) throws(SystemdError) {
        file = StatusFile(path: path)
        self.ask = ask
        self.say = say
        timer = try WakeTimer(loop, .steady) { [unowned self] in write() }
    }

    /// Something may be otherwise than the file says.
    func changed() {
        guard !isExpected else { return }
        do {
            try timer?.arm(afterMicroseconds: Self.pause)
            isExpected = true
        } catch {
            say(.warning, "The status file is not kept true: \(error), carrying on")
        }
    }

    func write() {
        // Also where no answer comes, the next change is written.
        isExpected = false
        ask { [unowned self] health in
            guard health != written else { return }
            do {
                try file.write(JSONObject.text(of: health) + [UInt8(ascii: "\n")])
                if !couldWrite { say(.notice, "The status can be shown again.") }
                (couldWrite, written) = (true, health)
            } catch {
                if couldWrite { say(.error, "The status cannot be shown: \(error), carrying on") }
                couldWrite = false
            }
        }
    }

    /// A status that nobody keeps true any more is removed.
    func remove() {
        do { try file.remove() } catch {
            if couldWrite { say(.warning, "The status stays where it was: \(error), carrying on") }
        }
    }
}
