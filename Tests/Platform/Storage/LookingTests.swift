import Glibc
import Storage
import Testing

/// Looking at a database changes neither the file nor its log, in whatever state a crash or a copy has left them.
struct LookingTests {
    private let place = TemporaryDatabase()

    private func bytes(_ suffix: String) -> [UInt8]? {
        guard let file = fopen(place.path + suffix, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    private func write(_ bytes: [UInt8], to suffix: String) {
        guard let file = fopen(place.path + suffix, "w") else { preconditionFailure("cannot write \(suffix)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    /// The file and its log, as they are when the machine stops before the log was copied into the file.
    private func cutOff() throws -> (file: [UInt8], log: [UInt8]) {
        let database = try place.openWords()
        try database.emptyLog()
        try database.add("in the log alone")
        let files = (try #require(bytes("")), try #require(bytes("-wal")))
        try database.close()
        return files
    }

    private func lay(_ file: [UInt8], _ log: [UInt8]?, _ index: [UInt8]? = nil) {
        for (suffix, content) in [("", file), ("-wal", log), ("-shm", index)] {
            unlink(place.path + suffix)
            if let content { write(content, to: suffix) }
        }
    }

    @Test func `a log without its index is read, and nothing is written`() throws {
        let (file, log) = try cutOff()
        lay(file, log)
        #expect(try SQLiteDatabase(copyOf: place.path).words == ["in the log alone"])
        #expect(try SQLiteDatabase(place.path, .looking).words == ["in the log alone"])
        #expect(bytes("") == file && bytes("-wal") == log && bytes("-shm") == nil)
    }

    @Test(arguments: [[], [UInt8](repeating: 0xA5, count: 32_768)])
    func `an index that does not fit the log is not believed`(index: [UInt8]) throws {
        let (file, log) = try cutOff()
        lay(file, log, index)
        #expect(try SQLiteDatabase(copyOf: place.path).words == ["in the log alone"])
        #expect(bytes("") == file && bytes("-wal") == log && bytes("-shm") == index)
    }

    @Test func `an empty log without an index is left as it is`() throws {
        let (file, _) = try cutOff()
        lay(file, [])
        #expect(try SQLiteDatabase(copyOf: place.path).words == [])
        #expect(bytes("-wal") == [])
    }

    /// SQLite itself removes the log of an empty file.
    @Test(arguments: [nil, []] as [[UInt8]?]) func `the log of an empty file is left as it is`(index: [UInt8]?) throws {
        let (_, log) = try cutOff()
        lay([], log, index)
        #expect(try SQLiteDatabase(place.path, .looking).rows("SELECT name FROM sqlite_schema") { $0.text(0) } == [])
        #expect(bytes("") == [] && bytes("-wal") == log)
    }

    @Test func `a look writes nothing, whether it is closed or dropped`() throws {
        let (file, log) = try cutOff()
        lay(file, log)
        let look = try SQLiteDatabase(place.path, .looking)
        #expect(try look.words == ["in the log alone"])
        let refused = #expect(throws: SQLiteError.self) { try look.add("never") }
        #expect(refused?.code == SQLiteError.readOnly)
        try look.close()
        #expect(bytes("") == file && bytes("-wal") == log)
    }
}
