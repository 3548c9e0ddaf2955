public import Files

/// What the first bytes of an SQLite database say ("Database File Format", 1.3), read without SQLite, which may write where
/// it opens.
public struct DatabaseHeader: Equatable {
    /// `PRAGMA application_id`.
    public let applicationID: Int
    /// `PRAGMA user_version`.
    public let version: Int

    private static let magic = Array("SQLite format 3\0".utf8)
    private static let length = 100

    /// Nil where the file is no SQLite database.
    ///
    /// To be read while this process has the file not open: SQLite's locks on it would go with the descriptor.
    public init?(of path: String) throws(FileError) {
        let bytes = try File.prefix(Self.length, of: path)
        guard bytes.count == Self.length, bytes.starts(with: Self.magic) else { return nil }
        version = Self.number(bytes[60..<64])
        applicationID = Self.number(bytes[68..<72])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
