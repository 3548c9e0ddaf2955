import Foundation
import PostgreSQL
import PracticeStore
import Storage
import Synchronization
import Testing

@testable import PracticeDaemon

extension Trait where Self == ConditionTrait {
    /// The test is about a file of SQLite.
    static var ofFile: Self { .enabled(if: TestServer.shared == nil, "PostgreSQL keeps the clinics of this run") }
    /// The test is about a server.
    static var ofServer: Self { .enabled(if: TestServer.shared != nil, "SQLite keeps the clinics of this run") }
}

/// The PostgreSQL server whose socket is in the folder that `DAYBREAK_POSTGRESQL` names: each clinic has a database of its own there.
final class TestServer: Sendable {
    static let shared = ProcessInfo.processInfo.environment["DAYBREAK_POSTGRESQL"].map { TestServer(folder: $0) }

    private let folder: String
    private let last = Mutex(0)
    /// The database that new ones are copies of. It has the tables, and nothing in them.
    private let empty = Mutex<String?>(nil)

    private init(folder: String) {
        self.folder = folder
        for role in [Self.owner, Self.daemon] {
            // An earlier run on the same server has made it.
            try? admin().execute("CREATE ROLE \(role) LOGIN")
        }
    }

    /// The role that the tables of clinics belong to, and the one that clinics are used with.
    static let (owner, daemon) = ("clinic_owner", "clinic_daemon")

    /// - Parameter role: nil for the server's superuser.
    private func address(_ database: some StringProtocol, _ role: String?) -> String {
        let host = folder.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "postgresql://\(role.map { "\($0)@" } ?? "")/\(database)?host=\(host)"
    }

    /// A connection of the superuser. A copy of a database waits for the disk.
    private func admin() throws -> PostgreSQL {
        try PostgreSQL(address("postgres", nil), .writing, program: "test", patience: .seconds(600))
    }

    /// The address of that practice for another role; nil for the server's superuser.
    func address(of place: StoragePlace, as role: String?) -> String { address(name(of: place), role) }

    /// A new practice, empty or with what another one has.
    func makePlace(copyOf template: StoragePlace? = nil) throws -> StoragePlace {
        let source = try template.map { String(name(of: $0)) } ?? emptyDatabase()
        return .server(address(try make(from: source), Self.daemon))
    }

    /// A database without tables.
    func makeBarePlace() throws -> StoragePlace { .server(address(try make(from: "template0"), Self.daemon)) }

    private func emptyDatabase() throws -> String {
        try empty.withLock { empty in
            if let empty { return empty }
            let name = try make(from: "template0")
            _ = try Store(server: address(name, Self.daemon), migration: address(name, Self.owner))
            empty = name
            return name
        }
    }

    private func make(from template: String) throws -> String {
        let number = last.withLock {
            $0 += 1
            return $0
        }
        let name = "clinic_\(getpid())_\(number)"
        try admin().execute("CREATE DATABASE \(name) OWNER \(Self.owner) TEMPLATE \(template) STRATEGY FILE_COPY")
        return name
    }

    /// False: ends all connections to that practice, and the server takes no others until it is true again.
    func takes(_ takes: Bool, to place: StoragePlace) throws {
        let server = try admin()
        let name = name(of: place)
        try server.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS \(takes)")
        guard !takes else { return }
        // Waits for their ends.
        try server.execute(
            "SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE datname = '\(name)'")
    }

    private func name(of place: StoragePlace) -> Substring {
        guard case .server(let address) = place else { return "" }
        return address.dropFirst("postgresql://".count).drop { $0 != "/" }.dropFirst().prefix { $0 != "?" }
    }

    func remove(_ place: StoragePlace) {
        guard case .server = place else { return }
        // The server's folder is removed after the tests.
        try? admin().execute("DROP DATABASE \(name(of: place)) WITH (FORCE)")
    }
}
