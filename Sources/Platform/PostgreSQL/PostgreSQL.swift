import CPostgreSQL
import Glibc
public import Storage

/// One connection to a PostgreSQL server, for one thread.
///
/// libpq reads the address (PostgreSQL's manual, 34.1.1, "Connection Strings"): TLS, passwords, service files, and several hosts
/// are its business. Every wait for the server has a bound: after it the connection is closed, and an error thrown.
public final class PostgreSQL: Database {
    public enum Access: Sendable {
        case reading, writing
    }

    private let connection: OpaquePointer
    private let patience: Duration
    private let access: Access
    /// The names of the prepared statements, by their texts.
    private var prepared: [String: String] = [:]
    private var depth = 0
    public private(set) var changeCount = 0
    public var onStatement: ((String) -> Void)?

    /// The address may leave these out or set them otherwise.
    private static let defaults = [
        "client_encoding": "UTF8", "connect_timeout": "5", "tcp_user_timeout": "5000", "keepalives_idle": "5",
        "keepalives_interval": "2", "keepalives_count": "3", "target_session_attrs": "read-write",
    ]

    /// Connects. Throws ``PostgreSQLError``.
    ///
    /// - Parameters:
    ///   - patience: how long a statement may take, waiting for locks included.
    ///   - pause: how long a program may send nothing within a transaction. The server rolls back that of a program that is
    ///     stopped for longer, so that others go on; `patience` if nil.
    public init(
        _ address: String, _ access: Access = .writing, program: String, patience: Duration = .seconds(10),
        pause: Duration? = nil
    ) throws {
        self.patience = patience
        self.access = access
        var words = Self.defaults
        words["fallback_application_name"] = program
        // The last of two equal words counts, and the address is written out at its place.
        let names: [String?] = Array(words.keys) + ["dbname"]
        let values: [String?] = names.map { words[$0 ?? ""] ?? address }
        guard
            let opened = names.withCStrings({ names in
                values.withCStrings { values in PQconnectdbParams(names, values, 1) }
            })
        else { throw PostgreSQLError(.unavailable, "There is no memory for a connection") }
        connection = opened
        guard PQstatus(connection) == CONNECTION_OK else { throw lost() }
        // The server's notices may quote what people wrote.
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        let milliseconds = patience.components.seconds * 1_000
        try execute(
            """
            SET statement_timeout = \(milliseconds); SET lock_timeout = \(milliseconds);
            SET idle_in_transaction_session_timeout = \((pause ?? patience).components.seconds * 1_000);
            SET default_transaction_isolation = '\(access == .reading ? "repeatable read" : "read committed")';
            SET default_transaction_read_only = \(access == .reading ? "on" : "off")
            """)
    }

    deinit { PQfinish(connection) }

    /// True if all hosts that the address names are sockets of this machine; one without a host is too.
    public static func isBySocket(_ address: String) -> Bool {
        // libpq tells the fault once it connects.
        guard let words = PQconninfoParse(address, nil) else { return false }
        defer { PQconninfoFree(words) }
        var word = words
        while let name = word.pointee.keyword.map({ String(cString: $0) }) {
            let value = word.pointee.val.map { String(cString: $0) } ?? ""
            let hosts = value.split(separator: ",")
            if name == "host", !hosts.allSatisfy({ $0.hasPrefix("/") || $0.hasPrefix("@") }) { return false }
            if ["hostaddr", "service"].contains(name), !value.isEmpty { return false }
            word += 1
        }
        return true
    }

    /// The server's file descriptor, to wait for its notifications.
    public var descriptor: CInt { PQsocket(connection) }

    private func lost() -> PostgreSQLError {
        PostgreSQLError(.unavailable, String(cString: PQerrorMessage(connection)))
    }
}

extension PostgreSQL {
    public func execute(_ sql: String) throws {
        onStatement?(sql)
        try expect(PQsendQuery(connection, sql))
        try finish { PQclear($0) }
    }

    public func run(_ sql: String, _ values: [Value]) throws {
        try send(sql, values)
        try finish { result in
            changeCount += Int(String(cString: PQcmdTuples(result))) ?? 0
            PQclear(result)
        }
    }

    public func each(
        _ sql: String, _ values: [Value], atMost limit: Int, _ body: (borrowing Row) throws -> Void
    ) throws {
        try send(sql, values)
        var found: OpaquePointer?
        try finish { result in
            if let found { PQclear(found) }
            found = result
        }
        guard let found else { return }
        let rows = ResultRows(found)
        if !rows.isOfQuery { changeCount += rows.changed }
        for number in 0..<min(rows.rowCount, limit) {
            rows.number = CInt(number)
            try body(Row(rows))
        }
    }

    /// The name of the prepared statement for this text. The types of texts and of NULL are the server's to find.
    private func prepare(_ sql: String, _ values: [Value]) throws -> String {
        if let name = prepared[sql] { return name }
        let name = "s\(prepared.count)"
        try expect(PQsendPrepare(connection, name, sql, CInt(values.count), values.map(\.type)))
        try finish { PQclear($0) }
        prepared[sql] = name
        return name
    }

    private func send(_ sql: String, _ values: [Value]) throws {
        onStatement?(sql)
        let name = try prepare(sql, values)
        let texts = values.map(\.parameter)
        let sent = texts.withCStrings { texts in
            PQsendQueryPrepared(connection, name, CInt(values.count), texts, nil, nil, 0)
        }
        try expect(sent)
    }

