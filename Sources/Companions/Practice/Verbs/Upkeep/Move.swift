internal import ArgumentParser
import Companion

struct Move: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "move",
        abstract:
            "Copy the whole practice to another database, and compare each row: to PostgreSQL, or back to a file.",
        discussion: """
            It is for root, on the practice's machine, while no practiced runs: `systemctl stop practiced.socket practiced`. \
            The target must be empty. An interrupted move can be begun again; one to FILE that is killed leaves FILE.new \
            until then.

            The old database stays as it is. practiced uses the new one once `url` under [storage] in practice.toml says so. \
            Where `migration_url` names the role that owns the tables, write it there before.
            """)

    @Option(
        help: ArgumentHelp(
            "An address such as postgresql://db.clinic.example/practice, or the path of a new file.", valueName: "place"
        ))
    var to: String
    @Option(help: ArgumentHelp("The practice's settings, /etc/practice/practice.toml unless given.", valueName: "file"))
    var config: String?

    func run() throws {
        let bar = ProgressBar("Moving", of: 100)
        let settings = config.map { ["--config", $0] } ?? []
        let said = try ChildProcess.output(of: "practiced", settings + ["--move-to", to]) {
            if let percent = Self.lines($0).last(where: { $0.hasSuffix(" %") }).flatMap({ Int($0.dropLast(2)) }) {
                bar.show(percent)
            }
        }
        bar.end()
        for line in Self.lines(said) where !line.hasSuffix(" %") { Streams.output("\(line.shown)\n") }
    }

    private static func lines(_ output: [UInt8]) -> [String] {
        String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
