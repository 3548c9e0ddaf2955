internal import ArgumentParser
import Companion
import PracticeInterfaces
import StaffInterfaces
import Time

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "status", abstract: "Show the state of the practice's daemon: counts, storage, backups.",
        discussion: """
            --format prometheus is for the textfile collector of node_exporter, as root, each minute say:
              cd /var/lib/node_exporter
              practice status --format prometheus >practice.prom.new
              mv practice.prom.new practice.prom
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, prometheus }

    @Option(help: "text or prometheus.") var format: Format?
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        try OutputForms.check(json: daemon.json, ("--format", format?.rawValue))
    }

    func run() throws {
        let connection = try daemon.connection()
        let health = try connection.call(Upkeep.Status()).health
        if daemon.json { return Streams.output(object: health) }
        if format == .prometheus { return Streams.output(Self.prometheus(health)) }
        let today = try CallerInfo(over: connection).today
        output.print(Self.text(health, today: today, columns: output.columns, ink: output.ink))
    }

    static func text(_ health: Upkeep.Health, today: String, columns: Int?, ink: Ink) -> String {
        var facts = FactList()
        facts.add("practiced", "\(health.version), since \(Wording.time(health.since, today: today))")
        if health.madeUp { facts.add("Practice", "made up, to try it out: nobody in it is real") }
        facts.add("Staff", health.staff.map { "\($0)" })
        facts.add("Clients", health.openClients.map { "\($0) open, \(health.closedClients ?? 0) closed" })
        facts.add("Sessions", health.sessions.map { "\($0)" })
        facts.add("Connected", "\(health.connections), of which \(health.watchers) watch")
        facts.add("Database", "\((health.databaseBytes + 1_048_575) / 1_048_576) MiB")
        let noBackup = health.onServer == true ? "PostgreSQL's own programs make them" : "none yet"
        facts.add("Last backup", health.lastBackup.map { Wording.time($0, today: today) } ?? noBackup)
        facts.add("Storage", health.storageProblem ?? "well")
        facts.add("Backups", health.backupProblem)
        return facts.text(columns: columns, ink: ink)
    }

    /// The status in Prometheus' text format (prometheus.io, "Exposition formats", 0.0.4).
    static func prometheus(_ health: Upkeep.Health) -> String {
        var text = ""
        func gauge(_ name: String, _ help: String, _ value: Int?, labels: String = "") {
            guard let value else { return }
            text +=
                "# HELP practice_\(name) \(help)\n# TYPE practice_\(name) gauge\npractice_\(name)\(labels) \(value)\n"
        }
        gauge("info", "The version of practiced.", 1, labels: "{version=\"\(health.version)\"}")
        gauge("start_time_seconds", "When practiced started, in seconds since 1970.", seconds(health.since))
        gauge("staff", "People who work here.", health.staff)
        gauge("open_clients", "Clients with an open record.", health.openClients)
        gauge("closed_clients", "Clients with a closed record.", health.closedClients)
        gauge("sessions", "Sessions that are recorded.", health.sessions)
        gauge("connections", "Connections to the control socket.", health.connections)
        gauge("watchers", "Connections that watch for news.", health.watchers)
        gauge("database_bytes", "The size of the database and its log.", health.databaseBytes)
        gauge(
            "last_backup_time_seconds", "When the newest nightly backup was made, in seconds since 1970.",
            health.lastBackup.flatMap(seconds))
        gauge("storage_ok", "Whether the database can be used.", health.storageProblem == nil ? 1 : 0)
        gauge(
            "backup_ok", "Whether the last nightly backup was made.",
            health.onServer == true ? nil : health.backupProblem == nil ? 1 : 0)
        return text
    }

    private static func seconds(_ instant: String) -> Int? {
        DateTime(instant)?.instant.map { Int($0.microseconds / 1_000_000) }
    }
}
