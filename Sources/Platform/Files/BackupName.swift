/// The name of a file of Daybreak's in the folder of a database's copies. A name that is only alike is somebody else's.
struct BackupName {
    enum Kind {
        case night, beforeVersion, asked, replaced, replacedNight, draft
    }

    let kind: Kind
    /// The text after the copy's own name, such as `-wal` or `.new`; empty for the copy itself.
    let ending: String

    init?(_ name: String) {
        var rest = Rest(name)
        if rest.take("night-") {
            kind = .night
            guard rest.takeDay(), rest.take(".db") else { return nil }
        } else if rest.take("before-version-") {
            kind = .beforeVersion
            guard rest.takeNumber(), rest.take(".db") else { return nil }
        } else if rest.take("replaced-night-") {
            kind = .replacedNight
            guard rest.takeDay(), !rest.take("-") || rest.takeNumber(), rest.take(".db") else { return nil }
        } else if rest.take("replaced-") {
            kind = .replaced
            guard rest.takeDay(), rest.take("-"), rest.takeInstant(), rest.take(".db") else { return nil }
        } else if rest.take("asked-") {
            kind = .asked
            guard rest.takeInstant(), rest.take(".jsonl") || rest.take(".db") else { return nil }
        } else if rest.take("restore-") {
            kind = .draft
            guard rest.takeInstant() else { return nil }
            _ = rest.take(".db")
        } else {
            return nil
        }
        ending = rest.text
        while Self.endings.contains(where: { rest.take($0) }) {}
        guard rest.text.isEmpty else { return nil }
    }

    /// The endings of a draft of a copy, and of the files that SQLite, a lock or a restore puts beside one.
    private static let endings = [".new", "-wal", "-shm", "-journal", ".lock", Backups.draftsLog]

    /// The part of a name that was not read yet.
    private struct Rest {
        private var bytes: ArraySlice<UInt8>

        init(_ name: String) { bytes = Array(name.utf8)[...] }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        mutating func take(_ text: String) -> Bool {
            guard bytes.starts(with: text.utf8) else { return false }
            bytes = bytes.dropFirst(text.utf8.count)
            return true
        }

        mutating func takeNumber() -> Bool { takeDigits() > 0 }

        /// Of microseconds since 1970, or of a process.
        mutating func takeInstant() -> Bool {
            _ = take("-")
            return takeNumber()
        }

        mutating func takeDay() -> Bool {
            takeDigits() == 4 && take("-") && takeDigits() == 2 && take("-") && takeDigits() == 2
        }

        private mutating func takeDigits() -> Int {
            let count = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            bytes = bytes.dropFirst(count)
            return count
        }
    }
}
