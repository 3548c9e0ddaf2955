public import ArgumentParser
import CMemory
import Glibc

/// A command line of verbs. Only the verb that is named is parsed: parsing all of them takes longer than most verbs take.
public enum Verbs {
    /// Runs the verb that the command line names, and ends the program with its exit status.
    public static func run(_ program: any ParsableCommand.Type) {
        signal(SIGPIPE, SIG_IGN)
        setlocale(LC_TIME, "")
        leaveNoCoreDump()
        do {
            var verb = try command(Array(CommandLine.arguments.dropFirst()), of: program)
            try verb.run()
        } catch let failure as Failure {
            Streams.end(by: failure)
        } catch {
            if program.exitCode(for: error) == .validationFailure, CommandLine.arguments.contains("--json") {
                Streams.end(by: .misused(program.message(for: error)))
            }
            program.exit(withError: error)
        }
    }

    /// Keeps this program's memory, in which a mood or a note may be, from everybody but root: no debugger attaches, and the
    /// kernel writes no core dump and pipes none to a collector (man 2 PR_SET_DUMPABLE). The programs that it runs, the pager
    /// among them, inherit the limit: at one byte nothing is piped either, at none it is (man 5 core), and none of them may
    /// raise it again.
    private static func leaveNoCoreDump() {
        _ = cmemory_set_undumpable()
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }

    /// The command that `arguments` ask `program` for.
    public static func command(_ arguments: [String], of program: any ParsableCommand.Type) throws
        -> any ParsableCommand
    {
        let configuration = program.configuration
        let arguments = optionsAfterVerb(arguments)
        guard let name = arguments.first else {
            return try configuration.defaultSubcommand?.parseAsRoot([]) ?? program.parseAsRoot([])
        }
        guard let verb = configuration.subcommands.first(where: { $0.configuration.commandName == name }) else {
            if name.hasPrefix("-") || name == "help" { return try program.parseAsRoot(arguments) }
            throw Failure.misused(noVerb(name, of: configuration))
        }
        // The whole program's parser gives help and errors the verb's full name.
        return try parse(arguments.dropFirst(), as: verb) ?? program.parseAsRoot(arguments)
    }

    /// Nil where the parser refuses the arguments or answers them itself, as it does `--help`.
    private static func parse(
        _ arguments: ArraySlice<String>, as verb: any ParsableCommand.Type
    ) -> (any ParsableCommand)? {
        guard let command = try? verb.parseAsRoot(Array(arguments)) else { return nil }  // Said below.
        let known = [verb] + verb.configuration.subcommands
        return known.contains { $0 == type(of: command) } ? command : nil
    }

    /// `daybreak --json status` means `daybreak status --json`: what every verb takes may stand before it.
    static func optionsAfterVerb(_ arguments: [String]) -> [String] {
        var count = 0
        while count < arguments.count {
            switch arguments[count] {
            case "--json": count += 1
            case "--socket": count += 2
            case let option where option.hasPrefix("--socket="): count += 1
            default:
                guard count > 0, !arguments[count].hasPrefix("-") else { return arguments }
                let rest = arguments[count...]
                let end = rest.firstIndex(of: "--") ?? rest.endIndex
                return Array(rest[..<end] + arguments[..<count] + rest[end...])
            }
        }
        return arguments
    }

    private static func noVerb(_ word: String, of configuration: CommandConfiguration) -> String {
        let program = configuration.commandName ?? ""
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        let meant = nearest(to: word, among: names).map { " Did you mean `\(program) \($0)`?" } ?? ""
        return "There is no `\(program) \(word.shown)`.\(meant) `\(program) --help` lists the verbs."
    }

    /// The name with the fewest typing errors, where there are at most two, and at most one in three letters.
    static func nearest(to word: String, among names: [String]) -> String? {
        let counted = names.map { (name: $0, errors: typingErrors(Array(word.lowercased()), Array($0))) }
        guard let best = counted.min(by: { $0.errors < $1.errors }), best.errors <= min(2, best.name.count / 3) else {
            return nil
        }
        return best.name
    }

    /// Letters left out, added, mistaken, or swapped with a neighbour (Damerau and Levenshtein's distance).
    private static func typingErrors(_ typed: [Character], _ meant: [Character]) -> Int {
        var rows = [Array(0...meant.count)]
        for (i, letter) in typed.enumerated() {
            var row = [i + 1]
            for (j, other) in meant.enumerated() {
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == meant[j - 1], typed[i - 1] == other {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[typed.count][meant.count]
    }
}
