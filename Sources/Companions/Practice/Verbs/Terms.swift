internal import ArgumentParser
import Companion
import PracticeInterfaces

struct Terms: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "terms", abstract: "List the words that sessions are counted by: motives and tools.")

    @Flag(help: "Also words that are no longer offered.") var all = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let motives = try connection.call(Practice.ListTerms(vocabulary: .motives)).terms
        let tools = try connection.call(Practice.ListTerms(vocabulary: .tools)).terms
        guard !daemon.json else { return Streams.output(object: ["motives": motives, "tools": tools]) }
        output.print(
            Self.text("Motives", motives, adding: "motives", all: all, output) + "\n"
                + Self.text("Tools", tools, adding: "tools", all: all, output))
    }

    private static func text(
        _ title: String, _ terms: [Practice.Term], adding: String, all: Bool, _ output: OutputOptions
    )
        -> String
    {
        let shown = terms.filter { all || $0.offered }
        let head = "  " + output.ink.strong(title) + output.ink.faint(" · \(shown.count)") + "\n\n"
        guard !shown.isEmpty else { return head + "  None yet. `practice term add \(adding) WORD` adds one.\n" }
        var table = Table([.init("", isNumber: true, leads: true), .init("", leads: true), .init("")])
        table.rows = shown.map { term in
            [
                .init(term.id, .faint), .init(term.word, term.offered ? .plain : .faint),
                .init(term.offered ? "" : "retired", .faint),
            ]
        }
        return head + table.text(columns: output.columns, ink: output.ink)
    }
}
