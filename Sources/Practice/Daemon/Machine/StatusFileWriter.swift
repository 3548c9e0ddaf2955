import Files
import JSON
import PracticeInterfaces
import StaffInterfaces
import Systemd
import Time

/// Writes the status file a second after a possible change, or later where its counts take long. Without changes it writes
/// nothing.
final class StatusFileWriter {
    private let file: StatusFile
    private let ask: (@escaping (Upkeep.Health) -> Void) -> Void
    private let say: (Severity, String) -> Void
    private var timer: WakeTimer?
    private var isExpected = false
    private var written: Upkeep.Health?
    private var couldWrite = true

    /// The time from a change to the write, in microseconds. The calls that write wait while the sessions are counted, so that is
    /// no more than a hundredth of the time.
    private var pause = StatusFileWriter.pause(after: .zero)

    /// - Parameter took: how long the last answer took.
    static func pause(after took: Duration) -> UInt64 {
        UInt64(min(max(.seconds(1), took * 100), .seconds(10)) / .microseconds(1))
    }

    /// - Parameter ask: asks for the daemon's state, and calls its argument with the answer.
    init(
        _ loop: EventLoop, path: String, ask: @escaping (@escaping (Upkeep.Health) -> Void) -> Void,
        say: @escaping (Severity, String) -> Void
    ) throws(SystemdError) {
        file = StatusFile(path: path)
        self.ask = ask
        self.say = say
        timer = try WakeTimer(loop, .steady) { [unowned self] in write() }
    }

    /// Plans a write, because the state may have changed.
    func changed() {
        guard !isExpected else { return }
        do {
            try timer?.arm(afterMicroseconds: pause)
            isExpected = true
        } catch {
            say(.warning, "The status file is not kept true: \(error), carrying on")
        }
    }

    func write() {
        // Reset first, so that a later change is written even if this answer does not come.
        isExpected = false
        let begin = SystemClock.steady()
        ask { [unowned self] health in
            pause = Self.pause(after: SystemClock.steady() - begin)
            guard health != written else { return }
            do {
                try file.write(JSONObject.text(of: health) + [UInt8(ascii: "\n")])
                if !couldWrite { say(.notice, "The status can be shown again.") }
                (couldWrite, written) = (true, health)
            } catch {
                if couldWrite { say(.error, "The status cannot be shown: \(error), carrying on") }
                (couldWrite, written) = (false, nil)
                changed()
            }
        }
    }

    /// Removes the file at the end, because nothing updates it any more.
    func remove() {
        do { try file.remove() } catch {
            if couldWrite { say(.warning, "The status stays where it was: \(error), carrying on") }
        }
    }
}
