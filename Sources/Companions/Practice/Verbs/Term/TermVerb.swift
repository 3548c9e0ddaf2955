internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules

struct TermVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "term", abstract: "Add or retire a word that sessions are counted by.",
        subcommands: [Add.self, Retire.self])

    enum Vocabulary: String, ExpressibleByArgument, CaseIterable {
        case motives, tools

        /// Also understands `motive` and `tool`.
        init?(argument: String) { self.init(rawValue: argument.hasSuffix("s") ? argument : argument + "s") }

        var asSent: Practice.ListTerms.Vocabulary { self == .motives ? .motives : .tools }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration.verb("add", abstract: "Add a word.")

        @Argument(help: "motives or tools.") var vocabulary: Vocabulary?
        @Argument(help: "The word; - reads it from standard input.") var word: String?
        @OptionGroup var output: OutputOptions
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            try CallerInfo(over: connection).demand(.editTerms)
            var form = Form(
                "A new motive or tool", does: "adds it", untouched: "Nothing was added.",
                [
                    Question(
                        field: "vocabulary", label: "Among",
                        kind: .one([.init(value: "motives", word: "motives"), .init(value: "tools", word: "tools")]),
                        isRequired: true),
                    Question(field: "word", label: "Word", isRequired: true, check: Field.name),
                ])
            let reply = try form.send(
                Given.read(["vocabulary": vocabulary?.rawValue, "word": word]), output: output, asking: !daemon.json,
                over: connection
            ) { answers in
                Practice.AddTerm(
                    vocabulary: answers["vocabulary"] == "tools" ? .tools : .motives, word: answers["word"] ?? "")
            }
            try daemon.answer(reply, of: Practice.AddTerm.self, over: connection) { reply in
                "“\(reply.term.word.shown)” is offered now (\(reply.term.id)); `practice terms` lists the words.\n"
            }
        }
    }

    struct Retire: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "retire", abstract: "Stop offering a word; sessions keep it.")

        @Argument(help: "The word, or its identifier.") var word: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let all = try Vocabulary.allCases.flatMap { vocabulary in
                try connection.call(Practice.ListTerms(vocabulary: vocabulary.asSent)).terms
            }
            let identified = all.filter { $0.id == word }
            let term = try NameMatch.one(
                word, among: identified.isEmpty ? all.filter { $0.word.holds(word) } : identified, kind: "word",
                plural: "words", name: \.word, mark: \.id,
                advice: "`practice terms` lists them.")
            try daemon.ask(Practice.RetireTerm(term: term.id), over: connection) {
                "“\($0.term.word.shown)” is offered no longer; the sessions that have it keep it.\n"
            }
        }
    }
}
