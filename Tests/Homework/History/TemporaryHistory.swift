import Glibc
import HomeworkRules
import Storage
import Testing
import Time

@testable import HomeworkHistory

/// A folder for one test, removed at its end, and the path of a history in it.
final class TemporaryHistory {
    let folder: String
    var path: String { folder + "/history.db" }

    init() {
        var template = Array("/tmp/daybreak-history-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no temporary folder: errno \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { _ = run("rm", "-rf", folder) }

    func open() throws -> History { try History(at: path, patience: .milliseconds(20)) }

    /// Opens the history, records and closes it.
    func record(_ events: [Event]) throws { try open().record(events) }

    /// Opens the database beside the daemon, as `sqlite3` does.
    func beside<Result>(_ body: (SQLiteDatabase) throws -> Result) throws -> Result {
        try body(SQLiteDatabase(path))
    }

    /// The rows as the `sqlite3` shell prints them: columns between bars, NULL as nothing.
    func shell(_ sql: String) throws -> String {
        try beside { database in
            try database.rows(sql) { row in (0..<row.count).map { row.text($0) ?? "" }.joined(separator: "|") }
        }.joined(separator: "\n")
    }

    /// The bytes of all files, except the lock's, by name. Comparing them shows whether anything was written.
    var bytes: [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for suffix in ["", "-wal", "-shm", "-journal", ".new"] {
            if let content = contents(path + suffix) { found["history.db" + suffix] = content }
        }
        return found
    }
}

extension History {
    func export(to path: String) throws(HistoryError) {
        try makeReady()
        try History.copy(file.path, through: eventCount, asText: true, to: path)
    }
}

func contents(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
}

func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { preconditionFailure("cannot write \(path)") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

func mode(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0 else { return "nothing" }
    return String(status.st_mode & 0o7777, radix: 8)
}

/// Runs a program to its end, and returns its exit status.
@discardableResult
func run(_ arguments: String...) -> CInt {
    var process: pid_t = 0
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    guard posix_spawnp(&process, arguments[0], nil, nil, &words, environ) == 0 else { return -1 }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
}

/// The error that `body` throws, in words; "nothing" if it throws none.
func refusal(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return "nothing"
}

/// Expects that error. The comment repeats the actual one, because an exit test does not print values.
func expectRefusal(_ expected: String, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void) {
    let said = refusal(body)
    #expect(said == expected, "\(said)", sourceLocation: location)
}
