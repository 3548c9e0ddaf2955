import Glibc
import PracticeInterfaces
import StaffInterfaces
import Systemd
import Time

/// The machine's clock. No other type of the practice reads the time.
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

    /// Writes a line of a kind that the journal's catalog explains.
    @Sendable func report(_ line: JournalLine) {
        var fields = [
            JournalField("MESSAGE_ID", line.kind.messageID), JournalField("PRACTICE_KIND", line.kind.rawValue),
        ]
        if let what = line.what { fields.append(JournalField("PRACTICE_WHAT", what)) }
        say(line.kind.severity, line.sentence, fields)
    }
}

extension PracticeMessage {
    fileprivate var severity: Severity {
        switch self {
        case .storageDamaged, .storageUnavailable: .error
        case .backupFailed: .warning
        case .storageBack, .storageRestored, .practiceFilled, .recordErased, .imported, .clientWaits: .notice
        case .recordOpened, .recordClosed, .recordReopened, .recordTransferred, .staffAdded, .staffRetired, .backupMade:
            .information
        }
    }
}
