import Files
import HomeworkHistory
import HomeworkRules
import Time

// Erasing words from the copies of the history, beside the loop.
extension Daemon {
    /// Notes that the copies may still hold these words, before the history loses them. Returns the list without the note.
    static func note(
        _ erasure: UnfinishedErasure, in unfinished: UnfinishedErasures
    ) throws(HistoryError) -> [UnfinishedErasure] {
        do {
            let before = try unfinished.recorded()
            try unfinished.replace(with: before + [erasure])
            return before
        } catch {
            throw HistoryError(error, path: unfinished.path)
        }
    }

    /// Takes the note back after the history has refused the erasure. Returns the error: in doubt if the note stays.
    static func takeBack(
        _ unfinished: UnfinishedErasures, to before: [UnfinishedErasure], after refusal: HistoryError
    ) -> HistoryError {
        if case .inDoubt = refusal { return refusal }
        do {
            try unfinished.replace(with: before)
            return refusal
        } catch {
            return .inDoubt(reason: HistoryError(error, path: unfinished.path).description)
        }
    }

    /// Erases from the copies the words that were erased from the history, by this erasure and by earlier ones that were
    /// interrupted. Returns the replaced histories that were removed.
    ///
    /// - Parameter event: its moment and its actor are noted in the copies.
    @discardableResult static func finishErasures(
        of path: String, _ spareFolder: String, noting event: Event
    ) throws(HistoryError) -> [String] {
        let unfinished = UnfinishedErasures(of: path)
        do {
            var removed: [String] = []
            for recorded in try unfinished.recorded() {
                let erasure = Event(moment: event.moment, actor: event.actor, client: event.client, what: recorded.what)
                removed += try removeFromCopies(erasure, of: path, spareFolder)
            }
            try unfinished.replace(with: [])
            return removed
        } catch {
            throw .inDoubt(reason: HistoryError(error, path: path).description)
        }
    }

    /// Carries out the history's erasures in its copies. Returns the replaced histories that some words could not
    /// be erased from, and that were removed therefore.
    @discardableResult static func removeFromCopies(
        _ erasure: Event, of path: String, _ spareFolder: String
    ) throws(HistoryError) -> [String] {
        do {
            try Backups(in: spareFolder).removeAll()
            switch erasure.what {
            case .erased(let id?): return try History.erase(id, fromCopiesOf: path, noting: erasure)
            case .talkingPointsErased: return try History.eraseTalkingPoints(fromCopiesOf: path, noting: erasure)
            default:
                try Backups(of: path).removeAll()
                return []
            }
        } catch {
            throw .inDoubt(reason: HistoryError(error, path: path).description)
        }
    }

    /// Makes a night's copy in the place of those that were removed.
    static func copyNight(of path: String, on day: CalendarDay) {
        do {
            try History.check(at: path)
            try History.copy(path, through: .max, asText: false, to: try Backups(of: path).path("night-\(day).db"))
        } catch {}  // The loop tries again, and says why it fails.
    }
}
