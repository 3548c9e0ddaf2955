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

    private init(folder: String) { self.folder = folder }

    private func address(_ database: String) -> String {
        let host = folder.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "postgresql:///\(database)?host=\(host)"
    }

    /// A new practice, empty or with what another one has.
    func makePlace(copyOf template: StoragePlace?) throws -> StoragePlace {
        var source = ""
        if case .server(let address) = template {
            source = String(address.dropFirst("postgresql:///".count).prefix { $0 != "?" })
        } else {
            source = try emptyDatabase()
        }
        return .server(address(try make(from: source)))
    }

    private func emptyDatabase() throws -> String {
        try empty.withLock { empty in
            if let empty { return empty }
            let name = try make(from: "template0")
            _ = try Store(server: address(name))
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
        // A copy of a database waits for the disk.
        try PostgreSQL(address("postgres"), .writing, program: "test", patience: .seconds(600)).execute(
            "CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY FILE_COPY")
        return name
    }

    /// False: ends all connections to that practice, and the server takes no others until it is true again.
    func takes(_ takes: Bool, to place: StoragePlace) throws {
        let server = try PostgreSQL(address("postgres"), .writing, program: "test", patience: .seconds(600))
        let name = name(of: place)
        try server.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS \(takes)")
        guard !takes else { return }
        // Waits for their ends.
        try server.execute(
            "SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE datname = '\(name)'")
    }

    private func name(of place: StoragePlace) -> Substring {
        guard case .server(let address) = place else { return "" }
        return address.dropFirst("postgresql:///".count).prefix { $0 != "?" }
    }

    func remove(_ place: StoragePlace) {
        guard case .server = place else { return }
        // The server's folder is removed after the tests.
        try? PostgreSQL(self.address("postgres"), .writing, program: "test").execute(
            "DROP DATABASE \(name(of: place)) WITH (FORCE)")
    }
}
