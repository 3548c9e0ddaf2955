import Glibc
import Storage

/// An empty database in a folder of its own, which is removed when the test is over.
final class TemporaryDatabase {
    let folder: String
    var path: String { folder + "/test.db" }

    init() {
        var template = Array("/tmp/daybreak-storage-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no temporary folder: errno \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        write([])
    }

    deinit {
        for suffix in ["", "-wal", "-shm", "-journal", ".copy"] { unlink(path + suffix) }
        rmdir(folder)
    }

    func open(_ access: SQLiteDatabase.Access = .writing, patience: Duration = .milliseconds(20)) throws
        -> SQLiteDatabase
    {
        try SQLiteDatabase(path, access, patience: patience)
    }

    /// A database with a table of words and a log.
    func openWords() throws -> SQLiteDatabase {
        let database = try open()
        guard try database.keepLog() else { preconditionFailure("no write-ahead log") }
        try database.execute("CREATE TABLE IF NOT EXISTS word (number INTEGER PRIMARY KEY, text TEXT) STRICT")
        return database
    }

    func write(_ bytes: [UInt8]) {
        guard let file = fopen(path, "w") else { preconditionFailure("cannot write \(path)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    func size(_ suffix: String) -> Int? {
        var status = stat()
        return stat(path + suffix, &status) == 0 ? Int(status.st_size) : nil
    }
}

extension SQLiteDatabase {
    var words: [String] {
        get throws { try rows("SELECT text FROM word ORDER BY number") { $0.text(0) ?? "NULL" } }
    }

    func add(_ word: String) throws { try run("INSERT INTO word (text) VALUES ($1)", word) }
}

/// The error that `body` throws.
func refusal(_ body: () throws -> Void) -> SQLiteError? {
    do { try body() } catch { return error as? SQLiteError }
    return nil
}
