public import Files
public import HomeworkRules

/// The erasures of which the copies of a history may still hold the words, in a file beside it, `history.db.erasing`. The words
/// are gone from the history at once, and from the copies after it; a daemon that is killed in between finishes later.
///
/// Each line is the id of an assignment. An empty line stands for the talking points.
public struct UnfinishedErasures {
    public let path: String

    public init(of history: String) { path = history + ".erasing" }

    /// False if there are none, or if the disk does not tell; then the night's copy fails, and says why.
    public var areThere: Bool { (try? File.exists(path)) ?? false }

    /// Oldest first.
    public func all() throws(FileError) -> [Happening] {
        guard try File.exists(path) else { return [] }
        let bytes = try File.piece(of: path, from: 0, count: try File.size(of: path))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropLast().compactMap { line in
            line.isEmpty ? .talkingPointsErased : AssignmentID(String(line)).map { .erased($0) }
        }
    }

    /// Replaces the list, durably. An empty one leaves no file.
    public func replace(with erasures: [Happening]) throws {
        guard !erasures.isEmpty else { return try File.remove(path) }
        let lines = erasures.compactMap { erasure -> String? in
            switch erasure {
            case .erased(let id?): id.text + "\n"
            case .talkingPointsErased: "\n"
            default: nil
            }
        }
        try File.replace(path) { draft in
            try File.remove(draft)
            try NewFile(at: draft).write(Array(lines.joined().utf8))
        }
    }
}
