internal import ArgumentParser
import Companion
import PracticeInterfaces

struct Terms: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terms", abstract: "List the words that sessions are counted by: motives and tools.")

    @Flag(help: "Also those that are offered no longer.") var all = false
    @OptionGroup var look: Look
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let motives = try connection.call(Practice.ListTerms(vocabulary: .motives)).terms
        let tools = try connection.call(Practice.ListTerms(vocabulary: .tools)).terms
        guard !daemon.json else { return Streams.output(object: ["motives": motives, "tools": tools]) }
        look.print(
            Self.text("Motives", motives, adding: "motives", all: all, look) + "\n"
                + Self.text("Tools", tools, adding: "tools", all: all, look))
    }

    private static func text(_ title: String, _ terms: [Practice.Term], adding: String, all: Bool, _ look: Look)
        -> String
    {
        let shown = terms.filter { all || $0.offered }
        let head = "  " + look.ink.strong(title) + look.ink.faint(" · \(shown.count)") + "\n\n"
        guard !shown.isEmpty else { return head + "  None yet. `practice term add \(adding) WORD` adds one.\n" }
        var table = Table([.init("", isNumber: true, leads: true), .init("", leads: true), .init("")])
        table.rows = shown.map { term in
            [
                .init(term.id, .faint), .init(term.word, term.offered ? .plain : .faint),
                .init(term.offered ? "" : "retired", .faint),
            ]
        }
        return head + table.text(columns: look.columns, ink: look.ink)
    }
}
