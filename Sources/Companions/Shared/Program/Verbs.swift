public import ArgumentParser
import CMemory
import Files
import Glibc
import Text
import Time

/// A command line of verbs. Only the named verb is parsed, because parsing all of them takes longer than most verbs.
public enum Verbs {
    /// Runs the verb that the command line names, and ends the program with its exit status.
    public static func run(_ program: any ParsableCommand.Type) {
        ProgramStart.prepare()
        setlocale(LC_TIME, "")
        leaveNoCoreDump()
        do {
            try checkText()
            var verb = try command(Array(CommandLine.arguments.dropFirst()), of: program)
            try verb.run()
        } catch let failure as Failure {
            Streams.end(by: failure)
        } catch {
            if program.exitCode(for: error) == .validationFailure, CommandLine.arguments.contains("--json") {
                Streams.end(by: .misused(program.message(for: error)))
            }
            end(program, by: error)
        }
    }

    /// Throws if a word of the command line is not UTF-8: Swift would change its bytes, and a note or a name would be kept wrong.
    private static func checkText() throws(Failure) {
        for place in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[place], String(validatingCString: word) == nil else { continue }
            throw .misused(
                "Word \(place) of the command line, “\(String(cString: word).shown)”, is not UTF-8 text. Nothing was done."
            )
        }
    }

    /// As `ParsableCommand.exit(withError:)`, with lines that fit the terminal.
    private static func end(_ program: any ParsableCommand.Type, by error: any Error) -> Never {
        // An error repeats words of the command line.
        let (text, status) = (program.fullMessage(for: error).visibleLines, program.exitCode(for: error))
        if !text.isEmpty {
            if status == .success { Streams.output(text + "\n") } else { Streams.error(text + "\n") }
        }
        exit(status.rawValue)
    }

    /// Keeps this program's memory, which may hold a mood or a note, from all users but root: no debugger can attach, and the
    /// kernel writes no core dump and pipes none to a collector (man 2 PR_SET_DUMPABLE). Child processes, such as the pager,
    /// inherit the limit and cannot raise it. It is one byte, because with none the kernel would still pipe a dump (man 5
    /// core).
    private static func leaveNoCoreDump() {
        _ = cmemory_set_undumpable()
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }

    /// The command of `program` that `arguments` name.
    public static func command(_ arguments: [String], of program: any ParsableCommand.Type) throws
        -> any ParsableCommand
    {
        let arguments = optionsAfterVerb(withDaysJoined(arguments))
        if arguments.first == "help" { try checkNamed(Array(arguments.dropFirst()), of: program) }
        guard !arguments.isEmpty else {
            return try program.configuration.defaultSubcommand?.parseAsRoot([]) ?? program.parseAsRoot([])
        }
        let (verb, rest) = verb(in: arguments, of: program)
        if let word = rest.first, isUnknown(word, in: verb, of: program) {
            throw Failure.misused(
                noVerb(word, after: arguments.prefix(arguments.count - rest.count), of: verb, program))
        }
        guard verb != program else { return try program.parseAsRoot(arguments) }
        if !verb.configuration.subcommands.isEmpty, verb.configuration.defaultSubcommand == nil,
            optionsAfterVerb(rest + [""]).first == ""
        {
            // A group without a verb lists its verbs.
            return try program.parseAsRoot(Array(arguments.dropLast(rest.count)))
        }
        if let command = parse(rest, as: verb.configuration.defaultSubcommand ?? verb) { return command }
        if let hint = hint(misplaced: rest.first, after: verb, in: program) { throw Failure.misused(hint) }
        let names = names(in: verb)
        if let word = rest.first, !word.hasPrefix("-"), nearest(to: word, among: names) != nil {
            throw Failure.misused(
                noVerb(word, after: arguments.prefix(arguments.count - rest.count), of: verb, program))
        }
        // The whole program's parser gives help and errors the verb's full name.
        return try program.parseAsRoot(arguments)
    }

    /// Makes one word of `next friday`, so that it needs no quotation marks.
    static func withDaysJoined(_ arguments: [String]) -> [String] {
        arguments.reduce(into: []) { words, word in
            if let before = words.last, ["next", "last"].contains(before), SpokenDay("\(before) \(word)") != nil {
                words[words.count - 1] += " " + word
            } else {
                words.append(word)
            }
        }
    }

    /// Throws if `help` is asked about something that is no verb.
    private static func checkNamed(_ words: [String], of program: any ParsableCommand.Type) throws(Failure) {
        let (verb, rest) = verb(in: words, of: program)
        guard let word = rest.first, !word.hasPrefix("-"), !verb.configuration.subcommands.isEmpty else { return }
        throw .misused(noVerb(word, after: words.prefix(words.count - rest.count), of: verb, program))
    }

    /// The verb that the first words name, which may be two, and the words after it.
    private static func verb(
        in arguments: [String], of program: any ParsableCommand.Type
    ) -> (any ParsableCommand.Type, ArraySlice<String>) {
        var (verb, rest) = (program, arguments[...])
        while let name = rest.first,
            let next = verb.configuration.subcommands.first(where: { $0.configuration.commandName == name })
        {
            verb = next
            rest = rest.dropFirst()
        }
        return (verb, rest)
    }

    /// True if the word is in a verb's place and is no verb.
    private static func isUnknown(
        _ word: String, in verb: any ParsableCommand.Type, of program: any ParsableCommand.Type
    ) -> Bool {
        let isGroup = !verb.configuration.subcommands.isEmpty
        let takesWords = verb != program && verb.configuration.defaultSubcommand != nil
        return isGroup && !takesWords && !word.hasPrefix("-") && word != "help"
    }

    /// The sentence about a verb that stands after the list of its things: `services add` for `service add`. Nil for other words.
    public static func hint(
        misplaced word: String?, after list: any ParsableCommand.Type, in program: any ParsableCommand.Type
    ) -> String? {
        guard let word, let name = list.configuration.commandName,
            let group = program.configuration.subcommands.first(where: {
                $0.configuration.commandName.map { $0 + "s" } == name
            }),
            names(in: group).contains(word)
        else { return nil }
        let (begin, one) = (program.configuration.commandName ?? "", group.configuration.commandName ?? "")
        return "There is no `\(begin) \(name) \(word)`. Did you mean `\(begin) \(one) \(word)`? "
            + "`\(begin) \(one) --help` lists the verbs."
    }

    private static func names(in verb: any ParsableCommand.Type) -> [String] {
        verb.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// Nil if the parser refuses the arguments, or answers them itself, as it does `--help`.
    private static func parse(
        _ arguments: ArraySlice<String>, as verb: any ParsableCommand.Type
    ) -> (any ParsableCommand)? {
        guard let command = try? verb.parseAsRoot(Array(arguments)) else { return nil }  // The caller parses again.
        return type(of: command) == verb ? command : nil
    }

    /// Moves the options that every verb takes behind the verb: `daybreak --json status` means `daybreak status --json`.
    static func optionsAfterVerb(_ arguments: [String]) -> [String] {
        var count = 0
        while count < arguments.count {
            switch arguments[count] {
            case "--json": count += 1
            case "--socket", "--at", "--as": count += 2
            case let option where ["--socket=", "--at=", "--as="].contains(where: option.hasPrefix): count += 1
            default:
                guard count > 0, !arguments[count].hasPrefix("-") else { return arguments }
                let rest = arguments[count...]
                let end = rest.firstIndex(of: "--") ?? rest.endIndex
                return Array(rest[..<end] + arguments[..<count] + rest[end...])
            }
        }
        return arguments
    }

    private static func noVerb(
        _ word: String, after words: ArraySlice<String>, of verb: any ParsableCommand.Type,
        _ program: any ParsableCommand.Type
    ) -> String {
        let begin = ([program.configuration.commandName ?? ""] + words).joined(separator: " ")
        let meant = nearest(to: word, among: names(in: verb)).map { " Did you mean `\(begin) \($0)`?" } ?? ""
        return "There is no `\(begin) \(word.shown)`.\(meant) `\(begin) --help` lists the verbs."
    }

    /// The name with the fewest typing errors, if these are at most two, and at most one in three letters.
    static func nearest(to word: String, among names: [String]) -> String? {
        let counted = names.map { (name: $0, errors: typingErrors(Array(word.lowercased()), Array($0))) }
        guard let best = counted.min(by: { $0.errors < $1.errors }), best.errors <= min(2, best.name.count / 3) else {
            return nil
        }
        return best.name
    }

    /// The number of letters left out, added, mistaken, or swapped with a neighbour (Damerau-Levenshtein distance).
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
