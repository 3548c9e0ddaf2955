import Foundation
import Glibc
import PostgreSQL
import Testing
import UnixTestSupport

@testable import PracticeDaemon

/// A server of PostgreSQL of a test's own, which the test may kill.
final class OwnServer {
    /// With the server's socket, and with its data unless they are elsewhere.
    let folder = UnixTestSupport.Folder()
    private let data: String
    private let settings: [String]
    private var process: pid_t?

    /// The newest programs of PostgreSQL on this machine.
    private static let programs: String? = {
        let all = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: all)) ?? []
        return versions.max { (Int($0) ?? 0) < (Int($1) ?? 0) }.map { "\(all)/\($0)/bin" }
    }()

    /// Starts a server with an empty database `practice`.
    ///
    /// - Parameters:
    ///   - place: the folder for the data; nil for one of the server's own.
    ///   - settings: as in `postgresql.conf`, `max_connections=20`.
    init(at place: String? = nil, _ settings: [String] = []) throws {
        (data, self.settings) = (place.map { $0 + "/data" } ?? folder["data"], settings)
        try prepare(place)
        try run(
            "initdb", "--pgdata", data, "--username", "root", "--auth", "trust", "--encoding", "UTF8", "--locale", "C",
            "--wal-segsize", "1")
        try start()
        try admin().execute("CREATE ROLE practiced LOGIN")
        try admin().execute("CREATE DATABASE practice OWNER practiced")
    }

    /// Starts a copy of that server, which follows it.
    init(following primary: OwnServer) throws {
        (data, settings) = (folder["data"], primary.settings)
        try prepare(nil)
        try run(
            "pg_basebackup", "--pgdata", data, "--host", primary.folder[""], "--username", "root",
            "--write-recovery-conf",
            "--checkpoint", "fast")
        try start()
    }

    /// The server does not run as root.
    private func prepare(_ place: String?) throws {
        for folder in [folder[""], place].compactMap({ $0 }) {
            if geteuid() == 0, let user = Account.user("postgres"), let group = Account.group(of: user) {
                must(chown(folder, user, group))
            }
            must(chmod(folder, 0o755))
        }
    }

    private func words(_ program: String, _ arguments: [String]) throws -> [String] {
        let program = "\(try #require(Self.programs))/\(program)"
        let asOther = ["/usr/bin/setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        return (geteuid() == 0 ? asOther : []) + [program] + arguments
    }

    private func run(_ program: String, _ arguments: String...) throws {
        let status = Self.wait(try spawn(words(program, arguments)))
        try #require(status == 0, "\(program): \(text(of: folder["log"]) ?? "")")
    }

    private func spawn(_ words: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in [1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, folder["log"], O_WRONLY | O_CREAT | O_APPEND, 0o666)
        }
        closeOthers(in: &actions, from: 3)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        var process = pid_t()
        try #require(posix_spawn(&process, words[0], &actions, nil, &arguments, environ) == 0)
        return process
    }

    private static func wait(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// Starts it, and waits until it takes connections. After a kill, an earlier process of it may still be there for a moment.
    func start() throws {
        let options =
            ["listen_addresses=", "unix_socket_directories=\(folder[""])", "fsync=off", "full_page_writes=off"]
            + settings
        for _ in 0..<600 {
            let process = try spawn(words("postgres", ["-D", data] + options.flatMap { ["-c", $0] }))
            while true {
                // Not yet: it takes no connections while it recovers.
                if (try? admin()) != nil {
                    self.process = process
                    return
                }
                var status: Int32 = 0
                if waitpid(process, &status, WNOHANG) == process { break }
                usleep(50_000)
            }
            usleep(500_000)
        }
        Issue.record("The server does not start:\n\(text(of: folder["log"]) ?? "")")
    }

    /// True while it runs.
    var isRunning: Bool {
        guard let process else { return false }
        guard waitpid(process, nil, WNOHANG) == 0 else {
            self.process = nil
            return false
        }
        return true
    }

    /// Ends it without a word.
    func kill(_ signal: Int32 = SIGKILL) {
        guard let process else { return }
        Glibc.kill(process, signal)
        _ = Self.wait(process)
        self.process = nil
    }

    func promote() throws { try run("pg_ctl", "promote", "--pgdata", data, "--wait") }

    /// - Parameter hosts: further servers that may have the database.
    func address(or hosts: OwnServer...) -> String {
        let all = ([self] + hosts).map {
            $0.folder[""].addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        return "postgresql://practiced@/practice?host=" + all.joined(separator: ",")
    }

    /// A connection of the superuser.
    func admin(_ database: String = "postgres") throws -> PostgreSQL {
        let host = folder[""].addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try PostgreSQL(
            "postgresql://root@/\(database)?host=\(host)&target_session_attrs=any", .writing, program: "test",
            patience: .seconds(600))
    }

    deinit { kill(SIGQUIT) }
}
