public import Files

/// The header of an SQLite database ("Database File Format", 1.3). It is read without SQLite, because SQLite may write to a
/// database that it opens.
public struct DatabaseHeader: Equatable {
    /// `PRAGMA application_id`.
    public let applicationID: Int
    /// `PRAGMA user_version`.
    public let version: Int

    private static let magic = Array("SQLite format 3\0".utf8)
    private static let length = 100

    /// Nil where the file is no SQLite database.
    ///
    /// Read it only while this process does not have the file open: closing the descriptor would drop SQLite's locks.
    public init?(of path: String) throws(FileError) {
        let bytes = try File.prefix(Self.length, of: path)
        guard bytes.count == Self.length, bytes.starts(with: Self.magic) else { return nil }
        version = Self.number(bytes[60..<64])
        applicationID = Self.number(bytes[68..<72])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
