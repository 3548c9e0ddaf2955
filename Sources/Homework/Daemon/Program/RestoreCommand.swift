import DaybreakInterfaces
import Files
import Glibc
import HomeworkHistory
import HomeworkRules
import Time

/// `daybreakd --restore FILE`, while no daemon runs: puts a copy of the file in the history's place, and keeps the old history.
enum RestoreCommand {
    /// Throws, and replaces nothing, if the file is no sound history or a running daemon holds the history.
    static func run(_ file: String, _ paths: Paths) throws(HistoryError) -> Service.Restore.Reply {
        do {
            let now = LocalClock().now()
            let backups = Backups(of: paths.history)
            let candidate = try backups.path(backups.makeDraft(of: file))
            defer { unlink(candidate) }
            let prepared = try History.prepare(candidate, calling: file)
            let aside = try backups.replacedPath(on: "\(now.wall.day)", at: now.instant.microseconds)
            let kept = try History.replace(paths.history, with: candidate, keepingAs: aside)
            return Service.Restore.Reply(events: prepared.eventCount, kept: kept ?? "")
        } catch {
            throw HistoryError(error, path: paths.history)
        }
    }
}
