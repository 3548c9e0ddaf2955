import DaybreakInterfaces
import Files
import Glibc
import HomeworkHistory
import HomeworkRules
import Time

/// `daybreakd --restore FILE`, where no daemon runs: a copy of the file takes the history's place, which is kept.
enum RestoreCommand {
    /// Refuses what is no sound history, and a place that a running daemon holds; nothing is replaced then.
    static func run(_ file: String, _ paths: Paths) throws(HistoryError) -> Service.Restore.Reply {
        do {
            let now = LocalClock().now()
            let backups = Backups(of: paths.history)
            let candidate = try backups.path(backups.lay(file))
            defer { unlink(candidate) }
            let count = try History.prepare(candidate, calling: file)
            let aside = try backups.replacedPath(on: "\(now.wall.day)", at: now.instant.microseconds)
            try History.replace(paths.history, with: candidate, keepingAs: aside)
            return Service.Restore.Reply(events: count, kept: aside)
        } catch {
            throw HistoryError(error, path: paths.history)
        }
    }
}