    private func expect(_ sent: CInt) throws {
        guard sent == 1 else { throw lost() }
    }

    /// Waits for the results of what was sent, and hands over each. Throws the first error, after the last result.
    private func finish(_ take: (OpaquePointer) -> Void) throws {
        var failed: PostgreSQLError?
        while true {
            while PQisBusy(connection) != 0 { try wait() }
            guard let result = PQgetResult(connection) else { break }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: take(result)
            default:
                failed = failed ?? PostgreSQLError(result, isConnected: PQstatus(connection) == CONNECTION_OK)
                PQclear(result)
            }
        }
        if let failed { throw failed }
    }

    /// Waits for more of an answer, a second longer than the server lets a statement run.
    private func wait() throws {
        var place = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        let ready = poll(&place, 1, CInt(clamping: (patience.components.seconds + 1) * 1_000))
        guard ready != 0 else {
            // The answer may never come, and the next one must not be taken for it.
            shutdown(PQsocket(connection), CInt(SHUT_RDWR))
            throw PostgreSQLError(.unavailable, "The server did not answer in time")
        }
        if ready > 0, PQconsumeInput(connection) == 0 { throw lost() }
    }
}

extension PostgreSQL {
    /// Waits for a notification of a channel to which this connection listens, until the other descriptor is readable, or until the
    /// time is over. Throws if the connection is lost.
    public func waitForNotification(or other: CInt, atMost limit: Duration) throws {
        if takeNotifications() { return }
        var places = [PQsocket(connection), other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = limit.components.seconds * 1_000 + limit.components.attoseconds / 1_000_000_000_000_000
        guard poll(&places, nfds_t(places.count), CInt(clamping: milliseconds)) > 0, places[0].revents != 0 else {
            return
        }
        if PQconsumeInput(connection) == 0 { throw lost() }
        _ = takeNotifications()
    }

    /// True if there were notifications.
    private func takeNotifications() -> Bool {
        var wereThere = false
        while let notification = PQnotifies(connection) {
            PQfreemem(notification)
            wereThere = true
        }
        return wereThere
    }

    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        let isInner = depth > 0
        try execute(isInner ? "SAVEPOINT part" : "BEGIN")
        depth += 1
        defer { depth -= 1 }
        do {
            if !isInner, access == .writing {
                // One writer at a time, as in SQLite: the rules that look at several rows hold without being tried again.
                try execute("SELECT pg_advisory_xact_lock(\(Self.writing), hashtext(current_schema()))")
            }
            let result = try body()
            if isInner { try execute("RELEASE part") } else { try commit() }
            return result
        } catch {
            // The caller needs the first error.
            if PQstatus(connection) == CONNECTION_OK {
                try? execute(isInner ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK")  // Likewise.
            }
            throw error
        }
    }

    private func commit() throws {
        do { try execute("COMMIT") } catch var error as PostgreSQLError {
            error.mayHaveCommitted = error.isConnectionLost
            throw error
        }
    }

    /// The lock that a writing transaction holds. Another program that uses the same database has other numbers.
    private static let writing = 0x5052_4143
}

/// The rows of a result.
private final class ResultRows: RowOfTexts {
    private let result: OpaquePointer
    var number: CInt = 0

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var rowCount: Int { Int(PQntuples(result)) }
    var count: Int { Int(PQnfields(result)) }
    /// The rows that the statement wrote.
    var changed: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }
    /// True if the statement only reads.
    var isOfQuery: Bool { String(cString: PQcmdStatus(result)).hasPrefix("SELECT") }

    func text(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        let column = CInt(column)
        guard PQgetisnull(result, number, column) == 0, let start = PQgetvalue(result, number, column) else {
            return nil
        }
        let count = Int(PQgetlength(result, number, column))
        return UnsafeRawPointer(start).withMemoryRebound(to: UInt8.self, capacity: count + 1) {
            UnsafeBufferPointer(start: $0, count: count)
        }
    }

    func blob(_ column: Int) -> [UInt8]? {
        guard let text = text(column) else { return nil }
        // `\x` and two digits for each byte (PostgreSQL's manual, 8.4.1).
        return stride(from: 2, to: text.count - 1, by: 2).map { digit(text[$0]) << 4 | digit(text[$0 + 1]) }
    }

    private func digit(_ byte: UInt8) -> UInt8 {
        byte < UInt8(ascii: "a") ? byte &- UInt8(ascii: "0") : byte &- UInt8(ascii: "a") &+ 10
    }

    func type(_ column: Int) -> ValueType {
        switch PQftype(result, CInt(column)) {
        case TypeID.bool, TypeID.int8, TypeID.int2, TypeID.int4: .integer
        case TypeID.float4, TypeID.float8, TypeID.numeric: .real
        case TypeID.blob: .blob
        default: .text
        }
    }
}

/// The identifiers of types (pg_type).
private enum TypeID {
    static let (bool, blob, int8, int2, int4): (Oid, Oid, Oid, Oid, Oid) = (16, 17, 20, 21, 23)
    static let (float4, float8, numeric): (Oid, Oid, Oid) = (700, 701, 1_700)
}

extension Value {
    fileprivate var type: Oid {
        switch self {
        case .null, .text: 0
        case .integer: TypeID.int8
        case .real: TypeID.float8
        case .blob: TypeID.blob
        }
    }

    /// As PostgreSQL reads it; nil is NULL.
    fileprivate var parameter: String? {
        switch self {
        case .null: nil
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): "\\x" + bytes.lazy.map(Self.hexadecimal).joined()
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
