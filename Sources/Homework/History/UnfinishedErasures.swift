public import Files
public import HomeworkRules
import Storage

/// An erasure of which the copies of a history may still hold the words.
public struct UnfinishedErasure: Equatable, Sendable {
    public let what: Happening
    /// The number of the event that records it. The note is written before the event. Nil if the event is known to be there.
    public let number: Int?

    public init(_ what: Happening, number: Int? = nil) { (self.what, self.number) = (what, number) }
}

/// The unfinished erasures of a history, in a file beside it, `history.db.erasing`. The words are gone from the history at once,
/// and from the copies after it; a daemon that is killed in between finishes later. If it was killed before the history lost them,
/// the copies keep theirs as well.
///
/// Each line is the id of an assignment; an empty id stands for the talking points. After a tab stands the event's number.
public struct UnfinishedErasures {
    public let path: String
    private let history: String

    public init(of history: String) { (self.history, path) = (history, history + ".erasing") }

    /// False if there are none, or if the disk does not tell; then the night's copy fails, and says why.
    public var areThere: Bool { (try? File.exists(path)) ?? false }

    /// Oldest first.
    public func all() throws(FileError) -> [UnfinishedErasure] {
        guard try File.exists(path) else { return [] }
        let bytes = try File.piece(of: path, from: 0, count: try File.size(of: path))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropLast().compactMap { line in
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            let what =
                parts[0].isEmpty ? .talkingPointsErased : AssignmentID(String(parts[0])).map { Happening.erased($0) }
            return what.map { UnfinishedErasure($0, number: parts.count > 1 ? Int(parts[1]) : nil) }
        }
    }

    /// Those that the history has recorded, each once, oldest first. Of a damaged or a missing history, nobody knows: all of them.
    public func recorded() throws -> [UnfinishedErasure] {
        var recorded = try all()
        if recorded.contains(where: { $0.number != nil }), try File.exists(history) {
            do {
                let database = try SQLiteDatabase(history, .reading, patience: .seconds(1))
                recorded = try recorded.filter { try database.has($0) }
            } catch  where HistoryError(error, path: history).isDamage {}
        }
        var found: [UnfinishedErasure] = []
        for erasure in recorded where !found.contains(where: { $0.what == erasure.what }) {
            found.append(UnfinishedErasure(erasure.what))
        }
        return found
    }

    /// Keeps those that the history has recorded, before another one takes its place: only this one knows which they are.
    public func settle() throws {
        if areThere { try replace(with: try recorded()) }
    }

    /// Replaces the list, durably. An empty one leaves no file.
    public func replace(with erasures: [UnfinishedErasure]) throws {
        guard !erasures.isEmpty else { return try File.remove(path) }
        let lines = erasures.compactMap { erasure -> String? in
            let number = erasure.number.map { "\t\($0)" } ?? ""
            return switch erasure.what {
            case .erased(let id?): id.text + number + "\n"
            case .talkingPointsErased: number + "\n"
            default: nil
            }
        }
        try File.replace(path) { draft in
            try File.remove(draft)
            try NewFile(at: draft).write(Array(lines.joined().utf8))
        }
    }
}

extension SQLiteDatabase {
    /// True if the event with the erasure's number is that erasure.
    fileprivate func has(_ erasure: UnfinishedErasure) throws -> Bool {
        guard let number = erasure.number else { return true }
        let recorded = try first("SELECT kind, assignment FROM event WHERE seq = $1", number) {
            (kind: $0.text(0), assignment: $0.text(1))
        }
        return switch erasure.what {
        case .erased(let id): recorded?.kind == "erased" && recorded?.assignment == id?.text
        default: recorded?.kind == "talkingPointsErased"
        }
    }
}
