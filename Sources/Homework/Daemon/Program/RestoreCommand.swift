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
            let draft = try backups.makeDraft(of: file)
            defer { backups.removeDraft(draft) }
            var prepared = try History.prepare(try backups.path(draft), calling: file)
            let events = prepared.eventCount
            let (what, change) = prepared.plan.keepingLink(of: present(paths))
            let user = geteuid()
            try prepared.record(what.map { Event(moment: now, actor: Actor(user: user), client: user, what: $0) })
            try UnfinishedErasures(of: paths.history).settle()
            let aside = try backups.replacedPath(on: "\(now.wall.day)", at: now.instant.microseconds)
            let kept = try History.replace(paths.history, with: prepared, keepingAs: aside)
            return Service.Restore.Reply(events: events, kept: kept ?? "", link: change.map(Sentences.restored))
        } catch {
            throw HistoryError(error, path: paths.history)
        }
    }

    /// The plan of the history that is replaced; nil if it cannot be read.
    private static func present(_ paths: Paths) -> Plan? {
        do { return try History.readPlan(at: paths.history) ?? Plan() } catch { return nil }
    }
}
