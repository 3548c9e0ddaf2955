public import Files

/// The header of an SQLite database ("Database File Format", 1.3). It is read without SQLite, because SQLite may write to a
/// database that it opens.
public struct DatabaseHeader: Equatable {
    /// `PRAGMA application_id`.
    public let applicationID: Int
    /// `PRAGMA user_version`.
    public let version: Int
    /// False if a field has a value that SQLite never writes. SQLite itself accepts some of these: if byte 18 is unknown to
    /// it, it opens the file for reading only.
    public let isSound: Bool

    private static let magic = Array("SQLite format 3\0".utf8)
    fileprivate static let length = 100

    /// Nil if the file is no SQLite database.
    ///
    /// Read it only while this process does not have the file open: closing the descriptor would drop SQLite's locks.
    public init?(of path: String) throws(FileError) {
        self.init(try File.prefix(Self.length, of: path))
    }

    fileprivate init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.starts(with: Self.magic) else { return nil }
        isSound =
            (1...2).contains(bytes[18]) && bytes[18] == bytes[19]  // The versions for writing and for reading.
            && bytes[20..<24].elementsEqual([0, 64, 32, 32])  // No reserved space; fixed fractions.
            && Self.number(bytes[44..<48]) <= 4 && Self.number(bytes[56..<60]) <= 3  // Schema format and text encoding.
        version = Self.number(bytes[60..<64])
        applicationID = Self.number(bytes[68..<72])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

extension SQLiteDatabase {
    /// True if the header of the file is sound, or if the file is no database, which SQLite itself reports. It is read
    /// through SQLite's own descriptor.
    var hasSoundHeader: Bool {
        guard let bytes = read(DatabaseHeader.length) else { return true }
        return DatabaseHeader(bytes)?.isSound ?? true
    }
}
